package sparse

import (
	"fmt"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

func BenchmarkMul(b *testing.B) {
	for _, n := range []int{70, 707} {
		a := sheet(n)
		x, y := gravity(a), make([]r3.Vec, a.N)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("nodes=%d/workers=%d", a.N, workers), func(b *testing.B) {
				team := par.New(workers)
				team.Enter()
				defer team.Leave()
				for b.Loop() {
					a.Mul(team, x, y)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(a.Col)), "ns/block")
			})
		}
	}
}

func BenchmarkCG(b *testing.B) {
	for _, n := range []int{70, 141, 283, 566} {
		a, fixed := sheet(n), corners(n)
		rhs, x, mass := gravity(a), make([]r3.Vec, a.N), masses(a)
		pres := []struct {
			name string
			pre  Preconditioner
		}{{"jacobi", &BlockJacobi{}}, {"ic0", &IC{}}, {"multilevel", &Multilevel{}}}
		for _, p := range pres {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("nodes=%d/%s/workers=%d", a.N, p.name, workers), func(b *testing.B) {
					team := par.New(workers)
					var cg CG
					var res Result
					p.pre.Update(team, a, fixed)
					for b.Loop() {
						team.Enter()
						clear(x)
						p.pre.Update(team, a, fixed)
						res = cg.Solve(team, a, fixed, rhs, x, p.pre, Tolerance{NodeMax, 1e-6, mass}, 5000)
						team.Leave()
					}
					if !res.Converged {
						b.Fatal(res)
					}
					b.ReportMetric(float64(res.Iterations), "iterations")
				})
			}
		}
	}
}

func BenchmarkICUpdate(b *testing.B) {
	a := sheet(141)
	team := par.New(2)
	team.Enter()
	defer team.Leave()
	var f IC
	f.Update(team, a, nil)
	for b.Loop() {
		f.Update(team, a, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(a.N), "ns/node")
}

func BenchmarkCholesky(b *testing.B) {
	for _, n := range []int{60, 224} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("factor/nodes=%d/workers=%d", n*n, workers), func(b *testing.B) {
				a := sheet(n)
				team := par.New(workers)
				var c Cholesky
				for b.Loop() {
					if err := c.Factor(team, a, nil); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(c.Blocks()), "blocks")
			})
		}
		b.Run(fmt.Sprintf("solve/nodes=%d", n*n), func(b *testing.B) {
			a := sheet(n)
			x := gravity(a)
			var c Cholesky
			if err := c.Factor(nil, a, nil); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				c.Solve(nil, x, x)
			}
		})
		b.Run(fmt.Sprintf("analyse/nodes=%d", n*n), func(b *testing.B) {
			a := sheet(n)
			for b.Loop() {
				analyse(a)
			}
		})
	}
}
