package engine_test

import (
	"errors"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// clampedSheet returns a sheet held and clamped along its edge x = 0 by a handle, which may be on a path.
func clampedSheet(t *testing.T, theta float64, path *engine.Path) (*engine.World, engine.ClothID, engine.HandleID) {
	t.Helper()
	opt := engine.DefaultOptions()
	opt.Theta = theta
	m, x := shape.Grid(0.2, 0.2, 4, 4)
	c := engine.DefaultCloth("sheet", m, x, cotton(t))
	c.Fabric.BendWarp, c.Fabric.BendWeft, c.Fabric.BendBias = 1e-3, 1e-3, 1e-3
	var root []int32
	for i := range x {
		if x[i].X == 0 {
			root = append(root, int32(i))
		}
	}
	for i := range len(root) - 1 {
		c.Clamps = append(c.Clamps, engine.Clamp{Edge: [2]int32{root[i], root[i+1]}, Dir: r3.V(1, 0, 0)})
	}
	w := must(engine.New(opt))
	id := must(w.AddCloth(c))
	h := must(w.AddHandle(engine.Handle{Cloth: id, Vertices: root, Path: path}))
	return w, id, h
}

// The direction of clamps is no hidden state: worlds with equal snapshots go on alike, whatever happened before, and a
// failed step leaves it alone.
func TestClampsAreNoHiddenState(t *testing.T) {
	turn := r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), 0.5)}
	w, id, h := clampedSheet(t, 1, nil)
	w.MoveHandle(h, turn)
	steps(t, w, 3, 5e-3)
	energy := w.Energy()
	const free = 24 // a vertex that nobody holds
	w.SetForce(id, free, r3.V(math.NaN(), 0, 0))
	w.MoveHandle(h, r3.Still())
	if _, err := w.Step(5e-3); err == nil {
		t.Fatal("a force that is not a number was accepted")
	}
	w.SetForce(id, free, r3.Vec{})
	if got := w.Energy(); got != energy {
		t.Errorf("energy %v after a failed step, want %v", got, energy)
	}
	w.MoveHandle(h, turn)
	w.Release(h)
	steps(t, w, 1, 5e-3)
	snap := w.Snapshot()
	fresh, _, _ := clampedSheet(t, 1, nil)
	if err := fresh.Restore(snap); err != nil {
		t.Fatal(err)
	}
	if fresh.Energy() != w.Energy() {
		t.Errorf("energy %v after restoring, want %v", fresh.Energy(), w.Energy())
	}
	steps(t, w, 2, 5e-3)
	steps(t, fresh, 2, 5e-3)
	if w.Snapshot().Hash() != fresh.Snapshot().Hash() {
		t.Error("a restored world goes on differently")
	}
}

// An exact handle that starts to move exerts the impulse that its cloth gains, for every θ.
func TestHandleImpulseIsTheMomentumGained(t *testing.T) {
	for _, theta := range []float64{1, 0.75, 0.5} {
		w, id, h := hanging(t, 4, func(o *engine.Options, _ *engine.Cloth) {
			o.Theta, o.Gravity = theta, r3.Vec{}
			o.Linear.Method, o.Linear.Tolerance = engine.Direct, 1e-12
		})
		w.MoveHandle(h, r3.Translation(r3.V(0, 0, 0.01)))
		steps(t, w, 1, 4e-3)
		var gained r3.Vec
		for i, v := range w.Velocities(id) {
			gained = gained.AddScaled(w.Masses(id)[i], v)
		}
		impulse := w.HandleForce(h).Scale(4e-3)
		if impulse.Sub(gained).Norm() > 1e-9*gained.Norm() {
			t.Errorf("θ = %g: impulse %v, momentum gained %v", theta, impulse, gained)
		}
	}
}

