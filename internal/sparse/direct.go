package sparse

import (
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Direct preconditions with an exact factor, for systems whose factor is cheaper than many iterations, and with an
// incomplete one where the matrix is not positive definite. The zero value is ready.
type Direct struct {
	factor Cholesky
	rough  IC
	fixed  []bool
	exact  bool
}

// Update factors a.
func (d *Direct) Update(team *par.Team, a *BSR, fixed []bool) {
	d.fixed = fixed
	if d.exact = d.factor.Factor(team, a, fixed) == nil; !d.exact {
		d.rough.Update(team, a, fixed)
	}
}

// Apply solves with the factor.
func (d *Direct) Apply(team *par.Team, r, z []r3.Vec) {
	if d.exact {
		d.factor.Solve(d.fixed, r, z)
	} else {
		d.rough.Apply(team, r, z)
	}
}

// Shift returns that of the incomplete factor, and zero for an exact one.
func (d *Direct) Shift() float64 {
	if d.exact {
		return 0
	}
	return d.rough.Shift()
}
