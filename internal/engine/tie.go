package engine

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// Attachment fixes vertices of a cloth, or of a soft body, to another body, where they are when it is made: buttons and
// hooks on cloth, cloth sewn to something soft, soft bodies on rigid parts. On a rigid body they keep their places in
// its axes. On a soft one they keep them beside the tet below the nearest point of its skin, as if that tet went on
// outside. A vertex that should lie on the body starts a contact thickness from it; on the skin itself it could not be
// told on which side it is. It does not touch the body that it is fixed to.
type Attachment struct {
	Name     string
	Cloth    ClothID // whose vertices these are, unless Body says otherwise
	Body     *BodyID // a soft body, whose vertices these are instead; nil: none
	Vertices []int32
	To       BodyID // what they are fixed to
}

// attachment is an Attachment at work.
type attachment struct {
	spec Attachment
	ties []fixture
}

// fixture ties a vertex to what carries it.
type fixture struct {
	vertex, to tieEnd
	id         contact.ID
}

// JointKind is what a joint holds.
type JointKind int

// The kinds of joints.
const (
	WeldJoint  JointKind = iota // nothing is free
	BallJoint                   // the bodies turn about the place
	HingeJoint                  // they turn about the axis
	jointKinds
)

// String returns the word for a kind of joint.
func (k JointKind) String() string { return [...]string{"weld", "ball", "hinge"}[k] }

// Joint joins a rigid body to another one or to the world. Place and axis are those of the world when the joint is
// made, and stay where they then are in both bodies. It holds up to what a step leaves out: see World.JointGap.
type Joint struct {
	Name  string
	Kind  JointKind
	A     BodyID
	B     *BodyID // nil: the world
	Place r3.Vec  // [m]
	Axis  r3.Vec  // of a hinge; any length but zero
	// Touch lets the two bodies touch each other. Else they may even overlap, as the leaves of a hinge do. Bodies that
	// are welded, also by others, never touch each other.
	Touch bool
}

// joint is a Joint at work.
type joint struct {
	spec Joint
	a, b tieEnd
	axis r3.Vec // of unit length, in the world when the joint was made
	// turnA and turnB are the axes of that world in the axes of the bodies.
	turnA, turnB r3.Quat
}

// owner is the body that a spot belongs to, or the world.
type owner int

const theWorld owner = -1

// tieEnd is a point that something carries.
type tieEnd struct {
	on     owner
	rigid  mech.Rigid // its bearer, if that is one
	own    r3.Vec     // where it is in the axes of that, or in the world
	vertex []int32    // of its bearer, if that is not rigid: those that carry it,
	weight []float64  // and how much
}
