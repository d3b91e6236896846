// Package solve turns one step's equations into end-of-step velocities.
//
// It sees a Problem and never asks what the bodies are: an unknown is a block of three numbers, in
// m/s. Free is the solver for motion without contact; contact solvers take the same Problem with
// its contacts added (docs/decisions/0003-problem.md).
package solve

import (
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Problem is one time step as a solver sees it: find v with g(v) = 0, where g is the balance of
// momentum [N s] and v the end-of-step velocity of every block [m/s].
type Problem interface {
	// Fixed tells which blocks have a prescribed velocity.
	Fixed() []bool
	// Mass returns the mass of every block [kg], by which residuals are divided.
	Mass() []float64
	// Linearize returns A and b with g(w) ≈ A w + b near v, and near the state at the start of the
	// step for a nil v. Both belong to the Problem and are valid until its next call.
	Linearize(v []r3.Vec) (A *sparse.BSR, b []r3.Vec)
	// Balance writes g(v) to out.
	Balance(v, out []r3.Vec)
}

// Result is what a solver found.
type Result struct {
	V         []r3.Vec // in: prescribed velocities and a guess for the others; out: the solution [m/s]
	Newton    int      // linearizations
	Linear    int      // iterations of the linear solver, all linearizations together; 0 for a direct one
	Residual  float64  // of the last linear problem: max |(A v + b)_i|/m_i [m/s]
	Nonlinear float64  // of g at the solution, same measure; NaN if only one linearization was allowed
	Converged bool     // both the linear and, where asked for, the nonlinear tolerance were met
	Status    sparse.Status
}

// Worst returns the largest |g_i|/m_i over the free blocks [m/s]: with A ⪰ M it bounds the error of v in the mean
// square weighed by mass (residual.go).
func Worst(mass []float64, g []r3.Vec, fixed []bool) float64 {
	worst := 0.0
	for i := range g {
		if !fixed[i] {
			worst = max(worst, g[i].Norm()/mass[i])
		}
	}
	return worst
}
