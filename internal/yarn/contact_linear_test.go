package yarn

import (
	"math"
	"math/rand"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// crossed lays two bent yarns that touch.
func crossed(lay *layout, rng *rand.Rand) []r3.Vec {
	var pos []r3.Vec
	for y := range 2 {
		var line []r3.Vec
		for i := range 7 {
			s := (float64(i) - 3) * 5.5e-3
			p := r3.V(s, 0.3*s, 12*s*s)
			if y == 1 {
				p = r3.V(0.2*s, s, 1.8e-3-9*s*s)
			}
			line = append(line, p.AddScaled(1e-4, r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())))
		}
		lay.add(line, false)
		pos = append(pos, line...)
	}
	return pos
}

func netForceTorque(pos, force []r3.Vec) (net, torque r3.Vec) {
	for i := range pos {
		net = net.Add(force[i])
		torque = torque.Add(pos[i].Cross(force[i]))
	}
	return net, torque
}

// TestLinearWithoutToleranceIsExact is K6.
func TestLinearWithoutToleranceIsExact(t *testing.T) {
	lay := &layout{}
	rest := stockinette(lay, 5, 5, 0.95*testRadius)
	opt := ContactOptions{Radius: testRadius, Stiffness: 3.25, DampNormal: 0.3, DampTangent: 0.03}
	exact := newContacts(lay, opt)
	opt.Mode = ContactLinear
	linear := newContacts(lay, opt)
	n := len(rest)
	pos, vel, want, got := make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
	for step := range 20 {
		sway(rest, pos, float64(step)*1e-3)
		clear(want)
		clear(got)
		exact.add(pos, vel, 1e-4, nil, want)
		linear.add(pos, vel, 1e-4, nil, got)
		if e := worst(got, want); e > 1e-12 {
			t.Fatalf("step %d: forces differ by %.2g", step, e)
		}
		_, all := allPairs(lay, opt, 11, pos)
		if e := worst(got, all); e > 1e-12 {
			t.Fatalf("step %d: forces differ from those of all pairs by %.2g", step, e)
		}
	}
}

// TestLinearModelFollowsRigidMotion is K7: no metric, the force turns along, no net force and no torque.
func TestLinearModelFollowsRigidMotion(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for range 20 {
		lay := &layout{}
		pos := crossed(lay, rng)
		c := newContacts(lay, ContactOptions{Radius: testRadius, Stiffness: 3.25, Mode: ContactLinear, Tolerance: 0.04})
		first := make([]r3.Vec, len(pos))
		for range 2 { // once to size the set, once for its model
			clear(first)
			c.add(pos, pos, 1e-4, nil, first)
		}
		axis := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
		moved, force := make([]r3.Vec, len(pos)), make([]r3.Vec, len(pos))
		for step := 1; step <= 30; step++ {
			pose := r3.Pose{R: r3.Rotation(axis, 0.1*float64(step)), T: r3.V(1e-3, 2e-3, -1e-3).Scale(float64(step))}
			for i := range pos {
				moved[i] = pose.Apply(pos[i])
			}
			clear(force)
			c.add(moved, moved, 1e-4, nil, force)
			if c.stats.Updates != 0 || c.stats.Sets != 1 {
				t.Fatalf("step %d: %d models of %d built anew", step, c.stats.Updates, c.stats.Sets)
			}
			if m := c.models.metricOf(&c.sets.list[0], moved); m > 1e-10 {
				t.Fatalf("metric %g", m)
			}
			turned := make([]r3.Vec, len(pos))
			for i := range first {
				turned[i] = pose.R.Rotate(first[i])
			}
			if e := worst(force, turned); e > 1e-10 {
				t.Fatalf("step %d: force differs from the turned one by %.2g", step, e)
			}
			net, torque := netForceTorque(moved, force)
			if size := c.stats.Force; net.Norm() > 1e-10*size || torque.Norm() > 1e-10*size*testRadius {
				t.Fatalf("step %d: net force %.2g, torque %.2g", step, net.Norm()/size, torque.Norm()/size/testRadius)
			}
		}
	}
}

func (m *models) metricOf(set *contactSet, pos []r3.Vec) float64 {
	m.pos = pos
	return m.deform(set)
}

