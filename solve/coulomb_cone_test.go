package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// lawful returns a velocity and an impulse [m/s, as if scaled] that obey the law, by construction.
func lawful(rng *rand.Rand, mu float64) (u, r r3.Vec, state State) {
	size := func() float64 { return math.Pow(10, 4-10*rng.Float64()) }
	sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
	switch state = State(rng.IntN(3)); state {
	case TakeOff:
		u = gauss(rng).Scale(size())
		u.X = math.Abs(u.X) * size()
	case Stick:
		r.X = size()
		r.Y, r.Z = mu*r.X*rng.Float64()*cos, mu*r.X*rng.Float64()*sin
		if math.Hypot(r.Y, r.Z) > mu*r.X {
			r.Y, r.Z = 0, 0
		}
	case Slide:
		v := size()
		r.X = size()
		u.Y, u.Z = v*cos, v*sin
		r.Y, r.Z = -mu*r.X*cos, -mu*r.X*sin
	}
	return u, r, state
}

// TestFischerBurmeisterVanishesOnTheLaw wants zero to rounding, also where the impulse is many
// orders smaller than the velocity, and the distance to the law elsewhere.
func TestFischerBurmeisterVanishesOnTheLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 20_000 {
		mu, s := 1.2*rng.Float64(), math.Pow(10, 6*rng.Float64()-2)
		if rng.IntN(10) == 0 {
			mu = 0
		}
		u, r, state := lawful(rng, mu)
		scale := u.Norm() + r.Norm()
		r = r.Scale(1 / s)
		if f := CoulombResidual(u, r, mu, s); !(f <= 1e-15*scale) {
			t.Fatalf("%v with mu %g, u %v, r %v: residual %.3g of %.3g", state, mu, u, r, f, scale)
		}
	}
}

// TestFischerBurmeisterSeesEveryBreach breaks the law by a small amount in each of its parts. The
// residual must be of that size: at least a tenth of μ times it, at most three times.
func TestFischerBurmeisterSeesEveryBreach(t *testing.T) {
	const e = 1e-6
	const mu = 0.4
	cases := map[string][2]r3.Vec{
		"approach while apart":    {r3.V(-e, 1, 0), r3.Vec{}},
		"approach while pressed":  {r3.V(-e, 0, 0), r3.V(1, 0, 0)},
		"parting while pressed":   {r3.V(e, 0, 0), r3.V(1, 0, 0)},
		"slip inside the cone":    {r3.V(0, e, 0), r3.V(1, 0, 0)},
		"slip across":             {r3.V(0, 0, e), r3.V(1, 0.2, 0)},
		"outside the cone":        {r3.Vec{}, r3.V(1, mu+e, 0)},
		"pulled":                  {r3.V(1, 0, 0), r3.V(-e, 0, 0)},
		"friction apart":          {r3.V(1, 0, 0), r3.V(0, e, 0)},
		"too little friction":     {r3.V(0, 1, 0), r3.V(1, -mu+e, 0)},
		"too much friction":       {r3.V(0, 1, 0), r3.V(1, -mu-e, 0)},
		"friction off the motion": {r3.V(0, 1, 0), r3.V(1, -mu, e)},
	}
	for name, c := range cases {
		if f := CoulombResidual(c[0], c[1], mu, 1); !(f >= 0.1*mu*e && f <= 3*e) {
			t.Errorf("%s by %g m/s: residual %.3g", name, e, f)
		}
	}
	if f := CoulombResidual(r3.V(0, e, 0), r3.V(1, 0, 0), 1e-4, 1); !(f >= 0.99*e) {
		t.Errorf("slip at small friction hidden: %.3g", f)
	}
	if f := CoulombResidual(r3.V(0, 1, 0), r3.V(1, e, 0), 0, 1); !(f >= 0.99*e) {
		t.Errorf("friction at mu 0 hidden: %.3g", f)
	}
}

func TestFischerBurmeisterJacobian(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	column := func(m *r3.Mat, i int) r3.Vec {
		e := [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
		return m.MulVec(e[i])
	}
	for range 2_000 {
		mu, s := 0.05+1.2*rng.Float64(), 0.5+3*rng.Float64()
		if rng.IntN(10) == 0 {
			mu = 0
		}
		u, r := gauss(rng), gauss(rng)
		f, du, dr := FischerBurmeisterJacobian(u, r, mu, s)
		if f.Sub(FischerBurmeister(u, r, mu, s)).Norm() > 1e-15 {
			t.Fatalf("f differs from FischerBurmeister by %v", f.Sub(FischerBurmeister(u, r, mu, s)))
		}
		// Second differences bound the error of central ones, which falls with h² down to rounding.
		for _, h := range []float64{1e-4, 1e-5} {
			for i := range 3 {
				step := [3]r3.Vec{{X: h}, {Y: h}, {Z: h}}[i]
				diff := func(g func(r3.Vec) r3.Vec) r3.Vec { return g(step).Sub(g(step.Neg())).Scale(0.5 / h) }
				byU := diff(func(d r3.Vec) r3.Vec { return FischerBurmeister(u.Add(d), r, mu, s) })
				byR := diff(func(d r3.Vec) r3.Vec { return FischerBurmeister(u, r.Add(d), mu, s) })
				// The function bends over the length of u_T and of its smaller eigenvalue.
				bend := math.Hypot(u.Y, u.Z)
				if mu > 0 {
					x, y := hats(u, r.Scale(s), mu)
					_, minus, _, _ := rootOfSquares(x, y)
					bend = min(bend, minus)
				} else {
					bend = math.Hypot(u.X, s*r.X)
				}
				tolerance := 1e-10/h*1e-5 + 20*s*s*s*h*h/(bend*bend)
				if bend < 100*h {
					continue
				}
				if miss := byU.Sub(column(&du, i)).Norm(); miss > tolerance {
					t.Fatalf("∂f/∂u column %d at h %g: off by %.3g, tolerance %.3g (mu %g, u %v, r %v)", i, h, miss, tolerance, mu, u, r)
				}
				if miss := byR.Sub(column(&dr, i)).Norm(); miss > tolerance {
					t.Fatalf("∂f/∂r column %d at h %g: off by %.3g, tolerance %.3g (mu %g, u %v, r %v)", i, h, miss, tolerance, mu, u, r)
				}
			}
		}
	}
}

// TestFischerBurmeisterJacobianStaysFinite goes to the points where the function has corners.
func TestFischerBurmeisterJacobianStaysFinite(t *testing.T) {
	for _, mu := range []float64{0, 0.3, 1} {
		for _, u := range []r3.Vec{{}, {X: 1}, {Y: 1}, {X: 0.3, Y: -1}} {
			for _, r := range []r3.Vec{{}, {X: 1}, {X: 1, Y: mu}, {X: 1, Y: -mu}} {
				f, du, dr := FischerBurmeisterJacobian(u, r, mu, 2)
				if !f.Finite() || du.MaxAbs() > 10 || dr.MaxAbs() > 20 || !du.Finite() || !dr.Finite() {
					t.Errorf("mu %g, u %v, r %v: %v %v %v", mu, u, r, f, du, dr)
				}
			}
		}
	}
}
