package scenefile

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/toile-sim/toile/internal/pattern"
	"github.com/toile-sim/toile/r3"
)

func (p *PatternShape) setDefaults() { p.Size = 0.02 }

// The types of a file of seams.

type seamFile struct {
	Panels []panelEntry `json:"panels" need:"yes" len:"[1,1000]" doc:"the pieces of cloth"`
	Seams  []seamEntry  `json:"seams" len:"[0,10000]" doc:"what is sewn to what"`

	placed
}

type panelEntry struct {
	Name    string       `json:"name" need:"yes" pattern:"name" doc:"each panel its own"`
	Outline string       `json:"outline" doc:"name of the outline in the drawing, by default that of the panel"`
	Mirror  bool         `json:"mirror" doc:"turn left and right round"`
	Fold    *[2]float64  `json:"fold" dim:"length" range:"[-1e3,1e3]" doc:"a point near the straight edge at which the outline is cut on the fold"`
	Corner  float64      `json:"corner" dim:"angle" range:"[0.017,3.1]" doc:"the outline is divided into edges where it turns by more"`
	Corners [][2]float64 `json:"corners" dim:"length" range:"[-1e3,1e3]" len:"[0,1000]" doc:"points where it is divided too"`
	Edges   []edgeEntry  `json:"edges" len:"[0,1000]" doc:"names of edges, counter-clockwise from the lower left corner"`
	Grain   float64      `json:"grain" dim:"angle" range:"[-7,7]" doc:"angle of the warp to the panel's x axis"`
	Place   *panelPlace  `json:"place" doc:"where the panel hangs before it is sewn"`
	Darts   []dartEntry  `json:"darts" len:"[0,1000]" doc:"wedges cut out and sewn shut"`
	Pleats  []pleatEntry `json:"pleats" len:"[0,1000]" doc:"folds along edges"`

	placed
}

type edgeEntry struct {
	Name   string      `json:"name" need:"yes" pattern:"name" doc:"each edge of a panel its own"`
	Number int         `json:"number" range:"[1,100000]" doc:"counted counter-clockwise from the lower left corner"`
	From   *[2]float64 `json:"from" dim:"length" range:"[-1e3,1e3]" doc:"a point near the corner where the edge starts"`
	Near   *[2]float64 `json:"near" dim:"length" range:"[-1e3,1e3]" doc:"a point near the edge"`

	placed
}

type panelPlace struct {
	At     Vec         `json:"at" need:"yes" dim:"length" range:"[-1e3,1e3]" doc:"where the anchor of the panel lies"`
	Anchor *[2]float64 `json:"anchor" dim:"length" range:"[-1e3,1e3]" doc:"a point of the panel, by default the middle of its lower side"`
	Facing string      `json:"facing" one:"front back left right up down" doc:"where its outside looks: front is -y, left is +x"`
	Right  *Vec        `json:"right" range:"[-1e6,1e6]" doc:"direction of the panel's x axis, instead of facing"`
	Up     *Vec        `json:"up" range:"[-1e6,1e6]" doc:"direction of the panel's y axis, instead of facing"`
	Wrap   float64     `json:"wrap" dim:"length" range:"[-1e3,1e3]" doc:"radius of a cylinder inside the garment that it is rolled around; 0 is flat"`

	placed
}

type dartEntry struct {
	Name  string     `json:"name" pattern:"name" doc:"for messages"`
	Edge  string     `json:"edge" need:"yes" doc:"the edge with its mouth"`
	At    float64    `json:"at" need:"yes" dim:"length" range:"[0,1e3]" doc:"distance of the middle of its mouth from the start of the edge, along the edge"`
	Width float64    `json:"width" need:"yes" dim:"length" range:"(0,1e3]" doc:"of the mouth, along the edge"`
	Tip   [2]float64 `json:"tip" need:"yes" dim:"length" range:"[-1e3,1e3]" doc:"its point inside the panel"`

	placed
}

type pleatEntry struct {
	Name  string  `json:"name" pattern:"name" doc:"for messages"`
	Edge  string  `json:"edge" need:"yes" doc:"the edge that is folded"`
	At    float64 `json:"at" need:"yes" dim:"length" range:"[0,1e3]" doc:"distance of the first fold from the start of the edge, along the edge"`
	Depth float64 `json:"depth" need:"yes" dim:"length" range:"(0,1e3]" doc:"of a fold, which takes twice as much of the edge"`
	Count int     `json:"count" range:"[1,10000]" doc:"number of folds"`
	Every float64 `json:"every" dim:"length" range:"[0,1e3]" doc:"distance from the start of a fold to that of the next"`

	placed
}

