package geom

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Crossing tests by the exact signs of Orient3 alone; the order of two points on the line in which two planes
// meet is again a sign of Orient3 [DevillersGuigue02]. No tolerance, no division.
//
// The rule for touching:
//
//   - Two triangles cross when their interiors share a point and they do not lie in one plane. Touching at a
//     corner, along an edge, or corner on face is not crossing.
//   - Triangles in one plane never cross, overlapping or not: a sheet that lies on another with no gap has not
//     gone through it. A triangle without area has no interior and never crosses.
//   - A segment crosses a triangle when its ends lie strictly on opposite sides of the plane and it meets the
//     triangle, border included: going exactly through an edge counts for both triangles there, because a
//     surface has no slit along its edges. A segment that ends on the plane, or lies in it, only touches.
//   - A shared corner or edge is touching like any other, so neighbours in a mesh need no exception: two
//     triangles at a corner cross when one's far edge runs through the other; two at an edge never cross.
//     FoldedFlat tells the one state in which they share more than the edge.
//
// Departure from the source: it decides whether closed triangles meet; the rule above is about interiors, so
// every comparison is strict and planes that coincide need no further work.

// SegmentTriangle reports whether the segment pq crosses the triangle abc: p and q lie strictly on opposite
// sides of its plane, and pq meets its inside or its border.
func SegmentTriangle(p, q, a, b, c r3.Vec) bool {
	if Orient3(a, b, c, p)*Orient3(a, b, c, q) >= 0 {
		return false
	}
	first, second := Orient3(p, q, a, b), Orient3(p, q, b, c)
	if first*second < 0 {
		return false
	}
	third := Orient3(p, q, c, a)
	return first*third >= 0 && second*third >= 0
}

// Triangles reports whether the interiors of two triangles cross. Corners they share are touching.
func Triangles(a, b [3]r3.Vec) bool {
	a0, a1, a2 := Orient3(b[0], b[1], b[2], a[0]), Orient3(b[0], b[1], b[2], a[1]), Orient3(b[0], b[1], b[2], a[2])
	if !straddles(a0, a1, a2) {
		return false
	}
	b0, b1, b2 := Orient3(a[0], a[1], a[2], b[0]), Orient3(a[0], a[1], a[2], b[1]), Orient3(a[0], a[1], a[2], b[2])
	return straddles(b0, b1, b2) && intervalsOverlap(a, b, a0, a1, a2, b0, b1, b2)
}

// TrianglesAtCorner reports whether the interiors of the triangles (corner, a1, a2) and (corner, b1, b2) cross.
// It answers as Triangles does, without asking what the shared corner already tells.
func TrianglesAtCorner(corner, a1, a2, b1, b2 r3.Vec) bool {
	s1, s2 := Orient3(corner, b1, b2, a1), Orient3(corner, b1, b2, a2)
	if s1*s2 >= 0 {
		return false
	}
	t1, t2 := Orient3(corner, a1, a2, b1), Orient3(corner, a1, a2, b2)
	if t1*t2 >= 0 {
		return false
	}
	return intervalsOverlap([3]r3.Vec{corner, a1, a2}, [3]r3.Vec{corner, b1, b2}, 0, s1, s2, 0, t1, t2)
}

// FoldedFlat reports whether the triangles (e0, e1, a) and (e1, e0, b), which share the edge e0 e1, lie in one
// plane on the same side of that edge, so that they overlap. Otherwise they meet in the edge alone.
func FoldedFlat(e0, e1, a, b r3.Vec) bool {
	if Orient3(e0, e1, a, b) != 0 {
		return false
	}
	// In a plane, sides of a line can be told in any projection that keeps the triangle e0 e1 a open.
	for axis := range 3 {
		p, q := flatten(e0, axis), flatten(e1, axis)
		if side := Orient2(p, q, flatten(a, axis)); side != 0 {
			return side == Orient2(p, q, flatten(b, axis))
		}
	}
	return false
}

