package elastic

import (
	"math"

	"github.com/toile-sim/toile/material"
)

// leastTwist is the least twist rigidity of a fabric, relative to √(Warp Weft). Measured bias stiffness can be so low
// that none would be left, and a sheet without twist rigidity is not a plate.
const leastTwist = 0.05

// PlateLawOf returns the plate law of a fabric at small curvature. The twist rigidity is that which gives the bias its
// rigidity for the bending Poisson ratio, which no measurement tells.
//
// Lost are the dependence on curvature (measured fabrics mostly get softer) and a bias rigidity below what the least
// twist rigidity allows.
func PlateLawOf(f *material.Fabric) PlateLaw {
	l := PlateLaw{Warp: f.BendWarp, Weft: f.BendWeft, Poisson: f.BendPoisson}
	l.Twist = f.BendBias - (l.Warp+l.Weft+2*l.cross())/4
	l.Twist = max(l.Twist, leastTwist*math.Sqrt(l.Warp*l.Weft))
	return l
}

// HingeLawOf returns the hinge law of a fabric at small curvature: k is four times B.
func HingeLawOf(f *material.Fabric) HingeLaw {
	return HingeLaw{Warp: 4 * f.BendWarp, Bias: 4 * f.BendBias, Weft: 4 * f.BendWeft}
}
