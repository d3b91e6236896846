// Package friction verifies friction of cloth: on slopes, around cylinders, in stacks of cards.
package friction

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		incline,
		houseOfCards,
		cards,
		belt,
		drag,
		ramp,
		rampLayers,
		rampMesh,
		capstanThreshold,
		capstanOffset,
		capstanCoarse,
		capstanResolutions,
		smoothCapstan,
		stickSlip,
		stopping,
		pinch,
	}
}
