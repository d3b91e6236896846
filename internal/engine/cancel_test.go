package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// remeshing returns a sheet that falls on a ball and is remeshed as it does.
func remeshing(t testing.TB) *World {
	t.Helper()
	opt := DefaultOptions()
	opt.Workers = 1
	w := must(New(opt))
	m, x := shape.Grid(0.3, 0.3, 6, 6)
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.15, 0.15, -0.052))
	}
	c := DefaultCloth("sheet", m, x, testFabric())
	size := DefaultRemesh()
	size.Min, size.Max = 0.02, 0.1
	c.Remesh = &size
	must(w.AddCloth(c))
	must(w.AddObstacle(Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.05}, Place: r3.Still()}))
	return w
}

// halved has every third step that is not a part of one already fail once, after its solve.
func halved(w *World, then func(s *step, p phase)) {
	w.fault = func(s *step, p phase) {
		if p == solving && s.h > 1.5e-3 && w.steps%3 == 2 {
			s.result.V[0].X /= 0
		}
		then(s, p)
	}
}

// TestStoppedWorldsGoOn: whenever a world is stopped, in any phase of a step or of a part of a halved one, it is where
// the last whole step left it, and goes on to the same end, bit for bit.
func TestStoppedWorldsGoOn(t *testing.T) {
	const steps, h = 12, 2e-3
	worlds := map[string]func(testing.TB) *World{"remeshing": remeshing}
	for name, world := range faulty {
		worlds[name] = world
	}
	for name, world := range worlds {
		t.Run(name, func(t *testing.T) {
			w := world(t)
			halved(w, func(*step, phase) {})
			whole := []Hash{w.Snapshot().Hash()}
			for range steps {
				must(0, w.Advance(h, h, nil))
				whole = append(whole, w.Snapshot().Hash())
			}

			rng := rand.New(rand.NewPCG(3, 4))
			w = world(t)
			var cancel context.CancelFunc
			stoppable := func() (ctx context.Context) {
				ctx, cancel = context.WithCancel(t.Context())
				return ctx
			}
			halved(w, func(*step, phase) {
				if rng.IntN(30) == 0 {
					cancel()
					for !w.team.Stopped() { // it is told on a goroutine of its own
						time.Sleep(time.Microsecond)
					}
				}
			})
			w.SetContext(stoppable())
			stops := 0
			for done := 0; done < steps; {
				err := w.Advance(h, h, nil)
				if err == nil {
					done++
				} else if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				} else {
					stops++
					w.SetContext(stoppable())
				}
				if got := w.Snapshot().Hash(); got != whole[done] {
					t.Fatalf("after %d steps and %d stops the state is another", done, stops)
				}
			}
			if name == "remeshing" && len(w.pos) == 7*7 {
				t.Error("the mesh has not changed")
			}
			if stops < 3 {
				t.Errorf("stopped %d times only", stops)
			}
		})
	}
}

// TestSettleHeeds: Settle, with and without contact, ends when the context does and leaves the world as it was.
func TestSettleHeeds(t *testing.T) {
	for name, world := range map[string]func(testing.TB) *World{"in contact": pressed, "alone": func(testing.TB) *World {
		w := must(New(DefaultOptions()))
		m, x := shape.Grid(0.2, 0.2, 6, 6)
		id := must(w.AddCloth(DefaultCloth("sheet", m, x, testFabric())))
		must(w.AddHandle(Handle{Name: "edge", Cloth: id, Vertices: []int32{0, 6}}))
		return w
	}} {
		t.Run(name, func(t *testing.T) {
			w := world(t)
			before := w.Snapshot().Hash()
			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("enough")
			w.SetContext(ctx)
			if name == "alone" {
				cancel(why)
			}
			count := 0
			w.fault = func(*step, phase) {
				if count++; count == 100 {
					cancel(why)
				}
			}
			opt := DefaultSettleOptions()
			opt.MaxIterations, opt.Tolerance = 1e6, 1e-15
			if _, err := w.Settle(opt); !errors.Is(err, why) {
				t.Errorf("ended with %v", err)
			}
			if w.Snapshot().Hash() != before {
				t.Error("the state is another")
			}
		})
	}
}

// TestHeedsAtOnce: with one processor, the goroutine that watches a context may run long after it was cancelled. What
// begins after that does not begin.
func TestHeedsAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 20 {
		w := remeshing(t)
		ctx, cancel := context.WithCancel(t.Context())
		w.SetContext(ctx)
		cancel()
		if _, err := w.Step(1e-3); !errors.Is(err, context.Canceled) || w.Steps() != 0 {
			t.Fatalf("a step after the context was cancelled: %v", err)
		}
		if err := w.Advance(1e-3, 1e-3, nil); !errors.Is(err, context.Canceled) || w.Steps() != 0 {
			t.Fatalf("an advance after the context was cancelled: %v", err)
		}
	}
}
