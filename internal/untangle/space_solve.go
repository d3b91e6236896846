package untangle

// The energy of a body that makes room, and its least value for given rows [Minor18] eq. (1).
//
//	E = ½ ∫ k_d |F - F₀|² + k_a |x - x₀|² + k_i d² dA
//
// F is the gradient of the map from the triangle as it was given to where it is, so that F₀ projects onto its plane and
// F - F₀ is the gradient of the displacement u = x - x₀: on linear triangles the first term is the cotangent form ½ k_d
// Σ c_ij |u_i - u_j|² over edges. A third of the area of each triangle belongs to each of its corners, a_i, so that the
// others are ½ Σ k_a a_i |u_i|² and ½ Σ k_i a_v d_v² over rows.
//
// [Minor18] minimizes by ADMM [Overby17] with the first term in the local step, z_t = F of triangle t with multipliers
// λ_t, rows and anchors in the global step. With the weight of [Overby17], the square root of the stiffness, w_t² = k_d
// a_t, the steps are
//
//	z ← (F₀ + Dx + λ)/2,   λ ← λ + Dx - z,   x ← arg min ½ w² |Dx - z + λ|² + anchors + rows
//
// and from z = F₀, λ = 0 on, z - λ = F₀ in every iteration: if it holds before then z' - λ' = 2 z' - λ - Dx = F₀ after.
// The local step thus gives the same right-hand side each time, and an iteration is exactly: find the rows, minimize E
// for them. That is what is done here, without z and λ; a test runs the local steps as they are printed and finds z - λ
// where it was.
//
// The minimum is found by conjugate gradients with blocks of 3x3 on the diagonal for preconditioner. [Minor18] sweeps
// Gauss-Seidel over colours [Fratarcangeli16], because a factorization would not outlive the changing rows; neither is
// there one here, nor are colours to be found anew. Rows push and do not pull: after a solve rows with d < 0 are let go
// and those with d > 0 taken in, a few times.

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
	base  []r3.Vec
	rows  []spaceRow
	u     []r3.Vec // displacement of all vertices

	edges       lists.Lists // neighbours of free vertices that are free, by places in free
	edge        []float64   // k_d c_ij, beside edges.Items
	diagonal    []float64   // of free vertices, without rows
	pushes      []pushing
	of          lists.Lists // rows of free vertices: 4 times the place in pushes plus which of its vertices
	force       []r3.Vec    // of rows that push: at the start, and then the change along p
	d           []r3.Vec    // displacements of free vertices
	r, p, z, q  []r3.Vec    // of conjugate gradients, for free vertices
	block       []r3.Mat    // inverse of the diagonal
	alpha, beta float64
	reference   float64 // largest r·z at the start of a solve
	iterations  int

	begins, feels, turns         func(lo, hi int)
	weighs, multiplies, advances func(lo, hi int) float64
	cornered, gathered           func(lo, hi int)
	at0                          []r3.Vec  // argument of measure under way
	stiff                        float64   // argument of measure under way
	corner                       []r3.Vec  // cotangents at the corners of triangles
	twice                        []float64 // twice the areas of triangles [m²]
}

func newSpaceSolver(m *spaceMesh) *spaceSolver {
	s := &spaceSolver{
		spaceMesh: m, cot: make([]float64, len(m.around.Items)), area: make([]float64, m.real),
		anchor: make([]float64, m.real), index: make([]int32, m.real), u: make([]r3.Vec, m.real),
		corner: make([]r3.Vec, m.faces), twice: make([]float64, m.faces),
	}
	s.begins, s.feels, s.turns = s.begin, s.feel, s.turn
	s.weighs, s.multiplies, s.advances = s.weigh, s.multiply, s.advance
	s.cornered, s.gathered = s.cotangents, s.gather
	return s
}

// thinTriangle is the height of a triangle over its longest side below which its shape is not believed, and that of an
// equilateral one taken instead: where skinning has crushed a fold, cotangents would bind its vertices together for
// good.
const thinTriangle = 0.02

// measure sets the weights for a body at x.
func (s *spaceSolver) measure(x []r3.Vec, stiffness float64) {
	s.at0, s.stiff = x, stiffness
	s.team.For(s.faces, 1024, s.cornered)
	s.team.For(s.real, 1024, s.gathered)
}

// cotangents measures some triangles.
func (s *spaceSolver) cotangents(lo, hi int) {
	for t := lo; t < hi; t++ {
		v := &s.tri[t]
		a, b, c := s.at0[v[0]], s.at0[v[1]], s.at0[v[2]]
		ab, bc, ca := b.Sub(a), c.Sub(b), a.Sub(c)
		twice := ab.Cross(ca).Norm()
		s.twice[t] = twice
		if twice > thinTriangle*max(ab.Norm2(), bc.Norm2(), ca.Norm2()) {
			s.corner[t] = r3.V(-ab.Dot(ca)/twice, -ab.Dot(bc)/twice, -bc.Dot(ca)/twice)
		} else {
			equal := 1 / math.Sqrt(3)
			s.corner[t] = r3.V(equal, equal, equal)
		}
	}
}

