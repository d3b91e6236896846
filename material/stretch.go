package material

import (
	"errors"
	"fmt"
	"math"
)

// Stretch are the stiffnesses of a sheet in its plane at small strain, with the energy
//
//	W = ½ (k0 G00² + k2 G11² + 2 k1 G00 G11 + k3 G01²)   [J/m²]
//
// of the Green strain G, in the convention of [Wang11]: k3 multiplies the square of the tensor component G01, a quarter
// of the square of the shear angle 2 G01. An engineering shear stiffness (tension over angle) is therefore k3/4.
// NewStretch converts from engineering constants.
type Stretch struct {
	Warp     float64 // k0 [N/m]
	Coupling float64 // k1 [N/m]
	Weft     float64 // k2 [N/m]
	Shear    float64 // k3 [N/m]
}

// NewStretch returns the stiffnesses of a sheet that has, at small strain, the given stiffness, in N/m, when a
// strip is pulled along the warp or the weft and may contract freely (tension over strain), the
// given shear stiffness (tension over shear angle), and the geometric mean poisson = √(ν_wf ν_fw)
// of the two Poisson ratios:
//
//	k0 = warp/(1-ν²),  k2 = weft/(1-ν²),  k1 = ν √(warp weft)/(1-ν²),  k3 = 4 shear
//
// An isotropic sheet of stiffness E (Young's modulus times thickness) has warp = weft = E and
// shear = E/(2 (1 + ν)).
func NewStretch(warp, weft, shear, poisson float64) Stretch {
	f := 1 / (1 - poisson*poisson)
	return Stretch{Warp: f * warp, Coupling: f * poisson * math.Sqrt(warp*weft), Weft: f * weft, Shear: 4 * shear}
}

// Engineering returns the constants from which NewStretch makes the same.
func (k Stretch) Engineering() (warp, weft, shear, poisson float64) {
	poisson = k.Coupling / math.Sqrt(k.Warp*k.Weft)
	f := 1 - poisson*poisson
	return f * k.Warp, f * k.Weft, k.Shear / 4, poisson
}

// Validate accepts positive definite energies only.
func (k Stretch) Validate() error {
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
				"coupling stiffness is %g N/m, which makes energies negative: write one smaller than "+
					"√(warp weft) = %g N/m (a Poisson ratio between -1 and 1)",
				k.Coupling,
				math.Sqrt(k.Warp*k.Weft),
			),
		)
	}
	return errors.Join(faults...)
}

// StretchRow are stiffnesses, in N/m, in the order of the tables of [Wang11]: k0 (warp), k1 (coupling), k2 (weft) and
// k3 (shear), with the meaning they have in Stretch.
type StretchRow [4]float64

// Admissible returns the row without negative stiffness, and with a coupling of at most √(k0 k2).
func (r StretchRow) Admissible() StretchRow {
	for i := range r {
		r[i] = max(r[i], 0)
	}
	r[1] = min(r[1], math.Sqrt(r[0]*r[2]))
	return r
}

// StretchTable is how stiffness depends on strain: a row for small strain, and five for large strain along 0, 22.5, 45,
// 67.5 and 90 degrees to the warp.
type StretchTable struct {
	Small StretchRow
	Large [5]StretchRow
}

// AtRest returns the stiffness near rest.
func (t *StretchTable) AtRest() Stretch {
	k := t.Small.Admissible()
	return Stretch{Warp: k[0], Coupling: k[1], Weft: k[2], Shear: k[3]}
}

// Validate asks for finite coefficients, and for warp, weft and shear stiffness near rest.
func (t *StretchTable) Validate() error {
	var faults []error
	// rows near rest and at large stretch
	for i, row := range append([]StretchRow{t.Small}, t.Large[:]...) {
		for j, k := range row {
			if math.IsNaN(k) || math.IsInf(k, 0) {
				faults = append(
					faults,
					fmt.Errorf(
						"row %d, coefficient %d of the stretching table is %g: write a finite number [N/m]",
						i+1,
						j+1,
						k,
					),
				)
			}
		}
		// warp and weft resist in all of them
		if !(row[0] > 0 && row[2] > 0) {
			faults = append(
				faults,
				fmt.Errorf(
					"row %d of the stretching table has warp %g and weft %g N/m: write positive numbers",
					i+1,
					row[0],
					row[2],
				),
			)
		}
	}
	// shear resists near rest
	if !(t.Small[3] > 0) {
		faults = append(
			faults,
			fmt.Errorf("row 1 of the stretching table has shear %g N/m: write a positive number", t.Small[3]),
		)
	}
	return errors.Join(faults...)
}
