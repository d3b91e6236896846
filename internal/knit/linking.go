package knit

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Linking returns the Gauss integral of two polylines,
//
//	1/(4 pi) sum of (yA - yB) . (dyA x dyB)/|yA - yB|^3,
//
// exactly, pair by pair of their segments. Of two closed lines that do not touch it is their linking number, an integer
// to rounding: half the sum of the signs of their crossings. Of open lines it is a number that changes smoothly as they
// move, and jumps by 1 when they pass through each other. It takes time in proportion to the product of their lengths.
func Linking(a, b []r3.Vec, aClosed, bClosed bool) float64 {
	sum := 0.0
	eachSegment(a, aClosed, func(a0, a1 r3.Vec) {
		eachSegment(b, bClosed, func(b0, b1 r3.Vec) { sum += solidAngle(a0, a1, b0, b1) })
	})
	return sum / (4 * math.Pi)
}

func eachSegment(points []r3.Vec, closed bool, do func(p, q r3.Vec)) {
	for i := 1; i < len(points); i++ {
		do(points[i-1], points[i])
	}
	if n := len(points); closed && n > 1 {
		do(points[n-1], points[0])
	}
}

// solidAngle returns the Gauss integral of two segments, signed as their crossing: the area on the unit sphere of the
// directions from one to the other, a quadrilateral of great circles.
func solidAngle(a0, a1, b0, b1 r3.Vec) float64 {
	corners := [4]r3.Vec{b0.Sub(a0), b0.Sub(a1), b1.Sub(a1), b1.Sub(a0)}
	sum := 0.0
	for _, triangle := range [2][3]r3.Vec{{corners[0], corners[1], corners[2]}, {corners[0], corners[2], corners[3]}} {
		sum += triangleAngle(triangle[0], triangle[1], triangle[2])
	}
	return sum
}

// triangleAngle returns the signed solid angle of a triangle with corners at a, b and c, seen from the origin.
func triangleAngle(a, b, c r3.Vec) float64 {
	la, lb, lc := a.Norm(), b.Norm(), c.Norm()
	up := a.Dot(b.Cross(c))
	down := la*lb*lc + a.Dot(b)*lc + b.Dot(c)*la + c.Dot(a)*lb
	if up == 0 {
		return 0
	}
	return 2 * math.Atan2(up, down)
}

// Polyline returns points on the spline of a yarn, n of them in each segment, from the positions of all control points.
func (f *Fabric) Polyline(points []r3.Vec, yarn, n int) []r3.Vec {
	c := &f.curves[yarn]
	count := c.segments() * n
	if !c.closed {
		count++
	}
	line := make([]r3.Vec, count)
	for i := range line {
		line[i], _, _ = c.eval(points, float64(i)/float64(n))
	}
	return line
}
