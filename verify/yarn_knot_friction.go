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
			k := t.drawKnot(knotMaterial(knotYarn, mu), edge, speed, 11)
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
	up, down := compared(free.closing), compared(free.opening)
	drag := up.tension - down.tension
	t.row(Row{
		Quantity: "upper tension over the lower without friction", Expected: 1, Measured: up.tension / down.tension, Bar: Relative,
		Limit: free.drag() / down.tension,
	})
	wrong := 0
	for _, k := range knots[1:] {
		mu := k.m.Friction
		upper, lower := compared(k.closing), compared(k.opening)
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
	pressed float64 // with which its strands press each other, if it is compared [N]
}

// compared reports whether the loop has about the radius that knots are compared at.
func (s *knotSample) compared() bool { return math.Abs(s.radius/knotLoop-1) < 0.02 }

// drawnKnot is what was measured in a knot whose ends were drawn apart and let go.
type drawnKnot struct {
	m                yarn.Material
	speed            float64 // of the ends from each other [m/s]
	closing, opening []knotSample
	tight            []r3.Vec // its points in between
}

// knotYarn is the radius of the yarn, knotLoop that of the loop at which knots are compared [m].
const (
	knotYarn = 5e-3
	knotLoop = 9.75 * knotYarn
)

// compared returns the mean of what was measured while the loop had about the radius that knots are compared at.
func compared(samples []knotSample) (mean knotSample) {
	count := 0.0
	for _, s := range samples {
		if s.compared() {
			mean.tension += s.tension
			mean.pressed += s.pressed
			count++
		}
	}
	return knotSample{radius: knotLoop, tension: mean.tension / count, pressed: mean.pressed / count}
}

// knotMaterial is an elastic yarn of a radius and with friction. Its contact is soft enough that strands in a knot are a
// twentieth of a diameter nearer than that.
func knotMaterial(radius, mu float64) yarn.Material {
	return yarn.Material{
		Radius: radius, Density: 1.15e-3, Bend: 1e-6, Twist: 1e-6, Contact: 0.3, Friction: mu, DampRate: 5,
	}
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

// drawKnot ties a knot in a yarn of edges of a length and so many quadrature points on each, draws its ends apart at a
// speed and lets them come back.
func (t *trial) drawKnot(m yarn.Material, edge, speed float64, points int) *drawnKnot {
	const slack, drawn, fast, tail = 0.2, 0.05, 0.1, 0.2
	k := &drawnKnot{m: m, speed: speed}
	w, err := yarn.New(yarn.Options{Material: m, Strain: 1e-9, Points: points, Workers: t.Options.Workers})
	t.must(err)
	laid := overhand(0.06, edge, int(tail/edge))
	n := len(laid)
	_, err = w.AddYarn(yarn.Yarn{Name: "yarn", Points: laid})
	t.must(err)
	d := &knotDrawing{
		t: t, loop: knot{w: w, n: n}, contact: newEveryPair(m, []yarn.Yarn{{Points: laid}}, points),
		left: laid[0], right: laid[n-1], axis: laid[n-1].Sub(laid[0]).Unit(),
		beside: int(knotReach / edge), h: 2 * rodStep(m, edge),
	}
	t.must(w.AddHold(yarn.Hold{Points: []int{0}, Motion: puppetString{&d.left}}))
	t.must(w.AddHold(yarn.Hold{Points: []int{n - 1}, Motion: puppetString{&d.right}}))
	d.move(slack, fast)
	k.closing = d.move(drawn, speed)
	k.tight = append([]r3.Vec(nil), w.Positions()...)
	k.opening = d.move(-drawn, speed)
	return k
}

// knotDrawing is a knot that is drawn.
type knotDrawing struct {
	t           *trial
	loop        knot
	contact     *everyPair
	left, right r3.Vec // where its ends are
	axis        r3.Vec
	beside      int // points from the middle to where tensions are measured
	h           float64
}

// move draws the ends apart by a way, at a speed that rises and falls gently, and returns what it measures meanwhile.
func (d *knotDrawing) move(way, speed float64) (samples []knotSample) {
	const gentle, count = 0.1, 200
	w, middle := d.loop.w, d.loop.n/2
	steps := int(math.Abs(way/speed) / ((1 - gentle) * d.h))
	for i := range steps {
		place := (float64(i) + 0.5) / float64(steps)
		by := d.axis.Scale(way / 2 / ((1 - gentle) * float64(steps)) * min(1, place/gentle, (1-place)/gentle))
		d.left, d.right = d.left.Sub(by), d.right.Add(by)
		_, err := w.Step(d.h)
		d.t.must(err)
		if i%(steps/count) != 0 {
			continue
		}
		s := knotSample{radius: d.loop.loop(), tension: (w.Tension(middle-d.beside) + w.Tension(middle+d.beside)) / 2}
		if s.compared() {
			s.pressed = d.contact.pressed(w.Positions())
		}
		samples = append(samples, s)
	}
	return samples
}

// knotPicture draws the middle half of a knot, its axis level and its loop upwards.
func (t *trial) knotPicture(name string, k *drawnKnot) {
	const width, height = 1000, 500
	n := len(k.tight)
	first, middle := k.tight[0], k.tight[n/2].Sub(k.tight[0])
	along := k.tight[n-1].Sub(first).Unit()
	up := middle.AddScaled(-middle.Dot(along), along).Unit()
	c := meshio.Curves{Name: name, Radius: k.m.Radius, Closed: []bool{false}}
	for _, p := range k.tight[n/4 : 3*n/4] {
		p = p.Sub(first)
		c.Points = append(c.Points, r3.V(p.Dot(along), p.Dot(up.Cross(along)), p.Dot(up)))
	}
	c.Counts = []int32{int32(len(c.Points))}
	m := c.Tubes(4, 16)
	surfaces := []draw.Surface{{Name: name, Positions: m.Positions, Triangles: m.Triangles}}
	opt := draw.DefaultOptions()
	opt.Width, opt.Height, opt.Workers = width, height, t.Workers
	camera := draw.Fit(draw.Bounds(surfaces), r3.V(0, -1, 0.2), float64(width)/height)
	t.Plots = append(t.Plots, Figure{Name: name, Picture: draw.Render(surfaces, camera, opt)})
}
