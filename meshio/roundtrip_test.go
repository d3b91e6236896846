package meshio

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// seamed returns a tent of four triangles whose top vertex 0 has one UV on each side of a seam,
// with every other part of a Mesh in use. Its numbers fit single precision.
func seamed() *Mesh {
	return &Mesh{
		Name: "tent 1",
		Positions: []r3.Vec{
			{X: 0, Y: 0, Z: 1.5},
			{X: -1, Y: -1},
			{X: 1, Y: -1},
			{X: 1, Y: 1.25},
			{X: -1, Y: 1},
			{X: 9, Y: 9, Z: 9},
		},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}},
		UV: []r3.Vec2{
			{X: 0.5, Y: 0.5},
			{X: 0, Y: 0},
			{X: 1, Y: 0},
			{X: 1, Y: 1},
			{X: 0, Y: 1},
			{X: 0.25, Y: 0.75},
		},
		CornerUV: [][3]int32{{0, 1, 2}, {0, 2, 3}, {5, 3, 4}, {5, 4, 1}},
		Normals:  []r3.Vec{{Z: 1}, {Z: 1}, {X: 1}, {Y: 1}, {X: -1}, {Y: -1}},
		Attributes: []Attribute{
			{
				Name:  "COLOR_0",
				Width: 3,
				Data:  []float32{0, 0.5, 1, 1, 1, 1, 0, 0, 0, 0.25, 0.5, 0.75, 1, 0, 0, 0, 0, 1},
			},
			{Name: "_STRETCH", Width: 1, Data: []float32{1, 1.1, 1.2, 0.9, 1e-7, -3}},
			{Name: "_V", Width: 3, Data: []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}},
		},
		Groups: []Group{{Name: "corners", Vertices: []int32{1, 2, 3, 4}}, {Name: "left edge 100%", Vertices: []int32{1, 4}}, {Name: "größe", Vertices: []int32{0, 5}}},
		Extra:  map[string]string{"hash": "00ff=", "a b": "c d%", "empty": ""},
	}
}

func mustWrite(t testing.TB, f Format, m *Mesh, opt WriteOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f, m, opt); err != nil {
		t.Fatalf("writing %v: %v", f, err)
	}
	return b.Bytes()
}

func mustRead(t testing.TB, f Format, data []byte, opt ReadOptions) *Mesh {
	t.Helper()
	m, err := Read(bytes.NewReader(data), f, opt)
	if err != nil {
		t.Fatalf("reading %v: %v", f, err)
	}
	return m
}

// cornerUVs returns the UV at every corner, which does not depend on how UVs are numbered.
func cornerUVs(m *Mesh) [][3]r3.Vec2 {
	var out [][3]r3.Vec2
	for i, t := range m.Triangles {
		if len(m.CornerUV) > 0 {
			t = m.CornerUV[i]
		}
		out = append(out, [3]r3.Vec2{m.UV[t[0]], m.UV[t[1]], m.UV[t[2]]})
	}
	return out
}

func TestRoundTripKeepsEverything(t *testing.T) {
	for f := range everyFormat {
		for _, precise := range []bool{false, true} {
			want := seamed()
			opt := DefaultWriteOptions()
			opt.Precise = precise
			got := mustRead(t, f, mustWrite(t, f, want, opt), DefaultReadOptions())
			if !slices.Equal(cornerUVs(got), cornerUVs(want)) {
				t.Errorf("%v: corner UVs %v, want %v", f, cornerUVs(got), cornerUVs(want))
			}
			if len(got.UV) != 6 && f != GLB || f == GLB && len(got.UV) != len(want.Positions)+1 {
				t.Errorf("%v: %d UVs", f, len(got.UV))
			}
			got.UV, got.CornerUV, want.UV, want.CornerUV = nil, nil, nil, nil
			if f == OBJ {
				want.Attributes = want.Attributes[:1]
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v precise=%v:\n got %+v\nwant %+v", f, precise, got, want)
			}
		}
	}
}

