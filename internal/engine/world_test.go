package engine_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func cotton(t testing.TB) material.Fabric {
	t.Helper()
	f, err := material.LookupFabric("cotton")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// hanging returns a square sheet of the given cells a side, held at two corners.
func hanging(
	t testing.TB,
	cells int,
	change func(*engine.Options, *engine.Cloth),
) (*engine.World, engine.ClothID, engine.HandleID) {
	t.Helper()
	opt := engine.DefaultOptions()
	m, x := shape.Grid(1, 1, cells, cells)
	c := engine.DefaultCloth("sheet", m, x, cotton(t))
	if change != nil {
		change(&opt, &c)
	}
	w, err := engine.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.AddCloth(c)
	if err != nil {
		t.Fatal(err)
	}
	n := int32(len(x))
	h, err := w.AddHandle(engine.Handle{Name: "corners", Cloth: id, Vertices: []int32{n - 1, n - 1 - int32(cells)}})
	if err != nil {
		t.Fatal(err)
	}
	return w, id, h
}

func steps(t testing.TB, w *engine.World, n int, h float64) engine.Stats {
	t.Helper()
	var s engine.Stats
	for range n {
		var err error
		if s, err = w.Step(h); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Metamorphic: the same bits for any number of workers, for every bending model, with air, damping and weak handles.
func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	for _, model := range []engine.BendingModel{engine.Plate, engine.Hinge, engine.Isometric} {
		var want engine.Hash
		for _, workers := range []int{1, 2, 8} {
			w, id, _ := hanging(t, 24, func(o *engine.Options, c *engine.Cloth) {
				o.Workers = workers
				o.Air = engine.AirOptions{Density: 1.2, Wind: r3.V(3, 1, 0)}
				o.Linear.Method = engine.PCG
				c.Bending = model
			})
			if _, err := w.AddHandle(
				engine.Handle{Cloth: id, Vertices: []int32{0, 1}, Limit: &engine.ForceLimit{Force: 0.1, Stiffness: 50}},
			); err != nil {
				t.Fatal(err)
			}
			steps(t, w, 20, 2e-3)
			got := w.Snapshot().Hash()
			if workers == 1 {
				want = got
			}
			if got != want {
				t.Errorf("%v, %d workers: hash %v, want %v", model, workers, got, want)
			}
		}
	}
}

// Metamorphic: a restored snapshot goes on with the same bits, also through its binary form.
func TestSnapshotGoesOnBitForBit(t *testing.T) {
	w, id, h := hanging(t, 10, nil)
	steps(t, w, 5, 2e-3)
	w.SetForce(id, 3, r3.V(0, 0.1, 0))
	w.MoveHandle(h, r3.Translation(r3.V(0, 0, 0.01)))
	snap := w.Snapshot()
	read := throughBytes(t, snap)
	steps(t, w, 10, 2e-3)
	want := w.Snapshot().Hash()

	other, _, _ := hanging(t, 10, nil)
	if read.Hash() != snap.Hash() || read.Time() != snap.Time() || read.Steps() != 5 {
		t.Error("the binary form is not the snapshot")
	}
	for _, target := range []*engine.World{w, other} {
		if err := target.Restore(read); err != nil {
			t.Fatal(err)
		}
		steps(t, target, 10, 2e-3)
		if got := target.Snapshot().Hash(); got != want {
			t.Errorf("hash %v after restoring, want %v", got, want)
		}
	}
	small, _, _ := hanging(t, 9, nil)
	if err := small.Restore(read); err == nil {
		t.Error("a snapshot of another world was accepted")
	}
}

// A steady step allocates nothing.
func TestSteadyStepAllocatesNothing(t *testing.T) {
	for _, method := range []engine.LinearMethod{engine.PCG, engine.Direct} {
		for _, workers := range []int{1, 2} {
			w, id, _ := hanging(t, 30, func(o *engine.Options, c *engine.Cloth) {
				o.Workers = workers
				o.Linear.Method = method
				o.Air.Density = 1.2
			})
			if _, err := w.AddHandle(
				engine.Handle{Cloth: id, Vertices: []int32{0}, Limit: &engine.ForceLimit{Force: 1, Stiffness: 50}},
			); err != nil {
				t.Fatal(err)
			}
			steps(t, w, 3, 2e-3)
			if n := testing.AllocsPerRun(5, func() { steps(t, w, 1, 2e-3) }); n != 0 {
				t.Errorf("method %v, %d workers: %v allocations a step, want 0", method, workers, n)
			}
		}
	}
}

// Handles are exact: the vertices are where the path says, to the last bit, and their velocity is that of the path.
func TestHandleFollowsItsPath(t *testing.T) {
	for _, theta := range []float64{1, 0.5} {
		opt := engine.DefaultOptions()
		opt.Theta = theta
		m, x := shape.Grid(0.2, 0.2, 4, 4)
		w, err := engine.New(opt)
		if err != nil {
			t.Fatal(err)
		}
		id, err := w.AddCloth(engine.DefaultCloth("sheet", m, x, cotton(t)))
		if err != nil {
			t.Fatal(err)
		}
		path := &engine.Path{
			Center: r3.V(0.1, 0.1, 0),
			Keys:   []engine.Key{{At: 0}, {At: 1, Translate: r3.V(0, 0, 1), Axis: r3.V(0, 0, 2), Angle: 4 * math.Pi}},
		}
		if _, err := w.AddHandle(engine.Handle{Cloth: id, Vertices: []int32{0, 4}, Path: path}); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			before := w.Positions(id)[4]
			if _, err := w.Step(5e-3); err != nil {
				t.Fatal(err)
			}
			for _, v := range []int{0, 4} {
				if got, want := w.Positions(id)[v], path.At(w.Time()).Apply(x[v]); got.Sub(want).Norm() > 1e-15 {
					t.Fatalf("θ = %g: vertex %d at %v, want %v", theta, v, got, want)
				}
			}
			chord := w.Positions(id)[4].Sub(before).Scale(1 / 5e-3)
			if got := w.Velocities(id)[4]; got.Sub(chord).Norm() > 1e-12 {
				t.Fatalf("θ = %g: velocity %v, want %v", theta, got, chord)
			}
		}
	}
}

// The force of a handle that holds a sheet at rest is its weight; a weak one gives no more than its limit.
func TestHandleForces(t *testing.T) {
	w, id, h := hanging(t, 6, nil)
	if _, err := w.Settle(engine.DefaultSettleOptions()); err != nil {
		t.Fatal(err)
	}
	steps(t, w, 1, 2e-3)
	weight := 0.0
	for _, m := range w.Masses(id) {
		weight += 9.81 * m
	}
	if got := w.HandleForce(h); math.Abs(got.Z-weight) > 1e-6*weight || math.Hypot(got.X, got.Y) > 1e-6*weight {
		t.Errorf("handle force %v, want (0, 0, %g)", got, weight)
	}

	const limit = 0.05
	pull, err := w.AddHandle(
		engine.Handle{Cloth: id, Vertices: []int32{0, 1, 2}, Limit: &engine.ForceLimit{Force: limit, Stiffness: 100}},
	)
	if err != nil {
		t.Fatal(err)
	}
	w.MoveHandle(pull, r3.Translation(r3.V(0, 0, -1)))
	most := 0.0
	for range 200 {
		steps(t, w, 1, 2e-3)
		most = max(most, w.HandleForce(pull).Norm())
	}
	// The force is that of a tangent: it may exceed the limit in second order of the sideways motion in a step.
	if most > limit*(1+1e-6) || most < 0.9*limit {
		t.Errorf("largest force %g N, want up to %g", most, limit)
	}
	w.Release(pull)
	steps(t, w, 1, 2e-3)
	if f := w.HandleForce(pull); f != (r3.Vec{}) {
		t.Errorf("a released handle pulls with %v", f)
	}
}

// Terminal velocity: a level sheet that falls flat in air reaches g m = ½ ρ C A v².
func TestAirDragReachesTerminalVelocity(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Air.Density = 1.2
	m, x := shape.Grid(0.1, 0.1, 2, 2)
	w, err := engine.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	f := cotton(t)
	id, err := w.AddCloth(engine.DefaultCloth("sheet", m, x, f))
	if err != nil {
		t.Fatal(err)
	}
	want := math.Sqrt(2 * f.Density * 9.81 / 1.2)
	steps(t, w, 2000, 2e-3)
	for i, v := range w.Velocities(id) {
		if math.Abs(-v.Z-want) > 1e-6*want {
			t.Fatalf("vertex %d falls at %g m/s, want %g", i, -v.Z, want)
		}
	}
}

// Wind does the same to a sheet at rest, sideways.
func TestWindCarriesASheet(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Gravity = r3.Vec{}
	opt.Air = engine.AirOptions{Density: 1.2, Wind: r3.V(0, 0, 2)}
	m, x := shape.Grid(0.1, 0.1, 2, 2)
	w, err := engine.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.AddCloth(engine.DefaultCloth("sheet", m, x, cotton(t)))
	if err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for range 500 {
		steps(t, w, 1, 4e-3)
		v := w.Velocities(id)[0].Z
		if v < last || v > 2 {
			t.Fatalf("speed %g after %g in a wind of 2 m/s", v, last)
		}
		last = v
	}
	if last < 1.5 {
		t.Errorf("speed %g m/s after 2 s, want near 2", last)
	}
}

// A step that cannot be used changes nothing and is named; Advance halves and then gives up.
func TestFailedStepChangesNothing(t *testing.T) {
	w, id, _ := hanging(t, 4, nil)
	steps(t, w, 2, 2e-3)
	before := w.Snapshot().Hash()
	for _, bad := range []float64{math.NaN(), math.Inf(1), 1e200} {
		w.SetForce(id, 0, r3.V(bad, 0, 0))
		if _, err := w.Step(2e-3); !errors.Is(err, engine.ErrNotFinite) {
			t.Errorf("force of %g N: error %v, want %v", bad, err, engine.ErrNotFinite)
		}
	}
	err := w.Advance(2e-3, 2e-3, nil)
	if err == nil || !strings.Contains(err.Error(), "halving the step 6 times") {
		t.Errorf("error %v, want one that says how often the step was halved", err)
	}
	w.SetForce(id, 0, r3.Vec{})
	if w.Snapshot().Hash() != before {
		t.Error("a failed step changed the state")
	}
}

// MoveHandle under Advance arrives at the end of it, evenly.
func TestMoveHandleArrivesAtTheEndOfAdvance(t *testing.T) {
	w, id, h := hanging(t, 4, nil)
	start := w.Positions(id)[24]
	w.MoveHandle(h, r3.Translation(r3.V(0.1, 0, 0)))
	var at []float64
	if err := w.Advance(0.01, 2e-3, func(engine.Stats) { at = append(at, w.Positions(id)[24].X-start.X) }); err != nil {
		t.Fatal(err)
	}
	if len(at) != 5 {
		t.Fatalf("%d steps, want 5", len(at))
	}
	for i, x := range at {
		if want := 0.02 * float64(i+1); math.Abs(x-want) > 1e-12 {
			t.Errorf("after step %d moved by %g, want %g", i+1, x, want)
		}
	}
}

// The nonlinear residual falls with Newton iterations, and what is not reached is said.
func TestNewtonConverges(t *testing.T) {
	w, _, _ := hanging(t, 8, func(o *engine.Options, _ *engine.Cloth) {
		o.Newton.Iterations = 30
		o.Linear.Method = engine.Direct
	})
	for range 20 {
		if s := steps(t, w, 1, 1e-2); !s.Converged || s.Nonlinear > 1e-8 {
			t.Fatalf(
				"step %d: converged %v, residual %g m/s after %d iterations",
				s.Step,
				s.Converged,
				s.Nonlinear,
				s.Newton,
			)
		}
	}
	w, _, _ = hanging(t, 40, func(o *engine.Options, _ *engine.Cloth) {
		o.Linear = engine.LinearOptions{Method: engine.PCG, Tolerance: 1e-12, MaxIterations: 1}
	})
	if s := steps(t, w, 5, 1e-2); s.Converged || s.Residual <= 1e-12 {
		t.Errorf("converged %v at residual %g after two iterations", s.Converged, s.Residual)
	}
}

func TestBadInputIsRefused(t *testing.T) {
	m, x := shape.Grid(1, 1, 2, 2)
	good := engine.DefaultCloth("sheet", m, x, cotton(t))
	cases := []struct {
		name   string
		change func(*engine.Cloth)
		phrase string
	}{
		{"no mesh", func(c *engine.Cloth) { c.Mesh = nil }, "no triangles"},
		{"too few positions", func(c *engine.Cloth) { c.Positions = x[:3] }, "9 vertices but 3 positions"},
		{
			"position not finite",
			func(c *engine.Cloth) { c.Positions = append([]r3.Vec{r3.V(math.Inf(1), 0, 0)}, x[1:]...) },
			"position of vertex 0",
		},
		{"velocities of others", func(c *engine.Cloth) { c.Velocities = x[:2] }, "2 velocities"},
		{
			"velocity not finite",
			func(c *engine.Cloth) { c.Velocities = append([]r3.Vec{r3.V(math.NaN(), 0, 0)}, x[1:]...) },
			"velocity of vertex 0",
		},
		{"negative drag", func(c *engine.Cloth) { c.Drag = -1 }, "drag"},
		{"bad fabric", func(c *engine.Cloth) { c.Fabric.Density = 0 }, "density"},
		{"unknown bending", func(c *engine.Cloth) { c.Bending = 9 }, "bending model"},
		{"no table", func(c *engine.Cloth) { c.Tabulated = true }, "no table"},
		{
			"clamp nowhere",
			func(c *engine.Cloth) { c.Clamps = []engine.Clamp{{Edge: [2]int32{0, 8}, Dir: r3.V(1, 0, 0)}} },
			"no edge 0-8",
		},
		{
			"clamp along its edge",
			func(c *engine.Cloth) { c.Clamps = []engine.Clamp{{Edge: [2]int32{0, 1}, Dir: r3.V(1, 0, 0)}} },
			"runs along its edge",
		},
		{"endless drag", func(c *engine.Cloth) { c.Drag = math.Inf(1) }, "drag"},
		{
			"clamped hinge",
			func(c *engine.Cloth) { c.Bending = engine.Hinge; c.Clamps = make([]engine.Clamp, 1) },
			"plate bending",
		},
		{
			"curved isometric",
			func(c *engine.Cloth) { c.Bending = engine.Isometric; c.RestCurvature = engine.InitialRest },
			"flat at rest",
		},
	}
	for _, c := range cases {
		w, err := engine.New(engine.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		cloth := good
		c.change(&cloth)
		if _, err := w.AddCloth(cloth); err == nil || !strings.Contains(err.Error(), c.phrase) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.phrase)
		}
	}

	w, id, _ := hanging(t, 2, nil)
	for _, h := range []engine.Handle{
		{Cloth: 7, Vertices: []int32{0}},
		{Cloth: id},
		{Cloth: id, Vertices: []int32{99}},
		{Cloth: id, Vertices: []int32{8}},
		{Cloth: id, Vertices: []int32{1, 1}},
		{Cloth: id, Vertices: []int32{0}, Path: &engine.Path{}},
		{Cloth: id, Vertices: []int32{0}, Path: &engine.Path{Keys: []engine.Key{{At: 1}, {At: 1}}}},
		{Cloth: id, Vertices: []int32{0}, Path: &engine.Path{Keys: []engine.Key{{Angle: 1}}}},
		{Cloth: id, Vertices: []int32{0}, Limit: &engine.ForceLimit{Force: 1}},
	} {
		if _, err := w.AddHandle(h); err == nil {
			t.Errorf("handle %+v was accepted", h)
		}
	}
	for _, h := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := w.Step(h); err == nil {
			t.Errorf("a step of %g s was taken", h)
		}
		if err := w.Advance(h, 1e-3, nil); err == nil {
			t.Errorf("advanced by %g s", h)
		}
	}
	empty, _ := engine.New(engine.DefaultOptions())
	if _, err := empty.Step(1e-3); err == nil {
		t.Error("an empty world was stepped")
	}
	bad := engine.Options{Theta: 0.1, Workers: -1, Gravity: r3.V(math.NaN(), 0, 0)}
	err := bad.Validate()
	for _, phrase := range []string{"theta", "workers", "gravity", "newton iterations", "linear tolerance"} {
		if err == nil || !strings.Contains(err.Error(), phrase) {
			t.Errorf("options fault %v does not name %s", err, phrase)
		}
	}
}

