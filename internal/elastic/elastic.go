// Package elastic computes energy, force and Hessian of elements: membranes, bending plates,
// hinges, tets. What all families of them have in common is in package element.
package elastic

import "github.com/toile-sim/toile/internal/element"

// What an assembly knows of elements.
type (
	Detail      = element.Detail
	Elements    = element.Elements
	Tense       = element.Tense
	Viscous     = element.Viscous
	Dissipative = element.Dissipative
	Turner      = element.Turner
	Damping     = element.Damping
	Barrier     = element.Barrier
)

// The levels of detail, each including the ones before.
const (
	EnergyOnly = element.EnergyOnly
	WithForce  = element.WithForce
	WithRate   = element.WithRate
	Projected  = element.Projected
	Exact      = element.Exact
)
