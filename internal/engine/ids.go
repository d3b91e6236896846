package engine

// SurfaceID names what can touch: the cloths, bodies and obstacles of a world, in the order in which they were added.
type SurfaceID int32

// pairOf returns where the friction of two surfaces is.
func pairOf(a, b SurfaceID) int {
	low, high := int(min(a, b)), int(max(a, b))
	return high*(high+1)/2 + low
}

// AttachmentID names an attachment of a world.
type AttachmentID int

// ClothID names a cloth of a world.
type ClothID int

// HandleID names a handle of a world.
type HandleID int

// JointID names a joint of a world.
type JointID int

// LoadID names a load of a world.
type LoadID int

// BodyID names a body that was added by AddBody.
type BodyID int

// ObstacleID names an obstacle of a world.
type ObstacleID int
