package pattern

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Outline is a closed curve of a drawing, counter-clockwise, with y up.
type Outline struct {
	Name  string
	Arcs  []Arc     // [m], in the place of the drawing; the last ends where the first begins
	Turns []r3.Vec2 // points that the drawing marks as corners [m]
	Fault string    // why it cannot be a panel, or empty
}

// DrawingError is what is wrong with a drawing.
type DrawingError struct {
	Line int // counted from 1
	Msg  string
}

func (e *DrawingError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Limits on drawings, far above what a pattern needs.
const (
	mostOutlines = 10_000
	mostArcs     = 200_000
	mostDepth    = 100
	// farthest is the largest coordinate [m].
	farthest = 1e5
)

// mirrored turns left and right round, and the direction back to counter-clockwise.
func mirrored(arcs []Arc, turns []r3.Vec2) ([]Arc, []r3.Vec2) {
	flip := func(p r3.Vec2) r3.Vec2 { return r3.Vec2{X: -p.X, Y: p.Y} }
	out := backwards(arcs)
	for i := range out {
		out[i].From = flip(out[i].From)
		for k := range out[i].Via {
			out[i].Via[k] = flip(out[i].Via[k])
		}
	}
	var points []r3.Vec2
	for _, q := range turns {
		points = append(points, flip(q))
	}
	return out, points
}

// backwards returns a closed outline in the other direction.
func backwards(arcs []Arc) []Arc {
	n := len(arcs)
	out := make([]Arc, 0, n)
	for i := n - 1; i >= 0; i-- {
		a := Arc{From: arcs[(i+1)%n].From}
		for k := len(arcs[i].Via) - 1; k >= 0; k-- {
			a.Via = append(a.Via, arcs[i].Via[k])
		}
		out = append(out, a)
	}
	return out
}

// extent returns the lower left and upper right corners of the box around a closed outline.
func extent(arcs []Arc) (low, high r3.Vec2) {
	low = r3.Vec2{X: math.Inf(1), Y: math.Inf(1)}
	high = low.Scale(-1)
	for i, a := range arcs {
		b := newCurve(a.From, a.Via, arcs[(i+1)%len(arcs)].From)
		n := 1
		if len(a.Via) > 0 {
			n = steps
		}
		for k := range n {
			q := b.eval(float64(k) / float64(n))
			low = r3.Vec2{X: min(low.X, q.X), Y: min(low.Y, q.Y)}
			high = r3.Vec2{X: max(high.X, q.X), Y: max(high.Y, q.Y)}
		}
	}
	return low, high
}

func shifted(arcs []Arc, by r3.Vec2) []Arc {
	out := make([]Arc, len(arcs))
	for i, a := range arcs {
		out[i] = Arc{a.From.Sub(by), shiftedPoints(a.Via, by)}
	}
	return out
}

func shiftedPoints(points []r3.Vec2, by r3.Vec2) []r3.Vec2 {
	var out []r3.Vec2
	for _, q := range points {
		out = append(out, q.Sub(by))
	}
	return out
}

func reversedPoints(p []r3.Vec2) []r3.Vec2 {
	var out []r3.Vec2
	for i := len(p) - 1; i >= 0; i-- {
		out = append(out, p[i])
	}
	return out
}

// tiny is the length of lines that are there by rounding only [m].
const tiny = 2e-5

// tidy makes an outline of arcs from a drawing: closed, counter-clockwise, without lines of no length. If it is not
// closed, the last arc is the point where it ends.
func tidy(name string, arcs []Arc, closed bool) Outline {
	// closed by a point where it began
	o := Outline{Name: name}
	if last := len(arcs) - 1; !closed && last > 1 && arcs[last].From.Sub(arcs[0].From).Norm() <= tiny {
		closed = true
	}
	// lines without length are left out
	for i, a := range arcs {
		if len(a.Via) > 0 || a.From.Sub(arcs[(i+1)%len(arcs)].From).Norm() > tiny {
			o.Arcs = append(o.Arcs, a)
		}
	}
	// outlines that are not closed or empty
	switch {
	case !closed:
		o.Fault = "is not closed: it ends somewhere else than it starts; close it in the drawing"
	case len(o.Arcs) == 0:
		o.Fault = "has no length"
	}
	// points that are too far away
	for _, a := range o.Arcs {
		for _, q := range append([]r3.Vec2{a.From}, a.Via...) {
			if !(math.Abs(q.X) <= farthest && math.Abs(q.Y) <= farthest) {
				o.Fault = fmt.Sprintf(
					"has points further than %g km away; check the unit of the drawing",
					farthest/1000,
				)
				return o
			}
		}
	}
	// counter-clockwise
	if o.Fault == "" && drawnArea(o.Arcs) < 0 {
		o.Arcs = backwards(o.Arcs)
	}
	return o
}

// drawnArea returns the signed area of an outline of few points for each arc.
func drawnArea(arcs []Arc) float64 {
	var at []r3.Vec2
	for i, a := range arcs {
		b := bezier{p: append(append([]r3.Vec2{a.From}, a.Via...), arcs[(i+1)%len(arcs)].From)}
		n := 1
		if len(a.Via) > 0 {
			n = coarse
		}
		for k := range n {
			at = append(at, b.eval(float64(k)/float64(n)))
		}
	}
	return signedArea(at)
}

// circularArc returns a circular arc as cubic Bézier curves of at most a quarter turn each, without its end. The middle
// is c, the first point is c + a, and a point at angle t is at c + a cos t + b sin t: an ellipse if a and b are not of
// one length and at right angles.
func circularArc(c, a, b r3.Vec2, from, sweep float64) []Arc {
	n := max(1, int(math.Ceil(math.Abs(sweep)/(math.Pi/2)-1e-9)))
	step := sweep / float64(n)
	k := 4.0 / 3 * math.Tan(step/4)
	at := func(t float64) (p, d r3.Vec2) {
		s, q := math.Sincos(t)
		return c.Add(a.Scale(q)).Add(b.Scale(s)), b.Scale(q).Sub(a.Scale(s))
	}
	var out []Arc
	for i := range n {
		p, d := at(from + float64(i)*step)
		q, e := at(from + float64(i+1)*step)
		out = append(out, Arc{p, []r3.Vec2{p.Add(d.Scale(k)), q.Sub(e.Scale(k))}})
	}
	return out
}

// Box returns the lower left and the upper right corner of the smallest box around the outline of a panel [m].
func (p *Panel) Box() [2]r3.Vec2 {
	var arcs []Arc
	for i := range p.Edges {
		arcs = append(arcs, p.Edges[i].arcs()...)
	}
	low, high := extent(arcs)
	return [2]r3.Vec2{low, high}
}

// Shift moves a panel within its plane [m]: its outline and its darts, but not its place.
func (p *Panel) Shift(by r3.Vec2) {
	back := by.Scale(-1)
	for i := range p.Edges {
		e := &p.Edges[i]
		e.From, e.Via, e.Then = e.From.Add(by), shiftedPoints(e.Via, back), shifted(e.Then, back)
	}
	for i := range p.Darts {
		p.Darts[i].Tip = p.Darts[i].Tip.Add(by)
	}
}

// clipped shortens a text for messages.
func clipped(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}
