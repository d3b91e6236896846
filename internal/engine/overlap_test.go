package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Every overlap is seen, whatever overlaps, and nothing else: cubes of 2 cm, balls of 1 cm, capsules as long as wide.
func TestOverlapsAreSeen(t *testing.T) {
	const a = 0.01
	turn := r3.Rotation(r3.V(1, 2, 3).Unit(), 0.4)
	cases := []struct {
		name     string
		one, two body.RigidSpec
		at       r3.Vec
		turn     r3.Quat
		depth    float64 // NaN: some
	}{
		{"cubes through each other", cube(a), cube(a), r3.V(a, 0.8*a, 0.7*a), turn, math.NaN()},
		{"cubes shifted along a face", cube(a), cube(a), r3.V(a, 0, 0), r3.NoRotation(), math.NaN()},
		{"cubes in the same place", cube(a), cube(a), r3.Vec{}, r3.NoRotation(), math.NaN()},
		{"cube in a cube", cube(a / 4), cube(a), r3.V(a/8, 0, 0), turn, math.NaN()},
		{"cubes flush", cube(a), cube(a), r3.V(2*a, 0, 0), r3.NoRotation(), 0},
		{"cubes edge on edge", cube(a), cube(a), r3.V(2*a, 2*a, 0), r3.NoRotation(), 0},
		{"cubes apart", cube(a), cube(a), r3.V(2.001*a, 0, 0), r3.NoRotation(), 0},
		{"ball in a cube", body.Ball(a/4, 1000), cube(a), r3.V(a/8, 0, 0), turn, math.NaN()},
		{"ball into a cube", body.Ball(a, 1000), cube(a), r3.V(1.5*a, 0, 0), r3.NoRotation(), a / 2},
		{"ball on a cube", body.Ball(a, 1000), cube(a), r3.V(2*a, 0, 0), r3.NoRotation(), 0},
		{"ball into a ball", body.Ball(a, 1000), body.Ball(a, 1000), r3.V(1.9*a, 0, 0), r3.NoRotation(), a / 10},
		{"ball at a ball", body.Ball(a, 1000), body.Ball(a, 1000), r3.V(2*a, 0, 0), r3.NoRotation(), 0},
		{"capsule into a ball", body.Capsule(a, a, 1000), body.Ball(a, 1000), r3.V(1.5*a, 0, 0), r3.NoRotation(), a / 2},
		{"capsule into a cube", body.Capsule(a, a, 1000), cube(a), r3.V(1.5*a, 0, 0), r3.NoRotation(), a / 2},
		{
			"capsules crossed", body.Capsule(a, 2*a, 1000), body.Capsule(a, 2*a, 1000), r3.V(1.5*a, 0, 0),
			r3.Rotation(r3.V(1, 0, 0), 1), a / 2,
		},
	}
	for _, c := range cases {
		for _, swapped := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				opt := engine.DefaultOptions()
				opt.Gravity, opt.Workers = r3.Vec{}, 1
				w := must(engine.New(opt))
				one, two, at := c.one, c.two, c.at
				if swapped {
					one, two, at = two, one, at.Neg()
				}
				turns := [2]r3.Quat{r3.NoRotation(), c.turn}
				if swapped {
					turns[0], turns[1] = turns[1], turns[0]
				}
				must(w.AddBody("one", must(body.NewRigid(one, turns[0], r3.Vec{})), make([]r3.Vec, 2), make([]r3.Vec, 2)))
				must(w.AddBody("two", must(body.NewRigid(two, turns[1], r3.Vec{})), []r3.Vec{at, {}}, make([]r3.Vec, 2)))
				count, _ := w.Crossings()
				if (count > 0) != (c.depth != 0) {
					t.Errorf("%d crossings at the start", count)
				}
				s := must(w.Step(1e-4))
				if (s.Crossings > 0) != (c.depth != 0) {
					t.Errorf("%d crossings after a step", s.Crossings)
				}
				if c.depth > 0 && math.Abs(s.Depth-c.depth) > 0.02*c.depth {
					t.Errorf("it is %g m deep, not %g", s.Depth, c.depth)
				}
			})
		}
	}
}

func cube(half float64) body.RigidSpec { return body.Brick(r3.V(half, half, half), 1000) }

// A cloth that starts in a ball, a ball in a shape, and a ball in a closed mesh that stands are seen too.
func TestRoundOverlapsAreSeen(t *testing.T) {
	world := func() *engine.World {
		opt := engine.DefaultOptions()
		opt.Gravity, opt.Workers = r3.Vec{}, 1
		return must(engine.New(opt))
	}
	ball := func(w *engine.World, at r3.Vec) {
		must(w.AddBody("ball", must(body.NewRigid(body.Ball(0.05, 1000), r3.NoRotation(), r3.Vec{})),
			[]r3.Vec{at, {}}, make([]r3.Vec, 2)))
	}
	cloth := world()
	m, x := shape.Grid(0.2, 0.2, 7, 7)
	must(cloth.AddCloth(engine.DefaultCloth("sheet", m, x, cotton(t))))
	ball(cloth, r3.V(0.1, 0.1, 0.01))
	plane := world()
	must(plane.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	ball(plane, r3.V(0, 0, 0.04))
	hull := world()
	y, tri := shape.Cylinder{Radius: 0.1, Half: 0.1}.Mesh(20)
	must(hull.AddObstacle(engine.Obstacle{Name: "hull", Tri: tri, Positions: y, Place: r3.Still()}))
	ball(hull, r3.Vec{})
	for name, w := range map[string]*engine.World{"cloth": cloth, "plane": plane, "hull": hull} {
		if count, _ := w.Crossings(); count == 0 {
			t.Errorf("%s: nothing crosses at the start", name)
		}
		if s := must(w.Step(1e-4)); s.Crossings == 0 {
			t.Errorf("%s: nothing crosses after a step", name)
		}
	}
}
