package solve

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
)

func gauss(rng *rand.Rand) r3.Vec {
	return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
}

// coulombProblems is how many random problems C21 takes.
func coulombProblems() int {
	switch {
	case os.Getenv("TOILE_FULL") != "":
		return 10_000_000
	case testing.Short():
		return 10_000
	}
	return 100_000
}

// TestCoulombAgainstReference is C21: on random problems the answer is the solution that the rule
// selects among all those of the reference. The error allowed is 1e-10 of the data's velocity, and
// where the problem itself magnifies more, 16 roundings of the data times its gain.
func TestCoulombAgainstReference(t *testing.T) {
	const shards = 4
	for shard := range shards {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(21, uint64(shard)))
			var count [3]int
			for i := range coulombProblems() / shards {
				w, b, mu, guess := referee.RandomCoulomb(rng)
				u, state, residual := SolveCoulomb(&w, b, mu, guess)
				count[state]++
				scale := u.Norm() + 3/w.Trace()*b.Norm()
				if !(residual <= 1e-14*scale) {
					t.Errorf("problem %d: residual %.3g of %.3g m/s", i, residual, scale)
				}
				all := referee.Coulomb(&w, b, mu)
				if all.StickBand < 1e-10 || all.LiftBand < 1e-10 {
					continue
				}
				want := all.Solutions[0]
				tolerance := scale * max(1e-10, 16*0x1p-53*want.Gain*w.Trace())
				if miss := u.Sub(want.U).Norm(); state != State(want.Case) || !(miss <= tolerance) {
					t.Errorf(
						"problem %d: %v %v, want %v; %.3g m/s off, tolerance %.3g",
						i,
						state,
						u,
						all.Solutions,
						miss,
						tolerance,
					)
				}
			}
			for state, n := range count {
				if n < coulombProblems()/shards/20 {
					t.Errorf("only %d problems ended in %v", n, State(state))
				}
			}
		})
	}
}

// TestCoulombResidual takes twenty times as many problems as the reference can, and asks for the
// residual only.
func TestCoulombResidual(t *testing.T) {
	rng := rand.New(rand.NewPCG(99, 1))
	for i := range 20 * coulombProblems() {
		w, b, mu, guess := referee.RandomCoulomb(rng)
		u, state, residual := SolveCoulomb(&w, b, mu, guess)
		if scale := u.Norm() + 3/w.Trace()*b.Norm(); !(residual <= 1e-14*scale) {
			t.Fatalf("problem %d: %v, residual %.3g of %.3g m/s", i, state, residual, scale)
		}
	}
}

// TestCoulombSelectionRule looks at problems with several solutions only, from guesses that point at
// each of them.
func TestCoulombSelectionRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	seen := map[[2]State]int{}
	for range max(5_000, coulombProblems()/5) {
		w, b, mu, _ := referee.RandomCoulomb(rng)
		all := referee.Coulomb(&w, b, mu)
		if len(all.Solutions) < 2 || all.StickBand < 1e-10 || all.LiftBand < 1e-10 {
			continue
		}
		want := all.Solutions[0]
		seen[[2]State{State(want.Case), State(all.Solutions[1].Case)}]++
		for _, other := range all.Solutions {
			u, state, _ := SolveCoulomb(&w, b, mu, other.U)
			tolerance := (u.Norm() + 3/w.Trace()*b.Norm()) * max(1e-10, 16*0x1p-53*want.Gain*w.Trace())
			if state != State(want.Case) || u.Sub(want.U).Norm() > tolerance {
				t.Fatalf("from %v: %v %v, want the first of %v", other.U, state, u, all.Solutions)
			}
		}
	}
	for _, pair := range [][2]State{{Stick, TakeOff}, {Stick, Slide}, {TakeOff, Slide}, {Slide, Slide}} {
		if seen[pair] == 0 {
			t.Errorf("no problem had %v before %v: %v", pair[0], pair[1], seen)
		}
	}
}

// TestIsotropicFriction is A5b: one node pushed in 360 directions.
func TestIsotropicFriction(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	for _, w := range []r3.Mat{r3.Diagonal(2e-3), referee.RandomStiffness(rng, 50, 1e-2)} {
		for _, mu := range []float64{0.05, 0.1, 0.3, 0.6, 0.9, 1.2} {
			p := NewCoulomb(&w, mu)
			low, high := math.Inf(1), 0.0
			for degree := range 360 {
				sin, cos := math.Sincos(float64(degree) * math.Pi / 180)
				push := 40 * w.Trace()
				b := r3.V(w.Trace(), -push*cos, -push*sin)
				u, state := p.Solve(b, r3.Vec{})
				r := p.Impulse(u, b, state)
				if r.X <= 0 || state != Slide {
					continue // the push lifts the node off a coupled w
				}
				ratio := math.Hypot(r.Y, r.Z) / (mu * r.X)
				low, high = min(low, ratio), max(high, ratio)
				if angle := math.Atan2(u.Y*r.Z-u.Z*r.Y, -(u.Y*r.Y + u.Z*r.Z)); !(math.Abs(angle) <= 1e-7) {
					t.Errorf("mu %g, %d°: impulse %.3g rad off the motion", mu, degree, angle)
				}
				if angle := math.Atan2(cos*u.Z-sin*u.Y, cos*u.Y+sin*u.Z); w.XY == 0 && !(math.Abs(angle) <= 1e-7) {
					t.Errorf("mu %g, %d°: motion %.3g rad off the push", mu, degree, angle)
				}
			}
			if !(high-low <= 1e-9 && math.Abs(high-1) <= 1e-9) {
				t.Errorf("mu %g: ‖r_T‖/(μ r_N) from %.12f to %.12f", mu, low, high)
			}
		}
	}
}

