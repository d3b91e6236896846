package toile

import (
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// BodyID names a body that was added by AddBody.
type BodyID int

// member is a body and its blocks.
type member struct {
	mech.Body
	first, count int
	surface      SurfaceID // of its skin
	mu           float64   // its coefficient of friction; NaN for that of the world
}

// of returns what of an array by block belongs to the body.
func (m *member) of(x []r3.Vec) []r3.Vec { return x[m.first : m.first+m.count] }
