package material

import (
	"math"
	"strings"
	"testing"
)

func TestStretchValidate(t *testing.T) {
	for _, c := range []struct {
		law  Stretch
		says string
	}{
		{Stretch{Warp: 1, Weft: 1, Shear: 1, Coupling: 1}, "coupling"},
		{Stretch{Warp: 1, Weft: 1, Shear: 1, Coupling: math.NaN()}, "coupling"},
		{Stretch{Weft: 1, Shear: 1}, "warp"},
		{Stretch{Warp: 1, Weft: math.NaN(), Shear: 1}, "weft"},
		{Stretch{Warp: 1, Weft: 1, Shear: math.Inf(1)}, "shear"},
	} {
		if err := c.law.Validate(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one about the %s stiffness", c.law, err, c.says)
		}
	}
}

func TestStretchTableValidate(t *testing.T) {
	good := StretchRow{1, 0, 1, 1}
	for _, bad := range []StretchRow{{math.NaN(), 0, 1, 1}, {1, math.Inf(1), 1, 1}, {1, 0, -1, 1}, {1, 0, 1, 0}} {
		table := StretchTable{Small: bad, Large: [5]StretchRow{good, good, good, good, good}}
		if table.Validate() == nil {
			t.Errorf("small row %v is accepted", bad)
		}
	}
}
