package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

const thick = 1e-3 // the contact thickness of all worlds here [m]

// ballWorld returns a world with friction.
func ballWorld(mu float64) *engine.World {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction, opt.Contact.Thickness = 1, mu, thick
	return must(engine.New(opt))
}

// addRigid adds a rigid body whose centre is at x and moves at v.
func addRigid(t testing.TB, w *engine.World, name string, spec body.RigidSpec, x, v r3.Vec) (*body.Rigid, engine.BodyID) {
	t.Helper()
	b := must(body.NewRigid(spec, r3.NoRotation(), r3.Vec{}))
	return b, must(w.AddBody(name, b, []r3.Vec{x, {}}, []r3.Vec{v, {}}))
}

// addPlane adds a plane through the origin, tilted about the y axis, down along x.
func addPlane(w *engine.World, slope float64) r3.Vec {
	normal := r3.V(math.Sin(slope), 0, math.Cos(slope))
	must(w.AddObstacle(engine.Obstacle{Name: "plane", Shape: shape.Plane{Normal: normal}, Place: r3.Still()}))
	return normal
}

// advance takes steps, none of which may cross anything, or let round surfaces overlap.
func advance(t testing.TB, w *engine.World, h float64, steps int) {
	t.Helper()
	for k := range steps {
		stats := must(w.Step(h))
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 || stats.Contacts > 0 && stats.WorstGap < 0 {
			t.Fatalf("step %d: %d crossings, gap %g m", k, stats.Crossings, stats.WorstGap)
		}
	}
}

// C14: a ball rolls down a slope with g sin/(1 + c), c = I/(m R²), if tan of the slope is at most μ (1 + c)/c, and
// slips with g (sin − μ cos) if it is more. Velocities are linear in time, which backward Euler follows to rounding.
func TestBallRolls(t *testing.T) {
	const g, radius, h, steps = 9.81, 0.05, 2e-3, 500
	for name, c := range map[string]struct {
		spec  body.RigidSpec
		share float64
	}{
		"solid":  {body.Ball(radius, 1000), 2.0 / 5},
		"hollow": {body.HollowBall(radius, 10), 2.0 / 3},
	} {
		slope := 20 * math.Pi / 180
		threshold := math.Tan(slope) * c.share / (1 + c.share)
		for _, mu := range []float64{0.5 * threshold, 0.99 * threshold, 1.01 * threshold, 1} {
			w := ballWorld(mu)
			normal := addPlane(w, slope)
			start := normal.Scale(radius + thick)
			b, id := addRigid(t, w, "ball", c.spec, start, r3.Vec{})
			advance(t, w, h, steps)
			a := g * math.Sin(slope) / (1 + c.share)
			if mu < threshold {
				a = g * (math.Sin(slope) - mu*math.Cos(slope))
			}
			v := w.BodyVelocities(id)[0].Norm()
			if want := a * h * steps; math.Abs(v-want) > 1e-6*want {
				t.Errorf("%s, μ %.3f: %g m/s, not %g", name, mu, v, want)
			}
			slip := v - b.Spin().Norm()*radius
			if rolls := math.Abs(slip) < 1e-6*v; rolls != (mu > threshold) {
				t.Errorf("%s, μ %.3f: it slips at %g m/s of %g", name, mu, slip, v)
			}
		}
	}
}

// floorMesh returns a square of triangles in the plane z = 0.
func floorMesh(half float64, cells int) engine.Obstacle {
	m, x := shape.Grid(2*half, 2*half, cells, cells)
	for i := range x {
		x[i] = x[i].Sub(r3.V(half, half, 0))
	}
	return engine.Obstacle{Name: "floor", Positions: x, Tri: m.Tri, Place: r3.Still()}
}

