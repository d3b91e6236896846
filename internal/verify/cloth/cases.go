// Package cloth verifies sheets: their stretch, bending and drape, air, and meshes that change.
package cloth

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		// meshes that change
		boxAndCone,
		adaptiveAgainstUniform,
		pruning,
		metrics,
		// sheets that bend, buckle and hang
		cantilever,
		peirce,
		lateral,
		buckling,
		rolled,
		catenary,
		// motion, and what it conserves
		freeFall,
		fallOfFabrics,
		pendulum,
		conservation,
		collision,
		decay,
		// strains, air and holds
		patch,
		pulled,
		fallInAir,
		held,
		// uniform shapes, and sums over remeshing
		uniformForces,
		uniformShapes,
		remeshedSums,
		// drape, and scenes of papers
		cusick,
		fallingCloth,
		flamenco,
		letterHeap,
	}
}
