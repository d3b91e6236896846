package check

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// square returns a flat sheet of n x n cells as a mesh file would hold it.
func square(n int) *meshio.Mesh {
	m, x := shape.Grid(1, 1, n, n)
	return &meshio.Mesh{Name: "square", Positions: x, Triangles: slices.Clone(m.Tri), UV: slices.Clone(m.Material)}
}

func kinds(r *meshReport) string {
	var k []string
	for _, f := range r.Findings {
		k = append(k, f.Kind)
	}
	return strings.Join(k, " ")
}

func TestInspect(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		spoil  func(*meshio.Mesh)
		want   string // kinds of findings
		pieces int
		loops  int
	}{
		{"nothing", func(*meshio.Mesh) {}, "", 1, 1},
		{"no triangles", func(m *meshio.Mesh) { m.Triangles = nil }, "empty unused", 0, 0},
		{"repeated vertex", func(m *meshio.Mesh) { m.Triangles = append(m.Triangles, [3]int32{0, 1, 1}) }, "degenerate", 1, 1},
		{"three in a row", func(m *meshio.Mesh) { m.Triangles = append(m.Triangles, [3]int32{0, 1, 2}) }, "degenerate", 1, 1},
		{"duplicate", func(m *meshio.Mesh) {
			v := m.Triangles[3]
			m.Triangles = append(m.Triangles, [3]int32{v[1], v[0], v[2]})
		}, "duplicate", 1, 1},
		{"flipped", func(m *meshio.Mesh) { turnTriangle(m, 4) }, "flipped", 1, 1},
		{"hole", func(m *meshio.Mesh) { m.Triangles = slices.Delete(m.Triangles, 10, 12) }, "", 1, 2},
		{"unused", func(m *meshio.Mesh) {
			m.Positions = append(m.Positions, r3.V(0.5, 0.5, 0.5))
			m.UV = append(m.UV, r3.Vec2{})
		}, "unused", 1, 1},
		{"not finite", func(m *meshio.Mesh) { m.Positions[0].X = nan }, "not-finite degenerate", 1, 1},
		{"large", func(m *meshio.Mesh) {
			for i := range m.Positions {
				m.Positions[i] = m.Positions[i].Scale(1700)
			}
		}, "unit", 1, 1},
		{"fin", func(m *meshio.Mesh) {
			m.Positions = append(m.Positions, r3.V(0.4, 0.3, 0.5))
			m.Triangles = append(m.Triangles, [3]int32{5, 6, int32(len(m.Positions) - 1)})
		}, "non-manifold", 1, 1},
		{"bow tie", func(m *meshio.Mesh) {
			n := int32(len(m.Positions))
			m.Positions = append(m.Positions, r3.V(-0.3, 0, 0.1), r3.V(-0.3, -0.3, 0.1))
			m.Triangles = append(m.Triangles, [3]int32{0, n, n + 1})
		}, "pinched", 1, 1},
		{"split vertex", func(m *meshio.Mesh) {
			m.Positions = append(m.Positions, m.Positions[6])
			m.UV = append(m.UV, m.UV[6])
			m.Triangles[0] = replaced(m.Triangles[0], 6, int32(len(m.Positions)-1))
		}, "pinched coincident", 1, 1},
		{"missing UV", func(m *meshio.Mesh) {
			m.CornerUV = slices.Clone(m.Triangles)
			m.CornerUV[2][1] = -1
		}, "missing-uv", 1, 1},
		{"sliver", func(m *meshio.Mesh) {
			for i := range m.Positions {
				m.Positions[i].Y *= 1e-3
			}
		}, "sliver", 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := square(4)
			c.spoil(m)
			r := inspect("square.obj", m)
			if got := kinds(r); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
			if c.name != "not finite" && (r.Components != c.pieces || r.Loops != c.loops) {
				t.Errorf("%d pieces and %d loops, want %d and %d", r.Components, r.Loops, c.pieces, c.loops)
			}
		})
	}
}

func replaced(t [3]int32, old, with int32) [3]int32 {
	for k := range t {
		if t[k] == old {
			t[k] = with
		}
	}
	return t
}

// TestInspectAgreesWithWorld draws random triangles between few points. A mesh is called usable if and only
// if a world takes it; worlds leave two triangles back to back alone.
func TestInspectAgreesWithWorld(t *testing.T) {
	fabric, err := material.LookupFabric("cotton")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := randomMesh(t)
		sheet, err := mesh.FromSurface(m.Positions, m.Triangles, r3.V(1, 0, 0))
		if err == nil {
			var w *engine.World
			if w, err = engine.New(engine.DefaultOptions()); err != nil {
				t.Fatal(err)
			}
			_, err = cloths.Add(w, body.DefaultCloth("random", sheet, m.Positions, fabric))
		}
		r := inspect("random", m)
		if r.Usable != (err == nil) && !strings.Contains(kinds(r), "duplicate") {
			t.Fatalf(
				"usable %v with %s, but a world says %v\n%v\n%v",
				r.Usable,
				kinds(r),
				err,
				m.Positions,
				m.Triangles,
			)
		}
	})
}

func randomMesh(t *rapid.T) *meshio.Mesh {
	n := rapid.IntRange(3, 6).Draw(t, "vertices")
	m := &meshio.Mesh{Name: "random"}
	for range n {
		x := rapid.SliceOfN(rapid.Float64Range(-1, 1), 3, 3).Draw(t, "x")
		m.Positions = append(m.Positions, r3.V(math.Round(8*x[0])/8, math.Round(8*x[1])/8, math.Round(8*x[2])/8))
	}
	for range rapid.IntRange(1, 6).Draw(t, "triangles") {
		v := rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 3, 3).Draw(t, "v")
		m.Triangles = append(m.Triangles, [3]int32(v))
	}
	return m
}

