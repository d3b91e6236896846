package elastic

// Bending of isometric sheets by the Laplacian of position [Bergou06], [Wardetzky07].
//
// Where a flat sheet bends without stretching, Δx is twice the mean curvature times the normal, and
//
//	E = B/2 Σ_v |y_v|²/A_v,   y_v = Σ_j w_vj (x_j - x_v)
//
// over the vertices v inside, with the cotangent weights w_vj = (cot α + cot β)/2 of the edge vj in
// the rest shape and A_v a third of the area of the triangles at v. This is the conforming Laplacian
// with lumped mass, not that of edge midpoints: the latter is, for small angles, a hinge and shares
// its dependence on the mesh.
//
// It is quadratic: the Hessian is constant and positive semi-definite. It has no stiffness against
// twist (a saddle has no mean curvature), none at vertices of the boundary, and knows flat rest
// shapes only.
//
// The material part of the Hessian acts along y, so that a rotation of the sheet does not feel it;
// where |y| is below the small bound limp it acts in all directions, so that flat sheets are damped.

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Isometric is bending resistance from the Laplacian, one element for each vertex that is not at the
// boundary. It implements Elements.
type Isometric struct {
	first  []int32
	node   []int32   // the vertex itself, then its neighbours
	weight []float64 // w, summing to zero
	stiff  []float64 // B/A_v [N/m]
	area   []float64 // A_v [m²]
	limp   []float64 // [m]
	state  []r3.Vec  // y [m]
}

// limpness is |y|, relative to the size of the triangles at a vertex, below which the sheet counts as
// flat.
const limpness = 1e-3

// NewIsometric returns the elements of a sheet of rigidity b [N m].
func NewIsometric(m *mesh.Mesh, b float64) (*Isometric, error) {
	if !(b >= 0) || math.IsInf(b, 1) {
		return nil, fmt.Errorf("bending rigidity is %g N m; write a number not below 0", b)
	}
	s := &Isometric{first: []int32{0}}
	border := make([]bool, m.Verts)
	around := make([][]int32, m.Verts) // edges of each vertex
	area := make([]float64, m.Verts)
	weight := make([]float64, len(m.Edges))
	for e := range m.Edges {
		d := &m.Edges[e]
		for i, t := range d.Tri {
			if t != mesh.None {
				weight[e] += cotangent(m, t, d.Opp[i]) / 2
			}
		}
		for _, v := range d.V {
			around[v] = append(around[v], int32(e))
			border[v] = border[v] || d.Boundary()
		}
	}
	for t, v := range m.Tri {
		for _, i := range v {
			area[i] += m.RestArea(int32(t)) / 3
		}
	}
	for v := range int32(m.Verts) {
		if border[v] || len(around[v]) == 0 {
			continue
		}
		start := len(s.weight)
		s.node, s.weight = append(s.node, v), append(s.weight, 0)
		for _, e := range around[v] {
			d := &m.Edges[e]
			s.node = append(s.node, d.V[0]+d.V[1]-v)
			s.weight = append(s.weight, weight[e])
			s.weight[start] -= weight[e]
		}
		s.first = append(s.first, int32(len(s.node)))
		s.stiff, s.area = append(s.stiff, b/area[v]), append(s.area, area[v])
		s.limp = append(s.limp, limpness*math.Sqrt(area[v]))
	}
	s.state = make([]r3.Vec, len(s.stiff))
	return s, nil
}

// Vary gives the sheet the rigidity b [N m] at each vertex. It panics on one that is negative or not finite.
func (s *Isometric) Vary(b []float64) {
	for e := range s.stiff {
		at := b[s.node[s.first[e]]]
		if !(at >= 0) || math.IsInf(at, 1) {
			panic(fmt.Sprintf("elastic: bending rigidity %g N m", at))
		}
		s.stiff[e] = at / s.area[e]
	}
}

// cotangent returns the cotangent of the angle at corner k of triangle t in the rest shape.
func cotangent(m *mesh.Mesh, t, k int32) float64 {
	var p [3]r3.Vec2
	p[0], p[1], p[2] = m.RestTriangle(t)
	a, b := p[(k+1)%3].Sub(p[k]), p[(k+2)%3].Sub(p[k])
	return a.Dot(b) / math.Abs(a.Cross(b))
}

// Len implements Elements.
func (s *Isometric) Len() int { return len(s.state) }

// Nodes implements Elements: the vertex itself comes first.
func (s *Isometric) Nodes(e int) []int32 { return s.node[s.first[e]:s.first[e+1]] }

// Update implements Elements.
func (s *Isometric) Update(x []r3.Vec, _ Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		node, weight := s.node[s.first[e]:s.first[e+1]], s.weight[s.first[e]:s.first[e+1]]
		x0 := x[node[0]]
		var y r3.Vec
		for k := 1; k < len(node); k++ {
			y = y.AddScaled(weight[k], x[node[k]].Sub(x0))
		}
		s.state[e] = y
	}
}

// Energy implements Elements.
func (s *Isometric) Energy(e int) float64 { return s.stiff[e] * s.state[e].Norm2() / 2 }

// Force implements Elements.
func (s *Isometric) Force(e, k int) r3.Vec {
	return s.state[e].Scale(-s.stiff[e] * s.weight[int(s.first[e])+k])
}

// AddRow implements Elements.
func (s *Isometric) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	weight := s.weight[s.first[e]:s.first[e+1]]
	y, limp := s.state[e], s.limp[e]*s.limp[e]
	total := limp + y.Norm2()
	for l, i := range at {
		if i < 0 {
			continue
		}
		h := s.stiff[e] * weight[k] * weight[l]
		val[i].AddDiagonal(h * (geometric + (material-geometric)*limp/total))
		val[i].AddOuter(h*(material-geometric)/total, y, y)
	}
}

// Turn implements Turner: y turns along, and where that is more than limp the material part has none of it.
func (s *Isometric) Turn(e, k int, spin r3.Vec) r3.Vec {
	y, limp := s.state[e].Norm2(), s.limp[e]*s.limp[e]
	return s.Force(e, k).Cross(spin).Scale(y / (limp + y))
}

// MaterialForce implements Elements.
func (s *Isometric) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	node, weight := s.Nodes(e), s.weight[s.first[e]:s.first[e+1]]
	v0 := v[node[0]]
	var rate r3.Vec
	for l := 1; l < len(node); l++ {
		rate = rate.AddScaled(weight[l], v[node[l]].Sub(v0))
	}
	y, limp := s.state[e], s.limp[e]*s.limp[e]
	w := -s.stiff[e] * weight[k] / (limp + y.Norm2())
	return rate.Scale(w*limp).AddScaled(w*y.Dot(rate), y)
}
