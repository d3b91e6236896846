package knit

// Where yarns cross, and on which side. The sign of a crossing,
//
//	sign((tA x tB) . (yA - yB))
//
// with y the closest points of two pieces of yarn and t their tangents, does not depend on from where one looks, and
// not on the order of the two. It changes when the pieces pass through each other.
//
// A loop has four crossings with the loop above: on either side its flank with the foot, and its head with the leg. If
// both courses run to the right, they have the sign -s on the left and s on the right, s the stitch of the loop above:
// they add up to zero. The linking number of two courses is therefore zero whatever the chart, and stays so when a
// stitch is dropped: it says little about a knit, and the list of crossings says what matters.

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Crossing is a place where two pieces of yarn pass each other.
type Crossing struct {
	A, B         Place // on the lower of two loops and on the upper; on the loop and on the life line
	Sign         int   // +1 or -1
	Wale, Course int   // of the loop of A
}

// findCrossings records the crossings that the chart asks for, and fails if the yarns as laid do not have them.
func (m *maker) findCrossings(points []r3.Vec, lines []lifeLine) error {
	// crossings between loops, with the signs of their stitches
	for j := range m.Courses - 1 {
		for i := range m.Wales {
			n, _ := m.move(i, j)
			up := i + n
			above := int(m.chart.At(up, j+1)) * m.direction(j) * m.direction(j+1)
			for right, sign := range [2]int{-above, above} {
				low, high := &m.marks[j*m.Wales+i][right], &m.marks[(j+1)*m.Wales+up][right]
				m.expect(m.placeOf(i, j, low[2]), m.placeOf(up, j+1, high[0]), sign, i, j)
				m.expect(m.placeOf(i, j, low[3]), m.placeOf(up, j+1, high[1]), sign, i, j)
			}
		}
	}
	// crossings of cables
	m.findCables()
	// crossings with life lines
	for _, line := range lines {
		c := &m.curves[line.yarn]
		for _, l := range line.legs {
			sign := m.direction(l.course)
			if l.over == l.right {
				sign = -sign
			}
			m.expect(m.placeOf(l.wale, l.course, l.mark), c.place(l.along), sign, l.wale, l.course)
		}
	}
	// whether yarns as laid have them
	w := m.Watch()
	if bad := w.Check(points); len(bad) > 0 {
		c := &m.Crossings[bad[0]]
		return fmt.Errorf("knit: %d of %d crossings are not as the chart says, the first at wale %d and course %d; "+
			"the surface bends too sharply for this yarn", len(bad), len(m.Crossings), c.Wale, c.Course)
	}
	m.Crossings = w.Crossings
	return nil
}

func (m *maker) expect(a, b Place, sign, wale, course int) {
	m.Crossings = append(m.Crossings, Crossing{a, b, sign, wale, course})
}

// direction is 1 for a course that runs to the right, and -1 for one that runs to the left.
func (m *maker) direction(course int) int {
	if m.leftwards(course) {
		return -1
	}
	return 1
}

// placeOf returns the place of a mark, counted in control points from the left of a loop.
func (m *maker) placeOf(wale, course int, mark float64) Place {
	_, first, count := m.Loop(wale, course)
	if m.leftwards(course) {
		mark = float64(count-1) - mark
	}
	c := m.curveOf(first)
	return c.place(float64(first-c.first) + mark)
}

// Watch follows the crossings of a fabric while its yarns move.
//
// Every check searches from where a crossing was last, down to the closest points of the two pieces of yarn, at most
// two segments away on either. So yarn may slide as far as it likes, as long as checks are frequent enough that a
// crossing moves less than about a segment from one to the next. A crossing is bad while its sign is wrong.
//
// Limits. A yarn that passes through another is told as long as it is near. When it has moved on by a yarn diameter or
// more, other points may be the closest ones, with the right sign: then it is no longer told, and not at all if that
// happened between two checks. Where two crossings have come so close that their closest points are the same, they are
// watched as one. Where two pieces are nearly parallel (the sine of their angle is below 0.05) there is no sign, and
// the crossing counts as good. Loose yarns far from each other can turn their sign around without touching. Crossings
// that were not there as laid are not looked for.
type Watch struct {
	Crossings []Crossing // their places are where they were found last
	fabric    *Fabric
}

