package detect

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// What crosses at the start of a step.

// crossAt is pierceAt for what must not cross: all but smooth skins with others.
func (s *scene) crossAt(x []r3.Vec, ij [2]int32, o *obstacle, y []r3.Vec) bool {
	return !s.smoothPrims(ij, o) && s.pierceAt(x, ij, o, y) && !s.flush(x, ij, o, y)
}

// flush reports whether two triangles that cross overlap by no more than a rounding of where they were put. That is
// asked at the start; and always of bodies that both have an inside, which tells them the way back: where they are
// jammed or held, nothing opens the gap that they started with.
func (s *scene) flush(x []r3.Vec, ij [2]int32, o *obstacle, y []r3.Vec) bool {
	i, j := ij[0], ij[1]
	other := &s.moving
	if o != nil {
		other = &o.side
	}
	if o != nil && o.Field != nil || int(i) >= s.moving.faces || int(j) >= other.faces {
		return false
	}
	u, v := s.moving.prim[i], other.prim[j]
	if !s.Start && (s.outwardAt(&s.moving, u[0]) == 0 || s.outwardAt(other, v[0]) == 0) {
		return false
	}
	if o == nil && s.skinOf[u[0]] == s.skinOf[v[0]] {
		return false
	}
	a, b := [3]r3.Vec{x[u[0]], x[u[1]], x[u[2]]}, [3]r3.Vec{y[v[0]], y[v[1]], y[v[2]]}
	return geom.TriangleDepth(a, b) <= s.roundingOf(u[0], other, v[0])
}

// pierceAt reports whether primitive i of moving skins at x crosses j: another of them or, of an obstacle at y, a
// primitive, or the segment or point of a shape.
func (s *scene) pierceAt(x []r3.Vec, ij [2]int32, o *obstacle, y []r3.Vec) bool {
	i, j := int(ij[0]), int(ij[1])
	switch {
	case o == nil:
		return s.crossEachOther(x, i, j)
	case o.Field == nil:
		u, v := s.moving.prim[i], o.surface.prim[j]
		if !meets(x, &u, y, &v) {
			return false
		}
		a, b := [3]r3.Vec{x[u[0]], x[u[1]], x[u[2]]}, [3]r3.Vec{y[v[0]], y[v[1]], y[v[2]]}
		if i < s.moving.faces && j < o.surface.faces {
			return geom.Triangles(a, b)
		}
		return pierces(&a, s.moving.sides(i), &b, o.surface.sides(j))
	case j < len(o.surface.edge) && i < s.moving.faces:
		u, e := s.moving.prim[i], o.surface.edge[j]
		return meets(x, &u, y, &[3]int32{e[0], e[1], e[1]}) &&
			geom.SegmentTriangle(y[e[0]], y[e[1]], x[u[0]], x[u[1]], x[u[2]])
	}
	return false
}

// crossEachOther reports whether two primitives of moving skins cross.
func (s *scene) crossEachOther(x []r3.Vec, i, j int) bool {
	u, v := &s.moving.prim[i], &s.moving.prim[j]
	switch {
	case !meets(x, u, x, v):
		return false
	case max(i, j) < s.moving.faces:
		return geom.MeshTriangles(x, *u, *v)
	case holds(u, v[0]) || holds(u, v[1]) || holds(u, v[2]):
		return false
	}
	a, b := [3]r3.Vec{x[u[0]], x[u[1]], x[u[2]]}, [3]r3.Vec{x[v[0]], x[v[1]], x[v[2]]}
	return pierces(&a, s.moving.sides(i), &b, s.moving.sides(j))
}

// pierces reports whether one of two primitives, with so many corners, is a triangle and the other an edge through it.
func pierces(a *[3]r3.Vec, sidesA int, b *[3]r3.Vec, sidesB int) bool {
	switch {
	case sidesA == 3 && sidesB == 2:
		return geom.SegmentTriangle(b[0], b[1], a[0], a[1], a[2])
	case sidesA == 2 && sidesB == 3:
		return geom.SegmentTriangle(a[0], a[1], b[0], b[1], b[2])
	}
	return false
}

// meets reports whether the boxes around two primitives, u of x and v of y, share a point.
func meets(x []r3.Vec, u *[3]int32, y []r3.Vec, v *[3]int32) bool {
	a, b, c := &x[u[0]], &x[u[1]], &x[u[2]]
	p, q, r := &y[v[0]], &y[v[1]], &y[v[2]]
	return max(a.X, b.X, c.X) >= min(p.X, q.X, r.X) && max(p.X, q.X, r.X) >= min(a.X, b.X, c.X) &&
		max(a.Y, b.Y, c.Y) >= min(p.Y, q.Y, r.Y) && max(p.Y, q.Y, r.Y) >= min(a.Y, b.Y, c.Y) &&
		max(a.Z, b.Z, c.Z) >= min(p.Z, q.Z, r.Z) && max(p.Z, q.Z, r.Z) >= min(a.Z, b.Z, c.Z)
}

// tangledPair reports whether a pair belongs to what crosses at the start.
func (s *scene) tangledPair(k *pair) bool {
	if o := s.obstacle(k); o != nil {
		first, second := k.p.led == contact.None, k.q.led == contact.None
		return len(o.tangled) > 0 && (first && k.firstMarked(o.tangled) || second && k.secondMarked(o.tangled))
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
