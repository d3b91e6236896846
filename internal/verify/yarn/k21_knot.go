package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// K21: an overhand knot in an elastic yarn without friction. Its loop is a circle of radius R with the energy
// E = π EI/R, of which the ends, drawn apart by dx, take 2π dR. For thin yarns its tension is
//
//	T = EI/(2 R²) = E²/(2π² EI).
//
// In thicker ones the braid is bent too, to either side a share of √(2r/R) of the radius.
var knotTension = verify.Case{
	ID: "K21", Title: "an overhand knot is drawn tight", Source: "energy of a circle, as in [Audoly07]",
	Body: func(t *verify.Trial) {
		thick, speed := []float64{0.05, 0.1}, 0.02
		if t.Options.Full {
			thick, speed = []float64{0.01, 0.02, 0.035, 0.05, 0.075, 0.1}, 0.01
		}
		byRadius := draw.Series{Name: "2 T R²/EI", Style: draw.Points}
		byEnergy := draw.Series{Name: "2π² EI T/E²", Style: draw.Points}
		for _, r := range thick {
			ratio, radius, energy := drawKnot(t, knotMaterial(r*knotLoop, 0), speed).thin()
			byRadius.X, byRadius.Y = append(byRadius.X, ratio), append(byRadius.Y, radius)
			byEnergy.X, byEnergy.Y = append(byEnergy.X, ratio), append(byEnergy.Y, energy)
			if r > max(0.02, thick[0]) {
				continue
			}
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("2π² EI T/E² at r/R = %.3f", ratio), Expected: 1, Measured: energy,
				Bar: verify.Relative, Limit: 0.1,
			})
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("2 T R²/EI at r/R = %.3f", ratio), Expected: 1, Measured: radius,
				Bar:   verify.Relative,
				Limit: 2 * math.Sqrt(2*ratio), Asked: "±10 %",
				Why: fmt.Sprintf(
					"The braid, √(2r/R) = %.2f of the radius long to either side, is bent besides the loop.",
					math.Sqrt(2*ratio),
				),
			})
		}
		wrong := 0
		for _, s := range []draw.Series{byRadius, byEnergy} {
			for i, y := range s.Y {
				if (y-1)*(s.Y[0]-1) < 0 || i > 0 && math.Abs(y-1) < math.Abs(s.Y[i-1]-1) {
					wrong++
				}
			}
		}
		t.Row(verify.Row{
			Quantity: "thicker yarns that are nearer to 1, or on its other side", Measured: float64(wrong),
			Bar: verify.AtMost,
		})
		t.Plot("k21-knot", draw.Plot{
			Title: "K21: tension of an overhand knot without friction", X: "r/R", Y: "over that of thin yarns",
			Series: []draw.Series{
				byRadius, byEnergy, {Name: "thin yarns", X: []float64{0, 0.1}, Y: []float64{1, 1}, Style: draw.Line},
			},
		})
	},
}

// knotLoop is about the radius of the loop of a knot that is drawn [m]. knotReach is how far along the yarn, from the
// middle of the loop, tensions are measured: beyond the braid [m].
const (
	knotLoop  = 0.05
	knotReach = 1.5 * math.Pi * knotLoop
)

// knotMaterial is an elastic yarn of a radius and with friction. Its contact is so soft that strands in a knot come
// nearer than a diameter by about a tenth of it at the most, and many quadrature points have a part in it.
func knotMaterial(radius, mu float64) yarn.Material {
	return yarn.Material{
		Radius: radius, Density: 1.15e-3, Bend: 1e-6, Twist: 1e-6, Contact: 0.3, Friction: mu, DampRate: 5,
	}
}

// knotSample is a knot that is drawn, at one moment.
type knotSample struct {
	points  []r3.Vec
	radius  float64 // of the loop [m]
	tension float64 // beside the knot, in the mean of both sides [N]
	energy  float64 // of bending [J]
}

// drawnKnot is what was measured in a knot whose ends were drawn apart and came back.
type drawnKnot struct {
	m                yarn.Material
	speed            float64 // of the ends from each other [m/s]
	contact          *everyPair
	closing, opening []knotSample
}

// thin returns r/R, 2 T R²/EI and 2π² EI T/E², in the mean of both ways: what damping adds on one it takes on the
// other.
func (k *drawnKnot) thin() (ratio, byRadius, byEnergy float64) {
	const begun = 5 // one part of so many, at either end, is left out
	for _, leg := range [][]knotSample{k.closing, k.opening} {
		n := len(leg)
		leg = leg[n/begun : n-n/begun]
		for _, s := range leg {
			share := 1 / float64(2*len(leg))
			ratio += share * k.m.Radius / s.radius
			byRadius += share * 2 * s.tension * s.radius * s.radius / k.m.Bend
			byEnergy += share * 2 * math.Pi * math.Pi * k.m.Bend * s.tension / (s.energy * s.energy)
		}
	}
	return ratio, byRadius, byEnergy
}

