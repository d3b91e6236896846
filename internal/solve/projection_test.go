package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// L28, small: polar and exact disks have the same minimum, and both end.
func TestPolarAgainstExactDisks(t *testing.T) {
	exact, polar := Disks{}, Disks{Polar: true}
	for seed := range uint64(200) {
		p := problems.RandomDisks(seed)
		again := append([]r3.Vec(nil), p.R...)
		a, m, ok := exact.Solve(&p.Set, p.Mass, p.Q, p.R, p.Radius, 1e-10*p.Unit)
		b, n, round := polar.Solve(&p.Set, p.Mass, p.Q, again, p.Radius, 1e-10*p.Unit)
		if !ok || !round {
			t.Errorf("seed %d: exact %v after %d passes, polar %v after %d", seed, ok, m, round, n)
		}
		if !(math.Abs(a-b) <= 1e-8*math.Abs(a)) {
			t.Errorf("seed %d: %g and %g J", seed, a, b)
		}
		for c := range p.R {
			if size := math.Hypot(p.R[c].Y, p.R[c].Z); size > p.Radius[c]*(1+1e-12) {
				t.Fatalf("seed %d: friction %g on a disk of %g", seed, size, p.Radius[c])
			}
		}
	}
}

// The minimum over one disk against what it must obey: D y + h = -λ y with λ ≥ 0, and λ = 0 inside.
func TestDiskMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range 20000 {
		a, b := math.Pow(10, 6*rng.Float64()-3), math.Pow(10, 6*rng.Float64()-3)
		sin, cos := math.Sincos(7 * rng.Float64())
		d := [3]float64{a*cos*cos + b*sin*sin, (a - b) * sin * cos, a*sin*sin + b*cos*cos}
		h0, h1 := rng.NormFloat64(), rng.NormFloat64()
		radius := math.Pow(10, 8*rng.Float64()-5)
		y0, y1 := diskMinimum(d, h0, h1, radius)
		g0, g1 := d[0]*y0+d[1]*y1+h0, d[1]*y0+d[2]*y1+h1
		size := math.Hypot(y0, y1)
		along, across := (g0*y0+g1*y1)/size, (g0*y1-g1*y0)/size
		slack := 1e-11 * (math.Hypot(h0, h1) + (a+b)*size)
		inside := size < radius*(1-1e-14)
		if size > radius*(1+1e-15) || math.Abs(across) > slack || along > slack || inside && along < -slack {
			t.Fatalf("problem %d: ‖y‖ %g of %g, gradient %g along and %g across", k, size, radius, along, across)
		}
	}
}
