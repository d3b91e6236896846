package engine_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// sheetAt returns a square of the given side and cells a side, moved by place.
func sheetAt(t testing.TB, side float64, cells int, place r3.Pose) (*mesh.Mesh, []r3.Vec) {
	t.Helper()
	m, x := shape.Grid(side, side, cells, cells)
	for i := range x {
		x[i] = place.Apply(x[i].Sub(r3.V(side/2, side/2, 0)))
	}
	return m, x
}

// TestSheetOnPlane: a sheet lies on a plane. The forces on it sum to its weight, nothing moves.
func TestSheetOnPlaneWeighsWhatItWeighs(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Contact.Tolerance, opt.Linear.Tolerance = 1e-12, 1e-12
	w := newWorld(t, opt)
	f := fabric(t, "cotton-interlock")
	m, x := sheetAt(t, 0.3, 12, r3.Translation(r3.V(0, 0, opt.Contact.Thickness)))
	cloth := addCloth(t, w, engine.DefaultCloth("sheet", m, x, f))
	addObstacle(t, w, engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()})
	for range 20 {
		step(t, w, 0.002)
	}
	forces := w.PairForces(nil)
	if len(forces) != 1 || w.SurfaceName(forces[0].A) != "sheet" || w.SurfaceName(forces[0].B) != "floor" {
		t.Fatalf("pairs: %+v", forces)
	}
	weight := 0.0
	for _, mass := range w.Masses(cloth) {
		weight += mass * 9.81
	}
	if got := forces[0].Force; math.Abs(got.Z-weight) > 1e-8*weight || math.Hypot(got.X, got.Y) > 1e-8*weight {
		t.Errorf("the plane carries %v N, the sheet weighs %g N", got, weight)
	}
	for i, v := range w.Velocities(cloth) {
		if v.Norm() > 1e-11 {
			t.Fatalf("vertex %d moves at %g m/s", i, v.Norm())
		}
	}
}

// TestHashesWithContacts: the same bits with 1, 2 and 8 workers, and when a world that was saved and restored goes on,
// with the default solver and with both forms of nested relaxation.
func TestHashesWithContacts(t *testing.T) {
	steps := 150
	if testing.Short() {
		steps = 30
	}
	contact := engine.DefaultOptions().Contact
	hashesWith(t, contact, steps)
	contact.Solver = "relaxation"
	hashesWith(t, contact, 16)
	contact.Relaxation = engine.RelaxationForm{Pyramid: true, ByChange: true, Printed: true}
	hashesWith(t, contact, 16)
}

func hashesWith(t *testing.T, contact engine.ContactOptions, steps int) {
	t.Helper()
	build := func(workers int) (*engine.World, engine.ClothID) {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Contact = workers, contact
		w := newWorld(t, opt)
		m, x := sheetAt(t, 0.5, 24, r3.Translation(r3.V(0, 0, 0.102)))
		cloth := addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock")))
		turn := &engine.Path{Keys: []engine.Key{{}, {At: 1, Axis: r3.V(0, 0, 1), Angle: 3}}}
		addObstacle(t, w, engine.Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.1}, Place: r3.Still(), Path: turn})
		pos, tri := shape.Box{Half: r3.V(0.3, 0.3, 0.02)}.Mesh()
		addObstacle(
			t,
			w,
			engine.Obstacle{Name: "table", Tri: tri, Positions: pos, Place: r3.Translation(r3.V(0, 0, -0.1))},
		)
		return w, cloth
	}
	var want engine.Hash
	for _, workers := range []int{1, 2, 8} {
		w, _ := build(workers)
		for range steps {
			step(t, w, 0.002)
		}
		hash := w.Snapshot().Hash()
		if workers == 1 {
			want = hash
		}
		if hash != want {
			t.Errorf("%d workers: %v, one: %v", workers, hash, want)
		}
	}
	first, _ := build(2)
	for range steps / 2 {
		step(t, first, 0.002)
	}
	saved := throughBytes(t, first.Snapshot())
	second, _ := build(1)
	if err := second.Restore(saved); err != nil {
		t.Fatal(err)
	}
	for range steps - steps/2 {
		step(t, second, 0.002)
	}
	if hash := second.Snapshot().Hash(); hash != want {
		t.Errorf("after save and restore: %v, want %v", hash, want)
	}
	if len(second.Contacts(nil)) == 0 {
		t.Error("there are no contacts; the test says nothing")
	}
}

// throughBytes writes a snapshot and reads it back.
func throughBytes(t testing.TB, s *engine.Snapshot) *engine.Snapshot {
	t.Helper()
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	back := new(engine.Snapshot)
	if err := back.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return back
}

