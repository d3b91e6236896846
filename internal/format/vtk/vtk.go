// Package vtk reads solids from legacy files of VTK with unstructured grids, versions up to 5.1, as text or binary (in
// big endian order), after the chapter on file formats of its guide [Kitware10] and, for version 5, after what VTK 9.1
// writes.
//
//   - POINTS, CELLS and CELL_TYPES are read. Up to version 4 a cell is its number of vertices and the vertices; from
//     version 5 on there are OFFSETS and CONNECTIVITY.
//   - FIELD and METADATA are skipped, and everything from POINT_DATA or CELL_DATA on.
//   - Tets are of type 10, and of type 24 with vertices on edges, of which the corners come first.
package vtk

import (
	"encoding/binary"
	"strings"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/internal/format/tets"
)

const (
	tet          = 10
	quadraticTet = 24
)

// sizes are the types of numbers and their sizes [byte].
var sizes = map[string]int{
	"char": 1, "unsigned_char": 1, "short": 2, "unsigned_short": 2, "int": 4, "unsigned_int": 4, "vtkidtype": 4,
	"long": 8, "unsigned_long": 8, "vtktypeint64": 8, "vtktypeuint64": 8, "float": 4, "double": 8,
}

// reader is the state of reading one VTK file.
type reader struct {
	*tets.Reader
	form   binary.ByteOrder // of numbers, nil in text
	modern bool             // version 5 or later
	start  []int32          // of each cell in corners, and the end
	corner []int32
	kinds  []int32
}

// Read reads a file of VTK.
func Read(r *tets.Reader) *model.Error {
	v := &reader{Reader: r}
	if err := v.head(); err != nil {
		return err
	}
	for more := true; more; {
		var err *model.Error
		if more, err = v.section(); err != nil {
			return err
		}
	}
	return v.cells()
}

// head reads the lines before the first section.
func (v *reader) head() *model.Error {
	for _, want := range []string{"#", "vtk", "DataFile", "Version"} {
		if w := v.Next(); string(w) != want {
			return v.Fail("the first line of a VTK file must be \"# vtk DataFile Version\" and a number")
		}
	}
	version, ok := scan.ParseNumber(v.Next())
	if !ok || version < 1 || version >= 6 {
		return v.Fail("versions from 1 to 5 of the format are read")
	}
	v.modern = version >= 5
	v.SkipLine()
	v.SkipLine() // the title
	switch w := v.Next(); strings.ToUpper(string(w)) {
	case "ASCII":
		v.Free = true
	case "BINARY":
		v.form, v.Binary = binary.BigEndian, true
	default:
		return v.Fail("%q instead of ASCII or BINARY", scan.Clip(w))
	}
	v.SkipLine()
	return nil
}

// section reads one keyword and what belongs to it. It reports false at the end of the grid.
func (v *reader) section() (more bool, err *model.Error) {
	// first word that there is
	var w []byte
	for w = v.Next(); w == nil; w = v.Next() {
		if v.Pos >= len(v.Data) {
			return false, nil
		}
		v.SkipLine()
	}
	// each section by its keyword
	switch strings.ToUpper(string(w)) {
	case "DATASET":
		if w := v.Next(); strings.ToUpper(string(w)) != "UNSTRUCTURED_GRID" {
			return false, v.Fail("a dataset of kind %q; only UNSTRUCTURED_GRID is read", scan.Clip(w))
		}
		v.SkipLine()
	case "POINTS":
		err = v.points()
	case "CELLS":
		err = v.connectivity()
	case "CELL_TYPES":
		err = v.types()
	case "FIELD":
		err = v.field()
	case "METADATA":
		for w := w; w != nil; w = v.Next() { // up to an empty line
			v.SkipLine()
		}
	case "POINT_DATA", "CELL_DATA":
		return false, nil
	default:
		err = v.Fail("keyword %q is not known", scan.Clip(w))
	}
	return err == nil, err
}

// typeName reads the type of numbers that follow and returns their size in binary data.
func (v *reader) typeName() (name string, size int, err *model.Error) {
	w := v.Next()
	name = strings.ToLower(string(w))
	size, ok := sizes[name]
	if !ok {
		return "", 0, v.Fail("numbers of type %q are not known", scan.Clip(w))
	}
	return name, size, nil
}

// numbers reads some in the form of the file, from the next line on.
func (v *reader) numbers(read func() *model.Error) *model.Error {
	if w := v.Next(); w != nil {
		return v.Fail("%q is more than belongs on the line", scan.Clip(w))
	}
	v.SkipLine()
	v.Order = v.form
	err := read()
	v.Order = nil
	return err
}

func (v *reader) points() *model.Error {
	// how many there are, and of which type
	if v.X != nil {
		return v.Fail("POINTS for a second time")
	}
	n, err := v.Integer(0)
	if err != nil {
		return err
	}
	name, size, err := v.typeName()
	if err != nil {
		return err
	}
	if name != "float" && name != "double" {
		return v.Fail("points of type %s; only float and double are read", name)
	}
	// coordinates, in text or bytes
	return v.numbers(func() *model.Error {
		points, err := v.CheckCount("points", n, 3, 3*size)
		if err != nil {
			return err
		}
		for i := range points {
			x, err := v.Point(size)
			if err != nil {
				return err
			}
			if err := v.Node(int64(i), x); err != nil {
				return err
			}
		}
		return nil
	})
}

