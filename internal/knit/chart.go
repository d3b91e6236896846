package knit

import (
	"fmt"
	"strings"
)

// Stitch is how a loop is pulled through the one below, as seen from the front.
type Stitch int8

// The stitches. Their numbers are the sign that the side of the fabric has in the shape of a loop.
const (
	Knit Stitch = 1  // to the front
	Purl Stitch = -1 // to the back
)

// cell is a loop of a chart: its stitch, and the cable that it is in. A cable of 2n stitches moves the heads of the
// left n by n wales to the right and those of the right n to the left, one group before the other.
type cell struct {
	stitch Stitch
	cable  int8 // stitches of the cable; 0 without one
	place  int8 // of the stitch in it, from the left
	over   bool // the left group passes before the right
}

// move returns by how many wales the head of the loop moves to the right, and whether it passes in front.
func (c *cell) move() (wales int, front bool) {
	if left := c.place < c.cable/2; left {
		return int(c.cable / 2), c.over
	}
	return int(-c.cable / 2), !c.over
}

// Chart is a rectangle of stitches, seen from the front. It is repeated to the sides and upwards as often as needed.
type Chart struct {
	wales int
	cells []cell // course after course from the cast on, each from the left
}

// newChart fills a chart with what the rule says.
func newChart(wales, courses int, rule func(wale, course int) cell) *Chart {
	c := &Chart{wales: wales, cells: make([]cell, 0, wales*courses)}
	for j := range courses {
		for i := range wales {
			c.cells = append(c.cells, rule(i, j))
		}
	}
	return c
}

// Wales returns the number of stitches in a course.
func (c *Chart) Wales() int { return c.wales }

// Courses returns the number of courses.
func (c *Chart) Courses() int { return len(c.cells) / c.wales }

// At returns the stitch of a wale and a course, either of which may be any number: the chart repeats.
func (c *Chart) At(wale, course int) Stitch { return c.cell(wale, course).stitch }

func (c *Chart) cell(wale, course int) cell {
	return c.cells[modulo(course, c.Courses())*c.wales+modulo(wale, c.wales)]
}

// Repeat returns a chart of the given size, at least 1 by 1, that shows this one again and again from its first wale
// and course. A cable that does not fit on the right is knit plain.
func (c *Chart) Repeat(wales, courses int) *Chart {
	return newChart(wales, courses, func(wale, course int) cell {
		at := c.cell(wale, course)
		if wale-int(at.place)+int(at.cable) > wales {
			at = cell{stitch: at.stitch}
		}
		return at
	})
}

// String writes the chart in the language of Parse, one letter a stitch, the last course on top.
func (c *Chart) String() string {
	var b strings.Builder
	for j := c.Courses() - 1; j >= 0; j-- {
		for i := 0; i < c.wales; i++ {
			switch at := c.cell(i, j); {
			case at.cable > 0:
				fmt.Fprintf(&b, " c%d%s ", at.cable, cableSide(at.over))
				i += int(at.cable) - 1
			case at.stitch == Knit:
				b.WriteByte('k')
			default:
				b.WriteByte('p')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// cableSide returns the letter of a cable. Knitters work from the right: they hold the right group in front of the left
// one or behind it.
func cableSide(leftOver bool) string {
	if leftOver {
		return "b"
	}
	return "f"
}

// modulo returns the remainder of a in [0, n).
func modulo(a, n int) int { return ((a % n) + n) % n }
