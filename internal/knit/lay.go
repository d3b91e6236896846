package knit

// Laying a chart out: courses, what joins them, and the life lines that hold open loops.

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// samples is the number of steps in which the length of a loop is measured.
const samples = 256

// maker lays out a fabric. Coordinates of the fabric are in yarn diameters until they are mapped to space.
type maker struct {
	*Fabric
	chart   *Chart
	surface Surface
	scale   float64         // a yarn diameter [m]
	marks   [][2][4]float64 // of a loop: where it crosses others, left and right, in control points from its left
	base    []float64       // of a course: how high its middle is [D]
	tall    []float64       // of a course: how much taller it is for its cables [D]

	along [samples + 1]float64 // length of the loop laid last up to each sample [m]
	count int                  // of its control points
}

// Make lays a chart out. It fails if yarns would not cross as the chart says, which happens on surfaces that bend too
// sharply for the yarn.
func Make(chart *Chart, opt Options) (*Fabric, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	// chart on its surface
	m := &maker{
		Fabric:  &Fabric{Form: opt.Form, Wales: opt.Wales, Courses: opt.Courses, Radius: opt.Radius},
		chart:   plainEnds(chart.Repeat(opt.Wales, opt.Courses)),
		surface: opt.Surface,
		scale:   2 * opt.Radius,
	}
	if m.surface == nil {
		m.surface = Plane
		if opt.Form.round() {
			m.surface = m.tube()
		}
	}
	// whether it fits
	if err := m.stack(); err != nil {
		return nil, err
	}
	if err := m.checkSurface(); err != nil {
		return nil, err
	}
	// loops, course by course
	m.size = make([]uint8, opt.Wales*opt.Courses)
	m.first = make([]int32, opt.Wales*opt.Courses)
	m.marks = make([][2][4]float64, opt.Wales*opt.Courses)
	m.layCourses()
	// life lines at both ends
	var lines []lifeLine
	if !opt.OpenBottom {
		lines = append(lines, m.layLifeLine(false))
		m.lines[0] = len(m.Yarns) - 1
	}
	if !opt.OpenTop {
		lines = append(lines, m.layLifeLine(true))
		m.lines[1] = len(m.Yarns) - 1
	}
	// points, all of them with a place
	m.number()
	points := m.Points()
	if i := slices.IndexFunc(points, func(p r3.Vec) bool { return !p.Finite() }); i >= 0 {
		wale, course := m.LoopOf(i)
		return nil, fmt.Errorf("knit: the surface has no place for the loop of wale %d and course %d", wale, course)
	}
	// ends, crossings and lengths of loops
	m.glueEnds(points)
	if err := m.findCrossings(points, lines); err != nil {
		return nil, err
	}
	if opt.LoopLength > 0 {
		m.Ratio = m.ratios(points, opt.LoopLength)
	}
	return m.Fabric, nil
}

// width returns the width of all wales [D].
func (m *maker) width() float64 { return WaleSpacing * float64(m.Wales) }

// tubeEase is how much larger the radius of a tube is laid than its circumference of wales would have it [D]: more than
// yarns reach inwards, so that they are nowhere closer together than in a plane.
const tubeEase = 1.2

// tube returns the cylinder that has all wales around it.
func (m *maker) tube() Surface {
	inner := m.width() * m.scale / (2 * math.Pi)
	middle := inner + tubeEase*m.scale
	cylinder := Cylinder(middle)
	return func(x, y float64) (point, normal r3.Vec) { return cylinder(x*middle/inner, y) }
}

// checkSurface fails if the surface of a tube does not return to itself.
func (m *maker) checkSurface() error {
	if !m.Form.round() {
		return nil
	}
	for _, y := range []float64{0, m.base[m.Courses-1] * m.scale} {
		a, _ := m.surface(0, y)
		b, _ := m.surface(m.width()*m.scale, y)
		if !(a.Sub(b).Norm() < 0.01*m.scale) {
			return fmt.Errorf(
				"knit: the surface of a tube of %d wales must return to itself after %.6g m; at height %.4g m it is %.4g m off",
				m.Wales, m.width()*m.scale, y, a.Sub(b).Norm(),
			)
		}
	}
	return nil
}

// toSpace returns the point in space of fabric coordinates [D]. A helix climbs by a course in a turn.
func (m *maker) toSpace(p r3.Vec) r3.Vec {
	if m.Form == Helix {
		p.Y += CourseSpacing * p.X / m.width()
	}
	point, normal := m.surface(p.X*m.scale, p.Y*m.scale)
	return point.AddScaled(p.Z*m.scale, normal)
}

