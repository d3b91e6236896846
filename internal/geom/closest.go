package geom

import "github.com/toile-sim/toile/r3"

// Closest points of points, edges and triangles, in the manner of [Ericson05] section 5.1: solve for the
// unconstrained foot, accept it when it lies inside, and otherwise look at the border.
//
//	foot of p in the plane of abc:  weights (n.((b-p)x(c-p)), n.((c-p)x(a-p)), n.((a-p)x(b-p)))/n², n = (b-a)x(c-a)
//	feet of two lines a + s u, c + t v:  s = ((c-a)xv).n/n², t = ((c-a)xu).n/n²,  n = u x v
//
// Departures from the source: all determinants are cross products, whose error grows as 1/sin of the angle
// rather than 1/sin² as that of u²v²-(u.v)²; and where that angle is below skinny the inside is not believed
// alone but compared with every part of the border, so that needles, parallel edges, and triangles and edges
// without extent need no case of their own.
//
// Invariants: weights and parameters lie in [0, 1] and weights sum to one; the squared distance is that of the
// points they name; no input that is finite, and whose fourth powers are, gives NaN.

// Feature names the part of a triangle or of a pair of edges on which a closest point lies.
type Feature uint8

// The parts of a triangle abc.
const (
	Inside Feature = iota
	EdgeAB
	EdgeBC
	EdgeCA
	CornerA
	CornerB
	CornerC
)

// skinny is the squared sine below which an angle is too small for the inside to be trusted alone.
const skinny = 1e-12

// PointEdge returns the parameter t in [0, 1] of the point a + t (b-a) of the edge closest to p, and the
// squared distance [m²].
func PointEdge(p, a, b r3.Vec) (t, dist2 float64) {
	edge, w := b.Sub(a), p.Sub(a)
	t = w.Dot(edge)
	length2 := edge.Norm2()
	switch {
	case !(t > 0):
		return 0, w.Norm2()
	case t >= length2:
		return 1, p.Sub(b).Norm2()
	}
	t /= length2
	return t, w.AddScaled(-t, edge).Norm2()
}

// PointTriangle returns the weights of a, b and c (in X, Y and Z) at the point of the triangle closest to p,
// the feature on which it lies, and the squared distance [m²].
func PointTriangle(p, a, b, c r3.Vec) (weights r3.Vec, on Feature, dist2 float64) {
	ab, ac, ap := b.Sub(a), c.Sub(a), p.Sub(a)
	n := ab.Cross(ac)
	n2 := n.Norm2()
	span := ab.Norm2() * ac.Norm2()
	v := ap.Cross(ac).Dot(n)
	w := ab.Cross(ap).Dot(n)
	inside := v > 0 && w > 0 && v+w < n2
	if inside {
		v, w = v/n2, w/n2
		weights = r3.Vec{X: 1 - v - w, Y: v, Z: w}
		dist2 = ap.AddScaled(-v, ab).AddScaled(-w, ac).Norm2()
		if n2 > skinny*span && weights.X > 0 {
			return weights, Inside, dist2
		}
		inside = weights.X > 0
	}
	edgeWeights, edgeOn, edgeDist2 := pointBorder(p, a, b, c)
	if inside && dist2 < edgeDist2 {
		return weights, Inside, dist2
	}
	return edgeWeights, edgeOn, edgeDist2
}

// pointBorder returns the closest point on the three edges of a triangle.
func pointBorder(p, a, b, c r3.Vec) (weights r3.Vec, on Feature, dist2 float64) {
	t, dist2 := PointEdge(p, a, b)
	weights, on = r3.Vec{X: 1 - t, Y: t}, EdgeAB
	if t, d := PointEdge(p, b, c); d < dist2 {
		weights, on, dist2 = r3.Vec{Y: 1 - t, Z: t}, EdgeBC, d
	}
	if t, d := PointEdge(p, c, a); d < dist2 {
		weights, on, dist2 = r3.Vec{Z: 1 - t, X: t}, EdgeCA, d
	}
	switch {
	case weights.X == 1:
		on = CornerA
	case weights.Y == 1:
		on = CornerB
	case weights.Z == 1:
		on = CornerC
	}
	return weights, on, dist2
}

// EdgeEdge returns the parameters of the closest points a + s (b-a) and c + t (d-c) of two edges, each in
// [0, 1], and the squared distance [m²]. Parallel edges have many closest pairs: one with an end in it is
// returned, the first in the order a, b, c, d.
func EdgeEdge(a, b, c, d r3.Vec) (s, t, dist2 float64) {
	u, v, w := b.Sub(a), d.Sub(c), c.Sub(a)
	n := u.Cross(v)
	n2 := n.Norm2()
	span := u.Norm2() * v.Norm2()
	s = w.Cross(v).Dot(n)
	t = w.Cross(u).Dot(n)
	inside := s > 0 && s < n2 && t > 0 && t < n2
	if inside {
		s, t = s/n2, t/n2
		dist2 = w.AddScaled(-s, u).AddScaled(t, v).Norm2()
		if n2 > skinny*span {
			return s, t, dist2
		}
	}
	es, et, ed := edgeEnds(a, b, c, d)
	if inside && dist2 < ed {
		return s, t, dist2
	}
	return es, et, ed
}

// edgeEnds returns the closest pair of which one point is an end of its edge.
func edgeEnds(a, b, c, d r3.Vec) (s, t, dist2 float64) {
	t, dist2 = PointEdge(a, c, d)
	if t1, d1 := PointEdge(b, c, d); d1 < dist2 {
		s, t, dist2 = 1, t1, d1
	}
	if s1, d1 := PointEdge(c, a, b); d1 < dist2 {
		s, t, dist2 = s1, 0, d1
	}
	if s1, d1 := PointEdge(d, a, b); d1 < dist2 {
		s, t, dist2 = s1, 1, d1
	}
	return s, t, dist2
}

// EdgeTriangle returns the squared distance of the edge ab and a triangle [m²]: 0 if they cross, by the rule of
// SegmentTriangle.
func EdgeTriangle(a, b r3.Vec, t *[3]r3.Vec) (dist2 float64) {
	if SegmentTriangle(a, b, t[0], t[1], t[2]) {
		return 0
	}
	_, _, dist2 = PointTriangle(a, t[0], t[1], t[2])
	_, _, d := PointTriangle(b, t[0], t[1], t[2])
	dist2 = min(dist2, d)
	for k := range 3 {
		_, _, d := EdgeEdge(a, b, t[k], t[(k+1)%3])
		dist2 = min(dist2, d)
	}
	return dist2
}

// Field is what is asked here of a closed shape: the signed distance d of x to its surface [m], negative inside, with
// the outward unit normal n, the gradient of d, and a box around it.
type Field interface {
	Distance(x r3.Vec) (d float64, n r3.Vec)
	Bounds() r3.Box
}

// ClosestOn returns the point of the surface of f that is nearest to x, one of them if there are several.
func ClosestOn(f Field, x r3.Vec) r3.Vec {
	d, n := f.Distance(x)
	return x.AddScaled(-d, n)
}