// grounds returns worlds with a level ground of several kinds, whose surface is at z = 0 within 0.4 m of the origin.
func grounds(t testing.TB, mu float64) map[string]*engine.World {
	out := map[string]*engine.World{}
	for name, add := range map[string]func(w *engine.World){
		"plane": func(w *engine.World) { addPlane(w, 0) },
		"box": func(w *engine.World) {
			must(w.AddObstacle(engine.Obstacle{
				Name: "box", Shape: shape.Box{Half: r3.V(0.5, 0.5, 0.1)}, Place: r3.Translation(r3.V(0, 0, -0.1)),
			}))
		},
		"mesh": func(w *engine.World) { must(w.AddObstacle(floorMesh(0.5, 13))) },
		"slab": func(w *engine.World) {
			slab, _ := addRigid(t, w, "slab", body.Brick(r3.V(0.5, 0.5, 0.1), 1000), r3.V(0, 0, -0.1), r3.Vec{})
			every := [3]bool{true, true, true}
			if err := slab.SetHold(body.Hold{Axes: r3.Identity(), Move: every, Turn: every}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		w := ballWorld(mu)
		add(w)
		out[name] = w
	}
	return out
}

// A ball that is pushed over level ground slips until it rolls, with 5/7 of its speed, and then rolls on and on,
// straight and without losing energy, over whatever edges its ground has. On a body it is pushed half way between both
// surfaces, at a lever of R + h_c/2.
func TestBallRollsOn(t *testing.T) {
	const radius, h, v0 = 0.05, 2e-3, 0.7
	for name, w := range grounds(t, 0.5) {
		b, id := addRigid(t, w, "ball", body.Ball(radius, 1000), r3.V(-0.2, -0.1, radius+thick), r3.V(v0, 0.3*v0, 0))
		advance(t, w, h, 100)
		v := w.BodyVelocities(id)[0]
		lever := radius
		if name == "slab" {
			lever += thick / 2
		}
		rolling := 1 / (1 + 0.4*radius*radius/(lever*lever))
		if want := r3.V(v0, 0.3*v0, 0).Scale(rolling); v.Sub(want).Norm() > 1e-6*v0 {
			t.Errorf("%s: it rolls at %v m/s, not %v", name, v, want)
		}
		energy := func() float64 {
			v := w.BodyVelocities(id)[0]
			return 0.5*body.Ball(radius, 1000).Mass*v.Dot(v) + 0.5*b.Momentum().Dot(b.Spin())
		}
		before, at := energy(), w.BodyPositions(id)[0]
		advance(t, w, h, 300)
		// What is not solved adds up to 1e-8 m/s in a step.
		if d := math.Abs(energy()/before - 1); d > 2*300*1e-8/v0 {
			t.Errorf("%s: energy changed by %g", name, d)
		}
		way := w.BodyPositions(id)[0].Sub(at)
		if off := way.Sub(v.Scale(300 * h)); off.Norm() > 300*300*h*1e-8 {
			t.Errorf("%s: it is off its straight way by %v m", name, off)
		}
	}
}

// force returns the force on a body in the last step [N].
func force(w *engine.World, id engine.BodyID, h float64) r3.Vec {
	return w.BodyImpulses(id, nil)[0].Scale(1 / h)
}

// Two balls that hit each other off their middles do not bounce: along the line of their centres they go on together.
// Without friction they keep what they have across it, and momenta stay what they are in any case.
func TestBallsCollide(t *testing.T) {
	const h = 1e-3
	for _, mu := range []float64{0, 0.6} {
		opt := engine.DefaultOptions()
		opt.Gravity, opt.Workers, opt.Contact.Friction = r3.Vec{}, 1, mu
		w := must(engine.New(opt))
		specs := []body.RigidSpec{body.Ball(0.05, 1000), body.Ball(0.03, 3000)}
		at := []r3.Vec{{X: -0.1}, {X: 0.05, Y: 0.03, Z: 0.01}}
		v := []r3.Vec{{X: 1}, {X: -0.5, Y: 0.1}}
		bodies, ids := make([]*body.Rigid, 2), make([]engine.BodyID, 2)
		for i := range specs {
			bodies[i], ids[i] = addRigid(t, w, fmt.Sprint("ball ", i), specs[i], at[i], v[i])
		}
		momenta := func() (p, l r3.Vec) {
			for i := range specs {
				x, mv := w.BodyPositions(ids[i])[0], w.BodyVelocities(ids[i])[0].Scale(specs[i].Mass)
				p, l = p.Add(mv), l.Add(x.Cross(mv)).Add(bodies[i].Momentum())
			}
			return p, l
		}
		p0, l0 := momenta()
		met := false
		for range 100 {
			between := w.BodyPositions(ids[0])[0].Sub(w.BodyPositions(ids[1])[0])
			relative := w.BodyVelocities(ids[0])[0].Sub(w.BodyVelocities(ids[1])[0])
			left := between.Norm() - 0.08 - thick // which they may still go
			if must(w.Step(h)); met || left > 2e-5 {
				continue
			}
			met = true
			n := between.Unit()
			now := w.BodyVelocities(ids[0])[0].Sub(w.BodyVelocities(ids[1])[0])
			if d := now.Dot(n); math.Abs(d) > left/h+1e-7 {
				t.Errorf("μ %g: they part at %g m/s", mu, d)
			}
			if across := now.Sub(relative).Cross(n).Norm(); (across < 1e-7) != (mu == 0) {
				t.Errorf("μ %g: across their middles the velocity changes by %g m/s", mu, across)
			}
		}
		if p, l := momenta(); !met || p.Sub(p0).Norm() > 1e-12 || l.Sub(l0).Norm() > 1e-12 {
			t.Errorf("μ %g: met %t, momenta are off by %g and %g", mu, met, p.Sub(p0).Norm(), l.Sub(l0).Norm())
		}
	}
}

// A capsule that lies across two beams is carried by the rule of levers, whatever the beams are.
func TestCapsuleOnTwoBeams(t *testing.T) {
	const radius, half, h = 0.03, 0.2, 2e-3
	spec := body.Capsule(radius, half, 1000)
	at := [2]float64{-0.15, 0.05}
	beams := map[string]func(w *engine.World, x float64) engine.SurfaceID{
		"cylinder": func(w *engine.World, x float64) engine.SurfaceID {
			return w.ObstacleSurface(must(w.AddObstacle(engine.Obstacle{
				Name: "cylinder", Shape: shape.Cylinder{Radius: 0.02, Half: 0.1},
				Place: r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/2), T: r3.V(x, 0, -0.02)},
			})))
		},
		"edge of a box": func(w *engine.World, x float64) engine.SurfaceID {
			return w.ObstacleSurface(must(w.AddObstacle(engine.Obstacle{
				Name: "box", Shape: shape.Box{Half: r3.V(0.02, 0.1, 0.02)},
				Place: r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), math.Pi/4), T: r3.V(x, 0, -0.02*math.Sqrt2)},
			})))
		},
		"edge of a mesh": func(w *engine.World, x float64) engine.SurfaceID {
			pos, tri := shape.Box{Half: r3.V(0.02, 0.1, 0.02)}.Mesh()
			return w.ObstacleSurface(must(w.AddObstacle(engine.Obstacle{
				Name: "mesh", Positions: pos, Tri: tri,
				Place: r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), math.Pi/4), T: r3.V(x, 0, -0.02*math.Sqrt2)},
			})))
		},
		"capsule": func(w *engine.World, x float64) engine.SurfaceID {
			b := must(body.NewRigid(body.Capsule(0.02, 0.1, 1000), r3.Rotation(r3.V(1, 0, 0), math.Pi/2), r3.Vec{}))
			every := [3]bool{true, true, true}
			if err := b.SetHold(body.Hold{Axes: r3.Identity(), Move: every, Turn: every}); err != nil {
				t.Fatal(err)
			}
			return w.BodySurface(must(w.AddBody("beam", b, []r3.Vec{{X: x, Z: -0.02}, {}}, make([]r3.Vec, 2))))
		},
	}
	for name, add := range beams {
		w := ballWorld(0.5)
		var surfaces [2]engine.SurfaceID
		for i, x := range at {
			surfaces[i] = add(w, x)
		}
		b := must(body.NewRigid(spec, r3.Rotation(r3.V(0, 1, 0), math.Pi/2), r3.Vec{}))
		id := must(w.AddBody("capsule", b, []r3.Vec{{Z: radius + thick}, {}}, make([]r3.Vec, 2)))
		advance(t, w, h, 50)
		if moved := w.BodyPositions(id)[0].Sub(r3.V(0, 0, radius+thick)).Norm(); moved > 1e-8 {
			t.Errorf("%s: it moved by %g m", name, moved)
		}
		weight := 9.81 * spec.Mass
		for i, share := range [2]float64{at[1] / (at[1] - at[0]), -at[0] / (at[1] - at[0])} {
			carried := 0.0
			for _, p := range w.PairForces(nil) {
				if p.A == surfaces[i] || p.B == surfaces[i] {
					carried = math.Abs(p.Force.Z)
				}
			}
			if math.Abs(carried-share*weight) > 1e-6*weight {
				t.Errorf("%s: beam %d carries %g N of %g", name, i, carried, share*weight)
			}
		}
	}
}

