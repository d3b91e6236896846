package meshio

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// plySource gives the values of a PLY body one by one.
type plySource interface {
	begin() *Error                          // before each instance of an element
	scalar(t plyType) (float64, *Error)     // may be infinite or not a number in binary
	end() *Error                            // after each instance
	fail(format string, args ...any) *Error // at the last value
	room() int                              // bytes left
	ascii() bool
}

// plyText is the body of an ASCII file: one instance of an element to a line.
type plyText struct{ *text }

func (s plyText) ascii() bool { return true }
func (s plyText) room() int   { return len(s.data) - s.pos + 1 }

func (s plyText) begin() *Error {
	for {
		save := *s.text
		if s.next() != nil {
			*s.text = save
			return nil
		}
		if s.pos >= len(s.data) {
			return s.fail("the data ends early")
		}
		s.skipLine()
	}
}

func (s plyText) scalar(t plyType) (float64, *Error) {
	w := s.next()
	if w == nil {
		return 0, s.fail("the line ends early")
	}
	if t >= plyFloat32 {
		x, ok := parseNumber(w)
		if !ok {
			return 0, s.fail("%q is not a finite number", clip(w))
		}
		return x, nil
	}
	x, err := strconv.ParseInt(string(w), 10, 64)
	if err != nil || float64(x) > plyRange[t] || x < 0 && (t&1 == 1 || float64(x) < -plyRange[t]-1) {
		return 0, s.fail("%q is not an integer of the declared type", clip(w))
	}
	return float64(x), nil
}

func (s plyText) end() *Error {
	if w := s.next(); w != nil {
		return s.fail("%q is more than the header declares", clip(w))
	}
	s.skipLine()
	return nil
}

// plyBinary is the body of a binary file.
type plyBinary struct {
	data      []byte
	pos, last int
	order     binary.ByteOrder
}

func (s *plyBinary) ascii() bool   { return false }
func (s *plyBinary) room() int     { return len(s.data) - s.pos }
func (s *plyBinary) begin() *Error { return nil }
func (s *plyBinary) end() *Error   { return nil }

func (s *plyBinary) fail(format string, args ...any) *Error {
	return &Error{Offset: int64(s.last), Msg: fmt.Sprintf(format, args...)}
}

func (s *plyBinary) scalar(t plyType) (float64, *Error) {
	s.last = s.pos
	size := plySize[t]
	if len(s.data)-s.pos < size {
		return 0, s.fail("the data ends early")
	}
	b := s.data[s.pos : s.pos+size]
	s.pos += size
	switch t {
	case plyInt8:
		return float64(int8(b[0])), nil
	case plyUint8:
		return float64(b[0]), nil
	case plyInt16:
		return float64(int16(s.order.Uint16(b))), nil
	case plyUint16:
		return float64(s.order.Uint16(b)), nil
	case plyInt32:
		return float64(int32(s.order.Uint32(b))), nil
	case plyUint32:
		return float64(s.order.Uint32(b)), nil
	case plyFloat32:
		return float64(math.Float32frombits(s.order.Uint32(b))), nil
	}
	return math.Float64frombits(s.order.Uint64(b)), nil
}

// plyReader is the state of reading one PLY file.
type plyReader struct {
	src      plySource
	m        *Mesh
	vertices int // declared
	hasFace  bool
	list     []float64 // the list being read
	corners  []int32
	wedges   []r3.Vec2 // UVs of the corners of a face
	uvOf     map[plyWedge]int32
	polygons int
}

// plyWedge is a UV at a vertex. Equal UVs at one vertex are one point, at two vertices two.
type plyWedge struct {
	vertex int32
	uv     r3.Vec2
}

func readPLY(data []byte) (*Mesh, error) {
	t := &text{data: data, line: 1}
	r := &plyReader{m: &Mesh{}}
	h, err := readPLYHeader(t, r.m)
	if err != nil {
		return nil, err
	}
	switch h.format {
	case PLYASCII:
		r.src = plyText{t}
	case PLY:
		r.src = &plyBinary{data: data, pos: t.pos, last: t.pos, order: binary.LittleEndian}
	default:
		r.src = &plyBinary{data: data, pos: t.pos, last: t.pos, order: binary.BigEndian}
	}
	for i := range h.elements {
		if h.elements[i].name == "vertex" {
			r.vertices = h.elements[i].count
		}
	}
	for i := range h.elements {
		if err := r.element(&h.elements[i]); err != nil {
			return nil, err
		}
	}
	if err := r.finish(h); err != nil {
		return nil, err
	}
	return r.m, nil
}