// connectivity reads the vertices of all cells.
func (v *reader) connectivity() *model.Error {
	// how many cells, and how many numbers for them
	if v.start != nil {
		return v.Fail("CELLS for a second time")
	}
	n, err := v.Integer(0)
	if err != nil {
		return err
	}
	size, err := v.Integer(0)
	if err != nil {
		return err
	}
	// later versions keep offsets apart
	if v.modern {
		return v.offsets(n, size)
	}
	// number of vertices of each cell, then the vertices
	return v.numbers(func() *model.Error {
		cells, err := v.CheckCount("cells", n, 1, 4)
		if err != nil {
			return err
		}
		most, err := v.CheckCount("numbers of cells", size, 1, 4)
		if err != nil {
			return err
		}
		v.start = []int32{0}
		for range cells {
			vertices, err := v.Integer(4)
			if err != nil {
				return err
			}
			if used := int64(len(v.start) + len(v.corner)); vertices < 0 || used+vertices > int64(most) {
				return v.Fail("a cell of %d vertices is more than CELLS declares", vertices)
			}
			if err := v.corners(int(vertices), 4); err != nil {
				return err
			}
			v.start = append(v.start, int32(len(v.corner)))
		}
		return nil
	})
}

// offsets reads the vertices of all cells as versions from 5 on have them.
func (v *reader) offsets(n, size int64) *model.Error {
	// type of the offsets
	width, err := v.array("OFFSETS")
	if err != nil {
		return err
	}
	// where the vertices of each cell begin, and the end of the last
	err = v.numbers(func() *model.Error {
		offsets, err := v.CheckCount("offsets", n, 1, width)
		if err != nil {
			return err
		}
		v.start = make([]int32, 0, offsets)
		for i := range offsets {
			at, err := v.Integer(width)
			if err != nil {
				return err
			}
			if at > size || i == 0 && at != 0 || i > 0 && at < int64(v.start[i-1]) {
				return v.Fail("offset %d is %d; offsets go up from 0 to %d", i, at, size)
			}
			v.start = append(v.start, int32(at))
		}
		if offsets > 0 && int64(v.start[offsets-1]) != size {
			return v.Fail("the last offset is %d instead of %d", v.start[offsets-1], size)
		}
		return nil
	})
	if err != nil {
		return err
	}
	// vertices of all cells
	if width, err = v.array("CONNECTIVITY"); err != nil {
		return err
	}
	return v.numbers(func() *model.Error {
		vertices, err := v.CheckCount("vertices of cells", size, 1, width)
		if err != nil {
			return err
		}
		return v.corners(vertices, width)
	})
}

// array reads the head of an array with a fixed name and returns the size of its numbers in binary data.
func (v *reader) array(name string) (size int, err *model.Error) {
	w := v.Next()
	for w == nil && v.Pos < len(v.Data) {
		v.SkipLine()
		w = v.Next()
	}
	if strings.ToUpper(string(w)) != name {
		return 0, v.Fail("%q instead of %s", scan.Clip(w), name)
	}
	kind, size, err := v.typeName()
	if err == nil && (size < 4 || kind == "float" || kind == "double") {
		err = v.Fail("%s of type %s", name, kind)
	}
	return size, err
}

// corners reads vertices of cells.
func (v *reader) corners(n, size int) *model.Error {
	for range n {
		k, err := v.Vertex(size)
		if err != nil {
			return err
		}
		v.corner = append(v.corner, k)
	}
	return nil
}

func (v *reader) types() *model.Error {
	if v.kinds != nil {
		return v.Fail("CELL_TYPES for a second time")
	}
	n, err := v.Integer(0)
	if err != nil {
		return err
	}
	return v.numbers(func() *model.Error {
		n, err := v.CheckCount("types of cells", n, 1, 4)
		if err != nil {
			return err
		}
		v.kinds = make([]int32, n)
		for i := range v.kinds {
			kind, err := v.Integer(4)
			if err != nil {
				return err
			}
			v.kinds[i] = int32(min(max(kind, 0), 1<<16))
		}
		return nil
	})
}

// field skips arrays of other data.
func (v *reader) field() *model.Error {
	v.Next() // its name
	arrays, err := v.Count("arrays", 0, 4, 4)
	if err != nil {
		return err
	}
	v.SkipLine()
	for range arrays {
		for v.Next() == nil { // the name of the array
			if v.Pos >= len(v.Data) {
				return v.Fail("the file ends early")
			}
			v.SkipLine()
		}
		width, err := v.Count("components", 0, 1, 1)
		if err != nil {
			return err
		}
		rows, err := v.Count("rows", 0, 0, 0)
		if err != nil {
			return err
		}
		_, size, err := v.typeName()
		if err != nil {
			return err
		}
		err = v.numbers(func() *model.Error {
			n, err := v.CheckCount("numbers", int64(width)*int64(rows), 1, size)
			if err != nil {
				return err
			}
			return v.Skip(n, size)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cells makes tets of the cells.
func (v *reader) cells() *model.Error {
	v.Word = v.Pos
	if len(v.kinds) != max(0, len(v.start)-1) {
		return v.Fail("%d cells, but types of %d", max(0, len(v.start)-1), len(v.kinds))
	}
	for i, kind := range v.kinds {
		corners := v.corner[v.start[i]:v.start[i+1]]
		want := 4
		switch kind {
		case tet:
		case quadraticTet:
			want = 10
			v.Long++
		default:
			v.Other++
			continue
		}
		if len(corners) != want {
			return v.Fail("cell %d is a tet of type %d with %d vertices instead of %d", i, kind, len(corners), want)
		}
		if len(v.Tets) == tets.MaxTets {
			return v.Fail("more than %d tets", tets.MaxTets)
		}
		v.Tets = append(v.Tets, [4]int32(corners[:4]))
	}
	return nil
}
