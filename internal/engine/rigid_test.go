package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// brick returns a rigid box with the given half sides.
func brick(t testing.TB, half r3.Vec, density float64, turn r3.Quat, spin r3.Vec) *body.Rigid {
	t.Helper()
	b, err := body.NewRigid(body.Brick(half, density), turn, spin)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// O13: a free box that spins about its middle axis turns over again and again. Nothing changes its momentum, its energy
// stays within bounds that fall with the square of the step, and it turns over as often as Euler's equations say.
func TestFreeSpin(t *testing.T) {
	half, spin := r3.V(0.05, 0.1, 0.15), r3.V(0, 10, 0.1)
	want := referee.Flips(half, spin, 20)
	spread := map[float64]float64{}
	for _, h := range []float64{1e-3, 5e-3, 10e-3} {
		opt := engine.DefaultOptions()
		opt.Gravity, opt.Workers = r3.Vec{}, 1
		w := must(engine.New(opt))
		b := brick(t, half, 1000, r3.NoRotation(), spin)
		must(w.AddBody("box", b, make([]r3.Vec, 2), make([]r3.Vec, 2)))
		start := b.Momentum()
		energy := func() float64 { return 0.5 * b.Momentum().Dot(b.Spin()) }
		least, most, flips, up := energy(), energy(), 0, true
		for range int(20 / h) {
			must(w.Step(h))
			least, most = min(least, energy()), max(most, energy())
			if now := b.Turn().Conj().Rotate(b.Spin()).Y > 0; now != up {
				flips, up = flips+1, now
			}
		}
		if drift := b.Momentum().Sub(start).Norm() / start.Norm(); drift > 1e-12 {
			t.Errorf("step %g s: angular momentum is off by %g", h, drift)
		}
		if flips != want {
			t.Errorf("step %g s: it turned over %d times, not %d", h, flips, want)
		}
		spread[h] = (most - least) / least
	}
	if order := math.Log(spread[10e-3]/spread[1e-3]) / math.Log(10); math.Abs(order-2) > 0.3 {
		t.Errorf("energy varies by %v: order %.2f, not 2", spread, order)
	}
}

// onSlope returns a world with an inclined plane and a brick on it, whose bottom is at the thickness.
func onSlope(t testing.TB, half r3.Vec, slope, mu float64) (*engine.World, *body.Rigid, engine.BodyID) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = 1, mu
	w := must(engine.New(opt))
	normal := r3.V(math.Sin(slope), 0, math.Cos(slope))
	must(w.AddObstacle(engine.Obstacle{Name: "slope", Shape: shape.Plane{Normal: normal}, Place: r3.Still()}))
	b := brick(t, half, 1000, r3.Rotation(r3.V(0, 1, 0), slope), r3.Vec{})
	at := normal.Scale(half.Z + opt.Contact.Thickness)
	id := must(w.AddBody("block", b, []r3.Vec{at, {}}, make([]r3.Vec, 2)))
	return w, b, id
}

// O14: a cube on a plane at 10 degrees, whose tangent is 0.176327, slides with the acceleration of Coulomb's law or
// does not move at all.
func TestCubeOnSlope(t *testing.T) {
	const g, slope, h, steps = 9.81, 10 * math.Pi / 180, 2e-3, 1000
	for _, mu := range []float64{0.170, 0.176, 0.177, 0.353} {
		w, _, id := onSlope(t, r3.V(0.05, 0.05, 0.05), slope, mu)
		from := w.BodyPositions(id)[0]
		for range steps {
			if stats := must(w.Step(h)); stats.Crossings > 0 || !stats.Converged {
				t.Fatalf("%d crossings, residual %g m/s", stats.Crossings, stats.Residual)
			}
		}
		way := w.BodyPositions(id)[0].Sub(from).Norm()
		a := max(0, g*(math.Sin(slope)-mu*math.Cos(slope)))
		want := a * h * h * steps * (steps + 1) / 2 // of backward Euler
		// Velocities are right to the tolerance of 1e-8 m/s, over 2 s.
		if math.Abs(way-want) > 1e-6*want+2e-8 {
			t.Errorf("μ %g: it went %g m, not %g", mu, way, want)
		}
	}
}

