// The shared residual: how far (v, r) is from solving
//
//	A v + b = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ)          [Li18] eq. (5)
//
// in m/s, as a maximum over all nodes and contacts, whatever solver found them.
//
// Symbols: s = tr(Σ_i J_ci D_i J_ciᵀ)/3, D_i = A_ii⁻¹ or that of a guide (guide.go), turns an impulse of contact c into the change of velocity that it would
// make if its nodes were alone; N and T are normal and tangential parts.
//
// Contacts whose blocks all have prescribed velocities cannot be solved for and are left out, as are those marked as
// infeasible.

package solve

import (
	"math"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// Residual tells how well a contact problem is solved; all in m/s.
type Residual struct {
	Dynamics        float64 // max ‖(A v + b - Jᵀ r)_i‖ 3/tr A_ii over the free blocks; for guided ones the part along the axis over aᵀ A_ii a
	Law             float64 // max ‖f_FB(û, s r̂)‖ over the contacts, and slip of those that should stick
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

// Worst returns the largest of all parts. Max being small bounds the others, but not by 1: a solver that promises a tolerance for
// each looks at Worst.
func (r Residual) Worst() float64 {
	return max(r.Max(), r.Cone, r.Complementarity, r.Misalignment) // NaN if one is
}

// Measure computes residuals. It keeps its workspace. The zero Measure is ready.
type Measure struct {
	Guides []Guide // blocks that move along an axis only; nil: none
	Team   *par.Team

	serial *par.Team
	a      *sparse.BSR
	b      []r3.Vec
	fixed  []bool
	set    *contact.Set
	v, r   []r3.Vec
	skip   []bool // contacts to leave out

	rails
	balance []r3.Vec  // A v + b - Jᵀ r
	scale   []float64 // s by contact; 0: nothing can move

	rows     func(lo, hi int)
	scales   func(lo, hi int)
	dynamics func(lo, hi int) float64
	measures [4]func(lo, hi int) float64
}

const measureGrain = 256 // rows or contacts

// Of returns the residual of the velocities v and the impulses r by contact. Contacts marked in skip are left out of all but Dynamics; it may
// be nil.
func (m *Measure) Of(a *sparse.BSR, b []r3.Vec, fixed []bool, set *contact.Set, v, r []r3.Vec, skip []bool) Residual {
	team := m.begin(a, b, fixed, set, v, r, skip)
	team.Enter()
	defer team.Leave()
	team.For(set.Len(), measureGrain, m.scales)
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

func (m *Measure) begin(a *sparse.BSR, b []r3.Vec, fixed []bool, set *contact.Set, v, r []r3.Vec, skip []bool) *par.Team {
	if m.rows == nil {
		m.serial = par.New(1)
		m.rows, m.scales, m.dynamics = m.balanceRows, m.scaleContacts, m.dynamicsRows
		for i, f := range [4]func(int) float64{m.law, m.cone, m.complementarity, m.misalignment} {
			m.measures[i] = func(lo, hi int) float64 { return m.largest(lo, hi, f) }
		}
	}
	m.balance = resized(m.balance, a.N)
	m.scale = resized(m.scale, set.Len())
	m.rails.begin(m.Guides, a, fixed)
	m.a, m.b, m.fixed, m.set, m.v, m.r, m.skip = a, b, fixed, set, v, r, skip
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
		if k := m.guided(int32(i)); k >= 0 {
			worst = max(worst, math.Abs(m.list[k].Axis.Dot(m.balance[i]))/m.inertia[k])
		} else if !m.isFixed(i) {
			worst = max(worst, m.balance[i].Norm()*3/m.a.Val[m.a.Diag[i]].Trace())
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
			inverse := m.mobility(t.Block)
			x, y, z := t.M.MulVecT(r3.V(1, 0, 0)), t.M.MulVecT(r3.V(0, 1, 0)), t.M.MulVecT(r3.V(0, 0, 1))
			s += x.Dot(inverse.MulVec(x)) + y.Dot(inverse.MulVec(y)) + z.Dot(inverse.MulVec(z))
		}
		m.scale[c] = s / 3
	}
}

// mobility returns D of block i, which is not fixed.
func (m *Measure) mobility(i int32) r3.Mat {
	if k := m.guided(i); k >= 0 {
		return m.inverse(k)
	}
	return safeInverse(&m.a.Val[m.a.Diag[i]])
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
	return CoulombResidual(m.velocity(c), m.r[c], m.set.Contacts[c].Mu, m.scale[c])
}

func (m *Measure) cone(c int) float64 {
	r := m.r[c].Scale(m.scale[c])
	return math.Hypot(r.Y, r.Z) - m.set.Contacts[c].Mu*r.X
}

func (m *Measure) complementarity(c int) float64 {
	return math.Abs(min(m.velocity(c).X, m.scale[c]*m.r[c].X))
}

func (m *Measure) misalignment(c int) float64 {
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
