package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// linkage is a world of rigid bodies that joints hold together.
type linkage struct {
	*engine.World
	t      testing.TB
	g      float64
	ids    []engine.BodyID
	bodies []*body.Rigid
	mass   []float64
}

func newLinkage(t testing.TB, theta, g float64) *linkage {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Theta, opt.Gravity = 1, theta, r3.V(0, 0, -g)
	return &linkage{World: must(engine.New(opt)), t: t, g: g}
}

// box adds a brick.
func (l *linkage) box(at, half r3.Vec, turn r3.Quat, v, spin r3.Vec) engine.BodyID {
	b := brick(l.t, half, 1000, turn, spin)
	id := must(l.AddBody(fmt.Sprint("body ", len(l.ids)), b, []r3.Vec{at, {}}, []r3.Vec{v, {}}))
	l.ids, l.bodies = append(l.ids, id), append(l.bodies, b)
	l.mass = append(l.mass, 8*half.X*half.Y*half.Z*1000)
	return id
}

// rod adds a thin one from one place to another, in the plane y = 0.
func (l *linkage) rod(from, to r3.Vec) engine.BodyID {
	along := to.Sub(from)
	turn := r3.Rotation(r3.V(0, -1, 0), math.Atan2(along.Z, along.X))
	return l.box(from.Lerp(to, 0.5), r3.V(along.Norm()/2, 0.01, 0.015), turn, r3.Vec{}, r3.Vec{})
}

// join adds a joint with an axis along y.
func (l *linkage) join(kind engine.JointKind, place r3.Vec, a engine.BodyID, b *engine.BodyID) engine.JointID {
	return must(l.Join(engine.Joint{
		Name: fmt.Sprint("joint ", l.Joints()), Kind: kind, A: a, B: b, Place: place, Axis: r3.V(0, 1, 0),
	}))
}

// energy returns the energy of all bodies [J].
func (l *linkage) energy() float64 {
	sum := 0.0
	for i, id := range l.ids {
		x, v := l.BodyPositions(id)[0], l.BodyVelocities(id)[0]
		sum += l.mass[i]*(v.Dot(v)/2+l.g*x.Z) + l.bodies[i].Momentum().Dot(l.bodies[i].Spin())/2
	}
	return sum
}

// momentum returns the angular momentum of all bodies about the origin [N m s].
func (l *linkage) momentum() (sum r3.Vec) {
	for i, id := range l.ids {
		x, v := l.BodyPositions(id)[0], l.BodyVelocities(id)[0]
		sum = sum.Add(l.bodies[i].Momentum()).Add(x.Cross(v.Scale(l.mass[i])))
	}
	return sum
}

// motion is what was seen in a number of steps.
type motion struct{ gap, angle, least, most float64 }

// run makes steps, in each of which all must be well, and calls each, which may be nil, after them.
func (l *linkage) run(h, end float64, each func()) motion {
	m := motion{least: l.energy(), most: l.energy()}
	for k := range int(math.Round(end / h)) {
		stats := must(l.Step(h))
		if !stats.Converged || stats.Crossings > 0 || stats.Failsafe.Rounds > 0 {
			l.t.Fatalf("step %d: residual %g m/s, %d crossings", k, stats.Residual, stats.Crossings)
		}
		m.gap, m.angle = max(m.gap, stats.JointGap), max(m.angle, stats.JointAngle)
		m.least, m.most = min(m.least, l.energy()), max(m.most, l.energy())
		if each != nil {
			each()
		}
	}
	return m
}

// swings returns what measures the period of an oscillation, and that period so far.
func swings(w *engine.World, at func() float64) (note func(), period func() float64) {
	count, first, last := 0, 0.0, 0.0
	before, then := at(), w.Time()
	note = func() {
		now := at()
		if before > 0 && now <= 0 {
			last = then + (w.Time()-then)*before/(before-now)
			if count++; count == 1 {
				first = last
			}
		}
		before, then = now, w.Time()
	}
	return note, func() float64 { return (last - first) / float64(count-1) }
}

