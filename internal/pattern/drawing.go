package pattern

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// Outline is a closed curve of a drawing, counter-clockwise, with y up.
type Outline struct {
	Name  string
	Arcs  []Arc     // [m], in the place of the drawing; the last ends where the first begins
	Turns []r3.Vec2 // points that the drawing marks as corners [m]
	Fault string    // why it cannot be a panel, or empty
}

// ReadOutlines reads the outlines of a drawing, in the format that its name ends with: .svg or .dxf. Unit is the length
// of one unit of the drawing [m]; 0 takes what the drawing says.
func ReadOutlines(name string, data []byte, unit float64) ([]Outline, error) {
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".svg"):
		return ReadSVG(data, unit)
	case strings.HasSuffix(lower, ".dxf"):
		return ReadDXF(data, unit)
	}
	return nil, fmt.Errorf("%s: outlines are read from .svg and .dxf files", name)
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

// Cutting says how an outline becomes a panel.
type Cutting struct {
	Corner  float64   // directions that differ by more make a corner [rad]; 0 means DefaultCorner
	Corners []r3.Vec2 // further corners: the points of the outline nearest to these [m], measured as in the panel
	Mirror  bool      // turn left and right round
	Fold    *r3.Vec2  // near the straight edge that is laid on a fold of the cloth, so that the panel is twice the outline [m], measured as in the outline alone
	Edges   []EdgeName
}

// DefaultCorner is the least turn of an outline that is a corner: curves that a drawing program has divided into
// straight lines turn less [rad].
const DefaultCorner = 25 * math.Pi / 180

// EdgeName gives an edge its name. Number counts edges from 1, counter-clockwise from the corner nearest to the lower
// left of the panel; else From is near the corner at which the edge starts, or Near is near the edge.
type EdgeName struct {
	Name       string
	Number     int
	From, Near *r3.Vec2
}

// Panel cuts a panel out: its outline divided into edges at corners. Coordinates of the panel are measured from the
// lower left of the smallest box around it; shift is where that lies in the drawing. Edges without a name are
// called by their numbers. Faults come all at once, as Faults.
func (o *Outline) Panel(name string, c Cutting) (p Panel, shift r3.Vec2, err error) {
	m := &maker{}
	if o.Fault != "" {
		m.fault(Fault{Panel: name}, "outline %s %s", o.Name, o.Fault)
		return Panel{}, r3.Vec2{}, m.faults
	}
	arcs, turns := o.Arcs, o.Turns
	if c.Mirror {
		arcs, turns = mirrored(arcs, turns)
	}
	low, high := extent(arcs)
	arcs, turns = shifted(arcs, low), shiftedPoints(turns, low)
	if c.Fold != nil {
		var ok bool
		if arcs, turns, ok = unfolded(arcs, turns, *c.Fold, c.Corner); !ok {
			m.fault(
				Fault{Panel: name},
				"the edge near %s, at which it is cut on the fold, is not straight; give a point near a straight edge",
				showPoint(*c.Fold),
			)
			return Panel{}, r3.Vec2{}, m.faults
		}
		var shift r3.Vec2
		shift, high = extent(arcs)
		arcs, turns = shifted(arcs, shift), shiftedPoints(turns, shift)
		low, high = low.Add(shift), low.Add(high)
	}
	size := max(high.X-low.X, high.Y-low.Y)
	for _, q := range c.Corners {
		var at r3.Vec2
		if arcs, at = divideAt(arcs, q); at.Sub(q).Norm() > 0.1*size {
			m.fault(
				Fault{Panel: name},
				"the corner %s is %s away from the outline; give points in the panel's own coordinates, from the lower left of the piece",
				showPoint(q),
				millimetres(at.Sub(q).Norm()),
			)
		}
		turns = append(turns, at)
	}
	p = Panel{Name: name, Edges: cornered(arcs, turns, c.Corner)}
	named := make([]string, len(p.Edges))
	for _, e := range c.Edges {
		at := Fault{Panel: name, Edge: "edge " + e.Name}
		i := e.find(p.Edges)
		switch {
		case i < 0:
			m.fault(at, "there is no edge number %d; the outline has %d, divided at corners", e.Number, len(p.Edges))
		case named[i] != "":
			m.fault(
				at,
				"is the same edge as %s, number %d; the outline has %d edges, divided at corners: give further corners if there should be more",
				named[i],
				i+1,
				len(p.Edges),
			)
		default:
			named[i] = e.Name
		}
	}
	for i := range p.Edges {
		if p.Edges[i].Name = named[i]; named[i] == "" {
			p.Edges[i].Name = strconv.Itoa(i + 1)
		}
	}
	if len(m.faults) > 0 {
		return Panel{}, r3.Vec2{}, m.faults
	}
	return p, low, nil
}

