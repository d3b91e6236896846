package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// bare is a material that is an elastic rod and nothing else.
func bare() Material { return Material{Radius: 1e-3, Density: 1e-3, Bend: 1e-8, Twist: 3e-9} }

// edgeTurned turns about the y axis by an angle.
type edgeTurned struct{ angle float64 }

func (e *edgeTurned) At(float64) r3.Pose { return r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), e.angle)} }

// A bend by φ has the energy EI (2 tan φ/2)²/l, and a twist by m between edges GJ m²/l.
func TestEnergiesOfRods(t *testing.T) {
	const l, angle, twist = 0.01, 0.7, 0.6
	w, err := New(Options{Material: bare(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	turned := r3.V(l*math.Cos(angle), 0, l*math.Sin(angle))
	for _, y := range []Yarn{
		{Name: "bent", Points: []r3.Vec{{X: -l}, {}, turned}},
		{Name: "twisted", Points: []r3.Vec{{Y: 1}, {X: l, Y: 1}, {X: 2 * l, Y: 1}, {X: 3 * l, Y: 1}}, Twist: twist},
	} {
		if _, err := w.AddYarn(y); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.AddHold(Hold{Points: []int{0, 1, 2, 3, 4, 5, 6}}); err != nil {
		t.Fatal(err)
	}
	s, err := w.Step(1e-4)
	if err != nil {
		t.Fatal(err)
	}
	m, kappa := bare(), 2*math.Tan(angle/2)
	if want := m.Bend * kappa * kappa / (2 * l); math.Abs(s.Bend-want) > 1e-9*want {
		t.Errorf("energy of a bend %g J, not %g", s.Bend, want)
	}
	// Two of three edges' borders lie inside.
	if want := 2 * m.Twist * twist * twist / 4 / (2 * l); math.Abs(s.Twist-want) > 1e-9*want {
		t.Errorf("energy of a twist %g J, not %g", s.Twist, want)
	}
}

// The rest shape of a yarn follows its shape to within a distance, and is bent no more than by the most.
func TestPlasticBend(t *testing.T) {
	const l, plastic, most = 0.01, 0.05, 0.5
	m := bare()
	m.Plastic, m.PlasticMost = plastic, most
	w, err := New(Options{Material: m, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddYarn(Yarn{Name: "yarn", Points: []r3.Vec{{X: -l}, {}, {X: l}}}); err != nil {
		t.Fatal(err)
	}
	turning := new(edgeTurned)
	for _, h := range []Hold{{Points: []int{0, 1}}, {Points: []int{2}, Motion: turning}} {
		if err := w.AddHold(h); err != nil {
			t.Fatal(err)
		}
	}
	rest := 0.0
	for _, angle := range []float64{0.04, 0.3, 0.7, 0.1} {
		turning.angle = angle
		s, err := w.Step(1e-3)
		if err != nil {
			t.Fatal(err)
		}
		omega := 2 * math.Tan(angle/2)
		rest = min(max(rest, omega-plastic), omega+plastic, most)
		if want := m.Bend / (2 * l) * (omega - rest) * (omega - rest); math.Abs(s.Bend-want) > 1e-9*want {
			t.Errorf("bent to %g rad: energy %g J, not %g", angle, s.Bend, want)
		}
	}
}

// Damping takes off a share of what is not rigid in the motion of a block, or a constant, and leaves the rest.
func TestDampingOfABlock(t *testing.T) {
	const n, h = 8, 1e-3
	x, mass, inverse := make([]r3.Vec, n), make([]float64, n), make([]float64, n)
	turn, drift := r3.V(1, -2, 3), r3.V(0.5, 0.1, -0.2)
	for i := range x {
		k := float64(i)
		x[i] = r3.V(math.Sin(k), math.Cos(3*k), math.Sin(2*k+1)).Scale(0.01)
		mass[i] = 1 + 0.1*k
		inverse[i] = 1 / mass[i]
	}
	team := par.New(1)
	team.Enter()
	defer team.Leave()
	for _, m := range []Material{{DampRate: 100}, {DampConstant: 2}} {
		d := newDamping(make([]int32, n), &m)
		// What is rigid by itself stays, to the last bits.
		rigid := make([]r3.Vec, n)
		for i := range rigid {
			rigid[i] = drift.Add(turn.Cross(x[i]))
		}
		v := append([]r3.Vec(nil), rigid...)
		newDamping(make([]int32, n), &Material{DampRate: 100}).apply(team, h, mass, inverse, x, v)
		for i := range v {
			if v[i].Sub(rigid[i]).Norm() > 1e-14 {
				t.Errorf("point %d of a rigid motion: %v became %v", i, rigid[i], v[i])
			}
		}
		// And what is not, without what is rigid in it.
		for i := range v {
			k := float64(i)
			v[i] = r3.V(math.Cos(5*k), math.Sin(7*k), math.Cos(k*k)).Scale(0.1)
		}
		points := d.point
		center, by, spin := d.rigidMotionOf(mass, inverse, x, v, points)
		norm2 := 0.0
		before := append([]r3.Vec(nil), v...)
		for i := range v {
			before[i] = v[i].Sub(by).Sub(spin.Cross(x[i].Sub(center)))
			norm2 += before[i].Norm2()
		}
		want := 1 - h*m.DampRate
		if m.DampConstant > 0 {
			want = 1 - h*m.DampConstant*math.Sqrt(n/norm2)
		}
		d.apply(team, h, mass, inverse, x, v)
		for i := range v {
			left := v[i].Sub(by).Sub(spin.Cross(x[i].Sub(center)))
			if left.Sub(before[i].Scale(want)).Norm() > 1e-14 {
				t.Errorf("point %d: %v is left of %v, not %g of it", i, left, before[i], want)
			}
		}
	}
}

// rigidMotionOf is rigidMotion outside of apply.
func (d *damping) rigidMotionOf(mass, inverse []float64, x, v []r3.Vec, points []int32) (center, drift, spin r3.Vec) {
	d.mass, d.inverse, d.x, d.v = mass, inverse, x, v
	return d.rigidMotion(points)
}

// A ball falls freely, and gains of a kick at its rim the spin of a solid ball.
func TestBallsMoveAsPoints(t *testing.T) {
	b := Ball{Mass: 0.3, Radius: 0.02}
	s := &balls{spec: []Ball{b}, now: make([]ball, 1), free: make([]ball, 1), object: []int{0}}
	s.kick(0, r3.V(1, 0, 0), r3.V(0, 0, b.Radius))
	if got, want := s.free[0].Velocity.X, 1/b.Mass; math.Abs(got-want) > 1e-12*want {
		t.Errorf("velocity %g after a kick, not %g", got, want)
	}
	if got, want := s.free[0].Spin.Y, b.Radius/(0.4*b.Mass*b.Radius*b.Radius); math.Abs(got-want) > 1e-12*want {
		t.Errorf("spin %g after a kick, not %g", got, want)
	}
	s.move([]*object{{ball: true}}, r3.V(0, 0, -10), 0.01)
	if got := s.free[0].Velocity; got.Sub(r3.V(0, 0, -0.1)).Norm() > 1e-15 {
		t.Errorf("velocity %v after 10 ms of free fall", got)
	}
}
