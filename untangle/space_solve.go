package untangle

// The energy of a body that makes room, and its least value for given rows [Minor18] eq. (1).
//
//	E = ½ ∫ k_d |F - F₀|² + k_a |x - x₀|² + k_i d² dA
//
// F is the gradient of the map from the triangle as it was given to where it is, so that F₀ projects onto its plane and F - F₀ is the gradient of
// the displacement u = x - x₀: on linear triangles the first term is the cotangent form ½ k_d Σ c_ij |u_i - u_j|² over edges. A third of the
// area of each triangle belongs to each of its corners, a_i, so that the others are ½ Σ k_a a_i |u_i|² and ½ Σ k_i a_v d_v² over rows.
//
// [Minor18] minimizes by ADMM [Overby17] with the first term in the local step, z_t = F of triangle t with multipliers λ_t, rows and anchors in the global
// step. With the weight of [Overby17], the square root of the stiffness, w_t² = k_d a_t, the steps are
//
//	z ← (F₀ + Dx + λ)/2,   λ ← λ + Dx - z,   x ← arg min ½ w² |Dx - z + λ|² + anchors + rows
//
// and from z = F₀, λ = 0 on, z - λ = F₀ in every iteration: if it holds before then z' - λ' = 2 z' - λ - Dx = F₀ after. The local step thus
// gives the same right-hand side each time, and an iteration is exactly: find the rows, minimize E for them. That is what is done here, without z and λ;
// a test runs the local steps as they are printed and finds z - λ where it was.
//
// The minimum is found by conjugate gradients with blocks of 3x3 on the diagonal for preconditioner. [Minor18] sweeps Gauss-Seidel over colours
// [Fratarcangeli16], because a factorization would not outlive the changing rows; neither is there one here, nor are colours to be found anew. Rows push and do not pull: after a solve rows with d < 0 are let go and those with d > 0
// taken in, a few times.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// spaceSolver minimizes the energy over the vertices that may move.
type spaceSolver struct {
	*spaceMesh
	team *par.Team

	cot    []float64 // k_d c_ij, beside spaceMesh.around.Items
	area   []float64 // a_i [m²]
	anchor []float64 // k_a a_i; infinite where pinned
	push   float64   // k_i [1/m²]

	free  []int32 // vertices that may move, ascending
	index []int32 // of a vertex in free, or None
	rows  []spaceRow
	of    lists.Lists // places of free vertices in rows: 4 times the row plus which of its vertices

	u              []r3.Vec // displacement of all vertices
	r, p, z, q     []r3.Vec // of free vertices
	along          []float64
	block          []r3.Mat
	iterations     int
	product, rowed func(lo, hi int)
}

func newSpaceSolver(m *spaceMesh) *spaceSolver {
	s := &spaceSolver{
		spaceMesh: m, cot: make([]float64, len(m.around.Items)), area: make([]float64, m.real),
		anchor: make([]float64, m.real), index: make([]int32, m.real), u: make([]r3.Vec, m.real),
	}
	s.product, s.rowed = s.multiply, s.project
	return s
}

// thinTriangle is the height of a triangle over its longest side below which its shape is not believed, and that of an equilateral one taken
// instead: where skinning has crushed a fold, cotangents would bind its vertices together for good.
const thinTriangle = 0.02

// weigh sets the weights for a body at x.
func (s *spaceSolver) weigh(x []r3.Vec, stiffness float64) {
	clear(s.cot)
	clear(s.area)
	for _, v := range s.tri[:s.faces] {
		a, b, c := x[v[0]], x[v[1]], x[v[2]]
		twice := b.Sub(a).Cross(c.Sub(a)).Norm()
		longest2 := max(b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2())
		for k := range 3 {
			i, j := v[(k+1)%3], v[(k+2)%3]
			s.area[v[k]] += twice / 6
			cot := 1 / math.Sqrt(3)
			if twice > thinTriangle*longest2 {
				cot = x[i].Sub(x[v[k]]).Dot(x[j].Sub(x[v[k]])) / twice
			}
			s.addCot(i, j, stiffness*cot/2)
			s.addCot(j, i, stiffness*cot/2)
		}
	}
}

func (s *spaceSolver) addCot(i, j int32, c float64) {
	k, _ := slices.BinarySearch(s.around.Of(i), j)
	s.cot[int(s.around.Start[i])+k] += c
}

// energy returns E at displacement u, with rows d of which are measured at x.
func (s *spaceSolver) energy(rows []spaceRow, x []r3.Vec) float64 {
	e := 0.0
	for i := range int32(s.real) {
		if !math.IsInf(s.anchor[i], 1) {
			e += s.anchor[i] * s.u[i].Norm2() / 2
		}
		for k := s.around.Start[i]; k < s.around.Start[i+1]; k++ {
			e += s.cot[k] * s.u[i].Sub(s.u[s.around.Items[k]]).Norm2() / 4 // each edge twice
		}
	}
	for k := range rows {
		if d := rows[k].target - rows[k].gap(x); d > 0 {
			e += s.push * s.area[rows[k].v[0]] * d * d / 2
		}
	}
	return e
}

// spacePasses is how often rows are let go and taken in, and spaceTolerance the residual of the conjugate gradients over that at the start: the next iteration
// goes on from there with rows that have moved by more.
const (
	spacePasses    = 2
	spaceTolerance = 1e-3
	spaceSteps     = 400
)