// gather sums up what triangles give to some vertices and their edges.
func (s *spaceSolver) gather(lo, hi int) {
	for i := int32(lo); i < int32(hi); i++ {
		beside := s.around.Of(i)
		cot := s.cot[s.around.Start[i]:s.around.Start[i+1]]
		clear(cot)
		s.area[i] = 0
		for _, t := range s.at.Of(i) {
			if int(t) >= s.faces {
				continue
			}
			s.area[i] += s.twice[t] / 6
			v, c := s.tri[t], s.corner[t]
			for v[0] != i {
				v[0], v[1], v[2] = v[1], v[2], v[0]
				c.X, c.Y, c.Z = c.Y, c.Z, c.X
			}
			cot[slices.Index(beside, v[1])] += s.stiff * c.Z / 2
			cot[slices.Index(beside, v[2])] += s.stiff * c.Y / 2
		}
	}
}

// energy returns E at displacement u, with rows d of which are measured at x.
func (s *spaceSolver) energy(rows []spaceRow, x []r3.Vec) float64 {
	e := 0.0
	for i := range int32(s.real) {
		u := s.u[i]
		if u == (r3.Vec{}) {
			continue
		}
		e += s.anchor[i] * u.Norm2() / 2
		for k := s.around.Start[i]; k < s.around.Start[i+1]; k++ {
			if other := s.u[s.around.Items[k]]; other != (r3.Vec{}) {
				e += s.cot[k] * u.Sub(other).Norm2() / 4 // the edge comes twice
			} else {
				e += s.cot[k] * u.Norm2() / 2
			}
		}
	}
	return e + s.pushed(rows, x)
}

// pushed returns the energy of rows at x.
func (s *spaceSolver) pushed(rows []spaceRow, x []r3.Vec) float64 {
	e := 0.0
	for k := range rows {
		if d := rows[k].target - rows[k].gap(x); d > 0 {
			e += s.push * s.area[rows[k].v[0]] * d * d / 2
		}
	}
	return e
}

// spacePasses is how often rows are let go and taken in, and spaceTolerance the residual of the conjugate gradients
// over that of the first solve: the next iteration goes on from there with rows that have moved by more.
const (
	spacePasses    = 6
	spaceTolerance = 1e-3
	spaceSteps     = 400
)

// pushing is a row that pushes in the solve under way.
type pushing struct {
	at   [4]int32   // its vertices' places in free, or None
	part [4]float64 // of each in the gap
	e    r3.Vec
	k    float64 // stiffness
}

