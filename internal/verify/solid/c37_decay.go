package solid

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C37: the bar of L23, with viscosity, in its first mode. What a step leaves of the amplitude is that of the scheme for
// one mode (C31), at default settings and by Newton's method, which takes viscous forces from elsewhere. Cells of a
// fortieth of the bar let ω² be off by (π/40)²/12, as a chain of springs, and by as much again because the masses of
// vertices beside each other differ; a Poisson's ratio of 0 keeps cross-sections as they are.
var solidDecay = verify.Case{
	ID: "C37", Title: "decay of a vibrating bar of tets", Source: "eigenvalues of the scheme for one mode",
	Body: func(t *verify.Trial) {
		const steps = 40
		omega := math.Pi / 2 * math.Sqrt(beamYoung/beamDensity)
		m := shape.TetBox(r3.V(2, 0.1, 0.1), 40, 2, 2)
		for k, ratio := range []float64{0, 0.3, 0.3} { // of critical
			h, d := 0.06/omega, 2*ratio/omega
			x0, v := append([]r3.Vec(nil), m.X...), make([]r3.Vec, len(m.X))
			for i, x := range m.X {
				v[i] = r3.V(1e-4*math.Cos(math.Pi/2*x.X), 0, 0)
			}
			opt, how := engine.DefaultOptions(), "one linearization"
			if k == 2 {
				opt, how = setup.Exactly(1), "Newton"
				opt.Newton.Tolerance = 1e-10
			}
			opt.Gravity, opt.Workers, opt.Linear.Tolerance = r3.Vec{}, t.Workers, 1e-11
			w := t.World(opt)
			solid, err := body.NewSolid(
				body.SolidSpec{
					Mesh: m, Material: material.Isotropic{Young: beamYoung}, Density: beamDensity, Damping: d,
				},
			)
			t.Must(err)
			id, err := w.AddBody("bar", solid, m.X, v)
			t.Must(err)
			project := func() (x, v float64) {
				for i, p := range w.BodyPositions(id) {
					mode := solid.Mass[i] * math.Cos(math.Pi/2*x0[i].X)
					x, v = x+mode*(p.X-x0[i].X), v+mode*w.BodyVelocities(id)[i].X
				}
				return x, v
			}
			var x, speed []float64
			for range steps + 2 {
				p, q := project()
				x, speed = append(x, p), append(speed, q)
				_, err := w.Step(h)
				t.Must(err)
			}
			det := func(i, j int) float64 { return x[i]*speed[j] - x[j]*speed[i] }
			left := 0.5 * math.Log(det(steps, steps+1)/det(0, 1)) / steps
			factor, _ := setup.StepOfMode(1, omega*omega, d, h)
			t.Row(verify.Row{
				Quantity: fmt.Sprintf(
					"damping %g of critical, %s: logarithm of what a step leaves of the amplitude", ratio, how,
				),
				Expected: math.Log(factor), Measured: left, Limit: math.Pi * math.Pi / 40 / 40 / 6,
			})
		}
		flapUnderTension(t)
	},
}

// flapUnderTension stretches a bar by a fifth, holds its ends and lets it swing across. A step of one linearization
// with the matrix M + h² K that has forces -K' x takes its first mode by a matrix of determinant 1/D and of the trace
// 1 + 1/D - Q/D, D and Q the quotients of M + h² K and h² K' and of M: D - 1 and Q are the same if K is the derivative
// of the forces.
//
// It begins with a sine, in which cross-sections do not turn along; what turns them is of high frequency, and gone
// after ten steps, which divide it by h ω > 10 each. It turns by less than 1e-7 rad in a step, so that what stresses
// take is not given back. What is left of other modes is a share of (π/20)² at most.
func flapUnderTension(t *verify.Trial) {
	// bar, stretched and bent by a sine
	const young, strain, amplitude, begin = 1e6, 0.2, 1e-8, 10
	m := shape.TetBox(r3.V(1, 0.04, 0.04), 20, 2, 2)
	h := 0.3 / (math.Pi * math.Sqrt(young*strain/beamDensity))
	start, mode := make([]r3.Vec, len(m.X)), make([]float64, len(m.X))
	var ends []int32
	for i, x := range m.X {
		mode[i] = math.Sin(math.Pi * x.X)
		start[i] = r3.V((1+strain)*x.X, x.Y+amplitude*mode[i], x.Z)
		if x.X == 0 || x.X == 1 {
			ends = append(ends, int32(i))
		}
	}
	// world that solves to rounding
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Workers, opt.Linear.Tolerance = r3.Vec{}, t.Workers, 1e-13
	opt.Linear.Method = engine.Direct
	w := t.World(opt)
	solid, err := body.NewSolid(body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: young}, Density: beamDensity,
	})
	t.Must(err)
	id, err := w.AddBody("bar", solid, start, make([]r3.Vec, len(start)))
	t.Must(err)
	// its ends are held
	_, err = w.AddHandle(engine.Handle{Name: "ends", Body: &id, Vertices: ends})
	t.Must(err)
	// quotients with the mode: place and velocity, step after step
	var x, v []float64
	for range begin + 3 {
		p, q := 0.0, 0.0
		for i := range m.X {
			p += solid.Mass[i] * mode[i] * (w.BodyPositions(id)[i].Y - m.X[i].Y)
			q += solid.Mass[i] * mode[i] * w.BodyVelocities(id)[i].Y
		}
		x, v = append(x, p), append(v, q)
		_, err := w.Step(h)
		t.Must(err)
	}
	// determinant and trace of a step, and the stiffness from them
	det := func(i, j int) float64 { return x[i]*v[j] - x[j]*v[i] }
	d := det(begin, begin+1) / det(begin+1, begin+2)
	trace := det(begin, begin+2) / det(begin, begin+1)
	t.Row(verify.Row{
		Quantity: "stretched by a fifth, swinging across: stiffness in the matrix over that of the forces",
		Expected: 1, Measured: (d - 1) / (1 + d - d*trace), Limit: math.Pow(math.Pi/20, 2),
	})
}