// Watch returns a watch on the crossings as they were laid.
func (f *Fabric) Watch() *Watch {
	return &Watch{Crossings: append([]Crossing(nil), f.Crossings...), fabric: f}
}

const (
	reach        = 2.0  // of a search on either side [segments]
	leastSine    = 0.05 // of the angle of two pieces that have a sign
	searchRounds = 40
)

// Check finds all crossings in the given positions of all control points, and returns the numbers of those whose sign
// has changed.
func (w *Watch) Check(points []r3.Vec) (bad []int) {
	if len(points) != len(w.fabric.loop) {
		panic(fmt.Sprintf("knit: %d points for a fabric of %d", len(points), len(w.fabric.loop)))
	}
	for n := range w.Crossings {
		c := &w.Crossings[n]
		a, b := w.fabric.curveOf(c.A.Segment), w.fabric.curveOf(c.B.Segment)
		s := search{points, a, b}
		u, v := s.closest(a.parameter(c.A), b.parameter(c.B))
		c.A, c.B = a.place(u), b.place(v)
		if sign := s.sign(u, v); sign != 0 && sign != c.Sign {
			bad = append(bad, n)
		}
	}
	return bad
}

// search looks for closest points of two curves.
type search struct {
	points []r3.Vec
	a, b   *curve
}

func (s *search) distance2(u, v float64) float64 {
	x, _, _ := s.a.eval(s.points, u)
	y, _, _ := s.b.eval(s.points, v)
	return x.Sub(y).Norm2()
}

// sign returns the sign of the crossing with closest points at u and v, and 0 if the curves are nearly parallel there.
func (s *search) sign(u, v float64) int {
	x, dx, _ := s.a.eval(s.points, u)
	y, dy, _ := s.b.eval(s.points, v)
	n := dx.Cross(dy)
	if !(n.Norm() > leastSine*dx.Norm()*dy.Norm()) {
		return 0
	}
	if n.Dot(x.Sub(y)) < 0 {
		return -1
	}
	return 1
}

// closest goes downhill from u and v to where the distance is least, by Newton's method, with the curvature of the
// curves left out where it would lead uphill.
func (s *search) closest(u, v float64) (float64, float64) {
	u0, v0 := u, v
	now := s.distance2(u, v)
	for range searchRounds {
		du, dv := s.newton(u, v)
		step := min(1, 0.5/max(math.Abs(du), math.Abs(dv), 1e-300))
		for ; step > 1e-4; step /= 2 {
			nu, nv := s.bound(s.a, u+step*du, u0), s.bound(s.b, v+step*dv, v0)
			if d := s.distance2(nu, nv); d < now {
				u, v, now = nu, nv, d
				break
			}
		}
		if step <= 1e-4 || max(math.Abs(du), math.Abs(dv)) < 1e-6 {
			break
		}
	}
	return u, v
}

// bound keeps a place within reach of where the search began, and on its curve.
func (s *search) bound(c *curve, u, from float64) float64 {
	u = min(max(u, from-reach), from+reach)
	if !c.closed {
		u = min(max(u, 0), float64(c.segments()))
	}
	return u
}

// newton returns the step to the minimum of the quadratic model of half the squared distance.
func (s *search) newton(u, v float64) (du, dv float64) {
	x, dx, ddx := s.a.eval(s.points, u)
	y, dy, ddy := s.b.eval(s.points, v)
	d := x.Sub(y)
	gu, gv := d.Dot(dx), -d.Dot(dy)
	uu, uv, vv := dx.Norm2(), -dx.Dot(dy), dy.Norm2()
	bu, bv := uu+d.Dot(ddx), vv-d.Dot(ddy)
	if bu > 0 && bu*bv-uv*uv > 1e-3*uu*vv {
		uu, vv = bu, bv
	}
	det := uu*vv - uv*uv
	if !(det > 1e-6*uu*vv) { // parallel: down the slope
		return -gu / max(uu, 1e-300), -gv / max(vv, 1e-300)
	}
	return (uv*gv - vv*gu) / det, (uv*gu - uu*gv) / det
}
