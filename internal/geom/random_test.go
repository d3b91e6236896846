package geom

import (
	"math/rand/v2"

	"github.com/toile-sim/toile/r3"
)

func randomDirection(r *rand.Rand) r3.Vec {
	return r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
}

func symmetric(r *rand.Rand) float64 { return 2*r.Float64() - 1 }

func around(r *rand.Rand) r3.Vec { return r3.V(symmetric(r), symmetric(r), symmetric(r)).Scale(1.5) }

func slope(f Field, x, h r3.Vec) float64 {
	a, _ := f.Distance(x.Add(h))
	b, _ := f.Distance(x.Sub(h))
	return (a - b) / (2 * h.Norm())
}
