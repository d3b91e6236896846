package engine

import (
	"github.com/toile-sim/toile/r3"
)

// Load is a force that vertices of a cloth or of a soft body share equally. It comes on top of what SetForce applies,
// and is for forces that change over time (LoadAlong): it is part of the world, where those of SetForce are state.
type Load struct {
	Name     string
	Cloth    ClothID // whose vertices these are, unless Body says otherwise
	Body     *BodyID // a soft body, whose vertices these are instead; nil: none
	Vertices []int32
	Force    r3.Vec // all of them together [N]
}

// load is a Load at work.
type load struct {
	nodes []int32
	force r3.Vec // [N]
}
