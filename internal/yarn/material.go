package yarn

import (
	"errors"
	"fmt"
	"math"
)

// Material is what all yarns of a world are made of.
type Material struct {
	Radius  float64 // [m]
	Density float64 // mass by length [kg/m]

	Bend    float64 // bending stiffness EI [N m²]
	Twist   float64 // torsional stiffness GJ [N m²]
	Contact float64 // stiffness k of the energy of contact k ∫∫ f ds ds' [N/m]

	// Plastic is how far, as an angle at a control point, the rest shape may lie from the shape; beyond it follows
	// [rad]. PlasticMost is the most that it may bend at all. Zero for both: the yarn keeps its rest shape.
	Plastic, PlasticMost float64

	DampNormal, DampTangent float64 // of contact, along the normal and across it [N s/m³]
	Friction                float64 // Coulomb's coefficient of yarn on yarn

	// Motion within a block of loops that is not rigid is slowed down by DampRate, and by DampConstant at the least,
	// until it has stopped.
	DampRate     float64 // [1/s]
	DampConstant float64 // [m/s²]
}

// Kaldor is the yarn of [Kaldor10]: radius, contact, plasticity and damping are from its table 1. Mass, bending and
// twist, which it does not give, are estimates.
func Kaldor() Material {
	return Material{
		Radius: 1.25e-3, Density: 1.15e-3, Bend: 1e-10, Twist: 5e-11, Contact: 3.25,
		Plastic: 0.01, PlasticMost: 2.5, DampRate: 1500, DampConstant: 5,
	}
}

// Worsted is a woollen yarn of 500 tex. Its bending stiffness is an estimate; contact is that of Kaldor.
func Worsted() Material {
	m := Kaldor()
	m.Radius, m.Density, m.Bend, m.Twist = 1.1e-3, 0.5e-3, 1e-8, 5e-9
	return m
}

// Validate lists everything that is wrong with the material.
func (m *Material) Validate() error {
	var faults []error
	number := func(name string, v float64, positive bool) {
		if !(v >= 0) || positive && v == 0 || math.IsInf(v, 1) {
			least := "zero or positive"
			if positive {
				least = "positive"
			}
			faults = append(faults, fmt.Errorf("%s is %g; it must be %s", name, v, least))
		}
	}
	number("radius", m.Radius, true)
	number("density", m.Density, true)
	number("bending stiffness", m.Bend, false)
	number("torsional stiffness", m.Twist, false)
	number("contact stiffness", m.Contact, false)
	number("plasticity", m.Plastic, false)
	number("most plasticity", m.PlasticMost, false)
	number("normal damping", m.DampNormal, false)
	number("tangential damping", m.DampTangent, false)
	number("friction", m.Friction, false)
	number("rate of damping", m.DampRate, false)
	number("constant of damping", m.DampConstant, false)
	return errors.Join(faults...)
}
