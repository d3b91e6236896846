package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// addSolid adds a solid at the given positions and velocities.
func addSolid(t testing.TB, w *engine.World, spec body.SolidSpec, x, v []r3.Vec) engine.BodyID {
	t.Helper()
	s, err := body.NewSolid(spec)
	if err != nil {
		t.Fatal(err)
	}
	return must(w.AddBody("solid", s, x, v))
}

// jelly is a block of 0.1 x 0.1 x 0.05 m, of 0.5 kg.
func jelly() body.SolidSpec {
	return body.SolidSpec{
		Mesh:     shape.TetBox(r3.V(0.1, 0.1, 0.05), 4, 4, 2),
		Material: material.Isotropic{Young: 2e4, Poisson: 0.3}, Density: 1000, Damping: 5e-3,
	}
}

// momenta returns the linear [N s] and angular [N m s] momentum of a solid.
func momenta(mass []float64, x, v []r3.Vec) (linear, angular r3.Vec) {
	for i, m := range mass {
		linear, angular = linear.AddScaled(m, v[i]), angular.Add(x[i].Cross(v[i].Scale(m)))
	}
	return linear, angular
}

// A solid that is thrown, spinning and stretched, swings and comes to a rest in itself, and keeps both momenta.
func TestSolidKeepsMomentum(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Theta, opt.Workers = r3.Vec{}, 0.5, 1
	opt.Newton = engine.NewtonOptions{Iterations: 20, Tolerance: 1e-12}
	w := must(engine.New(opt))
	spec := jelly()
	x, v := make([]r3.Vec, len(spec.Mesh.X)), make([]r3.Vec, len(spec.Mesh.X))
	for i, p := range spec.Mesh.X {
		x[i] = r3.V(1.1*p.X, p.Y, 0.95*p.Z)
		v[i] = r3.V(1, 2, -0.5).Add(r3.V(5, -10, 20).Cross(p))
	}
	id := addSolid(t, w, spec, x, v)
	solid := must(body.NewSolid(spec))
	linear, angular := momenta(solid.Mass, x, v)
	before := w.Energy()
	for range 200 {
		if stats := must(w.Step(2e-3)); stats.Contacts > 0 {
			t.Fatalf("%d contacts, where nothing touches", stats.Contacts)
		}
	}
	p, l := momenta(solid.Mass, w.BodyPositions(id), w.BodyVelocities(id))
	if d := p.Sub(linear).Norm() / linear.Norm(); d > 1e-10 {
		t.Errorf("linear momentum changes by %g", d)
	}
	if d := l.Sub(angular).Norm() / angular.Norm(); d > 1e-9 {
		t.Errorf("angular momentum changes by %g", d)
	}
	after := w.Energy()
	t.Logf("energies %v before, %v after", before, after)
	if !(after.Total() < before.Total() && after.Of(mech.SolidEnergy) < 0.5*before.Of(mech.SolidEnergy)) {
		t.Errorf("energies %v before, %v after", before, after)
	}
}

// A solid falls on a floor, comes to rest on it, and presses on it with its weight.
func TestSolidOnFloor(t *testing.T) {
	build := func(workers int) (*engine.World, engine.BodyID) {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Contact.Friction = workers, 0.3
		w := must(engine.New(opt))
		spec := jelly()
		x := make([]r3.Vec, len(spec.Mesh.X))
		place := r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), 0.2), T: r3.V(0, 0, 0.03)}
		for i, p := range spec.Mesh.X {
			x[i] = place.Apply(p)
		}
		id := addSolid(t, w, spec, x, make([]r3.Vec, len(x)))
		must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
		return w, id
	}
	w, id := build(1)
	for k := range 300 {
		if k == 20 {
			again, _ := build(2)
			if err := again.Restore(w.Snapshot()); err != nil {
				t.Fatal(err)
			}
			must(w.Step(2e-3))
			must(again.Step(2e-3))
			if w.Snapshot().Hash() != again.Snapshot().Hash() {
				t.Error("restored with two workers, it goes elsewhere")
			}
		}
		if stats := must(w.Step(2e-3)); stats.Crossings > 0 || !stats.Converged {
			t.Fatalf("step %d: %d crossings, converged %v, residual %g", k, stats.Crossings, stats.Converged, stats.Residual)
		}
	}
	forces := w.PairForces(nil)
	if len(forces) != 1 || math.Abs(forces[0].Force.Z/(0.5*9.81)-1) > 0.01 {
		t.Errorf("forces %+v, want its weight of %g N", forces, 0.5*9.81)
	}
	lowest, fastest := math.Inf(1), 0.0
	for i, x := range w.BodyPositions(id) {
		lowest, fastest = min(lowest, x.Z), max(fastest, w.BodyVelocities(id)[i].Norm())
	}
	now := mesh.Tets{X: w.BodyPositions(id), Tet: jelly().Mesh.Tet}
	t.Logf("lowest %g m, fastest %g m/s, volume %g", lowest, fastest, now.Volume()/5e-4)
	if !(lowest > 0) || fastest > 0.02 {
		t.Errorf("it is down to %g m and moves at %g m/s", lowest, fastest)
	}
}

// A cloth falls over a solid on a floor: nothing crosses, and the floor carries both.
func TestClothOnSolid(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers = 1
	w := must(engine.New(opt))
	spec := jelly()
	at := make([]r3.Vec, len(spec.Mesh.X))
	for i, p := range spec.Mesh.X {
		at[i] = p.Add(r3.V(0, 0, 1.1e-3))
	}
	addSolid(t, w, spec, at, make([]r3.Vec, len(at)))
	m, x := shape.Grid(0.12, 0.12, 8, 8)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.013, -0.008, 0.06))
	}
	cloth := addCloth(t, w, engine.DefaultCloth("napkin", m, x, fabric(t, "cotton-interlock")))
	floor := must(
		w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}),
	)
	for k := range 200 {
		if stats := must(w.Step(2e-3)); stats.Crossings > 0 || stats.Failsafe.Left > 0 {
			t.Fatalf("step %d: %d crossings", k, stats.Crossings)
		}
	}
	weight := 0.5 * 9.81
	for _, m := range w.Masses(cloth) {
		weight += 9.81 * m
	}
	carried := 0.0
	for _, f := range w.PairForces(nil) {
		if f.A == w.ObstacleSurface(floor) || f.B == w.ObstacleSurface(floor) {
			carried += math.Abs(f.Force.Z)
		}
	}
	if math.Abs(carried/weight-1) > 0.02 {
		t.Errorf("the floor carries %g N of %g N", carried, weight)
	}
}
