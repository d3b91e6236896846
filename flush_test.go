package toile_test

import (
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

func TestFlushPushed(t *testing.T) {
	opt := toile.DefaultOptions()
	opt.Workers, opt.Contact.Friction = 1, 0.4
	w := must(toile.New(opt))
	must(w.AddObstacle(toile.Obstacle{Name: "floor", Shape: geom.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	half := r3.V(0.025, 0.025, 0.025)
	a := brick(t, half, 1000, r3.NoRotation(), r3.Vec{})
	must(w.AddBody("a", a, []r3.Vec{{Z: 0.025}, {}}, make([]r3.Vec, 2)))
	b := brick(t, half, 1000, r3.NoRotation(), r3.Vec{})
	id := must(w.AddBody("b", b, []r3.Vec{{Z: 0.075}, {}}, make([]r3.Vec, 2)))
	if err := b.SetLoad(r3.V(3, 0, 0), r3.Vec{}); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		s := must(w.Step(2e-3))
		if i == 0 {
			for _, c := range w.Contacts(nil) {
				t.Logf("%+v", c)
			}
		}
		if i < 10 || i%20 == 0 {
			t.Logf("%d contacts %d inf %d conv %v cross %d fs %+v x %v", i, s.Contacts, s.Infeasible, s.Converged, s.Crossings, s.Failsafe, w.BodyPositions(id)[0])
		}
	}
}
