package meshio

// Stanford PLY 1.0 [Turk94]: a text header that declares elements and their properties, then the
// elements, as text or in binary of either byte order.
//
// Vertex properties: x y z; nx ny nz; a pair s t, u v or texture_u texture_v; red green blue
// [alpha], in 0..255 if integers, become COLOR_0. Properties group:NAME are groups, those
// vertices whose value is not 0. Any other scalar is an attribute of its name, and scalars
// NAME.0, NAME.1, ... are together one attribute NAME. Face properties: the list vertex_indices
// or vertex_index, and the list texcoord with two numbers for each corner. All else is skipped.
//
// Comments "toile key=value" are Extra and "toile-name NAME" is the name.

import (
	"fmt"
	"strconv"
	"strings"
)

// plyType is a scalar type of PLY.
type plyType uint8

const (
	plyInt8 plyType = iota
	plyUint8
	plyInt16
	plyUint16
	plyInt32
	plyUint32
	plyFloat32
	plyFloat64
)

// plySize is the size of each type [byte].
var plySize = [...]int{1, 1, 2, 2, 4, 4, 4, 8}

// plyRange is the largest value of each integer type, by which colours are divided.
var plyRange = [...]float64{127, 255, 32767, 65535, 2147483647, 4294967295, 1, 1}

// plyTypes are the names a header may use.
var plyTypes = map[string]plyType{
	"char": plyInt8, "uchar": plyUint8, "short": plyInt16, "ushort": plyUint16,
	"int": plyInt32, "uint": plyUint32, "float": plyFloat32, "double": plyFloat64,
	"int8": plyInt8, "uint8": plyUint8, "int16": plyInt16, "uint16": plyUint16,
	"int32": plyInt32, "uint32": plyUint32, "float32": plyFloat32, "float64": plyFloat64,
}

// plyProperty is one declared property; list says whether it has a count of type of count.
type plyProperty struct {
	name  string
	list  bool
	count plyType
	typ   plyType
}

// plyElement is one declared element.
type plyElement struct {
	name       string
	count      int
	properties []plyProperty
	line       int // of the declaration
}

// least returns the fewest bytes one element takes up.
func (e *plyElement) least(ascii bool) int {
	n := 0
	for _, p := range e.properties {
		switch {
		case ascii:
			n += 2 // a digit and a separator
		case p.list:
			n += plySize[p.count]
		default:
			n += plySize[p.typ]
		}
	}
	return n
}

// plyHeader is the parsed header.
type plyHeader struct {
	format   Format
	elements []plyElement
}

const (
	plyMaxElements   = 64
	plyMaxProperties = 1024
)

// readPLYHeader reads up to and including the line end_header.
func readPLYHeader(t *text, m *Mesh) (*plyHeader, *Error) {
	h := &plyHeader{}
	if string(t.rest()) != "ply" {
		return nil, t.fail("the first line must be \"ply\"")
	}
	formatSeen := false
	for {
		t.skipLine()
		if t.pos >= len(t.data) {
			t.word = t.pos
			return nil, t.fail("the header does not end with end_header")
		}
		var err *Error
		switch w := t.next(); string(w) {
		case "":
		case "format":
			formatSeen = true
			err = h.readFormat(t)
		case "comment":
			readPLYComment(t, m)
		case "obj_info":
		case "element":
			err = h.readElement(t)
		case "property":
			err = h.readProperty(t)
		case "end_header":
			if !formatSeen {
				return nil, t.fail("the header has no format line")
			}
			t.skipLine()
			return h, nil
		default:
			err = t.fail("unknown header word %q", clip(w))
		}
		if err != nil {
			return nil, err
		}
	}
}

func readPLYComment(t *text, m *Mesh) {
	switch string(t.next()) {
	case "toile":
		if key, value, ok := strings.Cut(string(t.next()), "="); ok {
			m.setExtra(unescape(key), unescape(value))
		}
	case "toile-name":
		m.Name = unescape(string(t.rest()))
	}
}

func (h *plyHeader) readFormat(t *text) *Error {
	switch w := t.next(); string(w) {
	case "ascii":
		h.format = PLYASCII
	case "binary_little_endian":
		h.format = PLY
	case "binary_big_endian":
		h.format = PLYBigEndian
	default:
		return t.fail("unknown format %q; write ascii, binary_little_endian or binary_big_endian", clip(w))
	}
	if w := t.next(); string(w) != "1.0" {
		return t.fail("PLY version %q; only 1.0 is known", clip(w))
	}
	return nil
}

func (h *plyHeader) readElement(t *text) *Error {
	if len(h.elements) == plyMaxElements {
		return t.fail("more than %d elements", plyMaxElements)
	}
	e := plyElement{name: string(t.next()), line: t.line}
	if e.name == "" {
		return t.fail("an element needs a name and a count")
	}
	for _, other := range h.elements {
		if other.name == e.name {
			return t.fail("element %q is declared twice", clip([]byte(e.name)))
		}
	}
	w := t.next()
	n, err := strconv.ParseUint(string(w), 10, 32)
	if err != nil {
		return t.fail(
			"the count of element %s is %q, not a whole number below 4294967296",
			clip([]byte(e.name)),
			clip(w),
		)
	}
	if e.name == "vertex" && n > maxVertices {
		return t.fail("%d vertices, more than %d", n, maxVertices)
	}
	e.count = int(n)
	h.elements = append(h.elements, e)
	return nil
}

func (h *plyHeader) readProperty(t *text) *Error {
	if len(h.elements) == 0 {
		return t.fail("a property before the first element")
	}
	e := &h.elements[len(h.elements)-1]
	if len(e.properties) == plyMaxProperties {
		return t.fail("more than %d properties", plyMaxProperties)
	}
	var p plyProperty
	var err *Error
	w := t.next()
	if string(w) == "list" {
		p.list = true
		if p.count, err = plyTypeOf(t, t.next()); err != nil {
			return err
		}
		if p.count >= plyFloat32 {
			return t.fail("a list's count must be of an integer type")
		}
		w = t.next()
	}
	if p.typ, err = plyTypeOf(t, w); err != nil {
		return err
	}
	if p.name = string(t.next()); p.name == "" {
		return t.fail("the property has no name")
	}
	for _, other := range e.properties {
		if other.name == p.name {
			return t.fail("property %q is declared twice", clip([]byte(p.name)))
		}
	}
	e.properties = append(e.properties, p)
	return nil
}

func plyTypeOf(t *text, w []byte) (plyType, *Error) {
	typ, ok := plyTypes[string(w)]
	if !ok {
		return 0, t.fail("unknown type %q; write char, uchar, short, ushort, int, uint, float or double", clip(w))
	}
	return typ, nil
}

// String describes the element for a message.
func (e *plyElement) String() string { return fmt.Sprintf("%d x %s", e.count, clip([]byte(e.name))) }
