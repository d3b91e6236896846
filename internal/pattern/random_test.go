package pattern

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/r3"
)

// Whatever outline is drawn, it is refused with a reason or meshed: its segments are edges of the mesh, its triangles
// fill it exactly once, and sewing two copies of it along some edges gives a sound mesh.
func TestRandomPanels(t *testing.T) {
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "corners")
		size := rapid.Float64Range(0.02, 0.4).Draw(t, "size")
		p := Panel{Name: "a", Place: Place{At: r3.V(0, -1, 0)}}
		for i := range n {
			s, c := math.Sincos(2 * math.Pi * (float64(i) + rapid.Float64Range(0, 0.9).Draw(t, "turn")) / float64(n))
			r := rapid.Float64Range(0.15, 1).Draw(t, "radius")
			e := Edge{Name: string(rune('a' + i)), From: r3.Vec2{X: r * c, Y: r * s}}
			for range rapid.IntRange(0, 2).Draw(t, "control points") {
				q := rapid.Float64Range(0.3, 1).Draw(t, "control radius")
				s, c := math.Sincos(2 * math.Pi * (float64(i) + 1) / float64(n))
				e.Via = append(e.Via, r3.Vec2{X: q * c, Y: q * s})
			}
			p.Edges = append(p.Edges, e)
		}
		if rapid.Bool().Draw(t, "dart") {
			// A dart from the middle of the first edge towards the middle of the panel.
			c := edgeCurve(&p.Edges[0], p.Edges[1].From)
			l := c.length()
			p.Darts = []Dart{{Edge: "a", At: l / 2, Width: l / 8, Tip: c.at(l / 2).Scale(0.5)}}
		}
		back, _ := mirrored(p.outline(), nil)
		q := Panel{
			Name:  "b",
			Edges: make([]Edge, n),
			Place: Place{At: r3.V(0, 1, 0), Right: r3.V(-1, 0, 0), Up: r3.V(0, 0, 1)},
		}
		for i, a := range back {
			q.Edges[i] = Edge{Name: string(rune('a' + n - 1 - i)), From: a.From, Via: a.Via}
		}
		q.Darts = nil
		pattern := &Pattern{Panels: []Panel{p, q}}
		for i := range n {
			if rapid.Bool().Draw(t, "sewn") && i < n-1 {
				name := string(rune('a' + i))
				pattern.Seams = append(
					pattern.Seams,
					Seam{Name: name, A: []EdgeRef{{"a", name}}, B: []EdgeRef{{"b", name}}, Ease: 0.3},
				)
			}
		}
		g, err := pattern.Make(size)
		if err != nil {
			var list Faults
			if !errors.As(err, &list) {
				t.Fatalf("an error that is not a fault of the pattern: %v", err)
			}
			return
		}
		made++
		checkFill(t, pattern, g, size)
	})
	if made == 0 {
		t.Error("no panel was meshed")
	}
}

// outline returns the arcs of a panel.
func (p *Panel) outline() []Arc {
	var out []Arc
	for i := range p.Edges {
		out = append(out, p.Edges[i].arcs()...)
	}
	return out
}

func checkFill(t *rapid.T, p *Pattern, g *Garment, size float64) {
	if err := g.Sewn.Validate(); err != nil {
		t.Fatal(err)
	}
	// The outlines as they were divided, by making them again.
	m := &maker{pattern: p, size: size}
	for _, stage := range []func(){m.checkNames, m.checkPanels, m.cut, m.checkSeams, m.divide} {
		stage()
	}
	area := make([]float64, len(p.Panels))
	for i := range g.Flat.Tri {
		area[g.Panel[g.Flat.Tri[i][0]]] += g.Flat.RestArea(int32(i))
	}
	boundary := 0
	for i := range g.Flat.Edges {
		if g.Flat.Edges[i].Boundary() {
			boundary++
		}
	}
	for i, r := range m.panels {
		at, _ := r.border()
		boundary -= len(at)
		if want := signedArea(at); math.Abs(area[i]-want) > 1e-12*(1+want) {
			t.Fatalf("panel %d: triangles of %g m² fill an outline of %g m²", i, area[i], want)
		}
		if !(g.MinAngle[i] > 0) {
			t.Fatalf("panel %d has an angle of %g", i, g.MinAngle[i])
		}
	}
	if boundary != 0 {
		t.Fatalf("the boundary has %d edges more than the outlines have segments", boundary)
	}
}
