package meshio

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// everyFormat is how many formats of meshes there are.
const everyFormat = Format(len(formats))

func TestOBJReading(t *testing.T) {
	const text = `# a comment
mtllib ../../etc/passwd
v 0 0 0
v 1 0 0 1.0
v 1 1 0
v 0 1 0
v 5 5 5 \
  0.5 0.25 1
vt 0 0 0
vt 1
vn 0 0 1
g left  right
usemtl red paint
f 1/1/1 2/2/1 3/1/1 4/2/1
g
usemtl off
s 1
f -5//1 -4//1 5//1
l 1 5
p 2
`
	m := mustRead(t, OBJ, []byte(text), DefaultReadOptions())
	if want := [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 1, 4}}; !slices.Equal(m.Triangles, want) {
		t.Errorf("triangles %v, want %v", m.Triangles, want)
	}
	if want := [][3]int32{{0, 1, 0}, {0, 0, 1}, {-1, -1, -1}}; !slices.Equal(m.CornerUV, want) {
		t.Errorf("corner UVs %v, want %v", m.CornerUV, want)
	}
	if len(m.Normals) != 5 || m.Normals[4] != r3.V(0, 0, 1) {
		t.Errorf("normals %v", m.Normals)
	}
	if want := []Group{
		{Name: "left", Vertices: []int32{0, 1, 2, 3}},
		{Name: "right", Vertices: []int32{0, 1, 2, 3}},
		{Name: "red paint", Vertices: []int32{0, 1, 2, 3}},
	}; !reflect.DeepEqual(
		m.Groups,
		want,
	) {
		t.Errorf("groups %v, want %v", m.Groups, want)
	}
	if want := []float32{
		1,
		1,
		1,
		1,
		1,
		1,
		1,
		1,
		1,
		1,
		1,
		1,
		0.5,
		0.25,
		1,
	}; len(m.Attributes) != 1 ||
		!slices.Equal(m.Attributes[0].Data, want) {
		t.Errorf("attributes %v", m.Attributes)
	}
	if len(m.Notes) != 1 || !strings.Contains(m.Notes[0], "1 polygons") {
		t.Errorf("notes %q", m.Notes)
	}
}

func TestOBJObjects(t *testing.T) {
	one := "o first one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
	m := mustRead(t, OBJ, []byte(one), DefaultReadOptions())
	if m.Name != "first one" || len(m.Groups) != 0 {
		t.Errorf("name %q, groups %v", m.Name, m.Groups)
	}
	m = mustRead(t, OBJ, []byte(one+"o second\nf 1 2 4\nv 1 1 1\n"), DefaultReadOptions())
	if want := []Group{
		{Name: "first one", Vertices: []int32{0, 1, 2}},
		{Name: "second", Vertices: []int32{0, 1, 3}},
	}; !reflect.DeepEqual(
		m.Groups,
		want,
	) {
		t.Errorf("groups %v, want %v", m.Groups, want)
	}
}

func TestOBJNormalsThatDiffer(t *testing.T) {
	m := mustRead(
		t,
		OBJ,
		[]byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 1\nvn 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1\nf 2//2 4//2 3//2\n"),
		DefaultReadOptions(),
	)
	if m.Normals != nil || len(m.Notes) != 1 {
		t.Errorf("normals %v, notes %q", m.Normals, m.Notes)
	}
}

