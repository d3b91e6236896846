package scenefile

import (
	"math"
	"testing"
)

func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		text, dim string
		want      float64
	}{
		{"1", "length", 1},
		{"2 mm", "length", 2e-3},
		{"2mm", "length", 2e-3},
		{"3 cm", "length", 0.03},
		{"-4um", "length", -4e-6},
		{"5 µm", "length", 5e-6},
		{"1 in", "length", 0.0254},
		{"1 ft", "length", 0.3048},
		{"2 km", "length", 2000},
		{"1e-3 m", "length", 1e-3},
		{".5 m", "length", 0.5},
		{"+1. m", "length", 1},
		{"  7  m  ", "length", 7},
		{"5 s", "time", 5},
		{"5 ms", "time", 5e-3},
		{"5 us", "time", 5e-6},
		{"2 min", "time", 120},
		{"180 deg", "angle", math.Pi},
		{"180°", "angle", math.Pi},
		{"1 turn", "angle", 2 * math.Pi},
		{"1 rad", "angle", 1},
		{"3 kg", "mass", 3},
		{"3 g", "mass", 3e-3},
		{"2 N", "force", 2},
		{"2 mN", "force", 2e-3},
		{"36 km/h", "speed", 10},
		{"1 mm/s", "speed", 1e-3},
		{"500 N/m", "stiffness", 500},
		{"5 N/cm", "stiffness", 500},
		{"2 kN/m", "stiffness", 2000},
		{"1 N m", "rigidity", 1},
		{"1 uN m", "rigidity", 1e-6},
		{"1 µN·m", "rigidity", 1e-6},
		{"1 mN*m", "rigidity", 1e-3},
		{"1 Nm", "rigidity", 1},
		{"200 g/m2", "areal-density", 0.2},
		{"200 g/m²", "areal-density", 0.2},
		{"200 g/m^2", "areal-density", 0.2},
		{"1.2 kg/m3", "volume-density", 1.2},
		{"9.81 m/s2", "acceleration", 9.81},
		{"50 Hz", "rate", 50},
		{"0.3", "", 0.3},
	} {
		got, err := parseQuantity(c.text, dimensionNamed(c.dim))
		// One rounding each for the number, the unit and their product.
		if err != nil || math.Abs(got-c.want) > 4*0x1p-53*math.Abs(c.want) {
			t.Errorf("%q as %s: %g, %v; want %g", c.text, c.dim, got, err, c.want)
		}
	}
	for _, c := range []struct{ text, dim string }{
		{"", "length"},
		{"mm", "length"},
		{"1 M", "length"},
		{"1 MM", "length"},
		{"0x10", "length"},
		{"1_000", "length"},
		{"1 2", "length"},
		{"1e", "length"},
		{"nan", "length"},
		{"1 m m", "length"},
		{"--1", "length"},
		{"1e400", "length"},
		{"1e308 km", "length"},
		{"1 m", ""},
		{"5%", ""},
	} {
		if got, err := parseQuantity(c.text, dimensionNamed(c.dim)); err == nil {
			t.Errorf("%q as %s is %g", c.text, c.dim, got)
		}
	}
}

func TestTagsNameDimensions(t *testing.T) {
	// A misspelt tag would silently make a quantity a plain number.
	eachField(t, func(path string, f field, dim string) {
		if dim != "" && f.dim == nil {
			t.Errorf("%s has the unknown dimension %q", path, dim)
		}
		if f.doc == "" {
			t.Errorf("%s is not documented", path)
		}
	})
}
