package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

func TestPathHoldsInterpolatesAndTurns(t *testing.T) {
	p := &engine.Path{Center: r3.V(1, 0, 0), Keys: []engine.Key{
		{At: 1},
		{At: 2, Translate: r3.V(0, 0, 2), Axis: r3.V(0, 0, 5), Angle: 2 * math.Pi},
		{At: 4, Translate: r3.V(0, 0, 2)},
	}}
	x := r3.V(2, 0, 0)
	for _, c := range []struct {
		t    float64
		want r3.Vec
	}{
		{0, x},
		{1, x},
		{1.25, r3.V(1, 1, 0.5)},
		{1.5, r3.V(0, 0, 1)},
		{2, r3.V(2, 0, 2)},
		{3, r3.V(0, 0, 2)},
		{9, r3.V(2, 0, 2)},
	} {
		if got := p.At(c.t).Apply(x); got.Sub(c.want).Norm() > 1e-14 {
			t.Errorf("at %g s: %v, want %v", c.t, got, c.want)
		}
	}
	p.Smooth = true
	if got := p.At(1.25).Apply(r3.V(1, 0, 0)).Z; math.Abs(got-2*0.15625) > 1e-15 {
		t.Errorf("a quarter of a soft start moves %g, want 0.3125", got)
	}
	// Opposite axes are one axis; different axes take the shorter way.
	q := &engine.Path{Keys: []engine.Key{{At: 0, Axis: r3.V(0, 0, -1), Angle: 1}, {At: 1, Axis: r3.V(0, 0, 1), Angle: 1}}}
	if got := q.At(0.5).Apply(x); got.Sub(x).Norm() > 1e-15 {
		t.Errorf("halfway between opposite turns: %v", got)
	}
	r := &engine.Path{Keys: []engine.Key{{At: 0, Axis: r3.V(1, 0, 0), Angle: 1}, {At: 1, Axis: r3.V(0, 1, 0), Angle: 1}}}
	for _, s := range []float64{0, 0.3, 1} {
		if got := r.At(s).R; math.Abs(got.Dot(got)-1) > 1e-15 {
			t.Errorf("rotation %v is not of unit length", got)
		}
	}
}
