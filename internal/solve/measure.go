package solve

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Measure computes residuals. It keeps its workspace. The zero Measure is ready.
type Measure struct {
	Team *par.Team

	serial *par.Team
	a      *sparse.BSR
	b      []r3.Vec
	mass   []float64
	fixed  []bool
	set    *contact.Set
	v, r   []r3.Vec
	skip   []bool // contacts to leave out

	partials
	balance []r3.Vec  // A v + b - Jᵀ r
	moved   []r3.Vec  // A v + b, for the v in at
	at      []r3.Vec  // empty where it is not known
	stale   []bool    // rows of moved that are those of another v
	scale   []float64 // s by contact; 0: nothing can move

	rows     func(lo, hi int)
	scales   func(lo, hi int)
	dynamics func(lo, hi int) float64
	measures [4]func(lo, hi int) float64
}

const measureGrain = 256 // rows or contacts

// Of returns the residual of the velocities v and the impulses r by contact. Contacts marked in skip are left out of
// all but Dynamics; it may be nil.
func (m *Measure) Of(p *ContactProblem, v, r []r3.Vec, skip []bool) Residual {
	team := m.begin(p, v, r, skip)
	team.Enter()
	defer team.Leave()
	team.For(p.Set.Len(), measureGrain, m.scales)
	return m.measure(team)
}

// mostStale is the share of rows up to which A v is brought up to date row by row, one after another.
const mostStale = 0.25

// refresh brings balance to A v + b. Only rows are computed that the velocities changed since the last time matter to,
// where these are few.
func (m *Measure) refresh(team *par.Team) {
	if !m.markStale() {
		team.For(m.a.N, measureGrain, m.rows)
		m.moved, m.at = append(m.moved[:0], m.balance...), append(m.at[:0], m.v...)
		return
	}
	for i, stale := range m.stale {
		if stale {
			m.moved[i] = m.a.MulRow(i, m.v).Add(m.b[i])
		}
	}
	copy(m.at, m.v)
	copy(m.balance, m.moved)
}

// markStale marks the rows that velocities changed since the last time matter to, and tells whether these are few.
func (m *Measure) markStale() bool {
	if len(m.at) != m.a.N {
		return false
	}
	m.stale = resized(m.stale, m.a.N)
	clear(m.stale)
	left := int(mostStale * float64(m.a.N))
	for i, v := range m.v {
		if v == m.at[i] {
			continue
		}
		for _, j := range m.a.Col[m.a.Start[i]:m.a.Start[i+1]] {
			if !m.stale[j] {
				m.stale[j] = true
				left--
			}
		}
		if left < 0 {
			return false
		}
	}
	return true
}

// measure is Of after begin, with the scales at hand.
func (m *Measure) measure(team *par.Team) Residual {
	m.refresh(team)
	for c := range m.set.Contacts {
		for _, t := range m.set.Row(c) {
			m.balance[t.Block] = m.balance[t.Block].Sub(t.M.MulVecT(m.r[c]))
		}
	}
	n := m.set.Len()
	return Residual{
		Dynamics: team.Max(m.a.N, m.dynamics),
		Law:      team.Max(n, m.measures[0]), Cone: team.Max(n, m.measures[1]),
		Complementarity: team.Max(n, m.measures[2]), Misalignment: team.Max(n, m.measures[3]),
	}
}

func (m *Measure) begin(p *ContactProblem, v, r []r3.Vec, skip []bool) *par.Team {
	if len(p.Mass) != p.A.N {
		panic(fmt.Sprintf("solve: %d blocks with %d masses", p.A.N, len(p.Mass)))
	}
	if m.rows == nil {
		m.serial = par.New(1)
		m.rows, m.scales, m.dynamics = m.balanceRows, m.scaleContacts, m.dynamicsRows
		for i, f := range [4]func(int) float64{m.law, m.cone, m.complementarity, m.misalignment} {
			m.measures[i] = func(lo, hi int) float64 { return m.largest(lo, hi, f) }
		}
	}
	m.balance, m.at = resized(m.balance, p.A.N), m.at[:0]
	m.scale = resized(m.scale, p.Set.Len())
	m.partials.begin(p.Partly, p.A, p.Fixed)
	m.a, m.b, m.mass, m.fixed, m.set, m.v, m.r, m.skip = p.A, p.B, p.Mass, p.Fixed, p.Set, v, r, skip
	if m.Team == nil {
		return m.serial
	}
	return m.Team
}