type seamEntry struct {
	Name     string     `json:"name" need:"yes" pattern:"name" doc:"each seam its own"`
	A        chainEntry `json:"a" need:"yes" doc:"one side: panel.edge, or a list of them end to end"`
	B        chainEntry `json:"b" need:"yes" doc:"the other side"`
	Ease     float64    `json:"ease" range:"[0,10]" doc:"the longer side may exceed the shorter by this fraction"`
	Reversed bool       `json:"reversed" doc:"the sides run the same way, because one panel is drawn as seen from the inside"`

	placed
}

// chainEntry is one side of a seam, written as panel.edge or a list of them.
type chainEntry struct {
	Edges []string `json:"edges" need:"yes" len:"[1,1000]" doc:"panel.edge"`

	placed
}

func (p *panelEntry) setDefaults() { p.Corner, p.Grain = pattern.DefaultCorner, quarterTurn }

func (p *panelPlace) setDefaults() { p.Facing = "front" }

func (p *pleatEntry) setDefaults() { p.Count = 1 }

func (s *seamEntry) setDefaults() { s.Ease = pattern.DefaultEase }

// quarterTurn is the usual grain, along the panel's y axis [rad].
const quarterTurn = 1.5707963267948966

func (*edgeEntry) expand(n *node) (*node, string) {
	if n.kind == scalarNode {
		return wrap("name", n), ""
	}
	return n, ""
}

func (*chainEntry) expand(n *node) (*node, string) {
	switch n.kind {
	case scalarNode:
		return wrap("edges", &node{kind: listNode, at: n.at, items: []*node{n}}), ""
	case listNode:
		return wrap("edges", n), ""
	}
	return n, "must be an edge such as front.side, or a list of edges"
}

func (c *chainEntry) check(d *decoder) {
	for _, e := range c.Edges {
		if panel, edge, ok := strings.Cut(e, "."); !ok || panel == "" || edge == "" {
			d.faults.add(c.at, "%s is not an edge; write panel.edge, such as front.side", shown(e))
		}
	}
}

func (e *edgeEntry) check(d *decoder) {
	n := 0
	for _, key := range []string{"number", "from", "near"} {
		if e.given(key) {
			n++
		}
	}
	if n > 1 {
		d.faults.add(e.at, "edge %s must have one of number, from and near, not %d", e.Name, n)
	}
}

func (p *panelPlace) check(d *decoder) {
	switch {
	case (p.Right == nil) != (p.Up == nil):
		d.faults.add(p.at, "place needs both right and up, or facing alone")
	case p.Right != nil && p.given("facing"):
		d.faults.add(p.key("facing"), "facing does not go with right and up; leave it or them out")
	case p.Right != nil && (*p.Right == (Vec{}) || *p.Up == (Vec{})):
		d.faults.add(p.at, "right and up must be directions, not zero")
	}
}

// facings are the directions of x and y of a panel whose outside looks somewhere.
var facings = map[string][2]r3.Vec{
	"front": {r3.V(1, 0, 0), r3.V(0, 0, 1)},
	"back":  {r3.V(-1, 0, 0), r3.V(0, 0, 1)},
	"left":  {r3.V(0, 1, 0), r3.V(0, 0, 1)},
	"right": {r3.V(0, -1, 0), r3.V(0, 0, 1)},
	"up":    {r3.V(1, 0, 0), r3.V(0, 1, 0)},
	"down":  {r3.V(1, 0, 0), r3.V(0, -1, 0)},
}

