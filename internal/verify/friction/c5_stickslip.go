package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// compressions are the shares ε of its length by which a strip, clamped upright over a floor, is pressed down when its
// tip, which sticks until then, asks for the friction μ: the clamped-pinned elastica, H/P as a function of ε, the
// stick-slip test of [Romero21] after Sano and others (2017).
var compressions = []struct{ mu, epsilon float64 }{
	{0.05, 0.01238},
	{0.10, 0.04687},
	{0.15, 0.09690},
	{0.20, 0.15487},
	{0.25, 0.21446},
	{0.30, 0.27156},
	{0.35, 0.32399},
}

// Elements along the strip of C5, and the strain that its load makes at the most.
const stickElements, stickStrain = 40, 1e-4

// C5: a strip clamped upright is pressed onto a floor without gravity and buckles. Its tip sticks until the force asks
// for more friction than there is: reading μ back from when it slips measures the friction of the simulation.
var stickSlip = verify.Case{
	ID:     "C5",
	Title:  "stick and slip of a buckled strip",
	Source: "clamped-pinned elastica, the stick-slip test of [Romero21]",
	Body: func(t *verify.Trial) {
		curve := pressStrip(t, stickElements, 1, 0, 0.33, nil)
		var mus, epsilons, got []float64
		for _, c := range compressions {
			ratio := curve.at(c.epsilon)
			mus, epsilons, got = append(mus, c.mu), append(epsilons, c.epsilon), append(got, ratio)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("H/P of a tip that sticks at ε = %g", c.epsilon),
					Expected: c.mu,
					Measured: ratio,
					Bar:      verify.Relative,
					Limit:    math.Pow(math.Pi/stickElements, 2) + stickStrain/c.epsilon,
					From:     "elements bend by up to π/n, and the strip shortens by 1e-4",
				},
			)
		}
		slips := draw.Series{Name: "slips, measured", Style: draw.Points}
		for k, c := range compressions {
			if k == 0 || k == len(compressions)-1 || !t.Options.Full && k%2 == 0 {
				continue
			}
			end := math.NaN()
			pressStrip(t, stickElements, c.mu, 0.8*c.epsilon, 1.2*c.epsilon, func(epsilon float64) { end = epsilon })
			before, after := compressions[k-1], compressions[k+1]
			slope := (after.mu - before.mu) / (after.epsilon - before.epsilon)
			back := c.mu + slope*(end-c.epsilon)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("μ read back from when the tip slips (ε = %.4f)", end),
					Expected: c.mu,
					Measured: back,
					Bar:      verify.Relative,
					Limit:    0.03,
				},
			)
			slips.X, slips.Y = append(slips.X, end), append(slips.Y, c.mu)
		}
		t.StepsRow()
		exact := draw.Series{Name: "elastica", X: epsilons, Y: mus, Style: draw.Line}
		t.Plot("c5-stick-slip", draw.Plot{
			Title: "C5: friction that the tip of a buckled strip asks for",
			X:     "compression ε",
			Y:     "H/P",
			Series: []draw.Series{
				draw.Tolerance(exact, "±3 %", 0.03, 0),
				exact,
				{Name: "sticks, measured", X: epsilons, Y: got, Style: draw.Points},
				slips,
			},
		})
	},
}

// pressCurve is H/P over ε.
type pressCurve struct{ epsilon, ratio []float64 }

func (c *pressCurve) at(epsilon float64) float64 {
	for i := 1; i < len(c.epsilon); i++ {
		if c.epsilon[i] >= epsilon {
			s := (epsilon - c.epsilon[i-1]) / (c.epsilon[i] - c.epsilon[i-1])
			return c.ratio[i-1] + s*(c.ratio[i]-c.ratio[i-1])
		}
	}
	return math.NaN()
}

// pressStrip presses a strip of n elements down to the share end of its length in small increments, each in damped
// steps. From the share from on the friction is mu, before it is 1: the strip jumps a little when it begins to buckle.
// If slipped is not nil, it is called with the compression at which the tip has gone 1e-3 of the length, and the run
// ends there.
func pressStrip(t *verify.Trial, n int, mu, from, end float64, slipped func(epsilon float64)) *pressCurve {
	const length, width, bend, density, h = 0.2, 0.02, 1e-2, 0.2, 5e-3
	opt := engine.DefaultOptions()
	opt.Gravity = r3.Vec{}
	m, x := shape.Grid(length, width, n, 2)
	var root []int32
	tip := 0
	for i, p := range x {
		s := p.X / length
		if p.X == 0 {
			root = append(root, int32(i))
		}
		if p.X == length {
			tip = i
		}
		// A bow that tells the strip where to buckle.
		x[i] = r3.V(4e-3*length*s*s*(1-s), p.Y, length-p.X)
	}
	_, edges := setup.Ends(m, m.Material, 0)
	var clamps []body.Clamp
	for _, e := range edges {
		clamps = append(clamps, body.Clamp{Edge: e, Dir: r3.V(0, 0, -1)})
	}
	// The strip carries at most some 30 B/L² of force a width: strains below 1e-4.
	f := setup.SheetFabric{
		Density: density, Stretch: 30 * bend / (length * length) / stickStrain, Bend: bend, Membrane: body.Arc,
	}
	w, id := setup.ClampedSheet(t, opt, m, x, f, clamps)
	hand, err := w.AddHandle(engine.Handle{Name: "clamp", Cloth: id, Vertices: root})
	t.Must(err)
	setup.Obstacle(
		t, w, "floor", shape.Plane{Point: r3.V(0, 0, -opt.Contact.Thickness), Normal: r3.V(0, 0, 1)}, r3.Still(),
	)
	setup.SetFriction(w, id, 1)
	var curve pressCurve
	start := w.Positions(id)[tip]
	var forces []engine.PairForce
	const increment, damped = 0.002, 12
	for k := 1; float64(k)*increment <= end+increment; k++ {
		epsilon := float64(k) * increment
		if epsilon >= from {
			setup.SetFriction(w, id, mu)
		}
		for j := range damped {
			now := epsilon - increment*(1-float64(j+1)/damped)
			w.MoveHandle(hand, r3.Translation(r3.V(0, 0, -now*length)))
			t.Step(w, h)
			setup.SetSpeed(w, id, 0.9, r3.Vec{})
			if gone := w.Positions(id)[tip].Sub(start); slipped != nil && math.Hypot(gone.X, gone.Y) > 1e-3*length {
				slipped(now)
				return &curve
			}
		}
		forces = w.PairForces(forces[:0])
		if len(forces) == 1 {
			curve.epsilon, curve.ratio = append(
				curve.epsilon,
				epsilon,
			), append(
				curve.ratio,
				math.Hypot(forces[0].Force.X, forces[0].Force.Y)/math.Abs(forces[0].Force.Z),
			)
		}
	}
	return &curve
}
