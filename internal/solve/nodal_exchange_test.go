package solve

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
)

// overTold are sheets of n x n nodes that slide over each other on a floor, node over node, with a contact more at the
// middle of each edge along x and y. That says what the contacts at its ends do, but for its gap: normals are of rank 3
// n².
func overTold(n int, mu float64, seed uint64) *problems.Problem {
	const layers, h = 3, 2e-3
	rng := rand.New(rand.NewPCG(seed, 5))
	p := problems.InLayers(n, layers, 400, mu, true)
	for c := range p.Set.Contacts {
		p.Set.Contacts[c].Uf.X += 1e-6 / h * rng.NormFloat64()
	}
	middle := func(a, next int32) {
		b := a - int32(n*n)
		k := contact.Contact{
			ID: contact.ID{A: contact.Feature{Kind: contact.Edge, ID: int64(a)}, B: contact.Feature{ID: int64(b + next)}},
			A:  a, B: b, Frame: contact.FrameOf(r3.V(0, 0, 1)), Mu: mu,
			Uf: r3.V(1e-6/h*rng.NormFloat64(), 0, 0), Gap: problems.Thickness,
		}
		p.Set.AddWeighted(k, contact.Weight{Block: a, W: 0.5}, contact.Weight{Block: a + next, W: 0.5},
			contact.Weight{Block: b, W: -0.5}, contact.Weight{Block: b + next, W: -0.5})
	}
	for layer := 1; layer < layers; layer++ {
		for j := range n {
			for i := range n {
				a := int32((layer*n+j)*n + i)
				if i+1 < n {
					middle(a, 1)
				}
				if j+1 < n {
					middle(a, int32(n))
				}
			}
		}
	}
	return p
}

// Oracle: the referee's residual, from v and r alone. Without exchanges it took 76 to 105 steps, and in three of nine
// contacts were called infeasible that are not.
func TestOverToldLayers(t *testing.T) {
	n := side(13)
	for _, mu := range []float64{0, 0.1, 0.5} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%g/%d", mu, seed), func(t *testing.T) {
				p := overTold(n, mu, seed)
				s := DefaultNodal()
				out := solveNodal(&s, p)
				breach := referee.Judge(problems.Plain(p.A, p.B, p.Mass, p.Fixed, &p.Set, nil), out.V, out.R)
				t.Logf("%d contacts: %.1e after %d sweeps and %d steps", p.Set.Len(), breach.Worst(), out.Sweeps, out.Newton)
				if !out.Converged || !(breach.Worst() <= 1.01e-8) || out.Newton > 60 {
					t.Errorf("%+v after %d sweeps and %d steps", breach, out.Sweeps, out.Newton)
				}
				for c := range out.Infeasible {
					if out.Infeasible[c] {
						t.Fatalf("contact %d is called infeasible, though all can hold", c)
					}
				}
			})
		}
	}
}

// analysed returns the parts of a solver that has begun with a problem.
func analysed(p *problems.Problem) (*Nodal, *normals) {
	s := DefaultNodal()
	q := given(p, 1e-8)
	s.prepare(s.begin(q, q.Start()))
	return &s, s.exchange.normals
}

// Oracle: how many of the normals are independent is known by construction, and those that depend on the basis are what
// the shares say.
func TestBasisOfNormals(t *testing.T) {
	p := overTold(5, 0.3, 1)
	_, n := analysed(p)
	if !n.begin() {
		t.Fatal("too large")
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for c := range n.in {
		n.in[c] = rng.IntN(2) == 0
	}
	n.factor()
	for _, c := range rng.Perm(p.Set.Len()) {
		if !n.in[c] {
			n.enter(int32(c))
		}
	}
	n.factor()
	count := 0
	for c := range n.in {
		if n.in[c] {
			count++
			continue
		}
		entered, depends := n.enter(int32(c))
		if entered || !depends {
			t.Fatalf("contact %d is not of the basis and does not depend on it", c)
		}
		n.shares()
		off := make([]r3.Vec, p.A.N)
		add := func(c int, by float64) {
			for _, term := range p.Set.Row(c) {
				off[term.Block] = off[term.Block].AddScaled(by, normalOf(&term.M))
			}
		}
		add(c, 1)
		for k, d := range n.order {
			add(int(d), -n.column[k])
		}
		for i := range off {
			if off[i].Norm() > 1e-9 {
				t.Fatalf("block %d feels %v of contact %d and its shares", i, off[i], c)
			}
		}
	}
	if want := 3 * 5 * 5; count != want {
		t.Errorf("a basis of %d, want %d", count, want)
	}
}

// The result is the same for any number of workers, and when the workspace is used again.
func TestExchangeIsDeterministic(t *testing.T) {
	p := overTold(side(13), 0.4, 7)
	s := DefaultNodal()
	first := solveNodal(&s, p)
	solveNodal(&s, overTold(6, 0.1, 2))
	s.Team = par.New(3)
	again := solveNodal(&s, p)
	for i := range first.V {
		if first.V[i] != again.V[i] {
			t.Fatalf("block %d: %v and %v", i, first.V[i], again.V[i])
		}
	}
	for c := range first.R {
		if first.R[c] != again.R[c] {
			t.Fatalf("contact %d: %v and %v", c, first.R[c], again.R[c])
		}
	}
}

func TestExchangeAllocatesNothing(t *testing.T) {
	p := overTold(7, 0.4, 3)
	s := DefaultNodal()
	q := given(p, 1e-8)
	out := q.Start()
	if n := testing.AllocsPerRun(2, func() {
		out.Resize(p.A.N, p.Set.Len())
		clear(out.V)
		s.Solve(q, out)
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
