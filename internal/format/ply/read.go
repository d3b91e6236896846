package ply

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// source gives the values of a PLY body one by one.
type source interface {
	begin() *model.Error                          // before each instance of an element
	scalar(t scalarType) (float64, *model.Error)  // may be infinite or not a number in binary
	end() *model.Error                            // after each instance
	Fail(format string, args ...any) *model.Error // at the last value
	room() int                                    // bytes left
	ascii() bool
}

// textBody is the body of an ASCII file: one instance of an element to a line.
type textBody struct{ *scan.Text }

func (s textBody) ascii() bool { return true }

func (s textBody) room() int { return len(s.Data) - s.Pos + 1 }

func (s textBody) begin() *model.Error {
	for {
		save := *s.Text
		if s.Next() != nil {
			*s.Text = save
			return nil
		}
		if s.Pos >= len(s.Data) {
			return s.Fail("the data ends early")
		}
		s.SkipLine()
	}
}

func (s textBody) scalar(t scalarType) (float64, *model.Error) {
	w := s.Next()
	if w == nil {
		return 0, s.Fail("the line ends early")
	}
	if t >= float32Type {
		x, ok := scan.ParseNumber(w)
		if !ok {
			return 0, s.Fail("%q is not a finite number", scan.Clip(w))
		}
		return x, nil
	}
	x, err := strconv.ParseInt(string(w), 10, 64)
	if err != nil || float64(x) > ranges[t] || x < 0 && (t&1 == 1 || float64(x) < -ranges[t]-1) {
		return 0, s.Fail("%q is not an integer of the declared type", scan.Clip(w))
	}
	return float64(x), nil
}

func (s textBody) end() *model.Error {
	if w := s.Next(); w != nil {
		return s.Fail("%q is more than the header declares", scan.Clip(w))
	}
	s.SkipLine()
	return nil
}

// binaryBody is the body of a binary file.
type binaryBody struct {
	data      []byte
	pos, last int
	order     binary.ByteOrder
}

func (s *binaryBody) ascii() bool { return false }

func (s *binaryBody) room() int { return len(s.data) - s.pos }

func (s *binaryBody) begin() *model.Error { return nil }

func (s *binaryBody) end() *model.Error { return nil }

func (s *binaryBody) Fail(format string, args ...any) *model.Error {
	return &model.Error{Offset: int64(s.last), Msg: fmt.Sprintf(format, args...)}
}

func (s *binaryBody) scalar(t scalarType) (float64, *model.Error) {
	s.last = s.pos
	size := sizes[t]
	if len(s.data)-s.pos < size {
		return 0, s.Fail("the data ends early")
	}
	b := s.data[s.pos : s.pos+size]
	s.pos += size
	switch t {
	case int8Type:
		return float64(int8(b[0])), nil
	case uint8Type:
		return float64(b[0]), nil
	case int16Type:
		return float64(int16(s.order.Uint16(b))), nil
	case uint16Type:
		return float64(s.order.Uint16(b)), nil
	case int32Type:
		return float64(int32(s.order.Uint32(b))), nil
	case uint32Type:
		return float64(s.order.Uint32(b)), nil
	case float32Type:
		return float64(math.Float32frombits(s.order.Uint32(b))), nil
	}
	return math.Float64frombits(s.order.Uint64(b)), nil
}

// reader is the state of reading one PLY file.
type reader struct {
	src      source
	m        *model.Mesh
	vertices int // declared
	hasFace  bool
	list     []float64 // the list being read
	corners  []int32
	wedges   []r3.Vec2 // UVs of the corners of a face
	uvOf     map[wedge]int32
	polygons int
}

// wedge is a UV at a vertex. Equal UVs at one vertex are one point, at two vertices two.
type wedge struct {
	vertex int32
	uv     r3.Vec2
}

// Read reads a mesh, whose vertices it leaves as they are: not welded.
func Read(data []byte, _ bool) (*model.Mesh, error) {
	// header
	t := &scan.Text{Data: data, Line: 1}
	r := &reader{m: &model.Mesh{}}
	h, err := readHeader(t, r.m)
	if err != nil {
		return nil, err
	}
	// body as text or as bytes
	switch h.encoding {
	case ASCII:
		r.src = textBody{t}
	case LittleEndian:
		r.src = &binaryBody{data: data, pos: t.Pos, last: t.Pos, order: binary.LittleEndian}
	default:
		r.src = &binaryBody{data: data, pos: t.Pos, last: t.Pos, order: binary.BigEndian}
	}
	// number of vertices, which faces may come before
	for i := range h.elements {
		if h.elements[i].name == "vertex" {
			r.vertices = h.elements[i].count
		}
	}
	// elements in their order
	for i := range h.elements {
		if err := r.element(&h.elements[i]); err != nil {
			return nil, err
		}
	}
	// what holds for the whole mesh
	if err := r.finish(h); err != nil {
		return nil, err
	}
	return r.m, nil
}

func (r *reader) element(e *element) *model.Error {
	// In an integer of 64 bits neither product can overflow: a count has 32 bits, a size 13.
	if need := int64(e.count) * int64(e.least(r.src.ascii())); need > int64(r.src.room()) {
		return r.src.Fail("the header declares %v, at least %d bytes, but %d are left", e, need, r.src.room())
	}
	// vertices and faces; others are skipped
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

func (r *reader) skip(p *property) *model.Error {
	if !p.list {
		_, err := r.src.scalar(p.typ)
		return err
	}
	return r.readList(p)
}

// readList reads a list property into r.list.
func (r *reader) readList(p *property) *model.Error {
	n, err := r.src.scalar(p.count)
	if err != nil {
		return err
	}
	least := sizes[p.typ]
	if r.src.ascii() {
		least = 2
	}
	if n < 0 || n*float64(least) > float64(r.src.room()) {
		name := scan.Clip([]byte(p.name))
		return r.src.Fail("list %s has %v entries, more than the rest of the file can hold", name, n)
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

func (r *reader) readVertices(e *element) *model.Error {
	// what each property is for
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
		// properties of one vertex, in the order of the file
		var position, normal [3]float64
		var uv [2]float64
		for i := range e.properties {
			p, t := &e.properties[i], &targets[i]
			if t.kind == toNothing {
				if err := r.skip(p); err != nil {
					return err
				}
				continue
			}
			x, err := r.src.scalar(p.typ)
			if err != nil {
				return err
			}
			if !model.Finite64(x) {
				return r.src.Fail("property %s of vertex %d is %v", scan.Clip([]byte(p.name)), v, x)
			}
			// each to where it belongs
			switch t.kind {
			case toPosition:
				position[t.comp] = x
			case toNormal:
				normal[t.comp] = x
			case toUV:
				uv[t.comp] = x
			case toGroup:
				if x != 0 {
					m.Groups[t.index].Vertices = append(m.Groups[t.index].Vertices, int32(v))
				}
			// attributes, in their own scale
			case toAttribute:
				a := &m.Attributes[t.index]
				y := float32(x / t.scale)
				if !model.Finite32(y) {
					return r.src.Fail("property %s of vertex %d is %v, too large", scan.Clip([]byte(p.name)), v, x)
				}
				a.Data[v*a.Width+t.comp] = y
			}
		}
		if err := r.src.end(); err != nil {
			return err
		}
		// whole vertex, with what the file has of it
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
