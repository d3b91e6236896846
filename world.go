package toile

import (
	"context"
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// World owns the state of everything simulated and advances it. It belongs to one goroutine at a time.
type World struct {
	e        *engine.World
	done     <-chan struct{} // of the context that the engine looks at
	surfaces []Surface       // by number in the engine
	points   []engine.ContactPoint
	pairs    []engine.PairForce
	losses   []engine.BodyLoss
}

// New returns an empty world.
func New(opt Options) (*World, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	e, err := engine.New(opt.engine())
	if err != nil {
		return nil, err
	}
	return &World{e: e}, nil
}

// Options returns the settings of the world. Those on a track have their value in the last step.
func (w *World) Options() Options { return optionsOf(w.e.Options()) }

// Time returns the simulated time [s].
func (w *World) Time() float64 { return w.e.Time() }

// Steps returns the number of steps taken.
func (w *World) Steps() int { return w.e.Steps() }

// SetWorkers changes the number of cores that are used; 0 means all. It does not change results.
func (w *World) SetWorkers(n int) { w.e.SetWorkers(n) }

// heed has the engine stop soon after ctx is done.
func (w *World) heed(ctx context.Context) {
	if done := ctx.Done(); done != w.done {
		w.done = done
		w.e.SetContext(ctx)
	}
}

// Step advances the world by one step of h seconds. Where something would cross, or the solver fails, the fail-safe
// keeps surfaces apart, and Stats says so. On an error, and when ctx is done, the world is as it was.
func (w *World) Step(ctx context.Context, h float64) (Stats, error) {
	w.heed(ctx)
	s, err := w.e.Step(h)
	return w.statsOf(&s), err
}

// TryStep is Step that refuses what the fail-safe would have to change, with ErrCrossing or ErrUnsolved, so that the
// caller may take a shorter step. It refuses nothing where less than a quarter of its budget is left.
func (w *World) TryStep(ctx context.Context, h float64) (Stats, error) {
	w.heed(ctx)
	s, err := w.e.TryStep(h)
	return w.statsOf(&s), err
}

// Advance takes steps of at most maxStep seconds until dt seconds have passed, and calls each after every one of them;
// each may be nil. It halves steps that fail. On an error the world is where the last step that was not halved left it.
//
// Without an error all steps were taken, but not all need be exact: look at Stats.Converged. Prescribed motions go on
// whatever they press. Where they leave no room, contacts contradict each other and their impulses are bounded, such
// steps do not converge, and what is pressed may cross (Stats.Crossings). To press with a force instead, give an
// obstacle a Press, a handle a Limit, or have Rigid.Hold leave free the direction in which Rigid.Apply pushes.
func (w *World) Advance(ctx context.Context, dt, maxStep float64, each func(Stats)) error {
	w.heed(ctx)
	return w.e.Advance(dt, maxStep, func(s engine.Stats) {
		if each != nil {
			each(w.statsOf(&s))
		}
	})
}

// Energy returns what the world holds.
func (w *World) Energy() Energy { return energyOf(w.e.Energy()) }

// Crossings returns the number of pairs of triangles that cross, and of triangles with a point inside an analytic
// shape. It is 0 in a world that started so.
func (w *World) Crossings() int {
	count, _ := w.e.Crossings()
	return count
}

// Losses fills dst with what the last step has taken by itself of angular momentum and energy, for each body that has
// elements, and returns it.
func (w *World) Losses(dst []BodyLoss) []BodyLoss {
	w.losses = w.e.Losses(w.losses[:0])
	dst = dst[:0]
	for _, l := range w.losses {
		dst = append(dst, BodyLoss{w.surfaces[l.Surface], Loss(l.Loss)})
	}
	return dst
}

// SettleOptions are the settings of Settle.
type SettleOptions struct {
	Tolerance     float64 // the furthest that a vertex may move in one more step [m]
	MaxIterations int     // of Newton's method, or steps of the world where things touch
	LoadSteps     int     // in which loads grow to their full size
	Step          float64 // of the world, where things touch [s]
}

// DefaultSettleOptions returns settings that suit cloth.
func DefaultSettleOptions() SettleOptions { return SettleOptions(engine.DefaultSettleOptions()) }

// SettleStats says how Settle went.
type SettleStats struct {
	Iterations int     // Newton steps, or steps of the world
	Move       float64 // the furthest that a vertex would move in one more step [m]
	Force      float64 // the largest force out of balance at a vertex [N]; not found where things touch
	Converged  bool
	Unstable   int // independent ways to fall out of the equilibrium, 0 in a stable one; -1: not found
	Energy     Energy
	Crossings  int
}

// Settle finds the equilibrium near the present state, sets the velocities to zero and leaves the time as it is. It
// fails only if the state became unusable; whether it converged is in the statistics.
func (w *World) Settle(ctx context.Context, opt SettleOptions) (SettleStats, error) {
	w.heed(ctx)
	s, err := w.e.Settle(engine.SettleOptions(opt))
	return SettleStats{
		Iterations: s.Iterations, Move: s.Move, Force: s.Force, Converged: s.Converged, Unstable: s.Unstable,
		Energy: energyOf(s.Energy), Crossings: s.Crossings,
	}, err
}

// owned returns an error if something is to be added on what is nothing, or of another world.
func (w *World) owned(what string, on Surface) error {
	switch {
	case on == nil:
		return fmt.Errorf("%s is on nothing", what)
	case on.world() != w:
		return fmt.Errorf("%s is on %q, which is of another world", what, on.Name())
	}
	return nil
}

// placed returns a pose, and r3.Still for the zero pose.
func placed(p r3.Pose) r3.Pose {
	if p == (r3.Pose{}) {
		return r3.Still()
	}
	return p
}

// fill copies src to dst, which is made longer if it is too short.
func fill[T float64 | r3.Vec](dst, src []T) []T { return append(dst[:0], src...) }