// solve moves the free vertices to the least energy for the rows. base is where vertices were given.
func (s *spaceSolver) solve(base, x []r3.Vec, rows []spaceRow) {
	s.rows, s.base = rows, base
	s.gatherEdges()
	for k := range rows {
		rows[k].active = rows[k].target > rows[k].gap(x)
	}
	for range spacePasses {
		s.gatherRows()
		s.minimize()
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

// gatherEdges lists the edges between free vertices, by their places in free.
func (s *spaceSolver) gatherEdges() {
	for i := range s.index {
		s.index[i] = None
	}
	for k, v := range s.free {
		s.index[v] = int32(k)
	}
	n := len(s.free)
	for _, v := range []*[]r3.Vec{&s.r, &s.p, &s.z, &s.q, &s.d} {
		*v = slices.Grow((*v)[:0], n)[:n]
	}
	s.block = slices.Grow(s.block[:0], n)[:n]
	s.diagonal = slices.Grow(s.diagonal[:0], n)[:n]
	s.edges.Start, s.edges.Items, s.edge = append(s.edges.Start[:0], 0), s.edges.Items[:0], s.edge[:0]
	for k, v := range s.free {
		sum := s.anchor[v]
		for e := s.around.Start[v]; e < s.around.Start[v+1]; e++ {
			sum += s.cot[e]
			if j := s.index[s.around.Items[e]]; j != None {
				s.edges.Items, s.edge = append(s.edges.Items, j), append(s.edge, s.cot[e])
			}
		}
		s.diagonal[k] = sum
		s.edges.Start = append(s.edges.Start, int32(len(s.edges.Items)))
	}
}

// gatherRows lists the rows that push, and those of each free vertex.
func (s *spaceSolver) gatherRows() {
	s.pushes, s.force = s.pushes[:0], s.force[:0]
	for k := range s.rows {
		// rows that push: the vertex against the triangle
		row := &s.rows[k]
		if !row.active {
			continue
		}
		p := pushing{
			part: [4]float64{-1, row.w.X, row.w.Y, row.w.Z},
			e:    row.e,
			k:    row.force * s.push * s.area[row.v[0]],
		}
		for c, v := range row.v {
			p.at[c] = s.index[v]
		}
		// force at the present gap
		s.pushes = append(s.pushes, p)
		s.force = append(s.force, row.e.Scale(p.k*(row.target-row.gap(s.base)-row.change(s.u))))
	}
	// rows of each free vertex
	s.of.Fill(len(s.free), func(put func(index, item int32)) {
		for k := range s.pushes {
			for c, i := range s.pushes[k].at {
				if i != None {
					put(i, int32(4*k+c))
				}
			}
		}
	})
}

// change returns by how much displacements change the gap.
func (r *spaceRow) change(u []r3.Vec) float64 {
	p := u[r.v[1]].Scale(r.w.X).AddScaled(r.w.Y, u[r.v[2]]).AddScaled(r.w.Z, u[r.v[3]])
	return r.e.Dot(p.Sub(u[r.v[0]]))
}

// minimize runs conjugate gradients from the displacement at hand.
func (s *spaceSolver) minimize() {
	n := len(s.free)
	s.team.For(n, 256, s.begins)
	rz := s.team.Sum(n, s.weighs)
	copy(s.p, s.z)
	s.reference = max(s.reference, rz)
	for range spaceSteps {
		if !(rz > s.reference*spaceTolerance*spaceTolerance) {
			break
		}
		s.team.For(len(s.pushes), 256, s.feels)
		s.alpha = rz / s.team.Sum(n, s.multiplies)
		if !(s.alpha > 0) || math.IsInf(s.alpha, 1) {
			break
		}
		next := s.team.Sum(n, s.advances)
		s.beta, rz = next/rz, next
		s.team.For(n, 1024, s.turns)
		s.iterations++
	}
	for k, v := range s.free {
		s.u[v] = s.d[k]
	}
}

// begin sets the residual and the preconditioner of some vertices.
func (s *spaceSolver) begin(lo, hi int) {
	for k := lo; k < hi; k++ {
		v := s.free[k]
		s.d[k] = s.u[v]
		block := r3.Diagonal(s.diagonal[k])
		r := s.u[v].Scale(-s.diagonal[k])
		for e := s.around.Start[v]; e < s.around.Start[v+1]; e++ {
			r = r.AddScaled(s.cot[e], s.u[s.around.Items[e]])
		}
		for _, at := range s.of.Of(int32(k)) {
			row := &s.pushes[at/4]
			c := row.part[at%4]
			r = r.AddScaled(c, s.force[at/4])
			block.AddOuter(row.k*c*c, row.e, row.e)
		}
		s.r[k] = r
		inverse, ok := block.Inverse()
		if !ok {
			inverse = r3.Mat{} // a vertex without area or neighbours stays
		}
		s.block[k] = inverse
	}
}

// weigh sets z = B⁻¹ r and returns r·z.
func (s *spaceSolver) weigh(lo, hi int) float64 {
	sum := 0.0
	for k := lo; k < hi; k++ {
		s.z[k] = s.block[k].MulVec(s.r[k])
		sum += s.r[k].Dot(s.z[k])
	}
	return sum
}

// feel computes what rows feel of the search direction.
func (s *spaceSolver) feel(lo, hi int) {
	for k := lo; k < hi; k++ {
		row := &s.pushes[k]
		change := 0.0
		for c, i := range row.at {
			if i != None {
				change += row.part[c] * row.e.Dot(s.p[i])
			}
		}
		s.force[k] = row.e.Scale(row.k * change)
	}
}

// multiply computes q = A p, each vertex gathering from its edges and rows, and returns p·q.
func (s *spaceSolver) multiply(lo, hi int) float64 {
	sum := 0.0
	for k := lo; k < hi; k++ {
		p := s.p[k]
		q := p.Scale(s.diagonal[k])
		begin, end := s.edges.Start[k], s.edges.Start[k+1]
		cot := s.edge[begin:end]
		for e, j := range s.edges.Items[begin:end] {
			q = q.AddScaled(-cot[e], s.p[j])
		}
		for _, at := range s.of.Of(int32(k)) {
			q = q.AddScaled(s.pushes[at/4].part[at%4], s.force[at/4])
		}
		s.q[k] = q
		sum += p.Dot(q)
	}
	return sum
}

// advance goes along the search direction, and returns r·z there.
func (s *spaceSolver) advance(lo, hi int) float64 {
	for k := lo; k < hi; k++ {
		s.d[k] = s.d[k].AddScaled(s.alpha, s.p[k])
		s.r[k] = s.r[k].AddScaled(-s.alpha, s.q[k])
	}
	return s.weigh(lo, hi)
}

// turn makes the next search direction.
func (s *spaceSolver) turn(lo, hi int) {
	for k := lo; k < hi; k++ {
		s.p[k] = s.z[k].AddScaled(s.beta, s.p[k])
	}
}
