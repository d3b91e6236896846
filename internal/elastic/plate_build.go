package elastic

import (
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// slopes holds the slope of every edge in flat arrays.
type slopes struct {
	first []int32
	node  []int32
	value []float64
}

func allSlopes(m *mesh.Mesh, clamps *clampSet) *slopes {
	s := &slopes{
		first: make([]int32, 1, len(m.Edges)+1),
		node:  make([]int32, 0, 6*len(m.Edges)),
		value: make([]float64, 0, 6*len(m.Edges)),
	}
	maker := &slopeMaker{mesh: m}
	var one slope
	for e := range int32(len(m.Edges)) {
		if !clamps.holds(e) {
			maker.at(e, &one)
			s.node = append(s.node, one.node...)
			s.value = append(s.value, one.value...)
		}
		s.first = append(s.first, int32(len(s.node)))
	}
	return s
}

// side is one side of a triangle in its own material coordinates.
type side struct {
	along, out r3.Vec2 // unit vectors
	length     float64 // [m]
}

// sideOf returns the side opposite to corner k, running from corner k+1 to k+2.
func sideOf(m *mesh.Mesh, t, k int32) side {
	var p [3]r3.Vec2
	p[0], p[1], p[2] = m.RestTriangle(t)
	d := p[(k+2)%3].Sub(p[(k+1)%3])
	s := side{length: d.Norm()}
	s.along = d.Scale(1 / s.length)
	s.out = r3.Vec2{X: -s.along.Y, Y: s.along.X}
	if s.out.Dot(p[k].Sub(p[(k+1)%3])) > 0 {
		s.out = s.out.Scale(-1)
	}
	return s
}

// across returns sym(ν⊗ν) as (00, 11, twice 01).
func (s *side) across() r3.Vec {
	return r3.V(s.out.X*s.out.X, s.out.Y*s.out.Y, 2*s.out.X*s.out.Y)
}

// mixed returns sym(τ⊗ν) as (00, 11, twice 01).
func (s *side) mixed() r3.Vec {
	return r3.V(s.along.X*s.out.X, s.along.Y*s.out.Y, s.along.X*s.out.Y+s.along.Y*s.out.X)
}

// secondDerivatives returns nodes and coefficients of X for every triangle.
func secondDerivatives(m *mesh.Mesh, clamps *clampSet) (first, node []int32, coef []r3.Vec) {
	s := allSlopes(m, clamps)
	first = make([]int32, 1, len(m.Tri)+1)
	// the corners come first, then nodes as they are found
	for t, v := range m.Tri {
		start := len(node)
		node = append(node, v[:]...)
		coef = append(coef, r3.Vec{}, r3.Vec{}, r3.Vec{})
		add := func(v int32, c r3.Vec) {
			for i, w := range node[start:] {
				if w == v {
					coef[start+i] = coef[start+i].Add(c)
					return
				}
			}
			node, coef = append(node, v), append(coef, c)
		}
		// each side, by its slope
		area := m.RestArea(int32(t))
		for k := range int32(3) {
			// along the side: from its ends
			side := sideOf(m, int32(t), k)
			mixed := side.mixed().Scale(1 / area)
			coef[start+int(k+2)%3] = coef[start+int(k+2)%3].Add(mixed)
			coef[start+int(k+1)%3] = coef[start+int(k+1)%3].Sub(mixed)
			// across it: from the slope, which points out of the first triangle of the edge
			e := m.TriEdge[t][k]
			across := side.across().Scale(side.length / area)
			if m.Edges[e].Tri[0] != int32(t) || m.Edges[e].Opp[0] != k {
				across = across.Neg()
			}
			for i := s.first[e]; i < s.first[e+1]; i++ {
				add(s.node[i], across.Scale(s.value[i]))
			}
		}
		// constants have no second derivative
		var sum r3.Vec
		for _, c := range coef[start+1:] {
			sum = sum.Add(c)
		}
		coef[start] = sum.Neg()
		if len(node) > math.MaxInt32 {
			panic("elastic: mesh is too large for a plate")
		}
		first = append(first, int32(len(node)))
	}
	return first, node, coef
}
