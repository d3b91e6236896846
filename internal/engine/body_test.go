package engine_test

import (
	"errors"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// pebble is a point mass: the least that a body can be, and all that it takes to make one.
type pebble struct {
	mass float64 // [kg]
	skin contact.Skin
}

func newPebble(mass float64) *pebble {
	return &pebble{mass, contact.Skin{Points: 1, Dots: []int32{0}, Rigid: true}}
}

func (p *pebble) Blocks() int                                   { return 1 }
func (p *pebble) Inertia(out []r3.Mat)                          { out[0] = r3.Diagonal(p.mass) }
func (p *pebble) Parts() []body.Part                            { return nil }
func (p *pebble) Begin(*body.Start)                             {}
func (p *pebble) Arrive(x0, v []r3.Vec, h float64, x1 []r3.Vec) { body.Drift(x0, v, h, x1) }
func (p *pebble) Skin() *contact.Skin                           { return &p.skin }
func (p *pebble) Commit([]r3.Vec)                               {}
func (p *pebble) State() []byte                                 { return nil }
func (p *pebble) SetState([]byte) error                         { return nil }
func (p *pebble) drawn(w *engine.World, id engine.BodyID) draw.Surface {
	x, tri := shape.Surface(shape.Sphere{Radius: 0.01}, 1e-3, 1)
	for i := range x {
		x[i] = x[i].Add(w.BodyPositions(id)[0])
	}
	return draw.Surface{Name: "pebble", Positions: x, Triangles: tri}
}

// bead is a pebble on a straight rail.
type bead struct {
	*pebble
	along r3.Vec
}

func (b *bead) Guides(dst []contact.Partial) []contact.Partial {
	return append(dst, contact.Along(0, b.along))
}

// thrown returns a world with a floor of friction mu, and a pebble thrown at it from the given height.
func thrown(t *testing.T, mu, height float64, v r3.Vec, workers int) (*engine.World, *pebble, engine.BodyID) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = workers, mu
	w := must(engine.New(opt))
	p := newPebble(0.02)
	id, err := w.AddBody("pebble", p, []r3.Vec{{Z: height}}, []r3.Vec{v})
	if err != nil {
		t.Fatal(err)
	}
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	return w, p, id
}

// holdRim holds a cloth at its boundary.
func holdRim(w *engine.World, cloth engine.ClothID, m *mesh.Mesh) {
	var rim []int32
	for _, e := range m.Edges {
		if e.Boundary() {
			rim = append(rim, e.V[0])
		}
	}
	must(w.AddHandle(engine.Handle{Name: "rim", Cloth: cloth, Vertices: unique(rim)}))
}

