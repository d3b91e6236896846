package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// A handle that a function leads goes as one that a path leads, to the bit, also after going back to a snapshot.
func TestGuidedHandle(t *testing.T) {
	path := &engine.Path{Keys: []engine.Key{{}, {At: 0.1, Translate: r3.V(0.02, 0, 0.01), Axis: r3.V(0, 0, 1), Angle: math.Pi / 6}}}
	lead := func(h engine.Handle) (*engine.World, error) {
		w := must(engine.New(engine.DefaultOptions()))
		spec := jelly()
		id := addSolid(t, w, spec, spec.Mesh.X, make([]r3.Vec, len(spec.Mesh.X)))
		h.Name, h.Body, h.Vertices = "hold", &id, []int32{0, 1, 2, 5, 6, 7}
		_, err := w.AddHandle(h)
		return w, err
	}
	run := func(h engine.Handle) engine.Hash {
		w := must(lead(h))
		for k := range 12 {
			if k == 5 {
				again := must(lead(h))
				if err := again.Restore(w.Snapshot()); err != nil {
					t.Fatal(err)
				}
				w = again
			}
			must(w.Step(0.01))
		}
		return w.Snapshot().Hash()
	}
	if along, guided := run(engine.Handle{Path: path}), run(engine.Handle{Guide: path.At}); along != guided {
		t.Errorf("guided %v, along a path %v", guided, along)
	}
	if _, err := lead(engine.Handle{Path: path, Guide: path.At}); err == nil || !strings.Contains(err.Error(), "only one can lead it") {
		t.Errorf("a path and a guide: %v", err)
	}
}
