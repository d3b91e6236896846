package pattern

import (
	"math"
	"sort"

	"github.com/toile-sim/toile/r3"
)

// curve is an edge with its arc length: a Bézier curve of degree 1, 2 or 3.
type curve struct {
	p   []r3.Vec2 // control points, two to four
	cum []float64 // arc length at equal steps of the parameter; nil for a straight line
}

// steps is how many chords measure a Bézier curve. Their lengths fall short of the arc's by a fraction of about
// (turn/steps)²/24: 1e-6 for a half circle.
const steps = 512

func newCurve(from r3.Vec2, via []r3.Vec2, to r3.Vec2) *curve {
	c := &curve{p: append(append([]r3.Vec2{from}, via...), to)}
	if len(via) == 0 {
		return c
	}
	c.cum = make([]float64, steps+1)
	last := from
	for i := 1; i <= steps; i++ {
		q := c.eval(float64(i) / steps)
		c.cum[i] = c.cum[i-1] + q.Sub(last).Norm()
		last = q
	}
	return c
}

// eval returns the point at parameter t by de Casteljau's algorithm.
func (c *curve) eval(t float64) r3.Vec2 {
	var q [4]r3.Vec2
	n := copy(q[:], c.p)
	for ; n > 1; n-- {
		for i := range n - 1 {
			q[i] = q[i].Scale(1 - t).Add(q[i+1].Scale(t))
		}
	}
	return q[0]
}

func (c *curve) length() float64 {
	if c.cum == nil {
		return c.p[1].Sub(c.p[0]).Norm()
	}
	return c.cum[steps]
}

// at returns the point at arc length s from the start; the ends are exact.
func (c *curve) at(s float64) r3.Vec2 {
	l := c.length()
	switch {
	case s <= 0:
		return c.p[0]
	case s >= l:
		return c.p[len(c.p)-1]
	case c.cum == nil:
		return c.eval(s / l)
	}
	i := min(max(sort.SearchFloat64s(c.cum, s), 1), steps)
	f := (s - c.cum[i-1]) / max(c.cum[i]-c.cum[i-1], math.SmallestNonzeroFloat64)
	return c.eval((float64(i-1) + f) / steps)
}
