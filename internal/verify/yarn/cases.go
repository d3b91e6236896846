// Package yarn verifies yarns and knits.
package yarn

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		dampedYarn,
		hangingYarn,
		yarnDrag,
		blockDamping,
		plasticBends,
		yarnBalls,
		rodStatics,
		hangingCurl,
		yarnCapstan,
		knotTension,
		knotFriction,
		slipThrough,
		guardedSteps,
		badlyTreated,
		exactModels,
		rigidModels,
		scheduled,
		contactDerivatives,
		modelAges,
		modelMomentum,
		frameForces,
		crossingYarns,
		modelErrors,
		generator,
		swatchesAtRest,
		curlingEdges,
		stretchedKnits,
		swatchLinear,
		fallenScarf,
		table2Scarf,
		table2Sack,
		table2Afghan,
		table2Sweater,
		michell,
	}
}