func (r *plyReader) element(e *plyElement) *Error {
	// In an integer of 64 bits neither product can overflow: a count has 32 bits, a size 13.
	if need := int64(e.count) * int64(e.least(r.src.ascii())); need > int64(r.src.room()) {
		return r.src.fail("the header declares %v, at least %d bytes, but %d are left", e, need, r.src.room())
	}
	switch {
	case len(e.properties) == 0 && e.name != "vertex":
		return nil
	case e.name == "vertex":
		return r.readVertices(e)
	case e.name == "face":
		return r.readFaces(e)
	}
	for i := 0; i < e.count; i++ {
		if err := r.src.begin(); err != nil {
			return err
		}
		for k := range e.properties {
			if err := r.skip(&e.properties[k]); err != nil {
				return err
			}
		}
		if err := r.src.end(); err != nil {
			return err
		}
	}
	return nil
}

func (r *plyReader) skip(p *plyProperty) *Error {
	if !p.list {
		_, err := r.src.scalar(p.typ)
		return err
	}
	return r.readList(p)
}

// readList reads a list property into r.list.
func (r *plyReader) readList(p *plyProperty) *Error {
	n, err := r.src.scalar(p.count)
	if err != nil {
		return err
	}
	least := plySize[p.typ]
	if r.src.ascii() {
		least = 2
	}
	if n < 0 || n*float64(least) > float64(r.src.room()) {
		return r.src.fail("list %s has %v entries, more than the rest of the file can hold", clip([]byte(p.name)), n)
	}
	r.list = r.list[:0]
	for range int(n) {
		x, err := r.src.scalar(p.typ)
		if err != nil {
			return err
		}
		r.list = append(r.list, x)
	}
	return nil
}

// plyTarget is where a vertex property goes: kind and component.
type plyTarget struct {
	kind  plyKind
	index int     // of the attribute or group
	comp  int     // component
	scale float64 // of colours
}

type plyKind uint8

const (
	plySkip plyKind = iota
	plyPosition
	plyNormal
	plyUV
	plyAttribute
	plyGroup
)

// plyComponents are the vertex properties with a fixed meaning.
var plyComponents = map[string]plyTarget{
	"x": {kind: plyPosition}, "y": {kind: plyPosition, comp: 1}, "z": {kind: plyPosition, comp: 2},
	"nx": {kind: plyNormal}, "ny": {kind: plyNormal, comp: 1}, "nz": {kind: plyNormal, comp: 2},
	"s": {kind: plyUV}, "t": {kind: plyUV, comp: 1},
	"u": {kind: plyUV}, "v": {kind: plyUV, comp: 1},
	"texture_u": {kind: plyUV}, "texture_v": {kind: plyUV, comp: 1},
}

// plyColours are the components of COLOR_0.
var plyColours = [4]string{"red", "green", "blue", "alpha"}

const plyGroupPrefix = "group:"

// plan decides where each vertex property goes.
func (r *plyReader) plan(e *plyElement) ([]plyTarget, *Error) {
	targets := make([]plyTarget, len(e.properties))
	var parts [plyGroup][3]int // properties found for each component of position, normal, UV
	byName := map[string]int{}
	groups := map[string]bool{}
	for i, p := range e.properties {
		if p.list {
			continue
		}
		if t, ok := plyComponents[p.name]; ok {
			if parts[t.kind][t.comp]++; parts[t.kind][t.comp] == 1 {
				targets[i] = t
			}
			continue
		}
		if name, ok := strings.CutPrefix(p.name, plyGroupPrefix); ok && unescape(name) != "" {
			name = unescape(name)
			if !groups[name] {
				groups[name] = true
				targets[i] = plyTarget{kind: plyGroup, index: len(r.m.Groups)}
				r.m.Groups = append(r.m.Groups, Group{Name: name})
			}
			continue
		}
		targets[i] = r.attribute(p, byName)
	}
	if parts[plyPosition] != [3]int{1, 1, 1} {
		return nil, &Error{Line: e.line, Msg: "element vertex must have the scalar properties x, y and z"}
	}
	for i, t := range targets {
		incomplete := t.kind == plyNormal && min(parts[plyNormal][0], parts[plyNormal][1], parts[plyNormal][2]) == 0 ||
			t.kind == plyUV && (min(parts[plyUV][0], parts[plyUV][1]) == 0 || r.uvOf != nil)
		if incomplete {
			targets[i] = plyTarget{}
		}
	}
	for _, t := range targets {
		switch t.kind {
		case plyNormal:
			r.m.Normals = make([]r3.Vec, 0, e.count)
		case plyUV:
			r.m.UV = make([]r3.Vec2, 0, e.count)
		}
	}
	r.fixColour(targets)
	for i := range r.m.Attributes {
		r.m.Attributes[i].Data = make([]float32, r.m.Attributes[i].Width*e.count)
	}
	return targets, nil
}

