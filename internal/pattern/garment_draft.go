package pattern

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/r3"
)

// tailor has everything that drafting needs.
type tailor struct {
	o    GarmentOptions
	m    mannequin.Measures
	x    []r3.Vec // vertices of the body in the dressing pose
	body *geom.MeshField
	out  float64 // how much further out than the first layer [m]
	// Landmarks of the left side.
	top, neck, shoulder, armpit, chest, waist, hip, crotch, knee, ankle, elbow, wrist r3.Vec
	arm, leg                                                                          float64 // slopes: of the arms downwards along x, of the legs outwards along -z
}

func newTailor(body *mannequin.Mannequin, o GarmentOptions) *tailor {
	t := &tailor{o: o, m: body.Measures, out: float64(o.Layer-1) * o.LayerGap, x: make([]r3.Vec, body.Vertices())}
	pose := mannequin.DressingPose()
	body.Skin(&pose, t.x)
	t.body = geom.NewMeshField(t.x, body.Tri)
	for name, at := range map[string]*r3.Vec{
		"top": &t.top, "neck": &t.neck, "shoulder": &t.shoulder, "armpit": &t.armpit, "chest": &t.chest, "waist": &t.waist,
		"hip": &t.hip, "crotch": &t.crotch, "knee": &t.knee, "ankle": &t.ankle, "elbow": &t.elbow, "wrist": &t.wrist,
	} {
		x, ok := body.Landmark(name)
		if !ok {
			panic("pattern: the mannequin has no landmark " + name)
		}
		*at = x
	}
	t.arm = (t.elbow.Z - t.wrist.Z) / (t.wrist.X - t.elbow.X)
	t.leg = (t.ankle.X - t.knee.X) / (t.knee.Z - t.ankle.Z)
	return t
}

// quarter returns a quarter of what goes around a circumference of the body with a usual ease, in this layer.
func (t *tailor) quarter(around, ease float64) float64 {
	const thick = 0.002 // of a layer, with the air in it
	return around*(1+ease*t.o.Ease)/4 + float64(t.o.Layer-1)*thick*math.Pi/2
}

func v2(x, y float64) r3.Vec2 { return r3.Vec2{X: x, Y: y} }

// line is a stretch of an outline being drafted: as an Edge, without a start.
type line struct {
	name string
	via  []r3.Vec2
	to   r3.Vec2
}

// path is stretches of an outline, end to end.
type path struct {
	from  r3.Vec2
	lines []line
}

// straight adds a straight line.
func (p *path) straight(name string, to r3.Vec2) { p.lines = append(p.lines, line{name, nil, to}) }

// curve adds a curve with one or two control points.
func (p *path) curve(name string, to r3.Vec2, via ...r3.Vec2) {
	p.lines = append(p.lines, line{name, via, to})
}

// end returns where the path ends.
func (p *path) end() r3.Vec2 {
	if len(p.lines) == 0 {
		return p.from
	}
	return p.lines[len(p.lines)-1].to
}

// edges returns a path that ends where it starts as an outline.
func (p *path) edges() []Edge {
	out := make([]Edge, len(p.lines))
	at := p.from
	for i, l := range p.lines {
		out[i] = Edge{Name: l.name, From: at, Via: l.via}
		at = l.to
	}
	return out
}

// named returns the path with another ending for all names.
func (p *path) named(suffix string) path {
	q := path{from: p.from, lines: slices.Clone(p.lines)}
	for i := range q.lines {
		q.lines[i].name += suffix
	}
	return q
}

// mapped returns the path with every point moved. Flipping it over turns its direction around as well, so that what was
// counter-clockwise still is.
func (p *path) mapped(move func(r3.Vec2) r3.Vec2, flip bool) path {
	q := path{from: move(p.from)}
	for _, l := range p.lines {
		m := line{name: l.name, to: move(l.to)}
		for _, v := range l.via {
			m.via = append(m.via, move(v))
		}
		q.lines = append(q.lines, m)
	}
	if flip {
		return q.backwards()
	}
	return q
}

// backwards returns the path from its end to its start.
func (p *path) backwards() path {
	q := path{from: p.end()}
	for i := len(p.lines) - 1; i >= 0; i-- {
		to := p.from
		if i > 0 {
			to = p.lines[i-1].to
		}
		via := slices.Clone(p.lines[i].via)
		slices.Reverse(via)
		q.lines = append(q.lines, line{p.lines[i].name, via, to})
	}
	return q
}

func mirror(v r3.Vec2) r3.Vec2 { return v2(-v.X, v.Y) }

// flipped returns the mirror image, still counter-clockwise.
func (p *path) flipped() path { return p.mapped(mirror, true) }

// face is a side of the body that a symmetric panel hangs at.
type face int

const (
	frontFace face = iota
	backFace
)

// symmetric returns a panel before or behind the body: hem, the given half at x > 0 from the hem up, top, and the
// mirror image of the half. hem and top have the control points of the whole curve; the half and its mirror image get
// the names -left and -right of the body's sides.
func (f face) symmetric(name string, half path, hem, top []r3.Vec2) Panel {
	right, left := half.named("-left"), half.named("-right")
	if f == backFace {
		right, left = left, right
	}
	left = left.flipped()
	p := path{from: left.end()}
	p.curve("hem", right.from, hem...)
	p.lines = append(p.lines, right.lines...)
	p.curve("neck", left.from, top...)
	p.lines = append(p.lines, left.lines...)
	return Panel{Name: name, Edges: p.edges(), Grain: math.Pi / 2}
}

