// The waist between bodies and solvers: what a contact solver is given, what it returns, and what it is.

package solve

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Solver solves contact problems. It keeps its workspace between problems, and nothing that the next solution depends
// on but what a problem says to be the same Again.
type Solver interface {
	// Supports says why a problem cannot be attempted, by an error that is ErrUnsupported, or returns nil.
	Supports(p *ContactProblem) error
	// Solve finds v and r, beginning with Supports. It starts from out, which may share V and R with p, and writes all
	// of it but prescribed velocities: R is exactly zero where the state is TakeOff or nothing can move. It fails only
	// where nothing can be attempted; a residual above tolerance is in the result.
	Solve(p *ContactProblem, out *Contacts) error
}

// ErrUnsupported means that a contact problem is not one that the solver can do.
var ErrUnsupported = errors.New("the contact solver cannot solve this")

// ContactProblem is one contact problem with all that a solver is given, so that it can be kept in a file
// (docs/problem-file.md), solved again and solved by others. It owns nothing: writing one does not change what its
// fields belong to. Files hold all but Budget, Again, Trial, Earlier, V0, H, Past and Equations.
type ContactProblem struct {
	A *sparse.BSR
	B []r3.Vec // by block [N s]
	// Mass is by block [kg]; residuals are divided by it. Of a block that is not a velocity but a spin times a length
	// ρ, which makes it one [m/s], it is the smallest eigenvalue of the inertia over ρ²: with A ⪰ M residuals then
	// stay bounds (residual.go).
	Mass      []float64
	Fixed     []bool            // by block; nil: none
	V         []r3.Vec          // by block: prescribed velocities [m/s]; nil: all zero
	Partly    []contact.Partial // blocks that are prescribed in part, ascending
	Set       *contact.Set
	R         []r3.Vec // by contact: the guess of its impulse [N s]; nil: all zero
	Tolerance float64  // to reach in all parts of the residual [m/s]
	// Floor is what rounding leaves of the residual [m/s]: a solver that is there does not try for less, though it has
	// not converged.
	Floor float64
	// Budget is how many Newton steps Nodal may take; 0: as many as it wants. It ends soon after, with the best that it
	// has found.
	Budget int
	// Again tells that A, Fixed and Partly are to the bit those of the problem that the solver was given before.
	Again bool
	// Trial says that A may be indefinite, and the problem have no solution: Nodal then tries nothing that is slow.
	Trial   bool
	Earlier Round
	// OldScale tells that the problem came from a file without masses, and that Mass is a third of the trace of A_ii
	// instead: its residuals are what a block would move by if its neighbours held still, and small for stiff bodies
	// whatever their velocities are.
	OldScale bool

	V0   []r3.Vec // by block: the velocity at the start of the step [m/s]; nil: not known
	H    float64  // length of the step [s]; 0: not known
	Past Past
	// Equations are those that A and B are linear near the start of the step, for solvers that linearize them anew.
	// They are nil where the problem is linear.
	Equations Equations
}

// Round is what an earlier round of the same step has told. Rounds add contacts and ask more of them, so that what
// could not hold together then cannot now; a solver checks that.
type Round struct {
	Stalled   bool     // sets of contacts did not settle
	Unsettled uint8    // Contacts.Unsettled
	Bounded   []bool   // by contact of the problem: Contacts.Bounded; nil: none
	Proof     []r3.Vec // by contact of the problem: Contacts.Proof; nil: none
}

// Past is what the step before ended with, as it was; R of a problem is what Carry made of it.
type Past struct {
	Set *contact.Set // nil: there was none
	R   []r3.Vec     // by contact: its impulse [N s]
	H   float64      // length of that step [s]
	// Unsettled is Contacts.Unsettled of its last problem.
	Unsettled uint8
}

