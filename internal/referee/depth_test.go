package referee

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// Triangles beside a ball, a slab and a small ball that only their middles reach: the depth is known in closed form.
func TestDepthOnTriangle(t *testing.T) {
	const exact = 1e-6
	a, b, c := r3.V(-1, -1, 0), r3.V(1, -1, 0), r3.V(0, 2, 0)
	ball := func(at r3.Vec, radius float64) func(r3.Vec) float64 {
		return func(x r3.Vec) float64 { return x.Sub(at).Norm() - radius }
	}
	slab := func(x r3.Vec) float64 { return 0.01 + x.Z }
	for name, s := range map[string]struct {
		distance func(r3.Vec) float64
		want     float64
	}{
		"above a ball":       {ball(r3.V(0.1, 0.2, -1), 0.999), 0},
		"into a ball":        {ball(r3.V(0.1, 0.2, -1), 1.003), 0.003},
		"a ball at a corner": {ball(r3.V(0, 2.5, 0), 0.6), 0.1},
		"a ball in the face": {ball(r3.V(0.3, -0.4, 0.0001), 0.0005), 0.0004},
		"beside a slab":      {slab, 0},
	} {
		if got := DepthOnTriangle(s.distance, a, b, c, exact); !(math.Abs(got-s.want) <= exact) {
			t.Errorf("%s: %g deep, want %g", name, got, s.want)
		}
	}
}

// Against a grid of places, for balls anywhere.
func TestDepthOnTriangleAgainstPlaces(t *testing.T) {
	const exact, n = 1e-5, 60
	rng := rand.New(rand.NewPCG(3, 5))
	point := func() r3.Vec { return r3.V(rng.Float64(), rng.Float64(), rng.Float64()) }
	for range 50 {
		a, b, c, at, radius := point(), point(), point(), point(), 0.3*rng.Float64()
		distance := func(x r3.Vec) float64 { return x.Sub(at).Norm() - radius }
		got, deepest := DepthOnTriangle(distance, a, b, c, exact), 0.0
		for i := range n + 1 {
			for j := range n + 1 - i {
				u, v := float64(i)/n, float64(j)/n
				deepest = max(deepest, -distance(a.Scale(1-u-v).AddScaled(u, b).AddScaled(v, c)))
			}
		}
		spacing := max(a.Sub(b).Norm(), b.Sub(c).Norm(), c.Sub(a).Norm()) / n
		if got < deepest-exact || got > deepest+spacing {
			t.Errorf("%g deep, %g at the places tried", got, deepest)
		}
	}
}
