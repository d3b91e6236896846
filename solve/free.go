package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// Method is a way to solve the linear systems.
type Method int

const (
	// Auto takes Direct for systems of at most directLimit blocks and PCG above.
	Auto Method = iota
	// PCG is conjugate gradients, preconditioned by a multilevel cycle.
	PCG
	// Direct is a sparse Cholesky factorization.
	Direct
)

// directLimit is the size, in blocks, up to which factorizing costs less than iterating.
const directLimit = 150

// Linear says how linear systems are solved.
type Linear struct {
	Method        Method
	Tolerance     float64 // largest residual of PCG [m/s]
	MaxIterations int     // of PCG
}

// Newton says how often the equations are linearized.
type Newton struct {
	Iterations int     // at most; 1 is the linearly implicit scheme
	Tolerance  float64 // largest nonlinear residual [m/s]; with one iteration it is not looked at
}

// Free solves problems without contact by Newton's method. It keeps its workspace, so that a steady
// sequence of problems of one pattern allocates nothing.
type Free struct {
	Linear Linear
	Newton Newton
	Team   *par.Team

	cg   sparse.CG
	pre  sparse.Multilevel
	safe sparse.BlockJacobi
	chol sparse.Cholesky

	residual []r3.Vec // -(A v + b)
	left     []r3.Vec // what delta leaves of it
	delta    []r3.Vec
	change   []r3.Vec // of delta
	trial    []r3.Vec
	balance  []r3.Vec
}

// Solve finds v with g(v) = 0 at the free blocks. It does not fail: a residual above tolerance is
// in the result.
func (f *Free) Solve(p Problem, out *Result) {
	n := len(out.V)
	f.prepare(n)
	out.Newton, out.Linear, out.Nonlinear, out.Converged = 0, 0, math.NaN(), true
	fixed, mass := p.Fixed(), p.Mass()

	for k := range f.Newton.Iterations {
		var at []r3.Vec
		if k > 0 {
			at = out.V
		}
		A, b := p.Linearize(at)
		out.Newton++
		before := f.measure(A, b, mass, out.V, fixed)
		if k > 0 && before <= f.Newton.Tolerance {
			out.Nonlinear, out.Converged = before, true
			return
		}
		linear := f.correct(A, mass, fixed)
		out.Linear += linear.Iterations
		out.Residual, out.Status, out.Converged = linear.Residual, linear.Status, linear.Converged
		scale := 1.0
		if k > 0 {
			scale = f.search(p, out.V, fixed)
		}
		for i := range out.V {
			out.V[i] = out.V[i].AddScaled(scale, f.delta[i])
		}
		if k > 0 && k == f.Newton.Iterations-1 {
			p.Balance(out.V, f.balance)
			out.Nonlinear = Worst(mass, f.balance, fixed)
			out.Converged = out.Nonlinear <= f.Newton.Tolerance
		}
	}
}

func (f *Free) prepare(n int) {
	if len(f.delta) != n {
		for _, p := range []*[]r3.Vec{&f.residual, &f.left, &f.delta, &f.change, &f.trial, &f.balance} {
			*p = make([]r3.Vec, n)
		}
	}
}

// measure writes A v + b to f.residual, zero at fixed blocks, and returns its norm.
func (f *Free) measure(A *sparse.BSR, b []r3.Vec, mass []float64, v []r3.Vec, fixed []bool) float64 {
	A.Mul(f.Team, v, f.residual)
	for i := range f.residual {
		f.residual[i] = f.residual[i].Add(b[i]).Neg()
		if fixed[i] {
			f.residual[i] = r3.Vec{}
		}
	}
	return Worst(mass, f.residual, fixed)
}

// correct solves A δ = -(A v + b) on the free blocks into f.delta. What conjugate gradients believe to be left drifts
// away from what is, and a factorization leaves what rounding does to it, so that δ is corrected by what it leaves
// until that is small or does not get smaller by half.
func (f *Free) correct(A *sparse.BSR, mass []float64, fixed []bool) sparse.Result {
	direct := f.Linear.Method == Direct || f.Linear.Method == Auto && A.N <= directLimit
	if direct && f.chol.Factor(f.Team, A, fixed) != nil {
		direct = false // A is not positive definite
	}
	if !direct {
		f.pre.Update(f.Team, A, fixed)
	}
	clear(f.delta)
	copy(f.left, f.residual)
	var result sparse.Result
	for best := math.Inf(1); ; best = result.Residual {
		spent := result.Iterations
		if direct {
			f.chol.Solve(fixed, f.left, f.change)
			result = sparse.Result{Status: sparse.Converged}
		} else {
			result = f.iterate(A, mass, fixed, f.Linear.MaxIterations-spent)
			result.Iterations += spent
		}
		for i := range f.trial {
			f.trial[i] = f.delta[i].Add(f.change[i])
		}
		A.Mul(f.Team, f.trial, f.left)
		for i := range f.left {
			f.left[i] = f.residual[i].Sub(f.left[i])
		}
		result.Residual = Worst(mass, f.left, fixed)
		if result.Residual > best { // this correction is none
			result.Residual = best
		} else {
			f.delta, f.trial = f.trial, f.delta
		}
		result.Converged = result.Residual <= f.Linear.Tolerance
		if result.Converged || result.Status != sparse.Converged || !(result.Residual < 0.5*best) {
			return finished(result)
		}
	}
}

// finished returns the result with a status that says what became of it.
func finished(r sparse.Result) sparse.Result {
	switch {
	case r.Converged:
		r.Status = sparse.Converged
	case math.IsNaN(r.Residual) || math.IsInf(r.Residual, 0):
		r.Status = sparse.NotFinite
	case r.Status == sparse.Converged:
		r.Status = sparse.Rounding
	}
	return r
}

// iterate solves A x = f.left into f.change by conjugate gradients.
func (f *Free) iterate(A *sparse.BSR, mass []float64, fixed []bool, limit int) sparse.Result {
	tolerance := sparse.Tolerance{Norm: sparse.NodeMax, Bound: f.Linear.Tolerance, Mass: mass}
	clear(f.change)
	result := f.cg.Solve(f.Team, A, fixed, f.left, f.change, &f.pre, tolerance, limit)
	if result.Status == sparse.BadPreconditioner {
		// The diagonal is slow but always positive.
		spent := result.Iterations
		clear(f.change)
		f.safe.Update(f.Team, A, fixed)
		result = f.cg.Solve(f.Team, A, fixed, f.left, f.change, &f.safe, tolerance, limit)
		result.Iterations += spent
	}
	return result
}

// search returns how far to go along f.delta: 1, unless that overshoots, which is when the slope g·δ has turned from
// falling to rising and is steeper than half of what it was. It looks at slopes, not at an energy, because damping
// and drag have none.
func (f *Free) search(p Problem, v []r3.Vec, fixed []bool) float64 {
	start := f.slope(f.residual, fixed) // g = -residual, so that this is how fast things fall
	scale := 1.0
	for range 10 {
		for i := range v {
			f.trial[i] = v[i].AddScaled(scale, f.delta[i])
		}
		p.Balance(f.trial, f.balance)
		if f.slope(f.balance, fixed) <= 0.5*start {
			break
		}
		scale /= 2
	}
	return scale
}

func (f *Free) slope(g []r3.Vec, fixed []bool) float64 {
	sum := 0.0
	for i := range g {
		if !fixed[i] {
			sum += g[i].Dot(f.delta[i])
		}
	}
	return sum
}