// TestLinearModelKeepsMomentum is K15: whatever a set does up to its metric, its net force is nothing. The torque is
// told. The model is also compared with the exact force, from which it may differ by the square of the deformation.
func TestLinearModelKeepsMomentum(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	worstTorque, worstError, slope := 0.0, 0.0, 0.0
	for range 200 {
		lay := &layout{}
		pos := crossed(lay, rng)
		opt := ContactOptions{
			Radius: testRadius, Stiffness: 3.25, Mode: ContactLinear, Tolerance: 0.1, DampNormal: 0.3, DampTangent: 0.03,
		}
		c := newContacts(lay, opt)
		force, moved, vel := make([]r3.Vec, len(pos)), make([]r3.Vec, len(pos)), make([]r3.Vec, len(pos))
		for range 2 {
			c.add(pos, vel, 1e-4, nil, force)
		}
		errorAt := func(size float64, dir []r3.Vec) float64 {
			for i := range pos {
				moved[i] = pos[i].AddScaled(size, dir[i])
				vel[i] = dir[i]
			}
			clear(force)
			c.add(moved, vel, 1e-4, nil, force)
			net, torque := netForceTorque(moved, force)
			if net.Norm() > 1e-12*c.stats.Force {
				t.Fatalf("net force %.2g", net.Norm()/c.stats.Force)
			}
			worstTorque = max(worstTorque, torque.Norm()/c.stats.Force/testRadius)
			exact := make([]r3.Vec, len(pos))
			opt := opt
			opt.Mode = ContactSets
			newContacts(lay, opt).add(moved, vel, 1e-4, nil, exact)
			if c.stats.Updates > 0 {
				t.Fatalf("model built anew at %g", size)
			}
			return worst(force, exact)
		}
		dir := make([]r3.Vec, len(pos))
		for i := range dir {
			dir[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		large, small := errorAt(4e-6, dir), errorAt(1e-6, dir)
		worstError = max(worstError, large)
		slope = max(slope, small/large)
	}
	t.Logf("torque %.2g of force times radius, force off by %.2g; a quarter of the deformation leaves %.2g of it",
		worstTorque, worstError, slope)
	if slope > 0.25 {
		t.Errorf("a quarter of the deformation leaves %.2g of the error: the matrix is not the derivative", slope)
	}
}

// TestDampingTakesEnergy asks that damping never pushes, keeps momentum, and takes nothing from rigid motion.
func TestDampingTakesEnergy(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	for range 50 {
		lay := &layout{}
		pos := crossed(lay, rng)
		opt := ContactOptions{Radius: testRadius, Stiffness: 3.25}
		still, drag := make([]r3.Vec, len(pos)), make([]r3.Vec, len(pos))
		newContacts(lay, opt).add(pos, nil, 1e-4, nil, still)
		opt.DampNormal, opt.DampTangent = 0.3, 0.03
		c := newContacts(lay, opt)
		vel := make([]r3.Vec, len(pos))
		for i := range vel {
			vel[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		c.add(pos, vel, 1e-4, nil, drag)
		power, size := 0.0, 0.0
		var net r3.Vec
		for i := range drag {
			drag[i] = drag[i].Sub(still[i])
			power += drag[i].Dot(vel[i])
			size += still[i].Norm()
			net = net.Add(drag[i])
		}
		if power >= 0 || net.Norm() > 1e-12*size {
			t.Fatalf("power %g, net force %g of %g", power, net.Norm(), size)
		}
		for i := range vel {
			vel[i] = r3.V(1, -2, 3)
		}
		clear(drag)
		c.add(pos, vel, 1e-4, nil, drag)
		if e := worst(drag, still); e > 1e-12 {
			t.Fatalf("damping slows what moves as one: %g", e)
		}
	}
}

// TestDampingOfOneCrossing compares the drag of two crossing yarns with kn on approach and kt on sliding.
func TestDampingOfOneCrossing(t *testing.T) {
	drag := func(kn, kt float64, v r3.Vec) r3.Vec {
		opt := ContactOptions{Radius: testRadius, Stiffness: 3.25, DampNormal: kn, DampTangent: kt, Mode: ContactPairs}
		lay := &layout{}
		lower, upper := straight(r3.V(1, 0, 0), 0), straight(r3.V(0, 1, 0), 1.8e-3)
		lay.add(lower, false)
		lay.add(upper, false)
		pos := append(lower, upper...)
		vel := make([]r3.Vec, len(pos))
		for i := len(lower); i < len(vel); i++ {
			vel[i] = v
		}
		force, still := make([]r3.Vec, len(pos)), make([]r3.Vec, len(pos))
		newContacts(lay, opt).add(pos, vel, 1e-4, nil, force)
		newContacts(lay, opt).add(pos, make([]r3.Vec, len(pos)), 1e-4, nil, still)
		var net r3.Vec
		for i := len(lower); i < len(pos); i++ {
			net = net.Add(force[i].Sub(still[i]))
		}
		return net
	}
	// With equal constants each touching pair gives 2 k v, and touching pairs fill a disk of radius sqrt(D² - d²).
	area := math.Pi * (2.5e-3*2.5e-3 - 1.8e-3*1.8e-3)
	for _, v := range []r3.Vec{{X: 1}, {Z: 1}, {X: 1, Y: 2, Z: -1}} {
		got, want := drag(0.1, 0.1, v), v.Scale(-2*0.1*area)
		if got.Sub(want).Norm() > 0.1*want.Norm() {
			t.Errorf("drag %v, want %v", got, want)
		}
	}
	if a, b := drag(0.1, 0, r3.V(0, 0, 1)), drag(0.1, 0, r3.V(1, 0, 0)); a.Norm() < 3*b.Norm() {
		t.Errorf("approach is damped by %g, sliding by %g", a.Norm(), b.Norm())
	}
}

// straight returns control points of a straight yarn.
func straight(way r3.Vec, z float64) (points []r3.Vec) {
	for i := range 12 {
		points = append(points, way.Scale((float64(i)-5.5)*5e-3).Add(r3.V(0, 0, z)))
	}
	return points
}
