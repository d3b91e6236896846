package solve

import "github.com/toile-sim/toile/internal/contact"

// ProblemReport says what a contact problem is and how its solution went.
type ProblemReport struct {
	Blocks, Fixed, Partly int
	Entries               int // blocks of A, both triangles
	Contacts, Pairs       int // all, and those between two blocks

	TakeOff, Stick, Slide int // contacts by state; those that are idle are none of them
	Idle, Infeasible      int
	Jammed                int // contacts that are bounded and not proven to be infeasible
	Residual              Residual
	Sweeps, Newton        int
	Linear                int
	Converged             bool
	Contradicted          bool // it has, but for contacts that are infeasible
}

// SolveBy solves the problem from its own guess and returns the solution and what to tell about it.
func (p *ContactProblem) SolveBy(s Solver) (*Contacts, ProblemReport, error) {
	out := p.Start()
	if err := s.Solve(p, out); err != nil {
		return nil, ProblemReport{}, err
	}
	return out, p.report(out), nil
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

		Contradicted: out.Contradicted,
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
		case out.Bounded[c]:
			r.Jammed++
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
