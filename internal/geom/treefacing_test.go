package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// TestNearestAgainst compares with a search through all primitives.
func TestNearestAgainst(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	vec := func() r3.Vec { return r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5) }
	boxes, normal := make([]r3.Box, 5000), make([]r3.Vec, 5000) // several tasks
	for i := range boxes {
		p := vec()
		boxes[i] = r3.Box{Min: p, Max: p}
		normal[i] = r3.V(0, 0, 1).AddScaled(0.5*float64(i%7), vec()) // most face up
	}
	tree := NewTree(boxes)
	var f Facing
	f.Update(par.New(2), tree, normal)
	asked := 0
	for range 200 {
		x, n := vec(), r3.V(0, 0, 1).Add(vec())
		dist2 := func(i int32) float64 {
			asked++
			if normal[i].Dot(n) >= 0 {
				return math.NaN()
			}
			return boxes[i].Min.Sub(x).Norm2()
		}
		got, d2 := tree.NearestAgainst(x, 0.3, &f, n, dist2)
		want, least := int32(-1), 0.3*0.3
		for i := range int32(len(boxes)) {
			if d := dist2(i); d < least {
				want, least = i, d
			}
		}
		if got != want ||
			want >= 0 && math.Abs(d2-least) > 1e-14*least { // the compiler may fuse the one and not the other
			t.Fatalf("found %d at %g, not %d at %g", got, d2, want, least)
		}
	}
	if asked > 200*len(boxes)*3/2 {
		t.Errorf("asked for %d distances: nothing was passed over", asked)
	}
}
