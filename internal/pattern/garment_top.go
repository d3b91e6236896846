package pattern

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// crest returns the height of a line above the left shoulder and arm at x = 0 that falls as the arm does and is above
// everything of the body below the neck from x = from to x = to by rise.
func (t *tailor) crest(from, to, rise float64) float64 {
	z := math.Inf(-1)
	for _, v := range t.x {
		if v.X >= from && v.X <= to && v.Z <= t.neck.Z {
			z = max(z, v.Z+t.arm*v.X)
		}
	}
	return z + (rise+t.out)*math.Sqrt(1+t.arm*t.arm)
}

// tunic is a loose garment of two panels that reach from wrist side to wrist side: a wide neck, sleeves cut in one with
// the trunk that slope as the arms do, straight to below the hip.
func (t *tailor) tunic() *Pattern {
	neck := t.o.Neck * 0.31 * t.m.Shoulder
	cuff := t.shoulder.X + 0.65*t.o.Sleeve*(t.elbow.X-t.shoulder.X)
	cuff = min(cuff, t.wrist.X-0.02)
	crest := t.crest(neck-0.02, cuff+0.02, 0.008)
	over := func(x float64) float64 { return crest - t.arm*x }
	chest := t.quarter(t.m.Chest, 0.12)
	hip := max(chest, t.quarter(t.m.Hip, 0.08))
	hem := max(t.waist.Z-t.o.Length*(t.waist.Z-t.hip.Z+0.1), 0.05)

	// The cuff lies across the arm; a long sleeve narrows as the arm does.
	arm := t.m.UpperArm + 0.6*max(0, (cuff-t.elbow.X)/(t.wrist.X-t.elbow.X))*(t.m.Wrist-t.m.UpperArm)
	width := 2 * t.quarter(arm, 0.25)
	s, c := math.Sincos(math.Atan(t.arm))
	top := v2(cuff, over(cuff))
	bottom := v2(max(cuff-width*s, chest+0.03), top.Y-width*c)
	// The side turns into the sleeve on a curve whose control point is where their lines meet, or below the armpit.
	bend := v2(chest, min(bottom.Y+t.arm*(bottom.X-chest), t.armpit.Z-t.arm*(chest-t.armpit.X)-0.02))

	half := path{from: v2(hip, hem)}
	half.straight("side", v2(chest, bend.Y-0.07))
	half.curve("under", bottom, bend)
	half.straight("cuff", top)
	half.straight("over", v2(neck, over(neck)))

	p := &Pattern{Name: "tunic"}
	for _, f := range []face{frontFace, backFace} {
		drop := 0.075
		if f == backFace {
			drop = 0.03
		}
		// A cubic curve with level ends of its control polygon sinks by 3/4 of its depth.
		low := v2(neck*0.62, over(neck)-drop*4/3)
		panel := f.symmetric([]string{"front", "back"}[f], half, both(v2(hip/3, hem-0.012), false), both(low, true))
		t.hang(&panel, f, 0, 0, 0)
		p.Panels = append(p.Panels, panel)
	}
	p.Seams = append(sides("side", "side", "under"), sides("over", "over")...)
	return p
}

// tankTop is a close garment with narrow straps; darts at the sides give room for the bust.
func (t *tailor) tankTop() *Pattern {
	const strap, dart, above = 0.045, 0.024, 0.032
	neck := t.neck.X + t.o.Neck*0.028
	neck += t.o.Strap * max(0, t.shoulder.X-strap-neck)
	crest := t.crest(neck-0.02, neck+strap+0.02, 0.006)
	over := func(x float64) float64 { return crest - t.arm*x }
	chest, waist, hip := t.quarter(t.m.Chest, 0.05), t.quarter(t.m.Waist, 0.14), t.quarter(t.m.Hip, 0.06)
	pit := t.armpit.Z - t.arm*(chest-t.armpit.X) - 0.03 - t.out
	hem := max(t.waist.Z-t.o.Length*(t.waist.Z-t.hip.Z-0.03), 0.05)
	bust := v2(0.095*t.m.Chest, pit-above-dart/2)

	p := &Pattern{Name: "tank-top"}
	for _, f := range []face{frontFace, backFace} {
		// Below the dart the front is longer by its width, so that the sides are as long as each other once it is sewn.
		extra, drop := 0.0, 0.035
		if f == frontFace {
			extra, drop = dart, 0.13
		}
		down := func(x, y float64) r3.Vec2 { return v2(x, y-extra) }
		side := pit - 2*above
		half := path{from: down(hip, hem)}
		half.curve("hip", down(waist, t.waist.Z), down(hip+0.004, hem+0.5*(t.waist.Z-hem)), down(waist, t.waist.Z-0.04))
		half.curve("waist", down(chest, side), down(waist, t.waist.Z+0.05), down(chest, side-0.04))
		half.straight("side", v2(chest, pit))
		tip := neck + strap
		half.curve("armhole", v2(tip, over(tip)), v2(chest-0.06, pit+0.002), v2(tip-0.012, over(tip)-0.11))
		half.straight("strap", v2(neck, over(neck)))
		low := v2(neck*0.9, over(neck)-drop*4/3)
		panel := f.symmetric([]string{"front", "back"}[f], half, both(down(hip/3, hem-0.008), false), both(low, true))
		if f == frontFace {
			// The outline runs up at the left and down at the right.
			l := 2*above + dart
			panel.Darts = []Dart{
				{Name: "bust-left", Edge: "side-left", At: l - above - dart/2, Width: dart, Tip: bust},
				{Name: "bust-right", Edge: "side-right", At: above + dart/2, Width: dart, Tip: mirror(bust)},
			}
		}
		t.hang(&panel, f, 0, 0, 0)
		p.Panels = append(p.Panels, panel)
	}
	p.Seams = append(sides("side", "hip", "waist", "side"), sides("strap", "strap")...)
	return p
}
