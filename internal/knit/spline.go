package knit

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Place is a place on a yarn: a segment, numbered by the control point where it begins, over all yarns, and how far
// along it is, from 0 to 1.
type Place struct {
	Segment int
	At      float64
}

// curve is a yarn as the Catmull-Rom spline through its control points, a range of the points of all yarns. A place on
// it is u, from 0 at its first point, one more with every segment. At the ends of an open yarn the end point stands in
// for the one that is missing.
type curve struct {
	first, count int
	closed       bool
}

// segments returns the number of segments.
func (c *curve) segments() int {
	if c.closed {
		return c.count
	}
	return c.count - 1
}

// split brings u into the range of the curve and returns its segment and the place in it.
func (c *curve) split(u float64) (segment int, w float64) {
	n := c.segments()
	if c.closed {
		u -= float64(n) * math.Floor(u/float64(n))
	}
	segment = min(max(int(math.Floor(u)), 0), n-1)
	return segment, min(max(u-float64(segment), 0), 1)
}

func (c *curve) place(u float64) Place {
	segment, w := c.split(u)
	return Place{c.first + segment, w}
}

func (c *curve) parameter(p Place) float64 { return float64(p.Segment-c.first) + p.At }

// index returns the number of a control point of the curve, for any number i.
func (c *curve) index(i int) int {
	if c.closed {
		return c.first + modulo(i, c.count)
	}
	return c.first + min(max(i, 0), c.count-1)
}

// eval returns the point at u, and its first and second derivative by u.
func (c *curve) eval(points []r3.Vec, u float64) (x, dx, ddx r3.Vec) {
	i, w := c.split(u)
	return catmullRom(points[c.index(i-1)], points[c.index(i)], points[c.index(i+1)], points[c.index(i+2)], w)
}

// catmullRom returns the point at w of the segment from b to c, and its derivatives.
func catmullRom(a, b, c, d r3.Vec, w float64) (x, dx, ddx r3.Vec) {
	linear := c.Sub(a).Scale(0.5)
	square := a.AddScaled(-2.5, b).AddScaled(2, c).AddScaled(-0.5, d)
	cube := d.Sub(a).Scale(0.5).AddScaled(1.5, b).AddScaled(-1.5, c)
	x = b.AddScaled(w, linear).AddScaled(w*w, square).AddScaled(w*w*w, cube)
	dx = linear.AddScaled(2*w, square).AddScaled(3*w*w, cube)
	ddx = square.Scale(2).AddScaled(6*w, cube)
	return x, dx, ddx
}
