package toile

// SurfaceID names what can touch: the cloths, bodies and obstacles of a world, in the order in which they were added.
type SurfaceID int32

// pairOf returns where the friction of two surfaces is.
func pairOf(a, b SurfaceID) int {
	low, high := int(min(a, b)), int(max(a, b))
	return high*(high+1)/2 + low
}
