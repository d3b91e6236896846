package engine_test

import (
	"errors"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// littleSheet returns a world with a level sheet of 25 vertices, 0.1 m wide, at the given height.
func littleSheet(t testing.TB, opt engine.Options, z float64) (*engine.World, engine.ClothID) {
	t.Helper()
	w := newWorld(t, opt)
	m, x := sheetAt(t, 0.1, 4, r3.Translation(r3.V(0, 0, z)))
	return w, addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock")))
}

func addFloor(t testing.TB, w *engine.World) engine.ObstacleID {
	t.Helper()
	return addObstacle(t, w, engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()})
}

// addTable adds a closed mesh with its top at height 0.
func addTable(t testing.TB, w *engine.World) engine.ObstacleID {
	t.Helper()
	pos, tri := shape.Box{Half: r3.V(0.3, 0.3, 0.02)}.Mesh()
	return addObstacle(
		t,
		w,
		engine.Obstacle{Name: "table", Tri: tri, Positions: pos, Place: r3.Translation(r3.V(0, 0, -0.02))},
	)
}

// addPress adds a plate that presses down on a sheet at height z, a little above it.
func addPress(t testing.TB, w *engine.World, z float64, path *engine.Path, press engine.Press) engine.ObstacleID {
	t.Helper()
	return addObstacle(t, w, engine.Obstacle{
		Name:  "press",
		Shape: shape.Box{Half: r3.V(0.1, 0.1, 0.01)},
		Place: r3.Translation(r3.V(0, 0, z+0.0111)),
		Path:  path,
		Press: &press,
	})
}

// A step that fails leaves the world as it was, also with a press whose axis turns.
func TestFailedStepWithPressChangesNothing(t *testing.T) {
	w, cloth := littleSheet(t, engine.DefaultOptions(), 0.001)
	addFloor(t, w)
	turn := &engine.Path{Keys: []engine.Key{{}, {At: 1, Axis: r3.V(0, 0, 1), Angle: 3}}}
	addPress(t, w, 0.001, turn, engine.Press{Axis: r3.V(0, 1, -1), Force: 1, Mass: 0.1, Stop: math.Inf(1)})
	for range 3 {
		before := w.Snapshot().Hash()
		w.SetForce(cloth, 0, r3.V(math.NaN(), 0, 0))
		if _, err := w.Step(0.002); err == nil {
			t.Fatal("a step with a force that is not a number succeeded")
		}
		w.SetForce(cloth, 0, r3.Vec{})
		if w.Snapshot().Hash() != before {
			t.Error("a failed step changed the world")
		}
		step(t, w, 0.002)
	}
}

// A press that is restored is where it was on its axis: it stops where one stops that was never restored.
func TestPressIsRestoredOnItsWay(t *testing.T) {
	at := func() *engine.World {
		w, _ := littleSheet(t, engine.DefaultOptions(), 0)
		addPress(t, w, 0.05, nil, engine.Press{Axis: r3.V(0, 0, -1), Force: 1, Mass: 0.1, Stop: 0.01})
		return w
	}
	w, fresh := at(), at()
	steps(t, w, 20, 0.002)
	if err := fresh.Restore(w.Snapshot()); err != nil {
		t.Fatal(err)
	}
	if a, b := w.Energy(), fresh.Energy(); a != b {
		t.Errorf("energies %v, restored %v", a, b)
	}
	steps(t, w, 20, 0.002)
	steps(t, fresh, 20, 0.002)
	if w.Snapshot().Hash() != fresh.Snapshot().Hash() {
		t.Error("a restored press goes on differently")
	}
}

// A vertex or a press on its way to nowhere fails the step; it does not just miss its contacts.
func TestFarAwayFails(t *testing.T) {
	w, _ := littleSheet(t, engine.DefaultOptions(), 0.001)
	addFloor(t, w)
	addPress(t, w, 0.001, nil, engine.Press{Axis: r3.V(0, 0, -1), Force: 1e140, Mass: 0.1, Stop: 1})
	if _, err := w.Step(0.002); !errors.Is(err, engine.ErrNotFinite) {
		t.Errorf("error %v", err)
	}
}

