// Package body holds the things that are simulated: cloths, rigid and soft bodies. What a step knows of them is in
// package mech.
package body

import (
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// What a step knows of a body.
type (
	Body      = mech.Body
	Part      = mech.Part
	Start     = mech.Start
	Placed    = mech.Placed
	Assembly  = mech.Assembly
	Guided    = mech.Guided
	Led       = mech.Led
	Bound     = mech.Bound
	Turning   = mech.Turning
	Carrying  = mech.Carrying
	Spinning  = mech.Spinning
	Potential = mech.Potential
	Acted     = mech.Acted
	Actions   = mech.Actions
)

// NewAssembly lays out the matrix of n nodes coupled by the elements of all parts.
func NewAssembly(team *par.Team, n int, parts []Placed) *Assembly {
	return mech.NewAssembly(team, n, parts)
}

// Drift is Arrive of blocks that are points: x1 = x0 + h v.
func Drift(x0, v []r3.Vec, h float64, x1 []r3.Vec) { mech.Drift(x0, v, h, x1) }