// stack finds the heights of the courses. It fails on cables that cannot be laid: in a helix, where courses are not of
// one height around, and under purl stitches, where legs beside each other would have to change sides on their way.
func (m *maker) stack() error {
	m.base, m.tall = make([]float64, m.Courses), make([]float64, m.Courses)
	for j := range m.Courses - 1 {
		for i := range m.Wales {
			n, _ := m.move(i, j)
			switch {
			case n == 0:
				continue
			case m.Form == Helix:
				return fmt.Errorf("knit: course %d has a cable, which a helix cannot have; knit a tube", j)
			case m.chart.At(i, j+1) != Knit:
				return fmt.Errorf("knit: wale %d is purl in course %d, above a cable; knit it", i, j+1)
			}
			m.tall[j] = max(m.tall[j], cableTall(max(n, -n)))
		}
		m.base[j+1] = m.base[j] + CourseSpacing + m.tall[j]
	}
	return nil
}

// move returns by how many wales the head of a loop moves to the right, and whether it does so in front.
func (m *maker) move(wale, course int) (wales int, front bool) {
	c := m.chart.cell(wale, course)
	return c.move()
}

// sides returns what the shape of a loop depends on.
func (m *maker) sides(wale, course int) sides {
	n, front := m.move(wale, course)
	s := sides{
		own:      float64(m.chart.At(wale, course)),
		above:    float64(m.chart.At(wale+n, course+1)),
		openFeet: course == 0,
		openHead: course == m.Courses-1,
		tall:     m.tall[course],
		move:     WaleSpacing * float64(n),
	}
	switch {
	case n != 0 && front:
		s.depth = cableDepth
	case n != 0:
		s.depth = -cableDepth
	}
	s.left, s.right = m.neighbour(wale-1, course, s.own), m.neighbour(wale+1, course, s.own)
	return s
}

// neighbour returns the sign of the feet of a loop beside one whose own sign is given. At the edges of the fabric that
// is its own, so that no side is bent by stitches that are not there. Open feet are in the middle of the fabric,
// halfway between a sign and its opposite.
func (m *maker) neighbour(wale, course int, own float64) float64 {
	switch {
	case m.Form == Helix && wale < 0:
		wale, course = wale+m.Wales, course-1
	case m.Form == Helix && wale >= m.Wales:
		wale, course = wale-m.Wales, course+1
	case m.Form == Tube:
		wale = modulo(wale, m.Wales)
	}
	switch {
	case wale < 0 || wale >= m.Wales || course < 0 || course >= m.Courses:
		return own
	case course == 0:
		return -own
	}
	return float64(m.chart.At(wale, course))
}

// at returns the point of a loop at t, in fabric coordinates [D].
func (m *maker) at(wale, course int, s *sides, t float64) r3.Vec {
	return loopPoint(s, t).Add(r3.V(WaleSpacing*float64(wale), m.base[course], 0))
}

// layLoop returns the control points of a loop from left to right, at equal lengths along it.
func (m *maker) layLoop(wale, course int) (points []r3.Vec) {
	s := m.sides(wale, course)
	var before r3.Vec
	for k := range m.along {
		p := m.toSpace(m.at(wale, course, &s, 2*math.Pi*float64(k)/samples))
		if m.along[k] = 0; k > 0 {
			m.along[k] = m.along[k-1] + p.Sub(before).Norm()
		}
		before = p
	}
	m.count = pointsOfLoop
	if s.tall > 0 {
		m.count = min(max(m.count, int(m.along[samples]/(cableStep*m.scale))), math.MaxUint8)
	}
	points = make([]r3.Vec, m.count)
	k := 0
	for i := range points {
		want := (float64(i) + 0.5) / float64(m.count) * m.along[samples]
		for k < samples-1 && m.along[k+1] < want {
			k++
		}
		t := 2 * math.Pi / samples * (float64(k) + (want-m.along[k])/(m.along[k+1]-m.along[k]))
		points[i] = m.toSpace(m.at(wale, course, &s, t))
	}
	return points
}

// mark returns the place of t in the loop laid last, counted in control points from the left.
func (m *maker) mark(t float64) float64 {
	k := min(int(t/(2*math.Pi)*samples), samples-1)
	w := t/(2*math.Pi)*samples - float64(k)
	length := m.along[k] + w*(m.along[k+1]-m.along[k])
	return length/m.along[samples]*float64(m.count) - 0.5
}