// solve moves the free vertices to the least energy for the rows. base is where vertices were given.
func (s *spaceSolver) solve(base, x []r3.Vec, rows []spaceRow) {
	s.rows = rows
	s.indexRows()
	n := len(s.free)
	for _, v := range []*[]r3.Vec{&s.r, &s.p, &s.z, &s.q} {
		*v = slices.Grow((*v)[:0], n)[:n]
	}
	s.along = slices.Grow(s.along[:0], len(rows))[:len(rows)]
	s.block = slices.Grow(s.block[:0], n)[:n]
	for k := range rows {
		rows[k].active = rows[k].target > rows[k].gap(x)
	}
	for range spacePasses {
		s.minimize(base)
		for _, v := range s.free {
			x[v] = base[v].Add(s.u[v])
		}
		changed := false
		for k := range rows {
			now := rows[k].target > rows[k].gap(x)
			changed = changed || now != rows[k].active
			rows[k].active = now
		}
		if !changed {
			break
		}
	}
}

// indexRows lists the rows of each free vertex.
func (s *spaceSolver) indexRows() {
	for i := range s.index {
		s.index[i] = None
	}
	for k, v := range s.free {
		s.index[v] = int32(k)
	}
	s.of.Fill(len(s.free), func(put func(index, item int32)) {
		for k := range s.rows {
			for c, v := range s.rows[k].v {
				if i := s.index[v]; i != None {
					put(i, int32(4*k+c))
				}
			}
		}
	})
}

// part returns the coefficient of vertex c of a row in its gap.
func (r *spaceRow) part(c int32) float64 {
	switch c {
	case 0:
		return -1
	case 1:
		return r.w.X
	case 2:
		return r.w.Y
	}
	return r.w.Z
}

func (s *spaceSolver) stiffness(r *spaceRow) float64 { return r.force * s.push * s.area[r.v[0]] }

// minimize runs conjugate gradients from the displacement at hand.
func (s *spaceSolver) minimize(base []r3.Vec) {
	s.start(base)
	limit := 0.0
	rz := 0.0
	for step := range spaceSteps {
		for k := range s.z {
			s.z[k] = s.block[k].MulVec(s.r[k])
		}
		next := s.dot(s.r, s.z)
		if step == 0 {
			limit = next * spaceTolerance * spaceTolerance
			copy(s.p, s.z)
		} else {
			beta := next / rz
			for k := range s.p {
				s.p[k] = s.z[k].AddScaled(beta, s.p[k])
			}
		}
		rz = next
		if !(rz > limit) {
			return
		}
		s.team.For(len(s.rows), 512, s.rowed)
		s.team.For(len(s.free), 512, s.product)
		alpha := rz / s.dot(s.p, s.q)
		if !(alpha > 0) || math.IsInf(alpha, 1) {
			return
		}
		for k, v := range s.free {
			s.u[v] = s.u[v].AddScaled(alpha, s.p[k])
			s.r[k] = s.r[k].AddScaled(-alpha, s.q[k])
		}
		s.iterations++
	}
}

// start sets the residual and the preconditioner.
func (s *spaceSolver) start(base []r3.Vec) {
	for k := range s.rows {
		row := &s.rows[k]
		s.along[k] = 0
		if row.active {
			s.along[k] = s.stiffness(row) * (row.target - row.gap(base) - row.change(s.u))
		}
	}
	for k, v := range s.free {
		diagonal := r3.Diagonal(s.anchor[v])
		r := s.u[v].Scale(-s.anchor[v])
		for e := s.around.Start[v]; e < s.around.Start[v+1]; e++ {
			r = r.AddScaled(s.cot[e], s.u[s.around.Items[e]].Sub(s.u[v]))
			diagonal.AddDiagonal(s.cot[e])
		}
		for _, at := range s.of.Of(int32(k)) {
			row := &s.rows[at/4]
			if row.active {
				c := row.part(at % 4)
				r = r.AddScaled(c*s.along[at/4], row.e)
				diagonal.AddOuter(s.stiffness(row)*c*c, row.e, row.e)
			}
		}
		s.r[k] = r
		inverse, ok := diagonal.Inverse()
		if !ok {
			inverse = r3.Mat{} // a vertex without area or neighbours stays
		}
		s.block[k] = inverse
	}
}

// change returns by how much displacements change the gap.
func (r *spaceRow) change(u []r3.Vec) float64 {
	p := u[r.v[1]].Scale(r.w.X).AddScaled(r.w.Y, u[r.v[2]]).AddScaled(r.w.Z, u[r.v[3]])
	return r.e.Dot(p.Sub(u[r.v[0]]))
}

// project computes what rows feel of the search direction.
func (s *spaceSolver) project(lo, hi int) {
	for k := lo; k < hi; k++ {
		row := &s.rows[k]
		s.along[k] = 0
		if !row.active {
			continue
		}
		change := 0.0
		for c, v := range row.v {
			if i := s.index[v]; i != None {
				change += row.part(int32(c)) * row.e.Dot(s.p[i])
			}
		}
		s.along[k] = s.stiffness(row) * change
	}
}

// multiply computes q = A p: each vertex gathers from its edges and rows.
func (s *spaceSolver) multiply(lo, hi int) {
	for k := lo; k < hi; k++ {
		v := s.free[k]
		p := s.p[k]
		q := p.Scale(s.anchor[v])
		for e := s.around.Start[v]; e < s.around.Start[v+1]; e++ {
			var other r3.Vec
			if i := s.index[s.around.Items[e]]; i != None {
				other = s.p[i]
			}
			q = q.AddScaled(s.cot[e], p.Sub(other))
		}
		for _, at := range s.of.Of(int32(k)) {
			row := &s.rows[at/4]
			if row.active {
				q = q.AddScaled(row.part(at%4)*s.along[at/4], row.e)
			}
		}
		s.q[k] = q
	}
}

func (s *spaceSolver) dot(a, b []r3.Vec) float64 {
	sum := 0.0
	for k := range a {
		sum += a[k].Dot(b[k])
	}
	return sum
}
