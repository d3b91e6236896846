package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/referee"
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

// What obeys the law has a residual of zero to rounding, also where the impulse is many orders smaller than the
// velocity.
func TestCoulombResidualVanishesOnTheLaw(t *testing.T) {
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

// The law broken by e in each of its parts, with nothing else near: the residual is e or, where both the size and
// the share of friction can give, e over √(1+μ²) and no less. At any coefficient.
func TestCoulombResidualSeesEveryBreach(t *testing.T) {
	const e = 1e-6
	for _, mu := range []float64{1e-6, 1e-3, 0.4, 1.2} {
		cases := map[string][2]r3.Vec{
			"approach while apart":    {r3.V(-e, 1, 0), r3.Vec{}},
			"approach while pressed":  {r3.V(-e, 0, 0), r3.V(1, 0, 0)},
			"parting while pressed":   {r3.V(e, 0, 0), r3.V(1, 0, 0)},
			"pressed while parting":   {r3.V(1, 0, 0), r3.V(e, 0, 0)},
			"slip inside the cone":    {r3.V(0, e, 0), r3.V(1, 0, 0)},
			"slip along the friction": {r3.V(0, e, 0), r3.V(1, mu, 0)},
			"outside the cone":        {r3.Vec{}, r3.V(1, mu+e, 0)},
			"pulled":                  {r3.V(1, 0, 0), r3.V(-e, 0, 0)},
			"friction apart":          {r3.V(1, 0, 0), r3.V(0, e, 0)},
			"too much friction":       {r3.V(0, 1, 0), r3.V(1, -mu-e, 0)},
		}
		if mu > 10*e { // else friction is so small that it may be missing
			cases["slip across"] = [2]r3.Vec{r3.V(0, 0, e), r3.V(1, 0.2*mu, 0)}
			cases["too little friction"] = [2]r3.Vec{r3.V(0, 1, 0), r3.V(1, -mu+e, 0)}
			cases["friction off the motion"] = [2]r3.Vec{r3.V(0, 1, 0), r3.V(1, -mu, e)}
		}
		for name, c := range cases {
			least := e / math.Sqrt(1+mu*mu)
			if name == "slip inside the cone" || name == "slip across" {
				least = min(e, 0.8*mu/math.Sqrt(1+mu*mu)) // its friction is missing that much
			}
			if f := CoulombResidual(c[0], c[1], mu, 1); !(f >= 0.999*least && f <= 1.001*e) {
				t.Errorf("μ %g: %s by %g m/s: residual %.4g, not %.4g to %.4g", mu, name, e, f, least, e)
			}
		}
	}
	if f := CoulombResidual(r3.V(0, 1, 0), r3.V(1, e, 0), 0, 1); math.Abs(f-e) > 1e-9*e {
		t.Errorf("friction at mu 0: %.3g", f)
	}
	if f := CoulombResidual(r3.V(0, 1, 0), r3.V(-e, 0, 0), 0, 1); math.Abs(f-e) > 1e-9*e {
		t.Errorf("pull at mu 0: %.3g", f)
	}
	if f := CoulombResidual(r3.V(0, math.NaN(), 0), r3.V(1, 0, 0), 0.3, 1); !math.IsNaN(f) {
		t.Errorf("a velocity that is no number: %.3g", f)
	}
}

// The pair that NearestLawful returns obeys the law to rounding, by the Fischer-Burmeister function, which is written
// from the law in another way; it is as far as it says; and none of a thousand lawful pairs around is nearer than a
// third of that.
func TestNearestLawful(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	nearest := math.Inf(1)
	for range 2000 {
		mu, s := 1.2*rng.Float64(), math.Pow(10, 4*rng.Float64()-2)
		if rng.IntN(8) == 0 {
			mu = 0
		}
		u0, r0, _ := lawful(rng, mu)
		r0 = r0.Scale(1 / s)
		off := math.Pow(10, 2-8*rng.Float64())
		u, r := u0.AddScaled(off, gauss(rng)), r0.AddScaled(off/s, gauss(rng))
		u1, r1, far := NearestLawful(u, r, mu, s)
		scale := u.Norm() + s*r.Norm()
		if f := referee.FischerBurmeister(u1, r1, mu, s).Norm(); !(f <= 1e-15*scale) {
			t.Fatalf("μ %g, u %v, r %v: the nearest pair %v, %v is off the law by %g of %g", mu, u, r, u1, r1, f, scale)
		}
		if d := max(u1.Sub(u).Norm(), s*r1.Sub(r).Norm()); math.Abs(d-far) > 1e-14*scale {
			t.Fatalf("it is %g away and says %g", d, far)
		}
		for k := range 500 {
			spread := far * math.Pow(4, -float64(k%6))
			w, q, _ := NearestLawful(u1.AddScaled(spread, gauss(rng)), r1.AddScaled(spread/s, gauss(rng)), mu, s)
			nearest = min(nearest, max(w.Sub(u).Norm(), s*q.Sub(r).Norm())/far)
		}
		nearest = min(nearest, max(u0.Sub(u).Norm(), s*r0.Sub(r).Norm())/far)
	}
	t.Logf("nearest of the others: %.3f of the distance", nearest)
	if nearest < 1./3 {
		t.Errorf("a lawful pair is at %g of the distance of the nearest", nearest)
	}
}
