package problems

import (
	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// Plain is a contact problem as the referee takes it. Contacts marked in void are not asked for; it may be nil, and so
// may fixed.
func Plain(a *sparse.BSR, b []r3.Vec, mass []float64, fixed []bool, set *contact.Set, void []bool) *referee.Problem {
	p := &referee.Problem{Mass: mass, B: b, Held: make([]bool, a.N)}
	copy(p.Held, fixed)
	for i := range a.N {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			p.Entries = append(p.Entries, referee.Entry{Row: int32(i), Column: a.Col[k], M: a.Val[k]})
		}
	}
	for c := range set.Contacts {
		from := &set.Contacts[c]
		k := referee.Contact{
			Offset: from.Uf, Mu: from.Mu, Tied: from.Law == contact.Bilateral, Void: void != nil && void[c],
		}
		for _, t := range set.Row(c) {
			k.Row = append(k.Row, referee.Term{Block: t.Block, M: t.M})
		}
		p.Contacts = append(p.Contacts, k)
	}
	return p
}
