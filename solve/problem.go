package solve

import (
	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// ContactProblem is one contact problem with all that a solver is given, so that it can be kept in a file
// (docs/problem-file.md), solved again and solved by others. It owns nothing: writing one does not change what its
// fields belong to.
type ContactProblem struct {
	A         *sparse.BSR
	B         []r3.Vec  // by block [N s]
	Mass      []float64 // by block [kg]; residuals are divided by it
	Fixed     []bool    // by block; nil: none
	V         []r3.Vec  // by block: prescribed velocities [m/s]; nil: all zero
	Partly    []Partial // blocks that are prescribed in part
	Set       *contact.Set
	R         []r3.Vec // by contact: the guess of its impulse [N s]; nil: all zero
	Tolerance float64  // to reach in all parts of the residual [m/s]
	Floor     float64  // what rounding leaves of the residual [m/s]: a solver that is there does not try for less, though it has not converged
	// OldScale tells that the problem came from a file without masses, and that Mass is a third of the trace of A_ii
	// instead: its residuals are what a block would move by if its neighbours held still, and small for stiff bodies
	// whatever their velocities are.
	OldScale bool
}

// target returns the residual at which a solver ends.
func (p *ContactProblem) target() float64 { return max(p.Tolerance, p.Floor) }

// ProblemReport says what a contact problem is and how its solution went.
type ProblemReport struct {
	Blocks, Fixed, Partly int
	Entries               int // blocks of A, both triangles
	Contacts, Pairs       int // all, and those between two blocks

	TakeOff, Stick, Slide int // contacts by state; those that are idle are none of them
	Idle, Infeasible      int
	Residual              Residual
	Sweeps, Newton        int
	Linear                int
	Converged             bool
}

// Solve solves the problem with the default settings of Nodal and returns the solution and what to tell about it.
func (p *ContactProblem) Solve(team *par.Team) (*Contacts, ProblemReport) {
	s := DefaultNodal()
	s.Team = team
	out := p.Start()
	s.Solve(p, out)
	return out, p.report(out)
}

// Start returns what a solver is given: prescribed velocities and guessed impulses.
func (p *ContactProblem) Start() *Contacts {
	var out Contacts
	out.Resize(p.A.N, p.Set.Len())
	copy(out.V, p.V)
	copy(out.R, p.R)
	return &out
}

func (p *ContactProblem) report(out *Contacts) ProblemReport {
	r := ProblemReport{
		Blocks:    p.A.N,
		Partly:    len(p.Partly),
		Entries:   len(p.A.Col),
		Contacts:  p.Set.Len(),
		Idle:      out.Idle,
		Residual:  out.Residual,
		Sweeps:    out.Sweeps,
		Newton:    out.Newton,
		Linear:    out.Linear,
		Converged: out.Converged,
	}
	for i := range p.Fixed {
		if p.Fixed[i] {
			r.Fixed++
		}
	}
	for c := range out.State {
		if p.Set.Contacts[c].B != contact.None {
			r.Pairs++
		}
		switch {
		case out.Infeasible[c]:
			r.Infeasible++
		case out.State[c] == Stick:
			r.Stick++
		case out.State[c] == Slide:
			r.Slide++
		default:
			r.TakeOff++
		}
	}
	r.TakeOff -= out.Idle
	return r
}
