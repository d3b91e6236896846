package meshio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/msh"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/internal/format/tetgen"
	"github.com/toile-sim/toile/internal/format/tets"
	"github.com/toile-sim/toile/internal/format/vtk"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// pair is two tets that share a face, at places that need all digits.
func pair() *mesh.Tets {
	return &mesh.Tets{
		X:   []r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 1./3), r3.V(0, 1, -1e-17), r3.V(0, 0, 1), r3.V(2./3, 1, 1)},
		Tet: [][4]int32{{0, 1, 2, 3}, {1, 4, 2, 3}},
	}
}

// tetFormats are writers of all forms that are read. All but the last make one file.
var tetFormats = []struct {
	name  string
	parse func(r *tets.Reader) *Error
	write func(s *mesh.Tets) []byte
}{
	{"msh 2.2", msh.Read, func(s *mesh.Tets) []byte { return writeMSH2(s, nil) }},
	{"msh 2.2 binary", msh.Read, func(s *mesh.Tets) []byte { return writeMSH2(s, binary.LittleEndian) }},
	{"msh 2.2 big endian", msh.Read, func(s *mesh.Tets) []byte { return writeMSH2(s, binary.BigEndian) }},
	{"msh 4.1", msh.Read, func(s *mesh.Tets) []byte { return writeMSH4(s, nil) }},
	{"msh 4.1 binary", msh.Read, func(s *mesh.Tets) []byte { return writeMSH4(s, binary.LittleEndian) }},
	{"vtk 3", vtk.Read, func(s *mesh.Tets) []byte { return writeVTK(s, false, nil) }},
	{"vtk 3 binary", vtk.Read, func(s *mesh.Tets) []byte { return writeVTK(s, false, binary.BigEndian) }},
	{"vtk 5", vtk.Read, func(s *mesh.Tets) []byte { return writeVTK(s, true, nil) }},
	{"vtk 5 binary", vtk.Read, func(s *mesh.Tets) []byte { return writeVTK(s, true, binary.BigEndian) }},
}

// numberWriter writes numbers as text or binary.
type numberWriter struct {
	bytes.Buffer
	order binary.AppendByteOrder // nil in text
}

func (w *numberWriter) integer(size int, numbers ...int64) {
	for _, n := range numbers {
		switch {
		case w.order == nil:
			fmt.Fprintf(w, "%d ", n)
		case size == 4:
			w.Write(w.order.AppendUint32(nil, uint32(n)))
		default:
			w.Write(w.order.AppendUint64(nil, uint64(n)))
		}
	}
}

func (w *numberWriter) point(x r3.Vec) {
	for _, c := range []float64{x.X, x.Y, x.Z} {
		if w.order == nil {
			w.Write(append(scan.AppendNumber(nil, c), ' '))
		} else {
			w.Write(w.order.AppendUint64(nil, math.Float64bits(c)))
		}
	}
}

// line ends one in text.
func (w *numberWriter) line() {
	if w.order == nil {
		w.WriteByte('\n')
	}
}

func newMSH(version string, order binary.AppendByteOrder) *numberWriter {
	w := &numberWriter{order: order}
	kind := 0
	if order != nil {
		kind = 1
	}
	fmt.Fprintf(w, "$MeshFormat\n%s %d 8\n", version, kind)
	if order != nil {
		w.integer(4, 1)
		w.WriteByte('\n')
	}
	w.WriteString("$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all of it\"\n$EndPhysicalNames\n$Nodes\n")
	return w
}

