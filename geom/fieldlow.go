package geom

// Where a segment or a triangle comes nearest to a shape, or goes deepest into it.
//
// The shapes of this package are convex, and so is the signed distance d of a convex shape. On a segment x(s) = a + s u its slope n·u only grows with s:
// where it changes sign is the minimum, and two tangents bound d from below between the points that they belong to. A triangle is the union of segments that are parallel to
// one side. The least distance g of each is convex in the place of its start, too, and has the slope that d has at the least point, along the way on which that point's share of the
// segment stays what it is. So the same search finds the segment.
//
// At an edge of a shape, and on the ridges that its distance has inside, slopes are those of one side, and the search may end beside the minimum: what crosses
// an edge has a contact with it, and what is inside need not be the deepest.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Low is a point of a segment or a triangle.
type Low struct {
	W r3.Vec  // weights of the corners, which add up to 1; the third of a segment is 0
	D float64 // signed distance [m]
	N r3.Vec  // its gradient
}

// lineSteps is the number of points that a search asks for, at most: halving alone is done in half of them.
const lineSteps = 40

// LowestOnSegment returns a point of the segment ab whose distance to a convex shape is the least there is, or at most close above it [m]. It may return another
// one where all are above the given distance [m].
func LowestOnSegment(f Field, a, b r3.Vec, above, close float64) Low {
	u := b.Sub(a)
	return lowest(func(s float64) linePoint {
		d, n := f.Distance(a.AddScaled(s, u))
		return linePoint{s, n.Dot(u), Low{r3.V(1-s, s, 0), d, n}}
	}, above, close)
}

// LowestOnTriangle is LowestOnSegment for the triangle abc.
func LowestOnTriangle(f Field, a, b, c r3.Vec, above, close float64) Low {
	x := [3]r3.Vec{a, b, c}
	best := Low{D: math.Inf(1)}
	bound := math.Inf(-1)
	for i, p := range x {
		d, n := f.Distance(p)
		if d < best.D {
			best = Low{[3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[i], d, n}
		}
		bound = max(bound, d+min(n.Dot(a.Sub(p)), n.Dot(b.Sub(p)), n.Dot(c.Sub(p))))
	}
	if bound >= above || best.D-bound <= close {
		return best
	}
	const inner = 0.1 // how much more exactly segments are searched
	along, across := b.Sub(a), c.Sub(a)
	return lowest(func(s float64) linePoint {
		from := a.AddScaled(s, along)
		l := LowestOnSegment(f, from, from.AddScaled(1-s, across), math.Inf(1), inner*close)
		share := l.W.Y // of the segment, which becomes shorter with s
		if s == 1 && l.N.Dot(across) < 0 {
			share = 1 // it is a point, and next to it this is lower
		}
		l.W = r3.V((1-s)*(1-share), s, (1-s)*share)
		return linePoint{s, l.N.Dot(along.AddScaled(-share, across)), l}
	}, above, close)
}

// linePoint is a point of a line, with the slope of the distance there.
type linePoint struct {
	s, slope float64
	low      Low
}

// lowest returns the lowest of the points that at gives for s from 0 to 1.
func lowest(at func(s float64) linePoint, above, close float64) Low {
	from, to := at(0), at(1)
	for step := range lineSteps {
		if from.slope >= 0 {
			return from.low
		}
		if to.slope <= 0 {
			return to.low
		}
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
		if middle := at(next); middle.slope < 0 {
			from = middle
		} else {
			to = middle
		}
	}
	if to.low.D < from.low.D {
		return to.low
	}
	return from.low
}
