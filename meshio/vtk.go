package meshio

// Legacy files of VTK with unstructured grids, versions up to 5.1, as text or binary (in big endian order), after the
// chapter on file formats of its guide [Kitware10] and, for version 5, after what VTK 9.1 writes.
//
//   - POINTS, CELLS and CELL_TYPES are read. Up to version 4 a cell is its number of vertices and the vertices; from
//     version 5 on there are OFFSETS and CONNECTIVITY.
//   - FIELD and METADATA are skipped, and everything from POINT_DATA or CELL_DATA on.
//   - Tets are of type 10, and of type 24 with vertices on edges, of which the corners come first.

import (
	"encoding/binary"
	"strings"
)

const (
	vtkTet          = 10
	vtkQuadraticTet = 24
)

// vtkSizes are the types of numbers and their sizes [byte].
var vtkSizes = map[string]int{
	"char": 1, "unsigned_char": 1, "short": 2, "unsigned_short": 2, "int": 4, "unsigned_int": 4, "vtkidtype": 4,
	"long": 8, "unsigned_long": 8, "vtktypeint64": 8, "vtktypeuint64": 8, "float": 4, "double": 8,
}

// vtkReader is the state of reading one VTK file.
type vtkReader struct {
	*tetReader
	form   binary.ByteOrder // of numbers, nil in text
	modern bool             // version 5 or later
	start  []int32          // of each cell in corners, and the end
	corner []int32
	kinds  []int32
}

func (r *tetReader) readVTK() *Error {
	v := &vtkReader{tetReader: r}
	if err := v.head(); err != nil {
		return err
	}
	for more := true; more; {
		var err *Error
		if more, err = v.section(); err != nil {
			return err
		}
	}
	return v.cells()
}

// head reads the lines before the first section.
func (v *vtkReader) head() *Error {
	for _, want := range []string{"#", "vtk", "DataFile", "Version"} {
		if w := v.next(); string(w) != want {
			return v.fail("the first line of a VTK file must be \"# vtk DataFile Version\" and a number")
		}
	}
	version, ok := parseNumber(v.next())
	if !ok || version < 1 || version >= 6 {
		return v.fail("versions from 1 to 5 of the format are read")
	}
	v.modern = version >= 5
	v.skipLine()
	v.skipLine() // the title
	switch w := v.next(); strings.ToUpper(string(w)) {
	case "ASCII":
		v.free = true
	case "BINARY":
		v.form, v.binary = binary.BigEndian, true
	default:
		return v.fail("%q instead of ASCII or BINARY", clip(w))
	}
	v.skipLine()
	return nil
}

// section reads one keyword and what belongs to it. It reports false at the end of the grid.
func (v *vtkReader) section() (more bool, err *Error) {
	var w []byte
	for w = v.next(); w == nil; w = v.next() {
		if v.pos >= len(v.data) {
			return false, nil
		}
		v.skipLine()
	}
	switch strings.ToUpper(string(w)) {
	case "DATASET":
		if w := v.next(); strings.ToUpper(string(w)) != "UNSTRUCTURED_GRID" {
			return false, v.fail("a dataset of kind %q; only UNSTRUCTURED_GRID is read", clip(w))
		}
		v.skipLine()
	case "POINTS":
		err = v.points()
	case "CELLS":
		err = v.connectivity()
	case "CELL_TYPES":
		err = v.types()
	case "FIELD":
		err = v.field()
	case "METADATA":
		for w := w; w != nil; w = v.next() { // up to an empty line
			v.skipLine()
		}
	case "POINT_DATA", "CELL_DATA":
		return false, nil
	default:
		err = v.fail("keyword %q is not known", clip(w))
	}
	return err == nil, err
}

// typeName reads the type of numbers that follow and returns their size in binary data.
func (v *vtkReader) typeName() (name string, size int, err *Error) {
	w := v.next()
	name = strings.ToLower(string(w))
	size, ok := vtkSizes[name]
	if !ok {
		return "", 0, v.fail("numbers of type %q are not known", clip(w))
	}
	return name, size, nil
}

// numbers reads some in the form of the file, from the next line on.
func (v *vtkReader) numbers(read func() *Error) *Error {
	if w := v.next(); w != nil {
		return v.fail("%q is more than belongs on the line", clip(w))
	}
	v.skipLine()
	v.order = v.form
	err := read()
	v.order = nil
	return err
}

func (v *vtkReader) points() *Error {
	if v.x != nil {
		return v.fail("POINTS for a second time")
	}
	n, err := v.integer(0)
	if err != nil {
		return err
	}
	name, size, err := v.typeName()
	if err != nil {
		return err
	}
	if name != "float" && name != "double" {
		return v.fail("points of type %s; only float and double are read", name)
	}
	return v.numbers(func() *Error {
		points, err := v.checkCount("points", n, 3, 3*size)
		if err != nil {
			return err
		}
		for i := range points {
			x, err := v.point(size)
			if err != nil {
				return err
			}
			if err := v.node(int64(i), x); err != nil {
				return err
			}
		}
		return nil
	})
}

