package solve

import (
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// TestSolversKeepNothing: a solver that has solved another problem before solves one as a fresh one does.
func TestSolversKeepNothing(t *testing.T) {
	problem := func(touches bool) *ContactProblem {
		p := given(masses([]float64{1, 1, 0.3}, []r3.Vec{r3.V(0, 0, -1), r3.V(0.3, 0, -1), r3.V(0.1, 0.2, 0.3)}), 1e-9)
		p.Partly = []contact.Partial{contact.Along(0, r3.V(0, 0, 1))}
		e := contact.FrameOf(r3.V(0, 0, 1))
		if touches {
			p.Set.Add(contact.Contact{ID: numbered(0), A: 0, B: contact.None, Frame: e})
		}
		p.Set.Add(contact.Contact{ID: numbered(1), A: 1, B: contact.None, Frame: e, Mu: 0.1})
		return p
	}
	for _, newton := range []int{200, 0} {
		fresh, used := DefaultNodal(), DefaultNodal()
		fresh.MaxNewton, used.MaxNewton = newton, newton
		before := problem(true)
		if err := used.Solve(before, before.Start()); err != nil {
			t.Fatal(err)
		}
		p := problem(false)
		want, got := p.Start(), p.Start()
		if err := fresh.Solve(p, want); err != nil {
			t.Fatal(err)
		}
		if err := used.Solve(p, got); err != nil {
			t.Fatal(err)
		}
		for i := range want.V {
			if want.V[i] != got.V[i] || !want.Converged {
				t.Errorf("%d Newton steps: block %d has %v, and %v by a fresh solver", newton, i, got.V[i], want.V[i])
			}
		}
	}
}

// TestBoundedRowsKeepTheirLaw: walls close on a block, and friction keeps it from slipping out. Their impulses are
// bounded, and those without friction get none.
func TestBoundedRowsKeepTheirLaw(t *testing.T) {
	p := given(masses([]float64{0.1}, []r3.Vec{r3.V(0.5, 0.2, 0)}), 1e-9)
	p.Set.Add(contact.Contact{
		ID: numbered(0), A: 0, B: contact.None, Frame: contact.FrameOf(r3.V(0.1, 0, 1).Unit()), Mu: 0.5, Uf: r3.V(-1, 0, 0),
	})
	p.Set.Add(contact.Contact{
		ID: numbered(1), A: 0, B: contact.None, Frame: contact.FrameOf(r3.V(0, 0.1, -1).Unit()),
		Law: contact.NormalOnly, Uf: r3.V(-1, 0, 0),
	})
	p.Set.Add(contact.Contact{
		ID: numbered(2), A: 0, B: contact.None, Frame: contact.FrameOf(r3.V(-0.1, -0.1, -1).Unit()),
		Law: contact.NormalOnly, Uf: r3.V(-1, 0, 0),
	})
	s, out := DefaultNodal(), p.Start()
	if err := s.Solve(p, out); err != nil {
		t.Fatal(err)
	}
	if !out.Bounded[1] && !out.Bounded[2] || out.Converged {
		t.Fatalf("walls that close hold together: %+v", out)
	}
	for c := 1; c <= 2; c++ {
		if r := out.R[c]; r.Y != 0 || r.Z != 0 {
			t.Errorf("contact %d, which has no friction, has the impulse %v", c, r)
		}
	}
}