// topples tells whether a block of 0.1 x 0.1 x 0.3 m on a slope falls over within 2 s.
func topples(t testing.TB, slope float64) bool {
	w, b, _ := onSlope(t, r3.V(0.05, 0.05, 0.15), slope, 1)
	for range 1000 {
		stats := must(w.Step(2e-3))
		if stats.Crossings > 0 {
			t.Fatalf("%d crossings", stats.Crossings)
		}
		up := b.Turn().Rotate(r3.V(0, 0, 1))
		if up.Dot(r3.V(math.Sin(slope), 0, math.Cos(slope))) < 0.99 {
			return true
		}
	}
	return false
}

// O15: a block whose height is three times its side topples where tan of the slope is 1/3.
func TestBlockTopples(t *testing.T) {
	lo, hi := 17.0, 20.0
	for hi-lo > 0.01 {
		mid := (lo + hi) / 2
		if topples(t, mid*math.Pi/180) {
			hi = mid
		} else {
			lo = mid
		}
	}
	want := math.Atan(1.0/3) * 180 / math.Pi
	if math.Abs((lo+hi)/2-want) > 0.03 {
		t.Errorf("it topples at %g degrees, not %g", (lo+hi)/2, want)
	}
}

// stacked returns cubes of 0.1 m on each other, of the given densities from below, a thickness apart.
func stacked(t testing.TB, workers int, density ...float64) (*engine.World, []engine.BodyID) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = workers, 0.5
	w := must(engine.New(opt))
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	var ids []engine.BodyID
	for i, d := range density {
		b := brick(t, r3.V(0.05, 0.05, 0.05), d, r3.NoRotation(), r3.Vec{})
		z := 0.05 + opt.Contact.Thickness + float64(i)*(0.1+opt.Contact.Thickness)
		ids = append(ids, must(w.AddBody(fmt.Sprintf("cube %d", i), b, []r3.Vec{{Z: z}, {}}, make([]r3.Vec, 2))))
	}
	return w, ids
}

// O16 and O17: ten cubes stand on each other, also if the topmost is a thousand times heavier, or the lowest light.
// What is below each carries the weight of all above.
func TestStack(t *testing.T) {
	const g, steps, h = 9.81, 500, 2e-3
	for _, heavy := range []float64{1, 1000, 1e-3} {
		density := slices.Repeat([]float64{1000}, 10)
		density[9] *= heavy
		w, ids := stacked(t, 1, density...)
		top := w.BodyPositions(ids[9])[0]
		for range steps {
			if stats := must(w.Step(h)); stats.Crossings > 0 || !stats.Converged {
				t.Fatalf("top of density %g: %d crossings, residual %g m/s", density[9], stats.Crossings, stats.Residual)
			}
		}
		// 1 µm in 60 s.
		if moved := w.BodyPositions(ids[9])[0].Sub(top).Norm(); moved > 1e-6*steps*h/60 {
			t.Errorf("top of density %g: it moved by %g m", density[9], moved)
		}
		above := 0.0
		for i, f := range slices.Backward(weights(w, ids)) {
			above += density[i] * 1e-3 * g
			if math.Abs(f-above) > 1e-6*above {
				t.Errorf("top of density %g: cube %d is carried by %g N of %g", density[9], i, f, above)
			}
		}
	}
}

// weights returns the force with which what is below carries each cube of a stack.
func weights(w *engine.World, ids []engine.BodyID) []float64 {
	out := make([]float64, len(ids))
	for _, p := range w.PairForces(nil) {
		for i, id := range ids {
			switch w.BodySurface(id) {
			case p.A:
				out[i] += max(0, p.Force.Z)
			case p.B:
				out[i] += max(0, -p.Force.Z)
			}
		}
	}
	return out
}

