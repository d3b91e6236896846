// Package solid verifies soft bodies: their laws, beams, pressure and slip.
package solid

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		blockOnRamp,
		fineBlockOnRamp,
		uniaxialBar,
		solidCantilever,
		longitudinal,
		bentSolid,
		carriedSkin,
		keptSpin,
		solidPatch,
		tetLaws,
		contactPatch,
		hertz,
		mindlin,
		solidDecay,
	}
}
