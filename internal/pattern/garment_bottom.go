package pattern

import (
	"math"
)

// skirtHem returns the height of the hem of a skirt, which by default is just above the knee.
func (t *tailor) skirtHem() float64 {
	return max(t.waist.Z-t.o.Length*(t.waist.Z-t.knee.Z-0.03), 0.08)
}

// beside returns how far the body reaches to the side between two heights below the waist.
func (t *tailor) beside(low, high float64) float64 {
	x := 0.0
	for _, v := range t.x {
		if v.Z >= low && v.Z <= high {
			x = max(x, v.X)
		}
	}
	return x
}

// skirt is an A-line skirt of a front and a back. It holds by its waist, which is narrower than the hips.
func (t *tailor) skirt() *Pattern {
	waist, hip := t.quarter(t.m.Waist, 0.04), t.quarter(t.m.Hip, 0.08)
	hem := t.skirtHem()
	flare := 0.28 * t.o.Flare * (t.hip.Z - hem) * (1 + 0.12*float64(t.o.Layer-1))
	// The legs are apart: the hem goes around both.
	wide := max(hip+flare, t.beside(hem-0.03, hem+0.03)+0.03)
	slope := (wide - hip) / (t.hip.Z - hem)

	half := path{from: v2(wide, hem)}
	half.straight("side", v2(hip, t.hip.Z))
	rise := 0.55 * (t.waist.Z - t.hip.Z)
	half.curve("hip", v2(waist, t.waist.Z), v2(hip-slope*rise, t.hip.Z+rise), v2(waist+0.012, t.waist.Z-0.05))

	p := &Pattern{Name: "skirt"}
	for _, f := range []face{frontFace, backFace} {
		dip := 0.012
		if f == backFace {
			dip = 0.006
		}
		// The hem is at right angles to the sides.
		low := v2(wide/2, hem-0.5*slope*wide*0.75)
		panel := f.symmetric(
			[]string{"front", "back"}[f],
			half,
			both(low, false),
			both(v2(waist/2, t.waist.Z-dip*4/3), true),
		)
		rename(&panel, "neck", "waist")
		t.hang(&panel, f, 0, 0, 0)
		p.Panels = append(p.Panels, panel)
	}
	p.Seams = sides("side", "side", "hip")
	return p
}

// rename gives an edge another name.
func rename(p *Panel, from, to string) {
	for i := range p.Edges {
		if p.Edges[i].Name == from {
			p.Edges[i].Name = to
		}
	}
}

// pleatedSkirt is a straight skirt whose waist is laid in folds.
func (t *tailor) pleatedSkirt() *Pattern {
	const folds = 5
	waist := t.quarter(t.m.Waist, 0.04)
	hem := t.skirtHem()
	depth := 0.02 + 0.015*t.o.Flare
	wide := waist + folds*depth
	every := 2 * wide / folds

	half := path{from: v2(wide, hem)}
	half.straight("side", v2(wide, t.waist.Z))
	p := &Pattern{Name: "pleated-skirt"}
	for _, f := range []face{frontFace, backFace} {
		panel := f.symmetric([]string{"front", "back"}[f], half, nil, nil)
		rename(&panel, "neck", "waist")
		panel.Pleats = []Pleat{
			{Name: "folds", Edge: "waist", At: every/2 - depth, Depth: depth, Count: folds, Every: every},
		}
		t.hang(&panel, f, 0, 0, 0)
		p.Panels = append(p.Panels, panel)
	}
	p.Seams = sides("side", "side")
	return p
}

// crotchEase is how far the crotch of trousers is below that of the body [m].
const crotchEase = 0.03

