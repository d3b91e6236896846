// Package solver verifies the solvers of contact problems, alone and against each other.
package solver

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		isotropic,
		twoNodes,
		dualAgainstNodal,
		forwarding,
		staggeredScenes,
		staggeredProblems,
		byMass,
		polarDisks,
		oneContact,
		library,
		anticipated,
		resolutions,
		innerPasses,
		globalResponse,
		frictionless,
		divergence,
		frictionRound,
		relaxedAgainstOthers,
		omegaHalved,
	}
}
