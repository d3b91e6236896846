package engine_test

import (
	"context"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// largeOptions are those of scenes with solids that deform much.
func largeOptions(workers int) engine.Options {
	opt := engine.DefaultOptions()
	opt.Newton = engine.NewtonOptions{Iterations: 40, Tolerance: 1e-6}
	opt.Workers = workers
	return opt
}

// pressed is a soft ball, 0.1 m across and of 0.5 kg, between a floor and a plane that in 0.2 s comes down to a tenth
// of its height.
func pressed(t testing.TB, law elastic.TetLaw, workers int) (*engine.World, engine.BodyID) {
	w := must(engine.New(largeOptions(workers)))
	m, _, _ := shape.Ball(0.05, 2).SkinFirst()
	x := make([]r3.Vec, len(m.X))
	for i, p := range m.X {
		x[i] = p.Add(r3.V(0, 0, 0.0515))
	}
	id := addSolid(t, w, body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: 1e5, Poisson: 0.4}, Law: law, Density: 1000, Damping: 1e-3,
	}, x, make([]r3.Vec, len(x)))
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	must(w.AddObstacle(engine.Obstacle{
		Name: "press", Shape: shape.Plane{Normal: r3.V(0, 0, -1)}, Place: r3.Translation(r3.V(0, 0, 0.103)),
		Path: &engine.Path{Keys: []engine.Key{{At: 0}, {At: 0.2, Translate: r3.V(0, 0, -0.09)}}},
	}))
	return w, id
}

// leastBulk returns the least volume of a tet of a solid over that at rest.
func leastBulk(w *engine.World, id engine.BodyID) float64 {
	tets := w.Body(id).(*body.Solid).Tets
	tets.Update(w.BodyPositions(id), elastic.EnergyOnly, 0, tets.Len())
	least := math.Inf(1)
	for e := range tets.Len() {
		least = min(least, tets.Bulk(e))
	}
	return least
}

// Pressed to a tenth of its height a ball does not cross what presses it, and is not inverted where the law forbids it.
// All steps converge.
func TestBallPressedToATenth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for law, name := range map[elastic.TetLaw]string{elastic.NeoHookeanLaw: "neo-Hookean", elastic.StableLaw: "stable"} {
		w, id := pressed(t, law, 1)
		steps, converged, most, worst := 0, 0, 0, 0.0
		for w.Time() < 0.2-1e-9 {
			if err := w.Advance(4e-3, 4e-3, func(s engine.Stats) {
				steps++
				most, worst = max(most, s.Newton), max(worst, s.Nonlinear)
				if s.Converged {
					converged++
				} else {
					t.Errorf("%s: step at %g s did not converge: %.2g m/s", name, s.Time, s.Nonlinear)
				}
				if s.Crossings > 0 || s.Failsafe.Rounds > 0 || s.Residual > 1e-7 {
					t.Errorf("%s at %g s: %d crossings, fail-safe %+v, residual %g", name, s.Time, s.Crossings, s.Failsafe, s.Residual)
				}
			}); err != nil {
				t.Fatal(err)
			}
			if least := leastBulk(w, id); law == elastic.NeoHookeanLaw && !(least > 0) {
				t.Fatalf("%s at %g s: a tet is inverted, %g", name, w.Time(), least)
			}
		}
		high := 0.0
		for _, x := range w.BodyPositions(id) {
			high = max(high, x.Z)
		}
		t.Logf("%s: %d of %d steps converge, at most %d linearizations, nonlinear residual %.2g m/s; least volume %.2g",
			name, converged, steps, most, worst, leastBulk(w, id))
		if high > 0.0121 {
			t.Errorf("%s: it is %g m high", name, high)
		}
	}
}

// With any number of workers, and after going back to a snapshot, it goes the same way; a step that is stopped leaves
// the world as it was.
func TestLargeDeformationSameBits(t *testing.T) {
	run := func(workers int) (snapshots [2]engine.Hash) {
		w, _ := pressed(t, elastic.NeoHookeanLaw, workers)
		for k := range 12 {
			if k == 8 {
				again, _ := pressed(t, elastic.NeoHookeanLaw, 1)
				if err := again.Restore(w.Snapshot()); err != nil {
					t.Fatal(err)
				}
				w = again
				snapshots[0] = w.Snapshot().Hash()
				ctx, cancel := context.WithCancel(context.Background())
				w.SetContext(ctx)
				cancel()
				if _, err := w.Step(8e-3); err == nil || w.Snapshot().Hash() != snapshots[0] {
					t.Errorf("a step that is stopped changes the world, or says nothing: %v", err)
				}
				w.SetContext(context.Background())
			}
			if err := w.Advance(8e-3, 8e-3, nil); err != nil {
				t.Fatal(err)
			}
		}
		snapshots[1] = w.Snapshot().Hash()
		return snapshots
	}
	want := run(1)
	for _, workers := range []int{2, 8} {
		if got := run(workers); got != want {
			t.Errorf("%d workers: %v, one: %v", workers, got, want)
		}
	}
}