// An obstacle that is sent where nothing can be is an error of the step, which changes nothing, until it is sent
// elsewhere.
func TestMoveObstacleNowhere(t *testing.T) {
	w, _ := littleSheet(t, engine.DefaultOptions(), 0.001)
	floor, table := addFloor(t, w), addTable(t, w)
	for _, id := range []engine.ObstacleID{floor, table} {
		for _, pose := range []r3.Pose{r3.Translation(r3.V(0, math.NaN(), 0)), r3.Translation(r3.V(0, 0, math.Inf(-1))), r3.Translation(r3.V(1e200, 0, 0)), {}} {
			w.MoveObstacle(id, pose)
			before := w.Snapshot().Hash()
			if _, err := w.Step(0.002); err == nil {
				t.Errorf("obstacle %d went to %v", id, pose)
			}
			if w.Snapshot().Hash() != before {
				t.Error("a failed step changed the world")
			}
		}
		w.MoveObstacle(id, r3.Still())
		step(t, w, 0.002)
	}
}

// A ridge that rises between vertices that a handle holds and free ones, nearer to the held, lifts the free ones.
func TestRidgeBesideHandleDoesNotCross(t *testing.T) {
	w, cloth := littleSheet(t, engine.DefaultOptions(), 0)
	var held []int32
	for i, x := range w.Positions(cloth) {
		if x.X < -0.049 {
			held = append(held, int32(i))
		}
	}
	if _, err := w.AddHandle(engine.Handle{Cloth: cloth, Vertices: held}); err != nil {
		t.Fatal(err)
	}
	pos, tri := shape.Box{Half: r3.V(0.005, 0.2, 0.005)}.Mesh()
	rise := &engine.Path{Keys: []engine.Key{{}, {At: 0.2, Translate: r3.V(0, 0, 0.01)}}}
	addObstacle(t, w, engine.Obstacle{
		Name:      "ridge",
		Tri:       tri,
		Positions: pos,
		Path:      rise,
		Place: r3.Pose{
			R: r3.Rotation(r3.V(0, 1, 0), math.Pi/4),
			T: r3.V(-0.04, 0, -0.01),
		}, // 0.4 of the way from the held vertices
	})
	for range 110 {
		if s := step(t, w, 0.002); s.Crossings > 0 {
			t.Fatalf("step %d: %d crossings, %d contacts", s.Step, s.Crossings, s.Contacts)
		}
	}
	if len(w.Contacts(nil)) == 0 {
		t.Error("the ridge did not touch")
	}
}

// deformationThatFails cannot be read.
type deformationThatFails struct{}

func (deformationThatFails) At(float64, []r3.Vec) error { return errors.New("no such frame") }

