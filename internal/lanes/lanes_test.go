package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns numbers of all sizes and signs, some of them zero.
func random(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		if rng.IntN(8) > 0 {
			x[i] = rng.NormFloat64() * math.Exp2(float64(rng.IntN(40)-20))
		}
	}
	return x
}

func sameBits(t *testing.T, what string, a, b []float64) {
	t.Helper()
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			t.Fatalf("%s: number %d is %v, plain %v", what, i, a[i], b[i])
		}
	}
}

// TestLanesGiveTheBitsOfPlainGo for all lengths of rows and numbers of columns that fronts have.
func TestLanesGiveTheBitsOfPlainGo(t *testing.T) {
	if !wide {
		t.Skip("this processor has no vectors of four numbers, or the tests are built without")
	}
	rng := rand.New(rand.NewPCG(44, 1))
	for n := range 70 {
		xs, ls := n+rng.IntN(5), Width+rng.IntN(7)
		x, lt := random(rng, n*ls+3), random(rng, n*ls+Width)
		for cols := 3; cols <= Width; cols += 3 {
			var a, b [3 * Width]float64
			Sums(&a, x, lt, ls, n, cols)
			plainSums(&b, x, lt, ls, n, cols)
			for r := range 3 {
				sameBits(t, "sums", a[Width*r:][:cols], b[Width*r:][:cols])
			}
		}
		if n%3 == 0 {
			pivot := [6]float64(random(rng, 6))
			for rows := 3; rows <= Width; rows += 3 {
				xt, l := random(rng, (n+3)*ls+Width), random(rng, 2*xs+n+1)
				xp, l1, l2 := slices.Clone(xt), make([]float64, len(xt)), make([]float64, len(xt))
				Columns(xt, l1, ls, l, xs, n, rows, &pivot)
				plainColumns(xp, l2, ls, l, xs, n, rows, &pivot)
				for c := range n + 3 {
					sameBits(t, "columns", xt[c*ls:][:rows], xp[c*ls:][:rows])
					sameBits(t, "columns over pivots", l1[c*ls:][:rows], l2[c*ls:][:rows])
				}
			}
		}
		v := random(rng, n)
		l := random(rng, 3*xs+n)
		y := [4]float64(random(rng, 4))
		z := y
		Forward(&y, l, xs, v[:n-n%3])
		plainForward(&z, l, xs, v[:n-n%3])
		sameBits(t, "forward", y[:], z[:])
		w := slices.Clone(v)
		Back(v, l, xs, (*[3]float64)(y[:3]))
		plainBack(w, l, xs, (*[3]float64)(y[:3]))
		sameBits(t, "back", v, w)
		from := random(rng, n)
		Add(v, from)
		plainAdd(w, from)
		sameBits(t, "add", v, w)
	}
}

// TestSums compares with products that are added up one by one.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 2))
	const n, ls = 21, 14
	x, lt := random(rng, n*ls+3), random(rng, n*ls+Width)
	var s [3 * Width]float64
	Sums(&s, x, lt, ls, n, Width)
	for r := range 3 {
		for c := range Width {
			want := 0.0
			for p := range n {
				want += float64(x[p*ls+r] * lt[p*ls+c])
			}
			if got := s[Width*r+c]; got != want {
				t.Errorf("sum %d, %d is %v instead of %v", r, c, got, want)
			}
		}
	}
}

// reportRate reports the rate of so many operations in each turn.
func reportRate(b *testing.B, flops float64) {
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFlop/s")
}

func BenchmarkSums(b *testing.B) {
	rng := rand.New(rand.NewPCG(44, 3))
	const n, ls = 60, 96
	x, lt := random(rng, n*ls), random(rng, n*ls)
	var s [3 * Width]float64
	for b.Loop() {
		Sums(&s, x, lt, ls, n, Width)
	}
	reportRate(b, 2*3*Width*n)
}

func BenchmarkForward(b *testing.B) {
	rng := rand.New(rand.NewPCG(44, 4))
	const n = 60
	l, v := random(rng, 4*n), random(rng, n)
	var y [4]float64
	for b.Loop() {
		Forward(&y, l, n, v)
	}
	reportRate(b, 2*4*n)
}

func BenchmarkBack(b *testing.B) {
	rng := rand.New(rand.NewPCG(44, 5))
	const n = 60
	l, v := random(rng, 3*n), random(rng, n)
	var y [3]float64
	for b.Loop() {
		Back(v, l, n, &y)
	}
	reportRate(b, 2*3*n)
}
