package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func newWorld(t *testing.T, m Material, gravity r3.Vec) *World {
	t.Helper()
	w, err := New(Options{Material: m, Gravity: gravity, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *World) mustStep(t *testing.T, h float64) Stats {
	t.Helper()
	s, err := w.Step(h)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// K17: in a hanging yarn the multipliers are the tension, which is the weight below.
func TestHangingYarn(t *testing.T) {
	m := Kaldor()
	m.Bend, m.Plastic = 0, 0
	const g, h, n, length = 9.81, 1e-4, 40, 0.4
	w := newWorld(t, m, r3.V(0, 0, -g))
	x := make([]r3.Vec, n+1)
	for i := range x {
		x[i] = r3.V(0, 0, -length*float64(i)/n)
	}
	must[int](t)(w.AddYarn(Yarn{Points: x}))
	if err := w.AddHold(Hold{Points: []int{0}}); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if s := w.mustStep(t, h); s.Stretch > 1e-5 {
			t.Fatalf("strain %g", s.Stretch)
		}
	}
	for i := range n {
		below := m.Density * length * (n - float64(i) - 0.5) / n
		if got, want := w.Tension(i), below*g; math.Abs(got-want) > 1e-6*w.Tension(0) {
			t.Errorf("tension %g N in segment %d, weight below %g N", got, i, want)
		}
	}
}

// K12: motion within a block that is not rigid ends in finite time, and both momenta of every block are kept.
func TestDampingStopsAndKeepsMomenta(t *testing.T) {
	m := Kaldor()
	m.Bend, m.Plastic, m.Contact = 0, 0, 0
	points := make([]r3.Vec, 64)
	for i := range points {
		a := float64(i)
		points[i] = r3.V(0.01*math.Cos(a), 0.01*math.Sin(1.3*a), 0.002*a)
	}
	d := newDamping(make([]int32, 64), &m)
	mass, inverse, v := make([]float64, 64), make([]float64, 64), make([]r3.Vec, 64)
	for i := range v {
		mass[i] = 6e-6 * (1 + 0.5*math.Sin(float64(i)))
		inverse[i] = 1 / mass[i]
		v[i] = r3.V(math.Sin(float64(7*i)), math.Cos(float64(3*i)), math.Sin(float64(5*i))) // about 1 m/s rms
	}
	momenta := func() (p, l r3.Vec) {
		for i := range v {
			p, l = p.AddScaled(mass[i], v[i]), l.AddScaled(mass[i], points[i].Cross(v[i]))
		}
		return p, l
	}
	p0, l0 := momenta()
	const h = 1.0 / 16200
	steps := 0
	for ; steps < 162000; steps++ {
		before := append([]r3.Vec(nil), v...)
		d.apply(nil, h, mass, inverse, points, v)
		same := true
		for i := range v {
			same = same && v[i].Sub(before[i]).Norm() < 1e-15
		}
		if same {
			break
		}
	}
	if steps == 162000 {
		t.Errorf("not at rest after 10 s")
	}
	p1, l1 := momenta()
	if e := p1.Sub(p0).Norm() / p0.Norm(); e > 1e-12 {
		t.Errorf("momentum changed by %g of itself", e)
	}
	if e := l1.Sub(l0).Norm() / l0.Norm(); e > 1e-12 {
		t.Errorf("angular momentum changed by %g of itself", e)
	}
	t.Logf("at rest after %.4f s", float64(steps)*h)
}

// A yarn on an inclined plane slides if and only if the slope is steeper than friction allows.
func TestYarnOnASlope(t *testing.T) {
	for _, c := range []struct {
		mu, slope float64
		slides    bool
	}{{0.3, 0.29, false}, {0.3, 0.31, true}} {
		m := Kaldor()
		m.Plastic = 0
		n := r3.V(-c.slope, 0, 1).Unit()
		down := r3.V(-1, 0, -c.slope).Unit()
		w := newWorld(t, m, r3.V(0, 0, -9.81))
		across := r3.V(0, 1, 0)
		x := make([]r3.Vec, 20)
		for i := range x {
			x[i] = n.Scale(m.Radius).AddScaled(3e-3*float64(i), across)
		}
		must[int](t)(w.AddYarn(Yarn{Points: x}))
		must[int](t)(w.AddObstacle(Obstacle{Shape: shape.Plane{Normal: n}, Place: r3.Still(), Friction: c.mu}))
		const h, steps = 1e-4, 2000
		for range steps {
			w.mustStep(t, h)
		}
		got := w.Positions()[10].Sub(x[10]).Dot(down)
		cos := 1 / math.Sqrt(1+c.slope*c.slope)
		want := 0.0
		if c.slides {
			accel := 9.81 * (c.slope - c.mu) * cos
			want = accel * h * h * steps * (steps + 1) / 2
		}
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("friction %g, slope %g: slid %g m, want %g", c.mu, c.slope, got, want)
		}
	}
}

// TestKeptShapeIsAtRest lays a bent yarn that keeps its shape: nothing moves it. A straight one in its place is moved.
func TestKeptShapeIsAtRest(t *testing.T) {
	var most [2]float64
	for k, keep := range []bool{true, false} {
		m := Kaldor()
		m.Plastic, m.Contact = 0, 0
		w := newWorld(t, m, r3.Vec{})
		x := make([]r3.Vec, 20)
		for i := range x {
			sin, cos := math.Sincos(0.3 * float64(i))
			x[i] = r3.V(0.01*cos, 0.01*sin, 1e-3*float64(i))
		}
		must[int](t)(w.AddYarn(Yarn{Points: x, Keep: keep}))
		w.mustStep(t, 1e-4)
		for i := range x {
			most[k] = max(most[k], w.Force(i).Norm())
		}
	}
	if !(most[0] < 1e-12*most[1]) {
		t.Errorf("forces of up to %g N, and %g N without a kept shape", most[0], most[1])
	}
}
