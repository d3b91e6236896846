package knit

// Life lines: yarns threaded through the open feet of the first course and the open heads of the last, as a needle holds
// them. A line passes before one leg of each open loop and behind the other.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

const (
	lineLift = 1.0 // of a life line from the leg that it passes [D]
	lineEnd  = 1.5 // length of a segment at its ends [D]
)

// lifeLine is a line and the legs that it passes, from left to right.
type lifeLine struct {
	yarn int
	legs []lineLeg
}

// lineLeg is a leg that a life line passes at one of its points.
type lineLeg struct {
	wale, course int
	mark         float64 // place in the loop, in control points from its left
	point        int     // of the line
	over         bool    // the line is before the leg
	right        bool    // it is the right leg of its loop
}

// layLifeLine lays the line through the heads of the last course, or through the feet of the first.
func (m *maker) layLifeLine(top bool) lifeLine {
	m.begin(m.Form == Tube)
	line := lifeLine{yarn: len(m.Yarns) - 1}
	course, t := 0, leg
	if top {
		course, t = m.Courses-1, flank
	}
	for i := range m.Wales {
		m.layLoop(i, course) // for the marks
		s := m.sides(i, course)
		a, b := m.at(i, course, &s, t), m.at(i, course, &s, 2*math.Pi-t)
		left := lineLeg{wale: i, course: course, mark: m.mark(t), over: top}
		right := lineLeg{wale: i, course: course, mark: m.mark(2*math.Pi - t), over: !top, right: true}
		p, q := beside(a, left.over), beside(b, right.over)
		if i == 0 {
			m.layLineEnd(a, p, s.own, i, course)
		}
		left.point = m.add(m.toSpace(p), i, course)
		m.add(m.toSpace(p.Lerp(q, 0.5)), i, course)
		right.point = m.add(m.toSpace(q), i, course)
		if i == m.Wales-1 {
			m.layLineEnd(b, q, s.own, i, course)
		}
		line.legs = append(line.legs, left, right)
	}
	return line
}

// layLineEnd lays the two points at the end of an open line that passes a leg at p: outwards, on the side of the fabric
// where no yarn goes from course to course. At a helix there is another loop beside the end, and the line leaves the
// fabric on the side on which it is.
func (m *maker) layLineEnd(leg, p r3.Vec, own float64, wale, course int) {
	if m.Form == Tube {
		return
	}
	out := -lineEnd
	if wale > 0 {
		out = lineEnd
	}
	near := r3.V(p.X+out, p.Y, 1.2*own)
	far := near.Add(r3.V(out, 0, 0))
	if m.Form == Helix {
		away := p.Sub(leg)
		near = leg.AddScaled(2, away).Add(r3.V(0.4*out, 0, 0))
		far = near.AddScaled(lineEnd, away)
	}
	if wale == 0 {
		near, far = far, near
	}
	m.add(m.toSpace(near), wale, course)
	m.add(m.toSpace(far), wale, course)
}

// beside returns where a line passes a leg.
func beside(leg r3.Vec, over bool) r3.Vec {
	if over {
		return leg.Add(r3.V(0, 0, lineLift))
	}
	return leg.Add(r3.V(0, 0, -lineLift))
}
