package model

import (
	"fmt"
	"unicode/utf8"

	"github.com/toile-sim/toile/r3"
)

// Curves are polylines with named numbers at their points, such as the control points of yarns.
type Curves struct {
	Name       string
	Points     []r3.Vec    // [m], Z-up, curve after curve
	Counts     []int32     // points of each curve: at least 2, or 3 if it is closed
	Closed     []bool      // of each curve: its last point is joined to its first
	Radius     float64     // of what lies along them [m]; 0 if they are thin lines
	Attributes []Attribute // named numbers at the points
}

// Each calls do for every curve with the range of its points.
func (c *Curves) Each(do func(first, end int, closed bool)) {
	first := 0
	for i, n := range c.Counts {
		do(first, first+int(n), c.Closed[i])
		first += int(n)
	}
}

// Segments returns the pairs of points that are joined, along one curve after the other.
func (c *Curves) Segments() [][2]int32 {
	out := make([][2]int32, 0, len(c.Points))
	c.Each(func(first, end int, closed bool) {
		for i := first; i+1 < end; i++ {
			out = append(out, [2]int32{int32(i), int32(i + 1)})
		}
		if closed {
			out = append(out, [2]int32{int32(end - 1), int32(first)})
		}
	})
	return out
}

// Validate lists what would keep c from being written.
func (c *Curves) Validate() error {
	var faults []string
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	n := len(c.Points)
	if n == 0 {
		add("no points")
	}
	if n > MaxVertices {
		add("%d points, more than %d", n, MaxVertices)
	}
	if i := FirstNotFinite(c.Points); i >= 0 {
		add("point %d is at %v, not a finite position", i, c.Points[i])
	}
	if len(c.Counts) != len(c.Closed) {
		add("%d curves, and of %d is known whether they are closed", len(c.Counts), len(c.Closed))
	} else {
		c.countFaults(add)
	}
	if !(c.Radius >= 0 && Finite64(c.Radius)) {
		add("a radius of %v", c.Radius)
	}
	attributeFaults(c.Attributes, n, add)
	if !utf8.ValidString(c.Name) {
		add("the name %q is not UTF-8", c.Name)
	}
	return JoinFaults("curves", faults)
}

func (c *Curves) countFaults(add func(string, ...any)) {
	sum := 0
	for i, n := range c.Counts {
		if n < 2 || c.Closed[i] && n < 3 {
			add("curve %d has %d points", i, n)
			return
		}
		sum += int(n)
	}
	if sum != len(c.Points) {
		add("the curves have %d points together, and there are %d", sum, len(c.Points))
	}
}
