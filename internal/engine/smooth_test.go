package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// softBall is a ball with a radius of 5 cm, with the given layers of tets and a smooth surface.
func softBall(layers int) body.SolidSpec {
	tets, _, _ := shape.Ball(0.05, layers).SkinFirst()
	return body.SolidSpec{
		Mesh:     tets,
		Material: material.Isotropic{Young: 2e4, Poisson: 0.3}, Density: 1000, Damping: 5e-3, Smooth: &smooth.Options{},
	}
}

// smoothCollision throws two soft balls at each other, off their middles and spinning.
func smoothCollision(t testing.TB, workers int) (w *engine.World, ids [2]engine.BodyID) {
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Workers, opt.Contact.Friction = r3.Vec{}, workers, 0.4
	w = must(engine.New(opt))
	spec := softBall(2)
	for k := range ids {
		sign := float64(2*k - 1)
		x, v := make([]r3.Vec, len(spec.Mesh.X)), make([]r3.Vec, len(spec.Mesh.X))
		for i, p := range spec.Mesh.X {
			x[i] = p.Add(r3.V(0.049*sign, 0.015*sign, 0))
			v[i] = r3.V(-1*sign, 0, 0.1).Add(r3.V(0, 3, 5*sign).Cross(p))
		}
		ids[k] = addSolid(t, w, spec, x, v)
	}
	return w, ids
}

// Two smooth solids that collide touch on both sides, are parted again and keep their momentum, with the same bits for
// any number of workers and after a resumption in the middle of it.
func TestSmoothSolidsCollide(t *testing.T) {
	const steps, half = 30, 12
	run := func(workers int, from *engine.Snapshot) (end engine.Hash, middle *engine.Snapshot, sides [2]int) {
		w, ids := smoothCollision(t, workers)
		first := 0
		if from != nil {
			if err := w.Restore(from); err != nil {
				t.Fatal(err)
			}
			first = half
		}
		mass := must(body.NewSolid(softBall(2))).Mass
		momentum := func() (linear r3.Vec) {
			for _, id := range ids {
				p, _ := momenta(mass, w.BodyPositions(id), w.BodyVelocities(id))
				linear = linear.Add(p)
			}
			return linear
		}
		before := momentum()
		for k := first; k < steps; k++ {
			if k == half {
				middle = w.Snapshot()
			}
			stats := must(w.Step(1e-3))
			if !stats.Converged || stats.Smooth.Contacts != stats.Contacts || stats.Smooth.Deep > 0 || stats.Smooth.Off > 5e-3 {
				t.Errorf("step %d: %+v, %d contacts, converged %v", k, stats.Smooth, stats.Contacts, stats.Converged)
			}
			for _, c := range w.Contacts(nil) {
				sides[c.A]++
			}
		}
		// What the solver leaves of each step is below its tolerance.
		if lost := momentum().Sub(before).Norm(); lost > steps*1e-8 {
			t.Errorf("momentum changes by %g N s of %g", lost, before.Norm())
		}
		return w.Snapshot().Hash(), middle, sides
	}
	end, middle, sides := run(1, nil)
	if sides[0] == 0 || sides[1] == 0 {
		t.Errorf("points of one ball touched %d times, of the other %d times", sides[0], sides[1])
	}
	for _, workers := range []int{2, 8} {
		if other, _, _ := run(workers, nil); other != end {
			t.Errorf("another end with %d workers", workers)
		}
	}
	data := must(middle.MarshalBinary())
	var read engine.Snapshot
	if err := read.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if resumed, _, _ := run(2, &read); resumed != end {
		t.Error("another end after a resumption")
	}
}

// icoBall returns the surface of a ball with even triangles.
func icoBall(radius float64, n int) (pos []r3.Vec, tri [][3]int32) {
	tets, _, skin := shape.Ball(radius, n).SkinFirst()
	return tets.X[:skin], tets.Skin()
}

// swelling is a mesh that grows and turns.
type swelling struct{ x []r3.Vec }

func (s swelling) At(t float64, out []r3.Vec) error {
	turn := r3.Rotation(r3.V(0, 0, 1), 0.5*t)
	for i, p := range s.x {
		out[i] = turn.Rotate(p).Scale(1 + 0.2*t)
	}
	return nil
}

// A sheet that falls on a smooth ball, which stays, moves or swells, lies on it at the thickness, and moves along with
// one that turns.
func TestSheetOnSmoothBall(t *testing.T) {
	pos, tri := icoBall(0.08, 5)
	for name, o := range map[string]engine.Obstacle{
		"still":  {Place: r3.Still()},
		"lifted": {Place: r3.Still(), Path: &engine.Path{Keys: []engine.Key{{}, {At: 1, Translate: r3.V(0, 0, 0.1)}}}},
		"swells": {Place: r3.Still(), Deform: swelling{pos}},
	} {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Contact.Friction = 1, 0.5
		w, id := littleSheet(t, opt, 0.085)
		o.Name, o.Tri, o.Positions, o.Smooth = "ball", tri, pos, &smooth.Options{}
		if _, err := w.AddObstacle(o); err != nil {
			t.Fatal(name, err)
		}
		touched := 0
		for range 60 {
			stats := must(w.Step(5e-3))
			touched = max(touched, stats.Smooth.Contacts)
			if stats.Crossings > 0 || stats.Smooth.Deep > 0 || stats.Failsafe.Rounds > 0 {
				t.Fatalf("%s: %+v, %d crossings, fail-safe %+v", name, stats.Smooth, stats.Crossings, stats.Failsafe)
			}
		}
		if touched < 4 {
			t.Errorf("%s: %d contacts at most", name, touched)
		}
		for i, x := range w.Positions(id) {
			radius := 0.08 * (1 + 0.2*w.Time()*float64(bit(name == "swells")))
			middle := r3.V(0, 0, 0.1*w.Time()*float64(bit(name == "lifted")))
			if x.Sub(middle).Norm() < 0.985*radius {
				t.Errorf("%s: vertex %d is %g m from the middle, inside", name, i, x.Sub(middle).Norm())
			}
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What cannot be smooth is refused with a reason.
func TestSmoothRefuses(t *testing.T) {
	pos, tri := icoBall(0.1, 4)
	thin := make([]r3.Vec, len(pos))
	for i, p := range pos {
		thin[i] = r3.V(p.X, p.Y, 0.05*p.Z)
	}
	w := must(engine.New(engine.DefaultOptions()))
	for want, o := range map[string]engine.Obstacle{
		"closed mesh": {Tri: tri[1:], Positions: pos, Smooth: &smooth.Options{}},
		"too thin":    {Tri: tri, Positions: thin, Smooth: &smooth.Options{}},
		"hole":        {Tri: tri, Positions: pos, Smooth: &smooth.Options{Spread: 0.8}},
		"epsilon":     {Tri: tri, Positions: pos, Smooth: &smooth.Options{Epsilon: math.Inf(1)}},
	} {
		o.Place = r3.Still()
		if _, err := w.AddObstacle(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	plate := softBall(2)
	plate.Mesh = shape.TetBox(r3.V(0.3, 0.3, 0.01), 6, 6, 1)
	if _, err := body.NewSolid(plate); err == nil || !strings.Contains(err.Error(), "too thin") {
		t.Errorf("a plate: %v", err)
	}
}