// writeMSH2 numbers vertices backwards from 100, and puts a triangle before the tets.
func writeMSH2(s *mesh.Tets, order binary.AppendByteOrder) []byte {
	w := newMSH("2.2", order)
	fmt.Fprintf(w, "%d\n", len(s.X))
	for i, x := range s.X {
		w.integer(4, 100-int64(i))
		w.point(x)
		w.line()
	}
	fmt.Fprintf(w, "$EndNodes\n$Elements\n%d\n", len(s.Tet)+1)
	if order == nil {
		w.integer(4, 1, 2, 2, 0, 7, 100, 99, 98)
		w.line()
	} else {
		w.integer(4, 2, 1, 2, 1, 0, 7, 100, 99, 98) // type, number of elements, number of tags
		w.integer(4, 4, int64(len(s.Tet)), 1)
	}
	for i, v := range s.Tet {
		if order == nil {
			w.integer(4, int64(i+2), 4, 1, 5)
		} else {
			w.integer(4, int64(i+2), 5)
		}
		for _, k := range v {
			w.integer(4, 100-int64(k))
		}
		w.line()
	}
	w.WriteString("$EndElements\n")
	return w.Bytes()
}

// writeMSH4 puts the first vertex into a block with a parameter, and numbers vertices in steps of ten.
func writeMSH4(s *mesh.Tets, order binary.AppendByteOrder) []byte {
	w := newMSH("4.1", order)
	n := int64(len(s.X))
	w.integer(8, 2, n, 10, 10*n)
	w.line()
	w.integer(4, 1, 1, 1)
	w.integer(8, 1)
	w.line()
	w.integer(8, 10)
	w.line()
	w.point(s.X[0])
	if order == nil {
		w.WriteString("0.5")
	} else {
		w.integer(8, int64(math.Float64bits(0.5)))
	}
	w.line()
	w.integer(4, 3, 1, 0)
	w.integer(8, n-1)
	w.line()
	for i := range s.X[1:] {
		w.integer(8, 10*int64(i+2))
		w.line()
	}
	for _, x := range s.X[1:] {
		w.point(x)
		w.line()
	}
	w.WriteString("\n$EndNodes\n$Elements\n")
	w.integer(8, 1, int64(len(s.Tet)), 1, int64(len(s.Tet)))
	w.line()
	w.integer(4, 3, 1, 4)
	w.integer(8, int64(len(s.Tet)))
	w.line()
	for i, v := range s.Tet {
		w.integer(8, int64(i+1))
		for _, k := range v {
			w.integer(8, 10*int64(k+1))
		}
		w.line()
	}
	w.WriteString("\n$EndElements\n")
	return w.Bytes()
}

// writeVTK puts a field and metadata between what matters.
func writeVTK(s *mesh.Tets, modern bool, order binary.AppendByteOrder) []byte {
	w := &numberWriter{order: order}
	version, form := "3.0", "ASCII"
	if modern {
		version = "5.1"
	}
	if order != nil {
		form = "BINARY"
	}
	fmt.Fprintf(w, "# vtk DataFile Version %s\ntwo tets\n%s\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 int\n", version, form)
	w.integer(4, 7)
	fmt.Fprintf(w, "\nMETADATA\nINFORMATION 0\n\nPOINTS %d double\n", len(s.X))
	for _, x := range s.X {
		w.point(x) // all on one line
	}
	if modern {
		fmt.Fprintf(w, "\nCELLS %d %d\nOFFSETS vtktypeint64\n", len(s.Tet)+1, 4*len(s.Tet))
		for i := range len(s.Tet) + 1 {
			w.integer(8, int64(4*i))
		}
		w.WriteString("\nCONNECTIVITY vtktypeint64\n")
	} else {
		fmt.Fprintf(w, "\nCELLS %d %d\n", len(s.Tet), 5*len(s.Tet))
	}
	for _, v := range s.Tet {
		if modern {
			w.integer(8, int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3]))
		} else {
			w.integer(4, 4, int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3]))
		}
	}
	fmt.Fprintf(w, "\nCELL_TYPES %d\n", len(s.Tet))
	for range s.Tet {
		w.integer(4, 10)
	}
	w.WriteString("\nCELL_DATA 2\nSCALARS anything at all\n")
	return w.Bytes()
}