// A ball rests on a cube that is as light as itself, and the floor carries both.
func TestBallOnCube(t *testing.T) {
	const radius, half, h = 0.05, 0.05, 2e-3
	w := ballWorld(0.5)
	addPlane(w, 0)
	ball, cube := body.Ball(radius, 1000), body.Brick(r3.V(half, half, half), 500)
	_, below := addRigid(t, w, "cube", cube, r3.V(0, 0, half+thick), r3.Vec{})
	at := r3.V(0.01, 0.02, 2*half+radius+2*thick)
	_, above := addRigid(t, w, "ball", ball, at, r3.Vec{})
	advance(t, w, h, 100)
	if moved := w.BodyPositions(above)[0].Sub(at).Norm(); moved > 1e-8 {
		t.Errorf("it moved by %g m", moved)
	}
	for id, mass := range map[engine.BodyID]float64{above: ball.Mass, below: cube.Mass} {
		if f := force(w, id, h); f.Sub(r3.V(0, 0, 9.81*mass)).Norm() > 1e-6*9.81*mass {
			t.Errorf("a body of %g kg is carried by %v N", mass, f)
		}
	}
}

// A ball in a tilted corner presses on each side with the part of its weight along it.
func TestBallInCorner(t *testing.T) {
	const radius, h = 0.05, 2e-3
	turn := r3.Rotation(r3.V(1, -0.5, 0), 0.7)
	w := ballWorld(0)
	sides := [3]r3.Vec{turn.Rotate(r3.V(1, 0, 0)), turn.Rotate(r3.V(0, 1, 0)), turn.Rotate(r3.V(0, 0, 1))}
	var middle r3.Vec
	for _, n := range sides {
		must(w.AddObstacle(engine.Obstacle{Name: fmt.Sprint(n), Shape: shape.Plane{Normal: n}, Place: r3.Still()}))
		middle = middle.AddScaled(radius+thick, n)
	}
	_, id := addRigid(t, w, "ball", body.Ball(radius, 1000), middle, r3.Vec{})
	advance(t, w, h, 50)
	weight := 9.81 * body.Ball(radius, 1000).Mass
	for _, c := range w.Contacts(nil) {
		if want := weight * c.Normal.Z; math.Abs(c.Impulse.Dot(c.Normal)/h-max(0, want)) > 1e-6*weight {
			t.Errorf("a side carries %g N of %g", c.Impulse.Dot(c.Normal)/h, want)
		}
	}
	if f := force(w, id, h); f.Sub(r3.V(0, 0, weight)).Norm() > 1e-6*weight {
		t.Errorf("it is carried by %v N of %g", f, weight)
	}
}

