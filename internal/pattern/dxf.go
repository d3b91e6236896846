package pattern

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// DXF outlines: POLYLINE and LWPOLYLINE with bulges, and LINE, ARC, CIRCLE and SPLINE that meet end to end.
//
// A file is pairs of lines, a group code and its value. A block is a piece: the apparel exchange format [AAMA292] has
// one block for each, with the sewing line on layer 14, the cutting line on layer 1, turn points as POINTs on
// layer 2, and its name and unit in texts. What lies in no block is grouped by layer.

// ReadDXF reads the closed shapes of a DXF drawing, pieces in blocks first. Unit is the length of one unit of the
// drawing [m]; 0 takes what the drawing says. What is not closed, and so cannot be a panel, comes with a Fault.
func ReadDXF(data []byte, unit float64) ([]Outline, error) {
	groups, err := dxfGroups(data)
	if err != nil {
		return nil, err
	}
	r := &dxfReader{groups: groups}
	if err := r.read(); err != nil {
		return nil, err
	}
	if unit == 0 {
		if unit = r.unit(); unit == 0 {
			return nil, &DrawingError{1, "the drawing does not say its unit ($INSUNITS); give one"}
		}
	}
	return r.outlines(unit)
}

// dxfGroup is a group code and its value.
type dxfGroup struct {
	line  int
	code  int
	value string
}