// find returns the index of the edge that is meant, or -1.
func (n *EdgeName) find(edges []Edge) int {
	switch {
	case n.From != nil:
		best := 0
		for i := range edges {
			if edges[i].From.Sub(*n.From).Norm() < edges[best].From.Sub(*n.From).Norm() {
				best = i
			}
		}
		return best
	case n.Near != nil:
		best, least := 0, math.Inf(1)
		for i := range edges {
			c := edgeCurve(&edges[i], edges[(i+1)%len(edges)].From)
			if _, _, d := c.nearest(*n.Near); d < least {
				best, least = i, d
			}
		}
		return best
	case n.Number >= 1 && n.Number <= len(edges):
		return n.Number - 1
	}
	return -1
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

// divideAt makes an arc start at the point of the outline nearest to q, and returns that point.
func divideAt(arcs []Arc, q r3.Vec2) ([]Arc, r3.Vec2) {
	e := Edge{From: arcs[0].From, Via: arcs[0].Via, Then: arcs[1:]}
	c := edgeCurve(&e, arcs[0].From)
	i, t, _ := c.nearest(q)
	// An end that is near already is taken as it is.
	const close = 1e-6
	switch {
	case t < close:
		return arcs, arcs[i].From
	case t > 1-close:
		return arcs, arcs[(i+1)%len(arcs)].From
	}
	left, right := c.parts[i].divide(t)
	out := append([]Arc{}, arcs[:i]...)
	out = append(out, left, right)
	return append(out, arcs[i+1:]...), right.From
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

// cornered divides an outline at its corners. The first edge starts at the corner nearest to the lower left, which is
// at the origin; without corners, at the start of the arc nearest to it.
func cornered(arcs []Arc, turns []r3.Vec2, corner float64) []Edge {
	if corner == 0 {
		corner = DefaultCorner
	}
	n := len(arcs)
	var at []int // arcs that start at a corner
	for i := range arcs {
		if isCorner(arcs, i, turns, corner) {
			at = append(at, i)
		}
	}
	first := 0
	if len(at) == 0 {
		for i := range arcs {
			if arcs[i].From.Norm() < arcs[first].From.Norm() {
				first = i
			}
		}
		at, first = []int{first}, 0
	}
	for k, i := range at {
		if arcs[i].From.Norm() < arcs[at[first]].From.Norm() {
			first = k
		}
	}
	var edges []Edge
	for k := range at {
		from, to := at[(first+k)%len(at)], at[(first+k+1)%len(at)]
		e := Edge{From: arcs[from].From, Via: arcs[from].Via}
		for i := (from + 1) % n; i != to; i = (i + 1) % n {
			e.Then = append(e.Then, arcs[i])
		}
		edges = append(edges, e)
	}
	return edges
}

// isCorner reports whether the outline turns sharply where arc i starts, or is marked there.
func isCorner(arcs []Arc, i int, turns []r3.Vec2, corner float64) bool {
	const marked = 1e-5 // [m]
	for _, q := range turns {
		if q.Sub(arcs[i].From).Norm() < marked {
			return true
		}
	}
	n := len(arcs)
	before := &arcs[(i+n-1)%n]
	u := tangent(append(append([]r3.Vec2{arcs[i].From}, reversedPoints(before.Via)...), before.From)).Scale(-1)
	v := tangent(append(append([]r3.Vec2{arcs[i].From}, arcs[i].Via...), arcs[(i+1)%n].From))
	return math.Abs(math.Atan2(u.Cross(v), u.Dot(v))) > corner
}

func reversedPoints(p []r3.Vec2) []r3.Vec2 {
	var out []r3.Vec2
	for i := len(p) - 1; i >= 0; i-- {
		out = append(out, p[i])
	}
	return out
}

// tangent returns the direction in which a Bézier curve leaves its first point.
func tangent(p []r3.Vec2) r3.Vec2 {
	for _, q := range p[1:] {
		if d := q.Sub(p[0]); d.Norm() > 0 {
			return d
		}
	}
	return r3.Vec2{}
}

// tiny is the length of lines that are there by rounding only [m].
const tiny = 2e-5

// tidy makes an outline of arcs from a drawing: closed, counter-clockwise, without lines of no length. If it is not
// closed, the last arc is the point where it ends.
func tidy(name string, arcs []Arc, closed bool) Outline {
	o := Outline{Name: name}
	if last := len(arcs) - 1; !closed && last > 1 && arcs[last].From.Sub(arcs[0].From).Norm() <= tiny {
		closed = true
	}
	for i, a := range arcs {
		if len(a.Via) > 0 || a.From.Sub(arcs[(i+1)%len(arcs)].From).Norm() > tiny {
			o.Arcs = append(o.Arcs, a)
		}
	}
	switch {
	case !closed:
		o.Fault = "is not closed: it ends somewhere else than it starts; close it in the drawing"
	case len(o.Arcs) == 0:
		o.Fault = "has no length"
	}
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
