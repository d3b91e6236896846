package engine_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// What is done here to soft bodies no one would do to them; TestBallPressedToATenth is the tenth of such scenes.

// abused counts what happens in a scene of abuse: contacts and crossings are the most in a step.
type abused struct{ steps, converged, contacts, crossings, left int }

func (a *abused) advance(t testing.TB, w *engine.World, end, h float64) {
	t.Helper()
	for w.Time() < end-1e-9 {
		if err := w.Advance(h, h, func(s engine.Stats) {
			a.steps++
			if s.Converged {
				a.converged++
			}
			a.contacts = max(a.contacts, s.Contacts)
			a.crossings, a.left = max(a.crossings, s.Crossings), a.left+s.Failsafe.Left
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// A soft neo-Hookean ball is drawn by vertices inside of it through a square hole of seven tenths of its width, and is
// a ball again.
func TestSoftBallThroughAHole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	opt := largeOptions(1)
	opt.Gravity, opt.Contact.Friction = r3.Vec{}, 0.2
	w := must(engine.New(opt))
	m, _, _ := shape.Ball(0.05, 2).SkinFirst()
	core := []int32{}
	for i, p := range m.X {
		if p.Norm() < 0.03 {
			core = append(core, int32(i))
		}
		m.X[i] = p.Add(r3.V(0, 0, 0.075))
	}
	id := addSolid(t, w, body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: 5e4, Poisson: 0.3}, Law: elastic.NeoHookeanLaw, Density: 1000, Damping: 5e-3,
	}, m.X, make([]r3.Vec, len(m.X)))
	for _, side := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		half := r3.V(0.1, 0.1, 0.015)
		must(w.AddObstacle(engine.Obstacle{
			Name: "side", Shape: shape.Box{Half: half}, Place: r3.Translation(side.Scale(0.135)),
		}))
	}
	must(w.AddHandle(engine.Handle{
		Name: "core", Body: &id, Vertices: core,
		Path: &engine.Path{Keys: []engine.Key{{At: 0}, {At: 0.3, Translate: r3.V(0, 0, -0.15)}}},
	}))
	var a abused
	a.advance(t, w, 0.4, 1e-2)
	least := leastBulk(w, id)
	size := r3.BoxOf(w.BodyPositions(id)).Size()
	t.Logf("%+v, least volume %.3g, size %v", a, least, size)
	if a.converged < a.steps || a.crossings > 0 || a.left > 0 || !(least > 0.9) || math.Abs(size.X-0.1) > 0.005 {
		t.Errorf("%+v, least volume %g, size %v", a, least, size)
	}
	for k, v := range core {
		if d := w.BodyPositions(id)[v].Sub(m.X[v].Add(r3.V(0, 0, -0.15))).Norm(); d > 1e-12 {
			t.Fatalf("vertex %d of the core is off by %g m", k, d)
		}
	}
}

// Two bars side by side are held at both ends and twisted around each other by a whole turn.
func TestTwoBarsTwisted(t *testing.T) {
	opt := largeOptions(1)
	opt.Gravity = r3.Vec{}
	w := must(engine.New(opt))
	var ids []engine.BodyID
	for _, y := range []float64{0.011, -0.011} {
		m, _, _ := shape.Block(r3.V(0.05, 0.01, 0.01), 8, 2, 2).SkinFirst()
		ends := [2][]int32{}
		for i, p := range m.X {
			if math.Abs(p.X) > 0.049 {
				k := 0
				if p.X > 0 {
					k = 1
				}
				ends[k] = append(ends[k], int32(i))
			}
			m.X[i] = p.Add(r3.V(0, y, 0))
		}
		id := addSolid(t, w, body.SolidSpec{
			Mesh: m, Material: material.Isotropic{Young: 5e4, Poisson: 0.3}, Law: elastic.NeoHookeanLaw, Density: 1000, Damping: 5e-3,
		}, m.X, make([]r3.Vec, len(m.X)))
		ids = append(ids, id)
		for k, vertices := range ends {
			turn := math.Pi * float64(2*k-1)
			must(w.AddHandle(engine.Handle{
				Name: "end", Body: &id, Vertices: vertices,
				Path: &engine.Path{Keys: []engine.Key{{At: 0}, {At: 0.4, Axis: r3.V(1, 0, 0), Angle: turn}}},
			}))
		}
	}
	var a abused
	a.advance(t, w, 0.4, 1e-2)
	least := min(leastBulk(w, ids[0]), leastBulk(w, ids[1]))
	t.Logf("%+v, least volume %.3g", a, least)
	if a.converged < a.steps || a.crossings > 0 || a.left > 0 || !(least > 0) {
		t.Errorf("%+v, least volume %g", a, least)
	}
}

// maltreated are soft bodies in a scene of abuse.
type maltreated struct {
	*engine.World
	abused
	t   testing.TB
	ids []engine.BodyID
}

// maltreat makes a world without gravity and with friction.
func maltreat(t testing.TB) *maltreated {
	opt := largeOptions(1)
	opt.Gravity, opt.Contact.Friction = r3.Vec{}, 0.3
	return &maltreated{World: must(engine.New(opt)), t: t}
}

// add adds a neo-Hookean body of 50 kPa with its centre at a place.
func (m *maltreated) add(tets *mesh.Tets, at r3.Vec) (id engine.BodyID, rest []r3.Vec) {
	tets, _, _ = tets.SkinFirst()
	for i := range tets.X {
		tets.X[i] = tets.X[i].Add(at)
	}
	id = addSolid(m.t, m.World, body.SolidSpec{
		Mesh: tets, Material: material.Isotropic{Young: 5e4, Poisson: 0.3}, Law: elastic.NeoHookeanLaw, Density: 1000, Damping: 5e-3,
	}, tets.X, make([]r3.Vec, len(tets.X)))
	m.ids = append(m.ids, id)
	return id, tets.X
}

