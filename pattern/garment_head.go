package pattern

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// hood is two side panels with a seam from the forehead over the crown and down the back, and below the neck a cape to the shoulders that is
// closed in front. Nothing holds it but the head.
//
// The panels are drafted with x towards the back of the body and y up from the side of the neck, and hung rolled about an axis from front to
// back: upright beside the head and flaring out over the shoulders. They hang as high as the shoulders make them, which is a few
// centimetres above where they will sit.
func (t *tailor) hood() *Pattern {
	head := 2 * t.quarter(t.m.Head, 0.22) // half around the head: from forehead to back
	neck := 2 * t.quarter(t.m.Neck, 0.3)
	tall := t.top.Z - t.neck.Z
	cape := 0.12 * t.o.Length
	high := tall + 0.3*head
	face := -0.42 * head // the edge around the face
	back := face + 0.86*head
	nape := v2(neck*0.53, 0)
	chin := v2(-neck*0.47, 0)
	const spread = 38 * math.Pi / 180 // of the cape's edges from the vertical
	s, c := math.Sincos(spread)

	outline := path{from: v2(chin.X-cape*s, -cape*c)}
	outline.curve("hem", v2(nape.X+cape*s, -cape*c), v2(chin.X/2, -cape*1.42), v2(nape.X/2, -cape*1.42))
	outline.straight("cape", nape)
	outline.curve("back", v2(back, high*0.55), v2(nape.X-0.012, high*0.15), v2(back, high*0.3))
	outline.curve("crown", v2(face, high), v2(back, high*0.9), v2(back*0.55, high+0.004))
	outline.straight("face", chin)
	outline.straight("front", outline.from)

	p := &Pattern{Name: "hood"}
	for _, side := range []float64{1, -1} {
		name, drawn := "left", outline
		if side < 0 {
			name, drawn = "right", outline.flipped()
		}
		// Turned by a quarter, so that the axis of rolling, which is the panel's y, runs from back to front on the left and from front to back on
		// the right.
		turned := drawn.mapped(func(v r3.Vec2) r3.Vec2 { return v2(v.Y, -v.X) }, false)
		panel := Panel{Name: name, Edges: turned.edges()}
		wide := 0.0
		for _, v := range t.x {
			if v.Z > t.neck.Z+0.3*tall {
				wide = max(wide, v.X)
			}
		}
		out := wide + t.o.Clearance + t.out
		up := tall * 0.8 // where it is upright
		shift := turned.mapped(func(v r3.Vec2) r3.Vec2 { return v2(v.X-up, v.Y) }, false)
		panel.Edges = shift.edges()
		panel.Place = Place{
			At: r3.V(side*out, t.neck.Y, t.neck.Z+up), Right: r3.V(0, 0, 1), Up: r3.V(0, -side, 0), Wrap: -1 / (0.2 + cape),
		}
		t.raise(&panel, r3.V(0, 0, 1))
		p.Panels = append(p.Panels, panel)
	}
	p.Seams = []Seam{
		seam("centre", edgesOf("left", "cape", "back", "crown"), edgesOf("right", "crown", "back", "cape")),
		seam("front", edgesOf("left", "front"), edgesOf("right", "front")),
	}
	return p
}

// shawl is a long rectangle without seams. It hangs over the left shoulder as an arch from front to back, parallel to the
// slope of the shoulder and free of it: when it is let go, it falls onto the shoulder by the clearance, and its ends swing down.
func (t *tailor) shawl() *Pattern {
	long := 0.85 * t.m.Height * t.o.Length
	wide := 0.16 * t.m.Height
	outline := path{from: v2(-long/2, -wide/2)}
	outline.straight("outer", v2(long/2, -wide/2))
	outline.straight("end-back", v2(long/2, wide/2))
	outline.straight("inner", v2(-long/2, wide/2))
	outline.straight("end-front", outline.from)
	slope := math.Atan(t.arm)
	s, c := math.Sincos(slope)
	// Above the middle of the shawl's inner edge is the neck, with the head over it.
	middle := t.neck.X + 0.03 + t.out + wide/2*c
	panel := Panel{Name: "shawl", Edges: outline.edges()}
	panel.Place = Place{
		At: r3.V(middle, t.shoulder.Y, t.shoulder.Z-t.arm*(middle-t.shoulder.X)), Right: r3.V(0, 1, 0), Up: r3.V(-c, 0, s), Wrap: math.Pi / long,
	}
	t.raise(&panel, r3.V(0, 0, 1))
	return &Pattern{Name: "shawl", Panels: []Panel{panel}}
}
