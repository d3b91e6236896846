package knit

// Life lines: straight yarns threaded through the open feet of the first course and the open heads of the last, as a
// needle holds them. A line passes before one leg of each open loop and behind the other.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// lifeLine is a line and the legs that it passes, from left to right.
type lifeLine struct {
	yarn int
	legs []lineLeg
}

// lineLeg is a leg that a life line passes.
type lineLeg struct {
	wale, course int
	mark         float64 // place in the loop, in control points from its left
	along        float64 // place on the line, in control points
	over         bool    // the line is before the leg
	right        bool    // it is the right leg of its loop
}

// LifeLine reports whether a control point is one of a life line, and whether that is the one at the top.
func (f *Fabric) LifeLine(point int) (top, ok bool) {
	yarn := f.curveOf(point)
	isLine := func(number int) bool { return number > 0 && yarn == &f.curves[number] }
	top = isLine(f.lines[1])
	return top, top || isLine(f.lines[0])
}

// layLifeLine lays the line through the heads of the last course, or through the feet of the first: a control point
// between two wales and one in the middle of each.
func (m *maker) layLifeLine(top bool) lifeLine {
	m.begin(m.Form == Tube)
	line := lifeLine{yarn: len(m.Yarns) - 1}
	course, t := 0, math.Pi-thread
	if top {
		course, t = m.Courses-1, thread
	}
	for i := range m.Wales {
		m.layLoop(i, course) // for the marks
		s := m.sides(i, course)
		p := m.at(i, course, &s, t)
		left, middle := WaleSpacing*float64(i), WaleSpacing*(float64(i)+0.5)
		if i == 0 && m.Form != Tube {
			m.layLineEnd(left, p.Y, i, course, top)
		} else {
			m.add(m.toSpace(r3.V(left, p.Y, 0)), i, course)
		}
		at := float64(m.add(m.toSpace(r3.V(middle, p.Y, 0)), i, course))
		if i == m.Wales-1 && m.Form != Tube {
			m.layLineEnd(left+WaleSpacing, p.Y, i, course, !top)
		}
		along := (p.X - left) / (middle - left)
		line.legs = append(line.legs,
			lineLeg{i, course, m.mark(t), at - 1 + along, top, false},
			lineLeg{i, course, m.mark(2*math.Pi - t), at + 1 - along, !top, true})
	}
	return line
}

// layLineEnd lays an open line from the side of the fabric outwards, or inwards at its beginning. It rises from the
// fabric on the side on which it passes the outermost leg; at a helix, where there is another loop beside the end, at
// once.
func (m *maker) layLineEnd(x, y float64, wale, course int, over bool) {
	side, out := -1.0, 1.0
	if over {
		side = 1
	}
	rise := []r3.Vec{r3.V(0, 0, 0.2*side), r3.V(1.4, 0, 0.8*side), r3.V(2.8, 0, 1.2*side)}
	if m.Form == Helix {
		rise = []r3.Vec{r3.V(-0.1, 0, 0.9*side), r3.V(-0.3, 0, 2.2*side), r3.V(-0.3, 0, 3.6*side)}
	}
	if wale == 0 {
		slices.Reverse(rise)
		out = -1
	}
	for _, r := range rise {
		m.add(m.toSpace(r3.V(x+out*r.X, y, r.Z)), wale, course)
	}
}