func TestAddObstacleRefuses(t *testing.T) {
	w, _ := littleSheet(t, engine.DefaultOptions(), 0.001)
	pos, tri := shape.Box{Half: r3.V(1, 1, 1)}.Mesh()
	nan := math.NaN()
	bad := []engine.Obstacle{
		{},
		{Place: r3.Still(), Shape: shape.Plane{}},
		{Place: r3.Still(), Shape: shape.Plane{Normal: r3.V(0, 0, 2)}},
		{Place: r3.Still(), Shape: shape.Sphere{Radius: -1}},
		{Place: r3.Still(), Shape: shape.Sphere{}},
		{Place: r3.Still(), Shape: shape.Capsule{Half: 1}},
		{Place: r3.Still(), Shape: shape.Box{Half: r3.V(1, 1, 0)}},
		{Place: r3.Still(), Shape: shape.Cylinder{Radius: 1}},
		{Place: r3.Still(), Shape: shape.Cone{Height: 1}},
		{Place: r3.Still(), Shape: shape.Placed{Shape: shape.Sphere{}, Pose: r3.Still()}},
		{Place: r3.Still(), Shape: shape.Capsule{Radius: 1, Half: nan}},
		{Place: r3.Still(), Shape: shape.Box{Half: r3.V(1, 1, math.Inf(1))}},
		{Place: r3.Still(), Shape: shape.Cylinder{Radius: nan, Half: 1}},
		{Place: r3.Still(), Shape: shape.Cone{Radius: 1, Height: nan}},
		{Place: r3.Still(), Shape: shape.Placed{Shape: shape.Sphere{Radius: 1}}},
		{Place: r3.Still(), Shape: shape.Placed{Pose: r3.Still()}},
		{Place: r3.Still(), Shape: shape.Sphere{Radius: 1}, Positions: pos},
		{Shape: shape.Sphere{Radius: 1}},
		{Place: r3.Still(), Tri: tri, Positions: pos, Deform: deformationThatFails{}},
		{Place: r3.Still(), Tri: tri, Positions: pos[1:]},
	}
	for i, o := range bad {
		if _, err := w.AddObstacle(o); err == nil {
			t.Errorf("obstacle %d was added: %+v", i, o)
		}
	}
	if s := w.ObstacleSurface(addFloor(t, w)); s != 1 || w.SurfaceName(s) != "floor" {
		t.Errorf("after obstacles that were refused the floor is surface %d, %q", s, w.SurfaceName(s))
	}
}

// The stop of a press is no contact of surfaces, and its block no vertex.
func TestStatsWithoutStops(t *testing.T) {
	w, _ := littleSheet(t, engine.DefaultOptions(), 1)
	press := addPress(t, w, 3, nil, engine.Press{Axis: r3.V(0, 0, -1), Force: 1, Mass: 0.1, Stop: 0.001})
	var s engine.Stats
	for range 30 {
		s = step(t, w, 0.002)
	}
	if travel := w.PressTravel(press); math.Abs(travel-0.001) > 1e-9 {
		t.Fatalf("the press is at %g m, not at its stop", travel)
	}
	if s.Vertices != 25 || s.Contacts+s.Sticking+s.Sliding != 0 || !math.IsInf(s.WorstGap, 1) {
		t.Errorf("statistics: %+v", s)
	}
	if n := len(w.Contacts(nil)) + len(w.PairForces(nil)); n != 0 {
		t.Errorf("%d contacts and pairs", n)
	}
}

// Friction that was set on the way, targets of obstacles and the travel of presses are restored; what goes on has the
// same bits.
func TestResumeWithChangedFrictionAndMovingObstacles(t *testing.T) {
	build := func() *engine.World {
		opt := engine.DefaultOptions()
		opt.Theta = 0.7
		w, _ := littleSheet(t, opt, 0.001)
		turn := &engine.Path{Keys: []engine.Key{{}, {At: 1, Axis: r3.V(0, 1, 1), Angle: 3}}}
		pos, tri := shape.Box{Half: r3.V(0.1, 0.1, 0.01)}.Mesh()
		addObstacle(
			t,
			w,
			engine.Obstacle{
				Name:      "table",
				Tri:       tri,
				Positions: pos,
				Place:     r3.Translation(r3.V(0, 0, -0.01)),
				Path:      turn,
			},
		)
		addObstacle(t, w, engine.Obstacle{
			Name: "press", Tri: tri, Positions: pos, Place: r3.Translation(r3.V(0, 0, 0.0121)), Path: turn,
			Press: &engine.Press{Axis: r3.V(0, 0, -1), Force: 1, Mass: 0.1, Stop: 0.01},
		})
		addObstacle(
			t,
			w,
			engine.Obstacle{
				Name:  "box",
				Shape: shape.Box{Half: r3.V(0.02, 0.1, 0.02)},
				Place: r3.Translation(r3.V(0.08, 0, 0)),
			},
		)
		return w
	}
	advance := func(w *engine.World, to float64) {
		w.MoveObstacle(2, r3.Translation(r3.V(-to, 0, 0)))
		if err := w.Advance(0.006, 0.002, nil); err != nil {
			t.Fatal(err)
		}
	}
	first := build()
	for k := range 4 {
		advance(first, 0.004*float64(k))
	}
	first.SetFriction(0, 1, 0.1)
	saved := throughBytes(t, first.Snapshot())
	second := build()
	second.SetFriction(0, 2, 0.9) // was not so when the other was saved
	if err := second.Restore(saved); err != nil {
		t.Fatal(err)
	}
	if a, b := second.Friction(1, 0), second.Friction(0, 2); a != 0.1 || b != 0.3 {
		t.Errorf("friction %g and %g after it was restored", a, b)
	}
	for k := range 3 {
		for _, w := range []*engine.World{first, second} {
			advance(w, 0.016+0.004*float64(k))
		}
		if first.Snapshot().Hash() != second.Snapshot().Hash() {
			t.Fatal("what was restored goes on differently")
		}
	}
	if len(first.PairForces(nil)) < 2 {
		t.Error("hardly anything touches; the test says nothing")
	}
}

