// Package whirl sets up free bodies that turn, and sums up what they keep: for tests, verifications and measurements of
// spin.
package whirl

import (
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Body is something soft that turns.
type Body struct {
	World *engine.World
	Mass  []float64
	X, V  func() []r3.Vec
}

// Options are those of a world without gravity and contact of sheets with themselves. Steps have one linearization, or
// up to so many.
func Options(theta float64, newton int) engine.Options {
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Contact.Self, opt.Theta = r3.Vec{}, false, theta
	if newton > 1 {
		opt.Newton.Iterations, opt.Newton.Tolerance = newton, 1e-9
	}
	return opt
}

// Momentum returns the angular momentum about the centre of mass, and the kinetic energy of the motion about that.
func (b *Body) Momentum() (l r3.Vec, kinetic float64) {
	x, v := b.X(), b.V()
	var center, drift r3.Vec
	total := 0.0
	for i, m := range b.Mass {
		center, drift, total = center.AddScaled(m, x[i]), drift.AddScaled(m, v[i]), total+m
	}
	center, drift = center.Scale(1/total), drift.Scale(1/total)
	for i, m := range b.Mass {
		u := v[i].Sub(drift)
		l = l.AddScaled(m, x[i].Sub(center).Cross(u))
		kinetic += m / 2 * u.Norm2()
	}
	return l, kinetic
}

// Inertia returns the tensor of inertia about the origin [kg m²].
func (b *Body) Inertia() (i r3.Mat) {
	for k, x := range b.X() {
		i.AddDiagonal(b.Mass[k] * x.Norm2())
		i.AddOuter(-b.Mass[k], x, x)
	}
	transposed := i.T() // which rounding keeps it from being
	i.Add(&transposed)
	return i.Scale(0.5)
}

// Brick adds a block of 10 x 20 x 4 cm around the origin that turns with the given spin and drifts.
func Brick(w *engine.World, law elastic.TetLaw, young float64, spin, drift r3.Vec) (*Body, error) {
	return brick(w, law, young, 0, spin, drift)
}

// DampedBrick is a Brick that resists straining by so many seconds of its stiffness.
func DampedBrick(w *engine.World, law elastic.TetLaw, young, damping float64, spin r3.Vec) (*Body, error) {
	return brick(w, law, young, damping, spin, r3.Vec{})
}

func brick(w *engine.World, law elastic.TetLaw, young, damping float64, spin, drift r3.Vec) (*Body, error) {
	m, _, _ := shape.Block(r3.V(0.05, 0.1, 0.02), 3, 6, 2).SkinFirst()
	s, err := body.NewSolid(body.SolidSpec{
		Mesh: m, Law: law, Material: material.Isotropic{Young: young, Poisson: 0.3}, Density: 1000, Damping: damping,
	})
	if err != nil {
		return nil, err
	}
	return solid(w, s, m.X, spin, drift)
}

// Ring adds a ring with a radius of 10 cm and a square section of 2 cm, open by 10 degrees.
func Ring(w *engine.World, young float64, spin r3.Vec) (*Body, error) {
	const radius = 0.1
	m, _, _ := shape.Block(r3.V(radius*math.Pi*350/360, 0.01, 0.01), 36, 1, 1).SkinFirst()
	for i, p := range m.X {
		s, c := math.Sincos(p.X / radius)
		m.X[i] = r3.V(c*(radius+p.Y), s*(radius+p.Y), p.Z)
	}
	for i, t := range m.Tet { // bent the other way round
		a, b, c := m.X[t[1]].Sub(m.X[t[0]]), m.X[t[2]].Sub(m.X[t[0]]), m.X[t[3]].Sub(m.X[t[0]])
		if a.Dot(b.Cross(c)) < 0 {
			m.Tet[i][0], m.Tet[i][1] = t[1], t[0]
		}
	}
	s, err := body.NewSolid(body.SolidSpec{Mesh: m, Material: material.Isotropic{Young: young, Poisson: 0.3}, Density: 1000})
	if err != nil {
		return nil, err
	}
	return solid(w, s, m.X, spin, r3.Vec{})
}

// solid adds a soft body with its centre of mass at the origin.
func solid(w *engine.World, s *body.Solid, rest []r3.Vec, spin, drift r3.Vec) (*Body, error) {
	var center r3.Vec
	total := 0.0
	for i, p := range rest {
		center, total = center.AddScaled(s.Mass[i], p), total+s.Mass[i]
	}
	center = center.Scale(1 / total)
	x, v := make([]r3.Vec, len(rest)), make([]r3.Vec, len(rest))
	for i, p := range rest {
		x[i] = p.Sub(center)
		v[i] = spin.Cross(x[i]).Add(drift)
	}
	id, err := w.AddBody("block", s, x, v)
	if err != nil {
		return nil, err
	}
	return &Body{w, s.Mass, func() []r3.Vec { return w.BodyPositions(id) }, func() []r3.Vec { return w.BodyVelocities(id) }}, nil
}

// Sheet adds a sheet of 20 cm around the origin, bent about the y axis to a radius unless that is 0, whose point x,
// once it is bent, turns with the spin of where it was before.
func Sheet(w *engine.World, fabric string, radius float64, spin func(x r3.Vec) r3.Vec) (*Body, error) {
	cloth, err := material.LookupFabric(fabric)
	if err != nil {
		return nil, err
	}
	m, x := shape.Grid(0.2, 0.2, 8, 8)
	v := make([]r3.Vec, len(x))
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.1, 0.1, 0))
		turn := spin(x[i])
		if radius > 0 {
			s, c := math.Sincos(x[i].X / radius)
			x[i].X, x[i].Z = radius*s, radius*(1-c)
		}
		v[i] = turn.Cross(x[i])
	}
	c := body.DefaultCloth("sheet", m, x, cloth)
	c.Velocities = v
	id, err := cloths.Add(w, c)
	if err != nil {
		return nil, err
	}
	return &Body{w, w.Masses(id), func() []r3.Vec { return w.Positions(id) }, func() []r3.Vec { return w.Velocities(id) }}, nil
}
