package material

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/words"
)

// Fabric is a material to make cloth of.
type Fabric struct {
	Name        string
	Description string
	Density     float64 // [kg/m²]
	Thickness   float64 // [m]; an estimate in every preset, for none of them was it measured

	Membrane Stretch       // at small strain
	Table    *StretchTable // the same with its dependence on strain; nil where none was measured

	// Plate rigidities B [N m] against curvature along the warp, the weft and the bias (45 degrees),
	// with none across: the moment per width over the curvature.
	BendWarp, BendWeft, BendBias float64
	// BendPoisson is the bending Poisson ratio: how much bending along one axis makes the other want
	// to bend.
	BendPoisson float64
	// BendTable holds the figures k [N m] (four times B) from which the rigidities were taken: along
	// warp, bias and weft, at five curvatures. All zero where none was measured.
	BendTable [3][5]float64

	// Damping is the time [s] by which the stiffness is multiplied to give the viscosity; a choice in
	// every preset.
	Damping float64

	// Source says what was read, where. Estimate marks figures that were not read anywhere, and then
	// Range says what they were chosen from.
	Source   string
	Estimate bool
	Range    string
}

// Validate lists what is wrong with the fabric.
func (f *Fabric) Validate() error {
	var faults []error
	// what has to be positive
	positive := func(name string, value float64, unit string) {
		if !(value > 0) || math.IsInf(value, 1) {
			faults = append(faults, fmt.Errorf("%s is %g %s: write a positive number", name, value, unit))
		}
	}
	positive("density", f.Density, "kg/m²")
	positive("thickness", f.Thickness, "m")
	positive("bending rigidity along the warp", f.BendWarp, "N m")
	positive("bending rigidity along the weft", f.BendWeft, "N m")
	positive("bending rigidity along the bias", f.BendBias, "N m")
	// bending Poisson ratio, and damping
	if !(math.Abs(f.BendPoisson) < 1) {
		faults = append(
			faults,
			fmt.Errorf("bending Poisson ratio is %g: write a number between -1 and 1", f.BendPoisson),
		)
	}
	if !(f.Damping >= 0) || math.IsInf(f.Damping, 1) {
		faults = append(faults, fmt.Errorf("damping is %g s: write zero or a positive number", f.Damping))
	}
	// stretching: moduli and, if there is one, the table
	if err := f.Membrane.Validate(); err != nil {
		faults = append(faults, err)
	}
	if f.Table != nil {
		if err := f.Table.Validate(); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// Fabrics returns the names of the presets, sorted.
func Fabrics() []string {
	var names []string
	for i := range measuredFabrics {
		names = append(names, measuredFabrics[i].name)
	}
	for _, f := range estimatedFabrics() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// LookupFabric returns the preset of that name, one of those that Fabrics lists: cotton, cotton-interlock,
// cotton-polyester-pants, default, denim, paper, polyester-blanket, polyester-jacket, polyester-tablecloth,
// ponte-roma-knit, rib-knit, silk, sweater-knit, swimsuit-knit and wool.
func LookupFabric(name string) (Fabric, error) {
	for i := range measuredFabrics {
		if measuredFabrics[i].name == name {
			return measuredFabrics[i].fabric(), nil
		}
	}
	for _, f := range estimatedFabrics() {
		if f.Name == name {
			return f, nil
		}
	}
	return Fabric{}, unknownPreset("fabric", name, Fabrics())
}

// unknownPreset is the fault of naming a preset of some kind that is not among those there are.
func unknownPreset(kind, name string, names []string) error {
	best, least := "", len(name)/2+1
	for _, n := range names {
		d := words.Distance(strings.ToLower(name), n)
		for word := range strings.SplitSeq(n, "-") {
			// A word of the name alone is as good as a misspelt letter.
			d = min(d, 1+words.Distance(strings.ToLower(name), word))
		}
		if d < least {
			best, least = n, d
		}
	}
	list := strings.Join(names, ", ")
	if best != "" {
		return fmt.Errorf("there is no %s %q; did you mean %q? The %ss are %s", kind, name, best, kind, list)
	}
	return fmt.Errorf("there is no %s %q; the %ss are %s", kind, name, kind, list)
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