// connectivity reads the vertices of all cells.
func (v *vtkReader) connectivity() *Error {
	if v.start != nil {
		return v.fail("CELLS for a second time")
	}
	n, err := v.integer(0)
	if err != nil {
		return err
	}
	size, err := v.integer(0)
	if err != nil {
		return err
	}
	if v.modern {
		return v.offsets(n, size)
	}
	return v.numbers(func() *Error {
		cells, err := v.checkCount("cells", n, 1, 4)
		if err != nil {
			return err
		}
		most, err := v.checkCount("numbers of cells", size, 1, 4)
		if err != nil {
			return err
		}
		v.start = []int32{0}
		for range cells {
			vertices, err := v.integer(4)
			if err != nil {
				return err
			}
			if used := int64(len(v.start) + len(v.corner)); vertices < 0 || used+vertices > int64(most) {
				return v.fail("a cell of %d vertices is more than CELLS declares", vertices)
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
func (v *vtkReader) offsets(n, size int64) *Error {
	width, err := v.array("OFFSETS")
	if err != nil {
		return err
	}
	err = v.numbers(func() *Error {
		offsets, err := v.checkCount("offsets", n, 1, width)
		if err != nil {
			return err
		}
		v.start = make([]int32, 0, offsets)
		for i := range offsets {
			at, err := v.integer(width)
			if err != nil {
				return err
			}
			if at > size || i == 0 && at != 0 || i > 0 && at < int64(v.start[i-1]) {
				return v.fail("offset %d is %d; offsets go up from 0 to %d", i, at, size)
			}
			v.start = append(v.start, int32(at))
		}
		if offsets > 0 && int64(v.start[offsets-1]) != size {
			return v.fail("the last offset is %d instead of %d", v.start[offsets-1], size)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if width, err = v.array("CONNECTIVITY"); err != nil {
		return err
	}
	return v.numbers(func() *Error {
		vertices, err := v.checkCount("vertices of cells", size, 1, width)
		if err != nil {
			return err
		}
		return v.corners(vertices, width)
	})
}

// array reads the head of an array with a fixed name and returns the size of its numbers in binary data.
func (v *vtkReader) array(name string) (size int, err *Error) {
	w := v.next()
	for w == nil && v.pos < len(v.data) {
		v.skipLine()
		w = v.next()
	}
	if strings.ToUpper(string(w)) != name {
		return 0, v.fail("%q instead of %s", clip(w), name)
	}
	kind, size, err := v.typeName()
	if err == nil && (size < 4 || kind == "float" || kind == "double") {
		err = v.fail("%s of type %s", name, kind)
	}
	return size, err
}

// corners reads vertices of cells.
func (v *vtkReader) corners(n, size int) *Error {
	for range n {
		k, err := v.vertex(size)
		if err != nil {
			return err
		}
		v.corner = append(v.corner, k)
	}
	return nil
}

func (v *vtkReader) types() *Error {
	if v.kinds != nil {
		return v.fail("CELL_TYPES for a second time")
	}
	n, err := v.integer(0)
	if err != nil {
		return err
	}
	return v.numbers(func() *Error {
		n, err := v.checkCount("types of cells", n, 1, 4)
		if err != nil {
			return err
		}
		v.kinds = make([]int32, n)
		for i := range v.kinds {
			kind, err := v.integer(4)
			if err != nil {
				return err
			}
			v.kinds[i] = int32(min(max(kind, 0), 1<<16))
		}
		return nil
	})
}

// field skips arrays of other data.
func (v *vtkReader) field() *Error {
	v.next() // its name
	arrays, err := v.count("arrays", 0, 4, 4)
	if err != nil {
		return err
	}
	v.skipLine()
	for range arrays {
		for v.next() == nil { // the name of the array
			if v.pos >= len(v.data) {
				return v.fail("the file ends early")
			}
			v.skipLine()
		}
		width, err := v.count("components", 0, 1, 1)
		if err != nil {
			return err
		}
		rows, err := v.count("rows", 0, 0, 0)
		if err != nil {
			return err
		}
		_, size, err := v.typeName()
		if err != nil {
			return err
		}
		err = v.numbers(func() *Error {
			n, err := v.checkCount("numbers", int64(width)*int64(rows), 1, size)
			if err != nil {
				return err
			}
			return v.skip(n, size)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cells makes tets of the cells.
func (v *vtkReader) cells() *Error {
	v.word = v.pos
	if len(v.kinds) != max(0, len(v.start)-1) {
		return v.fail("%d cells, but types of %d", max(0, len(v.start)-1), len(v.kinds))
	}
	for i, kind := range v.kinds {
		corners := v.corner[v.start[i]:v.start[i+1]]
		want := 4
		switch kind {
		case vtkTet:
		case vtkQuadraticTet:
			want = 10
			v.long++
		default:
			v.other++
			continue
		}
		if len(corners) != want {
			return v.fail("cell %d is a tet of type %d with %d vertices instead of %d", i, kind, len(corners), want)
		}
		if len(v.tets) == maxTets {
			return v.fail("more than %d tets", maxTets)
		}
		v.tets = append(v.tets, [4]int32(corners[:4]))
	}
	return nil
}
