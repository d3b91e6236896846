package geom

// LowestOnSegment is for tests that need shapes.
var LowestOnSegment = lowestOnSegment