// pattern reads a drawing and its file of seams, and meshes the panels.
func (r *fileReader) pattern(c *Cloth, d *decoder) {
	s := c.Shape.Pattern
	// patterns have their true size
	if c.Place.Scale != 1 {
		d.faults.add(c.key("place"), "place: a pattern is not scaled; change its unit")
		return
	}
	// outlines of the drawing
	data, err := r.read(s.File)
	var outlines []pattern.Outline
	if err == nil {
		outlines, err = pattern.ReadOutlines(s.File, data, s.Unit)
		var fault *pattern.DrawingError
		if errors.As(err, &fault) {
			err = fmt.Errorf("%s, %w", s.File, fault)
		}
	}
	if err == nil && len(outlines) == 0 {
		err = fmt.Errorf("%s has no outlines", s.File)
	}
	if err != nil {
		d.faults.add(s.key("file"), "%s", OneLine(err))
		return
	}
	// panels and seams: as the file of seams says, or the outlines as drawn
	before := len(d.faults.list)
	var p *pattern.Pattern
	where := func(*pattern.Fault) place { return s.key("file") }
	if s.Seams == "" {
		p = asDrawn(c.Name, outlines, s, d)
	} else if f := r.seamFile(s, d); f != nil {
		p = f.pattern(c.Name, s.File, outlines, d)
		where = f.place
	}
	if len(d.faults.list) > before {
		return
	}
	// meshes of the panels, with triangles of about the size that is asked for
	g, err := p.Make(s.Size)
	if err != nil {
		addPatternFaults(d, err, where)
		return
	}
	// whole garment to its place
	pose := c.Place.Pose()
	for i, x := range g.Positions {
		g.Positions[i] = pose.Apply(x)
	}
	c.Shape.cut, c.Shape.garment = p, g
}

// addPatternFaults tells the faults of a pattern at their places.
func addPatternFaults(d *decoder, err error, where func(*pattern.Fault) place) {
	var list pattern.Faults
	if !errors.As(err, &list) {
		list = pattern.Faults{{Msg: err.Error()}}
	}
	for _, f := range list {
		d.faults.add(where(f), "%s", f.Error())
	}
}

// asDrawn makes every closed outline a panel, lying in the xy plane as in the drawing, with the lower left corner of
// the first at the origin.
func asDrawn(name string, outlines []pattern.Outline, s *PatternShape, d *decoder) *pattern.Pattern {
	p := &pattern.Pattern{Name: name}
	var origin *r3.Vec2
	for i := range outlines {
		if outlines[i].Fault != "" {
			continue
		}
		panel, shift, err := outlines[i].Panel(asName(outlines[i].Name), pattern.Cutting{})
		if err != nil {
			addPatternFaults(d, err, func(*pattern.Fault) place { return s.key("file") })
			continue
		}
		if origin == nil {
			origin = &shift
		}
		panel.Grain = quarterTurn
		at := shift.Sub(*origin)
		panel.Place = pattern.Place{At: r3.V(at.X, at.Y, 0), Right: facings["up"][0], Up: facings["up"][1]}
		p.Panels = append(p.Panels, panel)
	}
	if len(p.Panels) == 0 {
		d.faults.add(s.key("file"), "%s has no closed outline", s.File)
	}
	return p
}

// asName makes a name of any text.
func asName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}

// seamFile reads the file of seams; nil comes with faults.
func (r *fileReader) seamFile(s *PatternShape, d *decoder) *seamFile {
	data, err := r.read(s.Seams)
	if err != nil {
		d.faults.add(s.key("seams"), "%v", err)
		return nil
	}
	before := len(d.faults.list)
	root := parseYAML(s.Seams, data, d.faults)
	switch {
	case root == nil:
		return nil
	case root.kind == nullNode:
		d.faults.add(root.at, "the file is empty; it must have the key panels")
		return nil
	}
	f := &seamFile{}
	d.mapping(root, reflect.ValueOf(f).Elem(), "the file of seams")
	if len(d.faults.list) > before {
		return nil
	}
	return f
}

// place finds what a fault of a pattern is about.
func (f *seamFile) place(fault *pattern.Fault) place {
	for i := range f.Seams {
		if f.Seams[i].Name == fault.Seam {
			return f.Seams[i].at
		}
	}
	for i := range f.Panels {
		if p := &f.Panels[i]; p.Name == fault.Panel {
			kind, _, _ := strings.Cut(fault.Edge, " ")
			return p.key(kind + "s") // edges, darts, pleats
		}
	}
	return f.at
}