// TestInspectAnything gives vertices any place at all. Whatever is found can be printed in both ways.
func TestInspectAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomMesh(t)
		for i := range m.Positions {
			m.Positions[i].X = rapid.Float64().Draw(t, "x")
			m.Positions[i].Z = rapid.Float64().Draw(t, "z")
		}
		r := inspect("anything", m)
		var out bytes.Buffer
		people, programs := cli.NewTerm(&out, &out), cli.NewTerm(&out, &out)
		programs.JSON = true
		sayMesh(people, r)
		programs.Emit(r)
		repair(m, 1e-3)
		if err := m.Validate(); err != nil && r.Usable {
			t.Fatal(err)
		}
	})
}

// TestRepair spoils a sheet in every way that repair undoes. What comes out has the area of the sheet, can
// be simulated, and is not changed by a second repair.
func TestRepair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		m := square(n)
		for range rapid.IntRange(0, 5).Draw(t, "faults") {
			spoil(t, m)
		}
		repair(m, 1e-9)
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if _, err := mesh.FromSurface(m.Positions, m.Triangles, r3.V(1, 0, 0)); err != nil {
			t.Fatal(err)
		}
		r := inspect("repaired", m)
		if len(m.Positions) != (n+1)*(n+1) || len(m.Triangles) != 2*n*n || math.Abs(float64(r.Area)-1) > 1e-12 ||
			kinds(r) != "" {
			t.Fatalf("%d vertices, %d triangles, area %g, %s", len(m.Positions), len(m.Triangles), r.Area, kinds(r))
		}
		if did := repair(m, 1e-9); len(did) > 0 {
			t.Fatalf("a second repair did %q", did)
		}
	})
}

// spoil does one harm to a mesh that repair can undo. Harm to the side that triangles face is done to the
// last ones only, as the larger part decides.
func spoil(t *rapid.T, m *meshio.Mesh) {
	tri := rapid.IntRange(0, len(m.Triangles)-1).Draw(t, "triangle")
	v := m.Triangles[tri]
	switch rapid.IntRange(0, 4).Draw(t, "harm") {
	case 0:
		m.Triangles = append(m.Triangles, [3]int32{v[0], v[0], v[1]})
	case 1:
		m.Triangles = append(m.Triangles, v)
	case 2:
		turnTriangle(m, tri)
	case 3:
		m.Positions = append(m.Positions, r3.V(0.2, 0.3, 0.4))
		m.UV = append(m.UV, r3.Vec2{})
	case 4:
		m.Positions = append(m.Positions, m.Positions[v[1]])
		m.UV = append(m.UV, m.UV[v[1]])
		m.Triangles[tri][1] = int32(len(m.Positions) - 1)
	}
}

// TestRepairKeepsWhatBelongsToVertices follows attributes, groups and UVs through a repair.
func TestRepairKeepsWhatBelongsToVertices(t *testing.T) {
	m := &meshio.Mesh{
		Positions:  []r3.Vec{{X: 9}, {}, {X: 1}, {Y: 1}, {X: 1}, {X: 1, Y: 1}},
		Triangles:  [][3]int32{{1, 2, 3}, {4, 5, 3}},
		UV:         []r3.Vec2{{X: 0.0}, {X: 0.1}, {X: 0.2}, {X: 0.3}, {X: 0.4}, {X: 0.5}},
		Attributes: []meshio.Attribute{{Name: "a", Width: 2, Data: []float32{0, 0, 1, 10, 2, 20, 3, 30, 4, 40, 5, 50}}},
		Groups:     []meshio.Group{{Name: "g", Vertices: []int32{0, 2, 4, 5}}},
	}
	did := repair(m, 1e-6)
	if len(did) != 2 {
		t.Fatalf("did %q", did)
	}
	if want := [][3]int32{{0, 1, 2}, {1, 3, 2}}; !slices.Equal(m.Triangles, want) {
		t.Errorf("triangles %v, want %v", m.Triangles, want)
	}
	if want := []float32{1, 10, 2, 20, 3, 30, 5, 50}; !slices.Equal(m.Attributes[0].Data, want) {
		t.Errorf("attribute %v, want %v", m.Attributes[0].Data, want)
	}
	if want := []int32{1, 3}; !slices.Equal(m.Groups[0].Vertices, want) {
		t.Errorf("group %v, want %v", m.Groups[0].Vertices, want)
	}
	// The merged vertex keeps both pattern points: the surface is now cut there.
	if a, b := m.UV[m.CornerUV[0][1]].X, m.UV[m.CornerUV[1][0]].X; a != 0.2 || b != 0.4 {
		t.Errorf("UVs at the merged vertex %g and %g", a, b)
	}
}

// TestCoincident compares with all pairs.
func TestCoincident(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var x []r3.Vec
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			c := rapid.SliceOfN(rapid.Float64Range(0, 4), 3, 3).Draw(t, "x")
			x = append(x, r3.V(c[0], c[1], c[2]))
		}
		onto := coincident(x, 1)
		for i := range x {
			want := int32(i)
			for j := range i {
				if int(onto[j]) == j && x[j].Sub(x[i]).Norm() <= 1 {
					want = int32(j)
					break
				}
			}
			if onto[i] != want {
				t.Fatalf("point %d goes onto %d, want %d", i, onto[i], want)
			}
		}
	})
}

func TestLikelyUnit(t *testing.T) {
	for size, want := range map[float64]string{1700: "mm", 170: "cm"} {
		if got := likelyUnit(size); got != want {
			t.Errorf("a body of %g is in %s, not %s", size, want, got)
		}
	}
}
