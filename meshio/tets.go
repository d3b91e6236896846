package meshio

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Tets is a solid as a file holds it: with all tets turned so that their volume is not negative, and without vertices
// that no tet has. Whether it is sound otherwise, Validate tells.
type Tets struct {
	mesh.Tets
	Notes []string // what the reader changed or left out, for people
}

// maxTets is the largest number of tets, so that every count of corners fits an int32.
const maxTets = 1 << 28

// ReadTets reads the solid in a file of Gmsh (.msh, versions 2.2 and 4.1), VTK (.vtk, legacy unstructured grids), both
// as text or binary, or TetGen (.node and .ele, of which either names both). Z is up unless the options say otherwise;
// they cannot ask for welding, which is for surfaces.
func ReadTets(path string, opt ReadOptions) (*Tets, error) {
	return ReadTetsBy(func(path string) ([]byte, error) { return readRegular(path, opt.MaxBytes) }, path, opt)
}

// ReadTetsBy is ReadTets with files read by read.
func ReadTetsBy(read func(path string) ([]byte, error), path string, opt ReadOptions) (*Tets, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if opt.Weld {
		return nil, &Error{File: path, Offset: -1, Msg: "vertices of tets are not welded"}
	}
	r := &tetReader{read: read}
	var err error
	switch base, ext := strings.TrimSuffix(path, filepath.Ext(path)), strings.ToLower(filepath.Ext(path)); ext {
	case ".msh":
		err = r.file(path, r.readMSH)
	case ".vtk":
		err = r.file(path, r.readVTK)
	case ".node", ".ele":
		if err = r.file(base+".node", r.readNode); err == nil {
			err = r.file(base+".ele", r.readEle)
		}
	default:
		return nil, &Error{
			File:   path,
			Offset: -1,
			Msg:    fmt.Sprintf("unknown format of tets %q; write .msh, .vtk, .node or .ele", filepath.Ext(path)),
		}
	}
	if err != nil {
		return nil, err
	}
	return r.finish(path, opt)
}

// tetReader collects the vertices and tets of a file.
type tetReader struct {
	read func(path string) ([]byte, error)
	values
	x     []r3.Vec
	tags  tagIndex
	tets  [][4]int32
	other int // elements that are no tets
	long  int // tets with more than four vertices
}

// file reads and parses one file.
func (r *tetReader) file(path string, parse func() *Error) error {
	data, err := r.read(path)
	if err != nil {
		return err
	}
	r.values = values{text: text{data: data, line: 1}}
	if e := parse(); e != nil {
		e.File = path
		return e
	}
	return nil
}

// readRegular reads a regular file of at most so many bytes.
func readRegular(path string, most int64) ([]byte, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	data, err := readAll(f, size, most)
	if e, ok := err.(*Error); ok {
		e.File = path
	}
	return data, err
}

// finish makes a solid of what was read.
func (r *tetReader) finish(path string, opt ReadOptions) (*Tets, error) {
	s := &Tets{}
	note := func(format string, args ...any) { s.Notes = append(s.Notes, fmt.Sprintf(format, args...)) }
	if len(r.tets) == 0 {
		return nil, &Error{File: path, Offset: -1, Msg: fmt.Sprintf("no tets, and %d other elements", r.other)}
	}
	if r.other > 0 {
		note("%d elements that are no tets were left out", r.other)
	}
	if r.long > 0 {
		note("%d tets have more than 4 vertices, of which the corners were taken", r.long)
	}
	fr := frameOf(OBJ, opt.Up, opt.Unit)
	number := make([]int32, len(r.x)) // plus one
	for _, v := range r.tets {
		for _, k := range v {
			number[k] = 1
		}
	}
	for i, x := range r.x {
		if number[i] == 0 {
			continue
		}
		x = fr.fromFile(x)
		if !x.Finite() {
			msg := fmt.Sprintf("vertex %d leaves the range of numbers in units of %v m", i, opt.Unit)
			return nil, &Error{File: path, Offset: -1, Msg: msg}
		}
		s.X = append(s.X, x)
		number[i] = int32(len(s.X))
	}
	if n := len(r.x) - len(s.X); n > 0 {
		note("%d vertices that no tet has were left out", n)
	}
	turned := 0
	s.Tet = r.tets
	for i, v := range s.Tet {
		s.Tet[i] = [4]int32{number[v[0]] - 1, number[v[1]] - 1, number[v[2]] - 1, number[v[3]] - 1}
		if s.TetVolume(int32(i)) < 0 {
			turned++
			s.Tet[i][2], s.Tet[i][3] = s.Tet[i][3], s.Tet[i][2]
		}
	}
	if turned > 0 {
		note("%d tets were inside out and have been turned", turned)
	}
	return s, nil
}

