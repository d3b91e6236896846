package mannequin

import (
	"errors"
	"fmt"
	"math"
)

// Measures are the sizes of a body, as a tailor takes them [m]. All are circumferences but Height, Shoulder, Arm and
// Inseam.
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

// measure is one of the measures by its name, and the range it may have.
type measure struct {
	name   string
	at     func(*Measures) *float64
	lo, hi float64 // relative to the height; of the height itself [m]
}

// measures say which bodies can be made. The height is free over a wide range; everything else follows it, so that a
// measure in the wrong unit or of the wrong part is seen at once. The height comes first.
var measures = []measure{
	{"height", func(m *Measures) *float64 { return &m.Height }, 0.8, 2.5},
	{"head", func(m *Measures) *float64 { return &m.Head }, 0.28, 0.42},
	{"neck", func(m *Measures) *float64 { return &m.Neck }, 0.16, 0.28},
	{"shoulder", func(m *Measures) *float64 { return &m.Shoulder }, 0.19, 0.30},
	{"chest", func(m *Measures) *float64 { return &m.Chest }, 0.44, 0.74},
	{"waist", func(m *Measures) *float64 { return &m.Waist }, 0.34, 0.66},
	{"hip", func(m *Measures) *float64 { return &m.Hip }, 0.46, 0.74},
	{"arm", func(m *Measures) *float64 { return &m.Arm }, 0.28, 0.42},
	{"upper-arm", func(m *Measures) *float64 { return &m.UpperArm }, 0.12, 0.25},
	{"wrist", func(m *Measures) *float64 { return &m.Wrist }, 0.07, 0.13},
	{"thigh", func(m *Measures) *float64 { return &m.Thigh }, 0.25, 0.42},
	{"calf", func(m *Measures) *float64 { return &m.Calf }, 0.15, 0.28},
	{"ankle", func(m *Measures) *float64 { return &m.Ankle }, 0.10, 0.18},
	{"inseam", func(m *Measures) *float64 { return &m.Inseam }, 0.40, 0.50},
}

// MeasureNames returns the names of the measures, as Validate and Named write them.
func MeasureNames() []string {
	var names []string
	for _, b := range measures {
		names = append(names, b.name)
	}
	return names
}

// Named returns a measure by its name, to be read or changed, or nil if none has that name.
func (m *Measures) Named(name string) *float64 {
	for _, b := range measures {
		if b.name == name {
			return b.at(m)
		}
	}
	return nil
}

// Validate lists all measures of which no body can be made.
func (m Measures) Validate() error {
	var faults []error
	height := 1.0
	for i, b := range measures {
		x, unit, of := *b.at(&m), height, fmt.Sprintf(" for a height of %.3g m", height)
		if i == 0 {
			unit, of = 1, ""
		}
		lo, hi := b.lo*unit, b.hi*unit
		sound := x >= lo && x <= hi
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			faults = append(faults, fmt.Errorf("%s is not a finite length", b.name))
		case !sound:
			faults = append(faults, fmt.Errorf("%s is %.4g m; it must be from %.3g to %.3g m%s", b.name, x, lo, hi, of))
		}
		if i == 0 {
			if !sound {
				break // and with it all that is relative to it
			}
			height = x
		}
	}
	return errors.Join(faults...)
}
