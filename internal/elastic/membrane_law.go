package elastic

import (
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

// StVK is the orthotropic law with constant coefficients.
type StVK material.Stretch

var _ MembraneLaw = StVK{}

// Validate lists what keeps the law from being positive definite.
func (k StVK) Validate() error { return material.Stretch(k).Validate() }

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