// pattern makes panels of outlines.
func (f *seamFile) pattern(name, drawing string, outlines []pattern.Outline, d *decoder) *pattern.Pattern {
	p := &pattern.Pattern{Name: name}
	for i := range f.Panels {
		e := &f.Panels[i]
		if e.Place == nil && len(f.Panels) > 1 {
			d.faults.add(
				e.at,
				"panel %s needs the key place, with where it hangs, such as place: {at: [0, -0.2, 1], facing: front}",
				e.Name,
			)
			continue
		}
		if o := e.outline(drawing, outlines, d); o != nil {
			p.Panels = append(p.Panels, f.panel(e, o, d))
		}
	}
	for i := range f.Seams {
		s := &f.Seams[i]
		p.Seams = append(
			p.Seams,
			pattern.Seam{Name: s.Name, A: s.A.refs(), B: s.B.refs(), Ease: s.Ease, Reversed: s.Reversed},
		)
	}
	return p
}

func (c *chainEntry) refs() []pattern.EdgeRef {
	var out []pattern.EdgeRef
	for _, e := range c.Edges {
		panel, edge, _ := strings.Cut(e, ".")
		out = append(out, pattern.EdgeRef{Panel: panel, Edge: edge})
	}
	return out
}

// outline finds the outline of a panel in the drawing.
func (e *panelEntry) outline(drawing string, outlines []pattern.Outline, d *decoder) *pattern.Outline {
	want, key := e.Name, "name"
	if e.Outline != "" {
		want, key = e.Outline, "outline"
	}
	var found *pattern.Outline
	var names []string
	for i := range outlines {
		names = append(names, outlines[i].Name)
		if outlines[i].Name != want {
			continue
		}
		if found != nil {
			d.faults.add(e.key(key), "%s has several outlines %s; give each a name of its own", drawing, shown(want))
			return nil
		}
		found = &outlines[i]
	}
	if found == nil {
		d.faults.add(e.key(key), "%s has no outline %s%s", drawing, shown(want), suggestion(want, names))
	}
	return found
}

// panel cuts a panel out of its outline.
func (f *seamFile) panel(e *panelEntry, o *pattern.Outline, d *decoder) pattern.Panel {
	// where the outline is cut and folded
	cut := pattern.Cutting{Corner: e.Corner, Mirror: e.Mirror}
	if e.Fold != nil {
		cut.Fold = &r3.Vec2{X: e.Fold[0], Y: e.Fold[1]}
	}
	for _, q := range e.Corners {
		cut.Corners = append(cut.Corners, vec2(q))
	}
	// names of its edges
	for i, n := range e.Edges {
		name := pattern.EdgeName{Name: n.Name, Number: n.Number}
		if n.Number == 0 {
			name.Number = i + 1
		}
		if n.From != nil {
			name.From = &r3.Vec2{X: n.From[0], Y: n.From[1]}
		}
		if n.Near != nil {
			name.Near = &r3.Vec2{X: n.Near[0], Y: n.Near[1]}
		}
		cut.Edges = append(cut.Edges, name)
	}
	// panel itself
	p, _, err := o.Panel(e.Name, cut)
	if err != nil {
		addPatternFaults(d, err, f.place)
		return pattern.Panel{Name: e.Name}
	}
	// grain, darts and pleats
	p.Grain = e.Grain
	for _, t := range e.Darts {
		p.Darts = append(p.Darts, pattern.Dart{Name: t.Name, Edge: t.Edge, At: t.At, Width: t.Width, Tip: vec2(t.Tip)})
	}
	for _, t := range e.Pleats {
		p.Pleats = append(
			p.Pleats,
			pattern.Pleat{Name: t.Name, Edge: t.Edge, At: t.At, Depth: t.Depth, Count: t.Count, Every: t.Every},
		)
	}
	// where it hangs before sewing
	if e.Place != nil {
		e.Place.hang(&p)
	}
	return p
}

func vec2(q [2]float64) r3.Vec2 { return r3.Vec2{X: q[0], Y: q[1]} }

// hang moves the anchor of a panel to its origin and places it.
func (q *panelPlace) hang(p *pattern.Panel) {
	box := p.Box()
	anchor := r3.Vec2{X: (box[0].X + box[1].X) / 2, Y: box[0].Y}
	if q.Anchor != nil {
		anchor = vec2(*q.Anchor)
	}
	p.Shift(anchor.Scale(-1))
	axes := facings[q.Facing]
	if q.Right != nil {
		axes = [2]r3.Vec{q.Right.R3().Unit(), q.Up.R3().Unit()}
	}
	p.Place = pattern.Place{At: q.At.R3(), Right: axes[0], Up: axes[1]}
	if q.Wrap != 0 {
		p.Place.Wrap = 1 / q.Wrap
	}
}