// Positions must come back bit for bit where the format promises it, and rounded to single
// precision once where it does not.
func TestPositionsAreExact(t *testing.T) {
	numbers := []float64{
		0,
		0.1,
		1.0 / 3,
		-2.5e-17,
		6.02214076e23,
		math.MaxFloat32,
		math.SmallestNonzeroFloat32,
		1 << 24,
		math.Pi,
	}
	m := &Mesh{}
	for i := range numbers {
		k := int32(i)
		m.Positions = append(m.Positions, r3.V(numbers[i], -numbers[(i+1)%len(numbers)], numbers[(i+2)%len(numbers)]))
		m.Triangles = append(m.Triangles, [3]int32{k, (k + 1) % int32(len(numbers)), k})
	}
	for _, up := range []Axis{UpByFormat, UpZ, UpY} {
		for _, c := range []struct {
			f       Format
			precise bool
			exact   bool
		}{{OBJ, false, true}, {PLY, true, true}, {PLYBigEndian, true, true}, {PLYASCII, true, true}, {PLY, false, false}, {PLYBigEndian, false, false}, {PLYASCII, false, false}, {GLB, false, false}} {
			w, r := DefaultWriteOptions(), DefaultReadOptions()
			w.Precise, w.Up, r.Up = c.precise, up, up
			got := mustRead(t, c.f, mustWrite(t, c.f, m, w), r)
			for i, p := range m.Positions {
				if !c.exact {
					p = r3.V(float64(float32(p.X)), float64(float32(p.Y)), float64(float32(p.Z)))
				}
				if c.f == PLYASCII && !c.exact {
					// The text is the shortest that identifies the float; it is rounded again.
					q := got.Positions[i]
					got.Positions[i] = r3.V(float64(float32(q.X)), float64(float32(q.Y)), float64(float32(q.Z)))
				}
				if got.Positions[i] != p {
					t.Errorf("%v up %v: vertex %d is %v, want %v", c.f, up, i, got.Positions[i], p)
				}
			}
			if !slices.Equal(got.Triangles, m.Triangles) {
				t.Errorf("%v: triangles changed", c.f)
			}
		}
	}
}

func TestAxesAndUnits(t *testing.T) {
	m := &Mesh{Positions: []r3.Vec{{X: 1, Y: 2, Z: 3}, {X: 4, Y: 5, Z: 6}, {}}, Triangles: [][3]int32{{0, 1, 2}}}
	w := DefaultWriteOptions()
	w.Up, w.Unit = UpY, 0.5
	text := string(mustWrite(t, OBJ, m, w))
	if !strings.Contains(text, "\nv 2 6 -4\n") {
		t.Errorf("(1, 2, 3) m in a Y-up file of half metres must be (2, 6, -4):\n%s", text)
	}
	r := DefaultReadOptions()
	r.Up, r.Unit = UpY, 0.5
	if got := mustRead(t, OBJ, []byte(text), r); !slices.Equal(got.Positions, m.Positions) {
		t.Errorf("read back %v", got.Positions)
	}
	// glTF is Y-up without being told so.
	r = DefaultReadOptions()
	r.Up = UpZ
	if got := mustRead(t, GLB, mustWrite(t, GLB, m, DefaultWriteOptions()), r); got.Positions[0] != r3.V(1, 3, -2) {
		t.Errorf("in the file the vertex is %v", got.Positions[0])
	}
}

// A mesh with one UV for each vertex stays so; nothing is split.
func TestUVByVertex(t *testing.T) {
	m := &Mesh{
		Positions: []r3.Vec{{}, {X: 1}, {Y: 1}, {X: 2, Y: 2}},
		Triangles: [][3]int32{{0, 1, 2}, {1, 3, 2}},
		UV:        []r3.Vec2{{}, {X: 0.5}, {Y: 0.5}, {X: 0.5, Y: 0.5}},
	}
	for _, f := range []Format{OBJ, PLY, PLYASCII, GLB} {
		got := mustRead(t, f, mustWrite(t, f, m, DefaultWriteOptions()), DefaultReadOptions())
		if !slices.Equal(got.UV, m.UV) || len(got.CornerUV) != 0 {
			t.Errorf("%v: UV %v corners %v", f, got.UV, got.CornerUV)
		}
	}
}