// A step with contacts of all kinds allocates nothing.
func TestSteadyContactAllocatesNothing(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers = 1
	w, _ := littleSheet(t, opt, 0.001)
	addFloor(t, w)
	addTable(t, w)
	addPress(t, w, 0.001, nil, engine.Press{Axis: r3.V(0, 0, -1), Force: 1, Mass: 0.1, Stop: 1})
	for range 50 {
		step(t, w, 0.002)
	}
	if n := testing.AllocsPerRun(20, func() { step(t, w, 0.002) }); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// Slip is the velocity along the surfaces, whatever theta is: a sheet that slides on ice keeps its speed.
func TestSlipIsTheVelocityAlongTheSurface(t *testing.T) {
	for _, theta := range []float64{0.5, 1} {
		opt := engine.DefaultOptions()
		opt.Theta, opt.Contact.Friction = theta, 0
		w, cloth := littleSheet(t, opt, 0.0012) // nearer than the reach, above the thickness
		addFloor(t, w)
		v := make([]r3.Vec, len(w.Positions(cloth)))
		for i := range v {
			v[i] = r3.V(0.3, 0, 0)
		}
		w.SetVelocities(cloth, v)
		step(t, w, 0.002)
		contacts := w.Contacts(nil)
		if len(contacts) == 0 {
			t.Fatal("no contacts")
		}
		for _, c := range contacts {
			if c.Slip.Sub(r3.V(0.3, 0, 0)).Norm() > 1e-7 {
				t.Fatalf("theta %g: slip %v", theta, c.Slip)
			}
		}
	}
}

// The friction of a pair is that of its two surfaces in either order, also when surfaces are added later.
func TestFrictionOfPairs(t *testing.T) {
	w, _ := littleSheet(t, engine.DefaultOptions(), 0.001)
	set := map[[2]engine.SurfaceID]float64{}
	for range 6 {
		last := w.ObstacleSurface(addFloor(t, w))
		for a := range last + 1 {
			mu := 0.1 + 0.01*float64(10*last+a)
			if a%2 == 0 {
				w.SetFriction(last, a, mu)
				set[[2]engine.SurfaceID{a, last}] = mu
			}
		}
	}
	s := w.Snapshot()
	w.SetFriction(0, 1, 7)
	if err := w.Restore(s); err != nil {
		t.Fatal(err)
	}
	for b := range engine.SurfaceID(7) {
		for a := range b + 1 {
			want, ok := set[[2]engine.SurfaceID{a, b}]
			if !ok {
				want = w.Options().Contact.Friction
			}
			if w.Friction(a, b) != want || w.Friction(b, a) != want {
				t.Errorf("surfaces %d and %d: %g and %g, want %g", a, b, w.Friction(a, b), w.Friction(b, a), want)
			}
		}
	}
}
