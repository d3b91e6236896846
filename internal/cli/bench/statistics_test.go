package bench

import (
	"math"
	"testing"
)

// TestExponent recovers the power of a power law.
func TestExponent(t *testing.T) {
	x := []float64{5e3, 2e4, 8e4, 3.2e5}
	y := make([]float64, len(x))
	for i := range x {
		y[i] = 3e-6 * math.Pow(x[i], 1.17)
	}
	if p := exponent(x, y); math.Abs(p-1.17) > 1e-12 {
		t.Errorf("exponent %g", p)
	}
}
