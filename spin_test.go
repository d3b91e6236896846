package toile_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// spinner is a free body that turns.
type spinner struct {
	w    *toile.World
	mass []float64
	x, v func() []r3.Vec
}

// state returns its angular momentum about the centre of mass and the kinetic energy of its motion about that.
func (s *spinner) state() (l r3.Vec, kinetic float64) {
	x, v := s.x(), s.v()
	var c, u r3.Vec
	total := 0.0
	for i, m := range s.mass {
		c, u, total = c.AddScaled(m, x[i]), u.AddScaled(m, v[i]), total+m
	}
	c, u = c.Scale(1/total), u.Scale(1/total)
	for i, m := range s.mass {
		r, d := x[i].Sub(c), v[i].Sub(u)
		l = l.AddScaled(m, r.Cross(d))
		kinetic += m / 2 * d.Norm2()
	}
	return l, kinetic
}

func freeWorld(t testing.TB, newton toile.NewtonOptions, theta float64) *toile.World {
	opt := toile.DefaultOptions()
	opt.Workers, opt.Gravity, opt.Theta, opt.Contact.Self = 1, r3.Vec{}, theta, false
	if newton.Iterations > 0 {
		opt.Newton = newton
	}
	w, err := toile.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func spinningBlock(t testing.TB, w *toile.World, law elastic.TetLaw, spin r3.Vec) *spinner {
	m, _, _ := shape.Block(r3.V(0.05, 0.1, 0.02), 3, 6, 2).SkinFirst()
	s := must(body.NewSolid(body.SolidSpec{Mesh: m, Law: law, Material: elastic.Isotropic{Young: 1e6, Poisson: 0.3}, Density: 1000}))
	v := make([]r3.Vec, len(m.X))
	for i, x := range m.X {
		v[i] = spin.Cross(x).Add(r3.V(0.1, 0.2, 0.3))
	}
	id := must(w.AddBody("block", s, m.X, v))
	return &spinner{w, s.Mass, func() []r3.Vec { return w.BodyPositions(id) }, func() []r3.Vec { return w.BodyVelocities(id) }}
}

// spinningSheet is a sheet of 20 cm, bent about the y axis by 1/bend.
func spinningSheet(t testing.TB, w *toile.World, name string, bend float64, spin func(x r3.Vec) r3.Vec) *spinner {
	m, x := shape.Grid(0.2, 0.2, 8, 8)
	v := make([]r3.Vec, len(x))
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.1, 0.1, 0))
		if bend > 0 {
			s, c := math.Sincos(x[i].X / bend)
			x[i].X, x[i].Z = bend*s, bend*(1-c)
		}
		v[i] = spin(x[i]).Cross(x[i])
	}
	c := toile.DefaultCloth("sheet", m, x, fabric(t, name))
	c.Velocities = v
	id := must(w.AddCloth(c))
	return &spinner{w, w.Masses(id), func() []r3.Vec { return w.Positions(id) }, func() []r3.Vec { return w.Velocities(id) }}
}

// Free bodies at 10 rad/s keep their angular momentum to 1 % a second at 2 ms and a tenth of that at 1 ms, with one
// linearization and with several, and their energy never exceeds that of the first steps, in which what starts without
// stress is drawn taut.
func TestFreeBodiesKeepTheirSpin(t *testing.T) {
	const omega, seconds = 10, 0.5
	along := func(axis r3.Vec) func(r3.Vec) r3.Vec { return func(r3.Vec) r3.Vec { return axis.Scale(omega) } }
	several := toile.NewtonOptions{Iterations: 6, Tolerance: 1e-9}
	for _, c := range []struct {
		name   string
		newton toile.NewtonOptions
		add    func(w *toile.World) *spinner
	}{
		{"block", toile.NewtonOptions{}, func(w *toile.World) *spinner {
			return spinningBlock(t, w, elastic.CorotationalLaw, r3.V(0, 0, omega))
		}},
		{"block of three inertias", toile.NewtonOptions{}, func(w *toile.World) *spinner {
			return spinningBlock(t, w, elastic.CorotationalLaw, r3.V(2, 9.4, 2))
		}},
		{"block, six linearizations", several, func(w *toile.World) *spinner {
			return spinningBlock(t, w, elastic.CorotationalLaw, r3.V(0, 0, omega))
		}},
		{"stable block", several, func(w *toile.World) *spinner {
			return spinningBlock(t, w, elastic.StableLaw, r3.V(0, 0, omega))
		}},
		{"stable block of three inertias, one linearization", toile.NewtonOptions{}, func(w *toile.World) *spinner {
			return spinningBlock(t, w, elastic.StableLaw, r3.V(2, 9.4, 2))
		}},
		{"neo-Hookean block of three inertias", several, func(w *toile.World) *spinner {
			return spinningBlock(t, w, elastic.NeoHookeanLaw, r3.V(2, 9.4, 2))
		}},
		{"sheet in its plane", toile.NewtonOptions{}, func(w *toile.World) *spinner {
			return spinningSheet(t, w, "denim", 0, along(r3.V(0, 0, 1)))
		}},
		{"sheet about an axis in its plane", toile.NewtonOptions{}, func(w *toile.World) *spinner {
			return spinningSheet(t, w, "denim", 0, along(r3.V(1, 0, 0)))
		}},
		{"bent sheet", toile.NewtonOptions{}, func(w *toile.World) *spinner {
			return spinningSheet(t, w, "denim", 0.08, along(r3.V(1, 0, 0)))
		}},
	} {
		for _, h := range []float64{1e-3, 2e-3} {
			w := freeWorld(t, c.newton, 1)
			s := c.add(w)
			before, _ := s.state()
			start, top := 0.0, 0.0
			steps := int(math.Round(seconds / h))
			for k := range steps {
				energy := must(w.Step(h)).Energy.Total()
				if k < steps/10 {
					start = max(start, energy)
				}
				top = max(top, energy)
			}
			after, _ := s.state()
			kept, bar := after.Norm()/before.Norm(), seconds*0.01
			if h == 1e-3 {
				bar /= 2
			}
			t.Logf("%s, %g ms: %.6f of its angular momentum is left, energy at most %.6f of that at first", c.name, 1e3*h, kept, top/start)
			if math.Abs(kept-1) > bar || top > 1.001*start {
				t.Errorf("%s, %g ms: %.6f of its angular momentum is left after %g s, energy at most %.6f of that at first", c.name, 1e3*h, kept, seconds, top/start)
			}
		}
	}
}

// With the midpoint rule nothing is given back, because nothing is taken.
func TestMidpointKeepsSpinByItself(t *testing.T) {
	w := freeWorld(t, toile.NewtonOptions{Iterations: 10, Tolerance: 1e-12}, 0.5)
	s := spinningBlock(t, w, elastic.CorotationalLaw, r3.V(2, 9.4, 2))
	before, _ := s.state()
	for range 100 {
		must(w.Step(2e-3))
	}
	after, _ := s.state()
	if d := after.Sub(before).Norm() / before.Norm(); d > 1e-9 {
		t.Errorf("angular momentum changes by %g", d)
	}
}
