package solve

import (
	"fmt"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// BenchmarkNodal solves generated sheets from a cold start to 1e-8 m/s. Plain is Gauss-Seidel alone, capped at 2,000
// sweeps.
func BenchmarkNodal(b *testing.B) {
	for _, n := range []int{22, 70, 141} {
		for _, stretch := range []float64{50, 400, 2000} {
			for _, kind := range []string{"rest", "slide", "ball", "pair", "pile", "heap"} {
				var p *problems.Problem
				const mu = 0.3
				switch kind {
				case "rest":
					p = problems.OnPlane(n, stretch, mu, r3.Vec{}, 0.002)
				case "slide":
					p = problems.OnPlane(n, stretch, mu, r3.V(0.5, 0.2, 0), 0.01)
				case "ball":
					p = problems.OnBall(n, stretch, mu)
				case "pair":
					p = problems.InLayers(n, 2, stretch, mu, false)
				case "pile":
					p = problems.InLayers(n, 3, stretch, mu, true)
				case "heap":
					p = problems.IrregularPile(n, stretch, mu)
				}
				for _, workers := range []int{1, 2} {
					b.Run(
						fmt.Sprintf("%s/stretch=%g/contacts=%d/workers=%d", kind, stretch, p.Set.Len(), workers),
						func(b *testing.B) {
							s := DefaultNodal()
							s.Team = par.New(workers)
							benchmarkNodal(b, &s, p)
						},
					)
				}
				if n < 100 {
					b.Run(
						fmt.Sprintf("%s/stretch=%g/contacts=%d/plain", kind, stretch, p.Set.Len()),
						func(b *testing.B) {
							s := DefaultNodal()
							s.MaxNewton, s.SweepsBetween = 0, 5
							benchmarkNodal(b, &s, p)
						},
					)
				}
			}
		}
	}
}

func benchmarkNodal(b *testing.B, s *Nodal, p *problems.Problem) {
	var out Contacts
	q := given(p, 1e-8)
	solve := func() {
		out.Resize(p.A.N, p.Set.Len())
		clear(out.V)
		s.Solve(q, &out)
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
