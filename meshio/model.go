package meshio

import (
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/tets"
)

// Mesh is what a file holds: plain arrays, nothing derived.
type Mesh = model.Mesh

// Attribute is a named quantity at the vertices.
type Attribute = model.Attribute

// Group is a named set of vertices.
type Group = model.Group

// Curves are polylines with named numbers at their points, such as the control points of yarns.
type Curves = model.Curves

// Error is a fault in a file, with its place.
type Error = model.Error

// Tets is a solid as a file holds it.
type Tets = tets.Tets
