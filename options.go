package toile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
)

// Options are the settings of a world. Zero is a value, not "default": start from DefaultOptions.
type Options struct {
	Start   float64 // the time at which the world starts [s]
	Gravity r3.Vec  // acceleration of free fall [m/s²]
	// Theta is where in the step forces are taken, in [0.5, 1]: 1 is backward Euler, which damps and never blows up;
	// 0.5 is the implicit midpoint, which keeps energy and rings.
	Theta       float64
	Newton      NewtonOptions  // how often a step linearizes its equations
	Linear      LinearOptions  // how linear systems are solved
	Contact     ContactOptions // when surfaces touch and how they rub
	Air         AirOptions     // what the cloth moves in
	MaxHalvings int            // how often Advance halves a step that failed before it gives up
	Workers     int            // the number of cores to use; 0: all. It does not change results
}

// NewtonOptions are the settings of the nonlinear solve. One iteration is enough for cloth, for rigid bodies, and for
// soft bodies of the Corotational law. Allow 5 to 10, with a Tolerance of 1e-6 m/s, for soft bodies of another law, and
// where a Theta of 0.5 is to keep energy.
type NewtonOptions struct {
	Iterations int     // linearizations a step, at most; 1 is the linearly implicit scheme
	Tolerance  float64 // largest nonlinear residual [m/s]; not looked at with one iteration
	Exact      bool    // use Hessians as they are, not projected to positive ones
}

// LinearOptions are the settings of the linear solve.
type LinearOptions struct {
	Method        LinearMethod
	Tolerance     float64 // largest residual of the iterative method [m/s]
	MaxIterations int     // of the iterative method
}

// LinearMethod is a way to solve linear systems.
type LinearMethod int

// The linear methods: by size, conjugate gradients, or sparse Cholesky.
const (
	AutoLinear = LinearMethod(solve.Auto)
	PCG        = LinearMethod(solve.PCG)
	Direct     = LinearMethod(solve.Direct)
)

// ContactSolver is a way to solve contacts. All solve the same problem to the same tolerance.
type ContactSolver int

const (
	// Nodal works on velocities and takes any number of contacts.
	Nodal ContactSolver = iota
	// Dual works on impulses, is slow, and takes up to 2048 contacts.
	Dual
	// Relaxation is that of [Otaduy09].
	Relaxation
	// Staggered projects impulses on normals and on friction in turn [Larionov21], and takes up to 3000 contacts.
	Staggered
)

var solverNames = []string{Nodal: "nodal", Dual: "dual", Relaxation: "relaxation", Staggered: "staggered"}

// String returns the word for the solver in scene files.
func (s ContactSolver) String() string { return words.Name(solverNames, "ContactSolver", int(s)) }

// ContactOptions are the settings of contact.
type ContactOptions struct {
	// Thickness is the distance that surfaces keep from each other [m], rigid bodies too: a brick lies that much above
	// the floor. What is joined does not touch.
	Thickness float64
	Friction  float64 // the coefficient of friction of pairs that SetFriction was not called for
	Self      bool    // cloths touch themselves and each other
	// Tolerance is the largest residual of the contact problem [m/s]. A steady 1e-8 m/s of slip would be 0.6
	// micrometres a minute.
	Tolerance float64
	Solver    ContactSolver
	Budget    int // Newton steps of the solver Nodal in a step with its halves, at most; 0: no bound
	// PointContacts has edges and faces held off meshes of obstacles where they touch, by all of their vertices; else
	// the nearest vertex is held off for them, as in [Li18].
	PointContacts bool
	Rounds        int     // how often a step that met something on its way is solved again
	Rough         float64 // the part of Thickness that nodes may be off by after all rounds but the last
	// Halvings is how often Advance halves a step in which something would cross before it leaves it to the fail-safe.
	Halvings int
	// PushFraction and PushSpeed [m/s] limit how much of a distance below Thickness is made up in one step.
	PushFraction, PushSpeed float64
	UntangleSpeed           float64 // how fast cloths that are crossed are drawn apart [m/s]; 0: not at all
}

// AirOptions describe still or moving air.
type AirOptions struct {
	Density float64 // [kg/m³]; 0 is vacuum, in which neither Drag nor Wind does anything
	Wind    r3.Vec  // [m/s]
}

// DefaultOptions returns the settings for cloth on earth in vacuum at steps of a few milliseconds: Gravity of 9.81 m/s²
// along -Z, Theta 1, Newton.Iterations 1, Air.Density 0 (air has 1.2 kg/m³), Contact.Thickness 1 mm, Contact.Friction
// 0.3, Contact.Self, the solver Nodal, tolerances of 1e-8 m/s, MaxHalvings 6, and all cores.
func DefaultOptions() Options { return optionsOf(engine.DefaultOptions()) }

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	if o.Contact.Solver < Nodal || int(o.Contact.Solver) >= len(solverNames) {
		return fmt.Errorf("there is no contact solver %d", o.Contact.Solver)
	}
	return o.engine().Validate()
}

func optionsOf(o engine.Options) Options {
	c := o.Contact
	return Options{
		Start: o.Start, Gravity: o.Gravity, Theta: o.Theta, Newton: NewtonOptions(o.Newton),
		Linear: LinearOptions{LinearMethod(o.Linear.Method), o.Linear.Tolerance, o.Linear.MaxIterations},
		Contact: ContactOptions{
			Thickness: c.Thickness, Friction: c.Friction, Self: c.Self, Tolerance: c.Tolerance,
			Solver: solverOf(c.Solver), Budget: c.Budget, PointContacts: c.PointContacts,
			Rounds: c.Rounds, Rough: c.Rough,
			Halvings: c.Halvings, PushFraction: c.PushFraction, PushSpeed: c.PushSpeed, UntangleSpeed: c.UntangleSpeed,
		},
		Air: AirOptions(o.Air), MaxHalvings: o.MaxHalvings, Workers: o.Workers,
	}
}

func (o *Options) engine() engine.Options {
	c, d := o.Contact, engine.DefaultOptions().Contact
	return engine.Options{
		Start: o.Start, Gravity: o.Gravity, Theta: o.Theta, Newton: engine.NewtonOptions(o.Newton),
		Linear: engine.LinearOptions{
			Method: engine.LinearMethod(o.Linear.Method), Tolerance: o.Linear.Tolerance,
			MaxIterations: o.Linear.MaxIterations,
		},
		Contact: engine.ContactOptions{
			Thickness: c.Thickness, Friction: c.Friction, Self: c.Self, Tolerance: c.Tolerance,
			Solver: c.Solver.String(), MaxSweeps: d.MaxSweeps, Budget: c.Budget, Prune: d.Prune,
			PointContacts: c.PointContacts, Rounds: c.Rounds, Rough: c.Rough,
			Halvings: c.Halvings, PushFraction: c.PushFraction, PushSpeed: c.PushSpeed, UntangleSpeed: c.UntangleSpeed,
		},
		Air: engine.AirOptions(o.Air), MaxHalvings: o.MaxHalvings, Workers: o.Workers,
	}
}

func solverOf(name string) ContactSolver {
	for s, n := range solverNames {
		if n == name {
			return ContactSolver(s)
		}
	}
	return Nodal
}
