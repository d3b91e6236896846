package problems

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Plain is a contact problem as the referee takes it. Contacts marked in void are not asked for; it may be nil, and so
// may fixed.
func Plain(a *sparse.BSR, b []r3.Vec, mass []float64, fixed []bool, set *contact.Set, void []bool) *referee.Problem {
	p := new(referee.Problem)
	Fill(p, a, b, mass, fixed, set, void)
	return p
}

// Fill writes what Plain returns into p, in the memory that p has, and leaves its rails.
func Fill(p *referee.Problem, a *sparse.BSR, b []r3.Vec, mass []float64, fixed []bool, set *contact.Set, void []bool) {
	p.Mass, p.B, p.Held = mass, b, append(p.Held[:0], make([]bool, a.N)...)
	copy(p.Held, fixed)
	p.Entries = p.Entries[:0]
	for i := range a.N {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			p.Entries = append(p.Entries, referee.Entry{Row: int32(i), Column: a.Col[k], M: a.Val[k]})
		}
	}
	p.Contacts = slices.Grow(p.Contacts[:0], set.Len())[:set.Len()]
	for c := range set.Contacts {
		from, k := &set.Contacts[c], &p.Contacts[c]
		k.Offset, k.Mu, k.Tied, k.Void = from.Uf, from.Mu, from.Law == contact.Bilateral, void != nil && void[c]
		k.Row = k.Row[:0]
		for _, t := range set.Row(c) {
			k.Row = append(k.Row, referee.Term{Block: t.Block, M: t.M})
		}
	}
}
