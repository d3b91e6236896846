package tets

import (
	"math"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// MaxTets is the largest number of tets, so that every count of corners fits an int32.
const MaxTets = 1 << 28

// Reader collects the vertices and tets of a file.
type Reader struct {
	Open func(path string) ([]byte, error)
	Values
	X     []r3.Vec
	tags  tagIndex
	Tets  [][4]int32
	Other int // elements that are no tets
	Long  int // tets with more than four vertices
}

// File reads and parses one file.
func (r *Reader) File(path string, parse func(*Reader) *model.Error) error {
	data, err := r.Open(path)
	if err != nil {
		return err
	}
	r.Values = Values{Text: scan.Text{Data: data, Line: 1}}
	if e := parse(r); e != nil {
		e.File = path
		return e
	}
	return nil
}

// Node adds a vertex.
func (r *Reader) Node(tag int64, x r3.Vec) *model.Error {
	if len(r.X) == model.MaxVertices {
		return r.Fail("more than %d vertices", model.MaxVertices)
	}
	if !r.tags.add(tag) {
		return r.Fail("vertex %d is there twice", tag)
	}
	r.X = append(r.X, x)
	return nil
}

// Point reads three coordinates, of the given size in binary data.
func (r *Reader) Point(size int) (r3.Vec, *model.Error) {
	var x [3]float64
	for i := range x {
		var err *model.Error
		if x[i], err = r.Real(size); err != nil {
			return r3.Vec{}, err
		}
	}
	return r3.V(x[0], x[1], x[2]), nil
}

// Vertex reads the number of a vertex, of the given size in binary data.
func (r *Reader) Vertex(size int) (int32, *model.Error) {
	tag, err := r.Integer(size)
	if err != nil {
		return 0, err
	}
	i, ok := r.tags.find(tag)
	if !ok {
		return 0, r.Fail("vertex %d is not there (the file has %d)", tag, len(r.X))
	}
	return i, nil
}

// Tet reads the numbers of the vertices of a tet, of which the first four are its corners.
func (r *Reader) Tet(vertices, size int) *model.Error {
	var v [4]int32
	for i := range vertices {
		k, err := r.Vertex(size)
		if err != nil {
			return err
		}
		if i < 4 {
			v[i] = k
		}
	}
	if vertices > 4 {
		r.Long++
	}
	if len(r.Tets) == MaxTets {
		return r.Fail("more than %d tets", MaxTets)
	}
	r.Tets = append(r.Tets, v)
	return nil
}

// Count reads how many things follow, each of at least so many numbers in text and so many bytes in binary data, and
// refuses more than the rest of the file can hold.
func (r *Reader) Count(what string, size, numbers, bytes int) (int, *model.Error) {
	n, err := r.Integer(size)
	if err != nil {
		return 0, err
	}
	return r.CheckCount(what, n, numbers, bytes)
}

// CheckCount is Count of a number that has been read.
func (r *Reader) CheckCount(what string, n int64, numbers, bytes int) (int, *model.Error) {
	each := 2 * numbers // a digit and white space
	if r.Order != nil {
		each = bytes
	}
	if n < 0 || n > math.MaxInt32 || n*int64(each) > int64(len(r.Data)-r.Pos)+1 {
		return 0, r.Fail("%d %s are more than the rest of the file can hold", n, what)
	}
	return int(n), nil
}
