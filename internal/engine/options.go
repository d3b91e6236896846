// Package engine advances bodies in frictional contact. It knows them by what they offer, never as cloth.
//
// A World owns the state: add bodies, obstacles and handles, then call Step or Advance. Same build, same input, same
// bits, whatever the number of workers. The scheme is in step.go, which reads top-down; docs/step.md walks through it.
package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

// Options are the settings of a world. Zero is a value, not 'default': start from DefaultOptions.
type Options struct {
	// Start is the time at which the world starts [s]. Negative times are for what happens before the clock of a run
	// does.
	Start float64
	// Gravity is the acceleration of free fall [m/s²].
	Gravity r3.Vec
	// Theta is where in the step forces are taken, in [0.5, 1]: 1 is backward Euler, which damps
	// and never blows up; 0.5 is the implicit midpoint, which keeps energy and rings.
	Theta float64
	// Newton says how often a step linearizes its equations. One iteration is enough for cloth at
	// a few milliseconds.
	Newton NewtonOptions
	// Linear says how linear systems are solved.
	Linear LinearOptions
	// Contact says when surfaces touch and how they rub.
	Contact ContactOptions
	// Air is what the cloth moves in.
	Air AirOptions
	// MaxHalvings is how often Advance halves a step that failed before it gives up.
	MaxHalvings int
	// Workers is the number of cores to use; 0 means all. It does not change results.
	Workers int
}

// NewtonOptions are the settings of the nonlinear solve.
type NewtonOptions struct {
	Iterations int     // linearizations a step, at most; 1 is the linearly implicit scheme
	Tolerance  float64 // largest nonlinear residual [m/s]; not looked at with one iteration
	Exact      bool    // use Hessians as they are, not projected to positive ones: for small steps and conservation tests
}

// LinearOptions are the settings of the linear solve.
type LinearOptions struct {
	Method        LinearMethod
	Tolerance     float64 // largest residual of the iterative method [m/s]
	MaxIterations int     // of the iterative method
}

// LinearMethod is a way to solve linear systems.
type LinearMethod = solve.Method

// The linear methods: by size, conjugate gradients, or sparse Cholesky.
const (
	AutoLinear = solve.Auto
	PCG        = solve.PCG
	Direct     = solve.Direct
)

// ContactOptions are the settings of contact.
type ContactOptions struct {
	// Thickness is the distance that surfaces keep from each other [m].
	Thickness float64
	// Friction is the coefficient of friction of pairs that SetFriction was not called for.
	Friction float64
	// Self makes cloths touch themselves and each other.
	Self bool
	// Tolerance is the largest residual of the contact problem [m/s]. A steady 1e-8 m/s of slip would be 0.6
	// micrometres a minute.
	Tolerance float64
	// Solver is the name of the contact solver, one of ContactSolvers; empty for the first of them.
	Solver string
	// Relaxation is the form of the solver of that name; the zero form is the quickest.
	Relaxation RelaxationForm
	// Staggered are the settings of the solver of that name.
	Staggered StaggeredOptions
	// MaxSweeps bounds the work of the contact solver.
	MaxSweeps int
	// Budget is how many Newton steps of the solver nodal a step may take with all its rounds, linearizations and
	// halvings; 0: as many as it wants. A step that has spent it ends with what it has (Stats.Spent).
	Budget int
	// Prune is the angle between normals below which contacts of the same nodes are one [rad]; 10 degrees as in [Li18].
	Prune float64
	// PointContacts has edges and faces held off meshes of obstacles where they touch, by all of their vertices. Else,
	// as in [Li18], the nearest vertex is held off for them, and further if that is not enough: problems are simpler,
	// and steps have more rounds.
	PointContacts bool
	// Rounds is how often a step that met something on its way, or came too near between nodes, is solved again.
	Rounds int
	// Rough is the part of Thickness that nodes may be off by after all rounds but the last, where layers meet; 0: all
	// rounds reach Tolerance. What such a round meets is placed where it ended, so that steps depend on the numbering
	// of vertices by that much.
	Rough float64
	// Halvings is how often Advance halves a step in which something would cross before it leaves it to the fail-safe.
	// [Otaduy09] needs two at most.
	Halvings int
	// PushFraction and PushSpeed [m/s] limit how much of a distance below Thickness is made up in one step, and three
	// times them between cloths. All at once it would act like an explosion.
	PushFraction, PushSpeed float64
	// UntangleSpeed is how fast cloths that are crossed are drawn apart [m/s]; 0: not at all. It is one of positions,
	// which velocities do not gain by.
	UntangleSpeed float64
}

// byChange tells whether contacts are solved by the rule of [Otaduy09].
func (o *ContactOptions) byChange() bool { return o.Solver == "relaxation" && o.Relaxation.ByChange }

// ContactSolvers returns the names of the contact solvers, the default first: nodal works on velocities and takes any
// number of contacts; dual works on impulses, is slow, and takes up to 2048; relaxation is that of [Otaduy09];
// staggered projects impulses on normals and on friction in turn [Larionov21], and takes up to 3000 unless its metric
// is the mass.
func ContactSolvers() []string { return solve.Names() }