func TestPLYReading(t *testing.T) {
	const text = "ply\r\nformat ascii 1.0\r\ncomment made by hand\nobj_info x\nelement camera 1\nproperty list uchar float view\nproperty int id\n" +
		"element face 2\nproperty uchar flags\nproperty list uint8 int32 vertex_index\n" +
		"element vertex 4\nproperty double x\nproperty float32 y\nproperty int16 z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n" +
		"property float quality\nproperty list uchar int neighbours\nproperty float w.0\nproperty float w.1\nproperty float nx\nend_header\n" +
		"2 0.5 1e3 7\n\n1 4 0 1 2 3\n2 3 2 1 0\n0 0 0 255 0 51 1 0 1 2 0\n1 0 0 0 0 0 2 2 8 9 3 4 0\n1 1 0 0 0 0 3 0 5 6 0\n0 1 -3 0 0 0 4 0 7 8 0\n"
	m := mustRead(t, PLY, []byte(text), DefaultReadOptions())
	if want := [][3]int32{{0, 1, 2}, {0, 2, 3}, {2, 1, 0}}; !slices.Equal(m.Triangles, want) {
		t.Errorf("triangles %v, want %v", m.Triangles, want)
	}
	if m.Positions[3] != r3.V(0, 1, -3) || len(m.Positions) != 4 {
		t.Errorf("positions %v", m.Positions)
	}
	want := []Attribute{
		{Name: model.Colour, Width: 3, Data: []float32{1, 0, 0.2, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{Name: "quality", Width: 1, Data: []float32{1, 2, 3, 4}},
		{Name: "w", Width: 2, Data: []float32{1, 2, 3, 4, 5, 6, 7, 8}},
	}
	if !reflect.DeepEqual(m.Attributes, want) {
		t.Errorf("attributes %v, want %v", m.Attributes, want)
	}
	if m.Normals != nil {
		t.Errorf("nx alone made normals %v", m.Normals)
	}
}

func TestPLYBinaryTypes(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		name := "binary_little_endian"
		if order == binary.AppendByteOrder(binary.BigEndian) {
			name = "binary_big_endian"
		}
		b := []byte(
			"ply\nformat " + name + " 1.0\nelement vertex 3\nproperty char x\nproperty short y\nproperty double z\nproperty ushort a\nproperty uint b\nproperty int c\n" +
				"element face 1\nproperty list ushort uint vertex_indices\nend_header\n",
		)
		for i := range 3 {
			b = append(b, byte(-i))
			b = order.AppendUint16(b, uint16(-300*i))
			b = order.AppendUint64(b, math.Float64bits(0.1*float64(i)))
			b = order.AppendUint16(b, uint16(60000+i))
			b = order.AppendUint32(b, 4e9)
			b = order.AppendUint32(b, uint32(0xFFFFFFFF-i))
		}
		b = order.AppendUint16(b, 3)
		for i := range 3 {
			b = order.AppendUint32(b, uint32(2-i))
		}
		m := mustRead(t, PLY, b, DefaultReadOptions())
		if m.Positions[2] != r3.V(-2, -600, 0.2) || m.Triangles[0] != [3]int32{2, 1, 0} {
			t.Errorf("%s: %v %v", name, m.Positions, m.Triangles)
		}
		if a := m.Attributes; a[0].Data[2] != 60002 || a[1].Data[0] != 4e9 || a[2].Data[2] != -3 {
			t.Errorf("%s: attributes %v", name, a)
		}
	}
}

func floatBytes(xs ...float32) []byte {
	var b []byte
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// square is the JSON of a file with four vertices and placeholders for what a test changes. Its
// binary data are the positions, then indices 0 1 2 3 of one byte each.
const square = `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"mesh":0,"name":"N"@NODE;}@NODES;],
"meshes":[{"primitives":[{"attributes":{"POSITION":0@ATTR;},"indices":1@PRIM;}@PRIMS;]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":@INDICES;,"type":"SCALAR"}@ACC;],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":8}@VIEWS;],
"buffers":[{"byteLength":@LENGTH;}@BUFFERS;]@DOC;}`

// squareGLB fills the placeholders of square, in pairs of name and text.
func squareGLB(bin []byte, pairs ...string) []byte {
	all := append(floatBytes(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0), 0, 1, 2, 3, 0, 0, 0, 0)
	all = append(all, bin...)
	defaults := []string{
		"NODES",
		"",
		"NODE",
		"",
		"ATTR",
		"",
		"PRIMS",
		"",
		"PRIM",
		"",
		"INDICES",
		"3",
		"ACC",
		"",
		"VIEWS",
		"",
		"LENGTH",
		fmt.Sprint(len(all)),
		"BUFFERS",
		"",
		"DOC",
		"",
	}
	pairs = append(pairs, defaults...) // the first of two wins
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "@" + pairs[i] + ";"
	}
	return glbOf(strings.NewReplacer(pairs...).Replace(square), all)
}

// zUp reads a GLB file without turning it.
func zUp(t *testing.T, data []byte) *Mesh {
	t.Helper()
	opt := DefaultReadOptions()
	opt.Up = UpZ
	return mustRead(t, GLB, data, opt)
}

func TestGLBModes(t *testing.T) {
	for _, c := range []struct {
		prim, count string
		want        [][3]int32
	}{
		{"", "3", [][3]int32{{0, 1, 2}}},
		{`,"mode":4`, "3", [][3]int32{{0, 1, 2}}},
		{`,"mode":5`, "4", [][3]int32{{0, 1, 2}, {1, 3, 2}}},
		{`,"mode":5`, "5", [][3]int32{{0, 1, 2}, {1, 3, 2}, {2, 3, 0}}},
		{`,"mode":6`, "4", [][3]int32{{1, 2, 0}, {2, 3, 0}}},
	} {
		if m := zUp(t, squareGLB(nil, "PRIM", c.prim, "INDICES", c.count)); !slices.Equal(m.Triangles, c.want) {
			t.Errorf("%s of %s: %v, want %v", c.prim, c.count, m.Triangles, c.want)
		}
	}
	m := zUp(t, squareGLB(nil, "PRIMS", `,{"attributes":{"POSITION":0},"mode":1}`))
	if len(m.Positions) != 4 || len(m.Notes) != 1 {
		t.Errorf("%d positions, notes %q", len(m.Positions), m.Notes)
	}
}

func TestGLBTransforms(t *testing.T) {
	// A quarter turn about z, then a shift; and a mirror in a child.
	node := `,"rotation":[0,0,0.7071067811865476,0.7071067811865476],"translation":[10,0,0],"children":[1]`
	m := zUp(
		t,
		squareGLB(
			nil,
			"NODE",
			node,
			"NODES",
			`,{"mesh":0,"name":"child","matrix":[-1,0,0,0, 0,2,0,0, 0,0,1,0, 0,0,5,1]}`,
		),
	)
	if len(m.Positions) != 8 {
		t.Fatalf("%d vertices", len(m.Positions))
	}
	near := func(a, b r3.Vec) bool { return a.Sub(b).Norm() < 1e-14 }
	if !near(m.Positions[1], r3.V(10, 1, 0)) { // (1,0,0) turned to (0,1,0), shifted
		t.Errorf("vertex 1 at %v", m.Positions[1])
	}
	if !near(m.Positions[7], r3.V(10-2, -1, 5)) { // (1,1,0) to (-1,2,5), turned to (-2,-1,5), shifted
		t.Errorf("vertex 7 at %v", m.Positions[7])
	}
	if want := [][3]int32{{0, 1, 2}, {4, 6, 5}}; !slices.Equal(m.Triangles, want) {
		t.Errorf("triangles %v, want %v: a mirrored one turns over", m.Triangles, want)
	}
	if want := []Group{{Name: "N", Vertices: []int32{0, 1, 2, 3}}, {Name: "child", Vertices: []int32{4, 5, 6, 7}}}; !reflect.DeepEqual(m.Groups, want) {
		t.Errorf("groups %v", m.Groups)
	}
}

// A mirrored and stretched normal stays at right angles to its surface, on the same side.
func TestGLBNormalsTurn(t *testing.T) {
	s := float32(math.Sqrt(0.5))
	bin := floatBytes(s, 0, s, s, 0, s, s, 0, s, s, 0, s)
	m := zUp(t, squareGLB(
		bin,
		"NODE",
		`,"scale":[-2,1,1]`,
		"ATTR",
		`,"NORMAL":2`,
		"ACC",
		`,{"bufferView":2,"componentType":5126,"count":4,"type":"VEC3"}`,
		"VIEWS",
		`,{"buffer":0,"byteOffset":56,"byteLength":48}`,
	))
	want := r3.V(-0.5, 0, 1).Unit()
	if m.Normals[0].Sub(want).Norm() > 1e-7 {
		t.Errorf("normal %v, want %v", m.Normals[0], want)
	}
}

func TestGLBAccessors(t *testing.T) {
	// Interleaved with a stride of 8: two bytes of colour index 0..3, two of a normalized short.
	bin := []byte{
		0,
		255,
		0,
		128,
		0,
		0,
		0,
		0,
		51,
		0,
		255,
		127,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		1,
		0,
		0,
		0,
		0,
		0,
	}
	m := zUp(t, squareGLB(
		bin,
		"ATTR",
		`,"_U":2,"_S":3,"TANGENT":3`,
		"ACC",
		`,{"bufferView":2,"componentType":5121,"normalized":true,"count":4,"type":"VEC2"},{"bufferView":2,"byteOffset":2,"componentType":5122,"normalized":true,"count":4,"type":"SCALAR"}`,
		"VIEWS",
		`,{"buffer":0,"byteOffset":56,"byteLength":32,"byteStride":8}`,
	))
	want := []Attribute{{Name: "_S", Width: 1, Data: []float32{-1, 1, 0, 1.0 / 32767}}, {Name: "_U", Width: 2, Data: []float32{0, 1, 0.2, 0, 0, 0, 0, 0}}}
	if !reflect.DeepEqual(m.Attributes, want) {
		t.Errorf("attributes %v, want %v", m.Attributes, want)
	}
	// Sparse: zeros from nowhere, elements 1 and 3 replaced.
	bin = append([]byte{1, 0, 3, 0}, floatBytes(7, 8)...)
	m = zUp(t, squareGLB(
		bin,
		"ATTR",
		`,"_P":2`,
		"ACC",
		`,{"componentType":5126,"count":4,"type":"SCALAR","sparse":{"count":2,"indices":{"bufferView":2,"componentType":5123},"values":{"bufferView":3}}}`,
		"VIEWS",
		`,{"buffer":0,"byteOffset":56,"byteLength":4},{"buffer":0,"byteOffset":60,"byteLength":8}`,
	))
	if want := []float32{0, 7, 0, 8}; !slices.Equal(m.Attributes[0].Data, want) {
		t.Errorf("sparse %v, want %v", m.Attributes[0].Data, want)
	}
}

func TestGLBDataURI(t *testing.T) {
	uri := "data:application/gltf-buffer;base64," + base64.StdEncoding.EncodeToString(floatBytes(1, 2, 3, 4))
	m := zUp(t, squareGLB(
		nil,
		"ATTR",
		`,"_P":2`,
		"BUFFERS",
		`,{"byteLength":16,"uri":"`+uri+`"}`,
		"ACC",
		`,{"bufferView":2,"componentType":5126,"count":4,"type":"SCALAR"}`,
		"VIEWS",
		`,{"buffer":1,"byteLength":16}`,
	))
	if want := []float32{1, 2, 3, 4}; !slices.Equal(m.Attributes[0].Data, want) {
		t.Errorf("%v, want %v", m.Attributes[0].Data, want)
	}
}

// Exporters give each face of a cube its own vertices; welding makes it one surface again.
func TestWeld(t *testing.T) {
	const text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 5 5\nvt 6 6\nvt 7 7\nf 1/1 2/2 3/3\nf 4/4 6/6 5/5\n"
	opt := DefaultReadOptions()
	torn := mustRead(t, OBJ, []byte(text), opt)
	data := mustWrite(t, GLB, torn, DefaultWriteOptions())
	// Without _ID, as from another program: the name is overwritten in place.
	foreign := []byte(strings.Replace(string(data), `"_ID"`, `"_XX"`, 1))
	opt.Weld = true
	for _, m := range []*Mesh{mustRead(t, OBJ, []byte(text), opt), mustRead(t, GLB, foreign, opt)} {
		if len(m.Positions) != 4 || !slices.Equal(m.Triangles, [][3]int32{{0, 1, 2}, {1, 3, 2}}) {
			t.Errorf("%v %v", m.Positions, m.Triangles)
		}
		if !slices.Equal(cornerUVs(m), cornerUVs(torn)) {
			t.Errorf("UVs %v", cornerUVs(m))
		}
	}
	if m := mustRead(t, GLB, data, opt); len(m.Positions) != 6 {
		t.Errorf(
			"a file of our own has numbered vertices and cuts that are meant, but %d of 6 are left",
			len(m.Positions),
		)
	}
}

// An independent reader must find the same numbers in our files.
func TestGLBAgainstAnotherReader(t *testing.T) {
	m := seamed()
	doc := new(gltf.Document)
	if err := gltf.NewDecoder(strings.NewReader(string(mustWrite(t, GLB, m, DefaultWriteOptions())))).
		Decode(doc); err != nil {
		t.Fatal(err)
	}
	p := doc.Meshes[0].Primitives[0]
	positions, err := modeler.ReadPosition(doc, doc.Accessors[p.Attributes["POSITION"]], nil)
	if err != nil {
		t.Fatal(err)
	}
	indices, err := modeler.ReadIndices(doc, doc.Accessors[*p.Indices], nil)
	if err != nil {
		t.Fatal(err)
	}
	uvs, err := modeler.ReadTextureCoord(doc, doc.Accessors[p.Attributes["TEXCOORD_0"]], nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(positions) != len(m.Positions)+1 || len(indices) != 3*len(m.Triangles) {
		t.Fatalf("%d positions, %d indices", len(positions), len(indices))
	}
	for i, t0 := range m.Triangles {
		for k, v := range t0 {
			at, uv := positions[indices[3*i+k]], uvs[indices[3*i+k]]
			want, wantUV := m.Positions[v], m.UV[m.CornerUV[i][k]]
			if r3.V(float64(at[0]), float64(-at[2]), float64(at[1])) != want ||
				(r3.Vec2{X: float64(uv[0]), Y: float64(1 - uv[1])}) != wantUV {
				t.Errorf("triangle %d corner %d: %v %v, want %v %v", i, k, at, uv, want, wantUV)
			}
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.obj", "b.PLY", "c.glb"} {
		path := filepath.Join(dir, name)
		for range 2 { // the second time over the first
			if err := WriteFile(path, seamed(), DefaultWriteOptions()); err != nil {
				t.Fatal(err)
			}
		}
		m, err := ReadFile(path, DefaultReadOptions())
		if err != nil || len(m.Triangles) != 4 {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := seamed()
	bad.Triangles[0][0] = 99
	if err := WriteFile(
		filepath.Join(dir, "a.obj"),
		bad,
		DefaultWriteOptions(),
	); err == nil ||
		!strings.Contains(err.Error(), "a.obj") {
		t.Errorf("a broken mesh: %v", err)
	}
	if m, err := ReadFile(filepath.Join(dir, "a.obj"), DefaultReadOptions()); err != nil || m.Triangles[0][0] != 0 {
		t.Errorf("a failed write harmed the old file: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 {
		t.Errorf("left behind: %v", entries)
	}
	for path, want := range map[string]string{
		"x.gltf": ".glb", "x.stl": "unknown mesh format", filepath.Join(dir, "none.obj"): "no such file", dir: "unknown mesh format",
	} {
		if _, err := ReadFile(path, DefaultReadOptions()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	path := filepath.Join(dir, "broken.obj")
	if err := os.WriteFile(path, []byte("v 0 0 0\nv 1 x 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path, DefaultReadOptions()); err == nil || !strings.HasPrefix(err.Error(), path+":2:5: ") {
		t.Errorf("%v, want the place %s:2:5", err, path)
	}
	opt := DefaultReadOptions()
	opt.MaxBytes = 100
	if _, err := ReadFile(filepath.Join(dir, "a.obj"), opt); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a file over the limit: %v", err)
	}
}

// Every extension of the list stands for a format, in capitals as well.
func TestFormats(t *testing.T) {
	for _, ending := range Formats() {
		if f, err := FormatOf("a" + strings.ToUpper(ending)); err != nil || formats[f].ending != ending {
			t.Errorf("%s: %v, %v", ending, f, err)
		}
	}
}
