package solve

import (
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// chained returns a chain of blocks that start at rest and fall, each tied to the next and the first to the world, the
// last of a given mass.
func chained(blocks int, last float64) *ContactProblem {
	a := sparse.NewBSR(blocks, nil)
	p := &ContactProblem{A: a, Set: new(contact.Set), Tolerance: 1e-9}
	for i := range blocks {
		mass := 1.0
		if i == blocks-1 {
			mass = last
		}
		a.Val[a.Diag[i]] = r3.Diagonal(mass)
		p.B, p.Mass = append(p.B, r3.V(0, 0, mass*0.1)), append(p.Mass, mass)
		tie := contact.Contact{Law: contact.Bilateral, A: int32(i), B: contact.None, Frame: r3.Identity()}
		terms := []contact.Term{{Block: int32(i), W: 1, M: r3.Identity()}}
		if i > 0 {
			terms = append(terms, contact.Term{Block: int32(i - 1), W: -1, M: r3.Diagonal(-1)})
		}
		p.Set.AddRow(tie, terms...)
	}
	return p
}

// A chain is solved at once, whatever its masses are; its first tie carries all. One with a tie twice is solved too.
func TestTiesAlone(t *testing.T) {
	for _, last := range []float64{1, 1e3, 1e6, 1e-6} {
		p := chained(100, last)
		solver := DefaultNodal()
		out := p.Start()
		if err := solver.Solve(p, out); err != nil {
			t.Fatal(err)
		}
		weight := 0.1 * (99 + last)
		if d := out.R[0].Sub(r3.V(0, 0, weight)).Norm(); !out.Converged || d > 1e-10*weight || out.Sweeps > 0 {
			t.Errorf("last of %g kg: %g N s too much at the first tie, %d sweeps, residual %+v", last, d, out.Sweeps, out.Residual)
		}
	}
	p := chained(3, 1)
	p.Set.AddRow(p.Set.Contacts[0], p.Set.Row(0)...)
	solver := DefaultNodal()
	out := p.Start()
	if err := solver.Solve(p, out); err != nil || !out.Converged {
		t.Errorf("a tie that is there twice: %v, residual %+v", err, out.Residual)
	}
}