// RelaxationForm says which form of nested relaxation [Otaduy09] solves contacts. A step in the Pyramid or ByChange is
// Converged if what was asked of it holds; its residual says how far that is from Coulomb's law.
type RelaxationForm = solve.RelaxationForm

// StaggeredOptions are the settings of staggered projections. The zero value answers what the other solvers do.
type StaggeredOptions = solve.StaggeredSettings

// ErrUnsupported means that the contact solver of the options cannot attempt the problem of a step. The error says why.
var ErrUnsupported = solve.ErrUnsupported

// AirOptions describe still or moving air.
type AirOptions struct {
	Density float64 // [kg/m³]; 0 is vacuum
	Wind    r3.Vec  // [m/s]
}

// DefaultOptions returns the settings for cloth on earth in vacuum at steps of a few milliseconds.
func DefaultOptions() Options {
	return Options{
		Gravity: r3.V(0, 0, -9.81),
		Theta:   1,
		Newton:  NewtonOptions{Iterations: 1, Tolerance: 1e-8},
		// A steady 1e-8 m/s of error is 0.6 micrometres a minute.
		Linear: LinearOptions{Method: AutoLinear, Tolerance: 1e-8, MaxIterations: 5000},
		Contact: ContactOptions{
			Thickness:     1e-3,
			Friction:      0.3,
			Self:          true,
			Tolerance:     1e-8,
			Solver:        solve.Names()[0],
			MaxSweeps:     2000,
			Budget:        10_000,
			Prune:         10 * math.Pi / 180,
			Rounds:        8,
			Rough:         0.005, // half of what detection takes for a violation
			Halvings:      2,
			PushFraction:  0.1,
			PushSpeed:     0.1,
			UntangleSpeed: 1,
		},
		MaxHalvings: 6,
	}
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	// faults are gathered
	var faults []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	// the world and its time integration
	check(!math.IsNaN(o.Start-o.Start), "start at %g s is not finite", o.Start)
	check(o.Gravity.Finite(), "gravity %v is not finite", o.Gravity)
	check(o.Theta >= 0.5 && o.Theta <= 1, "theta %g is not between 0.5 and 1", o.Theta)
	// Newton's method and linear systems
	check(o.Newton.Iterations >= 1, "newton iterations %d are fewer than 1", o.Newton.Iterations)
	check(o.Newton.Tolerance > 0, "newton tolerance %g is not positive", o.Newton.Tolerance)
	check(
		o.Linear.Method >= AutoLinear && o.Linear.Method <= Direct,
		"linear method %d does not exist",
		o.Linear.Method,
	)
	check(o.Linear.Tolerance > 0, "linear tolerance %g is not positive", o.Linear.Tolerance)
	check(o.Linear.MaxIterations >= 1, "linear iterations %d are fewer than 1", o.Linear.MaxIterations)
	// contact: friction, solver and rounds
	c := o.Contact
	check(c.Thickness > 0 && !math.IsInf(c.Thickness, 0), "contact thickness %g is not positive", c.Thickness)
	check(c.Friction >= 0 && !math.IsInf(c.Friction, 0), "friction %g is not zero or positive", c.Friction)
	check(c.Tolerance > 0, "contact tolerance %g is not positive", c.Tolerance)
	check(
		c.Solver == "" || slices.Contains(solve.Names(), c.Solver),
		"there is no contact solver %q; there are %s",
		c.Solver,
		strings.Join(solve.Names(), ", "),
	)
	check(c.MaxSweeps >= 1, "contact sweeps %d are fewer than 1", c.MaxSweeps)
	check(c.Budget >= 0, "contact budget %d is negative", c.Budget)
	check(c.Prune >= 0 && c.Prune < math.Pi, "contact pruning %g rad is not between 0 and half a turn", c.Prune)
	check(c.Rounds >= 0, "contact rounds %d are negative", c.Rounds)
	check(c.Rough >= 0 && c.Rough <= 1, "roughness of contact rounds %g is not between 0 and 1", c.Rough)
	check(c.Halvings >= 0 && c.Halvings <= 30, "contact halvings %d are not between 0 and 30", c.Halvings)
	// contact: what lies too deep, and what is tangled
	check(c.PushFraction >= 0 && c.PushFraction <= 1, "push-out fraction %g is not between 0 and 1", c.PushFraction)
	check(c.PushSpeed >= 0 && !math.IsInf(c.PushSpeed, 0), "push-out speed %g is not zero or positive", c.PushSpeed)
	check(
		c.UntangleSpeed >= 0 && !math.IsInf(c.UntangleSpeed, 0),
		"speed of untangling %g is not zero or positive",
		c.UntangleSpeed,
	)
	// air, halvings of steps, and threads
	check(o.Air.Density >= 0 && !math.IsInf(o.Air.Density, 0), "air density %g is not zero or positive", o.Air.Density)
	check(o.Air.Wind.Finite(), "wind %v is not finite", o.Air.Wind)
	check(o.MaxHalvings >= 0 && o.MaxHalvings <= 30, "max halvings %d are not between 0 and 30", o.MaxHalvings)
	check(o.Workers >= 0, "workers %d are negative", o.Workers)
	return errors.Join(faults...)
}
