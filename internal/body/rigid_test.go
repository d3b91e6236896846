package body_test

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/r3"
)

func brick() body.RigidSpec { return body.Brick(r3.V(0.1, 0.2, 0.3), 500) }

func TestBadRigids(t *testing.T) {
	for _, c := range []struct {
		says   string
		change func(*body.RigidSpec)
	}{
		{"mass of 0 kg", func(s *body.RigidSpec) { s.Mass = 0 }},
		{"mass of NaN kg", func(s *body.RigidSpec) { s.Mass = math.NaN() }},
		{"mass of +Inf kg", func(s *body.RigidSpec) { s.Mass = math.Inf(1) }},
		{"not a symmetric positive matrix", func(s *body.RigidSpec) { s.Inertia.XY = 1e-3 }},
		{"not a symmetric positive matrix", func(s *body.RigidSpec) { s.Inertia.ZZ = -s.Inertia.ZZ }},
		{"not a symmetric positive matrix", func(s *body.RigidSpec) { s.Inertia = r3.Mat{} }},
		{"none can be larger than the sum of the others", func(s *body.RigidSpec) { s.Inertia.XX *= 10 }},
		{"has no points", func(s *body.RigidSpec) { s.Points = nil }},
		{"point 3 is not finite", func(s *body.RigidSpec) { s.Points[3].Y = math.NaN() }},
		{"radius of -1 m", func(s *body.RigidSpec) { s.Radius = -1 }},
		{"without triangles", func(s *body.RigidSpec) { s.Radius = 0.1 }},
		{"without triangles", func(s *body.RigidSpec) { s.Radius, s.Tri = 0.1, nil }},
	} {
		spec := brick()
		c.change(&spec)
		if _, err := body.NewRigid(spec, r3.NoRotation(), r3.Vec{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v does not say %q", err, c.says)
		}
	}
	if _, err := body.NewRigid(brick(), r3.Quat{W: 2}, r3.Vec{}); err == nil {
		t.Error("an orientation of length 2 is taken")
	}
	if _, err := body.NewRigid(brick(), r3.NoRotation(), r3.V(math.Inf(1), 0, 0)); err == nil {
		t.Error("an infinite spin is taken")
	}
}

// The box of a mesh, wherever it is, is the box of the formula.
func TestRigidOf(t *testing.T) {
	want := brick()
	at := r3.V(3, -2, 1)
	x := make([]r3.Vec, len(want.Points))
	for i, p := range want.Points {
		x[i] = p.Add(at)
	}
	got, centre, err := body.RigidOf(x, want.Tri, 500)
	if err != nil {
		t.Fatal(err)
	}
	off := got.Inertia
	off.AddScaled(-1, &want.Inertia)
	// Sums of 12 tets.
	if math.Abs(got.Mass/want.Mass-1) > 1e-13 || off.MaxAbs() > 1e-13*want.Inertia.Trace() || centre.Sub(at).Norm() > 1e-13 {
		t.Errorf("mass %g of %g, inertia off by %g, centre %v", got.Mass, want.Mass, off.MaxAbs(), centre)
	}
	if _, err := body.NewRigid(got, r3.NoRotation(), r3.Vec{}); err != nil {
		t.Error(err)
	}
	if _, _, err := body.RigidOf(x, want.Tri[1:], 500); err == nil {
		t.Error("an open box is taken")
	}
}

// Mass and inertia of round bodies are those of discs that are added up along z; of a shell, of what a little more
// radius adds to a ball.
func TestRoundInertia(t *testing.T) {
	const radius, density, slices = 0.3, 700.0, 20000
	check := func(name string, got body.RigidSpec, mass, across, along, limit float64) {
		t.Helper()
		off := math.Abs(got.Mass/mass-1) + math.Abs(got.Inertia.XX/across-1) + math.Abs(got.Inertia.ZZ/along-1)
		if off > limit || got.Inertia.YY != got.Inertia.XX {
			t.Errorf("%s: mass %g kg and inertia %v, off by %g", name, got.Mass, got.Inertia, off)
		}
	}
	for _, half := range []float64{0, 0.4} {
		mass, across, along := 0.0, 0.0, 0.0
		width := 2 * (half + radius) / slices
		for i := range slices {
			z := (float64(i)+0.5)*width - half - radius
			beyond := max(0, math.Abs(z)-half)
			square := radius*radius - beyond*beyond
			disc := math.Pi * square * width * density
			mass, across, along = mass+disc, across+disc*(square/4+z*z), along+disc*square/2
		}
		check("capsule", body.Capsule(radius, half, density), mass, across, along, 1e-7) // the midpoint rule
		if half == 0 {
			check("ball", body.Ball(radius, density), mass, across, along, 1e-7)
		}
	}
	const more = 1e-6
	ball, larger := body.Ball(radius, density), body.Ball(radius+more, density)
	inertia := larger.Inertia.XX - ball.Inertia.XX
	check("shell", body.HollowBall(radius, density*more), larger.Mass-ball.Mass, inertia, inertia, 10*more/radius)
}

// begun returns a rigid body that has begun a step of h, with its blocks.
func begun(t *testing.T, b *body.Rigid, h float64) *body.Start {
	t.Helper()
	s := &body.Start{
		H: h, Theta: 1, X: make([]r3.Vec, 2), V: make([]r3.Vec, 2), Force: make([]r3.Vec, 2), Gravity: make([]r3.Vec, 2),
	}
	b.Begin(s)
	return s
}

// What carries a point says how it moves with the blocks.
func TestRigidCarriers(t *testing.T) {
	b, err := body.NewRigid(brick(), r3.Rotation(r3.V(1, 2, 3), 0.7), r3.V(1, -2, 0.5))
	if err != nil {
		t.Fatal(err)
	}
	begun(t, b, 1e-3)
	skin := b.Skin()
	const step = 1e-6
	for freedom := range 6 {
		x := [2][2]r3.Vec{}
		d := [3]r3.Vec{{X: step}, {Y: step}, {Z: step}}[freedom%3]
		x[0][freedom/3], x[1][freedom/3] = d, d.Neg()
		ahead, back := make([]r3.Vec, skin.Points), make([]r3.Vec, skin.Points)
		b.Carry(x[0][:], ahead)
		b.Carry(x[1][:], back)
		for i := range skin.Points {
			want := ahead[i].Sub(back[i]).Scale(1 / (2 * step))
			var got r3.Vec
			for _, by := range skin.Carriers.By[skin.Carriers.Start[i]:skin.Carriers.Start[i+1]] {
				if int(by.Block) == freedom/3 {
					got = got.Add(by.M.MulVec(d.Scale(1 / step)))
				}
			}
			// The error of central differences is a sixth of the square of the angle, 1e-11.
			if got.Sub(want).Norm() > 1e-9 {
				t.Errorf("freedom %d moves point %d by %v, and differences say %v", freedom, i, got, want)
			}
		}
	}
}

// A body remembers all that it needs to go on.
func TestRigidState(t *testing.T) {
	b, err := body.NewRigid(brick(), r3.Rotation(r3.V(1, 2, 3), 0.7), r3.V(1, -2, 0.5))
	if err != nil {
		t.Fatal(err)
	}
	other, err := body.NewRigid(brick(), r3.NoRotation(), r3.Vec{})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.SetState(b.State()); err != nil {
		t.Fatal(err)
	}
	if other.Turn() != b.Turn() || other.Momentum() != b.Momentum() || other.Spin() != b.Spin() {
		t.Errorf("%v %v and %v %v", b.Turn(), b.Momentum(), other.Turn(), other.Momentum())
	}
	for _, bad := range [][]byte{nil, b.State()[1:], make([]byte, len(b.State()))} {
		if other.SetState(bad) == nil {
			t.Errorf("a state of %d bytes is taken", len(bad))
		}
	}
}

// A step without torque keeps momentum to the bit, and one with it changes it by as much.
func TestRigidTorque(t *testing.T) {
	b, err := body.NewRigid(brick(), r3.NoRotation(), r3.V(1, -2, 0.5))
	if err != nil {
		t.Fatal(err)
	}
	const h = 1e-2
	before := b.Momentum()
	s := begun(t, b, h)
	inertia := make([]r3.Mat, 2)
	b.Inertia(inertia)
	torque := r3.V(3, 1, -2)
	inverse, _ := inertia[1].Inverse()
	end := s.V[1].AddScaled(h, inverse.MulVec(torque.Scale(1/b.Length())))
	x := []r3.Vec{{}, end.Scale(h)}
	b.Commit(x)
	if d := b.Momentum().Sub(before).Sub(torque.Scale(h)).Norm(); d > 1e-13 {
		t.Errorf("a torque of %v N m for %g s changes the momentum by %v", torque, h, b.Momentum().Sub(before))
	}
	if x[1] != (r3.Vec{}) {
		t.Errorf("the next step begins at a rotation of %v", x[1])
	}
}

func TestBadHolds(t *testing.T) {
	b, err := body.NewRigid(brick(), r3.NoRotation(), r3.Vec{})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []body.Hold{
		{Move: [3]bool{true, false, false}},
		{Axes: r3.Diagonal(2), Move: [3]bool{true, false, false}},
		{Axes: r3.Diagonal(-1), Turn: [3]bool{true, false, false}},
		{Axes: r3.Identity(), Move: [3]bool{true, false, false}, Velocity: r3.V(math.NaN(), 0, 0)},
	} {
		if b.SetHold(h) == nil {
			t.Errorf("%+v is taken", h)
		}
	}
	if b.SetLoad(r3.V(math.Inf(1), 0, 0), r3.Vec{}) == nil {
		t.Error("an infinite force is taken")
	}
	if err := b.SetHold(body.Hold{}); err != nil {
		t.Error(err)
	}
}