// A ball falls into a cloth that is held at its rim and comes to rest in it: what it is carried by is its weight, and
// it never overlaps the cloth.
func TestBallInHammock(t *testing.T) {
	const radius, h = 0.06, 1e-2
	w := ballWorld(0.4)
	m, x := shape.Grid(0.5, 0.5, 10, 10)
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.25, 0.25, 0))
	}
	cotton := fabric(t, "cotton-interlock")
	cotton.Damping = 0.1
	cloth := addCloth(t, w, engine.DefaultCloth("hammock", m, x, cotton))
	holdRim(w, cloth, m)
	spec := body.Ball(radius, 300)
	b, id := addRigid(t, w, "ball", spec, r3.V(0.03, -0.02, 0.12), r3.V(0.2, 0, 0))
	steps := 200
	if testing.Short() {
		steps = 40
	}
	nearest := math.Inf(1)
	for k := range steps {
		stats := must(w.Step(h))
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 {
			t.Fatalf("step %d: %d crossings", k, stats.Crossings)
		}
		gap := geom.NewMeshField(w.Positions(cloth), m.Tri)
		near, _ := gap.Nearest(w.BodyPositions(id)[0], math.Inf(1))
		nearest = min(nearest, near.Distance-radius)
	}
	if nearest < 0 {
		t.Errorf("it overlaps the cloth by %g m", -nearest)
	}
	if testing.Short() {
		return
	}
	speed, weight := w.BodyVelocities(id)[0].Norm(), 9.81*spec.Mass
	if f := force(w, id, h); f.Sub(r3.V(0, 0, weight)).Norm() > 0.01*weight || speed > 0.01 || b.Spin().Norm() > 0.1 {
		t.Errorf("after %d steps it moves at %g m/s and is carried by %v N, and weighs %g", steps, speed, f, weight)
	}
}

