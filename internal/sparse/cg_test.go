package sparse

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// preconditioners lists a fresh one of each kind.
func preconditioners() map[string]Preconditioner {
	return map[string]Preconditioner{
		"jacobi":     &BlockJacobi{},
		"factor":     &IC{},
		"with fill":  &IC{Fill: true},
		"multilevel": &Multilevel{},
		"all levels": &Multilevel{Stiffness: math.Inf(1)},
	}
}

// Oracle: all preconditioners lead to the dense solution. The condition number is below 1e4, so a
// relative residual of 1e-12 bounds the error by 1e-8. An incomplete factor of such a matrix may need a
// shift, which changes the way and not the answer; blocks of the diagonal never do.
func TestCGMatchesDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, fixed := randomSPD(t)
		rhs := randomVectors(t, a.N)
		guess := randomVectors(t, a.N)
		want := denseSolve(a, fixed, rhs)
		for name, pre := range preconditioners() {
			x := slices.Clone(guess)
			pre.Update(nil, a, fixed)
			var cg CG
			res := cg.Solve(nil, a, fixed, rhs, x, pre, Tolerance{Norm: Relative, Bound: 1e-12}, 1000)
			if !res.Converged || (name == "jacobi" && res.Shift != 0) {
				t.Fatalf("%s: %+v", name, res)
			}
			if e := distance(x, want); e > 1e-8 {
				t.Fatalf("%s differs by %g", name, e)
			}
			for i := range x {
				if fixed[i] && x[i] != (r3.Vec{}) {
					t.Fatalf("%s moved fixed unknown %d by %v", name, i, x[i])
				}
			}
		}
	})
}

// The reported residual is that of the definition, up to the rounding that the recursion gathers.
func TestCGResidualIsTheStatedMeasure(t *testing.T) {
	const n = 30
	a, fixed := sheet(n), corners(n)
	rhs := gravity(a)
	var pre IC
	pre.Update(nil, a, fixed)
	for _, norm := range []Norm{NodeMax, Relative} {
		x := make([]r3.Vec, a.N)
		var cg CG
		res := cg.Solve(nil, a, fixed, rhs, x, &pre, Tolerance{norm, 1e-5, masses(a)}, 1000)
		y := make([]r3.Vec, a.N)
		a.Mul(nil, x, y)
		worst, sum, size := 0.0, 0.0, 0.0
		for i := range y {
			if fixed[i] {
				continue
			}
			r := rhs[i].Sub(y[i])
			worst = max(worst, r.Norm()/masses(a)[i])
			sum += r.Norm2()
			size += rhs[i].Norm2()
		}
		want := worst
		if norm == Relative {
			want = math.Sqrt(sum / size)
		}
		if !res.Converged || res.Residual > 1e-5 || math.Abs(res.Residual-want) > 1e-9 {
			t.Errorf("norm %d: %+v, residual of the solution %g", norm, res, want)
		}
	}
}

// Metamorphic: the same bits for 1, 2 and 8 workers, with domains and without.
func TestSolversDoNotDependOnWorkers(t *testing.T) {
	for _, n := range []int{20, 46} {
		a, fixed := sheet(n), corners(n)
		rhs := gravity(a)
		for name := range preconditioners() {
			var want []r3.Vec
			for _, workers := range []int{1, 2, 8} {
				team := par.New(workers)
				team.Enter()
				pre := preconditioners()[name]
				pre.Update(team, a, fixed)
				x := make([]r3.Vec, a.N)
				var cg CG
				cg.Solve(team, a, fixed, rhs, x, pre, Tolerance{NodeMax, 1e-8, masses(a)}, 1000)
				team.Leave()
				if want == nil {
					want = x
				}
				if !slices.Equal(x, want) {
					t.Errorf("%s, %d nodes: %d workers give other bits than 1", name, a.N, workers)
				}
			}
		}
	}
}

func TestSteadySolvesDoNotAllocate(t *testing.T) {
	const n = 50
	a, fixed := sheet(n), corners(n)
	rhs, x, mass := gravity(a), make([]r3.Vec, a.N), masses(a)
	for name, pre := range preconditioners() {
		for _, workers := range []int{1, 2} {
			team := par.New(workers)
			var cg CG
			if got := testing.AllocsPerRun(3, func() {
				clear(x)
				pre.Update(team, a, fixed)
				cg.Solve(team, a, fixed, rhs, x, pre, Tolerance{NodeMax, 1e-6, mass}, 1000)
			}); got != 0 {
				t.Errorf("%s, %d workers: %v allocations, want 0", name, workers, got)
			}
		}
	}
}

