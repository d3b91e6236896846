package engine

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// The force of a weak handle is minus the derivative of its energy, and its Hessian minus that of its force, on both
// sides of its limit.
func TestSpringOfAWeakHandle(t *testing.T) {
	h := &holder{nodes: []int32{0, 1}, spec: Handle{Limit: &ForceLimit{Force: 2, Stiffness: 30}}}
	const step = 1e-6
	for _, d := range []r3.Vec{r3.V(0.01, 0.02, -0.03), r3.V(0.1, -0.2, 0.3)} {
		_, force, hessian := h.spring(0, d)
		for _, along := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			up, forceUp, _ := h.spring(0, d.AddScaled(step, along))
			down, forceDown, _ := h.spring(0, d.AddScaled(-step, along))
			if got := (down - up) / (2 * step); math.Abs(got-force.Dot(along)) > 1e-8 {
				t.Errorf("at %v: force %g along %v, energy says %g", d, force.Dot(along), along, got)
			}
			change := forceDown.Sub(forceUp).Scale(1 / (2 * step))
			if got := hessian.MulVec(along); got.Sub(change).Norm() > 1e-7 {
				t.Errorf("at %v: Hessian %v along %v, force says %v", d, got, along, change)
			}
		}
	}
}

// heldPair returns a world with a sheet whose vertices are all held, and steps it once.
func heldPair(t *testing.T, set func(*Cloth)) Stats {
	t.Helper()
	opt := DefaultOptions()
	opt.Gravity, opt.Contact.Self, opt.Workers = r3.Vec{}, false, 1
	w, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	fabric, err := material.LookupFabric("cotton-interlock")
	if err != nil {
		t.Fatal(err)
	}
	m, x := shape.Grid(0.1, 0.1, 1, 1)
	c := DefaultCloth("sheet", m, x, fabric)
	set(&c)
	id, err := w.AddCloth(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddHandle(Handle{Name: "all", Cloth: id, Vertices: []int32{0, 1, 2, 3}}); err != nil {
		t.Fatal(err)
	}
	stats, err := w.Step(0.01)
	if err != nil {
		t.Fatal(err)
	}
	return stats
}

// Threads shorten evenly, to the time at which they close.
func TestThreadsShortenEvenly(t *testing.T) {
	stats := heldPair(t, func(c *Cloth) {
		c.Seams = &Seams{Pairs: [][2]int32{{0, 1}}, Close: 0.1, Thread: Thread{Stiffness: 20, Force: 10}}
	})
	// A tenth of the time has passed, and a tenth of the 0.1 m.
	if want := 20 * 0.01 * 0.01 / 2; math.Abs(stats.Energy.Of(mech.SeamEnergy)-want) > 1e-12 {
		t.Errorf("energy of a thread that is 1 cm too short: %g J, not %g", stats.Energy.Of(mech.SeamEnergy), want)
	}
}

// A cloth that is remeshed starts with the velocities that it was given.
func TestRemeshedClothStartsMoving(t *testing.T) {
	opt := DefaultOptions()
	opt.Workers = 1
	w, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	fabric, err := material.LookupFabric("cotton-interlock")
	if err != nil {
		t.Fatal(err)
	}
	m, x := shape.Grid(0.1, 0.1, 1, 1)
	c, sizes := DefaultCloth("sheet", m, x, fabric), DefaultRemesh()
	c.Remesh, c.Velocities = &sizes, []r3.Vec{{X: 1}, {Y: 2}, {Z: 3}, {}}
	id, err := w.AddCloth(c)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range w.Velocities(id) {
		if v != c.Velocities[i] {
			t.Errorf("vertex %d starts at %v, not %v", i, v, c.Velocities[i])
		}
	}
}

// A sheet that has fallen for one step has the energies of a point.
func TestEnergyOfFreeFall(t *testing.T) {
	opt := DefaultOptions()
	opt.Contact.Self, opt.Workers, opt.Air.Density, opt.Gravity = false, 1, 0, r3.V(0, 0, -10)
	w, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	fabric, err := material.LookupFabric("cotton-interlock")
	if err != nil {
		t.Fatal(err)
	}
	m, x := shape.Grid(0.1, 0.1, 1, 1)
	id, err := w.AddCloth(DefaultCloth("sheet", m, x, fabric))
	if err != nil {
		t.Fatal(err)
	}
	mass := 0.0
	for _, k := range w.Masses(id) {
		mass += k
	}
	stats, err := w.Step(0.01)
	if err != nil {
		t.Fatal(err)
	}
	if want := mass * 0.1 * 0.1 / 2; math.Abs(stats.Energy.Of(mech.KineticEnergy)-want) > 1e-9*want {
		t.Errorf("kinetic energy %g J, not %g", stats.Energy.Of(mech.KineticEnergy), want)
	}
	if want := -mass * 10 * 1e-3; math.Abs(stats.Energy.Of(mech.GravityEnergy)-want) > 1e-9*math.Abs(want) {
		t.Errorf("energy of height %g J, not %g", stats.Energy.Of(mech.GravityEnergy), want)
	}
}

// A rigid body on which a force and a torque act gains both times the time.
func TestLoadsOnARigidBody(t *testing.T) {
	opt := DefaultOptions()
	opt.Gravity, opt.Workers = r3.Vec{}, 1
	w, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	b, err := body.NewRigid(body.Ball(0.1, 1000), r3.NoRotation(), r3.Vec{})
	if err != nil {
		t.Fatal(err)
	}
	force, torque := r3.V(1, 2, 3), r3.V(0.1, -0.2, 0.3)
	if err := b.SetLoad(force, torque); err != nil {
		t.Fatal(err)
	}
	id, err := w.AddBody("ball", b, make([]r3.Vec, 2), make([]r3.Vec, 2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Step(0.01); err != nil {
		t.Fatal(err)
	}
	if got := w.BodyVelocities(id)[0].Scale(b.Mass()); got.Sub(force.Scale(0.01)).Norm() > 1e-9 {
		t.Errorf("momentum %v after 10 ms of %v N", got, force)
	}
	if got := b.Momentum(); got.Sub(torque.Scale(0.01)).Norm() > 1e-10 {
		t.Errorf("angular momentum %v after 10 ms of %v N m", got, torque)
	}
}

// Where a sheet moves little, a step by Newton's method, which takes damping from velocities, ends as one by one
// linearization, which has it in its matrix.
func TestDampingIsTheSameByNewton(t *testing.T) {
	var ends [2][]r3.Vec
	for k, iterations := range []int{1, 5} {
		opt := DefaultOptions()
		opt.Gravity, opt.Contact.Self, opt.Workers, opt.Air.Density = r3.Vec{}, false, 1, 0
		opt.Linear.Method = Direct
		opt.Newton = NewtonOptions{Iterations: iterations, Tolerance: 1e-14}
		w, err := New(opt)
		if err != nil {
			t.Fatal(err)
		}
		fabric, err := material.LookupFabric("cotton-interlock")
		if err != nil {
			t.Fatal(err)
		}
		fabric.Damping = 1e-3
		m, x := shape.Grid(0.1, 0.1, 2, 2)
		c := DefaultCloth("sheet", m, x, fabric)
		for _, p := range x {
			c.Velocities = append(c.Velocities, r3.V(1e-4*p.X/0.1, 0, 0))
		}
		id, err := w.AddCloth(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Step(1e-4); err != nil {
			t.Fatal(err)
		}
		ends[k] = w.Velocities(id)
	}
	for i, v := range ends[0] {
		if v.Sub(ends[1][i]).Norm() > 1e-9 {
			t.Errorf("vertex %d: %v by one linearization, %v by Newton's method", i, v, ends[1][i])
		}
	}
}
