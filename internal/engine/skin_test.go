package engine_test

import (
	"errors"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// inFineSkin returns a block of tets, 0.1 m wide, with the skin of one that has more cells, larger by a part.
func inFineSkin(cells, fine int, larger float64, material material.Isotropic) body.SolidSpec {
	size := r3.V(0.1, 0.1, 0.1)
	m := shape.TetBox(size, cells, cells, cells)
	outer, _, points := shape.TetBox(size, fine, fine, fine).SkinFirst()
	x := outer.X[:points]
	for i, p := range x {
		x[i] = p.Sub(size.Scale(0.5)).Scale(1 + larger).Add(size.Scale(0.5))
	}
	return body.SolidSpec{
		Mesh: m, Material: material, Density: 1000, Damping: 5e-3, Skin: body.SkinIn(m, x, outer.Skin()),
	}
}

// O23: the forces on a fine skin in coarse tets, some of it outside of them, have the same sum and the same moment as
// what they are for the tets.
func TestCarriedSkinWrench(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = 1, 0.4
	w := must(engine.New(opt))
	spec := inFineSkin(2, 5, 0.02, material.Isotropic{Young: 2e4, Poisson: 0.3})
	place := r3.Pose{R: r3.Rotation(r3.V(1, 0.4, 0), 0.3), T: r3.V(0, 0, 0.05)}
	x, v := make([]r3.Vec, len(spec.Mesh.X)), make([]r3.Vec, len(spec.Mesh.X))
	for i, p := range spec.Mesh.X {
		x[i], v[i] = place.Apply(p), r3.V(0.5, 0, -0.5)
	}
	id := addSolid(t, w, spec, x, v)
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	pushed := 0
	for k := range 150 {
		start := append([]r3.Vec(nil), w.BodyPositions(id)...)
		stats := must(w.Step(2e-3))
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 || !stats.Converged {
			t.Fatalf("step %d: %d crossings, residual %g m/s", k, stats.Crossings, stats.Residual)
		}
		var force, moment, sum r3.Vec
		for _, c := range w.Contacts(nil) {
			at := c.Point.AddScaled(c.Gap/2, c.Normal)
			force, moment = force.Add(c.Impulse), moment.Add(at.Cross(c.Impulse))
			if c.Impulse.Norm() > 0 {
				pushed++
			}
		}
		for i, f := range w.BodyImpulses(id, nil) {
			sum, moment = sum.Add(f), moment.Sub(start[i].Cross(f))
		}
		if d := force.Sub(sum).Norm() + moment.Norm()/0.1; d > 1e-12*max(force.Norm(), 1e-3) {
			t.Fatalf("step %d: wrenches differ by %g N s of %g", k, d, force.Norm())
		}
	}
	if pushed == 0 {
		t.Error("nothing touches")
	}
	for i, p := range skinPoints(w, id, &spec) {
		if p.Z < 0 {
			t.Errorf("point %d of the skin is %g m below the floor", i, -p.Z)
		}
	}
}

// skinPoints returns where the points of the skin of a solid are.
func skinPoints(w *engine.World, id engine.BodyID, spec *body.SolidSpec) []r3.Vec {
	out := make([]r3.Vec, len(spec.Skin.Tet))
	must(body.NewSolid(*spec)).Carry(w.BodyPositions(id), out)
	return out
}

// strains returns the least and the greatest strain along z of the tets of a solid that was turned nowhere.
func strains(m *mesh.Tets, x []r3.Vec) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, v := range m.Tet {
		var before, after [3]r3.Vec
		for k := range 3 {
			before[k], after[k] = m.X[v[k+1]].Sub(m.X[v[0]]), x[v[k+1]].Sub(x[v[0]])
		}
		rest := r3.Rows(before[0], before[1], before[2])
		inverse, _ := rest.Inverse()
		strain := inverse.MulVec(r3.V(after[0].Z, after[1].Z, after[2].Z)).Z - 1 // ∂z/∂Z
		least, most = min(least, strain), max(most, strain)
	}
	return least, most
}