// pile returns cubes of 0.1 m in layers of 4 x 4 that fall into a bin.
func pile(t testing.TB, cubes, workers int) *engine.World {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = workers, 0.5
	w := must(engine.New(opt))
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	for i, n := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		must(w.AddObstacle(engine.Obstacle{
			Name: fmt.Sprint("wall ", i), Shape: shape.Plane{Point: n.Scale(-layouts.BinHalf), Normal: n}, Place: r3.Still(),
		}))
	}
	for k := range cubes {
		x := layouts.InBin(k)
		b := brick(t, r3.V(0.05, 0.05, 0.05), 1000, r3.NoRotation(), r3.Vec{})
		must(w.AddBody(fmt.Sprint("cube ", k), b, []r3.Vec{x, {}}, make([]r3.Vec, 2)))
	}
	return w
}

// O25, its bin: 164 cubes fall on each other and come to rest, in every step solved and without a crossing.
func TestPileOfCubes(t *testing.T) {
	cubes, steps := 164, 400
	if testing.Short() {
		cubes, steps = 48, 200
	}
	w := pile(t, cubes, 2)
	var last engine.Stats
	for k := range steps {
		last = must(w.Step(2e-3))
		if last.Crossings > 0 || !last.Converged {
			t.Fatalf("step %d: %d crossings, residual %g m/s", k, last.Crossings, last.Residual)
		}
	}
	if last.MaxSpeed > 1e-6 {
		t.Errorf("after %d steps something still moves at %g m/s", steps, last.MaxSpeed)
	}
}

func BenchmarkPile(b *testing.B) {
	w := pile(b, 164, 1)
	for b.Loop() {
		if stats := must(w.Step(2e-3)); !stats.Converged {
			b.Fatalf("residual %g m/s", stats.Residual)
		}
	}
}

// Piles are the same for any number of workers, and after they were saved and brought back.
func TestRigidIsDeterministic(t *testing.T) {
	var want string
	for _, workers := range []int{1, 2, 8} {
		w := pile(t, 48, workers)
		for range 60 {
			must(w.Step(2e-3))
		}
		saved := must(w.Snapshot().MarshalBinary())
		for range 60 {
			must(w.Step(2e-3))
		}
		got := w.Snapshot().Hash().String()
		if want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d workers: %s, not %s", workers, got, want)
		}
		again := pile(t, 48, workers)
		var snapshot engine.Snapshot
		if err := snapshot.UnmarshalBinary(saved); err != nil {
			t.Fatal(err)
		}
		if err := again.Restore(&snapshot); err != nil {
			t.Fatal(err)
		}
		for range 60 {
			must(again.Step(2e-3))
		}
		if got := again.Snapshot().Hash().String(); got != want {
			t.Errorf("%d workers, brought back: %s, not %s", workers, got, want)
		}
	}
}

// A body that spins about an axis of its own, whose spin never changes, goes on with the same bits too.
func TestSpinningRigidResumes(t *testing.T) {
	spinning := func() *engine.World {
		opt := engine.DefaultOptions()
		opt.Workers = 1
		w := must(engine.New(opt))
		turn := r3.Rotation(r3.V(1, 2, 3), 1)
		b := brick(t, r3.V(0.05, 0.1, 0.15), 1000, turn, turn.Rotate(r3.V(0, 0, 7)))
		must(w.AddBody("box", b, make([]r3.Vec, 2), make([]r3.Vec, 2)))
		return w
	}
	w := spinning()
	for range 30 {
		must(w.Step(2e-3))
	}
	again := spinning()
	if err := again.Restore(w.Snapshot()); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		must(w.Step(2e-3))
		must(again.Step(2e-3))
	}
	if got, want := again.Snapshot().Hash(), w.Snapshot().Hash(); got != want {
		t.Errorf("%v, not %v", got, want)
	}
}

