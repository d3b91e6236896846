package engine_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// chain adds links of 0.1 m with ball joints between them, side by side along x, which hang from the world at the
// origin. The last is heavier than the others by a factor.
func (l *linkage) chain(links int, heavier float64) {
	half := r3.V(0.05, 0.01, 0.015)
	var before *engine.BodyID
	for k := range links {
		density := 1000.0
		if k == links-1 {
			density *= heavier
		}
		b := brick(l.t, half, density, r3.NoRotation(), r3.Vec{})
		at := []r3.Vec{{X: 0.1*float64(k) + half.X}, {}}
		id := must(l.AddBody(fmt.Sprint("link ", k), b, at, make([]r3.Vec, 2)))
		l.ids, l.bodies = append(l.ids, id), append(l.bodies, b)
		l.mass = append(l.mass, 8*half.X*half.Y*half.Z*density)
		l.join(engine.BallJoint, r3.V(0.1*float64(k), 0, 0), id, before)
		before = &id
	}
}

// whipped is what a chain did.
type whipped struct {
	credit  float64 // what joints may give [J]
	over    float64 // energy above that of the start, over that
	fastest float64 // [m/s]
	gap     float64 // [m]
	open    int     // steps that were not converged
	steps   int
}

// watch notes what a chain does in a step. With θ = 1 velocities are those of half a step before, so that the power of
// gravity in that time is added to their energy. Joints may give 1 % of the kinetic energy, and what it takes to draw
// all together at 0.1 m/s, centres and spins.
func (l *linkage) watch(saw *whipped, start float64, s engine.Stats) {
	lag, kinetic, mass := 0.0, 0.0, 0.0
	for i, id := range l.ids {
		v := l.BodyVelocities(id)[0]
		lag -= (l.Options().Theta - 0.5) * s.H * l.mass[i] * l.g * v.Z
		kinetic += l.mass[i]*v.Dot(v)/2 + l.bodies[i].SpinEnergy()
		mass += l.mass[i]
		saw.fastest = max(saw.fastest, v.Norm())
	}
	saw.credit = max(saw.credit, 0.01*kinetic+mass*0.1*0.1)
	saw.over = max(saw.over, (l.energy()+lag-start)/saw.credit)
	widest := 0.0
	for j := range l.Joints() {
		d, _ := l.JointGap(engine.JointID(j))
		widest = max(widest, d)
	}
	if math.Abs(widest-s.JointGap) > 1e-12 {
		l.t.Errorf("t = %g s: a joint is open by %g m, and the step says %g", s.Time, widest, s.JointGap)
	}
	if open := s.JointGap > 1e-4; open == s.Converged && s.Residual <= 1e-8 {
		l.t.Errorf("t = %g s: converged %v with joints open by %g m", s.Time, s.Converged, s.JointGap)
	}
	saw.gap = max(saw.gap, s.JointGap)
	saw.steps++
	if !s.Converged {
		saw.open++
	}
}

// A chain of 50 links swings down and cracks like a whip in steps that are too long for it: links turn by a radian in
// 10 ms. It does not get more energy than it has, is no faster than in short steps, and says where it comes apart.
func TestChainInBareSteps(t *testing.T) {
	limit := 27.0 // [m/s]: a tenth more than in steps of 1 ms
	for _, c := range []struct {
		theta, h, gap float64
		open          float64 // part of the steps
	}{{1, 1e-3, 2e-5, 0}, {1, 5e-3, 0.02, 0.15}, {1, 1e-2, 1, 0.8}, {1, 1.0 / 60, 1.5, 0.95}, {0.5, 5e-3, 1e-3, 0.05}} {
		if testing.Short() && c.h < 2e-3 {
			continue
		}
		l := newLinkage(t, c.theta, 9.81)
		l.chain(50, 1)
		start, saw := l.energy(), whipped{}
		for range int(math.Round(2 / c.h)) {
			l.watch(&saw, start, must(l.Step(c.h)))
		}
		t.Logf("θ %g, %g s: %+v", c.theta, c.h, saw)
		if saw.over > 1 || saw.fastest > limit || saw.gap > c.gap || float64(saw.open) > c.open*float64(saw.steps) {
			t.Errorf("θ %g, %g s: %+v", c.theta, c.h, saw)
		}
	}
}