// hold moves those vertices of a body that are chosen where they were.
func (m *maltreated) hold(id engine.BodyID, rest []r3.Vec, chosen func(x r3.Vec) bool, keys ...engine.Key) engine.HandleID {
	var vertices []int32
	for i, x := range rest {
		if chosen(x) {
			vertices = append(vertices, int32(i))
		}
	}
	return must(m.AddHandle(engine.Handle{Name: "hold", Body: &id, Vertices: vertices, Path: &engine.Path{Keys: keys}}))
}

// wall adds a plane that everything is on that side of, and that moves along it.
func (m *maltreated) wall(at, normal r3.Vec, keys ...engine.Key) {
	o := engine.Obstacle{Name: "wall", Shape: shape.Plane{Normal: normal}, Place: r3.Translation(at)}
	if len(keys) > 0 {
		o.Path = &engine.Path{Keys: keys}
	}
	must(m.AddObstacle(o))
}

// speeds sets velocities of a body by vertex.
func (m *maltreated) speeds(id engine.BodyID, v func(i int) r3.Vec) {
	for i := range m.BodyVelocities(id) {
		m.BodyVelocities(id)[i] = v(i)
	}
}

// Whatever is done to neo-Hookean bodies, steps end, nothing crosses, and nothing is turned inside out.
func TestAbuse(t *testing.T) {
	bar := func() *mesh.Tets { return shape.Block(r3.V(0.06, 0.01, 0.01), 12, 2, 2) }
	cube := func() *mesh.Tets { return shape.Block(r3.V(0.03, 0.03, 0.03), 3, 3, 3) }
	left := func(x r3.Vec) bool { return x.X < -0.059 }
	right := func(x r3.Vec) bool { return x.X > 0.059 }
	for _, c := range []struct {
		name   string
		end, h float64
		do     func(m *maltreated)
	}{
		{"a bar is pulled to three times its length and let go", 0.3, 5e-3, func(m *maltreated) {
			id, rest := m.add(bar(), r3.Vec{})
			m.hold(id, rest, left, engine.Key{})
			pull := m.hold(id, rest, right, engine.Key{}, engine.Key{At: 0.15, Translate: r3.V(0.24, 0, 0)})
			m.advance(m.t, m.World, 0.15, 5e-3)
			m.Release(pull)
		}},
		{"a bar is folded, and walls press its halves together", 0.5, 5e-3, func(m *maltreated) {
			id, rest := m.add(bar(), r3.Vec{})
			var ends [2]engine.HandleID
			for k, end := range []func(r3.Vec) bool{left, right} {
				side := float64(2*k - 1)
				ends[k] = m.hold(id, rest, end, engine.Key{}, engine.Key{
					At: 0.25, Axis: r3.V(0, side, 0), Angle: math.Pi / 2, Translate: r3.V(0.02*side, 0, 0),
				})
				m.wall(r3.V(0.08*side, 0, 0), r3.V(-side, 0, 0), engine.Key{}, engine.Key{At: 0.5, Translate: r3.V(-0.061*side, 0, 0)})
			}
			m.advance(m.t, m.World, 0.3, 5e-3)
			m.Release(ends[0])
			m.Release(ends[1])
		}},
		{"a bar is wrung by two turns", 0.4, 1e-2, func(m *maltreated) {
			id, rest := m.add(bar(), r3.Vec{})
			m.hold(id, rest, left, engine.Key{})
			m.hold(id, rest, right, engine.Key{}, engine.Key{At: 0.4, Axis: r3.V(1, 0, 0), Angle: 4 * math.Pi})
		}},
		{"a cube is shot at a wall at 20 m/s", 0.03, 5e-4, func(m *maltreated) {
			id, _ := m.add(cube(), r3.V(0, 0, 0.035))
			m.wall(r3.Vec{}, r3.V(0.1, 0, 1).Unit())
			m.speeds(id, func(int) r3.Vec { return r3.V(0, 0, -20) })
		}},
		{"a hollow ball is pressed flat", 0.2, 5e-3, func(m *maltreated) {
			m.add(shape.Shell(0.035, 0.05, 3, 1), r3.V(0, 0, 0.051))
			m.wall(r3.Vec{}, r3.V(0, 0, 1))
			m.wall(r3.V(0, 0, 0.102), r3.V(0, 0, -1), engine.Key{}, engine.Key{At: 0.2, Translate: r3.V(0, 0, -0.075)})
		}},
		{"a cube is squeezed from six sides to a third of its volume", 0.2, 5e-3, func(m *maltreated) {
			m.add(cube(), r3.Vec{})
			for _, n := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}} {
				m.wall(n.Scale(-0.031), n, engine.Key{}, engine.Key{At: 0.2, Translate: n.Scale(0.01)})
			}
		}},
		{"all vertices of a cube are thrown about at 10 m/s", 0.05, 1e-3, func(m *maltreated) {
			id, _ := m.add(cube(), r3.Vec{})
			random := rand.New(rand.NewPCG(24, 24))
			m.speeds(id, func(int) r3.Vec {
				return r3.V(random.NormFloat64(), random.NormFloat64(), random.NormFloat64()).Scale(10)
			})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("takes some seconds")
			}
			m := maltreat(t)
			c.do(m)
			m.advance(t, m.World, c.end, c.h)
			least := math.Inf(1)
			for _, id := range m.ids {
				least = min(least, leastBulk(m.World, id))
			}
			t.Logf("%+v, least volume %.3g", m.abused, least)
			if m.converged < m.steps || m.crossings > 0 || m.left > 0 || !(least > 0) {
				t.Errorf("%+v, least volume %g", m.abused, least)
			}
		})
	}
}