func newWorld(t testing.TB, opt engine.Options) *engine.World {
	t.Helper()
	w, err := engine.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func fabric(t testing.TB, name string) material.Fabric {
	t.Helper()
	f, err := material.LookupFabric(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func addCloth(t testing.TB, w *engine.World, c engine.Cloth) engine.ClothID {
	t.Helper()
	id, err := w.AddCloth(c)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func addObstacle(t testing.TB, w *engine.World, o engine.Obstacle) engine.ObstacleID {
	t.Helper()
	id, err := w.AddObstacle(o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func step(t testing.TB, w *engine.World, h float64) engine.Stats {
	t.Helper()
	s, err := w.Step(h)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Converged {
		t.Logf("step %d did not converge: residual %g m/s", s.Step, s.Residual)
	}
	return s
}

// TestSheetOnTurntable: a sheet that sticks to a turning and rising plate stays where it lies on it. Each step moves it
// by the chord of the plate's motion, so that nothing adds up.
func TestSheetOnTurntable(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Contact.Friction = 1
	w := newWorld(t, opt)
	m, x := sheetAt(t, 0.2, 8, r3.Translation(r3.V(0.05, 0, opt.Contact.Thickness)))
	cloth := addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock")))
	path := &engine.Path{Smooth: true, Center: r3.V(0.1, 0, 0), Keys: []engine.Key{
		{}, {At: 1, Axis: r3.V(0, 0, 1), Angle: 1.5, Translate: r3.V(0, 0, 0.1)},
	}}
	addObstacle(
		t,
		w,
		engine.Obstacle{Name: "table", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still(), Path: path},
	)
	for range 550 {
		step(t, w, 0.002)
	}
	worst := 0.0
	for i, v := range w.Positions(cloth) {
		worst = max(worst, v.Sub(path.At(1.1).Apply(x[i])).Norm())
	}
	// Gravity presses it on all the time: the rise is slower than free fall.
	if worst > 1e-7 {
		t.Errorf("it slipped by up to %g m", worst)
	}
}

// TestDumpedProblemHasTheSameSolution: a problem that was written and read is solved to the same impulses as in its
// step.
func TestDumpedProblemHasTheSameSolution(t *testing.T) {
	w := newWorld(t, engine.DefaultOptions())
	m, x := sheetAt(t, 0.3, 12, r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), 0.3), T: r3.V(0, 0, 0.1)})
	addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock")))
	addObstacle(t, w, engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()})
	// A step without contacts writes nothing, and leaves it at that.
	var none, file bytes.Buffer
	w.DumpNext(&none)
	for len(w.Contacts(nil)) < 10 {
		step(t, w, 0.002)
	}
	if none.Len() > 0 {
		t.Error("the problem of a later step was written for one without contacts")
	}
	w.DumpNext(&file)
	step(t, w, 0.002)
	p, err := solve.ReadProblem(&file)
	if err != nil {
		t.Fatal(err)
	}
	nodal := solve.DefaultNodal()
	solved, _, err := p.SolveBy(&nodal)
	if err != nil {
		t.Fatal(err)
	}
	contacts := w.Contacts(nil)
	if p.Set.Len() != len(contacts) {
		t.Fatalf("%d contacts in the file, %d in the step", p.Set.Len(), len(contacts))
	}
	for i, c := range contacts {
		if impulse := p.Set.Contacts[i].Frame.MulVecT(solved.R[i]); impulse != c.Impulse {
			t.Errorf("contact %d: %v in the file, %v in the step", i, impulse, c.Impulse)
		}
	}
}

// TestWatchedStepsGoOnWithWhatIsLeft: the problem of every step is shown, with contacts or without, its answer solves
// it, and a change of the answer is where the step goes on from.
func TestWatchedStepsGoOnWithWhatIsLeft(t *testing.T) {
	w := newWorld(t, engine.DefaultOptions())
	m, x := sheetAt(t, 0.3, 6, r3.Translation(r3.V(0, 0, 0.02)))
	cloth := addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock")))
	addObstacle(t, w, engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()})
	var measure solve.Measure
	shown, touching, sideways := 0, 0, r3.V(1e-3, 0, 0)
	w.Watch(func(p *solve.ContactProblem, void []bool) {
		shown, touching = shown+1, touching+min(1, p.Set.Len())
		if left := measure.Of(p, p.V, p.R, void); !(left.Max() <= 1.01e-8) {
			t.Errorf("step %d: the answer leaves %v", shown, left)
		}
		if touching == 0 {
			p.V[0] = sideways
		}
	})
	for range 60 {
		step(t, w, 2e-3)
		if touching == 0 && w.Velocities(cloth)[0] != sideways {
			t.Fatalf("step %d ends with %v", shown, w.Velocities(cloth)[0])
		}
	}
	w.Watch(nil)
	step(t, w, 2e-3)
	if shown != 60 || touching == 0 || touching == shown {
		t.Errorf("%d problems of 60 steps, %d with contacts", shown, touching)
	}
}
