package referee

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of random programs, both answers come up, and their proofs hold.
func TestPositive(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 1))
	found := 0
	for range 500 {
		m, n := 1+rng.IntN(20), 1+rng.IntN(40)
		a, b := make([][]float64, m), make([]float64, m)
		for i := range a {
			a[i] = make([]float64, n)
			for j := range a[i] {
				a[i][j] = math.Round(4 * rng.NormFloat64()) // many ties
			}
			b[i] = rng.NormFloat64()
		}
		if rng.IntN(2) == 0 {
			x := make([]float64, n)
			for j := range x {
				x[j] = rng.Float64()
			}
			for i := range b {
				b[i] = dot(a[i], x)
			}
			if x, _ := Positive(a, b); x == nil {
				t.Error("a program with a solution is said to have none")
			}
		}
		x, y := Positive(a, b)
		if x != nil {
			found++
			for i := range b {
				if math.Abs(dot(a[i], x)-b[i]) > 1e-7 {
					t.Errorf("equation %d is off by %g", i, dot(a[i], x)-b[i])
				}
			}
			for _, v := range x {
				if v < -1e-9 {
					t.Errorf("a negative part %g", v)
				}
			}
			continue
		}
		if !(dot(y, b) > 0) {
			t.Errorf("no proof: yᵀb = %g", dot(y, b))
		}
		for j := range n {
			sum := 0.0
			for i := range a {
				sum += y[i] * a[i][j]
			}
			if sum > 1e-7 {
				t.Errorf("no proof: column %d has %g", j, sum)
			}
		}
	}
	if found < 100 || found > 450 {
		t.Errorf("%d of 500 have a solution", found)
	}
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
