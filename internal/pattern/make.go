package pattern

// Make meshes the panels with triangles of about the given size [m] and works out how they are sewn. Faults of
// the pattern come all at once, as Faults.
func (p *Pattern) Make(size float64) (*Garment, error) {
	m := &maker{pattern: p, size: size}
	for _, stage := range []func(){
		m.checkNames, m.checkPanels, m.cut, m.checkSeams, m.divide, m.checkOutlines, m.turn, m.place, m.meshPanels, m.sew, m.separate, m.finish,
	} {
		if stage(); len(m.faults) > 0 {
			return nil, m.faults
		}
	}
	return &m.out, nil
}
