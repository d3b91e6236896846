package solve_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// fall is one mass of 2 kg that gravity pulls for 0.1 s: g(v) = 2 v - 0.1 · 2 · g.
type fall struct{ a *sparse.BSR }

func (f fall) Fixed() []bool { return []bool{false} }

func (f fall) Mass() []float64 { return []float64{2} }

func (f fall) Linearize([]r3.Vec) (*sparse.BSR, []r3.Vec) {
	f.a.Val[0] = r3.Diagonal(2)
	return f.a, []r3.Vec{r3.V(0, 0, 0.1*2*9.81)}
}

func (f fall) Balance(v, out []r3.Vec) { out[0] = v[0].Scale(2).Add(r3.V(0, 0, 0.1*2*9.81)) }

func ExampleFree() {
	solver := solve.Free{
		Linear: solve.Linear{Method: solve.Auto, Tolerance: 1e-8, MaxIterations: 100},
		Newton: solve.Newton{Iterations: 1, Tolerance: 1e-8},
	}
	result := solve.Result{V: make([]r3.Vec, 1)}
	solver.Solve(fall{sparse.NewBSR(1, nil)}, &result)
	fmt.Printf("%.3f m/s, converged %v\n", result.V[0].Z, result.Converged)
	// Output: -0.981 m/s, converged true
}
