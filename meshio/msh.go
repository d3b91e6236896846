package meshio

// Gmsh files, versions 2.2 and 4.1 of the MSH format, as text or binary, after the reference manual of Gmsh
// [Geuzaine09].
//
//   - $MeshFormat: version, 1 if binary, size of a number; in binary files then the number 1, in the order of bytes.
//   - $Nodes and $Elements are read; other sections (names, entities, data) are skipped.
//   - In 2.2 an element is its number, its type, a count of tags, the tags and the vertices. In 4.1 nodes and elements
//     are in blocks of one entity; the numbers of all nodes of a block come before their places.
//   - Tets are of type 4, and of types 11, 29, 30 and 31 with vertices on edges, of which the corners come first.

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// mshVertices is the number of vertices of each type of element, by its number in the format.
var mshVertices = [32]int{
	0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5, 6, 20, 35, 56,
}

// mshTets says which of them are tets.
var mshTets = [32]bool{4: true, 11: true, 29: true, 30: true, 31: true}

func (r *tetReader) readMSH() *Error {
	version, order, err := r.mshFormat()
	if err != nil {
		return err
	}
	nodes, elements := r.mshNodes2, r.mshElements2
	if version == "4.1" {
		nodes, elements = r.mshNodes4, r.mshElements4
	}
	seen := map[string]bool{}
	for {
		name, err := r.mshSection()
		if err != nil || name == "" {
			return err
		}
		var read func() *Error
		switch name {
		case "Nodes":
			read = nodes
		case "Elements":
			read = elements
			if !seen["Nodes"] {
				return r.fail("elements before nodes")
			}
		default:
			if err := r.mshSkip(name); err != nil {
				return err
			}
			continue
		}
		if seen[name] {
			return r.fail("a second section $%s", name)
		}
		seen[name] = true
		if err := r.end(); err != nil {
			return err
		}
		r.order = order
		err = read()
		r.order = nil
		if err != nil {
			return err
		}
		if err := r.mshEnd(name); err != nil {
			return err
		}
	}
}

// mshFormat reads the first section.
func (r *tetReader) mshFormat() (version string, order binary.ByteOrder, err *Error) {
	if string(r.next()) != "$MeshFormat" {
		return "", nil, r.fail("the first line of a Gmsh file must be $MeshFormat")
	}
	if err := r.end(); err != nil {
		return "", nil, err
	}
	version = string(r.next())
	if version != "2.2" && version != "4.1" {
		return "", nil, r.fail("version %q of the format is not read; let Gmsh write 2.2 or 4.1", clip([]byte(version)))
	}
	kind, err := r.integer(0)
	if err != nil {
		return "", nil, err
	}
	if kind != 0 && kind != 1 {
		return "", nil, r.fail("the file is of kind %d; 0 is text and 1 binary", kind)
	}
	size, err := r.integer(0)
	if err != nil {
		return "", nil, err
	}
	if size != 8 {
		return "", nil, r.fail("numbers of %d bytes; only 8 are read", size)
	}
	if err := r.end(); err != nil {
		return "", nil, err
	}
	if r.binary = kind == 1; r.binary {
		r.order = binary.LittleEndian
		one, err := r.integer(4)
		if err != nil {
			return "", nil, err
		}
		order = r.order
		if one == 1<<24 {
			order, one = binary.BigEndian, 1
		}
		if one != 1 {
			return "", nil, r.fail("the number after the format is %d instead of 1", one)
		}
		r.order = nil
	}
	return version, order, r.mshEnd("MeshFormat")
}

// mshSection returns the name of the section that begins next, empty at the end of the file.
func (r *tetReader) mshSection() (string, *Error) {
	for r.pos < len(r.data) {
		w := r.next()
		if w == nil {
			r.skipLine()
			continue
		}
		if w[0] != '$' {
			return "", r.fail("%q where a section should begin with $", clip(w))
		}
		return string(w[1:]), nil
	}
	return "", nil
}

// mshEnd reads the end of a section.
func (r *tetReader) mshEnd(name string) *Error {
	if err := r.beginText(); err != nil {
		return err
	}
	if w := r.next(); string(w) != "$End"+name {
		return r.fail("%q instead of $End%s", clip(w), clip([]byte(name)))
	}
	return r.end()
}

// mshSkip passes over a section.
func (r *tetReader) mshSkip(name string) *Error {
	if strings.HasPrefix(name, "End") {
		return r.fail("$%s without a beginning", clip([]byte(name)))
	}
	n := bytes.Index(r.data[r.pos:], []byte("$End"+name))
	if n < 0 {
		return r.fail("section $%s has no end", clip([]byte(name)))
	}
	for end := r.pos + n; r.pos < end; {
		if next := bytes.IndexByte(r.data[r.pos:end], '\n'); next < 0 {
			r.pos = end
		} else {
			r.pos += next
			r.skipLine()
		}
	}
	return r.mshEnd(name)
}

// mshCount reads a line with the number of things that follow.
func (r *tetReader) mshCount(what string, numbers, bytes int) (int, *Error) {
	// In binary files of version 2.2 as well, this line is text.
	order := r.order
	r.order = nil
	if err := r.begin(); err != nil {
		return 0, err
	}
	n, err := r.integer(0)
	if err != nil {
		return 0, err
	}
	r.order = order
	count, err := r.checkCount(what, n, numbers, bytes)
	if err != nil {
		return 0, err
	}
	r.order = nil
	err = r.end()
	r.order = order
	return count, err
}