// writeTetGen numbers from 0 and gives every vertex an attribute and a marker.
func writeTetGen(s *mesh.Tets) (node, ele []byte) {
	var n, e bytes.Buffer
	fmt.Fprintf(&n, "# points\n%d 3 1 1\n\n", len(s.X))
	for i, x := range s.X {
		fmt.Fprintf(&n, "  %d %v %v %v 0.5 1 # a comment\n", i, x.X, x.Y, x.Z)
	}
	fmt.Fprintf(&e, "%d 4 # no attributes\n", len(s.Tet))
	for i, v := range s.Tet {
		fmt.Fprintf(&e, "%d %d %d %d %d\n", i, v[0], v[1], v[2], v[3])
	}
	return n.Bytes(), e.Bytes()
}

// parseTets reads a file, or two one after the other.
func parseTets(parts ...tetPart) (*Tets, error) {
	r := &tets.Reader{}
	for _, p := range parts {
		r.Values = tets.Values{Text: scan.Text{Data: p.data, Line: 1}}
		if err := p.parse(r); err != nil {
			return nil, err
		}
	}
	return r.Finish("", model.Frame{Unit: 1})
}

type tetPart struct {
	parse func(r *tets.Reader) *Error
	data  []byte
}

func TestTetsRoundTrip(t *testing.T) {
	want := pair()
	if err := want.Validate(); err != nil {
		t.Fatal(err)
	}
	check := func(name string, got *Tets, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if !slices.Equal(got.X, want.X) || !slices.Equal(got.Tet, want.Tet) {
			t.Errorf("%s: read %v, want %v", name, got.Tets, want)
		}
		if left := strings.Contains(strings.Join(got.Notes, " "), "1 elements that are no tets"); left != strings.HasPrefix(name, "msh 2.2") {
			t.Errorf("%s: notes %q", name, got.Notes)
		}
	}
	for _, f := range tetFormats {
		got, err := parseTets(tetPart{f.parse, f.write(want)})
		check(f.name, got, err)
	}
	node, ele := writeTetGen(want)
	got, err := parseTets(tetPart{tetgen.ReadNode, node}, tetPart{tetgen.ReadEle, ele})
	check("tetgen", got, err)
}

// Files as they come: inside out, with vertices on edges, of single precision, with parts that do not matter.
func TestTetsAreMended(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	opt := DefaultReadOptions()
	opt.Unit, opt.Up = 0.5, UpY
	s, err := ReadTets(write("a.vtk", "# vtk DataFile Version 2.0\n\nascii\ndataset unstructured_grid\npoints 5 float\n"+
		"9 9 9 0 0 0 2 0 0\n0 2 0 0 0 2\ncells 2 9\n4 1 3 2 4\n3 1 2 3\ncell_types 2\n10 5\n"), opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	if want := []r3.Vec{{}, r3.V(1, 0, 0), r3.V(0, 0, 1), r3.V(0, -1, 0)}; !slices.Equal(s.X, want) {
		t.Errorf("vertices %v, want %v", s.X, want)
	}
	for _, want := range []string{"1 elements that are no tets", "1 vertices that no tet has", "1 tets were inside out"} {
		if !strings.Contains(strings.Join(s.Notes, "\n"), want) {
			t.Errorf("notes %q do not say %q", s.Notes, want)
		}
	}
	write("b.node", "10 3\n"+"1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 0 0\n7 .5 0 0\n8 .5 0 0\n9 .5 0 0\n10 .5 0 0\n")
	s, err = ReadTets(write("b.ele", "1 10 0\n1 1 2 3 4 5 6 7 8 9 10\n"), DefaultReadOptions())
	if err != nil || len(s.X) != 4 || s.Tet[0] != [4]int32{0, 1, 2, 3} {
		t.Errorf("a tet of ten vertices: %+v, %v", s, err)
	}
	if _, err := ReadTets(filepath.Join(dir, "b.node"), DefaultReadOptions()); err != nil {
		t.Errorf("named by its nodes: %v", err)
	}
	for name, phrase := range map[string]string{
		"c.stl": "unknown format of tets", "missing.msh": "no such file", "c.ele": "no such file",
		write("flat.vtk", strings.Replace(string(writeVTK(pair(), false, nil)), "DATASET", "DATASETS", 1)): "keyword \"DATASETS\" is not known",
	} {
		if _, err := ReadTets(name, DefaultReadOptions()); err == nil || !strings.Contains(err.Error(), phrase) ||
			!strings.Contains(err.Error(), strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))) {
			t.Errorf("%s: error %v, want one that names it and says %q", name, err, phrase)
		}
	}
	weld := DefaultReadOptions()
	weld.Weld = true
	if _, err := ReadTets("a.vtk", weld); err == nil || !strings.Contains(err.Error(), "not welded") {
		t.Errorf("welding: error %v", err)
	}
	small := DefaultReadOptions()
	small.MaxBytes = 10
	if _, err := ReadTets(filepath.Join(dir, "a.vtk"), small); err == nil || !strings.Contains(err.Error(), "limit of 10") {
		t.Errorf("a large file: error %v", err)
	}
}

