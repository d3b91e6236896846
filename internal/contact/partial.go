package contact

import "github.com/toile-sim/toile/r3"

// Partial is a block that is prescribed in part: what is not in the range of Free of its velocity stays as it is given.
// The block may touch others through contacts, but must have no entry of A besides its diagonal.
type Partial struct {
	Block int32
	Free  r3.Mat // a symmetric projector of rank 1 or 2
}

// Along returns the block that is free along one axis, of unit length.
func Along(block int32, axis r3.Vec) Partial { return Partial{block, r3.Outer(axis, axis)} }

// Within returns the block that is free in the plane with the given unit normal.
func Within(block int32, normal r3.Vec) Partial {
	free := r3.Identity()
	free.AddOuter(-1, normal, normal)
	return Partial{block, free}
}