// O23: a plate that presses on a fine skin in coarse tets makes the same stress everywhere.
func TestCarriedSkinPatch(t *testing.T) {
	const young, force = 1e5, 10.0
	opt := engine.DefaultOptions()
	opt.Workers, opt.Gravity, opt.Contact.Friction = 1, r3.Vec{}, 0
	w := must(engine.New(opt))
	spec := inFineSkin(2, 5, 0, material.Isotropic{Young: young, Poisson: 0.3})
	x := make([]r3.Vec, len(spec.Mesh.X))
	for i, p := range spec.Mesh.X {
		x[i] = p.Add(r3.V(-0.05, -0.05, thick))
	}
	id := addSolid(t, w, spec, x, make([]r3.Vec, len(x)))
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	plate, _ := addRigid(t, w, "plate", body.Brick(r3.V(0.08, 0.08, 0.01), 1000), r3.V(0, 0, 0.11+2*thick), r3.Vec{})
	upright := body.Hold{Axes: r3.Identity(), Move: [3]bool{true, true, false}, Turn: [3]bool{true, true, true}}
	if err := errors.Join(plate.SetHold(upright), plate.SetLoad(r3.V(0, 0, -force), r3.Vec{})); err != nil {
		t.Fatal(err)
	}
	for k := range 200 {
		stats := must(w.Step(1e-2))
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 {
			t.Fatalf("step %d: %d crossings", k, stats.Crossings)
		}
	}
	least, most := strains(spec.Mesh, w.BodyPositions(id))
	// Co-rotated stress is linear: σ = E ε with sides that are free, over the area as it was.
	if want := -force / (0.01 * young); math.Abs(least-want) > 0.01*-want || math.Abs(most-want) > 0.01*-want {
		t.Errorf("strains from %g to %g, not %g", least, most, want)
	}
}

// A rigid ball, a soft block in a fine skin and one in its own, and a cloth that fall on each other cross nothing, are
// the same for any number of workers, and go on with the same bits after they were saved.
func TestCarriedSkinWithOthers(t *testing.T) {
	heap := func(workers int) *engine.World {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Contact.Friction = workers, 0.4
		w := must(engine.New(opt))
		must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
		addRigid(t, w, "ball", body.Ball(0.03, 2000), r3.V(0.06, 0.06, 0.22), r3.V(0, 0, -2))
		rubber := material.Isotropic{Young: 3e4, Poisson: 0.3}
		for i, spec := range []body.SolidSpec{inFineSkin(1, 3, 0.01, rubber), jelly()} {
			x, v := make([]r3.Vec, len(spec.Mesh.X)), make([]r3.Vec, len(spec.Mesh.X))
			for k, p := range spec.Mesh.X {
				x[k], v[k] = p.Add(r3.V(0.01, 0, 0.01+0.12*float64(i))), r3.V(0, 0, -1)
			}
			addSolid(t, w, spec, x, v)
		}
		m, x := shape.Grid(0.15, 0.15, 6, 6)
		for i := range x {
			x[i] = x[i].Add(r3.V(-0.02, -0.03, 0.185))
		}
		addCloth(t, w, engine.DefaultCloth("napkin", m, x, fabric(t, "cotton-interlock")))
		return w
	}
	steps := 30
	if testing.Short() {
		steps = 12
	}
	run := func(w *engine.World) {
		for k := range steps {
			if stats := must(w.Step(4e-3)); stats.Crossings > 0 || stats.Failsafe.Left > 0 {
				t.Fatalf("step %d: %d crossings, %+v", k, stats.Crossings, stats.Failsafe)
			}
		}
	}
	w := heap(1)
	run(w)
	saved := w.Snapshot()
	run(w)
	again := heap(2)
	if err := again.Restore(saved); err != nil {
		t.Fatal(err)
	}
	run(again)
	if got, want := again.Snapshot().Hash(), w.Snapshot().Hash(); got != want {
		t.Errorf("%v, not %v", got, want)
	}
}
