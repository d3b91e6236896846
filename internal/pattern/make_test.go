package pattern

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// pt is a point given in centimetres.
func pt(x, y float64) r3.Vec2 { return r3.Vec2{X: x / 100, Y: y / 100} }

func refs(names ...string) []EdgeRef {
	var out []EdgeRef
	for _, n := range names {
		for i := range n {
			if n[i] == '.' {
				out = append(out, EdgeRef{n[:i], n[i+1:]})
			}
		}
	}
	return out
}

// shirt is a front with darts, a back, and two sleeves set in: curves, chains over two panels, corners where three
// panels meet, ease in the sleeve caps.
func shirt() *Pattern {
	body := func(name string, neck float64, place Place) Panel {
		return Panel{
			Name: name, Grain: math.Pi / 2, Place: place,
			Edges: []Edge{
				{Name: "hem", From: pt(-26, 0)},
				{Name: "side-a", From: pt(26, 0)},
				{Name: "arm-a", From: pt(25, 42), Via: []r3.Vec2{pt(18, 44), pt(18, 56)}},
				{Name: "shoulder-a", From: pt(20, 62)},
				{Name: "neck", From: pt(8, 65), Via: []r3.Vec2{pt(6, neck), pt(-6, neck)}},
				{Name: "shoulder-b", From: pt(-8, 65)},
				{Name: "arm-b", From: pt(-20, 62), Via: []r3.Vec2{pt(-18, 56), pt(-18, 44)}},
				{Name: "side-b", From: pt(-25, 42)},
			},
		}
	}
	front := body("front", 54, Place{At: r3.V(0, -0.2, 1)})
	back := body("back", 63, Place{At: r3.V(0, 0.2, 1), Right: r3.V(-1, 0, 0), Up: r3.V(0, 0, 1)})
	front.Darts = []Dart{
		{Name: "left", Edge: "hem", At: 0.38, Width: 0.03, Tip: pt(12, 22)},
		{Name: "right", Edge: "hem", At: 0.14, Width: 0.03, Tip: pt(-12, 22)},
	}
	back.Darts = []Dart{{Edge: "hem", At: 0.26, Width: 0.06, Tip: pt(0, 20)}}
	sleeve := func(name string, x float64) Panel {
		return Panel{
			Name:  name,
			Grain: math.Pi / 2,
			Place: Place{At: r3.V(x, 0, 1), Right: r3.V(0, math.Copysign(1, x), 0), Up: r3.V(0, 0, 1), Wrap: 8},
			Edges: []Edge{
				{Name: "cuff", From: pt(-13, 0)},
				{Name: "under-a", From: pt(13, 0)},
				{Name: "cap-a", From: pt(18, 45), Via: []r3.Vec2{pt(12, 45), pt(10, 56)}},
				{Name: "cap-b", From: pt(0, 56.3), Via: []r3.Vec2{pt(-10, 56), pt(-12, 45)}},
				{Name: "under-b", From: pt(-18, 45)},
			},
		}
	}
	return &Pattern{
		Name: "shirt", Panels: []Panel{front, back, sleeve("sleeve-l", 0.4), sleeve("sleeve-r", -0.4)},
		Seams: []Seam{
			{Name: "side-left", A: refs("front.side-a"), B: refs("back.side-b"), Ease: 0.02},
			{Name: "side-right", A: refs("front.side-b"), B: refs("back.side-a"), Ease: 0.02},
			{Name: "shoulder-left", A: refs("front.shoulder-a"), B: refs("back.shoulder-b"), Ease: 0.02},
			{Name: "shoulder-right", A: refs("front.shoulder-b"), B: refs("back.shoulder-a"), Ease: 0.02},
			{
				Name: "arm-left",
				A:    refs("sleeve-l.cap-a", "sleeve-l.cap-b"),
				B:    refs("front.arm-a", "back.arm-b"),
				Ease: 0.15,
			},
			{
				Name: "arm-right",
				A:    refs("sleeve-r.cap-a", "sleeve-r.cap-b"),
				B:    refs("back.arm-a", "front.arm-b"),
				Ease: 0.15,
			},
			{Name: "under-left", A: refs("sleeve-l.under-a"), B: refs("sleeve-l.under-b"), Ease: 0.02},
			{Name: "under-right", A: refs("sleeve-r.under-a"), B: refs("sleeve-r.under-b"), Ease: 0.02},
		},
	}
}

