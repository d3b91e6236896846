package engine

import (
	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// The parts of a Cloth.
type (
	// Cloth is a sheet to be added to a world.
	Cloth = body.ClothSpec
	// MembraneModel is a way to measure stretch.
	MembraneModel = body.MembraneModel
	// BendingModel is a form of the bending energy.
	BendingModel = body.BendingModel
	// RestCurvature is the shape in which a sheet has no bending energy.
	RestCurvature = body.RestCurvature
	// Clamp makes the sheet leave a boundary edge in a given direction.
	Clamp = body.Clamp
	// Maps hold what differs from place to place of a sheet.
	Maps = body.Maps
	// Seams are pairs of vertices of a cloth that threads draw together.
	Seams = body.Seams
	// Thread is what seams are sewn with.
	Thread = body.Thread
)

// The models of a cloth; see package body.
const (
	Chord       = body.Chord
	Arc         = body.Arc
	Plate       = body.Plate
	Hinge       = body.Hinge
	Isometric   = body.Isometric
	FlatRest    = body.FlatRest
	InitialRest = body.InitialRest
)

// DefaultCloth returns a sheet of the given mesh at the given place, with the defaults of the other fields.
func DefaultCloth(name string, m *mesh.Mesh, positions []r3.Vec, fabric material.Fabric) Cloth {
	return body.DefaultCloth(name, m, positions, fabric)
}

// ParseMembrane returns the model of that name: chord or arc.
func ParseMembrane(name string) (MembraneModel, error) { return body.ParseMembrane(name) }

// ParseBending returns the model of that name: plate, hinge or isometric.
func ParseBending(name string) (BendingModel, error) { return body.ParseBending(name) }

// Remesh says to which sizes a cloth is remeshed.
type Remesh = remesh.Options

// DefaultRemesh returns sizes of 10 to 200 mm and the criteria of [Narain12], [Narain13] and [Li18].
func DefaultRemesh() Remesh { return remesh.DefaultOptions() }

// RemeshMetric is how sizes follow what a cloth may touch.
type RemeshMetric = remesh.ContactMetric

// The metrics: [Li18] equations (15) and (16), the older one of equation (14), and none.
const (
	RemeshProximity = remesh.Proximity
	RemeshObstacle  = remesh.Obstacle
	RemeshNoContact = remesh.NoContact
)
