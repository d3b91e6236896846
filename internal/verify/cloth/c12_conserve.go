package cloth

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C12: what a free sheet keeps. A crumpled sheet is thrown, spinning, without gravity, air or damping.
//
// Linear momentum: internal forces sum to zero, so that it is kept for every θ to the accuracy of the linear solver.
// Angular momentum: kept by the implicit midpoint when its equations are solved exactly, because x_θ = (x₀ + x₁)/2
// makes the change of Σ x × m v equal to Σ x_θ × f(x_θ) = 0. Backward Euler, even solved exactly, would lose it at
// first order in h; what is given back (internal/mech/spin.go) leaves second order. Energy: converged backward Euler
// never gains any (the step minimizes ½|v - v₀|²_M + E(x)); the midpoint's stays bounded.
var conservation = verify.Case{
	ID: "C12", Title: "conservation of momentum and energy", Source: "conservation laws of the scheme",
	Body: func(t *verify.Trial) {
		linearMomentum(t)
		angularMomentum(t)
		angularLoss(t)
		energyOfEuler(t)
		energyOfMidpoint(t)
	},
}

// spinning returns a crumpled sheet of n by n cells that flies and spins.
func spinning(t *verify.Trial, opt engine.Options, n int) (*engine.World, engine.ClothID) {
	m, x := shape.Grid(0.2, 0.2, n, n)
	rng := rand.New(rand.NewPCG(7, 11))
	v := make([]r3.Vec, len(x))
	for i := range x {
		jitter := r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5)
		v[i] = r3.V(1, 0.5, -0.3).Add(r3.V(2, -1, 4).Cross(x[i])).AddScaled(0.1, jitter)
		x[i] = x[i].AddScaled(0.02/float64(n), jitter).Add(r3.V(0, 0, 0.01*math.Sin(30*x[i].X)))
	}
	return thrown(t, opt, m, x, v)
}

// thrown returns a world with a sheet at positions x and velocities v, without gravity. It does not touch itself:
// contacts take energy, and spin too, since what touches is a thickness apart.
func thrown(t *verify.Trial, opt engine.Options, m *mesh.Mesh, x, v []r3.Vec) (*engine.World, engine.ClothID) {
	opt.Gravity = r3.Vec{}
	opt.Contact.Self = false
	opt.Workers = t.Workers
	w := t.World(opt)
	c := body.DefaultCloth("sheet", m, x, setup.SheetFabric{Density: 0.2, Stretch: 100, Bend: 1e-5}.Fabric())
	c.Velocities = v
	id, err := cloths.Add(w, c)
	t.Must(err)
	return w, id
}

func momenta(w *engine.World, id engine.ClothID) (linear, angular r3.Vec) {
	x, v, m := w.Positions(id), w.Velocities(id), w.Masses(id)
	for i := range x {
		p := v[i].Scale(m[i])
		linear = linear.Add(p)
		angular = angular.Add(x[i].Cross(p))
	}
	return linear, angular
}

// spin returns the angular momentum about the centre of mass, which the position of the origin does not
// change and rounding of the flight does not reach.
func spin(w *engine.World, id engine.ClothID) r3.Vec {
	x, v, m := w.Positions(id), w.Velocities(id), w.Masses(id)
	var center, drift r3.Vec
	total := 0.0
	for i := range x {
		center = center.AddScaled(m[i], x[i])
		drift = drift.AddScaled(m[i], v[i])
		total += m[i]
	}
	center, drift = center.Scale(1/total), drift.Scale(1/total)
	var spin r3.Vec
	for i := range x {
		spin = spin.Add(x[i].Sub(center).Cross(v[i].Sub(drift)).Scale(m[i]))
	}
	return spin
}

func linearMomentum(t *verify.Trial) {
	steps := 500
	if t.Options.Full {
		steps = 10_000
	}
	for _, theta := range []float64{1, 0.5, 0.75} {
		opt := engine.DefaultOptions()
		opt.Theta = theta
		opt.Linear.Method = engine.Direct
		w, id := spinning(t, opt, 5)
		before, _ := momenta(w, id)
		for range steps {
			_, err := w.Step(1e-3)
			t.Must(err)
		}
		after, _ := momenta(w, id)
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("linear momentum lost in %d steps, θ = %g, relative", steps, theta),
			Measured: after.Sub(before).Norm() / before.Norm(), Bar: verify.AtMost, Limit: 1e-12,
			From: "as many roundings as full runs have steps",
		})
	}
}

func angularMomentum(t *verify.Trial) {
	steps := 200
	if t.Options.Full {
		steps = 2000
	}
	w, id := spinning(t, setup.Exactly(0.5), 5)
	before := spin(w, id)
	missed := 0
	for range steps {
		s, err := w.Step(1e-3)
		t.Must(err)
		if !s.Converged {
			missed++
		}
	}
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("angular momentum lost in %d steps, θ = ½, relative", steps),
		Measured: spin(w, id).Sub(before).Norm() / before.Norm(), Bar: verify.AtMost, Limit: 1e-12,
		From: "as many roundings as steps",
	})
	t.Row(verify.Row{Quantity: "steps above 1e-12 m/s, θ = ½", Measured: float64(missed), Bar: verify.AtMost, Limit: 0})
}

