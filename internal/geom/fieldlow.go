package geom

// Where a segment or a triangle comes nearest to a shape, or goes deepest into it.
//
// The shapes of this package are convex, and so is the signed distance d of a convex shape, outside and inside: a
// tangent bounds it from below, also one of several where it has an edge. On a segment the slope of tangents only
// grows: where it changes sign is the minimum, and two tangents bound d from below between the points that they belong
// to. A triangle is the union of segments that are parallel to one side. The least distance g of each is convex in the
// place of its start, too, and the tangents at both ends of the bracket that a search on the segment ends with, mixed
// so that the mix has no slope along it, are a tangent of g. So the same search finds the segment, whatever edges the
// shape has.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Low is a point of a triangle.
type Low struct {
	W r3.Vec  // weights of the corners, which add up to 1
	D float64 // signed distance [m]
	N r3.Vec  // its gradient
	// Tangent is the gradient of a tangent that proves it: with p the point, d(x) ≥ D − close + Tangent·(x − p) for all
	// x in space, and Tangent·(x − p) ≥ −close on the triangle, unless all of that is above what was asked for. It is N
	// at a smooth place that was found exactly, and a mix of several N elsewhere.
	Tangent r3.Vec
}

// lineSteps is the number of points that a search asks for, at most: halving alone is done in half of them.
const lineSteps = 40

// lowestOnSegment is LowestOnTriangle for the segment ab, with the tangent that proves it.
func lowestOnSegment(f Field, a, b r3.Vec, above, close float64) (Low, tangent) {
	u := b.Sub(a)
	return lowest(func(s float64) linePoint {
		d, n := f.Distance(a.AddScaled(s, u))
		return linePoint{s, n.Dot(u), Low{W: r3.V(1-s, s, 0), D: d, N: n}, n}
	}, above, close)
}

// BelowTriangle returns a distance that no point of the triangle abc is below, to a convex shape [m]: what tangents at
// the corners tell.
func BelowTriangle(f Field, a, b, c r3.Vec) float64 {
	_, bound, _ := atCorners(f, a, b, c)
	return bound
}

// atCorners returns the lowest corner, and the best bound by tangents at corners, with the gradient of that tangent.
func atCorners(f Field, a, b, c r3.Vec) (best Low, bound float64, tangent r3.Vec) {
	x := [3]r3.Vec{a, b, c}
	best.D, bound = math.Inf(1), math.Inf(-1)
	var mean, gradient r3.Vec // of the tangents at the corners: at the corners, and in space. It bounds like each of them.
	for i, p := range x {
		d, n := f.Distance(p)
		if d < best.D {
			best = Low{W: [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[i], D: d, N: n}
		}
		at := r3.V(d+n.Dot(a.Sub(p)), d+n.Dot(b.Sub(p)), d+n.Dot(c.Sub(p)))
		if least := min(at.X, at.Y, at.Z); least > bound {
			bound, tangent = least, n
		}
		mean, gradient = mean.AddScaled(1./3, at), gradient.AddScaled(1./3, n)
	}
	if least := min(mean.X, mean.Y, mean.Z); least > bound {
		bound, tangent = least, gradient
	}
	return best, bound, tangent
}

// LowestOnTriangle returns a point of the triangle abc whose distance to a convex shape is the least there is, or at
// most close above it [m]. It may return another one where all are above the given distance [m].
func LowestOnTriangle(f Field, a, b, c r3.Vec, above, close float64) Low {
	best, bound, tangent := atCorners(f, a, b, c)
	if bound >= above || best.D-bound <= close {
		best.Tangent = tangent
		return best
	}
	const inner = 0.1 // how much more exactly segments are searched
	along, across := b.Sub(a), c.Sub(a)
	low, t := lowest(func(s float64) linePoint {
		from := a.AddScaled(s, along)
		l, t := lowestOnSegment(f, from, from.AddScaled(1-s, across), math.Inf(1), inner*close)
		l.W = r3.V((1-s)*l.W.X, s, (1-s)*l.W.Y)
		share := t.s // of the segment, which becomes shorter with s
		if s == 1 && t.gradient.Dot(across) < 0 {
			share = 1 // it is a point, and next to it this is lower
		}
		return linePoint{s, t.gradient.Dot(along.AddScaled(-share, across)), l, t.gradient}
	}, above, close)
	if best.D < low.D {
		low = best
	}
	low.Tangent = t.gradient
	return low
}

// linePoint is a point of a line, with a tangent of the distance there: its slope along the line, and its gradient in
// space.
type linePoint struct {
	s, slope float64
	low      Low
	gradient r3.Vec
}

// tangent bounds the distances of a line from below. It touches at s or, as a mix of two, is their bound there.
type tangent struct {
	s        float64
	gradient r3.Vec
}

// lowest returns the lowest of the points that at gives for s from 0 to 1, and a tangent that has no slope along the
// line unless the point is an end.
func lowest(at func(s float64) linePoint, above, close float64) (Low, tangent) {
	from, to := at(0), at(1)
	if from.slope >= 0 {
		return from.low, tangent{0, from.gradient}
	}
	if to.slope <= 0 {
		return to.low, tangent{1, to.gradient}
	}
	for step := range lineSteps {
		width := to.s - from.s
		meet := (to.low.D - from.low.D - to.slope*width) / (from.slope - to.slope) // where the tangents do, from the start
		bound := from.low.D + from.slope*meet
		if best := min(from.low.D, to.low.D); bound >= above || best-bound <= close {
			break
		}
		next := from.s + width*from.slope/(from.slope-to.slope)
		if step%2 == 1 {
			next = from.s + width/2
		}
		switch middle := at(next); {
		case middle.slope < 0:
			from = middle
		case middle.slope > 0:
			to = middle
		default:
			return middle.low, tangent{middle.s, middle.gradient}
		}
	}
	share := to.slope / (to.slope - from.slope) // of the first tangent, so that the mix has no slope
	mixed := tangent{from.s, from.gradient.Scale(share).AddScaled(1-share, to.gradient)}
	if to.low.D < from.low.D {
		return to.low, mixed
	}
	return from.low, mixed
}
