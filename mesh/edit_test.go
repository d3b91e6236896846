package mesh_test

import (
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// tube returns a closed strip of quads: every column has material points of its own at the cut, so that there is one
// seam along it.
func tube(t testing.TB, around, along int) *mesh.Mesh {
	var material []r3.Vec2
	for j := range along + 1 {
		for i := range around + 1 {
			material = append(material, r3.Vec2{X: float64(i), Y: float64(j)})
		}
	}
	var tri, corner [][3]int32
	for j := range along {
		for i := range around {
			v := func(i, j int) int32 { return int32(j*around + i%around) }
			c := func(i, j int) int32 { return int32(j*(around+1) + i) }
			tri = append(tri, [3]int32{v(i, j), v(i+1, j), v(i+1, j+1)}, [3]int32{v(i, j), v(i+1, j+1), v(i, j+1)})
			corner = append(
				corner,
				[3]int32{c(i, j), c(i+1, j), c(i+1, j+1)},
				[3]int32{c(i, j), c(i+1, j+1), c(i, j+1)},
			)
		}
	}
	m, err := mesh.New(around*(along+1), tri, material, corner)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Property: whatever operations an editor allows, in whatever order, it keeps its invariants, and the Euler
// characteristic of the surface with the number of its borders. Shapes in the material do not matter here.
func TestEditsKeepTheSurface(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for round := range 30 {
		m := tube(t, 3+round%4, 1+round%3)
		e := mesh.Edit(m)
		var star, star2 []int32
		euler := characteristic(e)
		done := map[string]int{}
		for range 300 {
			side := int32(rng.IntN(3 * len(e.Tri)))
			if e.Tri[side/3][0] == mesh.None {
				continue
			}
			v, w := e.Ends(side)
			switch kind := rng.IntN(3); {
			case kind == 0 && len(e.Tri) < 200:
				e.Split(side)
				done["split"]++
			case kind == 1 && e.CanFlip(side, star):
				e.Flip(side)
				done["flip"]++
			case kind == 2:
				star, star2 = e.Star(v, star), e.Star(w, star2)
				if e.CanCollapse(v, w, star, star2) {
					e.Collapse(v, w, star)
					done["collapse"]++
				}
			}
			if err := e.Validate(); err != nil {
				t.Fatalf("round %d after %v: %v", round, done, err)
			}
			if now := characteristic(e); now != euler {
				t.Fatalf("round %d after %v: Euler characteristic and borders %v, were %v", round, done, now, euler)
			}
		}
		if done["split"] == 0 || done["flip"] == 0 || done["collapse"] == 0 {
			t.Errorf("round %d did only %v", round, done)
		}
	}
}

// characteristic returns V − E + F and the number of closed boundary lines.
func characteristic(e *mesh.Editor) [2]int {
	verts, edges2, faces := 0, 0, 0
	next := map[int32]int32{}
	for v := range int32(e.Verts()) {
		if e.Has(v) {
			verts++
		}
	}
	for t := range e.Tri {
		if e.Tri[t][0] == mesh.None {
			continue
		}
		faces++
		for k := range int32(3) {
			side := int32(3*t) + k
			edges2++
			if e.Twin(side) == mesh.None {
				edges2++
				a, b := e.Ends(side)
				next[a] = b
			}
		}
	}
	borders := 0
	for len(next) > 0 {
		borders++
		for v := range next {
			for len(next) > 0 {
				w, ok := next[v]
				if !ok {
					break
				}
				delete(next, v)
				v = w
			}
			break
		}
	}
	return [2]int{verts - edges2/2 + faces, borders}
}

// A split cuts the material on both sides of a seam, where each side says.
func TestSplitOfSeam(t *testing.T) {
	m := tube(t, 4, 2)
	e := mesh.Edit(m)
	seam := int32(-1)
	for i := range m.Edges {
		if m.Seam(int32(i)) {
			seam = 3*m.Edges[i].Tri[0] + m.Edges[i].Opp[0]
			break
		}
	}
	points := len(e.Material)
	e.Split(seam)
	if got := len(e.Material) - points; got != 2 {
		t.Fatalf("%d material points made at a seam, want 2", got)
	}
	a, b := e.Material[points], e.Material[points+1]
	if a.Y != b.Y || max(a.X, b.X)-min(a.X, b.X) != 4 {
		t.Errorf("middles at %v and %v, want 4 m apart along X", a, b)
	}
	got, kept, err := e.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	if got.Verts != m.Verts+1 || len(kept.Tri) != len(m.Tri)+2 || len(kept.Point) != points+2 {
		t.Errorf("%d vertices, %d triangles, %d points", got.Verts, len(kept.Tri), len(kept.Point))
	}
}

// Two triangles that meet in a vertex alone, and a vertex without triangles: the first is pinched and no operation
// takes triangles from it, the second stays through all.
func TestPinchedAndLoneVertices(t *testing.T) {
	at := []r3.Vec2{{}, {X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: 5, Y: 5}}
	m, err := mesh.New(6, [][3]int32{{0, 1, 2}, {0, 3, 4}}, at, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := mesh.Edit(m)
	if !e.Pinched(0) || e.Pinched(1) || e.Has(5) || e.Verts() != 6 {
		t.Fatal("the vertex between two fans is not seen, or the lone one is")
	}
	v := e.Split(0 + 2) // the side from 0 to 1
	for _, pair := range [][2]int32{{0, v}, {v, 0}, {0, 2}, {1, 0}, {3, 0}} {
		if e.CanCollapse(pair[0], pair[1], e.Star(pair[0], nil), e.Star(pair[1], nil)) {
			t.Errorf("%d can be collapsed into %d", pair[0], pair[1])
		}
	}
	for side := range int32(3 * len(e.Tri)) {
		if e.CanFlip(side, nil) {
			t.Errorf("side %d can be flipped", side)
		}
	}
	if !e.CanCollapse(v, 1, e.Star(v, nil), e.Star(1, nil)) {
		t.Fatal("the split cannot be undone")
	}
	e.Collapse(v, 1, e.Star(v, nil))
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	back, kept, err := e.Mesh()
	if err != nil || back.Verts != 6 || len(back.Tri) != 2 || kept.Vert[5] != 5 {
		t.Errorf("%d vertices, %d triangles: %v", back.Verts, len(back.Tri), err)
	}
}