// drawKnot ties a knot, draws its ends apart at a speed and lets them come back. Its ends are held, not pulled: a knot
// under a given force swings for long. A braid, which is √(2r/R) R long to either side, has five edges or more, and the
// diameter of the yarn ten quadrature points.
func drawKnot(t *verify.Trial, m yarn.Material, speed float64) *drawnKnot {
	const slack, drawn, fast, tail = 0.2, 0.05, 0.1, 0.2
	edge := 2 * math.Sqrt(2*m.Radius*knotLoop) / 5.5
	points := max(11, int(math.Ceil(10*edge/(2*m.Radius))))
	w, err := t.Yarns(yarn.Options{Material: m, Strain: 1e-9, Points: points, Workers: t.Options.Workers})
	t.Must(err)
	laid := overhand(1.2*knotLoop, edge, int(tail/edge))
	n := len(laid)
	_, err = w.AddYarn(yarn.Yarn{Name: "yarn", Points: laid})
	t.Must(err)
	d := &knotDrawing{
		t: t, w: w, edge: edge, h: 2 * rodStep(m, edge),
		left: laid[0], right: laid[n-1], axis: laid[n-1].Sub(laid[0]).Unit(),
	}
	t.Must(w.AddHold(yarn.Hold{Points: []int{0}, Motion: puppetString{&d.left}}))
	t.Must(w.AddHold(yarn.Hold{Points: []int{n - 1}, Motion: puppetString{&d.right}}))
	d.move(slack, fast)
	k := &drawnKnot{m: m, speed: speed, contact: newEveryPair(m, []yarn.Yarn{{Points: laid}}, points)}
	k.closing = d.move(drawn, speed)
	k.opening = d.move(-drawn, speed)
	return k
}

// knotDrawing is a knot while it is drawn.
type knotDrawing struct {
	t           *verify.Trial
	w           *yarn.World
	edge, h     float64
	left, right r3.Vec // where its ends are
	axis        r3.Vec
}

// move draws the ends apart by a way, at a speed that rises and falls gently, and returns what it measures meanwhile.
func (d *knotDrawing) move(way, speed float64) (samples []knotSample) {
	const gentle, count = 0.1, 60
	steps := int(math.Abs(way/speed) / ((1 - gentle) * d.h))
	for i := range steps {
		place := (float64(i) + 0.5) / float64(steps)
		by := d.axis.Scale(way / 2 / ((1 - gentle) * float64(steps)) * min(1, place/gentle, (1-place)/gentle))
		d.left, d.right = d.left.Sub(by), d.right.Add(by)
		stats, err := d.w.Step(d.h)
		d.t.Must(err)
		if i%(steps/count) == 0 {
			samples = append(
				samples, knotSample{append([]r3.Vec(nil), d.w.Positions()...), d.loop(), d.tension(), stats.Bend},
			)
		}
	}
	return samples
}

// tension returns that beside the knot, in the mean of both sides.
func (d *knotDrawing) tension() float64 {
	middle, beside := len(d.w.Positions())/2, int(knotReach/d.edge)
	return (d.w.Tension(middle-beside) + d.w.Tension(middle+beside)) / 2
}

// loop returns the radius of the loop, from the mean curvature of half of it, opposite to the braid.
func (d *knotDrawing) loop() float64 {
	x, turn, length := d.w.Positions(), 0.0, 0.0
	quarter := int(math.Pi * knotLoop / 2 / d.edge)
	for i := len(x)/2 - quarter; i <= len(x)/2+quarter; i++ {
		a, b := x[i].Sub(x[i-1]), x[i+1].Sub(x[i])
		turn += math.Atan2(a.Cross(b).Norm(), a.Dot(b))
		length += (a.Norm() + b.Norm()) / 2
	}
	return length / turn
}

// overhand returns points a step apart along an open trefoil (x = t³ - 3t, y = t⁴ - 4t², z = t⁵ - 10t) of about the
// given size, with ends of so many points.
func overhand(size, step float64, ends int) []r3.Vec {
	// trefoil of that size
	const reach, pieces = 1.95, 4000
	at := func(s float64) r3.Vec {
		return r3.V(-(s*s*s-3*s)/1.4, (s*s*s*s-4*s*s)/3, (s*s*s*s*s-10*s)/18).Scale(size)
	}
	// points a step apart along it
	var x []r3.Vec
	last := at(-reach)
	left := 0.0
	for i := 1; i <= pieces; i++ {
		p := at(reach * (2*float64(i)/pieces - 1))
		d := p.Sub(last).Norm()
		for left <= d {
			x = append(x, last.Lerp(p, left/d))
			left += step
		}
		left -= d
		last = p
	}
	// straight ends, on their own lines
	first, end := x[0].Sub(x[1]).Unit(), x[len(x)-1].Sub(x[len(x)-2]).Unit()
	var out []r3.Vec
	for i := ends; i > 0; i-- {
		out = append(out, x[0].AddScaled(step*float64(i), first))
	}
	out = append(out, x...)
	for i := 1; i <= ends; i++ {
		out = append(out, out[len(out)-1].AddScaled(step, end))
	}
	return out
}