// A body that the engine has never heard of falls, touches, rubs, is saved and drawn.
func TestAnyBody(t *testing.T) {
	const h, g, mu = 2e-3, 9.81, 0.3
	t.Run("falls", func(t *testing.T) {
		w, _, id := thrown(t, mu, 10, r3.V(1, 0, 0), 1)
		for range 100 {
			must(w.Step(h))
		}
		x, v := w.BodyPositions(id)[0], w.BodyVelocities(id)[0]
		// Backward Euler: v = -g t and x = -g h² n (n+1)/2.
		if d := v.Sub(r3.V(1, 0, -g*0.2)).Norm(); d > 1e-12 {
			t.Errorf("velocity %v is off by %g", v, d)
		}
		if d := x.Sub(r3.V(0.2, 0, 10-g*h*h*100*101/2)).Norm(); d > 1e-12 {
			t.Errorf("position %v is off by %g", x, d)
		}
	})
	t.Run("rubs", func(t *testing.T) {
		w, _, id := thrown(t, mu, engine.DefaultOptions().Contact.Thickness, r3.V(1, 0, 0), 1)
		for k := range 100 {
			stats := must(w.Step(h))
			want := 1 - mu*g*h*float64(k+1)
			if v := w.BodyVelocities(id)[0]; math.Abs(v.X-want) > 1e-9 || math.Abs(v.Z) > 1e-9 {
				t.Fatalf("step %d: velocity %v, want %g along the floor", k+1, v, want)
			}
			if stats.Sliding != 1 || stats.Crossings != 0 {
				t.Fatalf("step %d: %d sliding, %d crossings", k+1, stats.Sliding, stats.Crossings)
			}
		}
		for range 100 {
			must(w.Step(h))
		}
		if v := w.BodyVelocities(id)[0].Norm(); v > 1e-12 {
			t.Errorf("it should lie still and has %g m/s", v)
		}
		forces := w.PairForces(nil)
		if len(forces) != 1 || math.Abs(forces[0].Force.Z-0.02*g) > 1e-9 {
			t.Errorf("forces %+v, want its weight of %g N", forces, 0.02*g)
		}
	})
	t.Run("is caught by a cloth", func(t *testing.T) {
		w, _, id := thrown(t, mu, 0.55, r3.V(0, 0, -3), 1)
		m, x := shape.Grid(0.4, 0.4, 10, 10)
		for i := range x {
			x[i] = x[i].Add(r3.V(-0.21, -0.19, 0.5))
		}
		cloth := addCloth(t, w, engine.DefaultCloth("net", m, x, fabric(t, "cotton-interlock")))
		holdRim(w, cloth, m)
		lowest := math.Inf(1)
		for range 200 {
			if stats := must(w.Step(h)); stats.Crossings > 0 || stats.Failsafe.Left > 0 {
				t.Fatalf("%d crossings at %g s", stats.Crossings, stats.Time)
			}
			lowest = min(lowest, w.BodyPositions(id)[0].Z)
		}
		if z := w.BodyPositions(id)[0].Z; !(lowest > 0.3 && lowest < 0.5 && z > lowest+0.01) {
			t.Errorf("it went down to %g m and is at %g m: the net should have thrown it back", lowest, z)
		}
	})
	t.Run("slides on a rail", func(t *testing.T) {
		opt := engine.DefaultOptions()
		opt.Workers = 1
		w := must(engine.New(opt))
		along := r3.V(1, 0, -1).Unit()
		id := must(w.AddBody("bead", &bead{newPebble(0.02), along}, make([]r3.Vec, 1), make([]r3.Vec, 1)))
		for range 100 {
			must(w.Step(h))
		}
		// Gravity along the rail, which holds it in all other directions.
		want := along.Scale(g * along.Dot(r3.V(0, 0, -1)) * 0.2)
		if v := w.BodyVelocities(id)[0]; v.Sub(want).Norm() > 1e-12 {
			t.Errorf("velocity %v, want %v", v, want)
		}
	})
	t.Run("is saved", func(t *testing.T) {
		w, _, id := thrown(t, mu, 0.01, r3.V(1, 0.5, 0), 1)
		for range 30 {
			must(w.Step(h))
		}
		saved := w.Snapshot()
		again, _, _ := thrown(t, mu, 0.01, r3.V(1, 0.5, 0), 8)
		if err := again.Restore(saved); err != nil {
			t.Fatal(err)
		}
		for range 30 {
			must(w.Step(h))
			must(again.Step(h))
		}
		if w.Snapshot().Hash() != again.Snapshot().Hash() || w.BodyPositions(id)[0] != again.BodyPositions(id)[0] {
			t.Error("restored, it goes elsewhere")
		}
	})
	t.Run("is drawn", func(t *testing.T) {
		w, p, id := thrown(t, mu, 0.01, r3.Vec{}, 1)
		s := []draw.Surface{p.drawn(w, id)}
		opt := draw.DefaultOptions()
		opt.Width, opt.Height = 64, 64
		picture := draw.Render(s, draw.Fit(draw.Bounds(s), r3.V(1, 1, 0.5), 1), opt)
		if n := colours(picture); n < 10 {
			t.Errorf("a picture of %d colours", n)
		}
	})
}

