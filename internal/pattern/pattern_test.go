package pattern

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

func rect(name string, w, h float64, names ...string) Panel {
	at := []r3.Vec2{{X: 0, Y: 0}, {X: w, Y: 0}, {X: w, Y: h}, {X: 0, Y: h}}
	p := Panel{Name: name, Grain: math.Pi / 2}
	for i, q := range at {
		p.Edges = append(p.Edges, Edge{Name: names[i], From: q})
	}
	return p
}

func tube() *Pattern {
	front := rect("front", 0.5, 0.6, "hem", "left", "top", "right")
	back := rect("back", 0.5, 0.6, "hem", "right", "top", "left")
	front.Place = Place{At: r3.V(-0.25, -0.2, 0)}
	back.Place = Place{At: r3.V(0.25, 0.2, 0), Right: r3.V(-1, 0, 0), Up: r3.V(0, 0, 1)}
	return &Pattern{Name: "tube", Panels: []Panel{front, back}, Seams: []Seam{
		{Name: "left", A: []EdgeRef{{"front", "left"}}, B: []EdgeRef{{"back", "left"}}, Ease: DefaultEase},
		{Name: "right", A: []EdgeRef{{"front", "right"}}, B: []EdgeRef{{"back", "right"}}, Ease: DefaultEase},
	}}
}

func TestTube(t *testing.T) {
	g, err := tube().Make(0.015)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf(
		"%d flat, %d sewn, %d tri, %d stitches, min angles %v",
		g.Flat.Verts,
		g.Sewn.Verts,
		len(g.Sewn.Tri),
		len(g.Stitches),
		g.MinAngle,
	)
	euler := g.Sewn.Verts - len(g.Sewn.Edges) + len(g.Sewn.Tri)
	if euler != 0 {
		t.Errorf("Euler number %d, want that of a tube, 0", euler)
	}
}
