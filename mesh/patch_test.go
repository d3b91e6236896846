package mesh_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// square returns a grid of n x n squares of side 1, each cut in two.
func square(n int) (at []r3.Vec2, tri [][3]int32) {
	for j := range n + 1 {
		for i := range n + 1 {
			at = append(at, r3.Vec2{X: float64(i), Y: float64(j)})
		}
	}
	for j := range n {
		for i := range n {
			a := int32(j*(n+1) + i)
			b, c, d := a+1, a+int32(n)+2, a+int32(n)+1
			tri = append(tri, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return at, tri
}

// apart gives every triangle material points of its own, turned by an angle of its own and, if odd,
// mirrored, so that every edge is a seam.
func apart(t *testing.T, at []r3.Vec2, tri [][3]int32) *mesh.Mesh {
	t.Helper()
	var material []r3.Vec2
	corner := make([][3]int32, len(tri))
	for k, v := range tri {
		s, c := math.Sincos(float64(k))
		for j, i := range v {
			p := at[i]
			if k%2 == 1 {
				p.Y = -p.Y
			}
			corner[k][j] = int32(len(material))
			material = append(material, r3.Vec2{X: c*p.X - s*p.Y + 5, Y: s*p.X + c*p.Y})
		}
	}
	m, err := mesh.New(len(at), tri, material, corner)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestPatchOfFlatCloth(t *testing.T) {
	at, tri := square(6)
	m, err := mesh.New(len(at), tri, at, nil)
	if err != nil {
		t.Fatal(err)
	}
	var p mesh.Patch
	p.Start(m, 30)
	for ring := range 4 {
		for i, v := range p.Vert {
			if p.At[i].Sub(at[v]).Norm() > 1e-14 {
				t.Fatalf("ring %d: vertex %d is at %v, want %v", ring, v, p.At[i], at[v])
			}
		}
		p.Grow()
	}
	for p.Grow() {
	}
	if len(p.Tri) != len(tri) || len(p.Vert) != len(at) {
		t.Errorf("%d of %d triangles reached", len(p.Tri), len(tri))
	}
}

// Distances in a patch do not depend on how the cloth is cut.
func TestPatchAcrossSeams(t *testing.T) {
	at, tri := square(4)
	m := apart(t, at, tri)
	var p mesh.Patch
	for first := range tri {
		p.Start(m, int32(first))
		p.Grow()
		p.Grow()
		for i, v := range p.Vert {
			for j, w := range p.Vert {
				got, want := p.At[i].Sub(p.At[j]).Norm(), at[v].Sub(at[w]).Norm()
				if math.Abs(got-want) > 1e-13 {
					t.Fatalf("from %d: distance of %d and %d is %g, want %g", first, v, w, got, want)
				}
			}
		}
	}
}

// Where a seam joins a longer edge to a shorter one, midpoints meet.
func TestPatchOfEasedSeam(t *testing.T) {
	m, err := mesh.New(4, [][3]int32{{0, 1, 2}, {1, 0, 3}},
		[]r3.Vec2{{}, {X: 1}, {X: 0.5, Y: 1}, {X: 2}, {}, {X: 1, Y: 1}},
		[][3]int32{{0, 1, 2}, {3, 4, 5}})
	if err != nil {
		t.Fatal(err)
	}
	var p mesh.Patch
	p.Start(m, 0)
	if !p.Cross(0, 2) || p.Cross(0, 2) || p.Cross(0, 0) {
		t.Error("wrong neighbours")
	}
	if want := (r3.Vec2{X: 0.5, Y: -1}); p.At[3].Sub(want).Norm() > 1e-15 {
		t.Errorf("apex is at %v, want %v", p.At[3], want)
	}
}

func TestPatchAllocatesNothing(t *testing.T) {
	at, tri := square(6)
	m := apart(t, at, tri)
	var p mesh.Patch
	use := func() {
		p.Start(m, 30)
		p.Grow()
		p.Grow()
	}
	use()
	if n := testing.AllocsPerRun(10, use); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
