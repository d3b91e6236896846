package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// K22: an overhand knot with friction holds between two tensions: it is drawn tighter above the upper and opens below
// the lower. When its ends go apart by dx, its two strands slide past each other by dx, so that friction takes the work
// μ N dx, with N the force that they press each other with: T = T₀ ± μ N at the same loop, and
//
//	T_upper - T_lower = μ (N_upper + N_lower).
//
// Where μ N exceeds T₀ the knot holds without any pull, and its ends have to be pushed. They may bow before it opens.
var knotFriction = verify.Case{
	ID: "K22", Title: "friction holds an overhand knot", Source: "work of friction, as in [Audoly07] and [Jawed15]",
	Body: func(t *verify.Trial) {
		mus, speed := []float64{0, 0.1, 0.2, 0.3}, 0.02
		if t.Options.Full {
			mus, speed = []float64{0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3}, 0.01
		}
		var knots []*drawnKnot
		plot := draw.Plot{
			Title: "K22: a knot is drawn tight and let go", X: "radius of the loop over that of the yarn", Y: "T r²/EI",
		}
		for _, mu := range mus {
			k := drawKnot(t, knotMaterial(knotLoop/10, mu), speed)
			knots = append(knots, k)
			plot.Series = append(plot.Series, k.curve())
		}
		frictionRows(t, knots)
		t.Plot("k22-tension", plot)
		tight := knots[len(knots)-1]
		knotPicture(t, "k22-knot", tight.opening[0].points, tight.m.Radius)
	},
}

// frictionRows holds tensions of knots, of which the first has no friction and the others have more and more, to
// Coulomb's law, and these to their order.
//
// The strands slide by less than dx where they are at an angle to the axis of the knot. Two circles of radius R whose
// nearest points are 2r apart cross it at √(2r/R) at the most, of which the cosine is 1 - r/R.
func frictionRows(t *verify.Trial, knots []*drawnKnot) {
	radius := 0.0 // that none has before it slides
	for _, k := range knots {
		radius = max(radius, 1.03*k.opening[0].radius)
	}
	free := knots[0]
	up, _ := free.held(free.closing, radius)
	down, _ := free.held(free.opening, radius)
	drag := up.tension - down.tension
	t.Row(verify.Row{
		Quantity: "upper tension over the lower without friction", Expected: 1, Measured: up.tension / down.tension,
		Bar:   verify.Relative,
		Limit: free.drag() / down.tension,
	})
	wrong := 0
	for _, k := range knots[1:] {
		name := fmt.Sprintf("μ = %g", k.m.Friction)
		upper, _ := k.held(k.closing, radius)
		lower, opens := k.held(k.opening, radius)
		if opens {
			t.Row(verify.Row{
				Quantity: "(T_upper - T_lower)/(N_upper + N_lower), " + name, Expected: k.m.Friction,
				Measured: (upper.tension - lower.tension - drag) / (upper.pressed + lower.pressed),
				Bar:      verify.Relative, Limit: k.m.Radius / radius,
			})
		} else {
			lower.tension = math.Inf(1)
			for _, s := range k.opening {
				lower.tension = min(lower.tension, s.tension)
			}
			t.Row(verify.Row{
				Quantity: "least T r²/EI of a knot that has not opened, " + name, Measured: lower.tension * k.scale(),
				Bar: verify.AtMost,
			})
		}
		t.Note(
			"%s, R = %.3g r: holds from T r²/EI = %.3g to %.3g", name, radius/k.m.Radius, lower.tension*k.scale(),
			upper.tension*k.scale(),
		)
		if !(upper.tension > up.tension) || opens && !(lower.tension < down.tension) {
			wrong++
		}
		up, down = upper, lower
	}
	t.Row(verify.Row{
		Quantity: "knots that hold no more than one with less friction", Measured: float64(wrong), Bar: verify.AtMost,
	})
	t.Note("Knots with a negative tension hold without a pull: their ends are pushed.")
}

// heldKnot is the tension of a knot and what its strands press each other with [N].
type heldKnot struct{ tension, pressed float64 }

// held returns the mean of both while the loop was within 1 % of a radius, and whether it was on either side of that.
func (k *drawnKnot) held(samples []knotSample, radius float64) (mean heldKnot, passed bool) {
	const around = 0.01
	count, least, most := 0.0, math.Inf(1), 0.0
	for _, s := range samples {
		least, most = min(least, s.radius), max(most, s.radius)
		if math.Abs(s.radius/radius-1) < around {
			mean.tension += s.tension
			mean.pressed += k.contact.pressed(s.points)
			count++
		}
	}
	return heldKnot{mean.tension / count, mean.pressed / count}, least < (1-around)*radius && most > (1+around)*radius
}

// scale makes tensions numbers.
func (k *drawnKnot) scale() float64 { return k.m.Radius * k.m.Radius / k.m.Bend }

// drag returns a bound on the difference of both tensions by damping alone: between the places where they are measured
// no yarn is faster than the ends, v/2 each, and takes more than the power c ρ (v/2)² of its length [N].
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

// knotPicture draws the middle half of a knot, its axis level and its loop upwards.
func knotPicture(t *verify.Trial, name string, x []r3.Vec, radius float64) {
	const width, height = 1000, 500
	n := len(x)
	first, middle := x[0], x[n/2].Sub(x[0])
	along := x[n-1].Sub(first).Unit()
	up := middle.AddScaled(-middle.Dot(along), along).Unit()
	c := meshio.Curves{Name: name, Radius: radius, Closed: []bool{false}}
	for _, p := range x[n/4 : 3*n/4] {
		p = p.Sub(first)
		c.Points = append(c.Points, r3.V(p.Dot(along), p.Dot(up.Cross(along)), p.Dot(up)))
	}
	c.Counts = []int32{int32(len(c.Points))}
	m := c.Tubes(4, 16)
	surfaces := []draw.Surface{{Name: name, Positions: m.Positions, Triangles: m.Triangles}}
	opt := draw.DefaultOptions()
	opt.Width, opt.Height, opt.Workers = width, height, t.Workers
	camera := draw.Fit(draw.Bounds(surfaces), r3.V(0, -1, 0.2), float64(width)/height)
	t.Plots = append(t.Plots, verify.Figure{Name: name, Picture: draw.Render(surfaces, camera, opt)})
}
