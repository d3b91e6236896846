// Package space verifies the room that is made between parts of a body that overlap.
package space

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		knee,
		spaceCost,
		spaceStill,
		spaceEnergy,
		spaceInside,
		spaceWorn,
	}
}
