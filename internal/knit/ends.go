package knit

// What holds loose ends, and how long loops are to become.

import "github.com/toile-sim/toile/r3"

// glueEnds holds the ends of open yarns. In a piece with a yarn for each course, an end is held by that of the course
// above, on the right and on the left in turn, as one yarn would go. Ends that remain are held by the life line beside
// them, if it is not left out, and what then remains of life lines by the nearest point of a loop.
func (m *maker) glueEnds(points []r3.Vec) {
	// a piece of glue, each end for once
	used := map[int]bool{}
	glue := func(a, b int) {
		used[a], used[b] = true, true
		m.Glue = append(m.Glue, Glue{a, b, points[a].Sub(points[b]).Norm()})
	}
	// yarns of the piece, and its life lines
	yarns := m.curves[:1]
	if m.Form == Courses || m.Form == Tube {
		yarns = m.curves[:m.Courses]
	}
	lines := m.curves[len(yarns):]
	// ends of neighbouring courses, right and left in turn
	if m.Form == Courses {
		for j := range yarns[1:] {
			if j%2 == 0 {
				glue(yarns[j].last(), yarns[j+1].last())
			} else {
				glue(yarns[j].first, yarns[j+1].first)
			}
		}
	}
	// nearest end that is not used
	free := func(candidates []int, to int) int {
		best := -1
		for _, c := range candidates {
			if !used[c] && (best < 0 || points[c].Sub(points[to]).Norm2() < points[best].Sub(points[to]).Norm2()) {
				best = c
			}
		}
		return best
	}
	// ends beside a life line
	ends := endsOf(lines)
	for _, end := range endsOf(yarns) {
		if near := free(ends, end); !used[end] && near >= 0 && points[end].Sub(points[near]).Norm() < beside*m.scale {
			glue(end, near)
		}
	}
	// what remains of life lines
	for _, end := range ends {
		if used[end] {
			continue
		}
		body := make([]int, yarns[len(yarns)-1].last()+1)
		for i := range body {
			body[i] = i
		}
		glue(free(body, end), end)
	}
}

// beside is how near the end of a life line is to the end of a yarn that it holds [D]: within a wale and the rise of
// both from the fabric. The line at the other edge is further away, but in pieces of one or two courses.
const beside = 6

// last returns the number of the last control point.
func (c *curve) last() int { return c.first + c.count - 1 }

// endsOf lists the ends of open yarns.
func endsOf(curves []curve) []int {
	var ends []int
	for i := range curves {
		if c := &curves[i]; !c.closed {
			ends = append(ends, c.first, c.last())
		}
	}
	return ends
}

// ratios returns the wanted over the laid length of each segment. All of a loop changes by one factor; the segment that
// joins two loops changes by the mean of theirs. What is not part of a loop keeps its length.
func (m *maker) ratios(points []r3.Vec, want float64) []float64 {
	chord := func(c *curve, i int) float64 { return points[c.index(i+1)].Sub(points[c.index(i)]).Norm() }
	factor := make([]float64, len(points)) // of the points of loops
	for loop, first := range m.first {
		c, count := m.curveOf(int(first)), int(m.size[loop])
		at := int(first) - c.first
		length := (chord(c, at-1) + chord(c, at+count-1)) / 2
		for k := range count - 1 {
			length += chord(c, at+k)
		}
		for k := range count {
			factor[int(first)+k] = want / length
		}
	}
	ratio := make([]float64, len(points))
	for n := range m.curves {
		c := &m.curves[n]
		for i := range c.count {
			a, b := factor[c.index(i)], factor[c.index(i+1)]
			if ratio[c.first+i] = 1; a > 0 && b > 0 {
				ratio[c.first+i] = (a + b) / 2
			}
		}
	}
	return ratio
}