// A stable solid with tets inside out comes back to its shape.
func TestStableSolidComesBack(t *testing.T) {
	opt := largeOptions(1)
	opt.Gravity, opt.Contact.Self = r3.Vec{}, false
	w := must(engine.New(opt))
	spec := jelly()
	spec.Law = elastic.StableLaw
	x := make([]r3.Vec, len(spec.Mesh.X))
	for i, p := range spec.Mesh.X {
		x[i] = p.Add(r3.V(math.Sin(float64(7*i)), math.Sin(float64(11*i)), math.Sin(float64(13*i))).Scale(0.02))
	}
	id := addSolid(t, w, spec, x, make([]r3.Vec, len(x)))
	if before := leastBulk(w, id); before >= -0.5 {
		t.Fatalf("not much is inverted: %g", before)
	}
	for range 60 {
		must(w.Step(4e-3))
	}
	if least := leastBulk(w, id); least < 0.99 {
		t.Errorf("a tet is at %g of its volume", least)
	}
}

// A damped sheet that is pulled wide under its weight has wrinkles across and a stress that is mostly that of damping.
// Newton's method converges all the same, in a few linearizations: A counts that stress, and is as it is near the end.
func TestDampedSheetConverges(t *testing.T) {
	w := must(engine.New(largeOptions(1)))
	m, x := shape.Grid(1, 1, 12, 12)
	var left, right []int32
	for i, p := range x {
		switch {
		case p.X < 1e-9:
			left = append(left, int32(i))
		case p.X > 1-1e-9:
			right = append(right, int32(i))
		}
	}
	id := must(w.AddCloth(engine.DefaultCloth("sheet", m, x, material.Fabric{
		Density: 0.5, Thickness: 1e-3, Membrane: material.NewStretch(2000, 2000, 1000, 0.2),
		BendWarp: 1e-4, BendWeft: 1e-4, BendBias: 1e-4, Damping: 0.05,
	})))
	must(w.AddHandle(engine.Handle{Name: "left", Cloth: id, Vertices: left}))
	must(w.AddHandle(engine.Handle{
		Name: "right", Cloth: id, Vertices: right,
		Path: &engine.Path{Keys: []engine.Key{{At: 0}, {At: 0.2, Translate: r3.V(0.05, 0, 0)}}},
	}))
	linearizations, steps := 0, 0
	for w.Time() < 0.4-1e-9 {
		s := step(t, w, 10e-3)
		if !s.Converged {
			t.Errorf("at %.2f s: %d linearizations, residual %.2g m/s", s.Time, s.Newton, s.Nonlinear)
		}
		linearizations, steps = linearizations+s.Newton, steps+1
	}
	t.Logf("%.2f linearizations a step", float64(linearizations)/float64(steps))
}

// A body at rest is at rest in one linearization or two: what rounding leaves of a slope is no overshooting.
func TestSolidAtRestIsLeftAlone(t *testing.T) {
	opt := largeOptions(1)
	opt.Contact.Tolerance = 1e-9
	w := must(engine.New(opt))
	m, _, _ := shape.Block(r3.V(0.1, 0.1, 0.05), 2, 2, 2).SkinFirst()
	for i := range m.X {
		m.X[i].Z += 0.05 + opt.Contact.Thickness
	}
	addSolid(t, w, body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: 1e6, Poisson: 0.3}, Law: elastic.StableLaw, Density: 1000, Damping: 0.02,
	}, m.X, make([]r3.Vec, len(m.X)))
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	for range 400 {
		if s := step(t, w, 5e-3); !s.Converged || s.Time > 1.5 && s.Newton > 2 {
			t.Fatalf("at %.2f s: %d linearizations, nonlinear residual %.2g m/s", s.Time, s.Newton, s.Nonlinear)
		}
	}
}
