package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// insideCone returns a point of the cone whose distance from its boundary is the given share of its size.
func insideCone(random *rand.Rand, share float64) r3.Vec {
	angle, size := 2*math.Pi*random.Float64(), math.Pow(10, 4*random.Float64()-2)
	return r3.V(1, (1-share)*math.Cos(angle), (1-share)*math.Sin(angle)).Scale(size)
}

func TestScaling(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for k := range 1000 {
		share := math.Pow(10, -4*random.Float64())
		x, z := insideCone(random, share), insideCone(random, share)
		w, back := scaling(x, z)
		lambda := w.MulVec(z)
		// The scaling stretches by the square root of the share, whose square is the number of digits that are lost.
		allowed := 1e-13 / share
		if d := back.MulVec(x).Sub(lambda).Norm(); d > allowed*lambda.Norm() {
			t.Fatalf("%d: W z and W⁻¹ x differ by %g of %g", k, d, lambda.Norm())
		}
		one := w.Mul(&back)
		one.AddDiagonal(-1)
		if one.MaxAbs() > allowed {
			t.Fatalf("%d: W W⁻¹ is off by %g", k, one.MaxAbs())
		}
		if d := jordan(lambda, divide(z, lambda)).Sub(z).Norm(); d > allowed*z.Norm() {
			t.Fatalf("%d: λ ∘ (λ \\ z) is off by %g", k, d)
		}
	}
}

func TestWayOut(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	inside := func(x r3.Vec) bool { return x.X >= math.Hypot(x.Y, x.Z) }
	for k := range 10000 {
		x := insideCone(random, math.Pow(10, -6*random.Float64()))
		d := r3.V(random.NormFloat64(), random.NormFloat64(), random.NormFloat64()).Scale(x.Norm())
		end := wayOut(x, d)
		if math.IsInf(end, 1) {
			if far := x.AddScaled(1e6, d); !inside(far) {
				t.Fatalf("%d: from %v along %v there is no end, but %v is outside", k, x, d, far)
			}
			continue
		}
		if before := x.AddScaled(end*(1-1e-9), d); !inside(before) {
			t.Fatalf("%d: from %v along %v the way ends at %g, but %v is outside", k, x, d, end, before)
		}
		if after := x.AddScaled(end*(1+1e-6)+1e-12, d); inside(after) {
			t.Fatalf("%d: from %v along %v the way ends at %g, but %v is inside", k, x, d, end, after)
		}
	}
}
