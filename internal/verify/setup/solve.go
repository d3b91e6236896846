package setup

import (
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/verify"
)

// Given is the problem as solvers take it.
func Given(p *problems.Problem, tolerance float64) *solve.ContactProblem {
	return &solve.ContactProblem{A: p.A, B: p.B, Mass: p.Mass, Fixed: p.Fixed, Set: &p.Set, Tolerance: tolerance}
}

// SolveNodal solves to 1e-8 m/s.
func SolveNodal(t *verify.Trial, s *solve.Nodal, p *problems.Problem) *solve.Contacts {
	return SolveTo(t, 1e-8, s, p)
}

func SolveTo(t *verify.Trial, tolerance float64, s *solve.Nodal, p *problems.Problem) *solve.Contacts {
	q := Given(p, tolerance)
	out := q.Start()
	s.Solve(q, out)
	return t.Answered(q, out)
}

func SolveDual(t *verify.Trial, p *problems.Problem, tolerance float64, sweeps int) *solve.Contacts {
	q := Given(p, tolerance)
	out := q.Start()
	d := solve.Dual{MaxSweeps: sweeps}
	t.Must(d.Solve(q, out))
	return t.Answered(q, out)
}

// Solved is what the referee may find wrong with a solution to 1e-8 m/s: the solver bounds parts of the law that the
// referee cuts otherwise, by up to √2.
const Solved = 1.5e-8
