package sparse

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// factored returns a random matrix with its factor.
func factored(t *rapid.T) (a *BSR, fixed []bool, c *Cholesky) {
	a, fixed = randomSPD(t)
	c = new(Cholesky)
	if err := c.Factor(nil, a, fixed); err != nil {
		t.Fatal(err)
	}
	return a, fixed, c
}

// Oracle: the factor solves like the dense elimination; condition below 1e4, so 1e-11 is generous.
func TestCholeskyMatchesDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, fixed, c := factored(t)
		rhs := randomVectors(t, a.N)
		x := slices.Clone(rhs)
		c.Solve(fixed, x, x)
		if e := distance(x, denseSolve(a, fixed, rhs)); e > 1e-10 {
			t.Fatalf("differs by %g", e)
		}
	})
}

// Three right-hand sides at once are solved as one by one.
func TestCholeskySolvesColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, fixed, c := factored(t)
		var rhs [3][]r3.Vec
		for axis := range rhs {
			rhs[axis] = randomVectors(t, a.N)
		}
		x := make([]r3.Mat, a.N)
		for i := range x {
			x[i] = r3.Columns(rhs[0][i], rhs[1][i], rhs[2][i])
		}
		c.SolveColumns(fixed, x)
		for axis, unit := range [3]r3.Vec{r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)} {
			got := make([]r3.Vec, a.N)
			for i := range x {
				got[i] = x[i].MulVec(unit)
			}
			if c.Solve(fixed, rhs[axis], rhs[axis]); distance(got, rhs[axis]) > 1e-12 {
				t.Fatalf("column %d differs by %g", axis, distance(got, rhs[axis]))
			}
		}
	})
}

// Columns of the inverse are those that solving for unit vectors gives, and nothing outside of a part.
func TestCholeskyColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, fixed, c := factored(t)
		blocks := 0
		for _, p := range c.Parts() {
			blocks += len(p.Blocks)
			column := make([]r3.Mat, len(p.Blocks))
			for k, i := range p.Blocks {
				if fixed != nil && fixed[i] {
					continue
				}
				c.Column(&p, k, column)
				for axis, unit := range [3]r3.Vec{r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)} {
					rhs, got := make([]r3.Vec, a.N), make([]r3.Vec, a.N)
					rhs[i] = unit
					for j, m := range column {
						got[p.Blocks[j]] = m.MulVec(unit)
					}
					if e := distance(got, denseSolve(a, fixed, rhs)); e > 1e-10 {
						t.Fatalf("column %d of block %d differs by %g", axis, i, e)
					}
				}
			}
		}
		if blocks != a.N {
			t.Fatalf("parts have %d blocks of %d", blocks, a.N)
		}
	})
}

// Sylvester: A - σI has as many negative pivots as A has eigenvalues below σ. For the chain of n
// blocks with 2 on the diagonal and -1 beside it these are 2 - 2 cos(kπ/(n+1)), three times each.
func TestNegativeCountsEigenvalues(t *testing.T) {
	const n = 60
	b := NewPattern(n)
	for i := range int32(n - 1) {
		b.Add(i, i+1)
	}
	a := b.Build()
	var c Cholesky
	for _, sigma := range []float64{-0.1, 0.01, 0.5, 1.234, 3.3, 4.1} {
		want := 0
		for k := 1; k <= n; k++ {
			if 2-2*math.Cos(float64(k)*math.Pi/(n+1)) < sigma {
				want += 3
			}
		}
		for i := range int32(n) {
			a.Val[a.Diag[i]] = r3.Diagonal(2 - sigma)
			if i+1 < n {
				a.Val[a.Index(i, i+1)] = r3.Diagonal(-1)
			}
		}
		a.Mirror(nil)
		err := c.Factor(nil, a, nil)
		var pivot *PivotError
		if (want > 0) != errors.As(err, &pivot) {
			t.Errorf("sigma = %g: error %v, want %d negative pivots", sigma, err, want)
		}
		if pivot != nil && (pivot.Negative != want || pivot.Zero != 0 || !(pivot.Pivot < 0)) {
			t.Errorf("sigma = %g: %v, want %d negative", sigma, pivot, want)
		}
		if c.Negative() != want {
			t.Errorf("sigma = %g: %d negative pivots, want %d", sigma, c.Negative(), want)
		}
	}
}

// A sheet without mass and without anything held can be moved freely: its matrix is singular.
func TestCholeskyReportsSingular(t *testing.T) {
	a := NewBSR(2, [][2]int32{{0, 1}})
	for p := range a.Val {
		a.Val[p] = r3.Diagonal(-1)
	}
	a.Val[a.Diag[0]], a.Val[a.Diag[1]] = r3.Diagonal(1), r3.Diagonal(1)
	var c Cholesky
	var pivot *PivotError
	if err := c.Factor(nil, a, nil); !errors.As(err, &pivot) || pivot.Zero != 3 || pivot.Negative != 0 {
		t.Errorf("error %v, want three zero pivots", err)
	}
	if err := c.Factor(nil, a, []bool{true, false}); err != nil {
		t.Errorf("with one end held: %v", err)
	}
	a.Val[0].XX = math.NaN()
	if err := c.Factor(nil, a, nil); err == nil {
		t.Error("no error for NaN")
	}
}

func TestCholeskyAgreesWithCGOnASheet(t *testing.T) {
	const n = 36
	a, fixed := sheet(n), corners(n)
	rhs := gravity(a)
	var want []r3.Vec
	for _, workers := range []int{1, 2, 8} {
		team := par.New(workers)
		var c Cholesky
		if err := c.Factor(team, a, fixed); err != nil {
			t.Fatal(err)
		}
		x := make([]r3.Vec, a.N)
		c.Solve(fixed, rhs, x)
		if want == nil {
			want = x
		}
		if !slices.Equal(x, want) {
			t.Errorf("%d workers give other bits than 1", workers)
		}
	}
	var pre IC
	pre.Update(nil, a, fixed)
	x := make([]r3.Vec, a.N)
	var cg CG
	cg.Solve(nil, a, fixed, rhs, x, &pre, Tolerance{Norm: Relative, Bound: 1e-12}, 1000)
	size := 0.0
	for _, v := range want {
		size = max(size, v.MaxAbs())
	}
	if e := distance(x, want); e > 1e-8*size {
		t.Errorf("conjugate gradients differ by %g of %g", e, size)
	}
}

func TestCholeskyDoesNotAllocate(t *testing.T) {
	const n = 25
	a, fixed := sheet(n), corners(n)
	rhs, x := gravity(a), make([]r3.Vec, a.N)
	team := par.New(2)
	var c Cholesky
	if got := testing.AllocsPerRun(3, func() {
		if err := c.Factor(team, a, fixed); err != nil {
			t.Fatal(err)
		}
		c.Solve(fixed, rhs, x)
	}); got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}