// Equations are a nonlinear balance of momentum g(v) [N s] by block.
type Equations interface {
	// Linearize returns A and b with g(w) ≈ A w + b near v, and near the state at the start of the step for a nil v.
	// Both belong to the Equations and are valid until its next call.
	Linearize(v []r3.Vec) (A *sparse.BSR, b []r3.Vec)
	// Balance writes g(v) to out.
	Balance(v, out []r3.Vec)
	// Limit returns how much of the change dv may be made to v, in (0, 1].
	Limit(v, dv []r3.Vec) float64
}

// target returns the residual at which a solver ends.
func (p *ContactProblem) target() float64 { return max(p.Tolerance, p.Floor) }

// validate says which of the parts of a problem do not fit each other.
func (p *ContactProblem) validate() error {
	n, c := p.A.N, p.Set.Len()
	if len(p.B) == n && len(p.Mass) == n && (p.Fixed == nil || len(p.Fixed) == n) &&
		(p.V == nil || len(p.V) == n) && (p.R == nil || len(p.R) == c) {
		return nil
	}
	return fmt.Errorf("%d rows and %d contacts, but b has %d, mass %d, fixed %d, v %d and r %d entries",
		n, c, len(p.B), len(p.Mass), len(p.Fixed), len(p.V), len(p.R))
}

// Start returns what a solver is given: prescribed velocities and guessed impulses.
func (p *ContactProblem) Start() *Contacts {
	var out Contacts
	out.Resize(p.A.N, p.Set.Len())
	copy(out.V, p.V)
	copy(out.R, p.R)
	return &out
}

// Contacts is the solution of a contact problem.
type Contacts struct {
	// V is by block. In: prescribed velocities and a guess of the others, such as those before the step; out: all
	// velocities [m/s].
	V []r3.Vec
	// R is by contact. In: a guess, such as the last step's, or zero; out: the impulse in the contact's frame [N s].
	R     []r3.Vec
	U     []r3.Vec // by contact: relative velocity in the contact's frame [m/s]
	State []State  // by contact

	// Bounded is by contact: its impulse grew without bound while it stayed violated, and was bounded and held, for the
	// others to be solved. Infeasible are those of them that are proven not to hold together, by Proof: they are not in
	// the residual. The others are, and may be jammed by friction, or be what the solver did not solve.
	Bounded, Infeasible []bool
	// Proof is by contact: multipliers that prove that those with one contradict each other (contradiction.go). All are
	// zero where nothing is infeasible.
	Proof []r3.Vec
	Idle  int // contacts between blocks with prescribed velocities only; they have no impulse

	Residual Residual
	// Elsewhere is the residual without all contacts that are bounded.
	Elsewhere Residual
	Sweeps    int
	Newton    int
	Linear    int // iterations of the linear solver, all Newton steps together
	// Converged reports whether the tolerance was reached, at all contacts: where some are infeasible, it is not.
	Converged bool
	// Contradicted reports whether contacts are infeasible, and all else has reached the tolerance.
	Contradicted bool
	// Settled tells that a solver that does not aim for a small residual, Staggered with the mass as its metric, has
	// ended by its own rule.
	Settled bool
	// Stalled tells that sets of contacts did not settle, so that the solver had to fall back on something slower.
	Stalled bool
	// Unsettled counts the problems in a row up to this one, of this step and those before, in which sets of contacts
	// did not settle or were not tried.
	Unsettled uint8
}

// Resize gives the slices the lengths of a problem of n blocks and the given number of contacts; impulses are cleared.
func (c *Contacts) Resize(n, contacts int) {
	c.V, c.R, c.U = resized(c.V, n), resized(c.R, contacts), resized(c.U, contacts)
	c.State, c.Infeasible = resized(c.State, contacts), resized(c.Infeasible, contacts)
	c.Bounded, c.Proof = resized(c.Bounded, contacts), resized(c.Proof, contacts)
	clear(c.R)
	c.Settled, c.Stalled, c.Contradicted, c.Unsettled = false, false, false, 0
}