// The first trip may round, renumber UVs and drop what the format cannot hold. From then on
// nothing changes any more, to the byte.
func TestWriteReadWriteIsIdempotent(t *testing.T) {
	for f := range everyFormat {
		t.Run(f.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := drawMesh(t)
				w, r := DefaultWriteOptions(), DefaultReadOptions()
				w.Precise = rapid.Bool().Draw(t, "precise")
				w.Up = Axis(rapid.IntRange(0, 2).Draw(t, "up"))
				r.Up = w.Up
				var first bytes.Buffer
				if err := Write(&first, f, m, w); err != nil {
					t.Fatal(err)
				}
				again := &bytes.Buffer{}
				if err := Write(again, f, m, w); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
					t.Fatalf("the same mesh gave other bytes")
				}
				m1, err := Read(&first, f, r)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(m1.Triangles, m.Triangles) {
					t.Fatalf("triangles %v became %v", m.Triangles, m1.Triangles)
				}
				groups := slices.DeleteFunc(slices.Clone(m.Groups), func(g Group) bool { return len(g.Vertices) == 0 })
				if m1.Name != m.Name || !reflect.DeepEqual(m1.Extra, m.Extra) ||
					len(groups)+len(m1.Groups) > 0 && !reflect.DeepEqual(m1.Groups, groups) {
					t.Fatalf("%q %q %v became %q %q %v", m.Name, m.Extra, groups, m1.Name, m1.Extra, m1.Groups)
				}
				second := &bytes.Buffer{}
				if err := Write(second, f, m1, w); err != nil {
					t.Fatal(err)
				}
				bytes2 := slices.Clone(second.Bytes())
				m2, err := Read(second, f, r)
				if err != nil {
					t.Fatal(err)
				}
				third := &bytes.Buffer{}
				if err := Write(third, f, m2, w); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(bytes2, third.Bytes()) {
					t.Fatalf("not idempotent:\n%q\n%q", bytes2, third.Bytes())
				}
				if !reflect.DeepEqual(m1, m2) {
					t.Fatalf("mesh changed:\n%+v\n%+v", m1, m2)
				}
			})
		})
	}
}

func drawMesh(t *rapid.T) *Mesh {
	coordinate := rapid.OneOf(
		rapid.Float64Range(-2, 2),
		rapid.Float64Range(-1e30, 1e30),
		rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) }),
	)
	name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ %=.:#\\a-z0-3_]{1,6}`))
	m := &Mesh{Name: scan.Clean(name.Draw(t, "name"))}
	n := rapid.IntRange(3, 12).Draw(t, "vertices")
	vec := func(label string) r3.Vec {
		return r3.V(coordinate.Draw(t, label), coordinate.Draw(t, label), coordinate.Draw(t, label))
	}
	for range n {
		m.Positions = append(m.Positions, vec("position"))
	}
	triple := func(low, count int, label string) [3]int32 {
		g := rapid.Int32Range(int32(low), int32(count-1))
		return [3]int32{g.Draw(t, label), g.Draw(t, label), g.Draw(t, label)}
	}
	for range rapid.IntRange(1, 12).Draw(t, "triangles") {
		m.Triangles = append(m.Triangles, triple(0, n, "triangle"))
	}
	switch rapid.IntRange(0, 2).Draw(t, "uv") {
	case 1:
		for range n {
			m.UV = append(m.UV, r3.Vec2{X: coordinate.Draw(t, "u"), Y: coordinate.Draw(t, "v")})
		}
	case 2:
		for range rapid.IntRange(1, 8).Draw(t, "uvs") {
			m.UV = append(m.UV, r3.Vec2{X: coordinate.Draw(t, "u"), Y: coordinate.Draw(t, "v")})
		}
		for range m.Triangles {
			m.CornerUV = append(m.CornerUV, triple(-1, len(m.UV), "corner"))
		}
	}
	if rapid.Bool().Draw(t, "normals") {
		for range n {
			m.Normals = append(m.Normals, vec("normal"))
		}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "attributes") {
		a := Attribute{
			Name:  "_" + strconv.Itoa(i) + scan.Clean(name.Draw(t, "attribute")),
			Width: rapid.IntRange(1, 4).Draw(t, "width"),
		}
		for range n * a.Width {
			a.Data = append(a.Data, rapid.Float32Range(-1e30, 1e30).Draw(t, "value"))
		}
		m.Attributes = append(m.Attributes, a)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "groups") {
		g := Group{Name: scan.Clean(name.Draw(t, "group")) + strconv.Itoa(i)}
		for v := range n {
			if rapid.Bool().Draw(t, "member") {
				g.Vertices = append(g.Vertices, int32(v))
			}
		}
		m.Groups = append(m.Groups, g)
	}
	m.Extra = map[string]string{"k" + scan.Clean(name.Draw(t, "key")): scan.Clean(name.Draw(t, "value"))}
	return m
}
