// Anderson's acceleration of nested relaxation.
//
// An iteration of relaxation.go is a map F of x = (v, r). Of the last few x and f = F(x) - x those combinations, with
// weights that add up to one, are taken whose f is least; the next x is the same combination of the F(x) [Walker11].
// Squares are weighed by the masses of blocks and the scales s of contacts, which makes both of them energies. As long
// as no contact changes its state F is all but linear, and this is a Krylov method; where one does, f may grow, and
// mixing starts anew.

package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// mixGrowth is how much larger f may become from one iteration to the next before mixing starts anew.
const mixGrowth = 2

// mixing accelerates x ← F(x). Entries of vectors are those of blocks and then those of contacts.
type mixing struct {
	*system
	x, f   []r3.Vec                // of the last iteration
	df, dg [andersonDepth][]r3.Vec // differences of f and of F(x) from one iteration to the next
	gram   products
	share  [andersonDepth]float64 // of dg that is taken away

	count, next int     // how many differences there are, and which is to be replaced
	known       bool    // there was an iteration before
	size        float64 // of f

	one, other           []r3.Vec
	product              func(lo, hi int) float64
	noteAll, differences func(lo, hi int)
	combine              func(lo, hi int)
}

func newMixing(s *system) mixing { return mixing{system: s} }

// begin prepares for the problem at hand.
func (m *mixing) begin() {
	if m.product == nil {
		m.product, m.noteAll, m.differences, m.combine = m.multiply, m.noteRows, m.differ, m.combineRows
	}
	n := m.a.N + m.set.Len()
	m.x, m.f = resized(m.x, n), resized(m.f, n)
	for k := range andersonDepth {
		m.df[k], m.dg[k] = resized(m.df[k], n), resized(m.dg[k], n)
	}
	m.restart()
}

func (m *mixing) restart() { m.count, m.next, m.known = 0, 0, false }

// entry returns where entry i of x is.
func (m *mixing) entry(i int) *r3.Vec {
	if i < m.a.N {
		return &m.out.V[i]
	}
	return &m.out.R[i-m.a.N]
}

// note takes note of x, before an iteration. F of the x before waits in the place of the next difference.
func (m *mixing) note(team *par.Team) { team.For(len(m.x), measureGrain, m.noteAll) }

func (m *mixing) noteRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		if m.known {
			m.dg[m.next][i] = m.x[i].Add(m.f[i])
		}
		m.x[i] = *m.entry(i)
	}
}

// mix replaces F(x) by the combination, after an iteration.
func (m *mixing) mix(team *par.Team) {
	team.For(len(m.x), measureGrain, m.differences)
	before := m.size
	m.size = math.Sqrt(m.dot(team, m.f, m.f))
	switch {
	case !m.known:
		m.known = true
	case !(m.size < mixGrowth*before):
		m.restart()
	default:
		m.add(team)
		if !m.weigh(team) {
			m.restart()
			return
		}
		team.For(len(m.x), measureGrain, m.combine)
	}
}

// differ finds f, and the differences from the iteration before.
func (m *mixing) differ(lo, hi int) {
	df, dg := m.df[m.next], m.dg[m.next]
	for i := lo; i < hi; i++ {
		to := *m.entry(i)
		f := to.Sub(m.x[i])
		if m.known {
			df[i], dg[i] = f.Sub(m.f[i]), to.Sub(dg[i])
		}
		m.f[i] = f
	}
}

// add takes the newest differences among the others.
func (m *mixing) add(team *par.Team) {
	at := m.next
	m.count, m.next = min(m.count+1, andersonDepth), (at+1)%andersonDepth
	for k := range m.count {
		m.gram[at][k] = m.dot(team, m.df[at], m.df[k])
		m.gram[k][at] = m.gram[at][k]
	}
}

// weigh finds the shares for which f - Σ share df is least. It fails if the differences are no numbers.
func (m *mixing) weigh(team *par.Team) bool {
	for k := range m.count {
		m.share[k] = m.dot(team, m.df[k], m.f)
	}
	return m.gram.solve(m.share[:m.count])
}

func (m *mixing) combineRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		x := m.entry(i)
		for k := range m.count {
			*x = x.AddScaled(-m.share[k], m.dg[k][i])
		}
	}
}

func (m *mixing) dot(team *par.Team, a, b []r3.Vec) float64 {
	m.one, m.other = a, b
	return team.Sum(len(a), m.product)
}

func (m *mixing) multiply(lo, hi int) float64 {
	n, sum := m.a.N, 0.0
	for i := lo; i < hi; i++ {
		weight := 0.0
		if i < n {
			weight = m.given.Mass[i]
		} else {
			weight = m.measure.scale[i-n]
		}
		sum += weight * m.one[i].Dot(m.other[i])
	}
	return sum
}
