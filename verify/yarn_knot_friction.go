package verify

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/draw"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/yarn"
)

// K22: an overhand knot with friction holds between two tensions: it is drawn tighter above the upper and opens below the
// lower. When its ends go apart by dx, its two strands slide past each other by dx, so that friction takes the work
// μ N dx, with N the force that they press each other with: T = T₀ ± μ N at the same loop, and
//
//	T_upper - T_lower = μ (N_upper + N_lower).
//
// Where μ N exceeds T₀ the knot holds without any pull.
var knotFriction = Case{
	ID: "K22", Title: "friction holds an overhand knot", Source: "work of friction, as in [Audoly07] and [Jawed15]",
	run: func(t *trial) {
		mus, edge, speed := []float64{0, 0.1, 0.2, 0.3}, 8e-3, 0.02
		if t.Options.Full {
			mus, edge, speed = []float64{0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3}, 5e-3, 0.01
		}
		var knots []*drawnKnot
		plot := draw.Plot{Title: "K22: a knot is drawn tight and let go", X: "radius of the loop over that of the yarn", Y: "T r²/EI"}
		for _, mu := range mus {
			k := t.drawKnot(mu, edge, speed)
			knots = append(knots, k)
			plot.Series = append(plot.Series, k.curve())
		}
		t.frictionRows(knots)
		t.plot("k22-tension", plot)
		t.knotPicture("k22-knot", knots[len(knots)-1])
	},
}

// frictionRows holds tensions of knots, of which the first has no friction and the others have more and more, to Coulomb's
// law, and these to their order.
//
// The strands slide by less than dx where they are at an angle to the axis of the knot. Two circles of radius R whose
// nearest points are 2r apart cross it at √(2r/R) at the most, of which the cosine is 1 - r/R.
func (t *trial) frictionRows(knots []*drawnKnot) {
	free := knots[0]
	up, down := free.at(free.closing), free.at(free.opening)
	drag := up.tension - down.tension
	t.row(Row{
		Quantity: "upper tension over the lower without friction", Expected: 1, Measured: up.tension / down.tension, Bar: Relative,
		Limit: free.drag() / down.tension,
	})
	wrong := 0
	for _, k := range knots[1:] {
		mu := k.m.Friction
		upper, lower := k.at(k.closing), k.at(k.opening)
		t.row(Row{
			Quantity: fmt.Sprintf("(T_upper - T_lower)/(N_upper + N_lower), μ = %g", mu), Expected: mu,
			Measured: (upper.tension - lower.tension - drag) / (upper.pressed + lower.pressed), Bar: Relative,
			Limit: k.m.Radius / knotLoop,
		})
		t.note("μ = %g, R = %.3g r: holds from T r²/EI = %.3g to %.3g", mu, knotLoop/k.m.Radius, lower.tension*k.scale(), upper.tension*k.scale())
		if !(upper.tension > up.tension && lower.tension < down.tension) {
			wrong++
		}
		up, down = upper, lower
	}
	t.row(Row{Quantity: "knots that hold no more than one with less friction", Measured: float64(wrong), Bar: AtMost})
}

// knotSample is a knot that is drawn, at one moment.
type knotSample struct {
	radius  float64 // of the loop [m]
	tension float64 // beside the knot, in the mean of both sides [N]
	pressed float64 // with which its strands press each other [N]
}

// drawnKnot is what was measured in a knot whose ends were drawn apart and let go.
type drawnKnot struct {
	m                yarn.Material
	speed            float64 // of the ends from each other [m/s]
	closing, opening []knotSample
	tight            []r3.Vec // its points in between
}

// knotLoop is the radius of the loop at which knots are compared [m].
const knotLoop = 0.05

// at returns what was measured while the loop had about the radius that knots are compared at, in the mean.
func (k *drawnKnot) at(samples []knotSample) (mean knotSample) {
	const around = 0.04
	count := 0.0
	for _, s := range samples {
		if math.Abs(s.radius/knotLoop-1) < around {
			mean.tension += s.tension
			mean.pressed += s.pressed
			mean.radius += s.radius
			count++
		}
	}
	mean.tension, mean.pressed, mean.radius = mean.tension/count, mean.pressed/count, mean.radius/count
	return mean
}

