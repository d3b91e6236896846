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

// Inner edges of flat meshes hold nothing, and edges that stick out do.

// A cube slides down a slope of 20 degrees that is a flat mesh, whatever the step, with the acceleration of Coulomb's
// law: steps in which it would fall through the mesh meet its inner edges from below.
func TestFlatMeshDoesNotCatch(t *testing.T) {
	const mu, x, z, half = 0.3, 3.3552, 9.2184, 0.05
	for _, kind := range []string{"rigid", "soft"} {
		for _, thickness := range []float64{1e-3, 1e-4} {
			for _, h := range []float64{5e-3, 10e-3, 1.0 / 60, 20e-3} {
				t.Run(fmt.Sprintf("%s, %g mm, %.1f ms", kind, 1e3*thickness, 1e3*h), func(t *testing.T) {
					opt := engine.DefaultOptions()
					opt.Workers, opt.Contact.Friction, opt.Contact.Thickness = 1, mu, thickness
					opt.Gravity = r3.V(x, 0, -z)
					w := must(engine.New(opt))
					must(w.AddObstacle(floorMesh(2, 3)))
					turn := r3.Rotation(r3.V(0, 0, 1), 0.37)
					way := slider(t, w, kind, half, turn, r3.V(0, 0, half+thickness))
					steps := int(math.Round(0.6 / h))
					for range steps {
						if s := must(w.Step(h)); s.Crossings > 0 {
							t.Fatalf("%d crossings", s.Crossings)
						}
					}
					n := float64(steps)
					want := (x - mu*z) * h * h * n * (n + 1) / 2
					off := 1e-6
					if kind == "soft" {
						off = 0.05 * want // it leans over, and slips before it presses
					}
					if got := way(); math.Abs(got-want) > off {
						t.Errorf("it went %g m, not %g", got, want)
					}
				})
			}
		}
	}
}

// slider adds a cube, rigid or soft, and returns how far it has moved along x.
func slider(t testing.TB, w *engine.World, kind string, half float64, turn r3.Quat, at r3.Vec) func() float64 {
	if kind == "rigid" {
		b := must(body.NewRigid(body.Brick(r3.V(half, half, half), 1000), turn, r3.Vec{}))
		id := must(w.AddBody("cube", b, []r3.Vec{at, {}}, make([]r3.Vec, 2)))
		return func() float64 { return w.BodyPositions(id)[0].X - at.X }
	}
	m := shape.Block(r3.V(half, half, half), 2, 2, 2)
	m, _, _ = m.SkinFirst()
	s := must(body.NewSolid(body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: 1e6, Poisson: 0.3}, Density: 1000, Damping: 5e-3,
	}))
	x := make([]r3.Vec, len(m.X))
	for i, p := range m.X {
		x[i] = turn.Rotate(p).Add(at)
	}
	id := must(w.AddBody("cube", s, x, make([]r3.Vec, len(x))))
	return func() float64 {
		sum := 0.0
		for _, p := range w.BodyPositions(id) {
			sum += p.X / float64(len(x))
		}
		return sum - at.X
	}
}

// slab is a closed box of a mesh as an obstacle, with its top at a height.
func slab(name string, size, centre r3.Vec) engine.Obstacle {
	x, tri := body.Brick(size.Scale(0.5), 1000).Points, body.Brick(size.Scale(0.5), 1000).Tri
	out := engine.Obstacle{Name: name, Tri: tri, Place: r3.Still()}
	for _, p := range x {
		out.Positions = append(out.Positions, p.Add(centre))
	}
	return out
}

// A bar that is slid against the rim of an open floor from outside, at its height, is stopped by it.
func TestRimCatches(t *testing.T) {
	for _, h := range []float64{5e-3, 20e-3} {
		opt := engine.DefaultOptions()
		opt.Gravity, opt.Workers, opt.Contact.Friction = r3.Vec{}, 1, 0
		w := must(engine.New(opt))
		must(w.AddObstacle(floorMesh(0.5, 3)))
		b := must(body.NewRigid(body.Brick(r3.V(0.05, 0.02, 0.05), 1000), r3.NoRotation(), r3.Vec{}))
		id := must(w.AddBody("bar", b, []r3.Vec{{X: 0.6, Y: 0.05}, {}}, []r3.Vec{{X: -1}, {}}))
		for range int(0.2 / h) {
			if s := must(w.Step(h)); s.Crossings > 0 {
				t.Fatalf("%d crossings", s.Crossings)
			}
		}
		if x := w.BodyPositions(id)[0].X; x < 0.55 {
			t.Errorf("step %g s: the bar is at %g m, past the rim", h, x)
		}
	}
}

