package engine_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// grasp returns a world in which two fingers close along x with a force, around a place of the given width.
func grasp(t testing.TB, mu, force, width float64) (*engine.World, [2]engine.BodyID) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = 1, mu
	w := must(engine.New(opt))
	var ids [2]engine.BodyID
	half := r3.V(0.01, 0.03, 0.04)
	for i, side := range []float64{-1, 1} {
		b := brick(t, half, 1000, r3.NoRotation(), r3.Vec{})
		err := b.SetHold(body.Hold{
			Axes: r3.Identity(), Move: [3]bool{false, true, true}, Turn: [3]bool{true, true, true},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.SetLoad(r3.V(-side*force, 0, 0), r3.Vec{}); err != nil {
			t.Fatal(err)
		}
		at := r3.V(side*(width/2+opt.Contact.Thickness+half.X), 0, 0)
		ids[i] = must(w.AddBody(fmt.Sprint("finger ", i), b, []r3.Vec{at, {}}, make([]r3.Vec, 2)))
	}
	return w, ids
}

// O18: two fingers hold a cube if and only if its weight is below 2 μ N. Within two per cent of the limit a rigid cube
// that touches at eight places has several motions that all obey Coulomb's law: forces can be divided among the places
// so that it turns and slips, or so that it holds.
func TestGraspOfRigidCube(t *testing.T) {
	const mu, half, h, g, steps = 0.5, 0.025, 2e-3, 9.81, 250
	weight := 8 * half * half * half * 2000 * g
	for _, share := range []float64{0.95, 1.05} { // of what is needed
		force := share * weight / (2 * mu)
		w, fingers := grasp(t, mu, force, 2*half)
		cube := must(w.AddBody("cube", brick(t, r3.V(half, half, half), 2000, r3.NoRotation(), r3.Vec{}),
			make([]r3.Vec, 2), make([]r3.Vec, 2)))
		unsolved := 0
		for range steps {
			stats := must(w.Step(h))
			if stats.Crossings > 0 {
				t.Fatalf("%d crossings", stats.Crossings)
			}
			if !stats.Converged {
				unsolved++
			}
			if w.BodyPositions(cube)[0].Z < -half { // it is about to leave the fingers, which then meet
				continue
			}
			for i, id := range fingers {
				if f := math.Abs(w.BodyImpulses(id, nil)[0].X) / h; math.Abs(f-force) > 1e-4*force {
					t.Fatalf("%g of the force: finger %d feels %g N of %g", share, i, f, force)
				}
			}
		}
		if unsolved > steps/100 {
			t.Errorf("%g of the force: %d of %d steps are not solved", share, unsolved, steps)
		}
		fell := -w.BodyPositions(cube)[0].Z
		if least := (1 - share) * g * h * h * steps * (steps + 1) / 2; share < 1 && fell < 0.99*least {
			t.Errorf("%g of the force: it fell by %g m, and friction cannot keep it from %g", share, fell, least)
		}
		if share > 1 && fell > 1e-8*steps*h {
			t.Errorf("%g of the force: it slipped by %g m", share, fell)
		}
		for i, id := range fingers {
			if z := w.BodyPositions(id)[0].Z; math.Abs(z) > 1e-8*steps*h {
				t.Errorf("finger %d, which is held, went by %g m", i, z)
			}
		}
	}
}

// The same with a soft cube.
func TestGraspOfSoftCube(t *testing.T) {
	const mu, side, h, g, density = 0.5, 0.05, 4e-3, 9.81, 1000
	weight := side * side * side * density * g
	for _, share := range []float64{0.98, 1.02} { // of what is needed
		force := share * weight / (2 * mu)
		w, _ := grasp(t, mu, force, side)
		m := shape.TetBox(r3.V(side, side, side), 3, 3, 3)
		for i := range m.X {
			m.X[i] = m.X[i].Sub(r3.V(side/2, side/2, side/2))
		}
		soft, err := body.NewSolid(body.SolidSpec{
			Mesh: m, Material: material.Isotropic{Young: 2e5, Poisson: 0.3}, Density: density, Damping: 0.02,
		})
		if err != nil {
			t.Fatal(err)
		}
		cube := must(w.AddBody("cube", soft, m.X, make([]r3.Vec, len(m.X))))
		height := func() (z float64) {
			for _, x := range w.BodyPositions(cube) {
				z += x.Z / float64(len(m.X))
			}
			return z
		}
		var half float64
		for k := range 200 {
			if stats := must(w.Step(h)); stats.Crossings > 0 {
				t.Fatalf("%d crossings", stats.Crossings)
			}
			if k == 99 {
				half = height()
			}
		}
		slid := half - height()
		// From rest with a fiftieth of g, the second half of the time takes three quarters of the way.
		if way := 0.02 * g * math.Pow(200*h, 2) / 2; share > 1 && slid > 1e-5 || share < 1 && slid < 0.5*0.75*way {
			t.Errorf("%g of the force: it slid by %g m in the second half", share, slid)
		}
	}
}
