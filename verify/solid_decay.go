package verify

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C37: the bar of L23, with viscosity, in its first mode. What a step leaves of the amplitude is that of the scheme for
// one mode (C31), at default settings and by Newton's method, which takes viscous forces from elsewhere. Cells of a
// fortieth of the bar let ω² be off by (π/40)²/12, as a chain of springs, and by as much again because the masses of
// vertices beside each other differ; a Poisson's ratio of 0 keeps cross-sections as they are.
var solidDecay = Case{
	ID: "C37", Title: "decay of a vibrating bar of tets", Source: "eigenvalues of the scheme for one mode",
	run: func(t *trial) {
		const steps = 40
		omega := math.Pi / 2 * math.Sqrt(beamYoung/beamDensity)
		m := shape.TetBox(r3.V(2, 0.1, 0.1), 40, 2, 2)
		for k, ratio := range []float64{0, 0.3, 0.3} { // of critical
			h, d := 0.06/omega, 2*ratio/omega
			x0, v := append([]r3.Vec(nil), m.X...), make([]r3.Vec, len(m.X))
			for i, x := range m.X {
				v[i] = r3.V(1e-4*math.Cos(math.Pi/2*x.X), 0, 0)
			}
			opt, how := toile.DefaultOptions(), "one linearization"
			if k == 2 {
				opt, how = exactly(1), "Newton"
				opt.Newton.Tolerance = 1e-10
			}
			opt.Gravity, opt.Workers, opt.Linear.Tolerance = r3.Vec{}, t.Workers, 1e-11
			w := t.world(opt)
			solid, err := body.NewSolid(
				body.SolidSpec{Mesh: m, Material: elastic.Isotropic{Young: beamYoung}, Density: beamDensity, Damping: d},
			)
			t.must(err)
			id, err := w.AddBody("bar", solid, m.X, v)
			t.must(err)
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
				t.must(err)
			}
			det := func(i, j int) float64 { return x[i]*speed[j] - x[j]*speed[i] }
			left := 0.5 * math.Log(det(steps, steps+1)/det(0, 1)) / steps
			factor, _ := stepOfMode(1, omega*omega, d, h)
			t.row(Row{
				Quantity: fmt.Sprintf("damping %g of critical, %s: logarithm of what a step leaves of the amplitude", ratio, how),
				Expected: math.Log(factor), Measured: left, Limit: math.Pi * math.Pi / 40 / 40 / 6,
			})
		}
	},
}