// both returns the control points of a symmetric curve from the one on the side x > 0.
func both(v r3.Vec2, first bool) []r3.Vec2 {
	if first {
		return []r3.Vec2{v, mirror(v)}
	}
	return []r3.Vec2{mirror(v), v}
}

// outwards is the direction in which a panel hangs away from the body.
func (f face) outwards() float64 {
	if f == frontFace {
		return -1
	}
	return 1
}

// hang places a panel before or behind the body: its origin at (x, z), turned about the y axis by an angle, and as near
// to the body as the clearance lets it.
func (t *tailor) hang(p *Panel, f face, x, z, turn float64) {
	s, c := math.Sincos(turn)
	right := r3.V(c, 0, -s)
	if f == backFace {
		right = right.Neg()
	}
	p.Place = Place{At: r3.V(x, 0, z), Right: right, Up: r3.V(s, 0, c)}
	// Wherever the body is within the clearance of the panel's box, seen along y, it must be behind it.
	box := r3.BoxOf(p.placed())
	const margin = 0.06 // more than the length of an edge of the body's mesh
	depth := 0.0
	for _, v := range t.x {
		if v.X > box.Min.X-margin && v.X < box.Max.X+margin && v.Z > box.Min.Z-margin && v.Z < box.Max.Z+margin {
			depth = max(depth, v.Y*f.outwards())
		}
	}
	p.Place.At.Y = f.outwards() * (depth + t.o.Clearance + t.out)
}

// samples returns points along the outline.
func (p *Panel) samples() []r3.Vec2 {
	const n = 24
	var out []r3.Vec2
	for i, e := range p.Edges {
		c := newCurve(e.From, e.Via, p.Edges[(i+1)%len(p.Edges)].From)
		for k := range n {
			out = append(out, c.eval(float64(k)/n))
		}
	}
	return out
}

// placed returns the points along the outline where they hang.
func (p *Panel) placed() []r3.Vec {
	var out []r3.Vec
	for _, q := range p.samples() {
		out = append(out, p.Place.Point(q))
	}
	return out
}

// raise moves a panel in a direction until all of it is as far from the body as the clearance says.
func (t *tailor) raise(p *Panel, dir r3.Vec) {
	const (
		step  = 2e-3
		cell  = 0.012
		limit = 500
	)
	points := p.inside(cell)
	// The distance of a point between the samples is smaller by at most half a cell's diagonal; near convex
	// bodies much less.
	want := t.o.Clearance + t.out
	for range limit {
		low := math.Inf(1)
		for _, q := range points {
			d, _ := t.body.Distance(p.Place.Point(q))
			if low = min(low, d); low < want {
				break
			}
		}
		if low >= want {
			return
		}
		p.Place.At = p.Place.At.AddScaled(step, dir)
	}
}

// inside returns the points of a grid that are inside of the outline, and points along it.
func (p *Panel) inside(cell float64) []r3.Vec2 {
	rim := p.samples()
	low, high := rim[0], rim[0]
	for _, q := range rim {
		low, high = v2(min(low.X, q.X), min(low.Y, q.Y)), v2(max(high.X, q.X), max(high.Y, q.Y))
	}
	out := slices.Clone(rim)
	for x := low.X; x <= high.X; x += cell {
		for y := low.Y; y <= high.Y; y += cell {
			if q := v2(x, y); encloses(rim, q) {
				out = append(out, q)
			}
		}
	}
	return out
}

// encloses reports whether a point is inside of a polygon, by the number of sides to its right.
func encloses(rim []r3.Vec2, q r3.Vec2) bool {
	in := false
	for i, a := range rim {
		b := rim[(i+1)%len(rim)]
		if (a.Y > q.Y) != (b.Y > q.Y) && q.X < a.X+(b.X-a.X)*(q.Y-a.Y)/(b.Y-a.Y) {
			in = !in
		}
	}
	return in
}

// seam joins chains of edges, given as panel, edge, edge, ... of each.
func seam(name string, a, b []EdgeRef) Seam { return Seam{Name: name, A: a, B: b} }

// edgesOf returns the edges of a panel with the given names.
func edgesOf(panel string, edges ...string) []EdgeRef {
	out := make([]EdgeRef, len(edges))
	for i, e := range edges {
		out[i] = EdgeRef{panel, e}
	}
	return out
}

// sides returns the seams between front and back for chains of edges that run upwards on the left of the front, by
// their names without the side.
func sides(name string, edges ...string) []Seam {
	var out []Seam
	for _, side := range []string{"left", "right"} {
		up := make([]string, len(edges))
		down := make([]string, len(edges))
		for i, e := range edges {
			up[i], down[len(edges)-1-i] = e+"-"+side, e+"-"+side
		}
		// At x > 0 outlines run upwards: the left of the front, the right of the back.
		front, back := edgesOf("front", up...), edgesOf("back", down...)
		if side == "right" {
			front, back = edgesOf("front", down...), edgesOf("back", up...)
		}
		out = append(out, seam(name+"-"+side, front, back))
	}
	return out
}
