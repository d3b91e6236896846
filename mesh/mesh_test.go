package mesh

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// square is two triangles over the unit square, / diagonal.
func square() ([][3]int32, []r3.Vec2) {
	return [][3]int32{{0, 1, 2}, {0, 2, 3}}, []r3.Vec2{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}
}

func TestConnectivity(t *testing.T) {
	tri, points := square()
	m, err := New(4, tri, points, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(m.Edges) != 5 {
		t.Fatalf("%d edges, want 5", len(m.Edges))
	}
	inner := 0
	for e := range m.Edges {
		if !m.Edges[e].Boundary() {
			inner++
			if m.Edges[e].V != [2]int32{0, 2} {
				t.Errorf("inner edge is %v, want 0-2", m.Edges[e].V)
			}
			if m.Seam(int32(e)) {
				t.Error("the uncut edge is called a seam")
			}
		}
	}
	if inner != 1 {
		t.Errorf("%d inner edges, want 1", inner)
	}
	if n, k := m.Neighbor(0, 1); n != 1 || k != 2 {
		t.Errorf("across 0-2 from triangle 0: triangle %d corner %d, want 1 and 2", n, k)
	}
	if n, _ := m.Neighbor(0, 0); n != None {
		t.Errorf("triangle %d across the boundary", n)
	}
	if a := m.RestArea(0) + m.RestArea(1); math.Abs(a-1) > 1e-15 {
		t.Errorf("area %v, want 1", a)
	}
}

// A cut along the diagonal leaves one vertex mesh and two patches of material.
func TestSeam(t *testing.T) {
	tri, points := square()
	points = append(points, r3.Vec2{X: 5, Y: 5}, r3.Vec2{X: 6, Y: 6})
	m, err := New(4, tri, points, [][3]int32{{0, 1, 2}, {4, 5, 3}})
	if err != nil {
		t.Fatal(err)
	}
	seams := 0
	for e := range m.Edges {
		if m.Seam(int32(e)) {
			seams++
		}
	}
	if seams != 1 {
		t.Errorf("%d seams, want 1", seams)
	}
}

func TestFaultsAreNamed(t *testing.T) {
	_, points := square()
	cases := []struct {
		name   string
		tri    [][3]int32
		corner [][3]int32
		points []r3.Vec2
		phrase string
	}{
		{"index too large", [][3]int32{{0, 1, 4}}, nil, points, "triangle 0: vertices [0 1 4], but there are 4"},
		{"negative index", [][3]int32{{0, 1, 2}, {0, -1, 2}}, nil, points, "triangle 1: vertices [0 -1 2]"},
		{"repeated vertex", [][3]int32{{0, 1, 1}}, nil, points, "repeat"},
		{"material point missing", [][3]int32{{0, 1, 2}}, [][3]int32{{0, 1, 9}}, points, "material points [0 1 9]"},
		{"corners of fewer triangles", [][3]int32{{0, 1, 2}}, [][3]int32{}, points, "0 triples of material points"},
		{"no rest area", [][3]int32{{0, 1, 2}}, [][3]int32{{0, 1, 1}}, points, "no area"},
		{"third triangle at an edge", [][3]int32{{0, 1, 2}, {1, 0, 3}, {0, 1, 3}}, nil, points, "third at edge 0-1"},
		{"turned neighbour", [][3]int32{{0, 1, 2}, {2, 0, 3}, {0, 1, 3}}, nil, points, "turned the other way"},
		{"back to back", [][3]int32{{0, 1, 2}, {2, 1, 0}}, nil, points, "same vertices as triangle 0"},
		{
			"point not finite",
			[][3]int32{{0, 1, 2}},
			nil,
			[]r3.Vec2{{}, {X: math.NaN()}, {}, {}},
			"material point 1 is not finite",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(4, c.tri, c.points, c.corner)
			if err == nil || !strings.Contains(err.Error(), c.phrase) {
				t.Errorf("error %v, want one that says %q", err, c.phrase)
			}
		})
	}
}

func TestManyFaultsAreCounted(t *testing.T) {
	tri := make([][3]int32, 100)
	_, err := New(3, tri, []r3.Vec2{{}, {X: 1}, {Y: 1}}, nil)
	if err == nil || !strings.Contains(err.Error(), "and 80 more") {
		t.Errorf("error %v, want 20 faults and a count of 80", err)
	}
	var fault *Fault
	if !errors.As(err, &fault) || fault.Triangle != 0 {
		t.Errorf("first fault %v, want triangle 0", fault)
	}
}

// Property: the rest shape made from a surface has its edge lengths, and warp points along the grain.
func TestFromSurfaceKeepsLengths(t *testing.T) {
	x := []r3.Vec{r3.V(0, 0, 0), r3.V(2, 0, 1), r3.V(1, 2, 0.5), r3.V(-1, 1, 3)}
	tri := [][3]int32{{0, 1, 2}, {0, 2, 3}}
	m, err := FromSurface(x, tri, r3.V(1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range tri {
		a, b, c := m.RestTriangle(int32(i))
		for _, pair := range []struct{ got, want float64 }{
			{b.Sub(a).Norm(), x[v[1]].Sub(x[v[0]]).Norm()},
			{c.Sub(b).Norm(), x[v[2]].Sub(x[v[1]]).Norm()},
			{a.Sub(c).Norm(), x[v[0]].Sub(x[v[2]]).Norm()},
		} {
			if math.Abs(pair.got-pair.want) > 1e-14 {
				t.Errorf("triangle %d: side %v, want %v", i, pair.got, pair.want)
			}
		}
		if b.Sub(a).Cross(c.Sub(a)) <= 0 {
			t.Errorf("triangle %d is turned over", i)
		}
	}
	if _, err := FromSurface(x, [][3]int32{{0, 1, 7}}, r3.V(1, 0, 0)); err == nil {
		t.Error("a vertex that does not exist was accepted")
	}
}

func TestValidateSeesDamage(t *testing.T) {
	tri, points := square()
	m, err := New(4, tri, points, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Edges[0].Opp[0] = (m.Edges[0].Opp[0] + 1) % 3
	if m.Validate() == nil {
		t.Error("a wrong edge was not noticed")
	}
}
