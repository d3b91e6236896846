package layouts

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// stitchPoints is how many control points a loop has.
const stitchPoints = 8

// Stockinette returns the control points of plain knitting in the xy plane, of yarn of the given radius [m]: a yarn for
// each course, course after course, with as many loops as there are wales. It is for pictures and files to be tried
// with; nothing is at rest.
func Stockinette(wales, courses int, radius float64) (points []r3.Vec, counts []int32) {
	thick := 2 * radius
	for course := range courses {
		for i := range wales * stitchPoints {
			t := 2 * math.Pi * (float64(i) + 0.5) / stitchPoints
			points = append(points, r3.V(
				thick/1.6*(t+1.5*math.Sin(2*t)),
				thick*(3.4375*float64(course)-2.8125*math.Cos(t)),
				0.78125*thick*stitchHeight(t),
			))
		}
		counts = append(counts, int32(wales*stitchPoints))
	}
	return points, counts
}

// stitchHeight is above the plane, in 0.78 diameters, where a leg passes over the head below and the foot above, and
// below it at heads and feet.
func stitchHeight(t float64) float64 {
	t = math.Mod(t, 2*math.Pi)
	along := min(t, 2*math.Pi-t) / math.Pi // 0 at a sinker, 1 at a head
	rise := func(from, to float64) float64 {
		s := max(0, min(1, (along-from)/(to-from)))
		return s * s * (3 - 2*s)
	}
	return 2*rise(0.0887, 0.4157) - 2*rise(0.5837, 0.9107) - 1
}