// knot is a pebble that is tied to a place.
type knot struct{ *pebble }

func (k *knot) Bind(set *contact.Set, first int32, v0 []r3.Vec, _, theta float64) {
	set.Add(contact.Contact{
		Law: contact.Bilateral, A: first, B: contact.None, Frame: r3.Identity(), Uf: v0[0].Scale((1 - theta) / theta),
	})
}

// Bodies with rows and guides of their own are held by them, in steps, in equilibrium and after a state was read again.
func TestBoundBodies(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers = 1
	build := func() *engine.World {
		w := must(engine.New(opt))
		zero := make([]r3.Vec, 1)
		for _, name := range []string{"one", "two"} {
			must(w.AddBody(name, &knot{newPebble(0.02)}, zero, zero))
		}
		must(w.AddBody("bead", &bead{newPebble(0.02), r3.V(1, 0, 0)}, zero, zero))
		return w
	}
	w := build()
	for range 20 {
		stats := must(w.Step(2e-3))
		if stats.Contacts != 0 || len(w.Contacts(nil)) != 0 {
			t.Fatalf("%d contacts, where nothing touches", stats.Contacts)
		}
	}
	data, err := w.Snapshot().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var saved engine.Snapshot
	again := build()
	if err := saved.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	} else if err := again.Restore(&saved); err != nil {
		t.Fatal(err)
	}
	must(w.Step(2e-3))
	must(again.Step(2e-3))
	if w.Snapshot().Hash() != again.Snapshot().Hash() {
		t.Error("restored, it goes elsewhere")
	}
	must(w.Settle(engine.DefaultSettleOptions()))
	for id := range engine.BodyID(3) {
		if x := w.BodyPositions(id)[0]; x.Norm() > 1e-9 {
			t.Errorf("body %d is at %v", id, x)
		}
	}
}

// A tie that a rising floor pushes against: the force stays bounded, and the contact says that it cannot hold.
func TestTieAgainstFloor(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers = 1
	w := must(engine.New(opt))
	must(w.AddBody("tied", &knot{newPebble(0.02)}, []r3.Vec{{Z: 0.01}}, make([]r3.Vec, 1)))
	floor := must(
		w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}),
	)
	most := 0.0
	for k := range 12 {
		w.MoveObstacle(floor, r3.Translation(r3.V(0, 0, 1e-3*float64(k+1))))
		must(w.Step(2e-3))
		for _, f := range w.PairForces(nil) {
			most = max(most, f.Force.Norm())
		}
	}
	// What stops 0.02 kg at 1 m/s in a step of 2 ms is 10 N.
	if most > 100 {
		t.Errorf("a force of %g N", most)
	}
}

