// Package contact verifies what contacts are found, when they are met, and that nothing gets through.
package contact

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		sphereBound,
		rules,
		copies,
		smoothField,
		smoothTogether,
		smoothMomentum,
		smoothGroove,
		impactTimes,
		inelastic,
		metamorphic,
		nothingThrough,
		randomScenes,
	}
}