func TestCGEdgeCases(t *testing.T) {
	a := sheet(5)
	zero := make([]r3.Vec, a.N)
	rhs := gravity(a)
	negative := NewLike(a)
	for i := range a.Val {
		negative.Val[i] = a.Val[i].Scale(-1)
	}
	saddle := NewLike(a)
	copy(saddle.Val, a.Val)
	saddle.Val[saddle.Diag[7]] = r3.Diagonal(1e-9)
	nan := slices.Clone(rhs)
	nan[3].Y = math.NaN()
	all := make([]bool, a.N)
	for i := range all {
		all[i] = true
	}
	tests := []struct {
		name  string
		a     *BSR
		fixed []bool
		rhs   []r3.Vec
		limit int
		want  Status
	}{
		{"zero right-hand side", a, nil, zero, 10, Converged},
		{"all fixed", a, all, rhs, 10, Converged},
		{"limit", a, nil, rhs, 0, IterationLimit},
		{"negative definite", negative, nil, rhs, 100, Indefinite},
		{"saddle", saddle, nil, rhs, 100, Indefinite},
		{"NaN", a, nil, nan, 100, NotFinite},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, pre := range preconditioners() {
				pre.Update(nil, tt.a, tt.fixed)
				x := make([]r3.Vec, a.N)
				var cg CG
				res := cg.Solve(nil, tt.a, tt.fixed, tt.rhs, x, pre, Tolerance{Norm: Relative, Bound: 1e-10}, tt.limit)
				if res.Status != tt.want || res.Converged != (tt.want == Converged) {
					t.Errorf("%s: %v after %d iterations, want %v", name, res.Status, res.Iterations, tt.want)
				}
				for i := range x {
					if !x[i].Finite() {
						t.Errorf("%s: x[%d] = %v", name, i, x[i])
					}
				}
			}
		})
	}
}

// Without fill to drop, the incomplete factor of a tridiagonal matrix is the exact one: one iteration.
func TestICIsExactOnAChain(t *testing.T) {
	const n = 50
	b := NewPattern(n)
	for i := range int32(n - 1) {
		b.Add(i, i+1)
	}
	a := b.Build()
	for i := range int32(n) {
		a.Val[a.Diag[i]] = r3.Mat{XX: 3, XY: 0.5, YX: 0.5, YY: 4, ZZ: 5}
		if i+1 < n {
			a.Val[a.Index(i, i+1)] = r3.Mat{XX: -1, XY: 0.3, YY: -1, ZX: 0.2, ZZ: -2}
		}
	}
	a.Mirror(nil)
	rhs, x := make([]r3.Vec, n), make([]r3.Vec, n)
	for i := range rhs {
		rhs[i] = r3.V(1, float64(i), -2)
	}
	var f IC
	f.Update(nil, a, nil)
	f.Apply(nil, rhs, x)
	if e := distance(x, denseSolve(a, nil, rhs)); e > 1e-13 {
		t.Errorf("differs from the dense solution by %g", e)
	}
}

// [Kershaw78]: a positive definite matrix whose incomplete factor has a negative pivot.
func TestICShiftsOnBreakdown(t *testing.T) {
	a := NewBSR(4, [][2]int32{{0, 1}, {1, 2}, {2, 3}, {0, 3}})
	for i := range int32(4) {
		a.Val[a.Diag[i]] = r3.Diagonal(3)
	}
	a.Val[a.Index(0, 1)] = r3.Diagonal(-2)
	a.Val[a.Index(1, 2)] = r3.Diagonal(-2)
	a.Val[a.Index(2, 3)] = r3.Diagonal(-2)
	a.Val[a.Index(0, 3)] = r3.Diagonal(2)
	a.Mirror(nil)
	rhs := []r3.Vec{{X: 1}, {Y: 2}, {Z: 3}, {X: -1, Y: 1}}
	x := make([]r3.Vec, 4)
	var f IC
	f.Update(nil, a, nil)
	var cg CG
	res := cg.Solve(nil, a, nil, rhs, x, &f, Tolerance{Norm: Relative, Bound: 1e-12}, 100)
	if res.Shift == 0 || !res.Converged {
		t.Errorf("%+v, want a shift and convergence", res)
	}
	if e := distance(x, denseSolve(a, nil, rhs)); e > 1e-10 {
		t.Errorf("differs from the dense solution by %g", e)
	}
}

// Invariant of dissect.go: domains are not coupled, and every node has one place.
func TestDomainsAreNotCoupled(t *testing.T) {
	a := sheet(60)
	d := newDomains(a, domainDepth)
	domain := make([]int, a.N)
	for i := range domain {
		domain[i] = -1
	}
	for k := range len(d.start) - 1 {
		for _, v := range d.order[d.start[k]:d.start[k+1]] {
			domain[v] = k
		}
	}
	sorted := slices.Clone(d.order)
	slices.Sort(sorted)
	for i, v := range sorted {
		if int(v) != i {
			t.Fatalf("node %d is missing or twice in the order", i)
		}
		for _, j := range a.Col[a.Start[i]:a.Start[i+1]] {
			if domain[i] >= 0 && domain[j] >= 0 && domain[i] != domain[j] {
				t.Fatalf("nodes %d and %d of domains %d and %d are coupled", i, j, domain[i], domain[j])
			}
		}
	}
	if rows := a.N - d.separators(); rows > a.N/4 {
		t.Errorf("%d of %d rows are separators", rows, a.N)
	}
}
