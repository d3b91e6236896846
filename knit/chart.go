package knit

import "strings"

// Stitch is how a loop is pulled through the one below, as seen from the front.
type Stitch int8

// The stitches. Their numbers are the sign that the side of the fabric has in the shape of a loop.
const (
	Knit Stitch = 1  // to the front
	Purl Stitch = -1 // to the back
)

// Chart is a rectangle of stitches, seen from the front. It is repeated to the sides and upwards as often as needed.
type Chart struct {
	wales    int
	stitches []Stitch // course after course from the cast on, each from the left
}

// newChart fills a chart with what the rule says.
func newChart(wales, courses int, rule func(wale, course int) Stitch) *Chart {
	c := &Chart{wales: wales, stitches: make([]Stitch, 0, wales*courses)}
	for j := range courses {
		for i := range wales {
			c.stitches = append(c.stitches, rule(i, j))
		}
	}
	return c
}

// Wales returns the number of stitches in a course.
func (c *Chart) Wales() int { return c.wales }

// Courses returns the number of courses.
func (c *Chart) Courses() int { return len(c.stitches) / c.wales }

// At returns the stitch of a wale and a course, either of which may be any number: the chart repeats.
func (c *Chart) At(wale, course int) Stitch {
	return c.stitches[modulo(course, c.Courses())*c.wales+modulo(wale, c.wales)]
}

// Repeat returns a chart of the given size, at least 1 by 1, that shows this one again and again from its first wale and
// course.
func (c *Chart) Repeat(wales, courses int) *Chart { return newChart(wales, courses, c.At) }

// String writes the chart in the language of Parse, one letter a stitch, the last course on top.
func (c *Chart) String() string {
	var b strings.Builder
	for j := c.Courses() - 1; j >= 0; j-- {
		for i := range c.wales {
			if c.At(i, j) == Knit {
				b.WriteByte('k')
			} else {
				b.WriteByte('p')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// modulo returns the remainder of a in [0, n).
func modulo(a, n int) int { return ((a % n) + n) % n }
