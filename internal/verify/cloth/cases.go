// Package cloth verifies sheets: their stretch, bending and drape, air, and meshes that change.
package cloth

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		boxAndCone,
		adaptiveAgainstUniform,
		pruning,
		metrics,
		cantilever,
		peirce,
		lateral,
		buckling,
		rolled,
		catenary,
		freeFall,
		fallOfFabrics,
		pendulum,
		conservation,
		collision,
		decay,
		patch,
		pulled,
		fallInAir,
		held,
		uniformForces,
		uniformShapes,
		remeshedSums,
		cusick,
		fallingCloth,
		flamenco,
		letterHeap,
	}
}
