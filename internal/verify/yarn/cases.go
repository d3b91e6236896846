// Package yarn verifies yarns and knits.
package yarn

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		// statics and damping
		dampedYarn,
		hangingYarn,
		yarnDrag,
		blockDamping,
		plasticBends,
		yarnBalls,
		rodStatics,
		hangingCurl,
		// ropes and knots
		yarnCapstan,
		knotTension,
		knotFriction,
		// yarns that slip through each other
		slipThrough,
		guardedSteps,
		badlyTreated,
		// contact and its models
		exactModels,
		rigidModels,
		scheduled,
		contactDerivatives,
		modelAges,
		modelMomentum,
		frameForces,
		crossingYarns,
		modelErrors,
		// knits
		generator,
		swatchesAtRest,
		curlingEdges,
		stretchedKnits,
		swatchLinear,
		// garments of the paper
		fallenScarf,
		table2Scarf,
		table2Sack,
		table2Afghan,
		table2Sweater,
		// a twisted ring
		michell,
	}
}
