// Package rigid verifies rigid bodies: how they move, joints, stacks and grips.
package rigid

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		// scenes of a paper
		spinningBall,
		stoolOnRamp,
		beltDrive,
		trampoline,
		// statics, free flight and stacks
		plateOnColumn,
		freeSpin,
		cubeOnSlope,
		blockTopples,
		stacks,
		binOfCubes,
		// rolling and sliding, arches and grasps
		rollingBalls,
		slidingRod,
		arches,
		grasped,
		glassPinch,
		mixedStack,
		// joints
		jointedPendulum,
		weldedHalves,
		attachedWeight,
		tumblingHinge,
		// closed forms of motion and of hits
		pendulumsOfShapes,
		guidedTurns,
		eccentricHit,
		obliqueHit,
	}
}
