// Package msh reads solids from files of Gmsh, versions 2.2 and 4.1 of the MSH format, as text or binary, after the
// reference manual of Gmsh [Geuzaine09].
//
//   - $MeshFormat: version, 1 if binary, size of a number; in binary files then the number 1, in the order of bytes.
//   - $Nodes and $Elements are read; other sections (names, entities, data) are skipped.
//   - In 2.2 an element is its number, its type, a count of tags, the tags and the vertices. In 4.1 nodes and elements
//     are in blocks of one entity; the numbers of all nodes of a block come before their places.
//   - Tets are of type 4, and of types 11, 29, 30 and 31 with vertices on edges, of which the corners come first.
package msh

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/internal/format/tets"
)

// vertices is the number of vertices of each type of element, by its number in the format.
var vertices = [32]int{
	0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5, 6, 20, 35, 56,
}

// isTet says which of them are tets.
var isTet = [32]bool{4: true, 11: true, 29: true, 30: true, 31: true}

// reader is the state of reading one Gmsh file.
type reader struct{ *tets.Reader }

// Read reads a Gmsh file.
func Read(t *tets.Reader) *model.Error { return reader{t}.read() }

func (r reader) read() *model.Error {
	// version, and whether it is text or binary
	version, order, err := r.format()
	if err != nil {
		return err
	}
	nodes, elements := r.nodes2, r.elements2
	if version == "4.1" {
		nodes, elements = r.nodes4, r.elements4
	}
	// sections up to the end
	seen := map[string]bool{}
	for {
		name, err := r.section()
		if err != nil || name == "" {
			return err
		}
		// nodes and elements only
		var read func() *model.Error
		switch name {
		case "Nodes":
			read = nodes
		case "Elements":
			read = elements
			if !seen["Nodes"] {
				return r.Fail("elements before nodes")
			}
		default:
			if err := r.skipSection(name); err != nil {
				return err
			}
			continue
		}
		// each section once
		if seen[name] {
			return r.Fail("a second section $%s", name)
		}
		seen[name] = true
		if err := r.End(); err != nil {
			return err
		}
		// body in the form of the file, end of section as text
		r.Order = order
		err = read()
		r.Order = nil
		if err != nil {
			return err
		}
		if err := r.endOf(name); err != nil {
			return err
		}
	}
}

// format reads the first section.
func (r reader) format() (version string, order binary.ByteOrder, err *model.Error) {
	// first line
	if string(r.Next()) != "$MeshFormat" {
		return "", nil, r.Fail("the first line of a Gmsh file must be $MeshFormat")
	}
	if err := r.End(); err != nil {
		return "", nil, err
	}
	// version
	version = string(r.Next())
	if version != "2.2" && version != "4.1" {
		is := scan.Clip([]byte(version))
		return "", nil, r.Fail("version %q of the format is not read; let Gmsh write 2.2 or 4.1", is)
	}
	// text or binary
	kind, err := r.Integer(0)
	if err != nil {
		return "", nil, err
	}
	if kind != 0 && kind != 1 {
		return "", nil, r.Fail("the file is of kind %d; 0 is text and 1 binary", kind)
	}
	// size of numbers
	size, err := r.Integer(0)
	if err != nil {
		return "", nil, err
	}
	if size != 8 {
		return "", nil, r.Fail("numbers of %d bytes; only 8 are read", size)
	}
	if err := r.End(); err != nil {
		return "", nil, err
	}
	// order of bytes, told by how the number 1 is written
	if r.Binary = kind == 1; r.Binary {
		r.Order = binary.LittleEndian
		one, err := r.Integer(4)
		if err != nil {
			return "", nil, err
		}
		order = r.Order
		if one == 1<<24 {
			order, one = binary.BigEndian, 1
		}
		if one != 1 {
			return "", nil, r.Fail("the number after the format is %d instead of 1", one)
		}
		r.Order = nil
	}
	return version, order, r.endOf("MeshFormat")
}

// section returns the name of the section that begins next, empty at the end of the file.
func (r reader) section() (string, *model.Error) {
	for r.Pos < len(r.Data) {
		w := r.Next()
		if w == nil {
			r.SkipLine()
			continue
		}
		if w[0] != '$' {
			return "", r.Fail("%q where a section should begin with $", scan.Clip(w))
		}
		return string(w[1:]), nil
	}
	return "", nil
}

// endOf reads the end of a section.
func (r reader) endOf(name string) *model.Error {
	if err := r.BeginText(); err != nil {
		return err
	}
	if w := r.Next(); string(w) != "$End"+name {
		return r.Fail("%q instead of $End%s", scan.Clip(w), scan.Clip([]byte(name)))
	}
	return r.End()
}

// skipSection passes over a section.
func (r reader) skipSection(name string) *model.Error {
	if strings.HasPrefix(name, "End") {
		return r.Fail("$%s without a beginning", scan.Clip([]byte(name)))
	}
	n := bytes.Index(r.Data[r.Pos:], []byte("$End"+name))
	if n < 0 {
		return r.Fail("section $%s has no end", scan.Clip([]byte(name)))
	}
	for end := r.Pos + n; r.Pos < end; {
		if next := bytes.IndexByte(r.Data[r.Pos:end], '\n'); next < 0 {
			r.Pos = end
		} else {
			r.Pos += next
			r.SkipLine()
		}
	}
	return r.endOf(name)
}

