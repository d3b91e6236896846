package pattern

import (
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
	return dxfOutlines(r.pieces, unit)
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

// turnLayer holds the turn points of a piece in the apparel format.
const turnLayer = "2"

// entity reads what stands at hand into a piece.
func (r *dxfReader) entity(p *dxfPiece) error {
	// what it is
	kind, line := r.groups[r.at].value, r.groups[r.at].line
	body := r.body()
	s := dxfShape{layer: field(body, 8)}
	// curves, points and texts
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
	// what has no curve has been read
	if len(s.arcs) == 0 {
		return nil
	}
	// coordinates that are numbers, and not too many of them
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