// A bar lies across a valley, on its two crests, and does not fall in.
func TestBarAcrossValley(t *testing.T) {
	for _, h := range []float64{2e-3, 20e-3} {
		opt := engine.DefaultOptions()
		opt.Workers = 1
		w := must(engine.New(opt))
		// Crests along y at x = ±0.1, a floor in between at z = -0.1, and slopes outside.
		x := []r3.Vec{}
		for _, p := range []r3.Vec{{X: -0.3, Z: -0.1}, {X: -0.1}, {Z: -0.1}, {X: 0.1}, {X: 0.3, Z: -0.1}} {
			x = append(x, r3.V(p.X, -0.5, p.Z), r3.V(p.X, 0.5, p.Z))
		}
		var tri [][3]int32
		for k := int32(0); k < 8; k += 2 {
			tri = append(tri, [3]int32{k, k + 2, k + 3}, [3]int32{k, k + 3, k + 1})
		}
		must(w.AddObstacle(engine.Obstacle{Name: "valley", Tri: tri, Positions: x, Place: r3.Still()}))
		b := must(body.NewRigid(body.Brick(r3.V(0.2, 0.02, 0.02), 1000), r3.NoRotation(), r3.Vec{}))
		id := must(w.AddBody("bar", b, []r3.Vec{{Z: 0.03}, {}}, make([]r3.Vec, 2)))
		for range int(0.5 / h) {
			if s := must(w.Step(h)); s.Crossings > 0 {
				t.Fatalf("%d crossings", s.Crossings)
			}
		}
		if z := w.BodyPositions(id)[0].Z; math.Abs(z-0.021) > 1e-4 {
			t.Errorf("step %g s: the bar is at a height of %g m, not 0.021", h, z)
		}
	}
}

// A cube that is pushed over the rim of a slab tips over it and falls, and goes through nothing.
func TestCubeGoesOffSlab(t *testing.T) {
	for _, h := range []float64{4e-3, 16e-3} {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Contact.Friction = 1, 0.1
		w := must(engine.New(opt))
		must(w.AddObstacle(slab("slab", r3.V(0.4, 0.4, 0.1), r3.V(0, 0, -0.05))))
		b := must(body.NewRigid(body.Brick(r3.V(0.03, 0.03, 0.03), 1000), r3.Rotation(r3.V(0, 0, 1), 0.3), r3.Vec{}))
		id := must(w.AddBody("cube", b, []r3.Vec{{X: 0.1, Z: 0.031}, {}}, []r3.Vec{{X: 0.8}, {}}))
		for range int(0.8 / h) {
			if s := must(w.Step(h)); s.Crossings > 0 {
				t.Fatalf("%d crossings", s.Crossings)
			}
		}
		if x := w.BodyPositions(id)[0]; x.Z > -0.1 || x.X < 0.2 {
			t.Errorf("step %g s: the cube is at %v", h, x)
		}
	}
}

// A sheet that flies against the edge of a slab folds over it within a few long steps.
func TestClothFoldsOverEdge(t *testing.T) {
	for _, h := range []float64{2e-3, 10e-3} {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Contact.Friction = 1, 0.5
		w := must(engine.New(opt))
		must(w.AddObstacle(slab("slab", r3.V(0.2, 0.4, 0.02), r3.V(0, 0, -0.01))))
		m, x := shape.Grid(0.3, 0.1, 15, 5)
		c := engine.DefaultCloth("sheet", m, x, cotton(t))
		for i := range x {
			x[i] = x[i].Add(r3.V(-0.05, -0.05, 0.01))
			c.Velocities = append(c.Velocities, r3.V(0, 0, -2))
		}
		id := must(w.AddCloth(c))
		for range int(0.3 / h) {
			if s := must(w.Step(h)); s.Crossings > 0 {
				t.Fatalf("%d crossings", s.Crossings)
			}
		}
		low := math.Inf(1)
		for _, p := range w.Positions(id) {
			low = min(low, p.Z)
		}
		if low > -0.05 {
			t.Errorf("step %g s: the end of the sheet hangs at %g m, not below the slab", h, low)
		}
	}
}
