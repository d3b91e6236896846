package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// FuzzSnapshotStep restores a state from arbitrary bytes, with contacts, and takes a step: it may fail, and must not
// panic, nor go on from a step that it says has failed.
func FuzzSnapshotStep(f *testing.F) {
	w := newWorld(f, engine.DefaultOptions())
	m, x := shape.Grid(0.2, 0.2, 4, 4)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.1, -0.1, 0.1005))
	}
	addCloth(f, w, engine.DefaultCloth("sheet", m, x, fabric(f, "cotton")))
	if _, err := w.AddObstacle(engine.Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.1}, Place: r3.Still()}); err != nil {
		f.Fatal(err)
	}
	state := func() []byte {
		data, err := w.Snapshot().MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		return data
	}
	f.Add(state())
	for range 5 {
		if _, err := w.Step(2e-3); err != nil {
			f.Fatal(err)
		}
	}
	if len(w.Contacts(nil)) == 0 {
		f.Fatal("nothing touches")
	}
	f.Add(state())
	f.Fuzz(func(t *testing.T, data []byte) {
		var s engine.Snapshot
		if s.UnmarshalBinary(data) != nil || w.Restore(&s) != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		w.SetContext(ctx)
		before := w.Snapshot().Hash()
		if _, err := w.Step(2e-3); err != nil && w.Snapshot().Hash() != before {
			t.Fatalf("a step that failed changed the world: %v", err)
		}
	})
}