// skirt is a pleated panel sewn to a waistband of two parts and to itself.
func skirt() *Pattern {
	cloth := rect("cloth", 1.4, 0.5, "hem", "side-a", "top", "side-b")
	cloth.Pleats = []Pleat{{Edge: "top", At: 0.03, Depth: 0.035, Count: 10, Every: 0.14}}
	band := rect("band", 0.4, 0.04, "low", "a", "top", "b")
	rest := rect("rest", 0.3, 0.04, "low", "a", "top", "b")
	return &Pattern{Name: "skirt", Panels: []Panel{cloth, band, rest}, Seams: []Seam{
		{Name: "side", A: refs("cloth.side-a"), B: refs("cloth.side-b")},
		{Name: "waist", A: refs("cloth.top"), B: refs("band.low", "rest.low")},
		{Name: "band-1", A: refs("band.a"), B: refs("rest.b")},
		{Name: "band-2", A: refs("rest.a"), B: refs("band.b")},
	}}
}

func TestGarmentsAreSound(t *testing.T) {
	// A shirt is a sphere with holes at the neck, the hem and two cuffs: Euler number 2 - 4. A skirt is a tube; every
	// pleat is closed along its edge.
	for _, c := range []struct {
		p     *Pattern
		size  float64
		euler int
	}{
		{tube(), 0.015, 0}, {tube(), 0.1, 0}, {shirt(), 0.012, -2}, {shirt(), 0.03, -2}, {shirt(), 0.05, -2}, {skirt(), 0.02, 0}, {skirt(), 0.035, 0}, {skirt(), 0.05, 0},
	} {
		t.Run(fmt.Sprintf("%s at %g", c.p.Name, c.size), func(t *testing.T) {
			start := time.Now()
			g, err := c.p.Make(c.size)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf(
				"%d vertices, %d sewn, %d stitches, %v",
				g.Flat.Verts,
				g.Sewn.Verts,
				len(g.Stitches),
				time.Since(start),
			)
			draw(t, g, fmt.Sprintf("%s-%g", c.p.Name, c.size))
			sound(t, c.p, g, c.size)
			if e := g.Sewn.Verts - len(g.Sewn.Edges) + len(g.Sewn.Tri); e != c.euler {
				t.Errorf("Euler number %d, want %d", e, c.euler)
			}
		})
	}
}

// sound checks every promise of Garment that can be checked from outside.
func sound(t *testing.T, p *Pattern, g *Garment, size float64) {
	t.Helper()
	for _, m := range []*mesh.Mesh{g.Flat, g.Sewn} {
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	if len(g.Positions) != g.Flat.Verts || len(g.Panel) != g.Flat.Verts || len(g.Merge) != g.Flat.Verts ||
		len(g.Seam) != len(g.Stitches) {
		t.Fatal("arrays do not fit together")
	}
	for _, s := range g.Stitches {
		if g.Merge[s[0]] != g.Merge[s[1]] {
			t.Fatalf("stitch %v is not merged", s)
		}
	}
	used := make([]bool, g.Sewn.Verts)
	for _, v := range g.Merge {
		used[v] = true
	}
	if slices.Contains(used, false) {
		t.Error("a sewn vertex belongs to no flat one")
	}
	for i := range g.Flat.Tri {
		a, b, c := g.Flat.RestTriangle(int32(i))
		if b.Sub(a).Cross(c.Sub(a)) <= 0 {
			t.Fatalf("material triangle %d is turned over", i)
		}
	}
	for i, a := range g.MinAngle {
		t.Logf("panel %s: least angle %.1f°", p.Panels[i].Name, a*180/math.Pi)
		if a < 10*math.Pi/180 {
			t.Errorf("panel %s has an angle of %.1f°", p.Panels[i].Name, a*180/math.Pi)
		}
	}
	// Every boundary edge of the sewn mesh was one of the flat mesh, and every inner edge of the flat one is there.
	inner := 0
	for i := range g.Flat.Edges {
		if !g.Flat.Edges[i].Boundary() {
			inner++
		}
	}
	seams := 0
	for i := range g.Sewn.Edges {
		if g.Sewn.Seam(int32(i)) {
			seams++
		} else if !g.Sewn.Edges[i].Boundary() {
			inner--
		}
	}
	if inner != 0 {
		t.Errorf("sewing changed the number of inner edges by %d", -inner)
	}
	if seams == 0 {
		t.Error("nothing is sewn")
	}
}

// Every vertex of a sewn mesh has one fan of triangles: as many edges as triangles, and one more at the boundary.
func TestSewnVerticesHangTogether(t *testing.T) {
	for _, p := range []*Pattern{tube(), shirt(), skirt()} {
		g, err := p.Make(0.02)
		if err != nil {
			t.Fatal(err)
		}
		extra := make([]int, g.Sewn.Verts)
		for i := range g.Sewn.Edges {
			extra[g.Sewn.Edges[i].V[0]]++
			extra[g.Sewn.Edges[i].V[1]]++
		}
		for _, tri := range g.Sewn.Tri {
			for _, v := range tri {
				extra[v]--
			}
		}
		if worst := slices.Max(extra); worst > 1 {
			t.Errorf("%s has a vertex with %d fans", p.Name, worst)
		}
	}
}

// The same pattern gives the same bits.
func TestMakeIsDeterministic(t *testing.T) {
	a, err := shirt().Make(0.02)
	if err != nil {
		t.Fatal(err)
	}
	b, err := shirt().Make(0.02)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Flat.Tri, b.Flat.Tri) || !slices.Equal(a.Positions, b.Positions) ||
		!slices.Equal(a.Merge, b.Merge) ||
		!slices.Equal(a.Stitches, b.Stitches) {
		t.Error("two runs differ")
	}
}

