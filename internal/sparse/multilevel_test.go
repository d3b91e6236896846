package sparse

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// The reason for the coarse levels: iterations to a share of the first residual do not grow when the mesh is refined,
// in any numbering. Without them they grow like 1/Δx, here fourfold.
func TestMultilevelIterationsDoNotGrow(t *testing.T) {
	sizes := []int{40, 80, 160}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for name, make := range map[string]func(int) *BSR{"by rows": sheet, "shuffled": shuffledSheet} {
		fewest, most := math.MaxInt, 0
		for _, n := range sizes {
			res := solveSheet(make(n), &Multilevel{Stiffness: math.Inf(1)})
			if !res.Converged {
				t.Fatalf("%s, %d nodes: %+v", name, n*n, res)
			}
			fewest, most = min(fewest, res.Iterations), max(most, res.Iterations)
		}
		if most > fewest+3 {
			t.Errorf("%s: between %d and %d iterations", name, fewest, most)
		}
	}
}

func solveSheet(a *BSR, pre Preconditioner) Result {
	pre.Update(nil, a, nil)
	var cg CG
	return cg.Solve(nil, a, nil, gravity(a), make([]r3.Vec, a.N), pre, Tolerance{Norm: Relative, Bound: 1e-6}, 1000)
}

// A smoother that is too strong makes the cycle indefinite; the solver must notice, add the levels up instead and go on
// to the solution, and the next Update must forget it.
func TestIndefiniteCycleIsAddedUp(t *testing.T) {
	a := sheet(40)
	pre := Multilevel{Stiffness: math.Inf(1)}
	pre.Update(nil, a, nil)
	for i := range pre.levels[0].smooth.inv {
		pre.levels[0].smooth.inv[i] = pre.levels[0].smooth.inv[i].Scale(4)
	}
	var cg CG
	res := cg.Solve(nil, a, nil, gravity(a), make([]r3.Vec, a.N), &pre, Tolerance{Norm: Relative, Bound: 1e-8}, 100)
	if !res.Converged || res.Restarts != 1 || !pre.additive {
		t.Errorf("%+v, added up %v, want convergence after a restart", res, pre.additive)
	}
	pre.Update(nil, a, nil)
	if pre.additive {
		t.Error("still added up after Update")
	}
}

// Where bending rules, the incomplete factor breaks down without a shift.
func TestMultilevelOfABoard(t *testing.T) {
	a := board(30)
	rhs, x, want := gravity(a), make([]r3.Vec, a.N), make([]r3.Vec, a.N)
	var pre Multilevel
	pre.Update(nil, a, nil)
	var cg CG
	res := cg.Solve(nil, a, nil, rhs, x, &pre, Tolerance{Norm: Relative, Bound: 1e-10}, 1000)
	if !res.Converged || res.Shift == 0 {
		t.Errorf("%+v, want convergence with a shift", res)
	}
	var c Cholesky
	if err := c.Factor(nil, a, nil); err != nil {
		t.Fatal(err)
	}
	c.Solve(nil, rhs, want)
	size := 0.0
	for _, v := range want {
		size = max(size, v.MaxAbs())
	}
	// The condition number is about 1e6.
	if e := distance(x, want); e > 1e-4*size {
		t.Errorf("differs by %g of %g", e, size)
	}
}

// Property: rows of P add up to 1, and Pᵀ A P x = Pᵀ (A (P x)) with fixed unknowns left out.
func TestGalerkinProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, fixed := randomSPD(t)
		tr, coarse := newTransfer(a)
		for i := range a.N {
			sum := 0.0
			for _, w := range tr.weight[tr.start[i]:tr.start[i+1]] {
				sum += w
			}
			if math.Abs(sum-1) > 1e-14 {
				t.Fatalf("row %d of P adds up to %g", i, sum)
			}
		}
		tr.galerkin(nil, a, fixed, coarse)
		x := randomVectors(t, coarse.N)
		got, want := make([]r3.Vec, coarse.N), make([]r3.Vec, coarse.N)
		coarse.Mul(nil, x, got)
		px, apx := make([]r3.Vec, a.N), make([]r3.Vec, a.N)
		defect := make([]r3.Vec, a.N)
		tr.prolong(nil, x, fixed, px, defect)
		a.Mul(nil, px, apx)
		for i := range apx {
			if fixed[i] {
				apx[i] = r3.Vec{}
			}
			defect[i] = defect[i].Neg()
		}
		if e := distance(defect, apx); e > 1e-12 {
			t.Fatalf("A P x differs by %g", e)
		}
		tr.restrict(nil, apx, want)
		if e := distance(got, want); e > 1e-12 {
			t.Fatalf("coarse product differs by %g", e)
		}
	})
}