// tagIndex finds vertices by the numbers that a file gives them.
type tagIndex struct {
	first int64
	n     int32
	index map[int64]int32 // nil while the numbers follow each other; never ranged over
}

// add gives the next vertex a number, and reports false if another one has it.
func (t *tagIndex) add(tag int64) bool {
	if t.n == 0 {
		t.first = tag
	}
	if t.index == nil && tag != t.first+int64(t.n) {
		t.index = make(map[int64]int32, t.n)
		for i := range t.n {
			t.index[t.first+int64(i)] = i
		}
	}
	if t.index != nil {
		if _, ok := t.index[tag]; ok {
			return false
		}
		t.index[tag] = t.n
	}
	t.n++
	return true
}

func (t *tagIndex) find(tag int64) (int32, bool) {
	if t.index != nil {
		i, ok := t.index[tag]
		return i, ok
	}
	// Unsigned, so that a difference that overflows is too large as well.
	if d := uint64(tag) - uint64(t.first); d < uint64(t.n) {
		return int32(d), true
	}
	return 0, false
}

// node adds a vertex.
func (r *tetReader) node(tag int64, x r3.Vec) *Error {
	if len(r.x) == maxVertices {
		return r.fail("more than %d vertices", maxVertices)
	}
	if !r.tags.add(tag) {
		return r.fail("vertex %d is there twice", tag)
	}
	r.x = append(r.x, x)
	return nil
}

// point reads three coordinates, of the given size in binary data.
func (r *tetReader) point(size int) (r3.Vec, *Error) {
	var x [3]float64
	for i := range x {
		var err *Error
		if x[i], err = r.real(size); err != nil {
			return r3.Vec{}, err
		}
	}
	return r3.V(x[0], x[1], x[2]), nil
}

// vertex reads the number of a vertex, of the given size in binary data.
func (r *tetReader) vertex(size int) (int32, *Error) {
	tag, err := r.integer(size)
	if err != nil {
		return 0, err
	}
	i, ok := r.tags.find(tag)
	if !ok {
		return 0, r.fail("vertex %d is not there (the file has %d)", tag, len(r.x))
	}
	return i, nil
}

// tet reads the numbers of the vertices of a tet, of which the first four are its corners.
func (r *tetReader) tet(vertices, size int) *Error {
	var v [4]int32
	for i := range vertices {
		k, err := r.vertex(size)
		if err != nil {
			return err
		}
		if i < 4 {
			v[i] = k
		}
	}
	if vertices > 4 {
		r.long++
	}
	if len(r.tets) == maxTets {
		return r.fail("more than %d tets", maxTets)
	}
	r.tets = append(r.tets, v)
	return nil
}

// count reads how many things follow, each of at least so many numbers in text and so many bytes in binary data, and
// refuses more than the rest of the file can hold.
func (r *tetReader) count(what string, size, numbers, bytes int) (int, *Error) {
	n, err := r.integer(size)
	if err != nil {
		return 0, err
	}
	return r.checkCount(what, n, numbers, bytes)
}

func (r *tetReader) checkCount(what string, n int64, numbers, bytes int) (int, *Error) {
	each := 2 * numbers // a digit and white space
	if r.order != nil {
		each = bytes
	}
	if n < 0 || n > math.MaxInt32 || n*int64(each) > int64(len(r.data)-r.pos)+1 {
		return 0, r.fail("%d %s are more than the rest of the file can hold", n, what)
	}
	return int(n), nil
}
