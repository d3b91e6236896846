package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Method is a way to solve the linear systems.
type Method int

const (
	// Auto takes Direct for systems whose bodies have at most directLimit blocks each, and PCG for others.
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

// Free solves problems without contact by Newton's method. It keeps its workspace, so that a steady
// sequence of problems of one pattern allocates nothing.
type Free struct {
	Linear Linear
	Newton Newton
	Team   *par.Team

	loop newtonLoop
	near nearFree
}

// Solve finds v with g(v) = 0 at the free blocks. It does not fail: a residual above tolerance is in the result.
func (f *Free) Solve(p Problem, out *Result) {
	f.loop.Newton, f.loop.team = f.Newton, f.Team
	f.near.Linear, f.near.Team, f.near.mass, f.near.fixed = f.Linear, f.Team, p.Mass(), p.Fixed()
	_ = f.loop.solve(p, &f.near, out) // a linear solver returns what it has
	if f.Newton.Iterations > 1 {
		out.Converged = out.Nonlinear <= f.Newton.Tolerance
	}
}

// nearFree solves linear problems without contact.
type nearFree struct {
	Linear Linear
	Team   *par.Team
	mass   []float64
	fixed  []bool

	cg   sparse.CG
	pre  sparse.Multilevel
	safe sparse.BlockJacobi
	chol sparse.Cholesky

	residual []r3.Vec // -(A v + b)
	left     []r3.Vec // what delta leaves of it
	delta    []r3.Vec
	change   []r3.Vec // of delta
	trial    []r3.Vec
}

// Near solves A w + b = 0.
func (f *nearFree) Near(A *sparse.BSR, b, v, next, delta []r3.Vec, _ bool) (sparse.Result, error) {
	if len(f.delta) != len(v) {
		for _, p := range []*[]r3.Vec{&f.residual, &f.left, &f.delta, &f.change, &f.trial} {
			*p = make([]r3.Vec, len(v))
		}
	}
	f.measure(A, b, v)
	result := f.correct(A, f.mass, f.fixed)
	copy(delta, f.delta)
	for i := range next {
		next[i] = v[i].AddScaled(1, delta[i])
	}
	return result, nil
}

// Room has no bound.
func (f *nearFree) Room([]r3.Vec) float64 { return math.Inf(1) }

// Forget has nothing to take back: every solve begins with v.
func (f *nearFree) Forget() {}

// Relieve takes nothing: nothing pushes.
func (f *nearFree) Relieve([]r3.Vec) {}

// measure writes -(A v + b) to f.residual, zero at fixed blocks.
func (f *nearFree) measure(A *sparse.BSR, b, v []r3.Vec) {
	A.Mul(f.Team, v, f.residual)
	for i := range f.residual {
		f.residual[i] = f.residual[i].Add(b[i]).Neg()
		if f.fixed[i] {
			f.residual[i] = r3.Vec{}
		}
	}
}

// correct solves A δ = -(A v + b) on the free blocks into f.delta. What conjugate gradients believe to be left drifts
// away from what is, and a factorization leaves what rounding does to it, so that δ is corrected by what it leaves
// until that is small or does not get smaller by half.
func (f *nearFree) correct(A *sparse.BSR, mass []float64, fixed []bool) sparse.Result {
	direct := f.Linear.Method == Direct || f.Linear.Method == Auto && A.LargestPart() <= directLimit
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
func (f *nearFree) iterate(A *sparse.BSR, mass []float64, fixed []bool, limit int) sparse.Result {
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
