// Package ply reads and writes meshes as Stanford PLY 1.0 [Turk94]: a text header that declares elements and their
// properties, then the elements, as text or in binary of either byte order.
//
// Vertex properties: x y z; nx ny nz; a pair s t, u v or texture_u texture_v; red green blue
// [alpha], in 0..255 if integers, become COLOR_0. Properties group:NAME are groups, those
// vertices whose value is not 0. Any other scalar is an attribute of its name, and scalars
// NAME.0, NAME.1, ... are together one attribute NAME. Face properties: the list vertex_indices
// or vertex_index, and the list texcoord with two numbers for each corner. All else is skipped.
//
// Comments "toile key=value" are Extra and "toile-name NAME" is the name.
package ply

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
)

// scalarType is a scalar type of PLY.
type scalarType uint8

const (
	int8Type scalarType = iota
	uint8Type
	int16Type
	uint16Type
	int32Type
	uint32Type
	float32Type
	float64Type
)

// sizes is the size of each type [byte].
var sizes = [...]int{1, 1, 2, 2, 4, 4, 4, 8}

// ranges is the largest value of each integer type, by which colours are divided.
var ranges = [...]float64{127, 255, 32767, 65535, 2147483647, 4294967295, 1, 1}

// typeNames are the names a header may use.
var typeNames = map[string]scalarType{
	"char": int8Type, "uchar": uint8Type, "short": int16Type, "ushort": uint16Type,
	"int": int32Type, "uint": uint32Type, "float": float32Type, "double": float64Type,
	"int8": int8Type, "uint8": uint8Type, "int16": int16Type, "uint16": uint16Type,
	"int32": int32Type, "uint32": uint32Type, "float32": float32Type, "float64": float64Type,
}

// property is one declared property; list says whether it has a count of type of count.
type property struct {
	name  string
	list  bool
	count scalarType
	typ   scalarType
}

// element is one declared element.
type element struct {
	name       string
	count      int
	properties []property
	line       int // of the declaration
}

// least returns the fewest bytes one element takes up.
func (e *element) least(ascii bool) int {
	n := 0
	for _, p := range e.properties {
		switch {
		case ascii:
			n += 2 // a digit and a separator
		case p.list:
			n += sizes[p.count]
		default:
			n += sizes[p.typ]
		}
	}
	return n
}

// Encoding is how the body of a file is written.
type Encoding uint8

// The encodings. To a reader they are the same format, because the header says which it is.
const (
	LittleEndian Encoding = iota
	BigEndian
	ASCII
)

// header is the parsed header.
type header struct {
	encoding Encoding
	elements []element
}

const (
	maxElements   = 64
	maxProperties = 1024
)

// readHeader reads up to and including the line end_header.
func readHeader(t *scan.Text, m *model.Mesh) (*header, *model.Error) {
	// mark of the format
	h := &header{}
	if string(t.Rest()) != "ply" {
		return nil, t.Fail("the first line must be \"ply\"")
	}
	formatSeen := false
	// lines, up to the last of the header
	for {
		t.SkipLine()
		if t.Pos >= len(t.Data) {
			t.Word = t.Pos
			return nil, t.Fail("the header does not end with end_header")
		}
		var err *model.Error
		// each by its first word
		switch w := t.Next(); string(w) {
		case "":
		case "format":
			formatSeen = true
			err = h.readFormat(t)
		case "comment":
			readComment(t, m)
		case "obj_info":
		case "element":
			err = h.readElement(t)
		case "property":
			err = h.readProperty(t)
		// end, from which on there is data
		case "end_header":
			if !formatSeen {
				return nil, t.Fail("the header has no format line")
			}
			t.SkipLine()
			return h, nil
		default:
			err = t.Fail("unknown header word %q", scan.Clip(w))
		}
		if err != nil {
			return nil, err
		}
	}
}

func readComment(t *scan.Text, m *model.Mesh) {
	switch string(t.Next()) {
	case "toile":
		if key, value, ok := strings.Cut(string(t.Next()), "="); ok {
			model.SetExtra(m, scan.Unescape(key), scan.Unescape(value))
		}
	case "toile-name":
		m.Name = scan.Unescape(string(t.Rest()))
	}
}

func (h *header) readFormat(t *scan.Text) *model.Error {
	switch w := t.Next(); string(w) {
	case "ascii":
		h.encoding = ASCII
	case "binary_little_endian":
		h.encoding = LittleEndian
	case "binary_big_endian":
		h.encoding = BigEndian
	default:
		return t.Fail("unknown format %q; write ascii, binary_little_endian or binary_big_endian", scan.Clip(w))
	}
	if w := t.Next(); string(w) != "1.0" {
		return t.Fail("PLY version %q; only 1.0 is known", scan.Clip(w))
	}
	return nil
}

func (h *header) readElement(t *scan.Text) *model.Error {
	// name, not yet taken
	if len(h.elements) == maxElements {
		return t.Fail("more than %d elements", maxElements)
	}
	e := element{name: string(t.Next()), line: t.Line}
	if e.name == "" {
		return t.Fail("an element needs a name and a count")
	}
	for _, other := range h.elements {
		if other.name == e.name {
			return t.Fail("element %q is declared twice", scan.Clip([]byte(e.name)))
		}
	}
	// how many there are
	w := t.Next()
	n, err := strconv.ParseUint(string(w), 10, 32)
	if err != nil {
		return t.Fail(
			"the count of element %s is %q, not a whole number below 4294967296",
			scan.Clip([]byte(e.name)),
			scan.Clip(w),
		)
	}
	if e.name == "vertex" && n > model.MaxVertices {
		return t.Fail("%d vertices, more than %d", n, model.MaxVertices)
	}
	e.count = int(n)
	h.elements = append(h.elements, e)
	return nil
}

func (h *header) readProperty(t *scan.Text) *model.Error {
	// element it belongs to
	if len(h.elements) == 0 {
		return t.Fail("a property before the first element")
	}
	e := &h.elements[len(h.elements)-1]
	if len(e.properties) == maxProperties {
		return t.Fail("more than %d properties", maxProperties)
	}
	// lists have a count before their values
	var p property
	var err *model.Error
	w := t.Next()
	if string(w) == "list" {
		p.list = true
		if p.count, err = typeOf(t, t.Next()); err != nil {
			return err
		}
		if p.count >= float32Type {
			return t.Fail("a list's count must be of an integer type")
		}
		w = t.Next()
	}
	// type and name, not yet taken
	if p.typ, err = typeOf(t, w); err != nil {
		return err
	}
	if p.name = string(t.Next()); p.name == "" {
		return t.Fail("the property has no name")
	}
	for _, other := range e.properties {
		if other.name == p.name {
			return t.Fail("property %q is declared twice", scan.Clip([]byte(p.name)))
		}
	}
	e.properties = append(e.properties, p)
	return nil
}

func typeOf(t *scan.Text, w []byte) (scalarType, *model.Error) {
	typ, ok := typeNames[string(w)]
	if !ok {
		return 0, t.Fail("unknown type %q; write char, uchar, short, ushort, int, uint, float or double", scan.Clip(w))
	}
	return typ, nil
}

// String describes the element for a message.
func (e *element) String() string { return fmt.Sprintf("%d x %s", e.count, scan.Clip([]byte(e.name))) }
