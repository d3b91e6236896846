package referee

import (
	"math"
	"testing"
)

// Hilbert's matrix of 10 rows has the condition 1.6e13; x = (1, -1, 1, ...) comes back to the last digits of what b,
// rounded, allows in doubles only if the arithmetic has more.
func TestSolveSPD(t *testing.T) {
	const n = 10
	// Numerators over the common denominator 232792560 = lcm(1..19) are whole, so that a and b are exact.
	const denominator = 232792560
	a, b := make([][]float64, n), make([]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
		for j := range a[i] {
			a[i][j] = float64(denominator / (i + j + 1))
			b[i] += a[i][j] * (1 - 2*float64(j%2))
		}
	}
	x, err := SolveSPD(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for j := range x {
		if want := 1 - 2*float64(j%2); math.Abs(x[j]-want) > 1e-15 {
			t.Errorf("x[%d] is %.17g, want %g", j, x[j], want)
		}
	}
	a[9][9] = -1
	if _, err := SolveSPD(a, b); err == nil {
		t.Error("a negative pivot was not noticed")
	}
}