// countLine reads a line with the number of things that follow.
func (r reader) countLine(what string, numbers, bytes int) (int, *model.Error) {
	// In binary files of version 2.2 as well, this line is text.
	order := r.Order
	r.Order = nil
	if err := r.Begin(); err != nil {
		return 0, err
	}
	n, err := r.Integer(0)
	if err != nil {
		return 0, err
	}
	r.Order = order
	count, err := r.CheckCount(what, n, numbers, bytes)
	if err != nil {
		return 0, err
	}
	r.Order = nil
	err = r.End()
	r.Order = order
	return count, err
}

// nodeAt reads where the node with the given tag is.
func (r reader) nodeAt(tag int64) *model.Error {
	x, err := r.Point(8)
	if err != nil {
		return err
	}
	return r.Node(tag, x)
}

func (r reader) nodes2() *model.Error {
	n, err := r.countLine("nodes", 4, 28)
	if err != nil {
		return err
	}
	for range n {
		if err := r.Begin(); err != nil {
			return err
		}
		tag, err := r.Integer(4)
		if err != nil {
			return err
		}
		if err := r.nodeAt(tag); err != nil {
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) elements2() *model.Error {
	left, err := r.countLine("elements", 4, 12)
	if err != nil {
		return err
	}
	for left > 0 {
		// In binary files, a type and a count of tags are for several elements.
		same, kind, tags := int64(1), int64(0), int64(0)
		if r.Order != nil {
			for _, to := range [3]*int64{&kind, &same, &tags} {
				if *to, err = r.Integer(4); err != nil {
					return err
				}
			}
			if same < 1 || same > int64(left) {
				return r.Fail("a block of %d elements, but %d are left", same, left)
			}
		}
		for range same {
			if err := r.element2(kind, tags); err != nil {
				return err
			}
		}
		left -= int(same)
	}
	return nil
}

// element2 reads an element. In text, type and count of tags are read as well.
func (r reader) element2(kind, tags int64) *model.Error {
	if err := r.Begin(); err != nil {
		return err
	}
	if _, err := r.Integer(4); err != nil {
		return err
	}
	if r.Order == nil {
		for _, to := range [2]*int64{&kind, &tags} {
			var err *model.Error
			if *to, err = r.Integer(4); err != nil {
				return err
			}
		}
	}
	if _, err := r.CheckCount("tags", tags, 1, 4); err != nil {
		return err
	}
	if err := r.Skip(int(tags), 4); err != nil {
		return err
	}
	if err := r.element(kind, 4); err != nil {
		return err
	}
	return r.End()
}

// element reads the vertices of an element whose numbers have the given size in binary data.
func (r reader) element(kind int64, size int) *model.Error {
	if kind < 1 || kind >= int64(len(vertices)) {
		return r.Fail("elements of type %d are not known", kind)
	}
	if isTet[kind] {
		return r.Tet(vertices[kind], size)
	}
	r.Other++
	return r.Skip(vertices[kind], size)
}

// blocks reads the head of a section of version 4.1 and then each of its blocks.
func (r reader) blocks(what string, read func() *model.Error) *model.Error {
	if err := r.Begin(); err != nil {
		return err
	}
	blocks, err := r.Count("blocks", 8, 4, 20)
	if err != nil {
		return err
	}
	if _, err := r.Count(what, 8, 4, 16); err != nil {
		return err
	}
	if err := r.Skip(2, 8); err != nil { // least and greatest number
		return err
	}
	if err := r.End(); err != nil {
		return err
	}
	for range blocks {
		if err := r.Begin(); err != nil {
			return err
		}
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) nodes4() *model.Error { return r.blocks("nodes", r.nodeBlock) }

func (r reader) nodeBlock() *model.Error {
	dimension, err := r.Integer(4)
	if err != nil {
		return err
	}
	if dimension < 0 || dimension > 3 {
		return r.Fail("an entity of %d dimensions", dimension)
	}
	if err := r.Skip(1, 4); err != nil { // number of the entity
		return err
	}
	parametric, err := r.Integer(4)
	if err != nil {
		return err
	}
	if parametric == 0 {
		dimension = 0
	}
	n, err := r.Count("nodes", 8, 4, 32)
	if err != nil {
		return err
	}
	if err := r.End(); err != nil {
		return err
	}
	tags := make([]int64, n)
	for i := range tags {
		if err := r.Begin(); err != nil {
			return err
		}
		if tags[i], err = r.Integer(8); err != nil {
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
	}
	for _, tag := range tags {
		if err := r.Begin(); err != nil {
			return err
		}
		if err := r.nodeAt(tag); err != nil {
			return err
		}
		if err := r.Skip(int(dimension), 8); err != nil { // parameters on the entity
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) elements4() *model.Error { return r.blocks("elements", r.elementBlock) }

func (r reader) elementBlock() *model.Error {
	if err := r.Skip(2, 4); err != nil { // dimension and number of the entity
		return err
	}
	kind, err := r.Integer(4)
	if err != nil {
		return err
	}
	n, err := r.Count("elements", 8, 2, 16)
	if err != nil {
		return err
	}
	if err := r.End(); err != nil {
		return err
	}
	for range n {
		if err := r.Begin(); err != nil {
			return err
		}
		if _, err := r.Integer(8); err != nil { // its number
			return err
		}
		if err := r.element(kind, 8); err != nil {
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
	}
	return nil
}
