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
// with Ω = diag ω, ω = (0.3 + distance/l)⁻², and Q the three quadratic monomials q_j at the
// vertices, made Ω-orthogonal to the linear ones. Vertices are those of the two triangles and of
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
	// rounding is the coefficient of a vertex below which it is left out, relative to 1/l.
	rounding = 1e-14
)

// slopeMaker computes slopes and keeps scratch space between edges.
type slopeMaker struct {
	mesh  *mesh.Mesh
	patch mesh.Patch
	local []r3.Vec2 // vertices of the patch in coordinates of the edge, in units of its length
	omega []float64
	value []float64
	fn    [6][]float64 // 1, u, y and the three quadratics at the vertices
}

// at computes the slope of edge e into s.
func (m *slopeMaker) at(e int32, s *slope) {
	d := &m.mesh.Edges[e]
	m.patch.Start(m.mesh, d.Tri[0])
	k := d.Opp[0]
	flat := m.patch.At
	from, to, apex := flat[(k+1)%3], flat[(k+2)%3], flat[k]
	length := to.Sub(from).Norm()
	hinge := 3
	if m.patch.Cross(0, k) {
		hinge = len(m.patch.Vert)
	}
	m.locate(from, to, apex)
	m.value = append(m.value[:0], make([]float64, hinge)...)
	m.addMean(d)
	if m.residual() > parallelogram {
		m.correct(from, to, apex, d.Boundary())
	}
	s.node, s.value = s.node[:0], s.value[:0]
	for i, g := range m.value {
		if i < hinge || math.Abs(g) > rounding {
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

// residual returns the largest error of the present slope on the quadratics.
func (m *slopeMaker) residual() float64 {
	r := m.errors()
	return r.MaxAbs()
}

func (m *slopeMaker) errors() r3.Vec {
	var r r3.Vec
	for i, g := range m.value {
		p := m.local[i]
		r = r.AddScaled(-g, r3.V(p.X*p.X/2, p.Y*p.Y/2, p.X*p.Y))
	}
	return r
}

// correct adds the least correction that makes the slope exact for quadratics.
func (m *slopeMaker) correct(from, to, apex r3.Vec2, boundary bool) {
	if boundary {
		m.patch.Grow()
	}
	const rings = 3
	r := m.errors()
	for ring := 1; ; ring++ {
		grown := m.patch.Grow()
		m.locate(from, to, apex)
		gram := m.orthogonalize()
		values, vectors := symmetricEigen(gram)
		last := ring == rings || !grown
		if !last && min(values.X, values.Y, values.Z) < wellSeen {
			continue
		}
		inverse := func(v float64) float64 {
			if v < unseen {
				return 0
			}
			return 1 / v
		}
		c := vectors.MulVecT(r)
		c = r3.V(c.X*inverse(values.X), c.Y*inverse(values.Y), c.Z*inverse(values.Z))
		c = vectors.MulVec(c)
		for i := range m.local {
			d := m.omega[i] * (c.X*m.fn[3][i] + c.Y*m.fn[4][i] + c.Z*m.fn[5][i])
			if i < len(m.value) {
				m.value[i] += d
			} else {
				m.value = append(m.value, d)
			}
		}
		return
	}
}

// orthogonalize fills the weights and the functions at the vertices and returns G.
func (m *slopeMaker) orthogonalize() r3.Mat {
	m.omega = m.omega[:0]
	for j := range m.fn {
		m.fn[j] = m.fn[j][:0]
	}
	for _, p := range m.local {
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
	g := r3.Mat{XX: m.inner(3, 3), YY: m.inner(4, 4), ZZ: m.inner(5, 5), XY: m.inner(3, 4), XZ: m.inner(3, 5), YZ: m.inner(4, 5)}
	g.YX, g.ZX, g.ZY = g.XY, g.XZ, g.YZ
	return g
}

func (m *slopeMaker) inner(i, j int) float64 {
	var s float64
	for k, w := range m.omega {
		s += w * m.fn[i][k] * m.fn[j][k]
	}
	return s
}

// symmetricEigen returns the eigenvalues of a symmetric matrix and a matrix whose columns are the
// eigenvectors, by Jacobi rotations.
func symmetricEigen(m r3.Mat) (r3.Vec, r3.Mat) {
	a := [3][3]float64{{m.XX, m.XY, m.XZ}, {m.YX, m.YY, m.YZ}, {m.ZX, m.ZY, m.ZZ}}
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for range 12 {
		for _, pq := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
			p, q := pq[0], pq[1]
			if math.Abs(a[p][q]) <= 1e-18*(math.Abs(a[p][p])+math.Abs(a[q][q])) {
				continue
			}
			theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
			t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(1+theta*theta))
			c := 1 / math.Sqrt(1+t*t)
			s := t * c
			for i := range 3 {
				a[i][p], a[i][q] = c*a[i][p]-s*a[i][q], s*a[i][p]+c*a[i][q]
			}
			for i := range 3 {
				a[p][i], a[q][i] = c*a[p][i]-s*a[q][i], s*a[p][i]+c*a[q][i]
				v[i][p], v[i][q] = c*v[i][p]-s*v[i][q], s*v[i][p]+c*v[i][q]
			}
		}
	}
	return r3.V(a[0][0], a[1][1], a[2][2]),
		r3.Mat{XX: v[0][0], XY: v[0][1], XZ: v[0][2], YX: v[1][0], YY: v[1][1], YZ: v[1][2], ZX: v[2][0], ZY: v[2][1], ZZ: v[2][2]}
}
