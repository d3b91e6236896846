package mesh_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// grid returns a sheet of n×n squares of two triangles.
func grid(t *testing.T, n int) *mesh.Mesh {
	t.Helper()
	var points []r3.Vec2
	var tri [][3]int32
	for j := range n + 1 {
		for i := range n + 1 {
			points = append(points, r3.Vec2{X: float64(i) / float64(n), Y: float64(j) / float64(n)})
		}
	}
	at := func(i, j int) int32 { return int32(j*(n+1) + i) }
	for j := range n {
		for i := range n {
			tri = append(
				tri,
				[3]int32{at(i, j), at(i+1, j), at(i+1, j+1)},
				[3]int32{at(i, j), at(i+1, j+1), at(i, j+1)},
			)
		}
	}
	m, err := mesh.New(len(points), tri, points, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The weights that Find returns make the point that was asked for, and none is below zero.
func TestFindCovers(t *testing.T) {
	m := grid(t, 7)
	l := mesh.NewLocator(m, m.Charts())
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		p := r3.Vec2{X: random.Float64(), Y: random.Float64()}
		tri, w := l.Find(0, p)
		if least := min(w[0], w[1], w[2]); least < 0 {
			t.Fatalf("point %v in triangle %d has weights %v", p, tri, w)
		}
		a, b, c := m.RestTriangle(tri)
		if d := a.Scale(w[0]).Add(b.Scale(w[1])).Add(c.Scale(w[2])).Sub(p).Norm(); d > 1e-15*8 {
			t.Fatalf("weights of %v make a point %g m away", p, d)
		}
	}
}

// A point outside goes to the nearest point of the sheet.
func TestFindOutside(t *testing.T) {
	m := grid(t, 5)
	l := mesh.NewLocator(m, m.Charts())
	for _, c := range []struct{ p, want r3.Vec2 }{
		{r3.Vec2{X: 0.31, Y: -2}, r3.Vec2{X: 0.31, Y: 0}},
		{r3.Vec2{X: 7, Y: 8}, r3.Vec2{X: 1, Y: 1}},
		{r3.Vec2{X: 1 + 1e-12, Y: 0.5}, r3.Vec2{X: 1, Y: 0.5}},
	} {
		tri, w := l.Find(0, c.p)
		a, b, d := m.RestTriangle(tri)
		if got := a.Scale(w[0]).Add(b.Scale(w[1])).Add(d.Scale(w[2])); got.Sub(c.want).Norm() > 1e-9 {
			t.Errorf("%v goes to %v, want %v", c.p, got, c.want)
		}
	}
}

// A cut along the middle makes two charts, which may lie on top of each other in material space.
func TestChartsEndAtSeams(t *testing.T) {
	// Two squares that share vertices 1 and 2 but no material points; both are laid on the unit square.
	points := []r3.Vec2{{X: 0}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: 0}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
	tri := [][3]int32{{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}
	corner := [][3]int32{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}}
	m, err := mesh.New(6, tri, points, corner)
	if err != nil {
		t.Fatal(err)
	}
	charts := m.Charts()
	if want := []int32{
		0,
		0,
		1,
		1,
	}; charts[0] != want[0] || charts[1] != want[1] || charts[2] != want[2] ||
		charts[3] != want[3] {
		t.Fatalf("charts are %v, want %v", charts, want)
	}
	l := mesh.NewLocator(m, charts)
	p := r3.Vec2{X: 0.75, Y: 0.5}
	if tri, _ := l.Find(0, p); tri != 0 {
		t.Errorf("in chart 0, %v is in triangle %d", p, tri)
	}
	if tri, w := l.Find(1, p); tri != 2 || math.Abs(w[0]-0.25) > 1e-15 {
		t.Errorf("in chart 1, %v is in triangle %d with weights %v", p, tri, w)
	}
}