const (
	msh2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
	msh4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
	mshN = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
	vtk3 = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
	vtk5 = "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
	vtkP = "POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n"
	tgN  = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
)

var hostileMSH = []hostile{
	{"empty", "", "must be $MeshFormat", "1:1"},
	{"not Gmsh", "# vtk", "must be $MeshFormat", "1:1"},
	{"other first", "$Nodes\n", "must be $MeshFormat", "1:1"},
	{"version 4.0", "$MeshFormat\n4 0 8\n", `version "4" of the format`, "2:1"},
	{"no version", "$MeshFormat\n", `version ""`, "2:1"},
	{"kind", "$MeshFormat\n2.2 7 8\n", "of kind 7", "2:5"},
	{"size", "$MeshFormat\n2.2 0 4\n", "numbers of 4 bytes", "2:7"},
	{"not one", "$MeshFormat\n2.2 1 8\n\x02\x00\x00\x00\n", "2 instead of 1", "byte 20"},
	{"format without end", "$MeshFormat\n2.2 0 8\n", "ends early", "3:1"},
	{"nothing", msh2, "no tets", ""},
	{"no elements", msh2 + mshN, "no tets, and 0 other", ""},
	{"elements first", msh2 + "$Elements\n1\n", "before nodes", "4:1"},
	{"words between", msh2 + "hello\n", `"hello" where a section`, "4:1"},
	{"section without end", msh2 + "$Names\n1\n", "section $Names has no end", "4:1"},
	{"end without beginning", msh2 + "$EndNames\n", "without a beginning", "4:1"},
	{"nodes twice", msh2 + mshN + mshN, "a second section", "11:1"},
	{"too many nodes", msh2 + "$Nodes\n1000000000\n1 0 0 0\n", "more than the rest", "5:1"},
	{"negative count", msh2 + "$Nodes\n-1\n", "-1 nodes", "5:1"},
	{"no count", msh2 + "$Nodes\nx\n", `"x" is not a whole number`, "5:1"},
	{"count too large", msh2 + "$Nodes\n99999999999999999999\n", "not a whole number", "5:1"},
	{"short node", msh2 + "$Nodes\n1\n1 0 0 \n\n", "line ends early", "6:7"},
	{"long node", msh2 + "$Nodes\n1\n1 0 0 0 0\n", "more than belongs", "6:9"},
	{"NaN", msh2 + "$Nodes\n1\n1 0 nan 0\n", `"nan" is not a finite`, "6:5"},
	{"node twice", msh2 + "$Nodes\n2\n1 0 0 0\n1 1 0 0\n", "vertex 1 is there twice", "7:7"},
	{"node twice later", msh2 + "$Nodes\n3\n1 0 0 0\n3 0 0 0\n1 0 0 0\n", "vertex 1 is there twice", "8:7"},
	{"nodes end", msh2 + "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", `"2" instead of $EndNodes`, "7:1"},
	{"vertex not there", msh2 + mshN + "$Elements\n1\n1 4 0 1 2 3 5\n$EndElements\n", "vertex 5 is not there (the file has 4)", "13:13"},
	{"vertex least", msh2 + mshN + "$Elements\n1\n1 4 0 1 2 3 -9223372036854775808\n$EndElements\n", "is not there", "13:13"},
	{"short tet", msh2 + mshN + "$Elements\n1\n1 4 0 1 2 3\n$EndElements\n", "line ends early", "13:12"},
	{"unknown type", msh2 + mshN + "$Elements\n1\n1 99 0 1\n$EndElements\n", "type 99", "13:6"},
	{"many tags", msh2 + mshN + "$Elements\n1\n1 4 1000000 1\n$EndElements\n", "1000000 tags", "13:5"},
	{"negative tags", msh2 + mshN + "$Elements\n1\n1 4 -1 1\n$EndElements\n", "-1 tags", "13:5"},
	{"only triangles", msh2 + mshN + "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n", "no tets, and 1 other", ""},
	{"many blocks", msh4 + "$Nodes\n1000000 1 1 1\n", "1000000 blocks", "5:1"},
	{"dimensions", msh4 + "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n", "4 dimensions", "6:1"},
	{"large block", msh4 + "$Nodes\n1 1 1 1\n3 1 0 100000\n1\n0 0 0\n", "100000 nodes", "6:7"},
	{"no parameter", msh4 + "$Nodes\n1 1 1 1\n2 1 1 1\n1\n0 0 0 1\n", "line ends early", "8:8"},
	{"block ends", msh4 + "$Nodes\n1 1 1 1\n3 1 0 2\n1\n2\n0 0 0\n$EndNodes\n", "not a finite", "10:1"},
	{"elements of 4.1", msh4 + "$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 1 1 2\n", "vertex 2 is not there", "13:9"},
	{"binary cut", string(writeMSH2(pair(), binary.LittleEndian)[:120]), "5 nodes are more", "byte"},
}