// Both sides of a seam are divided alike: stitched segments are as long as each other to the ease of the seam.
func TestSeamsAreEven(t *testing.T) {
	p := shirt()
	g, err := p.Make(0.02)
	if err != nil {
		t.Fatal(err)
	}
	for k := 1; k < len(g.Stitches); k++ {
		if g.Seam[k] < 0 || g.Seam[k] != g.Seam[k-1] {
			continue
		}
		a0, b0, a1, b1 := g.Stitches[k-1][0], g.Stitches[k-1][1], g.Stitches[k][0], g.Stitches[k][1]
		if g.Panel[a0] != g.Panel[a1] || g.Panel[b0] != g.Panel[b1] || a0 == a1 {
			continue
		}
		la, lb := g.Flat.Material[a1].Sub(g.Flat.Material[a0]).
			Norm(),
			g.Flat.Material[b1].Sub(g.Flat.Material[b0]).
				Norm()
		// Chords of a curve differ from its arcs by some more.
		if r := max(la, lb) / min(la, lb); r > 1.03*(1+p.Seams[g.Seam[k]].Ease) {
			t.Errorf("seam %s: segments of %.2f and %.2f mm are stitched", p.Seams[g.Seam[k]].Name, 1000*la, 1000*lb)
		}
	}
}

// A panel drawn as seen from the inside gives the same garment as one drawn from the outside.
func TestReversedPanel(t *testing.T) {
	p := tube()
	back := &p.Panels[1]
	// Mirrored: x becomes 0.5 - x, and the order of edges turns round.
	e := back.Edges
	back.Edges = []Edge{
		{Name: "hem", From: e[0].From},
		{Name: "left", From: e[1].From},
		{Name: "top", From: e[2].From},
		{Name: "right", From: e[3].From},
	}
	back.Place = Place{At: r3.V(-0.25, 0.2, 0), Right: r3.V(1, 0, 0), Up: r3.V(0, 0, 1)}
	for i := range p.Seams {
		p.Seams[i].Reversed = true
	}
	g, err := p.Make(0.03)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, p, g, 0.03)
	if e := g.Sewn.Verts - len(g.Sewn.Edges) + len(g.Sewn.Tri); e != 0 {
		t.Errorf("Euler number %d, want 0", e)
	}
	p.Seams[0].Reversed, p.Seams[1].Reversed = false, false
	if _, err := p.Make(0.03); err == nil {
		t.Error("a seam in the wrong direction was taken")
	}
}

// The wrapped place bends a panel inwards along circles.
func TestWrap(t *testing.T) {
	p := Place{At: r3.V(0, -0.25, 1), Wrap: 4}
	for _, c := range []struct {
		at   r3.Vec2
		want r3.Vec
	}{
		{r3.Vec2{}, r3.V(0, -0.25, 1)},
		{r3.Vec2{X: math.Pi / 8, Y: 0.5}, r3.V(0.25, 0, 1.5)},
		{r3.Vec2{X: -math.Pi / 4}, r3.V(0, 0.25, 1)},
	} {
		if got := p.Point(c.at); got.Sub(c.want).Norm() > 1e-15 {
			t.Errorf("%v lies at %v, want %v", c.at, got, c.want)
		}
	}
}

// BenchmarkPanel meshes one panel of 10,000 vertices.
func BenchmarkPanel(b *testing.B) {
	p := &Pattern{Panels: []Panel{rect("sheet", 1, 1, "a", "b", "c", "d")}}
	for b.Loop() {
		g, err := p.Make(0.0108)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(g.Flat.Verts), "vertices")
	}
}
