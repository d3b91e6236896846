package shape

import (
	"errors"
	"fmt"
	"math"
)

// Measures are the sizes of a body, as a tailor takes them [m]. All are circumferences but Height, Shoulder, Arm and Inseam.
type Measures struct {
	Height   float64 // from the floor to the top of the head, standing
	Head     float64 // above the eyes
	Neck     float64 // half way up
	Shoulder float64 // width from the left to the right shoulder point
	Chest    float64 // below the armpits, level
	Waist    float64 // where the trunk is narrowest, level
	Hip      float64 // where the seat is widest, level
	Arm      float64 // from the shoulder point to the wrist
	UpperArm float64 // half way from shoulder to elbow
	Wrist    float64
	Thigh    float64 // below the crotch, at right angles to the leg
	Calf     float64 // where the lower leg is thickest
	Ankle    float64 // where the lower leg is thinnest
	Inseam   float64 // from the crotch to the floor
}

// Sizes returns the names of the sizes that MeasuresOf knows.
func Sizes() []string { return []string{"S", "M", "L"} }

// MeasuresOf returns the measures of a size: "S", "M" or "L". They are round figures of ready-made clothing.
func MeasuresOf(size string) (Measures, error) {
	switch size {
	case "S":
		return Measures{
			Height: 1.62, Head: 0.55, Neck: 0.33, Shoulder: 0.375, Chest: 0.85, Waist: 0.68, Hip: 0.91, Arm: 0.55,
			UpperArm: 0.26, Wrist: 0.15, Thigh: 0.52, Calf: 0.335, Ankle: 0.22, Inseam: 0.74,
		}, nil
	case "M":
		return Measures{
			Height: 1.70, Head: 0.56, Neck: 0.355, Shoulder: 0.40, Chest: 0.93, Waist: 0.76, Hip: 0.98, Arm: 0.58,
			UpperArm: 0.285, Wrist: 0.16, Thigh: 0.56, Calf: 0.36, Ankle: 0.23, Inseam: 0.78,
		}, nil
	case "L":
		return Measures{
			Height: 1.78, Head: 0.575, Neck: 0.385, Shoulder: 0.43, Chest: 1.03, Waist: 0.88, Hip: 1.07, Arm: 0.61,
			UpperArm: 0.32, Wrist: 0.172, Thigh: 0.61, Calf: 0.39, Ankle: 0.245, Inseam: 0.815,
		}, nil
	}
	return Measures{}, fmt.Errorf("no size is called %q; write S, M or L, or give measures", size)
}

// bounds is a range that a measure may have, relative to another one.
type bounds struct {
	name   string
	of     func(*Measures) float64
	lo, hi float64
	per    string // the measure that lo and hi are relative to; empty: metres
	unit   func(*Measures) float64
}

func metre(*Measures) float64 { return 1 }

func height(m *Measures) float64 { return m.Height }

// measureBounds say which bodies can be made. The height is free over a wide range; everything else follows it, so that a
// measure in the wrong unit or of the wrong part is seen at once.
var measureBounds = []bounds{
	{"height", height, 0.8, 2.5, "", metre},
	{"head", func(m *Measures) float64 { return m.Head }, 0.28, 0.42, "height", height},
	{"neck", func(m *Measures) float64 { return m.Neck }, 0.16, 0.28, "height", height},
	{"shoulder", func(m *Measures) float64 { return m.Shoulder }, 0.19, 0.30, "height", height},
	{"chest", func(m *Measures) float64 { return m.Chest }, 0.44, 0.74, "height", height},
	{"waist", func(m *Measures) float64 { return m.Waist }, 0.34, 0.66, "height", height},
	{"hip", func(m *Measures) float64 { return m.Hip }, 0.46, 0.74, "height", height},
	{"arm", func(m *Measures) float64 { return m.Arm }, 0.28, 0.42, "height", height},
	{"upper-arm", func(m *Measures) float64 { return m.UpperArm }, 0.12, 0.25, "height", height},
	{"wrist", func(m *Measures) float64 { return m.Wrist }, 0.07, 0.13, "height", height},
	{"thigh", func(m *Measures) float64 { return m.Thigh }, 0.25, 0.42, "height", height},
	{"calf", func(m *Measures) float64 { return m.Calf }, 0.15, 0.28, "height", height},
	{"ankle", func(m *Measures) float64 { return m.Ankle }, 0.10, 0.18, "height", height},
	{"inseam", func(m *Measures) float64 { return m.Inseam }, 0.40, 0.50, "height", height},
}

// Validate lists all measures of which no body can be made.
func (m Measures) Validate() error {
	var faults []error
	for _, b := range measureBounds {
		x, unit := b.of(&m), b.unit(&m)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			faults = append(faults, fmt.Errorf("%s is not a finite length", b.name))
			continue
		}
		if b.per != "" && !(unit >= 0.8 && unit <= 2.5) {
			continue // the height is wrong, and with it all that is relative to it
		}
		if lo, hi := b.lo*unit, b.hi*unit; !(x >= lo && x <= hi) {
			text := fmt.Sprintf("%s is %.4g m; it must be from %.3g to %.3g m", b.name, x, lo, hi)
			if b.per != "" {
				text += fmt.Sprintf(" for a %s of %.3g m", b.per, unit)
			}
			faults = append(faults, errors.New(text))
		}
	}
	return errors.Join(faults...)
}
