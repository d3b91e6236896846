package scenefile

// Limits of what a scene may ask for.
const (
	maxVertices  = 2_000_000
	maxFrames    = 1_000_000
	maxSteps     = 1_000_000_000
	maxMeshBytes = 1 << 30
	// maxPatternCells keeps patterns whose triangles are searched for within seconds; it is for each side.
	maxPatternCells = 400
)
