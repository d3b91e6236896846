package engine_test

import (
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// slidingJelly is a soft block that is thrown along a floor.
func slidingJelly(t testing.TB, workers int, how engine.StaggeredOptions) (*engine.World, engine.BodyID) {
	t.Helper()
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Solver, opt.Contact.Staggered = workers, "staggered", how
	w := must(engine.New(opt))
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	spec := jelly()
	x, v := make([]r3.Vec, len(spec.Mesh.X)), make([]r3.Vec, len(spec.Mesh.X))
	for i, p := range spec.Mesh.X {
		x[i], v[i] = p.Add(r3.V(0, 0, 2e-3)), r3.V(0.3, 0.1, -0.1)
	}
	return w, addSolid(t, w, spec, x, v)
}

// Staggered projections give the same bits for any number of workers, and after a resume: forwarded impulses are state.
func TestStaggeredBits(t *testing.T) {
	play := func(w *engine.World, from, to int) (sliding int) {
		for k := from; k < to; k++ {
			h := 2e-3
			if k%7 == 0 {
				h = 1e-3 // what is forwarded changes with it
			}
			sliding += must(w.Step(h)).Sliding
		}
		return sliding
	}
	for _, how := range []engine.StaggeredOptions{{}, {Mass: true}, {Polar: true}} {
		straight, id := slidingJelly(t, 1, how)
		if play(straight, 0, 40) == 0 {
			t.Fatal("nothing slides")
		}
		want := straight.Snapshot().Hash()
		for _, workers := range []int{1, 2, 8} {
			w, _ := slidingJelly(t, workers, how)
			play(w, 0, 20)
			var saved engine.Snapshot
			if err := saved.UnmarshalBinary(must(w.Snapshot().MarshalBinary())); err != nil {
				t.Fatal(err)
			}
			w, _ = slidingJelly(t, workers, how) // as after a kill
			if err := w.Restore(&saved); err != nil {
				t.Fatal(err)
			}
			play(w, 20, 40)
			if got := w.Snapshot().Hash(); got != want {
				t.Errorf("%+v, %d workers, resumed: vertex 0 is at %v, and else at %v",
					how, workers, w.BodyPositions(id)[0], straight.BodyPositions(id)[0])
			}
		}
	}
}

// A step of staggered projections that has been taken before allocates nothing.
func TestStaggeredStepAllocatesNothing(t *testing.T) {
	for _, how := range []engine.StaggeredOptions{{}, {Mass: true}} {
		w, _ := slidingJelly(t, 1, how)
		for range 30 {
			must(w.Step(2e-3))
		}
		before := w.Snapshot()
		if n := testing.AllocsPerRun(3, func() { must(w.Step(2e-3)) }); n > 0 {
			t.Errorf("%+v: %g allocations", how, n)
		}
		if w.Time() <= before.Time() {
			t.Error("nothing was played")
		}
	}
}