// pendulumPeriod returns the period of a pendulum [s]: Gauss's mean of 1 and the cosine of half the amplitude makes
// that of small swings at the angular frequency ω longer.
func pendulumPeriod(omega, amplitude float64) float64 {
	a, b := 1.0, math.Cos(amplitude/2)
	for range 10 {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	return 2 * math.Pi / omega / a
}

// A brick that hangs by its end swings with the period of a physical pendulum. Its energy varies with the square of the
// step with θ = ½ and with the step with θ = 1, where velocities are those of half a step before, and is not lost.
func TestPendulum(t *testing.T) {
	const g, amplitude, end = 9.81, 0.5, 10.0
	half := r3.V(0.02, 0.03, 0.2)
	omega := math.Sqrt(g * half.Z / ((half.X*half.X+half.Z*half.Z)/3 + half.Z*half.Z))
	for _, kind := range []engine.JointKind{engine.BallJoint, engine.HingeJoint} {
		for _, theta := range []float64{0.5, 1} {
			for _, h := range []float64{2e-3, 5e-3} {
				l := newLinkage(t, theta, g)
				turn := r3.Rotation(r3.V(0, 1, 0), amplitude)
				id := l.box(r3.Vec{}, half, turn, r3.Vec{}, r3.Vec{})
				l.join(kind, turn.Rotate(r3.V(0, 0, half.Z)), id, nil)
				note, period := swings(l.World, func() float64 { return l.bodies[0].Turn().Rotate(r3.V(0, 0, 1)).X })
				saw := l.run(h, end, note)
				step := omega * h
				if want := pendulumPeriod(omega, amplitude); math.Abs(period()/want-1) > step*step/8 {
					t.Errorf("%v, θ %g, step %g s: period %.6f s, not %.6f", kind, theta, h, period(), want)
				}
				swing := l.mass[0] * g * half.Z * (1 - math.Cos(amplitude))
				if spread := (saw.most - saw.least) / swing; spread > 1.1*math.Pow(step, 1/theta) { // and higher orders
					t.Errorf("%v, θ %g, step %g s: energy varies by %g of the swing", kind, theta, h, spread)
				}
				// In a step the spin changes by h α, with which the row of the expected motion is off by that times the
				// way of the lever.
				if most := half.Z * amplitude * amplitude * step * step * step; saw.gap > most || saw.angle > 1e-9 {
					t.Errorf("%v, θ %g, step %g s: it opens by %g m, of %g, and %g rad", kind, theta, h, saw.gap, most, saw.angle)
				}
			}
		}
	}
}

// What a joint says it does to a body is what happens to it.
func TestJointForce(t *testing.T) {
	const g, h = 9.81, 2e-3
	l := newLinkage(t, 1, g)
	half := r3.V(0.2, 0.02, 0.03)
	beam := l.box(r3.V(half.X, 0, 0), half, r3.NoRotation(), r3.Vec{}, r3.Vec{})
	weld := l.join(engine.WeldJoint, r3.Vec{}, beam, nil)
	at := r3.V(1, 0, 0)
	rod := l.rod(at, at.Add(r3.V(0.2, 0, 0)))
	pivot := l.join(engine.BallJoint, at, rod, nil)
	for range 100 {
		before := l.BodyVelocities(rod)[0]
		must(l.Step(h))
		force, torque := l.JointForce(pivot)
		gained := l.BodyVelocities(rod)[0].Sub(before).Scale(l.mass[1] / h).Add(r3.V(0, 0, l.mass[1]*g))
		if d := force.Sub(gained).Norm(); d > 1e-6*l.mass[1]*g || torque != (r3.Vec{}) {
			t.Fatalf("a ball joint exerts %v N and %v N m, and the body feels %v N", force, torque, gained)
		}
	}
	force, torque := l.JointForce(weld)
	weight := l.mass[0] * g
	if d := force.Sub(r3.V(0, 0, weight)).Norm(); d > 1e-6*weight {
		t.Errorf("a weld carries %v N of %g", force, weight)
	}
	if d := torque.Sub(r3.V(0, -weight*half.X, 0)).Norm(); d > 1e-6*weight*half.X {
		t.Errorf("a weld holds %v N m of %g", torque, weight*half.X)
	}
}

// A body that turns about a place off its centre at a tenth of a radian a step goes on so: after it has found its
// motion, its energy does not change any more.
func TestJointsKeepSpinning(t *testing.T) {
	const spin, h = 20.0, 5e-3
	for _, kind := range []engine.JointKind{engine.BallJoint, engine.HingeJoint} {
		for _, theta := range []float64{0.5, 1} {
			l := newLinkage(t, theta, 0)
			id := l.box(r3.V(0, 0, -0.2), r3.V(0.02, 0.03, 0.2), r3.NoRotation(), r3.V(-0.2*spin, 0, 0), r3.V(0, spin, 0))
			l.join(kind, r3.Vec{}, id, nil)
			start := l.energy()
			first := l.run(h, 0.5, nil)
			saw := l.run(h, 10, nil)
			angle := spin * h
			if math.Abs(saw.most/start-1) > angle*angle/2 || first.gap > 0.2*math.Pow(angle, 3) {
				t.Errorf("%v, θ %g: energy goes from %g to %g J, it opens by %g m", kind, theta, start, saw.most, first.gap)
			}
			if (saw.most-saw.least)/start > 1e-6 || saw.gap > 1e-9 {
				t.Errorf("%v, θ %g: energy is %g to %g J, it opens by %g m", kind, theta, saw.least, saw.most, saw.gap)
			}
		}
	}
}

// Two halves of a box that are welded tumble as the whole does: as often as Euler's equations say, with the momentum
// that they had.
func TestWeldedHalvesTumble(t *testing.T) {
	const end, h = 20.0, 5e-3
	half, spin := r3.V(0.05, 0.1, 0.15), r3.V(0, 10, 0.1)
	want := referee.Flips(half, spin, end)
	for _, theta := range []float64{0.5, 1} {
		l := newLinkage(t, theta, 0)
		for _, side := range []float64{-1, 1} {
			x := r3.V(0, 0, side*half.Z/2)
			l.box(x, r3.V(half.X, half.Y, half.Z/2), r3.NoRotation(), spin.Cross(x), spin)
		}
		l.join(engine.WeldJoint, r3.V(0.01, 0.02, 0), l.ids[0], &l.ids[1])
		start, energy, flips, up := l.momentum(), l.energy(), 0, true
		saw := l.run(h, end, func() {
			if now := l.bodies[0].Turn().Conj().Rotate(l.bodies[0].Spin()).Y > 0; now != up {
				flips, up = flips+1, now
			}
		})
		if flips != want {
			t.Errorf("θ %g: they turned over %d times, not %d", theta, flips, want)
		}
		angle := spin.Norm() * h
		if lost := l.momentum().Sub(start).Norm() / start.Norm(); lost > 1e-11 || (saw.most-saw.least)/energy > angle*angle {
			t.Errorf("θ %g: momentum changed by %g of it, energy by %g", theta, lost, (saw.most-saw.least)/energy)
		}
		if saw.gap > half.Z*math.Pow(angle, 3) || saw.angle > 1e-9 {
			t.Errorf("θ %g: they part by %g m and %g rad", theta, saw.gap, saw.angle)
		}
	}
}

// Welded bodies fall as one, whatever else happens to them.
func TestWeldedCubesFallAsOne(t *testing.T) {
	const h, steps, g = 2e-3, 200, 9.81
	l := newLinkage(t, 1, g)
	for i := range 3 {
		l.box(r3.V(0.1*float64(i), 0, 0), r3.V(0.05, 0.05, 0.05), r3.NoRotation(), r3.Vec{}, r3.Vec{})
	}
	l.join(engine.WeldJoint, r3.V(0.05, 0, 0), l.ids[0], &l.ids[1])
	l.join(engine.WeldJoint, r3.V(0.15, 0, 0), l.ids[1], &l.ids[2])
	l.run(h, steps*h, nil)
	for i, id := range l.ids {
		want := r3.V(0.1*float64(i), 0, -g*h*h*steps*(steps+1)/2)
		if d := l.BodyPositions(id)[0].Sub(want).Norm(); d > 1e-8*steps*h {
			t.Errorf("cube %d is %g m off", i, d)
		}
	}
}

// A door whose hinges lean by ten degrees swings about their axis alone, with the period of a pendulum in a tenth of
// the gravity.
func TestDoor(t *testing.T) {
	const g, lean, amplitude, end, h = 9.81, 10 * math.Pi / 180, 0.4, 20.0, 5e-3
	half := r3.V(0.4, 0.02, 1)
	axis := r3.V(math.Sin(lean), 0, math.Cos(lean)) // the door hangs to the side to which it leans
	stand := r3.Rotation(r3.V(0, 1, 0), lean)
	turn := r3.Rotation(axis, amplitude).Mul(stand)
	l := newLinkage(t, 0.5, g)
	id := l.box(turn.Rotate(r3.V(half.X, 0, 0)), half, turn, r3.Vec{}, r3.Vec{})
	must(l.Join(engine.Joint{Name: "hinges", Kind: engine.HingeJoint, A: id, Axis: axis}))
	note, period := swings(l.World, func() float64 { return l.bodies[0].Turn().Rotate(r3.V(1, 0, 0)).Y })
	astray := 0.0
	saw := l.run(h, end, func() {
		note()
		x := l.BodyPositions(id)[0]
		astray = max(astray, math.Abs(x.Dot(axis)), math.Abs(x.Norm()-half.X))
	})
	omega := math.Sqrt(g * math.Sin(lean) * half.X / ((half.X*half.X+half.Y*half.Y)/3 + half.X*half.X))
	if want := pendulumPeriod(omega, amplitude); math.Abs(period()/want-1) > omega*h*omega*h/8 {
		t.Errorf("period %.6f s, not %.6f", period(), want)
	}
	if astray > 1e-7 || saw.gap > 1e-7 || saw.angle > 1e-9 {
		t.Errorf("it is %g m from its circle, opens by %g m, and its axis is %g rad off", astray, saw.gap, saw.angle)
	}
}

// A double pendulum of rods, which moves wildly, keeps its energy the better the shorter the steps are.
func TestDoublePendulum(t *testing.T) {
	var spread [2]float64
	for i, h := range []float64{4e-3, 1e-3} {
		l := newLinkage(t, 0.5, 9.81)
		upper := l.rod(r3.Vec{}, r3.V(0.3, 0, 0))
		lower := l.rod(r3.V(0.3, 0, 0), r3.V(0.6, 0, 0))
		l.join(engine.BallJoint, r3.Vec{}, upper, nil)
		l.join(engine.HingeJoint, r3.V(0.3, 0, 0), lower, &upper)
		saw := l.run(h, 10, nil)
		spread[i] = (saw.most - saw.least) / (l.mass[0] * 9.81 * 0.6)
		if saw.gap > 2e-5 || saw.angle > 1e-9 {
			t.Errorf("step %g s: it opens by %g m and %g rad", h, saw.gap, saw.angle)
		}
	}
	// Of order 2 at least.
	if spread[0] > 1e-2 || spread[1] > spread[0]/10 {
		t.Errorf("energy varies by %v of its scale", spread)
	}
}

// Four bars with four hinges have three rows more than they need, and a ring of welds has many more. Both hold.
func TestClosedLoops(t *testing.T) {
	t.Run("four bars", func(t *testing.T) {
		l := newLinkage(t, 0.5, 9.81)
		corners := []r3.Vec{{}, {X: -0.05, Z: 0.1}, {X: 0.3, Z: 0.25}, {X: 0.35}}
		crank, coupler, rocker := l.rod(corners[0], corners[1]), l.rod(corners[1], corners[2]), l.rod(corners[2], corners[3])
		l.join(engine.HingeJoint, corners[0], crank, nil)
		l.join(engine.HingeJoint, corners[1], coupler, &crank)
		l.join(engine.HingeJoint, corners[2], rocker, &coupler)
		l.join(engine.HingeJoint, corners[3], rocker, nil)
		fastest := 0.0
		saw := l.run(2e-3, 10, func() { fastest = max(fastest, l.bodies[0].Spin().Norm()) })
		if saw.gap > 2e-5 || saw.angle > 1e-9 || (saw.most-saw.least) > 0.01*l.mass[1]*9.81*0.1 || fastest < 2 {
			t.Errorf("%+v, at up to %g rad/s", saw, fastest)
		}
	})
	t.Run("ring of welds", func(t *testing.T) {
		l := newLinkage(t, 1, 9.81)
		corners := []r3.Vec{{}, {Z: 0.3}, {X: 0.3, Z: 0.3}, {X: 0.3}}
		for i, c := range corners {
			l.rod(c, corners[(i+1)%4])
		}
		for i, id := range l.ids {
			l.join(engine.WeldJoint, corners[i], id, &l.ids[(i+3)%4])
			l.join(engine.WeldJoint, corners[i], id, &l.ids[(i+2)%4])
		}
		l.join(engine.HingeJoint, corners[1], l.ids[0], nil)
		l.join(engine.HingeJoint, corners[1].Add(r3.V(0, 0.2, 0)), l.ids[0], nil)
		if saw := l.run(2e-3, 4, nil); saw.gap > 1e-6 || saw.angle > 1e-8 {
			t.Errorf("%+v", saw)
		}
	})
}

// A hinge whose one side is driven takes the other along, and a body that is both held and welded stays, though every
// row is there twice. One that is driven away from its weld goes nowhere that makes sense, and says so.
func TestDrivenJoints(t *testing.T) {
	drive := func(l *linkage, i int, v, spin r3.Vec) {
		hold := body.Hold{
			Axes: r3.Identity(), Move: [3]bool{true, true, true}, Turn: [3]bool{true, true, true}, Velocity: v, Spin: spin,
		}
		if err := l.bodies[i].SetHold(hold); err != nil {
			t.Fatal(err)
		}
	}
	l := newLinkage(t, 1, 9.81)
	crank := l.rod(r3.Vec{}, r3.V(0.2, 0, 0))
	arm := l.rod(r3.V(0.1, 0, 0), r3.V(0.1, 0, -0.3))
	l.join(engine.HingeJoint, r3.V(0.1, 0, 0), arm, &crank)
	drive(l, 0, r3.V(0.1, 0, 0), r3.V(0, 3, 0))
	saw := l.run(2e-3, 1, nil)
	if x := l.BodyPositions(arm)[0]; saw.gap > 1e-5 || math.Abs(x.X-0.2) > 0.16 || math.Abs(x.Y) > 1e-9 {
		t.Errorf("%+v, the arm is at %v", saw, x)
	}
	l = newLinkage(t, 1, 9.81)
	l.join(engine.WeldJoint, r3.V(0.1, 0, 0), l.rod(r3.Vec{}, r3.V(0.2, 0, 0)), nil)
	drive(l, 0, r3.Vec{}, r3.Vec{})
	if saw := l.run(2e-3, 0.2, nil); saw.gap > 1e-10 {
		t.Errorf("%+v", saw)
	}
	drive(l, 0, r3.V(1, 0, 0), r3.Vec{})
	if err := l.Advance(0.02, 2e-3, func(s engine.Stats) {
		if s.Converged {
			t.Error("a body is in two places at once, and the step is solved")
		}
	}); err != nil {
		t.Error(err)
	}
}

// A cube with another one welded to its side stands on a third, and each is carried by the weight above it.
func TestWeldedStack(t *testing.T) {
	const g, thickness = 9.81, 1e-3
	w, ids := stacked(t, 1, 1000, 1000)
	side := must(w.AddBody("side", brick(t, r3.V(0.05, 0.05, 0.05), 400, r3.NoRotation(), r3.Vec{}),
		[]r3.Vec{{X: 0.11, Z: 0.15 + 2*thickness}, {}}, make([]r3.Vec, 2)))
	weld := must(w.Join(engine.Joint{Name: "weld", A: side, B: &ids[1], Place: r3.V(0.05, 0, 0.15)}))
	for k := range 300 {
		stats := must(w.Step(2e-3))
		if stats.Crossings > 0 || !stats.Converged {
			t.Fatalf("step %d: %d crossings, residual %g m/s", k, stats.Crossings, stats.Residual)
		}
	}
	got := weights(w, ids)
	for i, want := range []float64{2.4 * g, 1.4 * g} {
		if math.Abs(got[i]-want) > 1e-6*want {
			t.Errorf("cube %d is carried by %g N of %g", i, got[i], want)
		}
	}
	force, torque := w.JointForce(weld)
	if d := force.Sub(r3.V(0, 0, 0.4*g)).Norm(); d > 1e-6 || math.Abs(torque.Y+0.4*g*0.06) > 1e-6 {
		t.Errorf("the weld carries %v N and %v N m", force, torque)
	}
	if moved := w.BodyPositions(side)[0].Sub(r3.V(0.11, 0, 0.15+2*thickness)).Norm(); moved > 1e-8 {
		t.Errorf("it moved by %g m", moved)
	}
}

// Settle brings a chain that hangs from a ball joint to rest, straight down.
func TestSettleJoints(t *testing.T) {
	l := newLinkage(t, 1, 9.81)
	upper := l.rod(r3.Vec{}, r3.V(0.3, 0, -0.1))
	lower := l.rod(r3.V(0.3, 0, -0.1), r3.V(0.6, 0, 0))
	l.join(engine.BallJoint, r3.Vec{}, upper, nil)
	l.join(engine.BallJoint, r3.V(0.3, 0, -0.1), lower, &upper)
	opt := engine.DefaultSettleOptions()
	opt.Tolerance, opt.MaxIterations = 1e-7, 5000
	stats := must(l.Settle(opt))
	if x := l.BodyPositions(lower)[0]; !stats.Converged || math.Hypot(x.X, x.Y) > 1e-3 || x.Z > -0.3 {
		t.Errorf("it is at %v, %+v", x, stats)
	}
	for i, b := range l.bodies {
		if b.Spin() != (r3.Vec{}) {
			t.Errorf("body %d spins at %v rad/s after all has settled", i, b.Spin())
		}
	}
}

// Joined bodies do not touch each other unless they are asked to, and others do.
func TestJoinedBodiesOverlap(t *testing.T) {
	for _, touch := range []bool{false, true} {
		l := newLinkage(t, 1, 9.81)
		must(l.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
		half := r3.V(0.05, 0.05, 0.05)
		for i := range 2 {
			l.box(r3.V(0.101*float64(i), 0, 0.051), half, r3.NoRotation(), r3.Vec{}, r3.Vec{})
		}
		must(l.Join(engine.Joint{
			Name: "hinge", Kind: engine.HingeJoint, A: l.ids[0], B: &l.ids[1],
			Place: r3.V(0.051, 0, 0.05), Axis: r3.V(0, 1, 0), Touch: touch,
		}))
		l.run(2e-3, 0.2, nil)
		between := 0
		for _, c := range l.Contacts(nil) {
			if c.A != l.ObstacleSurface(0) && c.B != l.ObstacleSurface(0) {
				between++
			}
		}
		if touch != (between > 0) {
			t.Errorf("touch %v: %d contacts between the two", touch, between)
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	l := newLinkage(t, 1, 9.81)
	id := l.rod(r3.Vec{}, r3.V(1, 0, 0))
	soft := addSolid(t, l.World, jelly(), jelly().Mesh.X, make([]r3.Vec, len(jelly().Mesh.X)))
	for _, c := range []struct {
		joint engine.Joint
		says  string
	}{
		{engine.Joint{A: 7}, "no body 7"},
		{engine.Joint{A: soft}, "not rigid"},
		{engine.Joint{A: id, B: &soft}, "not rigid"},
		{engine.Joint{A: id, B: &id}, "to itself"},
		{engine.Joint{A: id, Kind: engine.HingeJoint}, "no direction"},
		{engine.Joint{A: id, Kind: 9}, "no kind"},
		{engine.Joint{A: id, Place: r3.V(math.NaN(), 0, 0)}, "not finite"},
	} {
		if _, err := l.Join(c.joint); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, not %q", c.joint, err, c.says)
		}
	}
	if l.Joints() != 0 {
		t.Errorf("%d joints are left", l.Joints())
	}
}

// A steady step of joints allocates nothing.
func TestJointsAllocateNothing(t *testing.T) {
	l := newLinkage(t, 1, 9.81)
	upper := l.rod(r3.Vec{}, r3.V(0.3, 0, 0))
	lower := l.rod(r3.V(0.3, 0, 0), r3.V(0.6, 0, 0))
	l.join(engine.HingeJoint, r3.Vec{}, upper, nil)
	l.join(engine.WeldJoint, r3.V(0.3, 0, 0), lower, &upper)
	l.run(2e-3, 0.1, nil)
	if n := testing.AllocsPerRun(20, func() { must(l.Step(2e-3)) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// A snapshot fits a world with the same joints alone.
func TestSnapshotKnowsJoints(t *testing.T) {
	make := func(kinds ...engine.JointKind) *linkage {
		l := newLinkage(t, 1, 9.81)
		id := l.rod(r3.Vec{}, r3.V(0.3, 0, 0))
		for _, k := range kinds {
			l.join(k, r3.Vec{}, id, nil)
		}
		return l
	}
	ball := make(engine.BallJoint)
	for i, other := range []*linkage{make(), make(engine.HingeJoint), make(engine.BallJoint, engine.BallJoint)} {
		if other.Restore(ball.Snapshot()) == nil {
			t.Errorf("world %d takes the snapshot of another", i)
		}
	}
	if err := make(engine.BallJoint).Restore(ball.Snapshot()); err != nil {
		t.Error(err)
	}
	if d, angle := ball.JointGap(0); d > 1e-15 || angle != 0 || ball.Joint(0).Kind != engine.BallJoint {
		t.Errorf("joint %+v opens by %g m and %g rad", ball.Joint(0), d, angle)
	}
}

// TestHingeTurnsWithItsBodies: the torque of a hinge is across the axis where it is in the middle of a step, so that
// with θ = ½ the energy of what tumbles is of second order in the step, however its axis turns.
func TestHingeTurnsWithItsBodies(t *testing.T) {
	var off [2]float64
	for i, h := range []float64{2e-3, 4e-3} {
		l := newLinkage(t, 0.5, 0)
		spin := r3.V(2, 3, 4)
		a, b := r3.V(0.03, 0.12, 0.05), r3.V(0.03, -0.12, -0.05)
		first := l.box(a, r3.V(0.05, 0.1, 0.15), r3.NoRotation(), spin.Cross(a), spin)
		second := l.box(b, r3.V(0.05, 0.1, 0.15), r3.NoRotation(), spin.Cross(b), spin)
		must(l.Join(engine.Joint{Name: "hinge", Kind: engine.HingeJoint, A: first, B: &second, Axis: r3.V(1, 0.4, 0.2)}))
		start := l.energy()
		for range int(math.Round(2 / h)) {
			step(t, l.World, h)
			off[i] = max(off[i], math.Abs(l.energy()/start-1))
		}
	}
	if order := math.Log2(off[1] / off[0]); !(order > 1.8) || !(off[0] < 1e-4) {
		t.Errorf("energies are off by %.3g and %.3g, of order %.3g", off[0], off[1], order)
	}
}