func (m *Measure) isFixed(i int) bool { return m.fixed != nil && m.fixed[i] }

func (m *Measure) balanceRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		m.balance[i] = m.a.MulRow(i, m.v).Add(m.b[i])
	}
}

func (m *Measure) dynamicsRows(lo, hi int) float64 {
	worst := 0.0
	for i := lo; i < hi; i++ {
		if k := m.partly(int32(i)); k >= 0 {
			worst = max(worst, m.along(k, m.balance[i]).Norm()/m.mass[i])
		} else if !m.isFixed(i) {
			worst = max(worst, m.balance[i].Norm()/m.mass[i])
		}
	}
	return worst
}

func (m *Measure) scaleContacts(lo, hi int) {
	for c := lo; c < hi; c++ {
		s := 0.0
		for _, t := range m.set.Row(c) {
			if m.isFixed(int(t.Block)) {
				continue
			}
			reach := t.M.Norm2()
			if k := m.partly(t.Block); k >= 0 {
				free := t.M.Mul(&m.list[k].Free)
				reach = free.Norm2()
			}
			s += reach / m.mass[t.Block]
		}
		m.scale[c] = s / m.components(c)
	}
}

// components returns how many components the row of contact c has.
func (m *Measure) components(c int) float64 {
	if m.set.Contacts[c].Law == contact.Coulomb {
		return 3
	}
	count := 0.0
	for _, has := range m.set.Has(c) {
		if has {
			count++
		}
	}
	return max(count, 1)
}

// velocity returns u of contact c.
func (m *Measure) velocity(c int) r3.Vec {
	u := m.set.Contacts[c].Uf
	for i, row := 0, m.set.Row(c); i < len(row); i++ {
		u = u.Add(row[i].M.MulVec(m.v[row[i].Block]))
	}
	return u
}

func (m *Measure) largest(lo, hi int, f func(int) float64) float64 {
	worst := 0.0
	for c := lo; c < hi; c++ {
		if m.scale[c] > 0 && (m.skip == nil || !m.skip[c]) {
			worst = max(worst, f(c))
		}
	}
	return worst
}

func (m *Measure) law(c int) float64 {
	u, r := m.velocity(c), m.r[c]
	if m.bilateral(c) {
		return TieResidual(u, r, m.set.Has(c), m.scale[c])
	}
	return CoulombResidual(u, r, m.set.Contacts[c].Mu, m.scale[c])
}

func (m *Measure) bilateral(c int) bool { return m.set.Contacts[c].Law == contact.Bilateral }

func (m *Measure) cone(c int) float64 {
	if m.bilateral(c) {
		return 0
	}
	r := m.r[c].Scale(m.scale[c])
	return math.Hypot(r.Y, r.Z) - m.set.Contacts[c].Mu*r.X
}

func (m *Measure) complementarity(c int) float64 {
	if m.bilateral(c) {
		return 0
	}
	return math.Abs(min(m.velocity(c).X, m.scale[c]*m.r[c].X))
}

func (m *Measure) misalignment(c int) float64 {
	if m.bilateral(c) {
		return 0
	}
	u, r := m.velocity(c), m.r[c]
	friction := math.Hypot(r.Y, r.Z)
	if friction == 0 {
		return 0
	}
	slip := math.Hypot(u.Y, u.Z)
	if r.Y*u.Y+r.Z*u.Z > 0 {
		return slip // friction that pushes along
	}
	return math.Abs(r.Y*u.Z-r.Z*u.Y) / friction
}
