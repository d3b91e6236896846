package referee

import (
	"math"
	"testing"
)

// TestHangingRodUpright holds the referee to Greenhill's weight: a straight rod that stands on its clamp falls over at
// Γ = 9/4 j², with j = 1.866351 the first zero of the Bessel function of order -1/3.
func TestHangingRodUpright(t *testing.T) {
	from := HangingRod{Twist: 0.7, Clamp: math.Pi}
	to := from
	to.Weight = 10
	share, _ := Follow(from, to)
	const j = 1.8663508
	if want := 9.0 / 4 * j * j; math.Abs(10*share-want) > 1e-5 {
		t.Errorf("it falls over at %.7f, not at %.7f", 10*share, want)
	}
}

// TestHangingRodLevel bends a level rod by a little weight: its end is lower by Γ/8.
func TestHangingRodLevel(t *testing.T) {
	const weight = 1e-3
	r := HangingRod{Weight: weight, Twist: 1, Clamp: math.Pi / 2}
	shape, ok := r.Planar(math.Pi / 2)
	if !ok || math.Abs(shape.Down-weight/8) > weight*weight || math.Abs(shape.Right-1) > weight*weight {
		t.Errorf("the end is %.8f lower and %.8f to the side, found %v", shape.Down, shape.Right, ok)
	}
}

// TestHangingRodWithoutWeight is an arc, stable at any length.
func TestHangingRodWithoutWeight(t *testing.T) {
	for _, curvature := range []float64{0, 1, 7, 20} {
		r := HangingRod{Curvature: curvature, Twist: 0.3}
		shape, ok := r.Planar(curvature)
		if !ok || math.Abs(shape.Determinant-1) > 1e-5 {
			t.Errorf("κ₀ L = %g: determinant %g, found %v", curvature, shape.Determinant, ok)
		}
	}
}

// TestHangingRodBothWays comes to the same place of the boundary along the curvature, from a straight rod, and along
// the weight, from an arc.
func TestHangingRodBothWays(t *testing.T) {
	share, _ := Follow(HangingRod{Weight: 16, Twist: 0.5}, HangingRod{Weight: 16, Twist: 0.5, Curvature: 8})
	curvature := 8 * share
	share, _ = Follow(HangingRod{Twist: 0.5, Curvature: curvature}, HangingRod{Weight: 20, Twist: 0.5, Curvature: curvature})
	if math.Abs(20*share-16) > 1e-3 {
		t.Errorf("it is left at κ₀ L = %g for Γ = 16, and at Γ = %g for that curvature", curvature, 20*share)
	}
}