func (g *dxfGroup) number() float64 {
	v, err := strconv.ParseFloat(g.value, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func (g *dxfGroup) integer() int {
	v, err := strconv.Atoi(g.value)
	if err != nil {
		return 0
	}
	return v
}

func dxfGroups(data []byte) ([]dxfGroup, error) {
	if bytes.HasPrefix(data, []byte("AutoCAD Binary DXF")) {
		return nil, &DrawingError{1, "a binary DXF file; save it as text (ASCII DXF)"}
	}
	var out []dxfGroup
	line := 0
	next := func() (string, bool) {
		if len(data) == 0 {
			return "", false
		}
		text, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		line++
		return string(bytes.TrimSpace(text)), true
	}
	for {
		code, ok := next()
		if !ok || code == "" && len(bytes.TrimSpace(data)) == 0 {
			return out, nil
		}
		c, err := strconv.Atoi(code)
		if err != nil || c < -5 || c > 1071 {
			return nil, &DrawingError{line, fmt.Sprintf("%q is not a group code; is this a DXF file?", clipped(code))}
		}
		value, ok := next()
		if !ok {
			return nil, &DrawingError{line, "the file ends within a group"}
		}
		out = append(out, dxfGroup{line - 1, c, value})
	}
}

// piece of a drawing: a block, or what is in none.
type dxfPiece struct {
	name   string
	block  bool
	shapes []dxfShape
	turns  []r3.Vec2
}

// dxfShape is an entity as arcs.
type dxfShape struct {
	layer  string
	arcs   []Arc
	end    r3.Vec2
	closed bool
}

type dxfReader struct {
	groups   []dxfGroup
	at       int
	insunits int
	metric   bool    // $MEASUREMENT
	said     float64 // unit that a text says
	pieces   []dxfPiece
	arcs     int
}

// dxfUnits are the lengths of $INSUNITS [m].
var dxfUnits = map[int]float64{1: 0.0254, 2: 0.3048, 4: 1e-3, 5: 1e-2, 6: 1, 10: 0.9144, 14: 0.1}

func (r *dxfReader) unit() float64 {
	switch {
	case dxfUnits[r.insunits] > 0:
		return dxfUnits[r.insunits]
	case r.said > 0:
		return r.said
	case r.metric:
		return 1e-3
	}
	return 0
}

// read goes through the file.
func (r *dxfReader) read() error {
	model := &dxfPiece{}
	piece := model
	ended := false
	for r.at < len(r.groups) && !ended {
		g := &r.groups[r.at]
		if g.code == 9 {
			r.header(g.value)
		}
		if g.code != 0 {
			r.at++
			continue
		}
		switch g.value {
		case "EOF":
			ended = true
		case "SECTION": // the variables of a header follow
			r.at++
		case "BLOCK":
			body := r.body()
			piece = &dxfPiece{name: field(body, 2), block: true}
		case "ENDBLK":
			if piece.block && len(r.pieces) < mostOutlines {
				r.pieces = append(r.pieces, *piece)
			}
			r.body()
			piece = model
		default:
			if err := r.entity(piece); err != nil {
				return err
			}
		}
	}
	if !ended {
		line := 1
		if n := len(r.groups); n > 0 {
			line = r.groups[n-1].line
		}
		return &DrawingError{line, "the file ends without EOF; it is not DXF, or cut off"}
	}
	r.pieces = append(r.pieces, *model)
	return nil
}

func (r *dxfReader) header(name string) {
	if r.at+1 >= len(r.groups) {
		return
	}
	switch v := &r.groups[r.at+1]; name {
	case "$INSUNITS":
		r.insunits = v.integer()
	case "$MEASUREMENT":
		r.metric = v.integer() == 1
	}
}

// body returns the groups of the entity at hand, and goes on to the next.
func (r *dxfReader) body() []dxfGroup {
	start := r.at + 1
	for r.at++; r.at < len(r.groups) && r.groups[r.at].code != 0; r.at++ {
	}
	return r.groups[start:r.at]
}

// field returns the first value of a code.
func field(body []dxfGroup, code int) string {
	for i := range body {
		if body[i].code == code {
			return body[i].value
		}
	}
	return ""
}

func numberField(body []dxfGroup, code int, other float64) float64 {
	for i := range body {
		if body[i].code == code {
			return body[i].number()
		}
	}
	return other
}

func pointField(body []dxfGroup, code int) r3.Vec2 {
	return r3.Vec2{X: numberField(body, code, 0), Y: numberField(body, code+10, 0)}
}

// turnLayer holds the turn points of a piece in the apparel format.
const turnLayer = "2"

// entity reads what stands at hand into a piece.
func (r *dxfReader) entity(p *dxfPiece) error {
	kind, line := r.groups[r.at].value, r.groups[r.at].line
	body := r.body()
	s := dxfShape{layer: field(body, 8)}
	switch kind {
	case "LINE":
		s.arcs, s.end = []Arc{{From: pointField(body, 10)}}, pointField(body, 11)
	case "ARC":
		from, to := numberField(body, 50, 0)*math.Pi/180, numberField(body, 51, 360)*math.Pi/180
		sweep := math.Mod(to-from, 2*math.Pi)
		if sweep <= 0 {
			sweep += 2 * math.Pi
		}
		s.round(body, from, sweep)
	case "CIRCLE":
		s.round(body, 0, 2*math.Pi)
		s.closed = true
	case "LWPOLYLINE":
		s.polyline(lightVertices(body), field(body, 70))
	case "POLYLINE":
		s.polyline(r.heavyVertices(), field(body, 70))
	case "SPLINE":
		if !s.spline(body) {
			return &DrawingError{
				line,
				"a SPLINE without control points and as many knots as they need is not read; save it with control points, or as a polyline",
			}
		}
	case "POINT":
		if s.layer == turnLayer {
			p.turns = append(p.turns, pointField(body, 10))
		}
	case "TEXT", "MTEXT":
		r.text(p, field(body, 1))
	}
	if len(s.arcs) == 0 {
		return nil
	}
	for _, a := range append(s.arcs, Arc{From: s.end}) {
		for _, q := range append([]r3.Vec2{a.From}, a.Via...) {
			if !q.Finite() {
				return &DrawingError{line, fmt.Sprintf("%s has a coordinate that is not a number", kind)}
			}
		}
	}
	if r.arcs += len(s.arcs); r.arcs > mostArcs {
		return &DrawingError{line, fmt.Sprintf("more than %d lines and arcs", mostArcs)}
	}
	p.shapes = append(p.shapes, s)
	return nil
}

// text takes the name and unit of a piece out of the annotations of the apparel format.
func (r *dxfReader) text(p *dxfPiece, text string) {
	key, value, ok := strings.Cut(text, ":")
	if value = strings.TrimSpace(value); !ok || value == "" {
		return
	}
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "piece name":
		if p.block {
			p.name = value
		}
	case "units":
		switch strings.ToLower(value) {
		case "metric":
			r.said = 1e-3
		case "english":
			r.said = 0.0254
		}
	}
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

func (r *dxfReader) heavyVertices() []dxfVertex {
	var out []dxfVertex
	for r.at < len(r.groups) && r.groups[r.at].value == "VERTEX" {
		body := r.body()
		const frame = 16 // control points of a fitted curve are not on it
		if flags, _ := strconv.Atoi(field(body, 70)); flags&frame == 0 {
			out = append(out, dxfVertex{pointField(body, 10), numberField(body, 42, 0)})
		}
	}
	if r.at < len(r.groups) && r.groups[r.at].value == "SEQEND" {
		r.body()
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