// Settle finds the same state that a long damped run comes to rest in.
func TestSettleIsWhereMotionEnds(t *testing.T) {
	// A sheet held along an edge and pulled aside at a corner: stiff enough to have one equilibrium.
	build := func() (*engine.World, engine.ClothID) {
		w, id, h := hanging(t, 6, func(o *engine.Options, c *engine.Cloth) {
			o.Air.Density = 200 // to stop the swing, which damping of strain does not touch
			c.Fabric.BendWarp, c.Fabric.BendWeft, c.Fabric.BendBias = 1e-2, 1e-2, 1e-2
		})
		w.Release(h)
		if _, err := w.AddHandle(engine.Handle{Cloth: id, Vertices: []int32{42, 43, 44, 45, 46, 47, 48}}); err != nil {
			t.Fatal(err)
		}
		w.SetForce(id, 0, r3.V(0, 0.1, 0))
		return w, id
	}
	settled, id := build()
	stats, err := settled.Settle(engine.DefaultSettleOptions())
	if err != nil || !stats.Converged || stats.Unstable != 0 {
		t.Fatalf("settle: %+v, %v", stats, err)
	}
	moved, _ := build()
	steps(t, moved, 1500, 5e-2)
	for i, p := range moved.Positions(id) {
		if d := p.Sub(settled.Positions(id)[i]).Norm(); d > 1e-4 {
			t.Fatalf("vertex %d is %g m from where Settle put it", i, d)
		}
	}
	// And a settled sheet does not move.
	before := append([]r3.Vec(nil), settled.Positions(id)...)
	steps(t, settled, 10, 1e-2)
	for i, p := range settled.Positions(id) {
		if d := p.Sub(before[i]).Norm(); d > 1e-8 {
			t.Fatalf("vertex %d moved %g m after Settle", i, d)
		}
	}
}
