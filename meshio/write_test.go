package meshio

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// Every fault of a mesh is refused and named before a byte is written.
func TestWriteRefusesBrokenMeshes(t *testing.T) {
	nan := math.NaN()
	for want, spoil := range map[string]func(m *Mesh){
		"no vertices":                   func(m *Mesh) { *m = Mesh{} },
		"no triangles":                  func(m *Mesh) { m.Triangles, m.CornerUV, m.UV = nil, nil, nil },
		"vertex 2 is at":                func(m *Mesh) { m.Positions[2].Y = nan },
		"triangle 1 has vertices":       func(m *Mesh) { m.Triangles[1][2] = -1 },
		"but there are 6":               func(m *Mesh) { m.Triangles[1][2] = 6 },
		"UV 3 is":                       func(m *Mesh) { m.UV[3].X = math.Inf(1) },
		"UVs for 6 vertices":            func(m *Mesh) { m.UV, m.CornerUV = m.UV[:3], nil },
		"CornerUV has 2 triangles":      func(m *Mesh) { m.CornerUV = m.CornerUV[:2] },
		"triangle 0 has UVs":            func(m *Mesh) { m.CornerUV[0][0] = -2 },
		"5 normals":                     func(m *Mesh) { m.Normals = m.Normals[:5] },
		"normal 0 is":                   func(m *Mesh) { m.Normals[0].X = nan },
		"has no name or none in UTF-8":  func(m *Mesh) { m.Attributes[1].Name = "\xff" },
		"attribute _ID is reserved":     func(m *Mesh) { m.Attributes[1].Name = "_ID" },
		"attribute _V is there twice":   func(m *Mesh) { m.Attributes[1].Name = "_V" },
		"width 0":                       func(m *Mesh) { m.Attributes[1].Width = 0 },
		"width 5":                       func(m *Mesh) { m.Attributes[1].Width = 5 },
		"COLOR_0 has width 2":           func(m *Mesh) { m.Attributes[0].Width = 2 },
		"5 numbers instead of 6":        func(m *Mesh) { m.Attributes[1].Data = m.Attributes[1].Data[:5] },
		"_STRETCH is NaN at vertex 3":   func(m *Mesh) { m.Attributes[1].Data[3] = float32(nan) },
		"group corners is there twice":  func(m *Mesh) { m.Groups[1].Name = "corners" },
		`group "" has no name`:          func(m *Mesh) { m.Groups[1].Name = "" },
		"vertex 1 after 4":              func(m *Mesh) { m.Groups[1].Vertices = []int32{4, 1} },
		"vertex 6 after -1 of 6":        func(m *Mesh) { m.Groups[1].Vertices = []int32{6} },
		"the name":                      func(m *Mesh) { m.Name = "\xff" },
		"extra":                         func(m *Mesh) { m.Extra = map[string]string{"": "x"} },
		"more than 64 for each vertex":  crowd,
		"no triangles; UV 0 is {NaN 0}": func(m *Mesh) { m.Triangles, m.CornerUV, m.UV[0] = nil, nil, r3.Vec2{X: nan} },
	} {
		for _, f := range []Format{OBJ, PLY, GLB} {
			m := seamed()
			spoil(m)
			var b bytes.Buffer
			if err := Write(
				&b,
				f,
				m,
				DefaultWriteOptions(),
			); err == nil || !strings.Contains(err.Error(), want) ||
				b.Len() > 0 {
				t.Errorf("%v: %v and %d bytes, want %q and none", f, err, b.Len(), want)
			}
		}
	}
}

// crowd gives m more groups than are allowed.
func crowd(m *Mesh) {
	m.Groups = nil
	for i := range 65 {
		m.Groups = append(m.Groups, Group{Name: strings.Repeat("g", i+1), Vertices: []int32{0, 1, 2, 3, 4, 5}})
	}
}

