package solve

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// randomW returns a symmetric matrix with the given condition and largest eigenvalue.
func randomW(rng *rand.Rand, condition, size float64) r3.Mat {
	n := rotation(rng)
	middle := math.Pow(condition, -rng.Float64())
	var w r3.Mat
	w.AddOuter(size, n[0], n[0])
	w.AddOuter(size*middle, n[1], n[1])
	w.AddOuter(size/condition, n[2], n[2])
	return w
}

func rotation(rng *rand.Rand) [3]r3.Vec {
	for {
		a := gauss(rng).Unit()
		b := a.Cross(gauss(rng)).Unit()
		if a.Norm() > 0 && b.Norm() > 0 {
			return [3]r3.Vec{a, b, a.Cross(b)}
		}
	}
}

func gauss(rng *rand.Rand) r3.Vec {
	return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
}

// randomCoulomb draws problems of several kinds: free b, b that belongs to a moderate velocity, and
// b close to the boundaries of the cases.
func randomCoulomb(rng *rand.Rand) (w r3.Mat, b r3.Vec, mu float64, guess r3.Vec) {
	w = randomW(rng, math.Pow(10, 10*rng.Float64()), math.Pow(10, 6*rng.Float64()-4))
	mu = 1.2 * rng.Float64()
	if rng.IntN(50) == 0 {
		mu = 0
	}
	size := w.Trace() * math.Pow(10, 6*rng.Float64()-5)
	b = gauss(rng).Scale(size)
	switch rng.IntN(5) {
	case 0:
		b = w.MulVec(gauss(rng)).Scale(size / w.Trace())
	case 1: // near the cone
		t := math.Hypot(b.Y, b.Z)
		b.X = t / max(mu, 0.01) * (1 - math.Pow(10, -8*rng.Float64()))
	case 2: // a velocity that nearly slides, pushed in
		u := gauss(rng)
		u.X = 0
		b = w.MulVec(u).Scale(-size / w.Trace())
		b.X += 0.1 * size * rng.Float64()
	}
	switch rng.IntN(3) {
	case 0:
		guess = gauss(rng)
	case 1:
		guess = b.Neg()
	}
	return w, b, mu, guess
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
				w, b, mu, guess := randomCoulomb(rng)
				u, state, residual := SolveCoulomb(&w, b, mu, guess)
				count[state]++
				scale := u.Norm() + 3/w.Trace()*b.Norm()
				if !(residual <= 1e-14*scale) {
					t.Errorf("problem %d: residual %.3g of %.3g m/s", i, residual, scale)
				}
				all := enumerate(&w, b, mu)
				if all.stickBand < 1e-10 || all.liftBand < 1e-10 {
					continue
				}
				want := all.solutions[0]
				tolerance := scale * max(1e-10, 16*0x1p-53*want.gain*w.Trace())
				if miss := u.Sub(want.u).Norm(); state != want.state || !(miss <= tolerance) {
					t.Errorf("problem %d: %v %v, want %v; %.3g m/s off, tolerance %.3g", i, state, u, all.solutions, miss, tolerance)
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
		w, b, mu, guess := randomCoulomb(rng)
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
		w, b, mu, _ := randomCoulomb(rng)
		all := enumerate(&w, b, mu)
		if len(all.solutions) < 2 || all.stickBand < 1e-10 || all.liftBand < 1e-10 {
			continue
		}
		want := all.solutions[0]
		seen[[2]State{want.state, all.solutions[1].state}]++
		for _, other := range all.solutions {
			u, state, _ := SolveCoulomb(&w, b, mu, other.u)
			tolerance := (u.Norm() + 3/w.Trace()*b.Norm()) * max(1e-10, 16*0x1p-53*want.gain*w.Trace())
			if state != want.state || u.Sub(want.u).Norm() > tolerance {
				t.Fatalf("from %v: %v %v, want the first of %v", other.u, state, u, all.solutions)
			}
		}
	}
	for _, pair := range [][2]State{{Stick, TakeOff}, {Stick, Slide}, {TakeOff, Slide}, {Slide, Slide}} {
		if seen[pair] == 0 {
			t.Errorf("no problem had %v before %v: %v", pair[0], pair[1], seen)
		}
	}
}

// TestReferenceFindsEverySlide counts the slides of the reference against sign changes over the
// sliding angle. With u_T = ρ d, d⊥·(r_T) = 0 gives ρ or its absence, and the law along d is left:
//
//	F(θ) = (d⊥·H d)(d·b_T + μ b_N) - (d⊥·b_T)(d·H d + μ c·d) = 0.
func TestReferenceFindsEverySlide(t *testing.T) {
	const angles = 20_000
	rng := rand.New(rand.NewPCG(3, 9))
	several := 0
	for problem := range 400 {
		w := randomW(rng, 300, 3)
		b := gauss(rng)
		mu := 0.1 + 1.1*rng.Float64()
		if rng.IntN(2) == 0 {
			b = w.MulVec(r3.V(0.1*rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
		}
		slides := 0
		for _, s := range enumerate(&w, b, mu).solutions {
			if s.state == Slide {
				slides++
			}
		}
		if slides > 1 {
			several++
		}
		at := func(i float64) (f, rho, rn float64) {
			sin, cos := math.Sincos(2 * math.Pi * (i + 0.5) / angles)
			hx, hy := w.YY*cos+w.YZ*sin, w.YZ*cos+w.ZZ*sin
			side, along := cos*hy-sin*hx, cos*hx+sin*hy+mu*(w.XY*cos+w.XZ*sin)
			bside, balong := cos*b.Z-sin*b.Y, cos*b.Y+sin*b.Z+mu*b.X
			// Least squares over both equations, since each coefficient alone can vanish.
			rho = -(side*bside + along*balong) / (side*side + along*along)
			return side*balong - bside*along, rho, rho*(w.XY*cos+w.XZ*sin) + b.X
		}
		found := 0
		last, _, _ := at(-1)
		for i := range angles {
			f, rho, rn := at(float64(i))
			if f*last < 0 {
				lo, hi := float64(i-1), float64(i)
				for range 60 {
					if f, rho, rn = at((lo + hi) / 2); f*last > 0 {
						lo = (lo + hi) / 2
					} else {
						hi = (lo + hi) / 2
					}
				}
				if rho > 0 && rn > 0 {
					found++
				}
				f, _, _ = at(float64(i))
			}
			last = f
		}
		if found != slides {
			t.Errorf("problem %d: %d slides, the scan finds %d", problem, slides, found)
		}
	}
	if several == 0 {
		t.Error("no problem had several slides")
	}
}

// TestIsotropicFriction is A5b: one node pushed in 360 directions.
func TestIsotropicFriction(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	for _, w := range []r3.Mat{r3.Diagonal(2e-3), randomW(rng, 50, 1e-2)} {
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
		{"huge friction that wedges", r3.Mat{XX: 1, XY: -0.5, YX: -0.5, YY: 1, ZZ: 1}, r3.V(-1, 4, 0), 1e30, r3.Vec{}, Slide, r3.V(0, -2, 0)},
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
		w := randomW(rng, math.Pow(10, 9+5*rng.Float64()), 1)
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
