package pattern

import (
	"math"
	"sort"

	"github.com/toile-sim/toile/r3"
)

// curve is an edge with its arc length: Bézier curves, one after the other.
type curve struct {
	parts []bezier
	start []float64 // arc length at the start of each part, and at the end of the last
}

// bezier is a Bézier curve of degree 1, 2 or 3.
type bezier struct {
	p   []r3.Vec2 // control points, two to four
	cum []float64 // arc length at equal steps of the parameter; nil for a straight line
}

// steps is how many chords measure a Bézier curve. Their lengths fall short of the arc's by a fraction of about
// (turn/steps)²/24: 1e-6 for a half circle.
const steps = 512

func edgeCurve(e *Edge, end r3.Vec2) *curve {
	arcs := e.arcs()
	c := &curve{start: []float64{0}}
	for i, a := range arcs {
		to := end
		if i+1 < len(arcs) {
			to = arcs[i+1].From
		}
		c.add(newCurve(a.From, a.Via, to))
	}
	return c
}

func straight(from, to r3.Vec2) *curve {
	c := &curve{start: []float64{0}}
	c.add(newCurve(from, nil, to))
	return c
}

func (c *curve) add(b *bezier) {
	c.parts = append(c.parts, *b)
	c.start = append(c.start, c.length()+b.length())
}

func (c *curve) length() float64 { return c.start[len(c.start)-1] }

// at returns the point at arc length s from the start; the ends are exact.
func (c *curve) at(s float64) r3.Vec2 {
	i := min(max(sort.Search(len(c.start), func(i int) bool { return c.start[i] > s })-1, 0), len(c.parts)-1)
	if s >= c.length() {
		last := c.parts[len(c.parts)-1].p
		return last[len(last)-1]
	}
	return c.parts[i].at(s - c.start[i])
}

func newCurve(from r3.Vec2, via []r3.Vec2, to r3.Vec2) *bezier {
	b := &bezier{p: append(append([]r3.Vec2{from}, via...), to)}
	if len(via) == 0 {
		return b
	}
	b.cum = make([]float64, steps+1)
	last := from
	for i := 1; i <= steps; i++ {
		q := b.eval(float64(i) / steps)
		b.cum[i] = b.cum[i-1] + q.Sub(last).Norm()
		last = q
	}
	return b
}

// eval returns the point at parameter t by de Casteljau's algorithm.
func (b *bezier) eval(t float64) r3.Vec2 {
	var q [4]r3.Vec2
	n := copy(q[:], b.p)
	for ; n > 1; n-- {
		for i := range n - 1 {
			q[i] = q[i].Scale(1 - t).Add(q[i+1].Scale(t))
		}
	}
	return q[0]
}

func (b *bezier) length() float64 {
	if b.cum == nil {
		return b.p[1].Sub(b.p[0]).Norm()
	}
	return b.cum[steps]
}

// at returns the point at arc length s from the start.
func (b *bezier) at(s float64) r3.Vec2 {
	l := b.length()
	switch {
	case s <= 0:
		return b.p[0]
	case s >= l:
		return b.p[len(b.p)-1]
	}
	return b.eval(b.parameter(s))
}

// parameter returns where the arc length is s.
func (b *bezier) parameter(s float64) float64 {
	if b.cum == nil {
		return s / b.length()
	}
	i := min(max(sort.SearchFloat64s(b.cum, s), 1), steps)
	f := (s - b.cum[i-1]) / max(b.cum[i]-b.cum[i-1], math.SmallestNonzeroFloat64)
	return (float64(i-1) + f) / steps
}

// nearest returns the part and its parameter at which a curve is nearest to q, and the distance.
func (c *curve) nearest(q r3.Vec2) (part int, t, distance float64) {
	distance = math.Inf(1)
	try := func(i int, s float64) {
		if d := c.parts[i].eval(s).Sub(q).Norm(); d < distance {
			part, t, distance = i, s, d
		}
	}
	const samples = 64
	for i := range c.parts {
		if p := c.parts[i].p; len(p) == 2 {
			e := p[1].Sub(p[0])
			try(i, min(max(q.Sub(p[0]).Dot(e)/max(e.Dot(e), math.SmallestNonzeroFloat64), 0), 1))
			continue
		}
		for k := range samples + 1 {
			try(i, float64(k)/samples)
		}
	}
	// Between samples by bisection of the step.
	if len(c.parts[part].p) > 2 {
		for step := 0.5 / samples; step > 1e-9; step /= 2 {
			at := t
			try(part, max(at-step, 0))
			try(part, min(at+step, 1))
		}
	}
	return part, t, distance
}

// divide returns the two parts of a curve by de Casteljau's algorithm.
func (b *bezier) divide(t float64) (left, right Arc) {
	q := append([]r3.Vec2{}, b.p...)
	var head, tail []r3.Vec2
	for len(q) > 0 {
		head, tail = append(head, q[0]), append([]r3.Vec2{q[len(q)-1]}, tail...)
		for i := range len(q) - 1 {
			q[i] = q[i].Scale(1 - t).Add(q[i+1].Scale(t))
		}
		q = q[:len(q)-1]
	}
	n := len(head)
	return Arc{head[0], head[1 : n-1]}, Arc{tail[0], tail[1 : n-1]}
}