// A brick falls into a cloth that is held at its rim and throws it back: what contacts say that they do to it is what
// happens to it.
func TestBrickInCloth(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = 2, 0.4
	w := must(engine.New(opt))
	m, x := shape.Grid(0.5, 0.5, 14, 14)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.25, -0.25, 0))
	}
	cloth := addCloth(t, w, engine.DefaultCloth("hammock", m, x, fabric(t, "cotton-interlock")))
	holdRim(w, cloth, m)
	half := r3.V(0.04, 0.05, 0.06)
	b := brick(t, half, 500, r3.Rotation(r3.V(1, 1, 0), 0.5), r3.V(0, 3, 0))
	id := must(w.AddBody("brick", b, []r3.Vec{{Z: 0.15}, {}}, make([]r3.Vec, 2)))
	const steps, h = 100, 4e-3
	var impulse r3.Vec
	lowest := 0.0
	for k := range steps {
		stats := must(w.Step(h))
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 {
			t.Fatalf("step %d: %d crossings", k, stats.Crossings)
		}
		impulse = impulse.Add(w.BodyImpulses(id, nil)[0])
		lowest = min(lowest, w.BodyPositions(id)[0].Z)
	}
	mass := 8 * half.X * half.Y * half.Z * 500
	want := w.BodyVelocities(id)[0].Add(r3.V(0, 0, 9.81*steps*h)).Scale(mass) // it began at rest
	if d := impulse.Sub(want).Norm(); d > 1e-9*want.Norm() {
		t.Errorf("contacts gave it %v N s, and its motion says %v", impulse, want)
	}
	if lowest > -0.1 || lowest < -0.3 {
		t.Errorf("it went down to %g m", lowest)
	}
}

// Bricks that fly about and spin, faster than contacts can tell, never go through each other, the walls or a cloth.
func TestRigidNeverCrosses(t *testing.T) {
	brought := 0 // apart by the fail-safe
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 1))
		opt := engine.DefaultOptions()
		opt.Workers = 1
		opt.Contact.Rounds = int(seed % 2)
		w := must(engine.New(opt))
		for i, n := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			must(w.AddObstacle(engine.Obstacle{
				Name: fmt.Sprint("wall ", i), Shape: shape.Plane{Point: n.Scale(-0.3), Normal: n}, Place: r3.Still(),
			}))
		}
		any := func(size float64) r3.Vec {
			return r3.V(random.Float64()-0.5, random.Float64()-0.5, random.Float64()-0.5).Scale(2 * size)
		}
		for i := range 8 {
			b := brick(t, r3.V(0.04, 0.06, 0.08), 500, r3.Rotation(any(1), 3*random.Float64()), any(60))
			at := r3.V(float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2&1)-0.5).Scale(0.28)
			must(w.AddBody(fmt.Sprint("brick ", i), b, []r3.Vec{at, {}}, []r3.Vec{any(10), {}}))
		}
		for k := range 60 {
			stats, err := w.Step(5e-3)
			if err != nil {
				t.Fatal(err)
			}
			brought += stats.Failsafe.Blocks
			if stats.Crossings > 0 || stats.Failsafe.Left > 0 {
				t.Fatalf("seed %d, step %d: %d crossings, %+v", seed, k, stats.Crossings, stats.Failsafe)
			}
		}
	}
	if brought == 0 {
		t.Error("nothing was fast enough to try the fail-safe")
	}
}