// trousers are two fronts and two backs. Their legs are cut straight and hung along the legs of the body, which
// are apart; left and right hang beside each other, so that the forks, which reach under the body, are free.
func (t *tailor) trousers() *Pattern {
	spread := math.Atan(t.leg)
	waist, hip := t.quarter(t.m.Waist, 0.05), t.quarter(t.m.Hip, 0.08)
	rise := t.waist.Z - t.crotch.Z + crotchEase + t.out
	seat := t.waist.Z - t.hip.Z
	inside := (t.crotch.Z - crotchEase - t.ankle.Z) / math.Cos(spread) * min(t.o.Length, 1.05)
	inside = min(inside, (t.crotch.Z-crotchEase-0.045)/math.Cos(spread))
	knee := inside * 0.45

	thigh := 2 * t.quarter(t.m.Thigh, 0.12)        // across a front and its fork, on average with the back
	hem := 2 * t.quarter(t.m.Ankle, 0.6)           // half of the hem
	fork := [2]float64{0.045, 0.105}               // of front and back
	wide := max(hip, thigh-(fork[0]+fork[1])/2)    // from the middle to the outside at the crotch
	middle := (wide - fork[0]) / 2                 // of the leg
	shin := (hem + (thigh-hem)*0.45) / 2           // half width at the knee
	outer := path{from: v2(middle+hem/2, -inside)} // from the hem up, y = 0 at the crotch
	outer.straight("shin", v2(middle+shin, -knee))
	outer.curve("thigh", v2(wide, rise-seat), v2(middle+shin+(shin-hem/2)*0.5, -knee*0.5), v2(wide+0.003, -0.06))
	outer.curve("hip", v2(waist+0.004, rise), v2(wide-0.004, rise-seat*0.65), v2(waist+0.022, rise-0.05))

	length := 0.0 // of the upper inseam
	p := &Pattern{Name: "trousers"}
	for _, f := range []face{frontFace, backFace} {
		name := []string{"front", "back"}[f]
		// The inseam of the back starts at a fork further in; the fork is lowered until both are as long.
		fall := 0.0
		inseam := func() path {
			in := path{from: v2(-fork[f], -fall)}
			in.curve("inseam", v2(middle-shin, -knee), v2(middle-shin-(shin-hem/2)*0.8, -knee*0.55))
			return in
		}
		if f == frontFace {
			length = inseam().length()
		} else {
			fall = bisect(0, 0.1, func(y float64) bool { fall = y; return inseam().length() < length })
		}
		top := v2(0.004, rise-0.01*float64(1-f))
		half := outer
		half.straight("waist", top)
		half.straight("centre", v2(0, rise*0.42))
		half.curve("fork", v2(-fork[f], -fall), v2(-0.002, rise*0.1), v2(-fork[f]*0.45, -fall+0.002))
		half.lines = append(half.lines, inseam().lines...)
		half.straight("calf", v2(middle-hem/2, -inside))
		half.straight("hem", half.from)
		t.hangLegs(p, f, name, half, middle)
	}
	for _, side := range []string{"left", "right"} {
		front, back := "front-"+side, "back-"+side
		// The mirrored panels, right front and left back, run the other way around.
		if side == "right" {
			front, back = back, front
		}
		p.Seams = append(p.Seams,
			seam("out-"+side, edgesOf(front, "shin", "thigh", "hip"), edgesOf(back, "hip", "thigh", "shin")),
			seam("in-"+side, edgesOf(front, "inseam", "calf"), edgesOf(back, "calf", "inseam")))
	}
	p.Seams = append(p.Seams,
		seam("centre-front", edgesOf("front-left", "centre", "fork"), edgesOf("front-right", "fork", "centre")),
		seam("centre-back", edgesOf("back-right", "centre", "fork"), edgesOf("back-left", "fork", "centre")))
	return p
}

// hangLegs adds both sides of a front or back of trousers. half is the left front, or the right back, closed; the
// middle of its leg is at x = middle. Panels are turned so far that their hems hang before or behind the ankles. Each
// hangs free of its other side.
func (t *tailor) hangLegs(p *Pattern, f face, name string, half path, middle float64) {
	const gap = 0.008 // from the plane between left and right
	for _, flip := range []bool{false, true} {
		outline, side, sign := half, "-left", 1.0 // and the sign of x on the body
		if flip {
			outline = half.flipped()
		}
		if flip != (f == backFace) {
			side, sign = "-right", -1
		}
		panel := Panel{Name: name + side, Edges: outline.edges(), Grain: math.Pi / 2}
		hem := v2(middle, half.from.Y)
		if flip {
			hem = mirror(hem)
		}
		// hung places the panel and returns how far its hem is outside of the leg.
		hung := func(turn float64) float64 {
			t.hang(&panel, f, 0, t.crotch.Z-crotchEase-t.out, -sign*turn)
			near := math.Inf(1)
			for _, at := range panel.placed() {
				near = min(near, sign*at.X)
			}
			panel.Place.At.X = sign * (gap - near)
			at := panel.Place.Point(hem)
			return sign*at.X - (t.ankle.X - t.leg*(at.Z-t.ankle.Z))
		}
		turn := bisect(0, math.Pi/6, func(turn float64) bool { return hung(turn) > 0 })
		hung(turn)
		t.hang(&panel, f, panel.Place.At.X, panel.Place.At.Z, -sign*turn)
		p.Panels = append(p.Panels, panel)
	}
}

// length returns the length of a path.
func (p path) length() float64 {
	sum, at := 0.0, p.from
	for _, l := range p.lines {
		sum += newCurve(at, l.via, l.to).length()
		at = l.to
	}
	return sum
}

// bisect returns where above turns from false to true between a and b, to rounding.
func bisect(a, b float64, above func(float64) bool) float64 {
	for range 60 {
		if m := (a + b) / 2; above(m) {
			b = m
		} else {
			a = m
		}
	}
	return (a + b) / 2
}
