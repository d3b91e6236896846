package engine

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// testFabric is a light cotton.
func testFabric() material.Fabric {
	return material.Fabric{
		Name: "sheet", Source: "test", Density: 0.15, Thickness: 1e-3,
		Membrane: material.NewStretch(500, 500, 250, 0), BendWarp: 1e-5, BendWeft: 1e-5, BendBias: 1e-5,
	}
}

// must returns what could be made.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pressed returns a held sheet on a ball and under a press, which has one vector of everything.
func pressed(t testing.TB) *World {
	t.Helper()
	opt := DefaultOptions()
	opt.Workers = 1
	opt.Air.Density = 1.2
	w := must(New(opt))
	m, x := shape.Grid(0.2, 0.2, 6, 6)
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.1, 0.1, -0.0515))
	}
	id := must(w.AddCloth(DefaultCloth("sheet", m, x, testFabric())))
	must(w.AddHandle(Handle{Name: "corner", Cloth: id, Vertices: []int32{0}}))
	must(
		w.AddHandle(Handle{Name: "weak", Cloth: id, Vertices: []int32{6}, Limit: &ForceLimit{Force: 1, Stiffness: 10}}),
	)
	must(w.AddObstacle(Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.05}, Place: r3.Still()}))
	pos, tri := shape.Box{Half: r3.V(0.02, 0.02, 0.01)}.Mesh()
	must(w.AddObstacle(Obstacle{
		Name: "press", Tri: tri, Positions: pos, Place: r3.Translation(r3.V(0, 0, 0.07)),
		Press: &Press{Axis: r3.V(0, 0, -1), Force: 1, Mass: 0.1, Stop: 1},
	}))
	return w
}

// hung returns a held sheet with a chain of two bricks and a soft block on it, which all ties hold.
func hung(t testing.TB) *World {
	t.Helper()
	opt := DefaultOptions()
	opt.Workers = 1
	w := must(New(opt))
	m, x := shape.Grid(0.2, 0.2, 6, 6)
	id := must(w.AddCloth(DefaultCloth("sheet", m, x, testFabric())))
	must(w.AddHandle(Handle{Name: "corner", Cloth: id, Vertices: []int32{0, 6}}))
	brick := func(name string, at r3.Vec) BodyID {
		b := must(body.NewRigid(body.Brick(r3.V(0.02, 0.02, 0.01), 500), r3.NoRotation(), r3.V(1, 2, 3)))
		return must(w.AddBody(name, b, []r3.Vec{at, {}}, make([]r3.Vec, 2)))
	}
	upper, lower := brick("upper", r3.V(0.1, 0.1, -0.012)), brick("lower", r3.V(0.1, 0.1, -0.04))
	must(w.Attach(Attachment{Name: "button", Cloth: id, Vertices: []int32{24}, To: upper}))
	must(w.Join(Joint{Name: "link", Kind: HingeJoint, A: lower, B: &upper, Place: r3.V(0.1, 0.1, -0.026), Axis: r3.V(1, 0, 0)}))
	tets := shape.TetBox(r3.V(0.04, 0.04, 0.04), 2, 2, 2)
	soft := must(body.NewSolid(body.SolidSpec{
		Mesh: tets, Material: material.Isotropic{Young: 1e4, Poisson: 0.3}, Density: 500,
	}))
	at := make([]r3.Vec, len(tets.X))
	for i := range at {
		at[i] = tets.X[i].Add(r3.V(0.16, 0.16, -0.042))
	}
	jelly := must(w.AddBody("jelly", soft, at, make([]r3.Vec, len(at))))
	must(w.Attach(Attachment{Name: "sewn", Cloth: id, Vertices: []int32{48}, To: jelly}))
	return w
}

// piled returns a brick, a ball, a capsule, a soft block, a sheet over them and the ground, which all touch.
func piled(t testing.TB) *World {
	t.Helper()
	opt := DefaultOptions()
	opt.Workers = 1
	w := must(New(opt))
	must(w.AddObstacle(Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	for _, b := range []struct {
		name string
		spec body.RigidSpec
		at   r3.Vec
	}{
		{"brick", body.Brick(r3.V(0.02, 0.02, 0.02), 500), r3.V(-0.05, 0, 0.021)},
		{"ball", body.Ball(0.02, 500), r3.V(0, 0.05, 0.021)},
		{"capsule", body.Capsule(0.01, 0.02, 500), r3.V(-0.05, 0, 0.054)},
	} {
		lying := r3.Rotation(r3.V(0, 1, 0), math.Pi/2)
		rigid := must(body.NewRigid(b.spec, lying, r3.Vec{}))
		must(w.AddBody(b.name, rigid, []r3.Vec{b.at, {}}, make([]r3.Vec, 2)))
	}
	tets := shape.TetBox(r3.V(0.04, 0.04, 0.04), 2, 2, 2)
	soft := must(body.NewSolid(body.SolidSpec{
		Mesh: tets, Material: material.Isotropic{Young: 1e4, Poisson: 0.3}, Density: 500, Damping: 5e-3,
	}))
	at := make([]r3.Vec, len(tets.X))
	for i := range at {
		at[i] = tets.X[i].Add(r3.V(0.03, -0.02, 0.001))
	}
	must(w.AddBody("block", soft, at, make([]r3.Vec, len(at))))
	m, x := shape.Grid(0.2, 0.2, 6, 6)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.1, -0.1, 0.042))
	}
	must(w.AddCloth(DefaultCloth("sheet", m, x, testFabric())))
	return w
}

