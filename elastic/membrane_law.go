package elastic

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// StVK is the orthotropic law with constant coefficients,
//
//	W = ½ (k0 G00² + k2 G11² + 2 k1 G00 G11 + k3 G01²)   [J/m²]
//
// with the coefficients in the convention of [Wang11]: k3 multiplies the square of the tensor
// component G01, a quarter of the square of the shear angle 2 G01. An engineering shear stiffness
// (tension over angle) is therefore k3/4. NewStVK converts from engineering constants.
type StVK struct {
	Warp     float64 // k0 [N/m]
	Coupling float64 // k1 [N/m]
	Weft     float64 // k2 [N/m]
	Shear    float64 // k3 [N/m]
}

var _ MembraneLaw = StVK{}

// NewStVK returns the law of a sheet that has, at small strain, the given stiffness [N/m] when a
// strip is pulled along the warp or the weft and may contract freely (tension over strain), the
// given shear stiffness (tension over shear angle), and the geometric mean poisson = √(ν_wf ν_fw)
// of the two Poisson ratios:
//
//	k0 = warp/(1-ν²),  k2 = weft/(1-ν²),  k1 = ν √(warp weft)/(1-ν²),  k3 = 4 shear
//
// An isotropic sheet of stiffness E (Young's modulus times thickness) has warp = weft = E and
// shear = E/(2 (1 + ν)).
func NewStVK(warp, weft, shear, poisson float64) StVK {
	f := 1 / (1 - poisson*poisson)
	return StVK{Warp: f * warp, Coupling: f * poisson * math.Sqrt(warp*weft), Weft: f * weft, Shear: 4 * shear}
}

// Engineering returns the constants from which NewStVK makes the same law.
func (k StVK) Engineering() (warp, weft, shear, poisson float64) {
	poisson = k.Coupling / math.Sqrt(k.Warp*k.Weft)
	f := 1 - poisson*poisson
	return f * k.Warp, f * k.Weft, k.Shear / 4, poisson
}

// Eval returns energy, tension and tangent.
func (k StVK) Eval(g Strain, _ Detail) (float64, Tension, Tangent) {
	w, s := k.tension(g)
	return w, s, k.tangent(1)
}

func (k StVK) tension(g Strain) (float64, Tension) {
	s := Tension{
		k.Warp*g.Warp + k.Coupling*g.Weft,
		k.Coupling*g.Warp + k.Weft*g.Weft,
		0.25 * k.Shear * g.Shear,
	}
	return 0.5 * (g.Warp*s.Warp + g.Weft*s.Weft + g.Shear*s.Shear), s
}

func (k StVK) tangent(scale float64) Tangent {
	return Tangent{C00: scale * k.Warp, C01: scale * k.Coupling, C11: scale * k.Weft, C22: 0.25 * scale * k.Shear}
}

// Validate accepts positive definite laws only.
func (k StVK) Validate() error {
	var faults []error
	for _, c := range []struct {
		name string
		k    float64
	}{{"warp", k.Warp}, {"weft", k.Weft}, {"shear", k.Shear}} {
		if !(c.k > 0) || math.IsInf(c.k, 1) {
			faults = append(faults, fmt.Errorf("%s stiffness is %g N/m: write a positive number", c.name, c.k))
		}
	}
	// The comparison is written so that a coupling that is not a number is a fault too.
	if len(faults) == 0 && !(k.Coupling*k.Coupling < k.Warp*k.Weft) {
		faults = append(
			faults,
			fmt.Errorf(
				"coupling stiffness is %g N/m, which makes energies negative: write one smaller than √(warp weft) = %g N/m (a Poisson ratio between -1 and 1)",
				k.Coupling,
				math.Sqrt(k.Warp*k.Weft),
			),
		)
	}
	return errors.Join(faults...)
}

// times returns C g.
func (c *Tangent) times(g Strain) Tension {
	return Tension{
		c.C00*g.Warp + c.C01*g.Weft + c.C02*g.Shear,
		c.C01*g.Warp + c.C11*g.Weft + c.C12*g.Shear,
		c.C02*g.Warp + c.C12*g.Weft + c.C22*g.Shear,
	}
}

func (c *Tangent) scale(s float64) {
	c.C00 *= s
	c.C01 *= s
	c.C02 *= s
	c.C11 *= s
	c.C12 *= s
	c.C22 *= s
}

// project replaces c by its positive semi-definite part: negative eigenvalues become zero.
func (c *Tangent) project() {
	if c.positiveDefinite() {
		return
	}
	a := [3][3]float64{{c.C00, c.C01, c.C02}, {c.C01, c.C11, c.C12}, {c.C02, c.C12, c.C22}}
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	r3.Diagonalize(&a, &v)
	*c = Tangent{}
	for i := range 3 {
		l := a[i][i]
		if !(l > 0) {
			continue
		}
		p, q, r := v[0][i], v[1][i], v[2][i]
		c.C00 += l * p * p
		c.C01 += l * p * q
		c.C02 += l * p * r
		c.C11 += l * q * q
		c.C12 += l * q * r
		c.C22 += l * r * r
	}
}

// positiveDefinite tries a Cholesky factorization.
func (c *Tangent) positiveDefinite() bool {
	if !(c.C00 > 0) {
		return false
	}
	l1, l2 := c.C01/c.C00, c.C02/c.C00
	d1, e := c.C11-l1*c.C01, c.C12-l1*c.C02
	return d1 > 0 && c.C22-l2*c.C02-e*e/d1 > 0
}