// attribute finds or makes the attribute of a property.
func (r *plyReader) attribute(p plyProperty, byName map[string]int) plyTarget {
	name, comp := p.name, 0
	scale := 1.0
	for c, n := range plyColours {
		if p.name == n {
			name, comp, scale = colour, c, plyRange[p.typ]
		}
	}
	if k := len(name) - 2; k > 0 && name[k] == '.' && name[k+1] >= '0' && name[k+1] <= '3' {
		name, comp = name[:k], int(name[k+1]-'0')
	}
	name = unescape(name)
	k, ok := byName[name]
	if !ok && comp > 0 || ok && r.m.Attributes[k].Width != comp || name == "" || name == idAttribute {
		return plyTarget{} // out of order, double, or not to be had
	}
	if !ok {
		k = len(r.m.Attributes)
		byName[name] = k
		r.m.Attributes = append(r.m.Attributes, Attribute{Name: name})
	}
	r.m.Attributes[k].Width++
	return plyTarget{kind: plyAttribute, index: k, comp: comp, scale: scale}
}

// fixColour leaves out a colour of fewer than three components.
func (r *plyReader) fixColour(targets []plyTarget) {
	for k, a := range r.m.Attributes {
		if a.Name != colour || a.Width >= 3 {
			continue
		}
		r.m.Attributes = append(r.m.Attributes[:k], r.m.Attributes[k+1:]...)
		for i, t := range targets {
			switch {
			case t.kind == plyAttribute && t.index == k:
				targets[i] = plyTarget{}
			case t.kind == plyAttribute && t.index > k:
				targets[i].index--
			}
		}
		return
	}
}

func (r *plyReader) readVertices(e *plyElement) *Error {
	targets, err := r.plan(e)
	if err != nil {
		return err
	}
	m := r.m
	m.Positions = make([]r3.Vec, 0, e.count)
	for v := 0; v < e.count; v++ {
		if err := r.src.begin(); err != nil {
			return err
		}
		var position, normal [3]float64
		var uv [2]float64
		for i := range e.properties {
			p, t := &e.properties[i], &targets[i]
			if t.kind == plySkip {
				if err := r.skip(p); err != nil {
					return err
				}
				continue
			}
			x, err := r.src.scalar(p.typ)
			if err != nil {
				return err
			}
			if !finite64(x) {
				return r.src.fail("property %s of vertex %d is %v", clip([]byte(p.name)), v, x)
			}
			switch t.kind {
			case plyPosition:
				position[t.comp] = x
			case plyNormal:
				normal[t.comp] = x
			case plyUV:
				uv[t.comp] = x
			case plyGroup:
				if x != 0 {
					m.Groups[t.index].Vertices = append(m.Groups[t.index].Vertices, int32(v))
				}
			case plyAttribute:
				a := &m.Attributes[t.index]
				y := float32(x / t.scale)
				if !finite32(y) {
					return r.src.fail("property %s of vertex %d is %v, too large", clip([]byte(p.name)), v, x)
				}
				a.Data[v*a.Width+t.comp] = y
			}
		}
		if err := r.src.end(); err != nil {
			return err
		}
		m.Positions = append(m.Positions, r3.V(position[0], position[1], position[2]))
		if m.Normals != nil {
			m.Normals = append(m.Normals, r3.V(normal[0], normal[1], normal[2]))
		}
		if m.UV != nil {
			m.UV = append(m.UV, r3.Vec2{X: uv[0], Y: uv[1]})
		}
	}
	return nil
}