// A weak handle in steady motion carries a light cloth along with it, neither ahead nor behind, for every θ.
func TestWeakHandleIsNotAhead(t *testing.T) {
	for _, theta := range []float64{1, 0.5} {
		opt := engine.DefaultOptions()
		opt.Theta, opt.Gravity = theta, r3.Vec{}
		m, x := shape.Grid(0.1, 0.1, 1, 1)
		c := engine.DefaultCloth("sheet", m, x, cotton(t))
		c.Velocities = []r3.Vec{r3.V(1, 0, 0), r3.V(1, 0, 0), r3.V(1, 0, 0), r3.V(1, 0, 0)}
		w := must(engine.New(opt))
		id := must(w.AddCloth(c))
		path := &engine.Path{Keys: []engine.Key{{At: 0}, {At: 10, Translate: r3.V(10, 0, 0)}}}
		must(
			w.AddHandle(
				engine.Handle{
					Cloth:    id,
					Vertices: []int32{0, 1, 2, 3},
					Path:     path,
					Limit:    &engine.ForceLimit{Force: 100, Stiffness: 1000},
				},
			),
		)
		steps(t, w, 50, 4e-3)
		for i, p := range w.Positions(id) {
			if d := p.X - x[i].X - w.Time(); math.Abs(d) > 1e-9 {
				t.Errorf("θ = %g: vertex %d is %g m ahead", theta, i, d)
			}
		}
	}
}

// A weak handle never gives more than its limit, also to a cloth that arrives fast, and says what it gave.
func TestForceLimitHoldsInOneStep(t *testing.T) {
	const limit, h = 1.0, 4e-3
	w, id, _ := hanging(t, 2, func(o *engine.Options, c *engine.Cloth) {
		o.Gravity = r3.Vec{}
		for range c.Mesh.Verts {
			c.Velocities = append(c.Velocities, r3.V(10, 0, 0))
		}
	})
	w.Release(0)
	weak := must(
		w.AddHandle(
			engine.Handle{
				Cloth:    id,
				Vertices: []int32{0, 1, 2, 3, 4, 5, 6, 7, 8},
				Limit:    &engine.ForceLimit{Force: limit, Stiffness: 1e5},
			},
		),
	)
	momentum := func() (p float64) {
		for i, v := range w.Velocities(id) {
			p += w.Masses(id)[i] * v.X
		}
		return p
	}
	for range 20 {
		before := momentum()
		steps(t, w, 1, h)
		given := (momentum() - before) / h
		if math.Abs(given) > limit*(1+1e-9) || math.Abs(given-w.HandleForce(weak).X) > 1e-9 {
			t.Fatalf("step %d: gave %g N and says %g, limit %g", w.Steps(), given, w.HandleForce(weak).X, limit)
		}
	}
}

// MoveHandle maps the places where vertices were when the handle was added, also for one that was on a path.
func TestMoveHandleIsRelativeToWhereVerticesWere(t *testing.T) {
	w, id, _ := hanging(t, 2, nil)
	path := &engine.Path{Keys: []engine.Key{{At: 0, Translate: r3.V(0, 0, 1), Axis: r3.V(0, 0, 1), Angle: 1}}}
	before := w.Positions(id)[0]
	h := must(w.AddHandle(engine.Handle{Cloth: id, Vertices: []int32{0}, Path: path}))
	w.MoveHandle(h, r3.Still())
	steps(t, w, 1, 1e-3)
	if d := w.Positions(id)[0].Sub(before).Norm(); d > 1e-15 {
		t.Errorf("a still handle moved its vertex by %g m", d)
	}
}

// Large numbers end a step or a search for equilibrium with an error, whatever the linear solver.
func TestOverflowIsAnError(t *testing.T) {
	for _, cells := range []int{8, 16} {
		w, id, _ := hanging(t, cells, nil)
		for _, bad := range []float64{math.NaN(), 1e300} {
			w.SetForce(id, 0, r3.V(0, 0, bad))
			if _, err := w.Step(1e-3); !errors.Is(err, engine.ErrNotFinite) {
				t.Errorf("%d cells, force %g: error %v", cells, bad, err)
			}
		}
	}
	w, _, _ := hanging(t, 4, func(_ *engine.Options, c *engine.Cloth) {
		for i := range c.Positions {
			c.Positions[i] = c.Positions[i].Scale(1e160)
		}
	})
	if _, err := w.Settle(engine.DefaultSettleOptions()); !errors.Is(err, engine.ErrNotFinite) {
		t.Errorf("settle: error %v", err)
	}
}

