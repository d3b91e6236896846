package solve_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// A mass of 2 kg slides over a floor at 1 m/s with a coefficient of friction of 0.3. In a step of 0.1 s friction takes
// 0.3 g 0.1 s = 0.294 m/s.
func ExampleNodal() {
	a := sparse.NewBSR(1, nil)
	a.Val[0] = r3.Diagonal(2)
	var set contact.Set
	set.Add(contact.Contact{A: 0, B: contact.None, Frame: contact.FrameOf(r3.V(0, 0, 1)), Mu: 0.3})

	problem := solve.ContactProblem{
		A:         a,
		B:         []r3.Vec{r3.V(-2, 0, 0.1*2*9.81)},
		Mass:      []float64{2},
		Set:       &set,
		Tolerance: 1e-8,
	}
	solver := solve.DefaultNodal()
	out := problem.Start()
	solver.Solve(&problem, out)
	fmt.Printf(
		"%.3f m/s, %v, normal impulse %.3f N s, converged %v\n",
		out.V[0].X,
		out.State[0],
		out.R[0].X,
		out.Converged,
	)
	// Output: 0.706 m/s, slide, normal impulse 1.962 N s, converged true
}
