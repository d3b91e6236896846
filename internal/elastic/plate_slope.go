package elastic

import (
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Slopes across edges, from positions of nearby vertices.
//
// For an edge of length l, with coordinates u along it and y across it in the unfolded material
// (origin in its middle, unit l), the slope is a sum g = Σ_k g_k w(k) over vertices k that equals
// ∂w/∂y in the middle of the edge for every quadratic polynomial w. It starts from the mean slope of
// the two triangles, g⁰, which is exact for linear w only (and for quadratic w if the two form a
// parallelogram; then it is kept). Otherwise the correction δ of least Σ_k δ_k²/ω_k is added that
// makes it exact:
//
//	δ = Ω Q G⁻¹ r,   G = Qᵀ Ω Q,   r_j = 0 - Σ_k g⁰_k q_j(k)
//
// with Ω = diag ω, ω = (0.3 + distance)⁻², and Q the three quadratic monomials q_j at the vertices,
// made Ω-orthogonal to the linear ones. For ω, Q and r coordinates are stretched so that the second
// moments of the vertices of the two triangles are those of a circle; without that, long triangles
// would see quadratics badly. Vertices are those of the two triangles and of
// their neighbours; if some quadratic is not seen well by them (G nearly singular), one ring more.
// A mesh so small that there are no more vertices keeps the part of the correction that can be
// determined.

// slope is the functional of one edge: the derivative outwards from the first triangle of the edge.
type slope struct {
	node  []int32
	value []float64 // [1/m]
}

const (
	// parallelogram is the residual on quadratics below which the mean slope of two triangles is
	// taken as it is; it bounds the relative error of curvature that this leaves.
	parallelogram = 1e-6
	// wellSeen is the least eigenvalue of G for which no more vertices are asked for: corrections
	// stay within some ten times the residual.
	wellSeen = 4e-3
	// unseen is the eigenvalue of G below which a combination of quadratics is left uncorrected.
	unseen = 1e-4
	// rounding is the coefficient of a vertex below which it is left out, relative to the largest.
	rounding = 1e-14
)

// slopeMaker computes slopes and keeps scratch space between edges.
type slopeMaker struct {
	mesh  *mesh.Mesh
	patch mesh.Patch
	local []r3.Vec2  // vertices of the patch in coordinates of the edge, in units of its length
	round [3]float64 // lower triangle (uu, yu, yy) of the stretch that makes the hinge round
	omega []float64
	value []float64
	fn    [6][]float64 // 1, u, y and the three quadratics at the vertices
}

// at computes the slope of edge e into s.
func (m *slopeMaker) at(e int32, s *slope) {
	// the edge among the triangles around it
	d := &m.mesh.Edges[e]
	m.patch.Start(m.mesh, d.Tri[0])
	k := d.Opp[0]
	flat := m.patch.At
	from, to, apex := flat[(k+1)%3], flat[(k+2)%3], flat[k]
	length := to.Sub(from).Norm()
	// vertices of the two triangles at it
	hinge := 3
	if m.patch.Cross(0, k) {
		hinge = len(m.patch.Vert)
	}
	// the mean slope of these
	m.locate(from, to, apex)
	m.value = append(m.value[:0], make([]float64, hinge)...)
	m.addMean(d)
	m.makeRound()
	// corrected, unless it is exact for quadratics
	size := 0.0
	for _, g := range m.value {
		size = max(size, math.Abs(g))
	}
	if r := m.residual(); max(math.Abs(r[0]), math.Abs(r[1]), math.Abs(r[2])) > parallelogram*size {
		m.correct(r, from, to, apex, d.Boundary())
	}
	// coefficients that are more than rounding
	s.node, s.value = s.node[:0], s.value[:0]
	for i, g := range m.value {
		if i < hinge || math.Abs(g) > rounding*size {
			s.node = append(s.node, m.patch.Vert[i])
			s.value = append(s.value, g/length)
		}
	}
}

// locate writes the coordinates of all vertices of the patch relative to the edge.
func (m *slopeMaker) locate(from, to, apex r3.Vec2) {
	along := to.Sub(from)
	length := along.Norm()
	along = along.Scale(1 / length)
	out := r3.Vec2{X: -along.Y, Y: along.X}
	if out.Dot(apex.Sub(from)) > 0 {
		out = out.Scale(-1)
	}
	mid := from.Add(to).Scale(0.5)
	m.local = m.local[:0]
	for _, p := range m.patch.At {
		d := p.Sub(mid)
		m.local = append(m.local, r3.Vec2{X: along.Dot(d) / length, Y: out.Dot(d) / length})
	}
}

// makeRound finds the stretch from the vertices that are in the patch.
func (m *slopeMaker) makeRound() {
	var uu, uy, yy float64
	for _, p := range m.local {
		uu += p.X * p.X
		uy += p.X * p.Y
		yy += p.Y * p.Y
	}
	// The inverse of the Cholesky factor of the moments, scaled to a mean square radius of 1/2.
	s := math.Sqrt(float64(len(m.local))) / 2
	a := math.Sqrt(uu)
	b := uy / a
	c := math.Sqrt(yy - b*b)
	m.round = [3]float64{s / a, -s * b / (a * c), s / c}
}

func (m *slopeMaker) stretched(i int) r3.Vec2 {
	p := m.local[i]
	return r3.Vec2{X: m.round[0] * p.X, Y: m.round[1]*p.X + m.round[2]*p.Y}
}

// addMean adds the mean of the slopes of the triangles at the edge.
func (m *slopeMaker) addMean(d *mesh.Edge) {
	share := 0.5
	if d.Boundary() {
		share = 1
	}
	a, b := m.find(m.mesh.Tri[d.Tri[0]][(d.Opp[0]+1)%3]), m.find(m.mesh.Tri[d.Tri[0]][(d.Opp[0]+2)%3])
	for i, t := range d.Tri {
		if t == mesh.None {
			continue
		}
		c := m.find(m.mesh.Tri[t][d.Opp[i]])
		p := m.local[c]
		// Linear interpolation over the triangle: N_c = y/p.Y, N_b = 1/2 + u - (1/2 + p.X) N_c.
		m.value[c] += share / p.Y
		m.value[b] -= share * (0.5 + p.X) / p.Y
		m.value[a] -= share * (0.5 - p.X) / p.Y
	}
}

func (m *slopeMaker) find(v int32) int {
	for i, w := range m.patch.Vert {
		if w == v {
			return i
		}
	}
	panic("elastic: vertex is not in the patch of its edge")
}

// residual returns what the present slope lacks on the quadratics.
func (m *slopeMaker) residual() (r [3]float64) {
	for i, g := range m.value {
		p := m.stretched(i)
		r[0] -= g * p.X * p.X / 2
		r[1] -= g * p.Y * p.Y / 2
		r[2] -= g * p.X * p.Y
	}
	return r
}

// correct adds the least correction that makes the slope exact for quadratics.
func (m *slopeMaker) correct(r [3]float64, from, to, apex r3.Vec2, boundary bool) {
	if boundary {
		m.patch.Grow()
	}
	const rings = 3
	for ring := 1; ; ring++ {
		grown := m.patch.Grow()
		m.locate(from, to, apex)
		gram, vector := m.gram()
		last := ring == rings || !grown
		least := min(gram[0][0], gram[1][1], gram[2][2])
		if !last && least < wellSeen {
			continue
		}
		if least < unseen {
			// Leave out what is not seen at right angles to the rest in the material, not in
			// stretched coordinates: a strip one element wide then keeps its curvature along.
			m.round = [3]float64{1, 0, 1}
			r = m.residual()
			gram, vector = m.gram()
		}
		var c [3]float64 // G⁻¹ r
		for j := range 3 {
			if gram[j][j] < unseen {
				continue
			}
			s := (vector[0][j]*r[0] + vector[1][j]*r[1] + vector[2][j]*r[2]) / gram[j][j]
			for i := range c {
				c[i] += s * vector[i][j]
			}
		}
		for i := range m.local {
			d := m.omega[i] * (c[0]*m.fn[3][i] + c[1]*m.fn[4][i] + c[2]*m.fn[5][i])
			if i < len(m.value) {
				m.value[i] += d
			} else {
				m.value = append(m.value, d)
			}
		}
		return
	}
}

// gram fills the weights and the functions at the vertices and returns the eigenvalues of G, on the
// diagonal, and its eigenvectors, in columns.
func (m *slopeMaker) gram() (g, vector [3][3]float64) {
	m.omega = m.omega[:0]
	for j := range m.fn {
		m.fn[j] = m.fn[j][:0]
	}
	for i := range m.local {
		p := m.stretched(i)
		w := 0.3 + p.Norm()
		m.omega = append(m.omega, 1/(w*w))
		for j, f := range [6]float64{1, p.X, p.Y, p.X * p.X / 2, p.Y * p.Y / 2, p.X * p.Y} {
			m.fn[j] = append(m.fn[j], f)
		}
	}
	for j := range 6 {
		for range 2 { // twice, so that rounding does not spoil it
			for i := range min(j, 3) {
				s := m.inner(i, j) / m.inner(i, i)
				for k := range m.local {
					m.fn[j][k] -= s * m.fn[i][k]
				}
			}
		}
	}
	for i := range 3 {
		for j := range 3 {
			g[i][j] = m.inner(3+i, 3+j)
		}
	}
	vector = [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	r3.Diagonalize(&g, &vector)
	return g, vector
}

func (m *slopeMaker) inner(i, j int) float64 {
	var s float64
	for k, w := range m.omega {
		s += w * m.fn[i][k] * m.fn[j][k]
	}
	return s
}
