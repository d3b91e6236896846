package knit

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Form says how courses become yarns.
type Form uint8

// The forms.
const (
	Flat    Form = iota // a flat piece of one yarn, which runs to and fro
	Courses             // a flat piece with a yarn for each course
	Tube                // courses are closed rings
	Helix               // a tube of one yarn, which winds upwards
)

var formNames = [...]string{"flat", "courses", "tube", "helix"}

// String returns the word for the form.
func (f Form) String() string {
	if int(f) < len(formNames) {
		return formNames[f]
	}
	return fmt.Sprintf("Form(%d)", uint8(f))
}

// round reports whether the last wale is beside the first.
func (f Form) round() bool { return f == Tube || f == Helix }

// Limits of a fabric. A tube of fewer wales bends the loops too much.
const (
	maxLoops     = 1 << 22
	leastTube    = 6
	pointsOfLoop = 8
)

// Options say how a chart is laid out.
type Options struct {
	Wales, Courses int     // size, at least 2 by 1; the chart is repeated
	Radius         float64 // of the yarn [m]
	Form           Form

	// Surface is where the fabric lies. Nil means Plane for flat forms, and for tubes the Cylinder of their
	// circumference. Under a tube it must return to itself after Wales spacings of wales.
	Surface Surface

	// OpenBottom and OpenTop leave the life line out that holds the feet of the first course or the heads of the last.
	OpenBottom, OpenTop bool

	// LoopLength is the yarn in a loop that is wanted [m], between its control points; 0 means as laid. Fabric.Ratio
	// then says how rest lengths are to change.
	LoopLength float64
}

// Validate lists what is wrong with the options.
func (o *Options) Validate() error {
	switch {
	case o.Wales < 2 || o.Courses < 1:
		return fmt.Errorf("knit: %d wales and %d courses; at least 2 and 1 are needed", o.Wales, o.Courses)
	case o.Wales > maxLoops/o.Courses:
		return fmt.Errorf("knit: %d x %d loops are more than %d", o.Wales, o.Courses, maxLoops)
	case !(o.Radius > 0) || math.IsInf(o.Radius, 1):
		return fmt.Errorf("knit: a yarn of radius %v m; it must be positive", o.Radius)
	case o.Form > Helix:
		return fmt.Errorf("knit: %v is no form", o.Form)
	case o.Form.round() && o.Wales < leastTube:
		return fmt.Errorf("knit: a tube of %d wales; at least %d are needed", o.Wales, leastTube)
	case !(o.LoopLength >= 0) || math.IsInf(o.LoopLength, 1):
		return fmt.Errorf("knit: a loop length of %v m; it must be positive, or 0", o.LoopLength)
	}
	return nil
}

// Yarn is one yarn: the control points of a Catmull-Rom spline [m].
type Yarn struct {
	Points []r3.Vec
	Closed bool // the last point is joined to the first
}

// Glue holds two control points at a distance. No point is in two of them.
type Glue struct {
	A, B   int
	Length float64 // as laid [m]
}

// Fabric is a chart laid out in space. Control points and segments are numbered over all yarns, one after the other; a
// segment has the number of the point where it begins.
type Fabric struct {
	Form           Form
	Wales, Courses int
	Radius         float64    // [m]
	Yarns          []Yarn     // first those of the courses, from the cast on, then the life lines, bottom and top
	Crossings      []Crossing // as laid: four of each loop with the loop above, then those in cables and of life lines
	Glue           []Glue     // ends of yarns, which would slip out
	Ratio          []float64  // wanted over laid length of the segment at each point; nil without a LoopLength

	curves []curve
	lines  [2]int  // the yarns that are life lines, at the bottom and at the top; 0 if one is left out
	first  []int32 // of a loop, course by course: its first control point
	size   []uint8 // of a loop: how many control points it has
	loop   []int32 // of a control point: the loop it belongs to, or is nearest to
}

// Loop returns the yarn of a loop, the first of its control points and how many they are: eight, or more in a course
// with cables. Where a flat yarn runs to the left, in every second course, the first is the rightmost.
func (f *Fabric) Loop(wale, course int) (yarn, first, count int) {
	switch f.Form {
	case Courses, Tube:
		yarn = course
	}
	loop := course*f.Wales + wale
	return yarn, int(f.first[loop]), int(f.size[loop])
}

// LoopOf returns the loop that a control point belongs to. Points between courses, ends and life lines belong to a loop
// beside them.
func (f *Fabric) LoopOf(point int) (wale, course int) {
	return int(f.loop[point]) % f.Wales, int(f.loop[point]) / f.Wales
}

// Points returns the control points of all yarns, one after the other.
func (f *Fabric) Points() []r3.Vec {
	points := make([]r3.Vec, 0, len(f.loop))
	for _, y := range f.Yarns {
		points = append(points, y.Points...)
	}
	return points
}

// At returns where a place is in the given positions of all control points [m].
func (f *Fabric) At(points []r3.Vec, p Place) r3.Vec {
	c := f.curveOf(p.Segment)
	x, _, _ := c.eval(points, c.parameter(p))
	return x
}

// Segments returns the number of segments of all yarns.
func (f *Fabric) Segments() int {
	n := 0
	for i := range f.curves {
		n += f.curves[i].segments()
	}
	return n
}

// Blocks divides the fabric into blocks of n by n loops, fewer at the right and at the top. It returns the block of
// each control point, and how many blocks there are.
func (f *Fabric) Blocks(n int) (of []int32, count int) {
	across, up := (f.Wales+n-1)/n, (f.Courses+n-1)/n
	of = make([]int32, len(f.loop))
	for i := range of {
		wale, course := f.LoopOf(i)
		of[i] = int32(course/n*across + wale/n)
	}
	return of, across * up
}

// curveOf returns the yarn that a control point belongs to.
func (f *Fabric) curveOf(point int) *curve {
	low, high := 0, len(f.curves)-1
	for low < high {
		if mid := (low + high + 1) / 2; f.curves[mid].first <= point {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return &f.curves[low]
}
