package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// Glue holds two points at their distance and keeps momentum, also between a light one and a heavy one; what is held does
// not move.
func TestGlueKeepsItsLength(t *testing.T) {
	inverse := []float64{1 / 2e-6, 1 / 7e-6, 0}
	for _, g := range []glue{{0, 1, 3e-3}, {1, 2, 1e-3}} {
		from := []r3.Vec{r3.V(0, 0, 0), r3.V(2e-3, 1e-3, -1e-3), r3.V(0, 5e-3, 0)}
		x := append([]r3.Vec(nil), from...)
		projectGlue([]glue{g}, inverse, x)
		if got := x[g.b].Sub(x[g.a]).Norm(); math.Abs(got-g.rest) > 1e-15 {
			t.Errorf("glue of %g m is %g m long", g.rest, got)
		}
		var momentum r3.Vec
		for i := range 2 {
			momentum = momentum.AddScaled(1/inverse[i], x[i].Sub(from[i]))
		}
		if inverse[g.b] > 0 && momentum.Norm() > 1e-22 {
			t.Errorf("momentum changed by %v", momentum)
		}
		if x[2] != from[2] {
			t.Error("a held point has moved")
		}
	}
}
