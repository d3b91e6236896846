package knit

// Cables: groups of loops that change places, one before the other.

import "math"

const (
	cableDepth = 1.5 // of a group before or behind the fabric [D]
	cableStep  = 2.0 // between control points in a course with cables [D]
)

// cableTall returns how much taller a course is in which loops move by n wales [D]: enough for the legs of one group to
// lie beside each other on the slant.
func cableTall(n int) float64 { return 1.5 + 2*float64(n) }

// plainEnds knits the cables in the first and in the last course plain: their loops are open, and held by life lines.
func plainEnds(c *Chart) *Chart {
	for i := range c.wales {
		for _, n := range [2]int{i, len(c.cells) - 1 - i} {
			c.cells[n] = cell{stitch: c.cells[n].stitch}
		}
	}
	return c
}

// findCables records the crossings of the loops of each cable: every leg of the group in front with every leg of the
// group behind. Legs run up on the left of a loop and down on its right.
func (m *maker) findCables() {
	for j := range m.Courses {
		for i := range m.Wales {
			c := m.chart.cell(i, j)
			if c.cable == 0 || c.place != 0 {
				continue
			}
			n := int(c.cable) / 2
			sign := -1
			if c.over {
				sign = 1
			}
			for a := i; a < i+n; a++ {
				for b := i + n; b < i+2*n; b++ {
					for k := range 4 {
						m.crossLegs(j, a, b, k%2 == 1, k/2 == 1, sign)
					}
				}
			}
		}
	}
}

// crossLegs records where a leg of loop a crosses a leg of loop b, which go to the right and to the left.
func (m *maker) crossLegs(course, a, b int, aRight, bRight bool, sign int) {
	at := func(wale int, T float64, right bool) float64 {
		s := m.sides(wale, course)
		if right {
			T = 2*math.Pi - T
		}
		return m.at(wale, course, &s, T).X
	}
	low, high := leg, flank
	for range 40 {
		if T := (low + high) / 2; at(a, T, aRight) < at(b, T, bRight) {
			low = T
		} else {
			high = T
		}
	}
	place := func(wale int, right bool) Place {
		T := low
		if right {
			T = 2*math.Pi - T
		}
		m.layLoop(wale, course) // for the mark
		return m.placeOf(wale, course, m.mark(T))
	}
	if aRight != bRight {
		sign = -sign
	}
	m.expect(place(a, aRight), place(b, bRight), sign, a, course)
}