// MeshTriangles reports whether two triangles of one mesh cross, given by the indices of their corners in pos.
// Corners with one index are shared; two triangles with a common edge never cross.
func MeshTriangles(pos []r3.Vec, a, b [3]int32) bool {
	shared, inA, inB := 0, 0, 0
	for i, v := range a {
		for j, w := range b {
			if v == w {
				shared, inA, inB = shared+1, i, j
			}
		}
	}
	switch shared {
	case 0:
		return Triangles([3]r3.Vec{pos[a[0]], pos[a[1]], pos[a[2]]}, [3]r3.Vec{pos[b[0]], pos[b[1]], pos[b[2]]})
	case 1:
		return TrianglesAtCorner(pos[a[inA]],
			pos[a[(inA+1)%3]], pos[a[(inA+2)%3]], pos[b[(inB+1)%3]], pos[b[(inB+2)%3]])
	}
	return false
}

// TriangleDepth returns how far two triangles must at least be moved to come apart, 0 if they are: the least overlap of
// their projections on the normals of both and on the cross products of their edges. It is inexact.
func TriangleDepth(a, b [3]r3.Vec) float64 {
	depth := math.Inf(1)
	along := func(axis r3.Vec) {
		length := axis.Norm()
		if !(length > 0) {
			return
		}
		lowA, highA := extent(a, axis, a[0])
		lowB, highB := extent(b, axis, a[0])
		depth = min(depth, max(0, min(highA-lowB, highB-lowA)/length))
	}
	var e, f [3]r3.Vec
	for k := range 3 {
		e[k], f[k] = a[(k+1)%3].Sub(a[k]), b[(k+1)%3].Sub(b[k])
	}
	along(e[0].Cross(e[1]))
	along(f[0].Cross(f[1]))
	for _, u := range e {
		for _, v := range f {
			along(u.Cross(v))
		}
	}
	return depth
}

// extent returns the least and the greatest projection of corners, from an origin, on an axis.
func extent(v [3]r3.Vec, axis, from r3.Vec) (low, high float64) {
	p, q, r := axis.Dot(v[0].Sub(from)), axis.Dot(v[1].Sub(from)), axis.Dot(v[2].Sub(from))
	return min(p, q, r), max(p, q, r)
}

// straddles reports whether corners with these signs lie strictly on both sides of a plane.
func straddles(a, b, c int) bool {
	return min(a, b, c) < 0 && max(a, b, c) > 0
}

// intervalsOverlap finishes Triangles: each triangle straddles the other's plane, so each cuts the common line of the
// planes in an interval of positive length; they cross when these overlap in more than a point. With the corner
// that is alone on its side put first, and both first corners on the positive sides, the intervals run from
// edge p q to edge p r and from edge k l to edge k m in opposite senses, and two signs compare their ends.
func intervalsOverlap(a, b [3]r3.Vec, a0, a1, a2, b0, b1, b2 int) bool {
	p, q, r, flipB := alone(a, a0, a1, a2)
	k, l, m, flipA := alone(b, b0, b1, b2)
	// Turning one triangle over changes the side on which the other's first corner lies.
	if flipB {
		l, m = m, l
	}
	if flipA {
		q, r = r, q
	}
	return Orient3(p, q, k, l) < 0 && Orient3(p, r, m, k) < 0
}

// alone returns the corners in cyclic order, first the one that has a side of the plane to itself, and whether
// that side is the negative one.
func alone(v [3]r3.Vec, s0, s1, s2 int) (p, q, r r3.Vec, negative bool) {
	side := 1
	if positives := max(s0, 0) + max(s1, 0) + max(s2, 0); positives > 1 {
		side = -1
	}
	switch side {
	case s0:
		return v[0], v[1], v[2], side < 0
	case s1:
		return v[1], v[2], v[0], side < 0
	}
	return v[2], v[0], v[1], side < 0
}

// flatten drops a coordinate, keeping the others in cyclic order.
func flatten(a r3.Vec, axis int) r3.Vec2 {
	switch axis {
	case 0:
		return r3.Vec2{X: a.Y, Y: a.Z}
	case 1:
		return r3.Vec2{X: a.Z, Y: a.X}
	}
	return r3.Vec2{X: a.X, Y: a.Y}
}