// A tower that falls onto itself, under a top that is a thousand times heavier, comes to a stop from below: each cube
// stays because the one before it does. The fail-safe goes on until the last one has.
func TestFallingTowerNeverCrosses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = 2, 0.5
	w := must(engine.New(opt))
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	const cubes, gap = 40, 1.5e-3
	for i := range cubes {
		density := 1000.0
		if i == cubes-1 {
			density *= 1000
		}
		b := brick(t, r3.V(0.05, 0.05, 0.05), density, r3.Rotation(r3.V(0, 0, 1), 0.03*float64(i%7)), r3.Vec{})
		z := 0.05 + gap + float64(i)*(0.1+gap)
		must(w.AddBody(fmt.Sprint("cube ", i), b, []r3.Vec{{Z: z}, {}}, []r3.Vec{{Z: -5}, {}}))
	}
	rounds := 0
	for range 12 {
		err := w.Advance(10e-3, 10e-3, func(s engine.Stats) {
			rounds = max(rounds, s.Failsafe.Rounds)
			if s.Crossings > 0 || s.Failsafe.Left > 0 {
				t.Fatalf("at %g s: %d crossings, %+v", s.Time, s.Crossings, s.Failsafe)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if rounds <= 10 {
		t.Errorf("%d rounds of the fail-safe; the tower is too easy to tell", rounds)
	}
}

// Two bricks that hit, rub and spin in empty space keep both momenta.
func TestRigidMomentum(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Workers, opt.Contact.Friction = r3.Vec{}, 1, 0.7
	w := must(engine.New(opt))
	bodies := []*body.Rigid{
		brick(t, r3.V(0.05, 0.05, 0.05), 1000, r3.NoRotation(), r3.V(1, 2, 3)),
		brick(t, r3.V(0.04, 0.1, 0.03), 2000, r3.Rotation(r3.V(1, 2, 1), 1), r3.V(-2, 0, 4)),
	}
	masses := []float64{1, 8 * 0.04 * 0.1 * 0.03 * 2000}
	at := []r3.Vec{{X: -0.12}, {X: 0.1, Y: 0.02, Z: 0.01}}
	v := []r3.Vec{{X: 1, Y: 0.5}, {X: -1, Z: 0.3}}
	ids := make([]engine.BodyID, 2)
	for i, b := range bodies {
		ids[i] = must(w.AddBody(fmt.Sprint("brick ", i), b, []r3.Vec{at[i], {}}, []r3.Vec{v[i], {}}))
	}
	momenta := func() (p, l r3.Vec) {
		for i, b := range bodies {
			x, v := w.BodyPositions(ids[i])[0], w.BodyVelocities(ids[i])[0].Scale(masses[i])
			p, l = p.Add(v), l.Add(x.Cross(v)).Add(b.Momentum())
		}
		return p, l
	}
	p0, l0 := momenta()
	touched := 0
	for range 200 {
		stats := must(w.Step(2e-3))
		touched += stats.Contacts
	}
	p, l := momenta()
	t.Logf("%d contacts; momentum off by %.1e, angular momentum by %.1e", touched, p.Sub(p0).Norm(), l.Sub(l0).Norm())
	if touched == 0 {
		t.Fatal("they did not meet")
	}
	if d := p.Sub(p0).Norm(); d > 1e-12 {
		t.Errorf("momentum is off by %g N s", d)
	}
	if d := l.Sub(l0).Norm(); d > 1e-12 {
		t.Errorf("angular momentum is off by %g N m s", d)
	}
}

// A steady step of rigid bodies allocates nothing.
func TestRigidAllocatesNothing(t *testing.T) {
	w, _ := stacked(t, 1, 1000, 1000, 1000)
	for range 20 {
		must(w.Step(2e-3))
	}
	if n := testing.AllocsPerRun(20, func() { must(w.Step(2e-3)) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// A body that is driven along one direction and about another goes there, and falls along the third.
func TestDrivenRigid(t *testing.T) {
	for _, theta := range []float64{1, 0.5} {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Theta = 1, theta
		w := must(engine.New(opt))
		b := brick(t, r3.V(0.05, 0.05, 0.05), 1000, r3.NoRotation(), r3.Vec{})
		err := b.SetHold(body.Hold{
			Axes: r3.Identity(), Move: [3]bool{true, true, false}, Turn: [3]bool{true, true, true},
			Velocity: r3.V(0.3, 0, 0), Spin: r3.V(0, 0, 2),
		})
		if err != nil {
			t.Fatal(err)
		}
		id := must(w.AddBody("body", b, make([]r3.Vec, 2), make([]r3.Vec, 2)))
		const h, steps = 2e-3, 100
		for range steps {
			must(w.Step(h))
		}
		x := w.BodyPositions(id)[0]
		fall := 9.81 * h * h * steps * (steps + 1) / 2 // of backward Euler
		if theta == 0.5 {
			fall = 9.81 * h * h * steps * steps / 2
		}
		// Velocities are right to 1e-8 m/s, for 0.2 s.
		if d := x.Sub(r3.V(0.3*h*steps, 0, -fall)).Norm(); d > 1e-8 {
			t.Errorf("θ %g: it is at %v, off by %g m", theta, x, d)
		}
		turned := b.Turn().Rotate(r3.V(1, 0, 0))
		if d := turned.Sub(r3.V(math.Cos(0.4), math.Sin(0.4), 0)).Norm(); d > 1e-6 {
			t.Errorf("θ %g: it is turned to %v, off by %g", theta, turned, d)
		}
	}
}

// A wheel that does not sit straight on its axle is put straight, however far it has turned about it.
func TestWheelIsPutStraight(t *testing.T) {
	for _, turned := range []float64{0, 1, 2, 3, 3.5, 5, 6} {
		opt := engine.DefaultOptions()
		opt.Gravity, opt.Workers = r3.Vec{}, 1
		w := must(engine.New(opt))
		start := r3.Rotation(r3.V(1, 0, 0), 0.01).Mul(r3.Rotation(r3.V(0, 0, 1), turned))
		wheel := brick(t, r3.V(0.1, 0.1, 0.02), 1000, start, r3.Vec{})
		if err := wheel.SetHold(body.Hold{Axes: r3.Identity(), Turn: [3]bool{true, true, false}}); err != nil {
			t.Fatal(err)
		}
		wheel.SetGuide(func(float64) r3.Pose { return r3.Still() })
		must(w.AddBody("wheel", wheel, make([]r3.Vec, 2), make([]r3.Vec, 2)))
		for range 5 {
			must(w.Step(0.01))
		}
		if up := wheel.Turn().Rotate(r3.V(0, 0, 1)); up.Z < 1-1e-12 {
			t.Errorf("turned by %g rad, its axle is along %v", turned, up)
		}
	}
}

// A body that a guide leads turns as far as it says, about axes that turn.
func TestGuidedBodyTurnsAsFarAsItsGuide(t *testing.T) {
	for _, theta := range []float64{0.5, 1} {
		opt := engine.DefaultOptions()
		opt.Theta, opt.Workers = theta, 1
		w := must(engine.New(opt))
		b := brick(t, r3.V(0.05, 0.1, 0.15), 1000, r3.NoRotation(), r3.Vec{})
		all := [3]bool{true, true, true}
		if err := b.SetHold(body.Hold{Axes: r3.Identity(), Move: all, Turn: all}); err != nil {
			t.Fatal(err)
		}
		guide := func(s float64) r3.Pose {
			return r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 3*s).Mul(r3.Rotation(r3.V(1, 0, 0), 2*s)), T: r3.V(s, 0, s*s)}
		}
		b.SetGuide(guide)
		id := must(w.AddBody("brick", b, make([]r3.Vec, 2), make([]r3.Vec, 2)))
		for range 50 {
			step(t, w, 5e-3)
			to := guide(w.Time())
			if off := b.Turn().Mul(to.R.Conj()).Vector().Norm(); off > 1e-9 {
				t.Fatalf("θ %g, %g s: it is turned %g rad off its guide", theta, w.Time(), off)
			}
			if off := w.BodyPositions(id)[0].Sub(to.T).Norm(); off > 1e-10 {
				t.Fatalf("θ %g, %g s: it is %g m off its guide", theta, w.Time(), off)
			}
		}
	}
}
