package scenefile

import (
	"slices"

	"github.com/toile-sim/toile/material"
)

func (m *Material) check(d *decoder) {
	if names := material.Fabrics(); !slices.Contains(names, m.Preset) {
		hint := suggestionOnly(m.Preset, names)
		if hint == "" {
			hint = "; the presets are " + orList(names)
		}
		d.faults.add(m.key("preset"), "unknown preset %s%s", shown(m.Preset), hint)
		return
	}
	if !m.Tabulated() {
		return
	}
	if f, err := material.LookupFabric(m.Preset); err == nil && f.Table == nil {
		d.faults.add(
			m.key("law"),
			"law: measured, but nobody measured the preset %q by strain; write law: linear",
			m.Preset,
		)
	}
	if m.Stretch.replaces() {
		d.faults.add(m.key("stretch"), "stretch is for law: linear; with law: measured the preset's table is used")
	}
}

// Tabulated reports whether stiffness is taken from the preset's table.
func (m *Material) Tabulated() bool { return m.Law == "measured" }

// Fabric returns the fabric that the material describes.
func (m *Material) Fabric() (material.Fabric, error) {
	f, err := material.LookupFabric(m.Preset)
	if err != nil {
		return f, err
	}
	m.Replace(&f, (*Scalar).Start)
	return f, f.Validate()
}

// Replace puts the material's own figures, as at says them, into the place of those of the preset.
func (m *Material) Replace(f *material.Fabric, at func(*Scalar) float64) {
	replace := func(figure *float64, with *Scalar) {
		if with != nil {
			*figure = at(with)
		}
	}
	replace(&f.Density, m.Density)
	replace(&f.Damping, m.Damping)
	if m.Thickness != nil {
		f.Thickness = *m.Thickness
	}
	if s := m.Stretch; s.replaces() {
		warp, weft, shear, poisson := f.Membrane.Engineering()
		replace(&warp, s.Warp)
		replace(&weft, s.Weft)
		replace(&shear, s.Shear)
		replace(&poisson, s.Poisson)
		f.Membrane, f.Table = material.NewStretch(warp, weft, shear, poisson), nil
	}
	if b := m.Bend; b.replaces() {
		replace(&f.BendWarp, b.Warp)
		replace(&f.BendWeft, b.Weft)
		replace(&f.BendBias, b.Bias)
		replace(&f.BendPoisson, b.Poisson)
		f.BendTable = [3][5]float64{}
	}
}

// replaces tells whether figures of the preset are replaced, not only multiplied.
func (s *Stretch) replaces() bool {
	return s != nil && (s.Warp != nil || s.Weft != nil || s.Shear != nil || s.Poisson != nil)
}

func (b *Bend) replaces() bool {
	return b != nil && (b.Warp != nil || b.Weft != nil || b.Bias != nil || b.Poisson != nil)
}

// stretches, bends and others are the numbers of a material by what of the engine they go to.
func (m *Material) Stretches() []*Scalar {
	if m.Stretch == nil {
		return nil
	}
	return []*Scalar{m.Stretch.Warp, m.Stretch.Weft, m.Stretch.Shear, m.Stretch.Poisson}
}

func (m *Material) Bends() []*Scalar {
	if m.Bend == nil {
		return nil
	}
	return []*Scalar{m.Bend.Warp, m.Bend.Weft, m.Bend.Bias, m.Bend.Poisson, m.Bend.Factor}
}
