package yarn

import "github.com/toile-sim/toile/r3"

// layout says which control points belong together. The points of all yarns lie one after the other, yarn by yarn.
// Segment i runs from point i to the next one of its yarn; the last point of an open yarn has no segment.
type layout struct {
	spans []span
	yarn  []int32   // of a point: its yarn
	rest  []float64 // of a point: rest length of the segment that begins there [m]; 0 at the end of an open yarn
	arc   []float64 // of a point: rest length of its yarn up to it [m]
}

// span is the range of points of one yarn.
type span struct {
	first, end int
	closed     bool // the last point is joined to the first
}

// segments returns the number of segments of the yarn.
func (s *span) segments() int {
	if s.closed {
		return s.end - s.first
	}
	return s.end - s.first - 1
}

// length returns the rest length of a yarn [m].
func (l *layout) length(yarn int) float64 {
	s := &l.spans[yarn]
	return l.arc[s.end-1] + l.rest[s.end-1]
}

// add appends a yarn with the given control points, at rest as it lies, and returns its number.
func (l *layout) add(points []r3.Vec, closed bool) int {
	yarn, first := len(l.spans), len(l.yarn)
	l.spans = append(l.spans, span{first: first, end: first + len(points), closed: closed})
	along := 0.0
	for i, p := range points {
		length := 0.0
		switch {
		case i+1 < len(points):
			length = points[i+1].Sub(p).Norm()
		case closed:
			length = points[0].Sub(p).Norm()
		}
		l.yarn = append(l.yarn, int32(yarn))
		l.rest = append(l.rest, length)
		l.arc = append(l.arc, along)
		along += length
	}
	return yarn
}

// hasSegment reports whether a segment begins at point i.
func (l *layout) hasSegment(i int) bool {
	s := &l.spans[l.yarn[i]]
	return s.closed || i+1 < s.end
}

// next returns the point after i; at the end of an open yarn i itself.
func (l *layout) next(i int) int {
	s := &l.spans[l.yarn[i]]
	switch {
	case i+1 < s.end:
		return i + 1
	case s.closed:
		return s.first
	}
	return i
}

// prev returns the point before i; at the beginning of an open yarn i itself.
func (l *layout) prev(i int) int {
	s := &l.spans[l.yarn[i]]
	switch {
	case i > s.first:
		return i - 1
	case s.closed:
		return s.end - 1
	}
	return i
}

// control returns the four control points that the spline of segment i depends on. At the ends of an open yarn the end
// point stands in for the one that is missing.
func (l *layout) control(i int) [4]int {
	n := l.next(i)
	return [4]int{l.prev(i), i, n, l.next(n)}
}
