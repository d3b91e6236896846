package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// sled is a straight yarn that lies across another at a given height and is pushed along, as one body.
type sled struct {
	c          *contacts
	rest, pos  []r3.Vec
	moving     []r3.Vec // velocities
	force      []r3.Vec
	shift, vel float64
	way        r3.Vec
}

func newSled(mode ContactMode, friction, height float64, way r3.Vec) *sled {
	lay := &layout{}
	lower, upper := straight(r3.V(1, 0, 0), 0), straight(r3.V(0, 1, 0), height)
	lay.add(lower, false)
	lay.add(upper, false)
	s := &sled{rest: append(lower, upper...), way: way}
	s.c = newContacts(lay, ContactOptions{
		Radius: testRadius, Stiffness: 3.25, Friction: friction, Density: 1e-3, Mode: mode, Tolerance: 0.04,
	})
	s.pos, s.force = append([]r3.Vec(nil), s.rest...), make([]r3.Vec, len(s.rest))
	s.moving = make([]r3.Vec, len(s.rest))
	return s
}

// push returns the force on the upper yarn when it is shifted along.
func (s *sled) push() r3.Vec {
	const h = 1.0 / 16200
	for i := 12; i < 24; i++ {
		last := s.pos[i]
		s.pos[i] = s.rest[i].AddScaled(s.shift, s.way)
		s.moving[i] = s.pos[i].Sub(last).Scale(1 / h)
	}
	clear(s.force)
	s.c.add(s.pos, s.moving, h, nil, s.force)
	var net r3.Vec
	for _, f := range s.force[12:] {
		net = net.Add(f)
	}
	return net
}

// TestStictionIsCoulomb pulls one yarn over another, along it, across it and askew: the force grows with the shift and
// then stays at mu times the normal force; turned back, it does the same the other way. Linear models know the normal
// force about as well as their tolerance.
func TestStictionIsCoulomb(t *testing.T) {
	const mu = 0.3
	for mode, tolerance := range map[ContactMode]float64{ContactSets: 0.01, ContactLinear: 0.05} {
		for _, way := range []r3.Vec{{X: 1}, {Y: 1}, r3.V(1, 1, 0).Unit()} {
			s := newSled(mode, mu, 1.9e-3, way)
			s.push()
			for range 2000 {
				s.shift += 2e-6
				net := s.push()
				if drag := -net.Dot(way); drag > (1+tolerance)*mu*net.Z {
					t.Fatalf("mode %d, way %v: drag %g at normal force %g", mode, way, drag, net.Z)
				}
			}
			net := s.push()
			if drag := -net.Dot(way); math.Abs(drag/(mu*net.Z)-1) > tolerance {
				t.Errorf("mode %d, way %v: slides at %.4f of mu N", mode, way, drag/(mu*net.Z))
			}
			for range 1000 {
				s.shift -= 2e-6
				net = s.push()
			}
			if drag := net.Dot(way); math.Abs(drag/(mu*net.Z)-1) > tolerance {
				t.Errorf("mode %d, way %v: slides back at %.4f of mu N", mode, way, drag/(mu*net.Z))
			}
		}
	}
}

// TestStictionHoldsWithoutCreep pushes a yarn that lies across another with less than mu N, for a second, and then with
// more.
func TestStictionHoldsWithoutCreep(t *testing.T) {
	const mu, mass, h = 0.3, 1e-4, 1.0 / 16200
	s := newSled(ContactSets, mu, 1.9e-3, r3.V(1, 0, 0))
	limit := mu * s.push().Z
	run := func(push float64, steps int) {
		for range steps {
			s.vel += h / mass * (push + s.push().X)
			s.vel *= 1 - 300*h
			s.shift += h * s.vel
		}
	}
	run(0.9*limit, 4000)
	early := s.shift
	run(0.9*limit, 12000)
	if math.Abs(s.shift-early) > 1e-9 || early > 2e-4 {
		t.Errorf("held at %g m, crept by %g m", early, s.shift-early)
	}
	early = s.shift
	run(1.2*limit, 4000)
	if s.shift < early+1e-3 {
		t.Errorf("does not slide: %g m", s.shift-early)
	}
}

// spun slides a little and then turns at a steady rate about an axis.
type spun struct {
	slide, axis r3.Vec
	start, rate float64
}

func (m spun) At(t float64) r3.Pose {
	turn := r3.Rotation(m.axis, m.rate*max(0, t-m.start))
	return r3.Pose{R: turn, T: turn.Rotate(m.slide.Scale(min(1, t/m.start)))}
}

// TestFrictionTurnsAlong is K7: what friction one yarn sliding on another has called up turns with both when they turn
// as one body, however fast.
func TestFrictionTurnsAlong(t *testing.T) {
	const h, still, steps = 1.0 / 16200, 20, 200
	m := Kaldor()
	m.Bend, m.Twist, m.Plastic, m.Friction = 0, 1e-15, 0, 0.3
	w := newWorld(t, m, r3.Vec{})
	motion := spun{axis: r3.V(1, 2, 3).Unit(), start: still * h, rate: 0.03 / h}
	for k, line := range [2][]r3.Vec{straight(r3.V(1, 0, 0), 0), straight(r3.V(0, 1, 0), 1.9e-3)} {
		first := must[int](t)(w.AddYarn(Yarn{Points: line}))
		var points []int
		for i := range line {
			points = append(points, first+i)
		}
		motion.slide = r3.V(3e-6, 2e-6, 0).Scale(float64(k))
		if err := w.AddHold(Hold{Points: points, Motion: motion}); err != nil {
			t.Fatal(err)
		}
	}
	n := len(w.Positions())
	force := func() (f []r3.Vec) {
		turn := motion.At(w.Time()).R.Conj()
		w.mustStep(t, h)
		for i := range n {
			f = append(f, turn.Rotate(w.Force(i)))
		}
		return f
	}
	var first []r3.Vec
	for range still + 2 {
		first = force()
	}
	var net r3.Vec
	for _, f := range first[n/2:] {
		net = net.Add(f)
	}
	if drag := math.Hypot(net.X, net.Y); drag < 0.01*net.Z {
		t.Fatalf("friction %g at a force of %g", drag, net.Z)
	}
	for range steps {
		if e := worst(force(), first); e > 1e-10 {
			t.Fatalf("t = %g s: force off by %g of its largest", w.Time(), e)
		}
	}
}
