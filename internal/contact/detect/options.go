package detect

import "github.com/toile-sim/toile/internal/par"

// Options are what a Finder is told. They hold from the next Begin on.
type Options struct {
	Thickness float64 // h_c: the distance at which surfaces are held [m], above 0
	Reach     float64 // proximity, in thicknesses, above 1; 1.5 as in [Li18]
	Prune     float64 // angle of normals below which contacts of the same nodes are one [rad]; 10 degrees as in [Li18]
	// SelfRatio is the distance over the rest distance below which a pair of one skin is a contact; 0.1: neighbours at
	// rest have 1.
	SelfRatio    float64
	PushFraction float64 // part of a violation of the thickness pushed out a step; between moving skins 3 times that
	PushSpeed    float64 // greatest speed at which that is done [m/s]; between moving skins 3 times that
	Tolerated    float64 // how far a gap must end below what a contact would ask for to be worth adding, in thicknesses
	Self         bool    // moving skins against themselves and each other
	// PointContacts has contacts of edges and faces with obstacle meshes obeyed where the surfaces meet, by the weights
	// of all vertices there. Else the nearest vertex obeys for them.
	PointContacts bool
	Team          *par.Team // nil: the caller alone
	// Crossed tells that the start may be crossed: Find marks what is (Tangled), and makes no contacts that would hold
	// it.
	Crossed bool
	// Start is true in the state that everything was put in: overlaps by a rounding are gaps of 0.
	Start bool
	// Infeasible is, by contact of the set that Extend is given, whether its impulse was bounded, so that asking more
	// of it is no use; nil: none.
	Infeasible []bool

	// What is tied together, and so does not touch; see ties.go.
	Joined func(a, b int32) bool // pairs of surfaces that never touch each other; nil: none
	TiedTo []int32               // by point: the surface that it is fixed to, or None; nil: none is

	// What differs from place to place; see local.go.
	Friction        func(a, b int32) float64 // coefficient of a pair of surfaces; nil means 0
	VertexThickness []float64                // by point: the distance kept there [m], above 0; nil: Thickness
	VertexFriction  []float64                // by point: coefficient of the skin there, below 0 for none; nil: none has
	HasFriction     func(a, b int32) bool    // pairs of surfaces for which Friction holds in spite of others; nil: none
}

func (o *Options) infeasible(contact int) bool {
	return contact < len(o.Infeasible) && o.Infeasible[contact]
}
