package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// insideCone returns a point of the cone whose distance from its boundary is the given share of its size.
func insideCone(random *rand.Rand, share float64) r3.Vec {
	angle, size := 2*math.Pi*random.Float64(), math.Pow(10, 4*random.Float64()-2)
	return r3.V(1, (1-share)*math.Cos(angle), (1-share)*math.Sin(angle)).Scale(size)
}

// The scaling takes z to x: W² z = x.
func TestMiddle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for k := range 1000 {
		share := math.Pow(10, -4*random.Float64())
		x, z := insideCone(random, share), insideCone(random, share)
		square, m := middleOf(x, z, determinant(x), determinant(z))
		allowed := 1e-13 / share // as many digits are lost as the determinants lose
		if d := determinant(m); math.Abs(d-1) > allowed*m.Norm2() {
			t.Fatalf("%d: the middle has the determinant %g", k, d)
		}
		got := m.Scale(2 * m.Dot(z)).Add(r3.V(-z.X, z.Y, z.Z)).Scale(square)
		if d := got.Sub(x).Norm(); d > allowed*m.Norm2()*x.Norm() {
			t.Fatalf("%d: W² z differs from x by %g of %g", k, d, x.Norm())
		}
	}
}

// On the way friction and slip are each other's inverses: x ∘ z = ν (1, 0, 0).
func TestSigma(t *testing.T) {
	for _, slip := range []float64{0, 1e-12, 1e-6, 1, 10} {
		for _, excess := range []float64{1e-14, 1e-7, 1e-3, 1} {
			s := sigma(excess, slip)
			if got := (s - slip) * (s + slip); math.Abs(got-excess*s) > 1e-15*s*s {
				t.Errorf("slip %g, excess %g: σ² - slip² is %g, want %g", slip, excess, got, excess*s)
			}
		}
	}
}

// The changes of a contact's impulse are the derivatives of the equations of the way: what is left of these after a
// step is of second order.
func TestStepsInsideAreNewtons(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	gauss := func(size float64) r3.Vec {
		return r3.V(random.NormFloat64(), random.NormFloat64(), random.NormFloat64()).Scale(size)
	}
	for k := range 200 {
		mu, nu := 0.1+random.Float64(), math.Pow(10, -4*random.Float64())
		r, y, u := 1+random.Float64(), 0.5+random.Float64(), gauss(0.3)
		x := r3.V(mu*r, 0, 0)
		s := sigma(nu/x.X, math.Hypot(u.Y, u.Z))
		x.Y, x.Z = -x.X*u.Y/s, -x.X*u.Z/s
		p := insidePart{on: true, mu: mu}
		p.firm = r3.Mat{XX: r / y}
		det := determinant(x)
		square, m := middleOf(x, r3.V(s, u.Y, u.Z), det, nu/x.X*s)
		p.rub(square, m)
		for _, h := range []float64{1e-3, 1e-4} {
			du := gauss(h * s)
			dr := p.resists(du).Neg()
			next := r3.V(x.X+mu*dr.X, x.Y+dr.Y, x.Z+dr.Z)
			v := u.Add(du)
			after := sigma(nu/next.X, math.Hypot(v.Y, v.Z))
			want := r3.V(0, -next.X*v.Y/after, -next.X*v.Z/after)
			if d := want.Sub(r3.V(0, next.Y, next.Z)).Norm(); d > 50*h*h*x.X*(1+s/y)*(1+s/y) {
				t.Fatalf("%d: a step of %g leaves %g of %g", k, h, d, x.X)
			}
		}
	}
}