func TestCoulombCases(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	unit := r3.Identity()
	cases := []struct {
		name  string
		w     r3.Mat
		b     r3.Vec
		mu    float64
		guess r3.Vec
		state State
		u     r3.Vec
	}{
		{"no load", unit, r3.Vec{}, 0.3, r3.V(1, 2, 3), Stick, r3.Vec{}},
		{"no load, no friction", unit, r3.Vec{}, 0, r3.Vec{}, Stick, r3.Vec{}},
		{"on the cone", unit, r3.V(1, 0.3, 0.4), 0.5, r3.Vec{}, Stick, r3.Vec{}},
		{"pressed without friction", unit, r3.V(1, 0, 0), 0, r3.Vec{}, Stick, r3.Vec{}},
		{"pulled without friction", unit, r3.V(-1, 0, 0), 0, r3.Vec{}, TakeOff, r3.V(1, 0, 0)},
		{"slide without friction", unit, r3.V(1, 3, -4), 0, r3.Vec{}, Slide, r3.V(0, -3, 4)},
		{"slide", unit, r3.V(1, 3, -4), 0.5, r3.Vec{}, Slide, r3.V(0, -2.7, 3.6)},
		{"slide, opposite guess", unit, r3.V(1, 3, -4), 0.5, r3.V(0, 3, -4), Slide, r3.V(0, -2.7, 3.6)},
		{"slide, guess not a number", unit, r3.V(1, 3, -4), 0.5, r3.V(nan, nan, inf), Slide, r3.V(0, -2.7, 3.6)},
		{"take-off", unit, r3.V(-1, 3, -4), 0.5, r3.Vec{}, TakeOff, r3.V(1, -3, 4)},
		{"grazing", unit, r3.V(0, 3, -4), 0.5, r3.Vec{}, TakeOff, r3.V(0, -3, 4)},
		{"huge friction", unit, r3.V(1, 3, -4), 1e30, r3.Vec{}, Stick, r3.Vec{}},
		{"tiny friction", unit, r3.V(1, 3, -4), 1e-300, r3.Vec{}, Slide, r3.V(0, -3, 4)},
		{"tiny load", unit, r3.V(1e-300, 3e-300, -4e-300), 0.5, r3.Vec{}, Slide, r3.V(0, -2.7e-300, 3.6e-300)},
		{"huge load", unit, r3.V(1e300, 3e300, -4e300), 0.5, r3.Vec{}, Slide, r3.V(0, -2.7e300, 3.6e300)},
		{"light node", r3.Diagonal(1e-200), r3.V(1e-200, 3e-200, -4e-200), 0.5, r3.Vec{}, Slide, r3.V(0, -2.7, 3.6)},
		{
			"huge friction that wedges",
			r3.Mat{XX: 1, XY: -0.5, YX: -0.5, YY: 1, ZZ: 1},
			r3.V(-1, 4, 0),
			1e30,
			r3.Vec{},
			Slide,
			r3.V(0, -2, 0),
		},
	}
	for _, c := range cases {
		u, state, residual := SolveCoulomb(&c.w, c.b, c.mu, c.guess)
		scale := max(c.u.Norm(), 3/c.w.Trace()*c.b.MaxAbs())
		if state != c.state || !(u.Sub(c.u).MaxAbs() <= 1e-15*scale) || !(residual <= 1e-15*scale*max(1, c.mu)) {
			t.Errorf("%s: %v %v, residual %.3g; want %v %v", c.name, state, u, residual, c.state, c.u)
		}
	}
}

// TestCoulombBadInput wants every argument that makes no sense reported by an infinite residual.
func TestCoulombBadInput(t *testing.T) {
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	expect := func(name string, w r3.Mat, b r3.Vec, mu float64) {
		t.Helper()
		u, _, residual := SolveCoulomb(&w, b, mu, r3.Vec{})
		if !math.IsInf(residual, 1) || u != (r3.Vec{}) {
			t.Errorf("%s: u %v, residual %v; want 0 and infinity", name, u, residual)
		}
	}
	for _, x := range bad {
		expect("b normal", r3.Identity(), r3.V(x, 1, 1), 0.3)
		expect("b tangent", r3.Identity(), r3.V(1, 1, x), 0.3)
		expect("mu", r3.Identity(), r3.V(1, 1, 1), x)
		expect("w", r3.Mat{XX: 1, XY: x, YY: 1, ZZ: 1}, r3.V(1, 1, 1), 0.3)
		expect("w diagonal", r3.Mat{XX: x, YY: 1, ZZ: 1}, r3.V(1, 1, 1), 0.3)
	}
	expect("negative mu", r3.Identity(), r3.V(1, 1, 1), -0.1)
	expect("zero w", r3.Mat{}, r3.V(1, 1, 1), 0.3)
	expect("negative w", r3.Diagonal(-1), r3.V(1, 1, 1), 0.3)
}

// TestCoulombNearlySingular keeps the residual at rounding while the condition of W grows to the
// end of double precision, where u itself is no longer determined.
func TestCoulombNearlySingular(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 20_000 {
		w := referee.RandomStiffness(rng, math.Pow(10, 9+5*rng.Float64()), 1)
		b := gauss(rng)
		if rng.IntN(2) == 0 {
			b = w.MulVec(gauss(rng))
		}
		u, state, residual := SolveCoulomb(&w, b, 1.2*rng.Float64(), r3.Vec{})
		if scale := u.Norm() + 3/w.Trace()*b.Norm(); !(residual <= 1e-14*scale) {
			t.Fatalf("%v with residual %.3g of %.3g m/s", state, residual, scale)
		}
	}
}
