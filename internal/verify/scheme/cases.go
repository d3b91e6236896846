// Package scheme verifies what holds for every step of scenes of all families: residuals, orders, crossings.
package scheme

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		remeshedAnswers,
		solverAlone,
		orders,
		residuals,
		refinement,
		ending,
	}
}