var hostileVTK = []hostile{
	{"empty", "", "must be \"# vtk", "1:1"},
	{"not VTK", "$MeshFormat\n", "must be \"# vtk", "1:1"},
	{"version", "# vtk DataFile Version 9\n", "from 1 to 5", "1:24"},
	{"form", "# vtk DataFile Version 3.0\nt\nXML\n", `"XML" instead of ASCII`, "3:1"},
	{"dataset", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n", `"POLYDATA"`, "4:9"},
	{"nothing", vtk3, "no tets", ""},
	{"keyword", vtk3 + "EDGES 3\n", `"EDGES" is not known`, "5:1"},
	{"points of int", vtk3 + "POINTS 4 int\n", "points of type int", "5:10"},
	{"points of nothing", vtk3 + "POINTS 4\n", `type "" are not known`, "5:9"},
	{"too many points", vtk3 + "POINTS 400 float\n0 0 0\n", "400 points", "6:1"},
	{"negative points", vtk3 + "POINTS -4 float\n", "-4 points", "6:1"},
	{"points twice", vtk3 + vtkP + vtkP, "second time", "7:1"},
	{"NaN", vtk3 + "POINTS 1 float\n0 nan 0\n", `"nan" is not a finite`, "6:3"},
	{"points end", vtk3 + "POINTS 2 float\n0 0 0 1 .00000000000", "ends early", "6:21"},
	{"cells before points", vtk3 + "CELLS 1 5\n4 0 1 2 3\n", "vertex 0 is not there (the file has 0)", "6:3"},
	{"vertex", vtk3 + vtkP + "CELLS 1 5\n4 0 1 2 4\n", "vertex 4 is not there", "8:9"},
	{"negative vertex", vtk3 + vtkP + "CELLS 1 5\n4 0 1 2 -1\n", "vertex -1 is not there", "8:9"},
	{"more than declared", vtk3 + vtkP + "CELLS 1 4\n4 0 1 2 3\n", "4 vertices is more than", "8:1"},
	{"negative cell", vtk3 + vtkP + "CELLS 1 4\n-4 0 1 2 3\n", "-4 vertices", "8:1"},
	{"many cells", vtk3 + vtkP + "CELLS 100000 5\n4 0 1 2 3\n", "100000 cells", "8:1"},
	{"no types", vtk3 + vtkP + "CELLS 1 5\n4 0 1 2 3\n", "1 cells, but types of 0", "9:1"},
	{"types of none", vtk3 + vtkP + "CELL_TYPES 1\n10\n", "0 cells, but types of 1", "9:1"},
	{"tet of three", vtk3 + vtkP + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n", "3 vertices instead of 4", "11:1"},
	{"only hexahedra", vtk3 + vtkP + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n", "no tets, and 1 other", ""},
	{"no offsets", vtk5 + vtkP + "CELLS 2 4\n4 0 1 2 3\n", `"4" instead of OFFSETS`, "8:1"},
	{"offsets of floats", vtk5 + vtkP + "CELLS 2 4\nOFFSETS float\n", "OFFSETS of type float", "8:9"},
	{"offsets down", vtk5 + vtkP + "CELLS 3 4\nOFFSETS int\n0 4 3\n", "offset 2 is 3", "9:5"},
	{"offsets beyond", vtk5 + vtkP + "CELLS 2 4\nOFFSETS int\n0 5\n", "offset 1 is 5", "9:3"},
	{"offsets short", vtk5 + vtkP + "CELLS 2 4\nOFFSETS int\n0 3\n", "last offset is 3 instead of 4", "9:3"},
	{"no connectivity", vtk5 + vtkP + "CELLS 2 4\nOFFSETS int\n0 4\n", "instead of CONNECTIVITY", "10:1"},
	{"field of strings", vtk3 + "FIELD FieldData 1\nname 1 1 string\nab\n", `type "string"`, "6:10"},
	{"large field", vtk3 + "FIELD FieldData 1\nname 99999 99999 int\n1\n", "components", "6:6"},
	{"field ends", vtk3 + "FIELD FieldData 2\nname 1 1 int\n1   \n", "ends early", "8:1"},
	{"binary cut", string(writeVTK(pair(), false, binary.BigEndian)[:200]), "points are more than", ""},
}

var hostileEle = []hostile{
	{"empty", "", "ends early", "1:1"},
	{"count", "x\n", "not a whole number", "1:1"},
	{"too many", "1000 4 0\n1 1 2 3 4\n", "1000 tets", "1:1"},
	{"eight vertices", "1 8 0\n1 1 2 3 4 1 2 3 4\n", "tets of 8 vertices", "2:1"},
	{"many attributes", "1 4 99999\n1 1 2 3 4\n", "99999 numbers on each line", "1:5"},
	{"vertex", "1 4 0\n1 1 2 3 5\n", "vertex 5 is not there", "2:9"},
	{"vertex zero", "1 4 0\n1 0 2 3 4\n", "vertex 0 is not there", "2:3"},
	{"short", "1 4 0\n1 1 2 3\n", "line ends early", "2:8"},
	{"long", "1 4 0\n1 1 2 3 4 5\n", `"5" is more than belongs`, "2:11"},
	{"missing", "2 4 0\n1 1 2 3 4\n# the end    \n", "ends early", "4:1"},
	{"none", "0 4 0\n", "no tets", ""},
}

func TestHostileTets(t *testing.T) {
	check := func(h hostile, parts ...tetPart) {
		t.Helper()
		_, err := parseTets(parts...)
		if err == nil || !strings.Contains(err.Error(), h.want) {
			t.Errorf("%s: error %v, want one that says %q", h.name, err, h.want)
			return
		}
		if !strings.Contains(err.Error(), h.place) {
			t.Errorf("%s: error %q is not at %s", h.name, err, h.place)
		}
	}
	for _, h := range hostileMSH {
		check(h, tetPart{msh.Read, []byte(h.data)})
	}
	for _, h := range hostileVTK {
		check(h, tetPart{vtk.Read, []byte(h.data)})
	}
	for _, h := range hostileEle {
		check(h, tetPart{tetgen.ReadNode, []byte(tgN)}, tetPart{tetgen.ReadEle, []byte(h.data)})
	}
	for _, h := range []hostile{
		{"two dimensions", "4 2 0 0\n", "4 points are more", "1:1"},
		{"flat", "1 2 0 0\n1 0 0  \n", "points of 2 dimensions", "2:1"},
		{"marker", "1 3 0 1\n1 0 0 0\n", "line ends early", "2:8"},
	} {
		check(h, tetPart{tetgen.ReadNode, []byte(h.data)})
	}
}

// Every beginning of a good file is refused or, where only the end of the last section is missing, read.
func TestTetPrefixes(t *testing.T) {
	for _, f := range tetFormats {
		data := f.write(pair())
		for n := range data {
			if n > 0 && digit(data[n-1]) && digit(data[n]) {
				continue // half a number is a number
			}
			s, err := parseTets(tetPart{f.parse, data[:n]})
			if err == nil && len(s.Tet) != 2 {
				t.Errorf("%s: the first %d bytes give %d tets", f.name, n, len(s.Tet))
			}
		}
	}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// tryTets says that whatever is read keeps the promises of Tets and can be written and read again.
func tryTets(t *testing.T, parts ...tetPart) {
	s, err := parseTets(parts...)
	if err != nil {
		if _, ok := err.(*Error); !ok {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	used := make([]bool, len(s.X))
	for i, v := range s.Tet {
		for _, k := range v {
			used[k] = true
		}
		if s.TetVolume(int32(i)) < 0 {
			t.Fatalf("tet %d is inside out", i)
		}
	}
	if slices.Contains(used, false) {
		t.Fatal("a vertex is in no tet")
	}
	if s.Validate() == nil { // which must not panic, whatever was read
		if _, err := mesh.SolidOf(s.X, s.Skin(), 1); err != nil && !strings.Contains(err.Error(), "part of the surface") &&
			!strings.Contains(err.Error(), "encloses") {
			t.Fatalf("the skin of sound tets: %v", err)
		}
	}
	for _, f := range tetFormats {
		again, err := parseTets(tetPart{f.parse, f.write(&s.Tets)})
		if err != nil {
			t.Fatalf("%s: reading back: %v", f.name, err)
		}
		if !slices.Equal(again.X, s.X) || !slices.Equal(again.Tet, s.Tet) {
			t.Fatalf("%s: %v became %v", f.name, s.Tets, again.Tets)
		}
	}
}

func FuzzMSH(f *testing.F) { fuzzTets(f, msh.Read, hostileMSH) }

func FuzzVTK(f *testing.F) { fuzzTets(f, vtk.Read, hostileVTK) }

func fuzzTets(f *testing.F, parse func(r *tets.Reader) *Error, inputs []hostile) {
	for _, h := range inputs {
		f.Add([]byte(h.data))
	}
	for _, format := range tetFormats {
		f.Add(format.write(pair()))
	}
	f.Fuzz(func(t *testing.T, data []byte) { tryTets(t, tetPart{parse, data}) })
}

func FuzzTetGen(f *testing.F) {
	for _, h := range hostileEle {
		f.Add([]byte(tgN), []byte(h.data))
	}
	node, ele := writeTetGen(pair())
	f.Add(node, ele)
	f.Fuzz(func(t *testing.T, node, ele []byte) {
		tryTets(t, tetPart{tetgen.ReadNode, node}, tetPart{tetgen.ReadEle, ele})
	})
}
