package elastic

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