// nodeAt reads where the node with the given tag is.
func (r *tetReader) nodeAt(tag int64) *Error {
	x, err := r.point(8)
	if err != nil {
		return err
	}
	return r.node(tag, x)
}

func (r *tetReader) mshNodes2() *Error {
	n, err := r.mshCount("nodes", 4, 28)
	if err != nil {
		return err
	}
	for range n {
		if err := r.begin(); err != nil {
			return err
		}
		tag, err := r.integer(4)
		if err != nil {
			return err
		}
		if err := r.nodeAt(tag); err != nil {
			return err
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	return nil
}

func (r *tetReader) mshElements2() *Error {
	left, err := r.mshCount("elements", 4, 12)
	if err != nil {
		return err
	}
	for left > 0 {
		// In binary files, a type and a count of tags are for several elements.
		same, kind, tags := int64(1), int64(0), int64(0)
		if r.order != nil {
			for _, to := range [3]*int64{&kind, &same, &tags} {
				if *to, err = r.integer(4); err != nil {
					return err
				}
			}
			if same < 1 || same > int64(left) {
				return r.fail("a block of %d elements, but %d are left", same, left)
			}
		}
		for range same {
			if err := r.mshElement2(kind, tags); err != nil {
				return err
			}
		}
		left -= int(same)
	}
	return nil
}

// mshElement2 reads an element. In text, type and count of tags are read as well.
func (r *tetReader) mshElement2(kind, tags int64) *Error {
	if err := r.begin(); err != nil {
		return err
	}
	if _, err := r.integer(4); err != nil {
		return err
	}
	if r.order == nil {
		for _, to := range [2]*int64{&kind, &tags} {
			var err *Error
			if *to, err = r.integer(4); err != nil {
				return err
			}
		}
	}
	if _, err := r.checkCount("tags", tags, 1, 4); err != nil {
		return err
	}
	if err := r.skip(int(tags), 4); err != nil {
		return err
	}
	if err := r.mshElement(kind, 4); err != nil {
		return err
	}
	return r.end()
}

// mshElement reads the vertices of an element whose numbers have the given size in binary data.
func (r *tetReader) mshElement(kind int64, size int) *Error {
	if kind < 1 || kind >= int64(len(mshVertices)) {
		return r.fail("elements of type %d are not known", kind)
	}
	if mshTets[kind] {
		return r.tet(mshVertices[kind], size)
	}
	r.other++
	return r.skip(mshVertices[kind], size)
}

// mshBlocks reads the head of a section of version 4.1 and then each of its blocks.
func (r *tetReader) mshBlocks(what string, read func() *Error) *Error {
	if err := r.begin(); err != nil {
		return err
	}
	blocks, err := r.count("blocks", 8, 4, 20)
	if err != nil {
		return err
	}
	if _, err := r.count(what, 8, 4, 16); err != nil {
		return err
	}
	if err := r.skip(2, 8); err != nil { // least and greatest number
		return err
	}
	if err := r.end(); err != nil {
		return err
	}
	for range blocks {
		if err := r.begin(); err != nil {
			return err
		}
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

func (r *tetReader) mshNodes4() *Error { return r.mshBlocks("nodes", r.mshNodeBlock) }

func (r *tetReader) mshNodeBlock() *Error {
	dimension, err := r.integer(4)
	if err != nil {
		return err
	}
	if dimension < 0 || dimension > 3 {
		return r.fail("an entity of %d dimensions", dimension)
	}
	if err := r.skip(1, 4); err != nil { // number of the entity
		return err
	}
	parametric, err := r.integer(4)
	if err != nil {
		return err
	}
	if parametric == 0 {
		dimension = 0
	}
	n, err := r.count("nodes", 8, 4, 32)
	if err != nil {
		return err
	}
	if err := r.end(); err != nil {
		return err
	}
	tags := make([]int64, n)
	for i := range tags {
		if err := r.begin(); err != nil {
			return err
		}
		if tags[i], err = r.integer(8); err != nil {
			return err
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	for _, tag := range tags {
		if err := r.begin(); err != nil {
			return err
		}
		if err := r.nodeAt(tag); err != nil {
			return err
		}
		if err := r.skip(int(dimension), 8); err != nil { // parameters on the entity
			return err
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	return nil
}

func (r *tetReader) mshElements4() *Error { return r.mshBlocks("elements", r.mshElementBlock) }

func (r *tetReader) mshElementBlock() *Error {
	if err := r.skip(2, 4); err != nil { // dimension and number of the entity
		return err
	}
	kind, err := r.integer(4)
	if err != nil {
		return err
	}
	n, err := r.count("elements", 8, 2, 16)
	if err != nil {
		return err
	}
	if err := r.end(); err != nil {
		return err
	}
	for range n {
		if err := r.begin(); err != nil {
			return err
		}
		if _, err := r.integer(8); err != nil { // its number
			return err
		}
		if err := r.mshElement(kind, 8); err != nil {
			return err
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	return nil
}