// Advance halves steps that open joints.
func TestChainAdvances(t *testing.T) {
	l := newLinkage(t, 1, 9.81)
	l.chain(50, 1)
	start, saw := l.energy(), whipped{}
	for range 400 {
		if err := l.Advance(5e-3, 5e-3, func(s engine.Stats) { l.watch(&saw, start, s) }); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%+v", saw)
	if saw.over > 1 || saw.fastest > 27 || saw.gap > 2e-3 {
		t.Errorf("%+v", saw)
	}
}

// The same with a last link that is a thousand times heavier. Asked is that joints give nothing; a step whose gaps are
// closed may give four times the credit, so that the bar is twice what they may give in all.
func TestChainWithHeavyEnd(t *testing.T) {
	for _, h := range []float64{1e-3, 5e-3} {
		l := newLinkage(t, 1, 9.81)
		l.chain(50, 1000)
		start, saw := l.energy(), whipped{}
		for range 400 {
			l.watch(&saw, start, must(l.Step(h)))
		}
		t.Logf("%g s: %+v", h, saw)
		if saw.over > 2 || saw.fastest > 45 {
			t.Errorf("%g s: %+v", h, saw)
		}
	}
}

// A chain that a body takes around in circles, twice in a second, with a flag on its end, in steps of 10 ms: nothing is
// much faster than the end of a stiff bar would be.
func TestChainOnACrank(t *testing.T) {
	l := newLinkage(t, 1, 9.81)
	crank := l.rod(r3.V(-0.3, 0, 0), r3.V(0.3, 0, 0))
	const spin = 4 * math.Pi
	hold := body.Hold{
		Axes: r3.Identity(), Move: [3]bool{true, true, true}, Turn: [3]bool{true, true, true}, Spin: r3.V(0, spin, 0),
	}
	if err := l.bodies[0].SetHold(hold); err != nil {
		t.Fatal(err)
	}
	before := crank
	for k := range 10 {
		from := r3.V(0.3+0.1*float64(k), 0, 0)
		id := l.rod(from, from.Add(r3.V(0.1, 0, 0)))
		l.join(engine.BallJoint, from, id, &before)
		before = id
	}
	fastest, gap := 0.0, 0.0
	for range 300 {
		s := must(l.Step(1e-2))
		gap = max(gap, s.JointGap)
		for _, id := range l.ids {
			fastest = max(fastest, l.BodyVelocities(id)[0].Norm())
		}
	}
	t.Logf("%g m/s, open by %g m", fastest, gap)
	if fastest > 1.5*1.3*spin {
		t.Errorf("%g m/s", fastest)
	}
}

// A state that is restored knows what joints have taken.
func TestSnapshotKnowsWorkOfJoints(t *testing.T) {
	play := func(l *linkage, steps int) {
		for range steps {
			must(l.Step(1e-2))
		}
	}
	make := func() *linkage {
		l := newLinkage(t, 1, 9.81)
		l.chain(20, 1)
		return l
	}
	whole, first, second := make(), make(), make()
	play(whole, 80)
	play(first, 50)
	data := must(first.Snapshot().MarshalBinary())
	var state engine.Snapshot
	if err := state.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if err := second.Restore(&state); err != nil {
		t.Fatal(err)
	}
	play(second, 30)
	if whole.Snapshot().Hash() != second.Snapshot().Hash() {
		t.Error("a chain that resumed from a file is elsewhere")
	}
}

// A body that tumbles far from all joints keeps its momentum: what its spin gains as it turns is no work of joints.
func TestJointsLeaveOthersAlone(t *testing.T) {
	l := newLinkage(t, 1, 0)
	l.box(r3.V(0, 5, 0), r3.V(0.1, 0.02, 0.06), r3.NoRotation(), r3.Vec{}, r3.V(30, 40, 60))
	l.chain(2, 1)
	begin := l.bodies[0].Momentum()
	for range 10 {
		must(l.Step(1e-2))
	}
	if off := l.bodies[0].Momentum().Sub(begin).Norm(); off > 1e-9*begin.Norm() {
		t.Errorf("it lost %.2g of its momentum", off/begin.Norm())
	}
}
