package shape_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func ExampleStrip() {
	m, at := shape.Strip(shape.Right, 0.2, 0.1, 0.1, 0, 1)
	fmt.Println(len(m.Tri), "triangles, last vertex at", at[len(at)-1])
	// Output: 4 triangles, last vertex at {0.2 0.1}
}

// A triangulation of a rectangle by n points of which h are on the border has 2n - h - 2 triangles,
// and they fill it.
func TestStripFills(t *testing.T) {
	for _, p := range shape.Patterns() {
		for _, w := range []float64{0.05, 0.1, 0.37, 1} {
			for _, size := range []float64{0.3, 0.1, 0.021} {
				m, at := shape.Strip(p, 1, w, size, 0, 7)
				if err := m.Validate(); err != nil {
					t.Fatalf("%v %g %g: %v", p, w, size, err)
				}
				border, area := 0, 0.0
				for e := range m.Edges {
					if m.Edges[e].Boundary() {
						border++
					}
				}
				worst := math.Pi
				for k := range m.Tri {
					a, b, c := m.RestTriangle(int32(k))
					signed := b.Sub(a).Cross(c.Sub(a)) / 2
					if signed <= 0 {
						t.Fatalf("%v: triangle %d is turned over", p, k)
					}
					area += signed
					for _, q := range [][3]r3.Vec2{{a, b, c}, {b, c, a}, {c, a, b}} {
						u, v := q[1].Sub(q[0]), q[2].Sub(q[0])
						worst = min(worst, math.Atan2(u.Cross(v), u.Dot(v)))
					}
				}
				if n := len(at); len(m.Tri) != 2*n-border-2 {
					t.Errorf("%v %g %g: %d triangles of %d points, %d on the border", p, w, size, len(m.Tri), n, border)
				}
				if math.Abs(area-w) > 1e-12 {
					t.Errorf("%v: area %g, want %g", p, area, w)
				}
				if w >= 2*size && worst < 15*math.Pi/180 {
					t.Errorf("%v %g %g: smallest angle %g°", p, w, size, worst*180/math.Pi)
				}
			}
		}
	}
}

func TestStripIsDelaunay(t *testing.T) {
	for _, p := range []shape.Pattern{shape.Equilateral, shape.Random} {
		m, at := shape.Strip(p, 1, 0.4, 0.05, 0, 3)
		for k := range m.Edges {
			e := &m.Edges[k]
			if e.Boundary() {
				continue
			}
			sum := 0.0
			for i, tri := range e.Tri {
				v := m.Tri[tri]
				o := e.Opp[i]
				a, b := at[v[(o+1)%3]].Sub(at[v[o]]), at[v[(o+2)%3]].Sub(at[v[o]])
				sum += math.Atan2(a.Cross(b), a.Dot(b))
			}
			if sum > math.Pi+1e-9 {
				t.Fatalf("%v: opposite angles of edge %d add up to %g", p, k, sum)
			}
		}
	}
}

func TestStripGrain(t *testing.T) {
	m, at := shape.Strip(shape.Crossed, 0.3, 0.1, 0.05, math.Pi/4, 0)
	// The length of the strip lies at -45° from the warp when the warp lies at 45° from the length.
	far := r3.Vec2{}
	for i, q := range at {
		if q.X == 0.3 && q.Y == 0 {
			far = m.Material[i]
		}
	}
	want := 0.3 / math.Sqrt2
	if math.Abs(far.X-want) > 1e-15 || math.Abs(far.Y+want) > 1e-15 {
		t.Errorf("end of the strip is at %v in the material", far)
	}
}

func TestRandomSeeds(t *testing.T) {
	_, a := shape.Strip(shape.Random, 1, 0.5, 0.1, 0, 1)
	_, b := shape.Strip(shape.Random, 1, 0.5, 0.1, 0, 1)
	_, c := shape.Strip(shape.Random, 1, 0.5, 0.1, 0, 2)
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("the same seed gives two meshes")
	}
	if fmt.Sprint(a) == fmt.Sprint(c) {
		t.Error("two seeds give the same mesh")
	}
}
