package scene

import (
	"slices"

	"github.com/toile-sim/toile/elastic"
)

func (m *Material) check(d *decoder) {
	if names := elastic.Fabrics(); !slices.Contains(names, m.Preset) {
		hint := suggestionOnly(m.Preset, names)
		if hint == "" {
			hint = "; the presets are " + orList(names)
		}
		d.faults.add(m.key("preset"), "unknown preset %s%s", shown(m.Preset), hint)
		return
	}
	if !m.tabulated() {
		return
	}
	if f, err := elastic.LookupFabric(m.Preset); err == nil && f.Table == nil {
		d.faults.add(m.key("law"), "law: measured, but nobody measured the preset %q by strain; write law: linear", m.Preset)
	}
	if m.Stretch != nil {
		d.faults.add(m.key("stretch"), "stretch is for law: linear; with law: measured the preset's table is used")
	}
}

// tabulated reports whether stiffness is taken from the preset's table.
func (m *Material) tabulated() bool { return m.Law == "measured" }

// Fabric returns the fabric that the material describes.
func (m *Material) Fabric() (elastic.Fabric, error) {
	f, err := elastic.LookupFabric(m.Preset)
	if err != nil {
		return f, err
	}
	replace := func(figure *float64, with *float64) {
		if with != nil {
			*figure = *with
		}
	}
	replace(&f.Density, m.Density)
	replace(&f.Damping, m.Damping)
	replace(&f.Thickness, m.Thickness)
	if s := m.Stretch; s != nil {
		warp, weft, shear, poisson := f.Membrane.Engineering()
		replace(&warp, s.Warp)
		replace(&weft, s.Weft)
		replace(&shear, s.Shear)
		replace(&poisson, s.Poisson)
		f.Membrane, f.Table = elastic.NewStVK(warp, weft, shear, poisson), nil
	}
	if b := m.Bend; b != nil {
		replace(&f.BendWarp, b.Warp)
		replace(&f.BendWeft, b.Weft)
		replace(&f.BendBias, b.Bias)
		replace(&f.BendPoisson, b.Poisson)
		f.BendTable = [3][5]float64{}
	}
	return f, f.Validate()
}