// flying is a world of bricks, balls and capsules that fly about in a box and through a cloth, faster than contacts can
// tell.
type flying struct {
	*engine.World
	cloth  engine.ClothID
	tri    [][3]int32
	bodies []*body.Rigid
	ids    []engine.BodyID
	specs  []body.RigidSpec
}

const flyingHalf = 0.3 // half the side of the box [m]

func newFlying(t testing.TB, seed uint64) *flying {
	random := rand.New(rand.NewPCG(seed, 14))
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Rounds, opt.Contact.Friction = 1, int(seed%2), 0.3
	f := &flying{World: must(engine.New(opt))}
	for i, n := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		must(f.AddObstacle(engine.Obstacle{
			Name: fmt.Sprint("wall ", i), Shape: shape.Plane{Point: n.Scale(-flyingHalf), Normal: n}, Place: r3.Still(),
		}))
	}
	must(f.AddObstacle(engine.Obstacle{
		Name: "box", Shape: shape.Box{Half: r3.V(0.05, 0.05, 0.05)}, Place: r3.Translation(r3.V(0, 0, -0.15)),
	}))
	x, tri := shape.Box{Half: r3.V(0.03, 0.03, 0.03)}.Mesh()
	must(f.AddObstacle(engine.Obstacle{
		Name: "mesh", Positions: x, Tri: tri, Place: r3.Translation(r3.V(0.1, 0.1, -0.2)),
	}))
	m, x := shape.Grid(0.5, 0.5, 6, 6)
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.25, 0.25, 0))
	}
	f.cloth, f.tri = addCloth(t, f.World, engine.DefaultCloth("cloth", m, x, fabric(t, "cotton-interlock"))), m.Tri
	holdRim(f.World, f.cloth, m)
	any := func(size float64) r3.Vec {
		return r3.V(random.Float64()-0.5, random.Float64()-0.5, random.Float64()-0.5).Scale(2 * size)
	}
	for i, spec := range []body.RigidSpec{
		body.Ball(0.05, 500), body.Capsule(0.03, 0.05, 500), body.HollowBall(0.06, 10), body.Capsule(0.01, 0.08, 2000),
		body.Brick(r3.V(0.03, 0.04, 0.05), 500), body.Ball(0.02, 5000),
	} {
		at := r3.V(0.25*(float64(i%2)-0.5), 0.2*(float64(i/2)-1), 0.15)
		b := must(body.NewRigid(spec, r3.Rotation(any(1), 3*random.Float64()), any(60)))
		f.ids = append(f.ids, must(f.AddBody(fmt.Sprint("body ", i), b, []r3.Vec{at, {}}, []r3.Vec{any(15), {}})))
		f.bodies, f.specs = append(f.bodies, b), append(f.specs, spec)
	}
	return f
}

// core returns the ends of what a ball or capsule is round about.
func (f *flying) core(i int) (a, b r3.Vec) {
	x, p := f.BodyPositions(f.ids[i])[0], f.specs[i].Points
	turn := f.bodies[i].Turn()
	return x.Add(turn.Rotate(p[0])), x.Add(turn.Rotate(p[len(p)-1]))
}

