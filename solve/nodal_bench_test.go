package solve

import (
	"fmt"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// BenchmarkNodal solves generated sheets from a cold start to 1e-8 m/s. Plain is Gauss-Seidel alone, capped at 2,000 sweeps.
func BenchmarkNodal(b *testing.B) {
	for _, n := range []int{22, 70, 141} {
		for _, stretch := range []float64{50, 400, 2000} {
			for _, kind := range []string{"rest", "slide", "ball", "pair", "pile", "heap"} {
				var p *touchingProblem
				const mu = 0.3
				switch kind {
				case "rest":
					p = onPlane(n, stretch, mu, r3.Vec{}, 0.002)
				case "slide":
					p = onPlane(n, stretch, mu, r3.V(0.5, 0.2, 0), 0.01)
				case "ball":
					p = onBall(n, stretch, mu)
				case "pair":
					p = inLayers(n, 2, stretch, mu, false)
				case "pile":
					p = inLayers(n, 3, stretch, mu, true)
				case "heap":
					p = irregularPile(n, stretch, mu)
				}
				for _, workers := range []int{1, 2} {
					b.Run(fmt.Sprintf("%s/stretch=%g/contacts=%d/workers=%d", kind, stretch, p.set.Len(), workers), func(b *testing.B) {
						s := DefaultNodal()
						s.Team = par.New(workers)
						benchmarkNodal(b, &s, p)
					})
				}
				if n < 100 {
					b.Run(fmt.Sprintf("%s/stretch=%g/contacts=%d/plain", kind, stretch, p.set.Len()), func(b *testing.B) {
						s := DefaultNodal()
						s.MaxNewton, s.SweepsBetween = 0, 5
						benchmarkNodal(b, &s, p)
					})
				}
			}
		}
	}
}

func benchmarkNodal(b *testing.B, s *Nodal, p *touchingProblem) {
	var out Contacts
	solve := func() {
		out.Resize(p.a.N, p.set.Len())
		clear(out.V)
		s.Solve(p.a, p.b, p.fixed, &p.set, &out)
	}
	solve()
	for b.Loop() {
		solve()
	}
	b.ReportMetric(float64(out.Sweeps), "sweeps")
	b.ReportMetric(float64(out.Newton), "steps")
	b.ReportMetric(float64(out.Linear), "linear")
	b.ReportMetric(out.Residual.Worst(), "m/s")
}
