package toile

import (
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// stranger is a body of a kind that has no handle.
type stranger struct{ *body.Rigid }

// TestAdoptKnowsEveryBody: a press is an obstacle in an adopted world, and a body without a handle is named.
func TestAdoptKnowsEveryBody(t *testing.T) {
	e, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	plate := engine.Obstacle{
		Name: "plate", Place: r3.Still(), Shape: shape.Box{Half: r3.V(1, 1, 0.1)},
		Press: &engine.Press{Axis: r3.V(0, 0, -1), Force: 1, Mass: 1, Stop: 1},
	}
	if _, err := e.AddObstacle(plate); err != nil {
		t.Fatal(err)
	}
	if _, ok := adopt(e).Find("plate").(*Obstacle); !ok {
		t.Errorf("the press is a %T", adopt(e).Find("plate"))
	}
	b, err := body.NewRigid(body.Ball(0.1, 500), r3.Still().R, r3.Vec{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.AddBody("stranger", stranger{b}, make([]r3.Vec, 2), make([]r3.Vec, 2)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "no handle for toile.stranger") {
			t.Errorf("adopting a stranger ends with %q", said)
		}
	}()
	adopt(e)
}