// turningSheetOf returns a flat sheet of n by n cells that turns in its plane at 20 rad/s. Nothing else moves, because
// vibrations exchange spin with the scheme both ways.
func turningSheetOf(t *verify.Trial, opt engine.Options, n int) (*engine.World, engine.ClothID) {
	m, x := shape.Grid(0.2, 0.2, n, n)
	v := make([]r3.Vec, len(x))
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.1, 0.1, 0))
		v[i] = r3.V(0, 0, 20).Cross(x[i])
	}
	return thrown(t, opt, m, x, v)
}

// angularLoss measures how much spin backward Euler loses in 50 ms at several steps.
func angularLoss(t *verify.Trial) {
	// steps, longest first
	lengths := []float64{1e-3, 5e-4, 2.5e-4}
	if t.Options.Full {
		lengths = append(lengths, 1.25e-4, 6.25e-5)
	}
	const end = 0.05
	// share of spin that each loses
	var losses []float64
	for _, h := range lengths {
		w, id := turningSheetOf(t, setup.Exactly(1), 4)
		first := spin(w, id).Norm()
		for range int(math.Round(end / h)) {
			_, err := w.Step(h)
			t.Must(err)
		}
		losses = append(losses, math.Abs(1-spin(w, id).Norm()/first))
	}
	// the order, from the two shortest
	n := len(lengths)
	order := math.Log(losses[n-2]/losses[n-1]) / math.Log(lengths[n-2]/lengths[n-1])
	t.Row(verify.Row{
		Quantity: "order in h of the spin lost, θ = 1", Expected: 2, Measured: order, Bar: verify.Absolute, Limit: 0.2,
	})
	// against a line of second order
	t.Plot("c12-spin", draw.Plot{
		Title: "C12: spin lost by backward Euler in 50 ms",
		X:     "step [s]",
		Y:     "share lost",
		LogX:  true,
		LogY:  true,
		Series: []draw.Series{
			{Name: "second order", X: lengths, Y: setup.Scaled(lengths, 2, losses[n-1]), Style: draw.Dashed},
			{Name: "measured, θ = 1", X: lengths, Y: losses, Style: draw.Points},
		},
	})
}

func energyOfEuler(t *verify.Trial) {
	steps := 200
	if t.Options.Full {
		steps = 2000
	}
	// Newton steps to the end, and a single linearization
	for _, converged := range []bool{true, false} {
		opt := setup.Exactly(1)
		if !converged {
			opt = engine.DefaultOptions()
		}
		w, _ := spinning(t, opt, 5)
		// largest gain in a step
		last := w.Energy().Total()
		first, gain := last, 0.0
		for range steps {
			s, err := w.Step(1e-3)
			t.Must(err)
			gain = max(gain, s.Energy.Total()-last)
			last = s.Energy.Total()
		}
		// a bar for the first only; the second is told
		if converged {
			t.Row(
				verify.Row{
					Quantity: "largest gain of energy in a step, θ = 1 converged, relative",
					Measured: gain / first,
					Bar:      verify.AtMost,
					Limit:    1e-12,
					From:     "rounding of the sum of energies",
				},
			)
		} else {
			t.Note(
				"θ = 1 with one linearization: largest gain of energy in a step %.2g of the first energy; %.1f %% "+
					"left after %d steps",
				gain/first,
				100*last/first,
				steps,
			)
		}
	}
}

func energyOfMidpoint(t *verify.Trial) {
	steps := 1000
	if t.Options.Full {
		steps = 100_000
	}
	opt := setup.Exactly(0.5)
	w, _ := spinning(t, opt, 3)
	first := w.Energy().Total()
	highest, lowest := first, first
	var times, energies []float64
	for k := range steps {
		s, err := w.Step(5e-4)
		t.Must(err)
		e := s.Energy.Total()
		highest, lowest = max(highest, e), min(lowest, e)
		if k%max(1, steps/500) == 0 {
			times, energies = append(times, s.Time), append(energies, e/first)
		}
	}
	// The midpoint's energy error is O(h²) and does not drift; 5 % over the run is far above it and far
	// below what a drift would reach.
	t.Row(
		verify.Row{
			Quantity: fmt.Sprintf("highest energy in %d steps over the first, θ = ½", steps),
			Expected: 1,
			Measured: highest / first,
			Bar:      verify.Absolute,
			Limit:    0.005,
		},
	)
	t.Row(
		verify.Row{
			Quantity: fmt.Sprintf("lowest energy in %d steps over the first, θ = ½", steps),
			Expected: 1,
			Measured: lowest / first,
			Bar:      verify.Absolute,
			Limit:    0.005,
		},
	)
	t.Plot("c12-energy", draw.Plot{
		Title: "C12: energy under the implicit midpoint", X: "time [s]", Y: "energy / first energy",
		Series: []draw.Series{{Name: "θ = ½", X: times, Y: energies, Style: draw.Line}},
	})
}
