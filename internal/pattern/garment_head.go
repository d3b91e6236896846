package pattern

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// hood is two side panels with a seam from the forehead over the crown and down the back, and two panels of a cape
// around the shoulders, closed before and behind. Nothing holds it but head and shoulders: the neck is so wide that the
// head goes through.
//
// The side panels hang upright beside the head, the panels of the cape above the shoulders and parallel to them. When
// it is let go, it falls by a few centimetres.
func (t *tailor) hood() *Pattern {
	neck := 2 * t.quarter(t.m.Head, 0.1)
	cape := t.hoodCape(neck)
	side := t.hoodSide(neck)
	p := &Pattern{Name: "hood"}
	slope := t.arm
	c := 1 / math.Sqrt(1+slope*slope)
	s := slope * c
	beside := 0.0 // how far the head reaches to the side
	for _, v := range t.x {
		if v.Z > t.neck.Z+0.3*(t.top.Z-t.neck.Z) {
			beside = max(beside, v.X)
		}
	}
	for _, sign := range []float64{1, -1} {
		name, capeLine, sideLine := "left", cape, side
		if sign < 0 {
			name, capeLine, sideLine = "right", cape.flipped(), side.flipped()
		}
		low := Panel{Name: "cape-" + name, Edges: capeLine.edges()}
		// The middle of its neck lies beside the neck of the body.
		inner := cape.lines[1].to.Norm()
		x := t.neck.X + 0.035 - inner*c
		low.Place = Place{
			At:    r3.V(sign*x, t.neck.Y, t.neck.Z+t.arm*(t.neck.X-x)),
			Right: r3.V(c, 0, -sign*s),
			Up:    r3.V(0, 1, 0),
		}
		t.raise(&low, r3.V(0, 0, 1))

		top := math.Inf(-1)
		for _, at := range low.placed() {
			top = max(top, at.Z)
		}
		high := Panel{Name: name, Edges: sideLine.edges(), Grain: math.Pi / 2}
		high.Place = Place{
			At:    r3.V(sign*(beside+t.o.Clearance+t.out), t.neck.Y, top+0.008),
			Right: r3.V(0, sign, 0),
			Up:    r3.V(0, 0, 1),
		}
		p.Panels = append(p.Panels, high, low)
	}
	p.Seams = []Seam{
		seam("centre", edgesOf("left", "back", "crown"), edgesOf("right", "crown", "back")),
		seam("neck-left", edgesOf("left", "neck"), edgesOf("cape-left", "neck")),
		seam("neck-right", edgesOf("right", "neck"), edgesOf("cape-right", "neck")),
		seam("cape-front", edgesOf("cape-left", "front"), edgesOf("cape-right", "front")),
		seam("cape-back", edgesOf("cape-left", "back"), edgesOf("cape-right", "back")),
	}
	return p
}

// hoodCape is the left of the cape, seen from above: a part of a ring, x away from the middle of the body and y to the
// back.
func (t *tailor) hoodCape(neck float64) path {
	const half = 64 * math.Pi / 180 // of the angle that it goes around
	s, c := math.Sincos(half)
	// A cubic curve with tangents of this length follows a circle of radius 1 to 1 in 1000.
	k := 4. / 3 * math.Tan(half/2)
	arc := func(r float64) (from, to, a, b r3.Vec2) {
		return v2(r*c, -r*s), v2(r*c, r*s), v2(r*(c+k*s), r*(k*c-s)), v2(r*(c+k*s), r*(s-k*c))
	}
	from, to, a, b := arc(1)
	inner := neck / newCurve(from, []r3.Vec2{a, b}, to).length()
	from, to, a, b = arc(inner + 0.12*t.o.Length)
	p := path{from: from}
	p.curve("hem", to, a, b)
	from, to, a, b = arc(inner)
	p.straight("back", to)
	p.curve("neck", from, b, a)
	p.straight("front", p.from)
	return p
}

// hoodSide is the left of the hood, seen from outside: x to the back and y up from the neck.
func (t *tailor) hoodSide(neck float64) path {
	head := 2 * t.quarter(t.m.Head, 0.22) // half around, from forehead to back
	high := t.top.Z - t.neck.Z + 0.2*head
	chin, nape := v2(-0.47*neck, 0), v2(0.53*neck, 0)
	face := -0.38 * head
	back := face + 0.86*head
	p := path{from: chin}
	p.straight("neck", nape)
	p.curve("back", v2(back, high*0.5), v2(nape.X-0.01, high*0.15), v2(back, high*0.3))
	p.curve("crown", v2(face, high), v2(back, high*0.92), v2(back*0.6, high+0.004))
	p.straight("face", chin)
	return p
}

// shawl is a long rectangle without seams. It hangs over the left shoulder as an arch from front to back, parallel to
// the slope of the shoulder and free of it: when it is let go, it falls onto the shoulder by the clearance, and its
// ends swing down.
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
		At: r3.V(
			middle,
			t.shoulder.Y,
			t.shoulder.Z-t.arm*(middle-t.shoulder.X),
		),
		Right: r3.V(0, 1, 0),
		Up:    r3.V(-c, 0, s),
		Wrap:  math.Pi / long,
	}
	t.raise(&panel, r3.V(0, 0, 1))
	return &Pattern{Name: "shawl", Panels: []Panel{panel}}
}