// A matrix without coupling has no coarse level worth having; the cycle is then the smoother.
func TestMultilevelOfADiagonalMatrix(t *testing.T) {
	const n = 2 * bottomRows
	a := NewPattern(n).Build()
	rhs := make([]r3.Vec, n)
	for i := range n {
		a.Val[a.Diag[i]] = r3.Diagonal(float64(i + 1))
		rhs[i] = r3.V(float64(i+1), 0, -float64(i+1))
	}
	var pre Multilevel
	pre.Update(nil, a, nil)
	z := make([]r3.Vec, n)
	pre.Apply(nil, rhs, z)
	for i := range z {
		if z[i].Sub(r3.V(1, 0, -1)).MaxAbs() > 1e-14 {
			t.Fatalf("z[%d] = %v, want (1, 0, -1)", i, z[i])
		}
	}
}

// On a soft matrix coarse levels cost more than they bring: Apply is then that of the first smoother.
func TestSoftMatrixGoesWithoutLevels(t *testing.T) {
	a := sheet(46)
	rhs := gravity(a)
	for _, c := range []struct {
		pre  Multilevel
		want bool
	}{
		{Multilevel{Stiffness: softForCycle}, true},
		{Multilevel{Stiffness: softForCycle + 1}, false},
		{Multilevel{Stiffness: softForOneSided, OneSided: true}, true},
		{Multilevel{Stiffness: softForOneSided + 1, OneSided: true}, false},
		{Multilevel{}, a.Stiffness(nil) <= softForCycle},
	} {
		c.pre.Update(nil, a, nil)
		smoother := IC{FirstShift: smootherShift}
		smoother.Update(nil, a, nil)
		z, want := make([]r3.Vec, a.N), make([]r3.Vec, a.N)
		c.pre.Apply(nil, rhs, z)
		smoother.Apply(nil, rhs, want)
		if got := slices.Equal(z, want); got != c.want {
			t.Errorf(
				"stiffness %g, one-sided %v: smoother alone %v, want %v",
				c.pre.Stiffness,
				c.pre.OneSided,
				got,
				c.want,
			)
		}
	}
}

// Oracle: with an exact coarse solve Q, the error of the one-sided cycle is (I - S A)(I - Q A), so that one application
// to A P x, which Q solves exactly, gives P x whatever S.
func TestOneSidedCycleIsExactOnTheCoarseSpace(t *testing.T) {
	a, fixed := sheet(46), corners(46)
	pre := Multilevel{OneSided: true, Stiffness: math.Inf(1)}
	pre.Update(nil, a, fixed)
	if len(pre.levels) != 2 || !pre.direct {
		t.Fatalf("%d levels, want 2 with a direct solve", len(pre.levels))
	}
	coarse := gravity(pre.levels[1].a)
	want, rhs, got := make([]r3.Vec, a.N), make([]r3.Vec, a.N), make([]r3.Vec, a.N)
	pre.levels[0].prolong(nil, coarse, fixed, want, make([]r3.Vec, a.N))
	a.Mul(nil, want, rhs)
	for i := range rhs {
		if fixed[i] {
			rhs[i] = r3.V(1, 2, 3) // must not matter
		}
	}
	pre.Apply(nil, rhs, got)
	for _, workers := range []int{2, 8} {
		team := par.New(workers)
		team.Enter()
		again := make([]r3.Vec, a.N)
		pre.Update(team, a, fixed)
		pre.Apply(team, rhs, again)
		team.Leave()
		if !slices.Equal(again, got) {
			t.Errorf("%d workers give other bits than 1", workers)
		}
	}
	size := 0.0
	for _, v := range want {
		size = max(size, v.MaxAbs())
	}
	// The condition number is about 1e4.
	if e := distance(got, want); e > 1e-10*size {
		t.Errorf("differs by %g of %g", e, size)
	}
}