// faulty are worlds that have one vector of everything.
var faulty = map[string]func(testing.TB) *World{"pressed": pressed, "hung": hung, "piled": piled}

// stateVectors are the vectors that a step reads as the state of the world, by name.
func (w *World) stateVectors() map[string][]r3.Vec {
	return map[string][]r3.Vec{"positions": w.pos, "velocities": w.vel, "forces": w.force, "impulses": w.last.answer.R}
}

// scratchVectors are those that a step works on.
func (s *step) scratchVectors() map[string][]r3.Vec {
	return map[string][]r3.Vec{
		"x0":        s.x0,
		"v0":        s.v0,
		"force":     s.force,
		"fall":      s.fall,
		"target":    s.target,
		"aim":       s.aim,
		"xTheta":    s.xTheta,
		"vTheta":    s.vTheta,
		"b":         s.b,
		"x1":        s.x1,
		"push":      s.push,
		"v":         s.result.V,
		"r":         s.found.answer.R,
		"u":         s.found.answer.U,
		"assembled": s.w.assembly.Force,
	}
}

func spoil(rng *rand.Rand, v []r3.Vec) {
	if len(v) == 0 {
		return
	}
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
	i := rng.IntN(len(v))
	switch rng.IntN(3) {
	case 0:
		v[i].X = bad
	case 1:
		v[i].Y = bad
	default:
		v[i].Z = bad
	}
}

// TestFaultsInAStepAreRolledBack: a number that is none, put into any vector of a step after any of its phases, makes
// the step fail and leaves the state as it was, or has no effect at all. Advance goes on with halved steps.
func TestFaultsInAStepAreRolledBack(t *testing.T) {
	for name, world := range faulty {
		t.Run(name, func(t *testing.T) { faultsInAStep(t, world(t)) })
	}
}

func faultsInAStep(t *testing.T, w *World) {
	rng := rand.New(rand.NewPCG(1, 2))
	names := []string{
		"x0",
		"v0",
		"force",
		"fall",
		"target",
		"aim",
		"xTheta",
		"vTheta",
		"b",
		"x1",
		"push",
		"v",
		"r",
		"u",
		"assembled",
	}
	detected := 0
	for try := range 100 {
		for range rng.IntN(3) {
			must(w.Step(2e-3))
		}
		before := w.Snapshot()
		must(w.Step(2e-3))
		good := w.Snapshot().Hash()
		must(0, w.Restore(before))

		name, when := names[try%len(names)], phase(rng.IntN(int(phases)))
		w.fault = func(s *step, p phase) {
			if p == when {
				spoil(rng, s.scratchVectors()[name])
			}
		}
		_, err := w.Step(2e-3)
		switch after := w.Snapshot().Hash(); {
		case err != nil && !errors.Is(err, ErrNotFinite):
			t.Errorf("%s after phase %d: %v", name, when, err)
		case err != nil && after != before.Hash():
			t.Errorf("%s after phase %d: the step failed and left another state", name, when)
		case err == nil && after != good:
			t.Errorf("%s after phase %d: the step has another end than without a fault, and did not fail", name, when)
		case err != nil:
			detected++
		}
		must(0, w.Restore(before))
		once := true
		w.fault = func(s *step, p phase) {
			if p == when && once {
				once = false
				spoil(rng, s.scratchVectors()[name])
			}
		}
		halved := false
		if err := w.Advance(2e-3, 2e-3, func(s Stats) { halved = halved || s.Halvings > 0 }); err != nil {
			t.Errorf("%s after phase %d: %v", name, when, err)
		} else if !halved && w.Snapshot().Hash() != good {
			t.Errorf("%s after phase %d: another end than without a fault, and nothing says so", name, when)
		}
		w.fault = nil
	}
	t.Logf("%d of 100 faults had an effect; all were detected", detected)
	if detected < 30 {
		t.Errorf("only %d of 100 faults had an effect", detected)
	}
}

// TestFaultsInTheStateAreReported: a number that is none in the state itself is found in the next step, which fails and
// says so, and a snapshot brings the world back; or it has no effect at all, as where the turning of a rigid body has
// no place.
func TestFaultsInTheStateAreReported(t *testing.T) {
	for name, world := range faulty {
		t.Run(name, func(t *testing.T) { faultsInTheState(t, world(t)) })
	}
}

func faultsInTheState(t *testing.T, w *World) {
	rng := rand.New(rand.NewPCG(3, 4))
	names := []string{"positions", "velocities", "forces", "impulses"}
	for try := range 100 {
		for range 1 + rng.IntN(3) {
			must(w.Step(2e-3))
		}
		before := w.Snapshot()
		name := names[try%len(names)]
		spoil(rng, w.stateVectors()[name])
		if w.Snapshot().Hash() == before.Hash() {
			continue // there was nothing to spoil
		}
		spoiled := w.Snapshot().Hash()
		err, after := w.Advance(2e-3, 2e-3, nil), w.Snapshot().Hash()
		must(0, w.Restore(before))
		switch {
		case err == nil:
			must(0, w.Advance(2e-3, 2e-3, nil))
			if w.Snapshot().Hash() != after {
				t.Errorf("%s: the step has another end than without a fault, and did not fail", name)
			}
			must(0, w.Restore(before))
		case !errors.Is(err, ErrNotFinite):
			t.Errorf("%s: %v", name, err)
		case after != spoiled:
			t.Errorf("%s: the step failed and changed the state", name)
		}
	}
}
