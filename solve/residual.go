// The shared residual: how far (v, r) is from solving
//
//	A v + b = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ)          [Li18] eq. (5)
//
// in m/s, as a maximum over all nodes and contacts, whatever solver found them:
//
//	Dynamics = max_i ‖(A v + b - Jᵀ r)_i‖ / m_i,      Law = max_c max(‖u' - u‖, s ‖r' - r‖),
//
// (u', r') the nearest pair that obeys the law (coulomb_law.go), s = tr(Σ_i J_ci J_ciᵀ/m_i)/3 what an impulse of
// contact c does to its velocity if its nodes are free masses. The rows of other laws than Coulomb's may have fewer
// than three components, whose number takes the place of the 3.
//
// Parts of the residual by law:
//
//	             Law                              Cone          Complementarity      Misalignment
//	Coulomb      as above                         s(‖r_T‖-μr_N) |min(u_N, s r_N)|    ‖u_T‖ sin∠(r_T, -u_T)
//	normal only  as above with μ = 0              s ‖r_T‖       |min(u_N, s r_N)|    ‖u_T‖ where r_T is not zero
//	bilateral    max(‖u‖, s ‖r‖), u of the        0             0                    0
//	             components that the row has,
//	             r of the others
//
// What it bounds. Without contacts and with A ⪰ M, which projected Hessians ensure, the error of v, in the mean square
// weighed by mass, is at most Dynamics: ‖δ‖_M² ≤ δᵀ A δ = δᵀ g ≤ ‖δ‖_M ‖g‖_M⁻¹. With contacts it is a backward error:
// (v, r') solves a problem whose u_f differ by at most Law and whose loads differ at block i by at most Dynamics + Law
// Σ_c ‖J_ci‖/(m_i s_c) for each unit of mass. Nothing is said of v itself, which need not be unique. Rounding adds what
// Floor returns (rounding.go).
//
// Masses, and not the diagonal of A: ‖g_i‖ 3/tr A_ii, what block i would move by if its neighbours held still, goes to
// zero with the stiffness. A sheet of paper in cells of 2.5 mm then hangs in the air, and zero velocities pass for its
// fall.
//
// N and T are normal and tangential parts. A block that is prescribed in part counts where it is free (partial.go).
//
// Contacts whose blocks all have prescribed velocities cannot be solved for and are left out, as are those marked as
// infeasible.

package solve

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// Residual tells how well a contact problem is solved; all in m/s.
type Residual struct {
	Dynamics        float64 // max ‖(A v + b - Jᵀ r)_i‖/m_i over the free blocks, or their free part
	Law             float64 // the least change of u and of s r after which all contacts obey the law
	Cone            float64 // max s (‖r_T‖ - μ r_N)
	Complementarity float64 // max |min(u_N, s r_N)|
	Misalignment    float64 // max ‖u_T‖ sin∠(r_T, -u_T)
}

// Max returns the residual: the larger of Dynamics and Law.
func (r Residual) Max() float64 {
	if math.IsNaN(r.Dynamics) || math.IsNaN(r.Law) {
		return math.NaN()
	}
	return max(r.Dynamics, r.Law)
}

// Worst returns the largest of all parts. Max being small bounds the others, but not by 1: a solver that promises a
// tolerance for each looks at Worst.
func (r Residual) Worst() float64 {
	return max(r.Max(), r.Cone, r.Complementarity, r.Misalignment) // NaN if one is
}

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

// measure is Of after begin, with the scales at hand.
func (m *Measure) measure(team *par.Team) Residual {
	team.For(m.a.N, measureGrain, m.rows)
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
	m.balance = resized(m.balance, p.A.N)
	m.scale = resized(m.scale, p.Set.Len())
	m.partials.begin(p.Partly, p.A, p.Fixed)
	m.a, m.b, m.mass, m.fixed, m.set, m.v, m.r, m.skip = p.A, p.B, p.Mass, p.Fixed, p.Set, v, r, skip
	if m.Team == nil {
		return m.serial
	}
	return m.Team
}

// resized returns a slice of n elements, the given one if it is long enough. Its contents are whatever they were.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/4)[:n]
	}
	return s[:n]
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
