package engine

import (
	"fmt"

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

// What package cloths does, for tests of the engine, which it cannot be imported by.

func (w *World) AddCloth(c Cloth) (ClothID, error) {
	b, err := body.NewCloth(c, w.time)
	if err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	return w.AddSheet(c.Name, b, c.Positions, c.Velocities, b.Mass), nil
}

func (w *World) cloth(id ClothID) *body.Cloth { return w.Sheet(id).(*body.Cloth) }

func (w *World) Cloth(id ClothID) Cloth { return w.cloth(id).Spec }

func (w *World) Input(id ClothID) Cloth { return w.cloth(id).Original() }

func (w *World) VertexIDs(id ClothID) []int64 { return w.cloth(id).IDs() }

func (w *World) InputPositions(id ClothID, out []r3.Vec) []r3.Vec {
	return w.cloth(id).InputPositions(w.Positions(id), out)
}

func (w *World) WidestStitch(id ClothID) (gap float64, pair int) {
	return w.cloth(id).WidestStitch(w.Positions(id))
}
