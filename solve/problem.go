package solve

import (
	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// ContactProblem is one contact problem with all that a solver is given, so that it can be kept in a file (docs/problem-file.md), solved again
// and solved by others. It owns nothing: writing one does not change what its fields belong to.
type ContactProblem struct {
	A         *sparse.BSR
	B         []r3.Vec // by block [N s]
	Fixed     []bool   // by block; nil: none
	V         []r3.Vec // by block: prescribed velocities [m/s]; nil: all zero
	Guides    []Guide
	Set       *contact.Set
	R         []r3.Vec // by contact: the guess of its impulse [N s]; nil: all zero
	Tolerance float64  // [m/s]
}

// ProblemReport says what a contact problem is and how its solution went.
type ProblemReport struct {
	Blocks, Fixed, Guides int
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
	s.Team, s.Guides, s.Tolerance = team, p.Guides, p.Tolerance
	out := p.Start()
	s.Solve(p.A, p.B, p.Fixed, p.Set, out)
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
		Blocks: p.A.N, Guides: len(p.Guides), Entries: len(p.A.Col), Contacts: p.Set.Len(),
		Idle: out.Idle, Residual: out.Residual, Sweeps: out.Sweeps, Newton: out.Newton, Linear: out.Linear, Converged: out.Converged,
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
