package sparse_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// A chain of three masses of 1 kg between springs; the first is held and the last is pushed.
func Example() {
	b := sparse.NewPattern(3)
	b.Add(0, 1)
	b.Add(1, 2)
	a := b.Build()
	for i := range int32(3) {
		a.Val[a.Diag[i]] = r3.Diagonal(3)
	}
	a.Val[a.Index(0, 1)] = r3.Diagonal(-1)
	a.Val[a.Index(1, 2)] = r3.Diagonal(-1)
	a.Mirror(nil)

	fixed := []bool{true, false, false}
	rhs := []r3.Vec{{}, {}, {X: 8}}
	x := make([]r3.Vec, 3)
	var pre sparse.IC
	pre.Update(nil, a, fixed)
	var cg sparse.CG
	res := cg.Solve(
		nil,
		a,
		fixed,
		rhs,
		x,
		&pre,
		sparse.Tolerance{Norm: sparse.NodeMax, Bound: 1e-9, Mass: []float64{1, 1, 1}},
		10,
	)
	fmt.Printf("%v: %.3f %.3f %.3f\n", res.Status, x[0].X, x[1].X, x[2].X)
	// Output: converged: 0.000 1.000 3.000
}
