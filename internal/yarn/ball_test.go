package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// hair adds a yarn that is out of the way: a world needs one.
func hair(t *testing.T, w *World) {
	t.Helper()
	must[int](t)(w.AddYarn(Yarn{Points: []r3.Vec{{X: 9}, {X: 9.01}, {X: 9.02}}}))
}

// A ball that is set sliding on a plane slips for 2 v/(7 μ g) and then rolls at 5/7 of its speed (C14).
func TestBallSlipsThenRolls(t *testing.T) {
	const g, mu, speed, h = 9.81, 0.3, 1.0, 1e-4
	w := newWorld(t, Kaldor(), r3.V(0, 0, -g))
	hair(t, w)
	id := must[int](t)(w.AddBall(Ball{Radius: 0.02, Mass: 0.1, Center: r3.V(0, 0, 0.02), Velocity: r3.V(speed, 0, 0), Friction: mu}))
	must[int](t)(w.AddObstacle(Obstacle{Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still(), Friction: 1}))
	for w.Time() < 0.2 {
		w.mustStep(t, h)
		slip := 2 * speed / (7 * mu * g)
		v, spin := w.BallVelocity(id)
		want := max(5.0/7*speed, speed-mu*g*w.Time())
		if math.Abs(v.X-want) > 2*mu*g*h {
			t.Fatalf("at %.4f s its speed is %g m/s, want %g", w.Time(), v.X, want)
		}
		if rolls := v.X - spin.Y*0.02; w.Time() > slip+2*h && math.Abs(rolls) > 1e-9 {
			t.Fatalf("at %.4f s it slips by %g m/s", w.Time(), rolls)
		}
	}
}

// Balls that collide keep their momentum and come apart no more than without restitution, and a heap of them stands.
func TestBallsMeet(t *testing.T) {
	w := newWorld(t, Kaldor(), r3.Vec{})
	hair(t, w)
	a := must[int](t)(w.AddBall(Ball{Radius: 0.02, Mass: 0.1, Velocity: r3.V(1, 0, 0), Friction: 0.2}))
	b := must[int](t)(w.AddBall(Ball{Radius: 0.01, Mass: 0.3, Center: r3.V(0.05, 0, 0), Friction: 0.2}))
	for w.Time() < 0.1 {
		w.mustStep(t, 1e-4)
	}
	va, _ := w.BallVelocity(a)
	vb, _ := w.BallVelocity(b)
	if p := va.Scale(0.1).AddScaled(0.3, vb); math.Abs(p.X-0.1) > 1e-12 || math.Abs(va.X-vb.X) > 1e-9 {
		t.Errorf("velocities %v and %v after an impact without restitution", va, vb)
	}
	if gap := w.ObstaclePose(b).T.Sub(w.ObstaclePose(a).T).Norm() - 0.03; gap < -1e-12 {
		t.Errorf("they are %g m into each other", -gap)
	}
}

// A ball on a taut yarn: what the yarn feels, the ball feels.
func TestYarnCarriesABall(t *testing.T) {
	m := Kaldor()
	m.Plastic, m.DampRate = 0, 200
	const g, h, n, mass = 9.81, 1e-4, 40, 1e-3
	w := newWorld(t, m, r3.V(0, 0, -g))
	x := make([]r3.Vec, n+1)
	for i := range x {
		a := float64(i)/n - 0.5
		x[i] = r3.V(0.2*a, 0, 0.08*a*a)
	}
	must[int](t)(w.AddYarn(Yarn{Points: x}))
	if err := w.AddHold(Hold{Points: []int{0, n}}); err != nil {
		t.Fatal(err)
	}
	id := must[int](t)(w.AddBall(Ball{Radius: 0.01, Mass: mass, Center: r3.V(0, 0, 0.01+m.Radius), Friction: 0.3}))
	sum, steps := 0.0, 0
	for w.Time() < 1.5 {
		w.mustStep(t, h)
		if w.Time() > 1 {
			sum += w.Load(id).Force.Z
			steps++
		}
	}
	if weight := mass * g; math.Abs(sum/float64(steps)/weight-1) > 0.02 {
		t.Errorf("the ball feels %g N of the yarn, its weight is %g N", sum/float64(steps), weight)
	}
	if at := w.ObstaclePose(id).T; at.Norm() > 0.05 {
		t.Errorf("the ball has left: %v", at)
	}
}

// The distance to a ball is that to its surface where it is, negative inside.
func TestDistanceToAnObstacle(t *testing.T) {
	w := newWorld(t, Kaldor(), r3.Vec{})
	id, err := w.AddBall(Ball{Name: "ball", Center: r3.V(1, 0, 0), Radius: 0.5, Mass: 1})
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[float64]float64{0: 0.5, 0.75: -0.25, 2: 0.5} {
		if d := w.ObstacleDistance(id, r3.V(x, 0, 0)); d != want {
			t.Errorf("%g m from x = %g, want %g", d, x, want)
		}
	}
}
