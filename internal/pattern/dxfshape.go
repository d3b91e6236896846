package pattern

import (
	"math"
	"slices"
	"strconv"

	"github.com/toile-sim/toile/r3"
)

// dxfShape is an entity as arcs.
type dxfShape struct {
	layer  string
	arcs   []Arc
	end    r3.Vec2
	closed bool
}

// round makes a circular arc; the outward direction of a mirrored one points down.
func (s *dxfShape) round(body []dxfGroup, from, sweep float64) {
	c, radius := pointField(body, 10), numberField(body, 40, 0)
	x := 1.0
	if numberField(body, 230, 1) < 0 {
		x = -1
		c.X = -c.X
	}
	if !(radius > 0) {
		return
	}
	s.arcs = circularArc(c, r3.Vec2{X: x * radius}, r3.Vec2{Y: radius}, from, sweep)
	sin, cos := math.Sincos(from + sweep)
	s.end = c.Add(r3.Vec2{X: x * radius * cos, Y: radius * sin})
}

// dxfVertex is a point of a polyline and the bulge of the segment after it: the tangent of a quarter of the angle that
// its arc turns by.
type dxfVertex struct {
	at    r3.Vec2
	bulge float64
}

func lightVertices(body []dxfGroup) []dxfVertex {
	var out []dxfVertex
	for i := range body {
		switch g := &body[i]; {
		case g.code == 10:
			out = append(out, dxfVertex{at: r3.Vec2{X: g.number()}})
		case g.code == 20 && len(out) > 0:
			out[len(out)-1].at.Y = g.number()
		case g.code == 42 && len(out) > 0:
			out[len(out)-1].bulge = g.number()
		}
	}
	return out
}

func (s *dxfShape) polyline(v []dxfVertex, flags string) {
	if len(v) < 2 {
		return
	}
	f, _ := strconv.Atoi(flags)
	s.closed = f&1 != 0
	n := len(v) - 1
	if s.closed {
		n = len(v)
	}
	for i := range n {
		a, b := v[i].at, v[(i+1)%len(v)].at
		s.arcs = append(s.arcs, bulged(a, b, v[i].bulge)...)
	}
	s.end = v[n%len(v)].at
}

// bulged returns the segment from a to b as an arc: it turns by 4 atan(bulge), to the left for a positive bulge.
func bulged(a, b r3.Vec2, bulge float64) []Arc {
	d := b.Sub(a)
	if math.Abs(bulge) < 1e-9 || d.Norm() == 0 {
		return []Arc{{From: a}}
	}
	// The middle is left of the chord by (1 - bulge²) / (4 bulge) of its length.
	k := (1 - bulge*bulge) / (4 * bulge)
	c := a.Add(d.Scale(0.5)).Add(r3.Vec2{X: -d.Y, Y: d.X}.Scale(k))
	u := a.Sub(c)
	return circularArc(c, u, r3.Vec2{X: -u.Y, Y: u.X}, 0, 4*math.Atan(bulge))
}

// spline reads a B-spline and evaluates it by de Boor's algorithm in homogeneous coordinates, at points that are near
// enough to each other to be joined by straight lines. It reports false if there is nothing to evaluate.
func (s *dxfShape) spline(body []dxfGroup) bool {
	var control []homogeneous
	var knots, weights []float64
	degree := 3
	for i := range body {
		switch g := &body[i]; {
		case g.code == 71:
			degree = g.integer()
		case g.code == 40:
			knots = append(knots, g.number())
		case g.code == 41:
			weights = append(weights, g.number())
		case g.code == 10:
			control = append(control, homogeneous{g.number(), 0, 1})
		case g.code == 20 && len(control) > 0:
			control[len(control)-1].y = g.number()
		}
	}
	if degree < 1 || degree > 10 || len(control) <= degree || len(knots) != len(control)+degree+1 ||
		!slices.IsSorted(knots) {
		return false
	}
	if len(weights) == len(control) {
		for i, w := range weights {
			if !(w > 0) {
				return false
			}
			control[i] = homogeneous{control[i].x * w, control[i].y * w, w}
		}
	}
	const samples = 24 // of each span: a half circle turns by 7.5° from one to the next
	for i := degree; i < len(control); i++ {
		if a, b := knots[i], knots[i+1]; b > a {
			for k := range samples {
				s.arcs = append(s.arcs, Arc{From: deBoor(control, knots, degree, i, a+(b-a)*float64(k)/samples)})
			}
			s.end = deBoor(control, knots, degree, i, b)
		}
	}
	return len(s.arcs) > 0
}

type homogeneous struct{ x, y, w float64 }

// deBoor returns the point of a B-spline at u within the span from knot i.
func deBoor(control []homogeneous, knots []float64, degree, i int, u float64) r3.Vec2 {
	d := slices.Clone(control[i-degree : i+1])
	for r := 1; r <= degree; r++ {
		for j := degree; j >= r; j-- {
			lo, hi := knots[i-degree+j], knots[i+1+j-r]
			f := 0.0
			if hi > lo {
				f = (u - lo) / (hi - lo)
			}
			d[j] = homogeneous{d[j-1].x*(1-f) + d[j].x*f, d[j-1].y*(1-f) + d[j].y*f, d[j-1].w*(1-f) + d[j].w*f}
		}
	}
	p := d[degree]
	return r3.Vec2{X: p.x / p.w, Y: p.y / p.w}
}
