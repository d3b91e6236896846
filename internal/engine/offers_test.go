package engine_test

import (
	"errors"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// thread is a row of point masses whose way between them is round: a skin that deforms, with a radius, which does not
// touch itself. It asks for short steps while it moves fast, and refuses ways that are too long.
type thread struct {
	count     int
	mass      float64 // of each [kg]
	pace, far float64 // its longest step [s], and how far a point may go in one [m]; 0: as they like
	skin      contact.Skin
	refused   int
}

var errFar = errors.New("a point of the thread goes too far")

func newThread(count int, radius float64) *thread {
	skin := contact.Skin{Points: count, Radius: radius, NoSelfContact: true}
	for i := range count - 1 {
		skin.Edges = append(skin.Edges, [2]int32{int32(i), int32(i + 1)})
	}
	return &thread{count: count, mass: 0.01, skin: skin}
}

func (p *thread) Blocks() int { return p.count }
func (p *thread) Inertia(out []r3.Mat) {
	for i := range out {
		out[i] = r3.Diagonal(p.mass)
	}
}
func (p *thread) Parts() []body.Part                            { return nil }
func (p *thread) Begin(*body.Start)                             {}
func (p *thread) Arrive(x0, v []r3.Vec, h float64, x1 []r3.Vec) { body.Drift(x0, v, h, x1) }
func (p *thread) Skin() *contact.Skin                           { return &p.skin }
func (p *thread) Commit([]r3.Vec)                               {}
func (p *thread) State() []byte                                 { return nil }
func (p *thread) SetState([]byte) error                         { return nil }

// MaxStep implements mech.Pacer.
func (p *thread) MaxStep() float64 {
	if p.pace == 0 {
		return math.Inf(1)
	}
	return p.pace
}

// Accept implements mech.Guard.
func (p *thread) Accept(x0, x1 []r3.Vec) error {
	for i := range x0 {
		if p.far > 0 && x1[i].Sub(x0[i]).Norm() > p.far {
			p.refused++
			return errFar
		}
	}
	return nil
}

// laid returns a world with a thread of three points along X at a height.
func laid(t *testing.T, opt engine.Options, height float64) (*engine.World, *thread, engine.BodyID) {
	t.Helper()
	w := must(engine.New(opt))
	p := newThread(3, 5e-3)
	x := []r3.Vec{{X: -0.03, Z: height}, {Z: height}, {X: 0.03, Z: height}}
	return w, p, must(w.AddBody("thread", p, x, make([]r3.Vec, 3)))
}

// A body may cut the steps of Advance: all together they take as long, none is longer than it allows.
func TestBodySetsThePace(t *testing.T) {
	w, p, _ := laid(t, engine.DefaultOptions(), 1)
	p.pace = 3e-4
	steps, sum := 0, 0.0
	if err := w.Advance(4e-3, 1e-3, func(s engine.Stats) {
		if s.H > p.pace {
			t.Errorf("a step of %g s, and %g s are allowed", s.H, p.pace)
		}
		steps, sum = steps+1, sum+s.H
		p.pace *= 1.5
	}); err != nil {
		t.Fatal(err)
	}
	// 0.3 ms: a quarter of the first 1 ms; 0.45 ms: half of what is left of it, and so on.
	if math.Abs(sum-4e-3) > 1e-17 || steps <= 4 || steps > 10 {
		t.Errorf("%d steps of together %g s", steps, sum)
	}
	for _, bad := range []float64{-1, math.NaN(), 1e-300} {
		p.pace = bad
		if err := w.Advance(1e-3, 1e-3, nil); err == nil {
			t.Errorf("steps of at most %g s are taken", bad)
		}
	}
}

// Steps that a body refuses are halved; where that does not help, Advance fails and says why.
func TestBodyRefusesSteps(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Gravity, opt.MaxHalvings = r3.Vec{}, 3
	w, p, id := laid(t, opt, 1)
	for i := range w.BodyVelocities(id) {
		w.BodyVelocities(id)[i] = r3.V(1, 0, 0)
	}
	p.far = 0.26e-3 // a quarter of a step
	steps := 0
	if err := w.Advance(1e-3, 1e-3, func(engine.Stats) { steps++ }); err != nil {
		t.Fatal(err)
	}
	if steps != 4 || p.refused != 3 {
		t.Errorf("%d steps and %d refusals, want 4 and 3", steps, p.refused)
	}
	before := w.Snapshot().Hash()
	p.far = 1e-5
	if err := w.Advance(1e-3, 1e-3, nil); !errors.Is(err, engine.ErrRefused) || !errors.Is(err, errFar) {
		t.Errorf("%v", err)
	}
	if w.Snapshot().Hash() != before {
		t.Error("the world has changed")
	}
}

// A round thread that deforms lies its radius and the thickness above a floor, and where another lies across it, both
// radii and the thickness above that. It does not touch itself.
func TestRoundSkinThatDeforms(t *testing.T) {
	opt := engine.DefaultOptions()
	w, p, id := laid(t, opt, 0.0065)
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	q := newThread(2, 3e-3)
	across := must(w.AddBody("across", q, []r3.Vec{{X: 0.015, Y: -0.03, Z: 0.0165}, {X: 0.015, Y: 0.03, Z: 0.0165}}, make([]r3.Vec, 2)))
	for range 40 {
		s, err := w.Step(2e-3)
		if err != nil {
			t.Fatal(err)
		}
		if s.Crossings > 0 || s.Failsafe.Rounds > 0 {
			t.Fatalf("%+v", s)
		}
	}
	x := w.BodyPositions(id)
	for i := range x {
		if d := x[i].Z - p.skin.Radius - opt.Contact.Thickness; math.Abs(d) > 1e-9 {
			t.Errorf("point %d lies %g m from where it should", i, d)
		}
	}
	y := w.BodyPositions(across)
	gap := (y[0].Z+y[1].Z)/2 - x[1].Z - p.skin.Radius - q.skin.Radius - opt.Contact.Thickness
	if math.Abs(gap) > 1e-6 {
		t.Errorf("the thread across lies %g m from where it should", gap)
	}
	bent := newThread(3, 5e-3) // its ends overlap by half
	if _, err := w.AddBody("bent", bent, []r3.Vec{{X: 1, Z: 1}, {X: 1.02, Z: 1}, {X: 1, Y: 0.005, Z: 1}}, make([]r3.Vec, 3)); err != nil {
		t.Fatal(err)
	}
	s, err := w.Step(2e-3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range w.Contacts(nil) {
		if c.A == c.B {
			t.Errorf("a thread touches itself: %+v of %d", c, s.Contacts)
		}
	}
	// One that is said to touch itself needs rest lengths, and cannot be round yet.
	bad := newThread(3, 5e-3)
	bad.skin.NoSelfContact = false
	if _, err := w.AddBody("bad", bad, make([]r3.Vec, 3), make([]r3.Vec, 3)); err == nil {
		t.Error("a skin without rest lengths is taken for one that touches itself")
	}
}