// nearest returns the least gap of a round surface to the cloth, the walls, the box and other round surfaces.
func (f *flying) nearest() float64 {
	least := math.Inf(1)
	x := f.Positions(f.cloth)
	for i, spec := range f.specs {
		if spec.Radius == 0 {
			continue
		}
		a, b := f.core(i)
		for _, p := range [2]r3.Vec{a, b} {
			least = min(least, flyingHalf-p.MaxAbs()-spec.Radius)
		}
		up := r3.V(0, 0, 0.15) // where the box is below the origin
		box, c, d := shape.Box{Half: r3.V(0.05, 0.05, 0.05)}, a.Add(up), b.Add(up)
		low := geom.LowestOnTriangle(box, c, d, d, math.Inf(1), 1e-9)
		least = min(least, low.D-spec.Radius)
		for _, v := range f.tri {
			for _, p := range [2]r3.Vec{a, b} {
				_, _, d2 := geom.PointTriangle(p, x[v[0]], x[v[1]], x[v[2]])
				least = min(least, math.Sqrt(d2)-spec.Radius)
			}
			for k := range 3 {
				_, _, d2 := geom.EdgeEdge(a, b, x[v[k]], x[v[(k+1)%3]])
				least = min(least, math.Sqrt(d2)-spec.Radius)
			}
		}
		for j, other := range f.specs[:i] {
			if other.Radius > 0 {
				c, d := f.core(j)
				_, _, d2 := geom.EdgeEdge(a, b, c, d)
				least = min(least, math.Sqrt(d2)-spec.Radius-other.Radius)
			}
		}
	}
	return least
}

// Balls and capsules that fly about never go through anything, and as nothing overlaps them at the start, nothing ever
// does: the certificate is for their surfaces.
func TestRoundNeverCrosses(t *testing.T) {
	brought, met := 0, 0
	for seed := range uint64(6) {
		f := newFlying(t, seed)
		for k := range 60 {
			stats := must(f.Step(5e-3))
			brought += stats.Failsafe.Blocks
			met += stats.Contacts
			if stats.Crossings > 0 || stats.Failsafe.Left > 0 {
				t.Fatalf("seed %d, step %d: %d crossings, %+v", seed, k, stats.Crossings, stats.Failsafe)
			}
			if gap := f.nearest(); gap < 0 {
				t.Fatalf("seed %d, step %d: something overlaps by %g m, %+v", seed, k, -gap, stats.Failsafe)
			}
		}
	}
	if brought == 0 || met == 0 {
		t.Error("nothing was fast enough to try the fail-safe")
	}
}

// Round bodies are the same for any number of workers, and go on with the same bits after they were saved.
func TestRoundIsDeterministic(t *testing.T) {
	var want engine.Hash
	for _, workers := range []int{1, 2, 8} {
		rolling := func() *engine.World {
			opt := engine.DefaultOptions()
			opt.Workers, opt.Contact.Friction = workers, 0.5
			w := must(engine.New(opt))
			must(w.AddObstacle(floorMesh(0.5, 7)))
			for i := range 12 {
				spec := body.Ball(0.03, 1000)
				if i%2 == 1 {
					spec = body.Capsule(0.02, 0.05, 1000)
				}
				at := r3.V(0.02*float64(i%3), 0.03*float64(i%2), 0.1+0.12*float64(i))
				addRigid(t, w, fmt.Sprint(i), spec, at, r3.Vec{})
			}
			return w
		}
		w := rolling()
		advance(t, w, 5e-3, 60)
		saved := w.Snapshot()
		advance(t, w, 5e-3, 60)
		if want == (engine.Hash{}) {
			want = w.Snapshot().Hash()
		}
		again := rolling()
		if err := again.Restore(saved); err != nil {
			t.Fatal(err)
		}
		advance(t, again, 5e-3, 60)
		if got, resumed := w.Snapshot().Hash(), again.Snapshot().Hash(); got != want || resumed != want {
			t.Errorf("%d workers: %v, brought back %v, not %v", workers, got, resumed, want)
		}
	}
}

// A steady step of a ball that rolls allocates nothing.
func TestRoundAllocatesNothing(t *testing.T) {
	w := ballWorld(0.5)
	addPlane(w, 0.1)
	addRigid(t, w, "ball", body.Ball(0.05, 1000), r3.V(0.01, 0, 0.06), r3.Vec{})
	advance(t, w, 2e-3, 50)
	if n := testing.AllocsPerRun(20, func() { must(w.Step(2e-3)) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