// What one format cannot hold is refused by it alone.
func TestWriteRefusesWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		f     Format
		want  string
		spoil func(m *Mesh)
	}{
		{PLY, "vertex 0 at", func(m *Mesh) { m.Positions[0].X = 1e39 }},
		{GLB, "vertex 0 at", func(m *Mesh) { m.Positions[0].X = 1e39 }},
		{GLB, "normal 0", func(m *Mesh) { m.Normals[0].X = 1e39 }},
		{PLY, "UV 0", func(m *Mesh) { m.UV[0].X = -1e39 }},
		{PLY, "another meaning", func(m *Mesh) { m.Attributes[1].Name = "x" }},
		{PLY, "another meaning", func(m *Mesh) { m.Attributes[1].Name = "red" }},
		{GLB, "two attributes", func(m *Mesh) { m.Attributes[1].Name = "V" }},
	} {
		m := seamed()
		c.spoil(m)
		if err := Write(
			io.Discard,
			c.f,
			m,
			DefaultWriteOptions(),
		); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.f, err, c.want)
		}
		if err := Write(io.Discard, OBJ, m, DefaultWriteOptions()); err != nil {
			t.Errorf("OBJ: %v", err)
		}
	}
	opt := DefaultWriteOptions()
	opt.Unit = 1e-300
	m := seamed()
	m.Positions[0].X = 1e30
	if err := Write(io.Discard, OBJ, m, opt); err == nil || !strings.Contains(err.Error(), "range of numbers") {
		t.Errorf("a vertex beyond all numbers: %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	r := ReadOptions{Up: 9, Unit: math.NaN(), MaxBytes: -1}
	if _, err := Read(strings.NewReader(""), OBJ, r); err == nil || strings.Count(err.Error(), ";") != 2 {
		t.Errorf("three faults at once: %v", err)
	}
	for _, unit := range []float64{0, -1, math.Inf(1)} {
		if err := Write(
			io.Discard,
			OBJ,
			seamed(),
			WriteOptions{Unit: unit},
		); err == nil ||
			!strings.Contains(err.Error(), "Unit") {
			t.Errorf("unit %v: %v", unit, err)
		}
	}
	if _, err := Read(
		strings.NewReader(""),
		77,
		DefaultReadOptions(),
	); err == nil ||
		!strings.Contains(err.Error(), "Format(77)") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestReaderFailuresAndLimits(t *testing.T) {
	broken := errors.New("cable pulled")
	if _, err := Read(iotest.ErrReader(broken), OBJ, DefaultReadOptions()); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	data := mustWrite(t, OBJ, sheet(20), DefaultWriteOptions())
	opt := DefaultReadOptions()
	opt.MaxBytes = int64(len(data))
	if _, err := Read(iotest.OneByteReader(bytes.NewReader(data)), OBJ, opt); err != nil {
		t.Errorf("exactly the limit: %v", err)
	}
	opt.MaxBytes--
	if _, err := Read(bytes.NewReader(data), OBJ, opt); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("one byte over the limit: %v", err)
	}
	opt = DefaultReadOptions()
	opt.Unit = 1e300
	if _, err := Read(
		strings.NewReader("v 1e9 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
		OBJ,
		opt,
	); err == nil ||
		!strings.Contains(err.Error(), "vertex 0") {
		t.Errorf("a vertex beyond all numbers: %v", err)
	}
}

// More vertices than 16 bits can number.
func TestLargeGLB(t *testing.T) {
	m := sheet(300)
	got := mustRead(t, GLB, mustWrite(t, GLB, m, DefaultWriteOptions()), DefaultReadOptions())
	if !slices.Equal(got.Triangles, m.Triangles) || len(got.Positions) != 90000 || len(got.Attributes) != 6 {
		t.Errorf(
			"%d vertices, %d triangles, %d attributes",
			len(got.Positions),
			len(got.Triangles),
			len(got.Attributes),
		)
	}
}

// Parts of a scene need not have the same attributes.
func TestGLBUnequalParts(t *testing.T) {
	bin := append(floatBytes(0, 0, 1, 0, 0, 1, 1, 1), floatBytes(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1)...)
	m := zUp(
		t,
		squareGLB(
			bin,
			"ATTR",
			`,"TEXCOORD_0":2,"COLOR_0":3,"NORMAL":3,"_A":2`,
			"PRIMS",
			`,{"attributes":{"POSITION":0,"_B":2},"indices":1,"material":0}`,
			"ACC",
			`,{"bufferView":2,"componentType":5126,"count":4,"type":"VEC2"},{"bufferView":3,"componentType":5126,"count":4,"type":"VEC3"}`,
			"VIEWS",
			`,{"buffer":0,"byteOffset":56,"byteLength":32},{"buffer":0,"byteOffset":88,"byteLength":48}`,
			"DOC",
			`,"materials":[{"name":"silk"}]`,
		),
	)
	want := []Attribute{
		{Name: model.Colour, Width: 3, Data: []float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{Name: "_A", Width: 2, Data: []float32{0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}},
		{Name: "_B", Width: 2, Data: []float32{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1}},
	}
	if !reflect.DeepEqual(m.Attributes, want) {
		t.Errorf("attributes %v, want %v", m.Attributes, want)
	}
	if m.Normals != nil || len(m.Notes) != 1 || len(m.UV) != 8 || m.UV[2] != (r3.Vec2{X: 0, Y: 0}) {
		t.Errorf("normals %v, notes %q, UVs %v", m.Normals, m.Notes, m.UV)
	}
	if want := []Group{{Name: "silk", Vertices: []int32{4, 5, 6, 7}}}; !reflect.DeepEqual(m.Groups, want) {
		t.Errorf("groups %v, want %v", m.Groups, want)
	}
	if m.Name != "N" {
		t.Errorf("name %q", m.Name)
	}
}

// Welding hard edges averages their normals and keeps groups, attributes and seams.
func TestWeldKeepsTheRest(t *testing.T) {
	m := &Mesh{
		Positions:  []r3.Vec{{}, {X: 1}, {Y: 1}, {X: 1}, {Y: 1}, {Z: 1}},
		Triangles:  [][3]int32{{0, 1, 2}, {3, 5, 4}},
		Normals:    []r3.Vec{{Z: 1}, {Z: 1}, {Z: 1}, {X: 1}, {Z: 1}, {X: 1}},
		Attributes: []Attribute{{Name: "_A", Width: 1, Data: []float32{0, 1, 2, 3, 4, 5}}},
		Groups:     []Group{{Name: "seam", Vertices: []int32{1, 2, 3, 4}}, {Name: "tip", Vertices: []int32{5}}},
	}
	opt := DefaultReadOptions()
	opt.Weld = true
	opt2 := DefaultWriteOptions()
	opt2.Precise = true
	got := mustRead(t, PLY, mustWrite(t, PLY, m, opt2), opt)
	want := &Mesh{
		Positions:  []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Triangles:  [][3]int32{{0, 1, 2}, {1, 3, 2}},
		Normals:    []r3.Vec{{Z: 1}, r3.V(1, 0, 1).Unit(), {Z: 1}, {X: 1}},
		Attributes: []Attribute{{Name: "_A", Width: 1, Data: []float32{0, 1, 2, 5}}},
		Groups:     []Group{{Name: "seam", Vertices: []int32{1, 2}}, {Name: "tip", Vertices: []int32{3}}},
		Notes:      []string{"2 vertices were joined to others at the same position"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A colour of two components is none, and must not shift the attributes after it.
func TestPLYHalfAColour(t *testing.T) {
	const text = plyA + "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty float a\n" + plyFace +
		"end_header\n0 0 0 9 9 1\n1 0 0 9 9 2\n0 1 0 9 9 3\n3 0 1 2\n"
	m := mustRead(t, PLY, []byte(text), DefaultReadOptions())
	if want := []Attribute{{Name: "a", Width: 1, Data: []float32{1, 2, 3}}}; !reflect.DeepEqual(m.Attributes, want) {
		t.Errorf("%v, want %v", m.Attributes, want)
	}
}

func TestShortOBJ(t *testing.T) {
	m := flapping(0)
	third := 1.0 / 3
	for v := range m.Positions {
		m.Positions[v].Z = float64(float32(third * float64(v)))
	}
	dir := t.TempDir()
	opt := DefaultWriteOptions()
	opt.Short = true
	path := filepath.Join(dir, "short.obj")
	if err := WriteFile(path, m, opt); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), " 0.33333334\n") {
		t.Errorf("%s", data)
	}
	back, err := ReadFile(path, DefaultReadOptions())
	if err != nil {
		t.Fatal(err)
	}
	for v, p := range back.Positions {
		if float32(p.Z) != float32(m.Positions[v].Z) {
			t.Errorf("vertex %d is at %v, was at %v", v, p, m.Positions[v])
		}
	}
	m.Positions[0].X = 1e300
	if err := WriteFile(path, m, opt); err == nil {
		t.Error("a number beyond single precision was written")
	}
}
