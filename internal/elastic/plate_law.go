package elastic

import (
	"errors"
	"fmt"
	"math"
)

// PlateLaw is how a sheet resists bending: the moments (m00, m11, m01) [N] of a curvature
// (κ00, κ11, 2κ01) [1/m], in the axes warp (0) and weft (1), are D times it with
//
//	D = [ Warp  c     0     ]
//	    [ c     Weft  0     ]     c = Poisson √(Warp Weft)
//	    [ 0     0     Twist ]
//
// A strip cut along the warp and free at its long sides bends with Warp (1 - Poisson²), and a wide
// one that cannot curve across with Warp.
type PlateLaw struct {
	Warp    float64 // rigidity against curvature along the warp [N m]; > 0
	Weft    float64 // rigidity against curvature along the weft [N m]; > 0
	Twist   float64 // rigidity against twist 2κ01 [N m]; > 0
	Poisson float64 // how much bending along one axis makes it want to bend along the other; in (-1, 1)
}

// IsotropicPlate returns the law of a sheet of rigidity b [N m] and bending Poisson ratio nu that is
// the same in all directions.
func IsotropicPlate(b, nu float64) PlateLaw {
	return PlateLaw{Warp: b, Weft: b, Twist: b * (1 - nu) / 2, Poisson: nu}
}

// Validate lists what keeps the law from being positive definite.
func (l PlateLaw) Validate() error {
	var errs []error
	for _, r := range []struct {
		name  string
		value float64
	}{{"warp", l.Warp}, {"weft", l.Weft}, {"twist", l.Twist}} {
		if !(r.value > 0) || math.IsInf(r.value, 1) {
			errs = append(errs, fmt.Errorf("%s rigidity is %g N m; write a number above 0", r.name, r.value))
		}
	}
	if !(math.Abs(l.Poisson) < 1) {
		errs = append(errs, fmt.Errorf("bending Poisson ratio is %g; write a number between -1 and 1", l.Poisson))
	}
	return errors.Join(errs...)
}

// Along returns the rigidity [N m] against curvature along the direction at angle phi [rad] from the
// warp, none across.
func (l PlateLaw) Along(phi float64) float64 {
	c, s := math.Cos(phi), math.Sin(phi)
	c2, s2 := c*c, s*s
	return l.Warp*c2*c2 + l.Weft*s2*s2 + (2*l.cross()+4*l.Twist)*c2*s2
}

func (l PlateLaw) cross() float64 { return l.Poisson * math.Sqrt(l.Warp*l.Weft) }

// Everywhere returns a function that gives every triangle the same law.
func Everywhere(l PlateLaw) func(t int32) PlateLaw { return func(int32) PlateLaw { return l } }