// scale makes tensions numbers.
func (k *drawnKnot) scale() float64 { return k.m.Radius * k.m.Radius / k.m.Bend }

// knotReach is how far along the yarn tensions are measured from the middle of the loop, beyond the braid [m].
const knotReach = 1.5 * math.Pi * knotLoop

// drag returns a bound on the difference of both tensions by damping alone: between the places where they are measured no
// yarn is faster than the ends, v/2 each, and takes more than the power c ρ (v/2)² of its length [N].
func (k *drawnKnot) drag() float64 { return k.m.DampRate * k.m.Density * knotReach * k.speed }

// curve returns tension over radius, there and back.
func (k *drawnKnot) curve() draw.Series {
	s := draw.Series{Name: fmt.Sprintf("μ = %g", k.m.Friction), Style: draw.Line}
	for _, leg := range [][]knotSample{k.closing, k.opening} {
		for _, p := range leg {
			s.X, s.Y = append(s.X, p.radius/k.m.Radius), append(s.Y, p.tension*k.scale())
		}
	}
	return s
}

// drawKnot ties a knot, draws its ends apart and lets them come back, at a speed at which forces of inertia and drag are a
// twentieth of its tension.
func (t *trial) drawKnot(mu, edge, speed float64) *drawnKnot {
	const slack, drawn, fast, tail, every = 0.2, 0.05, 0.1, 0.2, 100
	k := &drawnKnot{m: yarn.Kaldor(), speed: speed}
	k.m.Radius, k.m.Bend, k.m.Twist, k.m.Plastic, k.m.Contact = knotLoop/10, 1e-6, 1e-6, 0, 0.3
	k.m.DampRate, k.m.DampConstant, k.m.Friction = 5, 0, mu
	w := t.newYarns(k.m, r3.Vec{})
	ends := int(tail / edge)
	laid := overhand(1.2*knotLoop, edge, ends)
	n := len(laid)
	_, err := w.AddYarn(yarn.Yarn{Name: "yarn", Points: laid})
	t.must(err)
	axis := laid[n-1].Sub(laid[0]).Unit()
	left, right := laid[0], laid[n-1]
	t.must(w.AddHold(yarn.Hold{Points: []int{0}, Motion: puppetString{&left}}))
	t.must(w.AddHold(yarn.Hold{Points: []int{n - 1}, Motion: puppetString{&right}}))
	contact := newEveryPair(k.m, []yarn.Yarn{{Points: laid}}, 11)
	h := 2 * rodStep(k.m, edge)
	beside := int(knotReach / edge)
	loop := &knot{w: w, n: n}
	move := func(way, speed float64, samples *[]knotSample) {
		steps := int(math.Abs(way / speed) / h)
		for i := range steps {
			by := axis.Scale(way / 2 / float64(steps))
			left, right = left.Sub(by), right.Add(by)
			_, err := w.Step(h)
			t.must(err)
			if samples != nil && i%every == 0 {
				*samples = append(*samples, knotSample{
					loop.loop(), (w.Tension(n/2-beside) + w.Tension(n/2+beside)) / 2, contact.pressed(w.Positions()),
				})
			}
		}
	}
	move(slack, fast, nil)
	move(drawn, speed, &k.closing)
	k.tight = append([]r3.Vec(nil), w.Positions()...)
	move(-drawn, speed, &k.opening)
	return k
}

// knotPicture draws a knot.
func (t *trial) knotPicture(name string, k *drawnKnot) {
	c := meshio.Curves{Name: name, Radius: k.m.Radius, Points: k.tight, Counts: []int32{int32(len(k.tight))}, Closed: []bool{false}}
	m := c.Tubes(4, 10)
	surfaces := []draw.Surface{{Name: name, Positions: m.Positions, Triangles: m.Triangles}}
	opt := draw.DefaultOptions()
	opt.Workers = t.Workers
	t.Plots = append(t.Plots, Figure{Name: name, Picture: draw.Render(surfaces, draw.Fit(draw.Bounds(surfaces), r3.V(0.3, -1, 0.4), 1), opt)})
}