// A free sheet at rest is settled, and its rigid motions are not instabilities.
func TestSettleOfAFreeSheet(t *testing.T) {
	w, _, h := hanging(t, 4, func(o *engine.Options, _ *engine.Cloth) { o.Gravity = r3.Vec{} })
	w.Release(h)
	s := must(w.Settle(engine.DefaultSettleOptions()))
	if !s.Converged || s.Unstable != 0 || s.Iterations > 20 {
		t.Errorf("%+v", s)
	}
}

// A snapshot fits only the connectivity it was taken from, and a tampered one is refused.
func TestSnapshotKnowsItsWorld(t *testing.T) {
	w, _, _ := hanging(t, 3, nil)
	flipped, _, _ := hanging(t, 3, func(_ *engine.Options, c *engine.Cloth) {
		tri := append([][3]int32(nil), c.Mesh.Tri...)
		a, b := tri[0], tri[1]
		// Exchange the diagonal of the first cell.
		corner := func(t [3]int32, others [3]int32) int32 {
			for _, v := range t {
				if v != others[0] && v != others[1] && v != others[2] {
					return v
				}
			}
			return -1
		}
		p, q := corner(a, b), corner(b, a)
		var shared []int32
		for _, v := range a {
			if v != p {
				shared = append(shared, v)
			}
		}
		tri[0], tri[1] = [3]int32{p, shared[0], q}, [3]int32{p, q, shared[1]}
		m, err := mesh.New(c.Mesh.Verts, tri, c.Mesh.Material, nil)
		if err != nil {
			tri[0], tri[1] = [3]int32{p, q, shared[0]}, [3]int32{p, shared[1], q}
			m = must(mesh.New(c.Mesh.Verts, tri, c.Mesh.Material, nil))
		}
		c.Mesh = m
	})
	if flipped.Restore(w.Snapshot()) == nil {
		t.Error("a snapshot was restored into other triangles")
	}
	data := must(w.Snapshot().MarshalBinary())
	var s engine.Snapshot
	for cut := 1; cut < len(data); cut += 97 {
		if s.UnmarshalBinary(data[:cut]) == nil {
			t.Fatalf("%d of %d bytes were accepted", cut, len(data))
		}
	}
}

// Newton takes no more linearizations than allowed.
func TestNewtonIterationsAreALimit(t *testing.T) {
	for _, limit := range []int{1, 2, 3} {
		w, _, _ := hanging(t, 6, func(o *engine.Options, _ *engine.Cloth) {
			o.Newton.Iterations, o.Newton.Tolerance = limit, 1e-16
		})
		if s := steps(t, w, 3, 1e-2); s.Newton != limit || (limit > 1 && s.Converged) {
			t.Errorf("limit %d: %d linearizations, converged %v", limit, s.Newton, s.Converged)
		}
	}
}

// With the exact Hessian, damping and a table of measured stiffness there is one balance of momentum, and Newton finds
// it.
func TestExactNewtonWithDampingAndTable(t *testing.T) {
	f, err := material.LookupFabric("cotton-interlock")
	if err != nil {
		t.Fatal(err)
	}
	w, _, _ := hanging(t, 6, func(o *engine.Options, c *engine.Cloth) {
		o.Newton = engine.NewtonOptions{Iterations: 40, Tolerance: 1e-9, Exact: true}
		o.Linear.Method = engine.Direct
		c.Fabric, c.Tabulated = f, true
	})
	for range 10 {
		if s := steps(t, w, 1, 2e-3); !s.Converged {
			t.Errorf("step %d: residual %g m/s after %d linearizations", s.Step, s.Nonlinear, s.Newton)
		}
	}
}
