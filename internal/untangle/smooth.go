package untangle

// The smallest smooth displacement that meets conditions.
//
// With d the displacement of vertices, E the edges and C the conditions, the solver minimizes
//
//	½ Σ_E |d_i − d_j|² + ½ ε Σ |d_i|² + ½ κ Σ_C max(0, target − gap − n·Σ w d)²
//
// by Newton's method: conditions that are not met are active, conjugate gradients solve the linear system,
// preconditioned by its diagonal blocks, and the active ones are looked at again. The first term keeps the shape of
// sheets: neighbours move alike. The second confines the move to about 1/√ε edges around. The penalty leaves the share
// of about 1/κ of a condition unmet, which the next round of detection makes up for.
//
// Matrices are never formed: a product is a loop over conditions and one over vertices, each of which writes only
// what belongs to its index.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	confine      = 0.01 // ε: moves fade over ten edges
	penalty      = 100  // κ
	activePasses = 3
	cgIterations = 100
	cgTolerance  = 1e-2 // of the residual at the start; what is missed is made up for in the next round
)

// smoother solves for displacements.
type smoother struct {
	team    *par.Team
	n       int // vertices that may move
	fixed   []bool
	around  *lists.Lists
	rows    []row
	spare   []int32     // buffer of active
	active  []int32     // the rows that are not met
	pull    []float64   // by active row: κ n·Σ w p of the product under way
	at      lists.Lists // by vertex: its active rows, as 4 place in active + place in the row
	d       []r3.Vec
	r, z, p []r3.Vec
	q       []r3.Vec
	force   []r3.Vec // on vertices, or nil
	inverse []r3.Mat // of the diagonal blocks
}

func newSmoother(s *scene) *smoother {
	n := s.moving
	make3 := func() []r3.Vec { return make([]r3.Vec, n) }
	return &smoother{
		team: s.team, n: n, fixed: s.fixed, around: &s.around,
		d: make3(), r: make3(), z: make3(), p: make3(), q: make3(), inverse: make([]r3.Mat, n),
	}
}

// solve returns the displacements that meet the rows, as a view.
func (m *smoother) solve(rows []row) []r3.Vec {
	m.rows = rows
	clear(m.d)
	m.active = m.active[:0]
	for range activePasses {
		if !m.activate() {
			break
		}
		m.index()
		m.conjugate()
	}
	return m.d
}

// follow returns the displacements that forces cause against the first two terms alone, as a view.
func (m *smoother) follow(force []r3.Vec) []r3.Vec {
	m.rows, m.active, m.force = nil, m.active[:0], force
	clear(m.d)
	m.index()
	m.conjugate()
	m.force = nil
	return m.d
}

// activate finds the rows that are not met by d, and reports whether they are others than before.
func (m *smoother) activate() bool {
	was, now := m.active, m.spare[:0]
	for i := range m.rows {
		if c := &m.rows[i]; c.gap+m.along(c, m.d) < c.target {
			now = append(now, int32(i))
		}
	}
	m.active, m.spare = now, was
	return !slices.Equal(was, now)
}

// along returns n·Σ w d.
func (m *smoother) along(c *row, d []r3.Vec) float64 {
	var sum r3.Vec
	for k, v := range c.v {
		if c.w[k] != 0 && int(v) < m.n && !m.fixed[v] {
			sum = sum.AddScaled(c.w[k], d[v])
		}
	}
	return c.n.Dot(sum)
}

// index lists the active rows at each vertex.
func (m *smoother) index() {
	m.pull = slices.Grow(m.pull[:0], len(m.active))[:len(m.active)]
	m.at.Fill(m.n, func(put func(index, item int32)) {
		for i, r := range m.active {
			for k, v := range m.rows[r].v {
				if m.rows[r].w[k] != 0 && int(v) < m.n && !m.fixed[v] {
					put(v, int32(4*i+k))
				}
			}
		}
	})
}

// conjugate solves the linear system of the active rows for d, beginning with d as it is.
func (m *smoother) conjugate() {
	// residual, and the first direction
	m.diagonal()
	m.product(m.d, m.q)
	m.team.For(m.n, 512, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			m.r[v] = m.load(int32(v)).Sub(m.q[v])
			if m.fixed[v] {
				m.r[v] = r3.Vec{}
			}
			m.z[v] = m.inverse[v].MulVec(m.r[v])
			m.p[v] = m.z[v]
		}
	})
	// until the residual is small enough, or only rounding is left
	rz := m.dot(m.r, m.z)
	enough := rz * cgTolerance * cgTolerance
	for range cgIterations {
		if !(rz > enough) || rz < math.SmallestNonzeroFloat64/cgTolerance {
			return
		}
		// length of the step
		m.product(m.p, m.q)
		alpha := rz / m.dot(m.p, m.q)
		if !(alpha > 0) || math.IsInf(alpha, 1) {
			return
		}
		// solution and residual after the step
		m.team.For(m.n, 512, func(lo, hi int) {
			for v := lo; v < hi; v++ {
				m.d[v] = m.d[v].AddScaled(alpha, m.p[v])
				m.r[v] = m.r[v].AddScaled(-alpha, m.q[v])
				m.z[v] = m.inverse[v].MulVec(m.r[v])
			}
		})
		// next direction
		last := rz
		rz = m.dot(m.r, m.z)
		beta := rz / last
		m.team.For(m.n, 512, func(lo, hi int) {
			for v := lo; v < hi; v++ {
				m.p[v] = m.z[v].AddScaled(beta, m.p[v])
			}
		})
	}
}

func (m *smoother) dot(a, b []r3.Vec) float64 {
	return m.team.Sum(m.n, func(lo, hi int) float64 {
		sum := 0.0
		for v := lo; v < hi; v++ {
			sum += a[v].Dot(b[v])
		}
		return sum
	})
}

// load returns what vertex v is pulled with.
func (m *smoother) load(v int32) r3.Vec {
	var sum r3.Vec
	if m.force != nil {
		sum = m.force[v]
	}
	for _, at := range m.at.Of(v) {
		c := &m.rows[m.active[at/4]]
		sum = sum.AddScaled(penalty*c.w[at%4]*(c.target-c.gap), c.n)
	}
	return sum
}

// product sets out to the matrix times d.
func (m *smoother) product(d, out []r3.Vec) {
	m.team.For(len(m.active), 512, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m.pull[i] = penalty * m.along(&m.rows[m.active[i]], d)
		}
	})
	m.team.For(m.n, 512, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			out[v] = r3.Vec{}
			if m.fixed[v] {
				continue
			}
			near := m.around.Of(int32(v))
			sum := d[v].Scale(confine + float64(len(near)))
			for _, u := range near {
				sum = sum.Sub(d[u])
			}
			for _, at := range m.at.Of(int32(v)) {
				c := &m.rows[m.active[at/4]]
				sum = sum.AddScaled(m.pull[at/4]*c.w[at%4], c.n)
			}
			out[v] = sum
		}
	})
}

// diagonal sets inverse to the inverses of the matrix's diagonal blocks.
func (m *smoother) diagonal() {
	m.team.For(m.n, 512, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			d := r3.Diagonal(confine + float64(len(m.around.Of(int32(v)))))
			for _, at := range m.at.Of(int32(v)) {
				c := &m.rows[m.active[at/4]]
				d.AddOuter(penalty*c.w[at%4]*c.w[at%4], c.n, c.n)
			}
			m.inverse[v], _ = d.Inverse()
		}
	})
}