// begin starts a yarn.
func (m *maker) begin(closed bool) { m.Yarns = append(m.Yarns, Yarn{Closed: closed}) }

// add appends a control point to the last yarn and returns its number in it.
func (m *maker) add(p r3.Vec, wale, course int) int {
	y := &m.Yarns[len(m.Yarns)-1]
	y.Points = append(y.Points, p)
	m.loop = append(m.loop, int32(course*m.Wales+wale))
	return len(y.Points) - 1
}

func (m *maker) layCourses() {
	m.loop = make([]int32, 0, pointsOfLoop*m.Wales*m.Courses+4*m.Courses+8*m.Wales)
	for j := range m.Courses {
		switch m.Form {
		case Flat, Helix:
			if j == 0 {
				m.begin(false)
				m.layTail(0, 0)
			} else if m.Form == Flat {
				m.join(j)
			}
			m.layCourse(j)
			if j == m.Courses-1 {
				m.layTail(m.lastWale(j), j)
			}
		case Courses:
			m.begin(false)
			m.layTail(0, j)
			m.layCourse(j)
			m.layTail(m.Wales-1, j)
		case Tube:
			m.begin(true)
			m.layCourse(j)
		}
	}
}

// leftwards reports whether a course runs to the left.
func (m *maker) leftwards(course int) bool { return m.Form == Flat && course%2 == 1 }

// lastWale returns the wale in which a course ends.
func (m *maker) lastWale(course int) int {
	if m.leftwards(course) {
		return 0
	}
	return m.Wales - 1
}

func (m *maker) layCourse(j int) {
	for k := range m.Wales {
		i := k
		if m.leftwards(j) {
			i = m.Wales - 1 - k
		}
		points := m.layLoop(i, j)
		if m.leftwards(j) {
			slices.Reverse(points)
		}
		loop := j*m.Wales + i
		m.first[loop], m.size[loop] = int32(len(m.loop)), uint8(len(points))
		for q, t := range [4]float64{foot, leg, flank, head} {
			m.marks[loop][0][q] = m.mark(t)
			m.marks[loop][1][q] = m.mark(2*math.Pi - t)
		}
		for _, p := range points {
			m.add(p, i, j)
		}
	}
}

// corner returns where a loop ends on one side, in fabric coordinates, pushed away from the fabric [D].
func (m *maker) corner(wale, course int, right bool, away float64) r3.Vec {
	s, t, out := m.sides(wale, course), 0.0, -away
	if right {
		t, out = 2*math.Pi, away
	}
	return m.at(wale, course, &s, t).Add(r3.V(out, 0, 0))
}

// join lays the yarn from the end of course j-1 up to the beginning of course j, on the same side of the fabric.
func (m *maker) join(j int) {
	wale, right := m.lastWale(j-1), !m.leftwards(j-1)
	below, above := m.corner(wale, j-1, right, joinReach), m.corner(wale, j, right, joinReach)
	if j == 1 { // behind the end of the life line
		below.Z, above.Z = below.Z-1, above.Z-1
	}
	m.add(m.toSpace(below.Lerp(above, 0.25)), wale, j-1)
	m.add(m.toSpace(below.Lerp(above, 0.75)), wale, j)
}

// How far yarn reaches out beside the fabric [D].
const (
	joinReach = 0.7
	tailReach = 1.2
)

// layTail lays the end of a yarn at the side of a wale: outwards, or at a helix into the tube, clear of the loops that
// come next. It lays the points in the order in which the yarn runs.
func (m *maker) layTail(wale, course int) {
	right := wale > 0
	near, far := m.corner(wale, course, right, tailReach), m.corner(wale, course, right, 2*tailReach)
	if m.Form == Helix {
		side := -float64(m.chart.At(wale, course))
		near = m.corner(wale, course, right, 0).Add(r3.V(0, -0.6, 0.8*side))
		far = near.Add(r3.V(0, -1, 1.4*side))
	}
	y := &m.Yarns[len(m.Yarns)-1]
	if len(y.Points) == 0 {
		near, far = far, near
	}
	m.add(m.toSpace(near), wale, course)
	m.add(m.toSpace(far), wale, course)
}

// number counts the yarns through.
func (m *maker) number() {
	at := 0
	for _, y := range m.Yarns {
		m.curves = append(m.curves, curve{at, len(y.Points), y.Closed})
		at += len(y.Points)
	}
}
