package contact

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// What crosses at the start of a step.

// crossAt reports whether primitive i of moving skins at x crosses j: another of them or, of an obstacle at y, a
// primitive, or the segment or point of a shape.
func (s *scene) crossAt(x []r3.Vec, ij [2]int32, o *obstacle, y []r3.Vec) bool {
	i, j := int(ij[0]), int(ij[1])
	u := s.moving.prim[i]
	a := [3]r3.Vec{x[u[0]], x[u[1]], x[u[2]]}
	switch {
	case o == nil:
		v := s.moving.prim[j]
		b := [3]r3.Vec{x[v[0]], x[v[1]], x[v[2]]}
		if max(i, j) < s.moving.faces {
			return meets(&a, &b) && geom.MeshTriangles(x, u, v)
		}
		return !holds(&u, v[0]) && !holds(&u, v[1]) && !holds(&u, v[2]) &&
			pierces(&a, s.moving.sides(i), &b, s.moving.sides(j))
	case o.Field == nil:
		v := &o.surface.prim[j]
		b := [3]r3.Vec{y[v[0]], y[v[1]], y[v[2]]}
		if i < s.moving.faces && j < o.surface.faces {
			return meets(&a, &b) && geom.Triangles(a, b)
		}
		return pierces(&a, s.moving.sides(i), &b, o.surface.sides(j))
	case j < len(o.surface.edge):
		e := o.surface.edge[j]
		return pierces(&a, s.moving.sides(i), &[3]r3.Vec{y[e[0]], y[e[1]], y[e[1]]}, 2)
	}
	return false
}

// pierces reports whether one of two primitives, with so many corners, is a triangle and the other an edge through it.
func pierces(a *[3]r3.Vec, sidesA int, b *[3]r3.Vec, sidesB int) bool {
	switch {
	case sidesA == 3 && sidesB == 2:
		return meets(a, b) && geom.SegmentTriangle(b[0], b[1], a[0], a[1], a[2])
	case sidesA == 2 && sidesB == 3:
		return meets(a, b) && geom.SegmentTriangle(a[0], a[1], b[0], b[1], b[2])
	}
	return false
}

// meets reports whether the boxes around two triangles share a point.
func meets(a, b *[3]r3.Vec) bool {
	return max(a[0].X, a[1].X, a[2].X) >= min(b[0].X, b[1].X, b[2].X) &&
		max(b[0].X, b[1].X, b[2].X) >= min(a[0].X, a[1].X, a[2].X) &&
		max(a[0].Y, a[1].Y, a[2].Y) >= min(b[0].Y, b[1].Y, b[2].Y) &&
		max(b[0].Y, b[1].Y, b[2].Y) >= min(a[0].Y, a[1].Y, a[2].Y) &&
		max(a[0].Z, a[1].Z, a[2].Z) >= min(b[0].Z, b[1].Z, b[2].Z) &&
		max(b[0].Z, b[1].Z, b[2].Z) >= min(a[0].Z, a[1].Z, a[2].Z)
}

// tangledPair reports whether a pair belongs to what crosses at the start.
func (s *scene) tangledPair(k *pair) bool {
	if o := s.obstacle(k); o != nil {
		return len(o.tangled) > 0 &&
			(k.p.led == None && k.firstMarked(o.tangled) || k.q.led == None && k.secondMarked(o.tangled))
	}
	return len(s.tangled) > 0 && k.firstMarked(s.tangled) && k.secondMarked(s.tangled)
}

// firstMarked and secondMarked report whether a point of a feature is marked.
func (k *pair) firstMarked(marks []bool) bool {
	if k.edges {
		return marks[k.p.edge[k.i][0]] || marks[k.p.edge[k.i][1]]
	}
	return marks[k.i]
}

func (k *pair) secondMarked(marks []bool) bool {
	if k.edges {
		return marks[k.q.edge[k.j][0]] || marks[k.q.edge[k.j][1]]
	}
	return anyMarked(marks, k.q.prim[k.j])
}

func anyMarked(marks []bool, v [3]int32) bool { return marks[v[0]] || marks[v[1]] || marks[v[2]] }

// mark marks the points of pairs that cross at the start, and counts these.
func (s *scene) mark(marks *[]bool, pairs [][2]int32, o *obstacle) (count int) {
	y := s.moving.x0
	if o != nil {
		y = o.x0
	}
	for _, ij := range pairs {
		if !s.crossAt(s.moving.x0, ij, o, y) {
			continue
		}
		if len(*marks) == 0 {
			*marks = append(*marks, make([]bool, len(s.skinOf))...)
		}
		count++
		for _, v := range s.moving.prim[ij[0]] {
			(*marks)[v] = true
		}
		if o == nil {
			for _, v := range s.moving.prim[ij[1]] {
				(*marks)[v] = true
			}
		}
	}
	return count
}

// markTangled marks what crosses at the start of the step, and counts it.
func (s *scene) markTangled() int {
	s.knots = 0
	if s.Self {
		s.knots += s.mark(&s.tangled, s.selfPairs, nil)
	}
	for _, o := range s.obstacles {
		if !o.bare() && len(s.moving.prim) > 0 {
			s.knots += s.mark(&o.tangled, o.pairs, o)
		}
	}
	return s.knots
}

// widen marks what is around the marks: within as many edges as a distance takes at their mean length, and two more.
func (s *scene) widen(distance float64) {
	mean, known := 0.0, 0
	for _, l := range s.rest.length {
		if !math.IsInf(l, 1) {
			known++
		}
	}
	for _, l := range s.rest.length {
		if !math.IsInf(l, 1) {
			mean += l / float64(known)
		}
	}
	rings := 2 + int(min(distance/mean, widest))
	s.tangled = s.dilate(s.tangled, rings)
	for _, o := range s.obstacles {
		o.tangled = s.dilate(o.tangled, rings)
	}
}

// widest bounds the edges that a distance takes.
const widest = 20

// dilate marks the neighbours of marked vertices, as often as there are rings.
func (s *scene) dilate(marks []bool, rings int) []bool {
	if len(marks) == 0 {
		return marks
	}
	for range rings {
		was := slices.Clone(marks)
		for _, e := range s.moving.edge {
			marks[e[0]] = marks[e[0]] || was[e[1]]
			marks[e[1]] = marks[e[1]] || was[e[0]]
		}
	}
	return marks
}
