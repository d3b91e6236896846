// Package rigid verifies rigid bodies: how they move, joints, stacks and grips.
package rigid

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		spinningBall,
		stoolOnRamp,
		beltDrive,
		trampoline,
		plateOnColumn,
		freeSpin,
		cubeOnSlope,
		blockTopples,
		stacks,
		binOfCubes,
		rollingBalls,
		slidingRod,
		arches,
		grasped,
		glassPinch,
		mixedStack,
		jointedPendulum,
		weldedHalves,
		attachedWeight,
		tumblingHinge,
		pendulumsOfShapes,
		guidedTurns,
		eccentricHit,
		obliqueHit,
	}
}
