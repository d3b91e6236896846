package elastic

import "math"

// Plate returns the plate law of the fabric.
func (f *Fabric) Plate() PlateLaw {
	k := f.stiffness()
	return k.Plate(f.BendPoisson)
}

// Hinge returns the hinge law of the fabric.
func (f *Fabric) Hinge() HingeLaw {
	k := f.stiffness()
	return k.Hinge()
}

// stiffness returns the rigidities as hinge stiffness at small curvature: k is four times B.
func (f *Fabric) stiffness() WangBending {
	return WangBending{{4 * f.BendWarp}, {4 * f.BendBias}, {4 * f.BendWeft}}
}

// Rigidity is the bending part of a fabric.
type Rigidity struct {
	Warp, Weft, Bias float64 // as BendWarp, BendWeft and BendBias of Fabric [N m]
	Poisson          float64 // as BendPoisson
}

// WithBend returns the fabric with another bending part.
func (f *Fabric) WithBend(r Rigidity) Fabric {
	g := *f
	g.BendWarp, g.BendWeft, g.BendBias, g.BendPoisson = r.Warp, r.Weft, r.Bias, r.Poisson
	return g
}

// MeanRigidity returns one number for all directions [N m]: the geometric mean of warp and weft keeps the product of
// both.
func (f *Fabric) MeanRigidity() float64 { return math.Sqrt(f.BendWarp * f.BendWeft) }