// Bodies that are none are refused, and say why.
func TestBadBodies(t *testing.T) {
	w := must(engine.New(engine.DefaultOptions()))
	zero := make([]r3.Vec, 1)
	for want, spoil := range map[string]func(p *pebble){
		"not a positive matrix":      func(p *pebble) { p.mass = 0 },
		"has 2 points":               func(p *pebble) { p.skin.Points = 2 },
		"free point 0 of its skin":   func(p *pebble) { p.skin.Dots = []int32{1} },
		"needs rest lengths":         func(p *pebble) { p.skin.Rigid = false },
		"motion of its own":          func(p *pebble) { p.skin.Field = shape.Sphere{Radius: 1} },
		"for points and edges alone": func(p *pebble) { p.skin.Radius = math.NaN() },
		"points that are no block":   func(p *pebble) { p.skin.Carriers.By = make([]contact.Carrier, 1) },
	} {
		p := newPebble(1)
		spoil(p)
		if _, err := w.AddBody("bad", p, zero, zero); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := w.AddBody("wide", &bead{newPebble(1), r3.V(3, 0, 0)}, zero, zero); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Step(1e-3); !errors.Is(err, engine.ErrUnsupported) {
		t.Errorf("a guide that is no projector: %v", err)
	}
}

// dumbbell is two masses with a thread between them, the first of them on a rail.
type dumbbell struct {
	thread *elastic.Stitches
	energy mech.Kind
}

func (d *dumbbell) Blocks() int { return 2 }
func (d *dumbbell) Inertia(out []r3.Mat) {
	out[0], out[1] = r3.Diagonal(1), r3.Diagonal(1)
}

func (d *dumbbell) Parts() []body.Part {
	return []body.Part{{Elements: d.thread, Kind: d.energy}}
}
func (d *dumbbell) Begin(*body.Start)                             {}
func (d *dumbbell) Arrive(x0, v []r3.Vec, h float64, x1 []r3.Vec) { body.Drift(x0, v, h, x1) }
func (d *dumbbell) Skin() *contact.Skin                           { return nil }
func (d *dumbbell) Commit([]r3.Vec)                               {}
func (d *dumbbell) State() []byte                                 { return nil }
func (d *dumbbell) SetState([]byte) error                         { return nil }
func (d *dumbbell) Guides(dst []contact.Partial) []contact.Partial {
	return append(dst, contact.Along(0, r3.V(1, 0, 0)))
}

// A guided block with elements is refused, not solved as if it had none.
func TestGuidedBlockWithElements(t *testing.T) {
	w := must(engine.New(engine.DefaultOptions()))
	thread := elastic.NewStitches([][2]int32{{0, 1}}, elastic.Thread{Stiffness: 10, Force: 1})
	must(w.AddBody("dumbbell", &dumbbell{thread: thread}, []r3.Vec{{}, {X: 1}}, make([]r3.Vec, 2)))
	if _, err := w.Step(1e-3); !errors.Is(err, engine.ErrUnsupported) {
		t.Errorf("the step says %v", err)
	}
}

// A kind of energy is a word on a part: the total has it, whatever the word.
func TestEnergyOfAnyWord(t *testing.T) {
	var total [2]float64
	for i, kind := range []mech.Kind{mech.SeamEnergy, "rubber bands"} {
		opt := engine.DefaultOptions()
		opt.Gravity = r3.Vec{}
		w := must(engine.New(opt))
		thread := elastic.NewStitches([][2]int32{{0, 1}}, elastic.Thread{Stiffness: 10, Force: 1})
		free := struct{ mech.Body }{&dumbbell{thread, kind}} // of its methods those of every body alone: without its rail
		must(w.AddBody("dumbbell", free, []r3.Vec{{}, {X: 0.05}}, make([]r3.Vec, 2)))
		e := must(w.Step(1e-3)).Energy
		total[i] = e.Total()
		if e.Of(kind) < 1e-3 || e.Of(kind)+e.Of(mech.KineticEnergy) != total[i] {
			t.Errorf("of %q %g J, in all %g", kind, e.Of(kind), total[i])
		}
	}
	if total[0] != total[1] {
		t.Errorf("a word makes %g J of %g", total[1], total[0])
	}
}

// A state does not fit a world whose bodies were added in another order.
func TestBodiesInAnotherOrder(t *testing.T) {
	build := func(clothFirst bool) *engine.World {
		w := must(engine.New(engine.DefaultOptions()))
		m, x := shape.Grid(0.1, 0.1, 1, 1)
		add := func() { addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock"))) }
		if clothFirst {
			add()
		}
		must(w.AddBody("pebble", newPebble(1), make([]r3.Vec, 1), make([]r3.Vec, 1)))
		if !clothFirst {
			add()
		}
		return w
	}
	if err := build(true).Restore(build(false).Snapshot()); err == nil {
		t.Error("it was taken for its own")
	}
}

func colours(m image.Image) int {
	seen := map[color.Color]bool{}
	for x := range m.Bounds().Dx() {
		for y := range m.Bounds().Dy() {
			seen[m.At(x, y)] = true
		}
	}
	return len(seen)
}

func unique(list []int32) []int32 {
	seen := map[int32]bool{}
	var out []int32
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
