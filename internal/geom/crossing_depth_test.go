package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// A triangle that stands on another with its corner dips into it by what it was lowered, however both are turned, and
// two that are moved apart by their depth cross no more.
func TestTriangleDepth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 39))
	flat := [3]r3.Vec{{X: -1, Y: -1}, {X: 2, Y: -1}, {X: -1, Y: 2}}
	for range 1000 {
		depth := math.Pow(10, -2-10*rng.Float64())
		dips := [3]r3.Vec{{Z: -depth}, {X: 0.3 * rng.Float64(), Z: 5}, {Y: 0.3 * rng.Float64(), Z: 5}}
		pose := r3.Pose{R: r3.Rotation(r3.V(rng.Float64(), rng.Float64(), 1).Unit(), 6*rng.Float64()), T: r3.V(1, 2, 3)}
		a, b := flat, dips
		for k := range 3 {
			a[k], b[k] = pose.Apply(a[k]), pose.Apply(b[k])
		}
		if got := TriangleDepth(a, b); math.Abs(got-depth) > 1e-9*depth+1e-14 {
			t.Fatalf("it dips in by %g, not %g", got, depth)
		}
		if up := pose.R.Rotate(r3.V(0, 0, 1)); Triangles(a, b) {
			for k := range 3 {
				b[k] = b[k].AddScaled(depth+1e-13, up)
			}
			if Triangles(a, b) {
				t.Fatalf("moved out by %g, it still crosses", depth)
			}
		}
	}
}
