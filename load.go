package toile

import (
	"github.com/toile-sim/toile/r3"
)

// Load is a force that vertices of a cloth share equally. It comes on top of what SetForce applies, and is for forces
// that change over time (LoadAlong): it is part of the world, where those of SetForce are state.
type Load struct {
	Name     string
	Cloth    ClothID
	Vertices []int32 // vertices of that cloth
	Force    r3.Vec  // all of them together [N]
}

// load is a Load at work.
type load struct {
	nodes []int32
	force r3.Vec // [N]
}
