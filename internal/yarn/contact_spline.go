package yarn

import (
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// catmullRom returns the weights of the four control points of a segment at parameter u in [0, 1].
func catmullRom(u float64) [4]float64 {
	u2, u3 := u*u, u*u*u
	return [4]float64{
		0.5 * (-u + 2*u2 - u3),
		0.5 * (2 - 5*u2 + 3*u3),
		0.5 * (u + 4*u2 - 3*u3),
		0.5 * (-u2 + u3),
	}
}

// spline evaluates the centre lines at b quadrature points a segment, those of the midpoint rule. Point k of segment i
// has number i b + k; numbers of a segment that an open yarn does not have are unused.
type spline struct {
	b       int
	basis   [][4]float64 // of a point within its segment: weights of the control points
	control [][4]int32   // of a segment: its control points
	exists  []bool       // of a segment
	at      []r3.Vec     // of a quadrature point
	moving  []r3.Vec     // its velocity; empty if nobody asks for it

	pos, vel  []r3.Vec
	evaluator func(lo, hi int)
}

func newSpline(lay *layout, b int, velocities bool) *spline {
	n := len(lay.yarn)
	s := &spline{b: b, basis: make([][4]float64, b), control: make([][4]int32, n), exists: make([]bool, n)}
	for k := range s.basis {
		s.basis[k] = catmullRom((float64(k) + 0.5) / float64(b))
	}
	for i := range n {
		s.exists[i] = lay.hasSegment(i)
		for m, p := range lay.control(i) {
			s.control[i][m] = int32(p)
		}
	}
	s.at = make([]r3.Vec, n*b)
	if velocities {
		s.moving = make([]r3.Vec, n*b)
	}
	s.evaluator = s.evaluateRange
	return s
}

// evaluate computes all quadrature points.
func (s *spline) evaluate(pos, vel []r3.Vec, team *par.Team) {
	s.pos, s.vel = pos, vel
	team.For(len(s.control), 512, s.evaluator)
	s.pos, s.vel = nil, nil
}

func (s *spline) evaluateRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		if !s.exists[i] {
			continue
		}
		s.evaluateSegment(gatherControl(&s.control[i], s.pos), s.at[i*s.b:(i+1)*s.b])
		if s.moving != nil {
			s.evaluateSegment(gatherControl(&s.control[i], s.vel), s.moving[i*s.b:(i+1)*s.b])
		}
	}
}

func gatherControl(control *[4]int32, x []r3.Vec) [4]r3.Vec {
	return [4]r3.Vec{x[control[0]], x[control[1]], x[control[2]], x[control[3]]}
}

func (s *spline) evaluateSegment(p [4]r3.Vec, out []r3.Vec) {
	for k := range out {
		w := &s.basis[k]
		out[k] = r3.Vec{
			X: w[0]*p[0].X + w[1]*p[1].X + w[2]*p[2].X + w[3]*p[3].X,
			Y: w[0]*p[0].Y + w[1]*p[1].Y + w[2]*p[2].Y + w[3]*p[3].Y,
			Z: w[0]*p[0].Z + w[1]*p[1].Z + w[2]*p[2].Z + w[3]*p[3].Z,
		}
	}
}

// hull returns a box around the whole segment with the given control points: that of its Bézier points. A Catmull-Rom
// spline does not stay within the hull of its own control points.
func hull(p *[4]r3.Vec) (b r3.Box) {
	b.Min.X, b.Max.X = hull1(p[0].X, p[1].X, p[2].X, p[3].X)
	b.Min.Y, b.Max.Y = hull1(p[0].Y, p[1].Y, p[2].Y, p[3].Y)
	b.Min.Z, b.Max.Z = hull1(p[0].Z, p[1].Z, p[2].Z, p[3].Z)
	return b
}

// hull1 is hull along one axis. It compares by hand because min and max also care for what is no number.
func hull1(p0, p1, p2, p3 float64) (lo, hi float64) {
	handle1, handle2 := p1+(p2-p0)*(1.0/6), p2-(p3-p1)*(1.0/6)
	lo, hi = p1, p2
	if p2 < p1 {
		lo, hi = p2, p1
	}
	if handle1 < lo {
		lo = handle1
	} else if handle1 > hi {
		hi = handle1
	}
	if handle2 < lo {
		lo = handle2
	} else if handle2 > hi {
		hi = handle2
	}
	return lo, hi
}
