package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
)

// sweepProblems returns problems as a sweep over cloth meets them, with W of moderate condition,
// and for each the answer of a slightly different b as the guess.
func sweepProblems(keep func(State) bool) (w []r3.Mat, b, guess []r3.Vec) {
	rng := rand.New(rand.NewPCG(1, 1))
	for len(w) < 1024 {
		m := referee.RandomStiffness(rng, math.Pow(10, 2*rng.Float64()), 1e-3)
		f := gauss(rng).Scale(1e-3)
		f.X = math.Abs(f.X)
		u, state, _ := SolveCoulomb(&m, f, 0.4, r3.Vec{})
		if !keep(state) {
			continue
		}
		w, b, guess = append(w, m), append(b, f.AddScaled(1e-6, gauss(rng))), append(guess, u)
	}
	return w, b, guess
}

func BenchmarkCoulomb(bench *testing.B) {
	kinds := []struct {
		name string
		keep func(State) bool
	}{
		{"mixed", func(State) bool { return true }},
		{"take-off", func(s State) bool { return s == TakeOff }},
		{"stick", func(s State) bool { return s == Stick }},
		{"slide", func(s State) bool { return s == Slide }},
	}
	for _, kind := range kinds {
		w, b, guess := sweepProblems(kind.keep)
		prepared := make([]Coulomb, len(w))
		for i := range w {
			prepared[i] = NewCoulomb(&w[i], 0.4)
		}
		bench.Run(kind.name+"/all", func(bench *testing.B) {
			bench.ReportAllocs()
			for i := range bench.N {
				SolveCoulomb(&w[i&1023], b[i&1023], 0.4, guess[i&1023])
			}
		})
		bench.Run(kind.name+"/prepared", func(bench *testing.B) {
			bench.ReportAllocs()
			for i := range bench.N {
				prepared[i&1023].Solve(b[i&1023], guess[i&1023])
			}
		})
		bench.Run(kind.name+"/prepared-cold", func(bench *testing.B) {
			for i := range bench.N {
				prepared[i&1023].Solve(b[i&1023], r3.Vec{})
			}
		})
	}
}

func TestCoulombAllocatesNothing(t *testing.T) {
	w, b, guess := sweepProblems(func(State) bool { return true })
	if n := testing.AllocsPerRun(10, func() {
		for i := range w {
			SolveCoulomb(&w[i], b[i], 0.4, guess[i])
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzCoulomb wants a finite answer whose residual is at rounding whenever W is well inside the
// positive definite matrices, and no surprise otherwise.
func FuzzCoulomb(f *testing.F) {
	f.Add(1.0, 0.1, 0.0, 2.0, 0.3, 1.0, 1.0, 3.0, -4.0, 0.5, 0.0, 0.0)
	f.Add(1.0, 0.9, 0.0, 1.0, 0.0, 1.0, -1.0, 3.0, 0.0, 1.2, 1.0, 0.0)
	f.Add(1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.3, 0.4, 0.5, 0.0, 1.0)
	f.Add(1e-8, 0.0, 0.0, 1.0, 0.0, 1e-8, 1e-300, 1e-300, 0.0, 0.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, a, c1, c2, h11, h12, h22, bn, b1, b2, mu, g1, g2 float64) {
		// W = L Lᵀ + 1e-12 tr, from the numbers as a triangle.
		l := r3.Mat{XX: a, YX: c1, YY: h11, ZX: c2, ZY: h12, ZZ: h22}
		lt := l.T()
		w := l.Mul(&lt)
		w.AddDiagonal(1e-12 * w.Trace())
		b := r3.V(bn, b1, b2)
		u, state, residual := SolveCoulomb(&w, b, mu, r3.V(0, g1, g2))
		scale := u.Norm() + 3/w.Trace()*b.Norm()
		trace := w.Trace()
		if !u.Finite() && residual <= math.MaxFloat64 {
			t.Fatal(fmt.Sprint("not finite and not reported: ", u))
		}
		sane := trace > 1e-100 && trace < 1e100 && b.MaxAbs() < 1e100 && (b.MaxAbs() > 1e-100 || b == r3.Vec{})
		if sane && mu >= 0 && mu < 10 && !(residual <= 1e-13*scale) {
			t.Fatalf("%v %v, residual %.3g of %.3g m/s", state, u, residual, scale)
		}
	})
}
