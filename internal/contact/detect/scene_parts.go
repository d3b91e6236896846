package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
)

// What a scene is made of. What each does is in the file that has its name: obstacle.go, passage.go, near.go,
// guard_cleared.go, scene_mend.go, smooth.go, rest.go.

// obstacle is a prescribed skin: a mesh, or a shape with its sharp features. It lasts as long as these.
type obstacle struct {
	*contact.Skin         // of this step
	skin          int32   // its index
	surface       surface // of the mesh, or of the sharp features
	side          side

	sharp    []r3.Vec        // of a shape: the points in its own axes,
	corners  int             // of which the first are corners
	sharpOf  geom.Field      // whose they are
	shape    int32           // its place among the shapes of the step
	features features        // of a mesh
	mesh     *geom.MeshField // and its triangles
	closed   bool            // these have an inside,
	outward  int8            // and which way their normals point, see cone.go
	size     float64         // how far points are from the first, at most [m]

	x0, x1       []r3.Vec // positions of the step; x1 with the travel of the block
	start        r3.Vec   // of the block
	travelled    r3.Vec   // how far it has moved from there, contained in x1
	boxes        []r3.Box // primitives; of a shape segments, then points: swept and inflated
	edgeBoxes    []r3.Box
	tree         *geom.Tree
	fitted       bool // boxes and tree are those of x0 and x1
	fittedMargin float64
	pairs        [][2]int32 // of primitives of moving skins, and primitives, segments or points
	near         []nearPair
	tangled      []bool // by point: it belongs to a skin that the obstacle crosses at the start; empty: none does

	cleared []r3.Vec // of a mesh: where it was when crossings were counted last, and none found

	// What is known about where moving points are, see rule_inside.go.
	last      []r3.Vec // positions at the step before
	drift     float64  // sum over steps of the greatest displacement of a vertex [m]
	clearance []clearance
	inside    []bool // by point, of this step
}

// clearance is the distance of a vertex to a mesh when it was last asked for; 0 if it was inside, or never.
type clearance struct {
	x        r3.Vec
	distance float64
	drift    float64 // of the mesh, then
}

// passage is a shape on its way through a step.
type passage struct {
	*obstacle
	from, to r3.Pose
	back     r3.Pose // From⁻¹
	carry    r3.Pose // To∘From⁻¹
	travel   r3.Vec  // of the block
	turn     float64 // φ
	faces    bool    // faces are asked about it, besides vertices
	passed   r3.Box  // around the shape on its whole way, inflated by the reach
}

// nearPair is a pair of features whose primitives come within the reach in the step.
type nearPair struct {
	own     [2]int32 // the primitives of moving skins and of the other side whose features these are
	i, j    int32    // as in pair
	apart   float64  // d₀ [m]
	edges   bool
	same    bool
	swapped bool // the first of the pair is of the other side
}

// nearLoop notes the features that pairs of primitives own, of moving skins and of q.
type nearLoop struct {
	*scene
	q                *side
	boxes, edgeBoxes []r3.Box // of q
	pairs            [][2]int32
}

// sharpLoop notes the features of pairs of a primitive of moving skins and a segment or a point of a shape.
type sharpLoop struct {
	*scene
	o     *obstacle
	pairs [][2]int32
}

// cleared is what is known of the last count of crossings.
type cleared struct {
	none bool     // it found none
	self bool     // in moving skins, too
	x    []r3.Vec // where points were
}

// mender holds what is stale, and the scratch of mending.
type mender struct {
	strays   []bool  // by point: its end has left the slack
	stale    []int32 // primitives, in increasing order
	staleSet []bool  // by primitive
	boxes    []r3.Box
	tree     *geom.Tree // over boxes
	count    []int32    // by primitive, of sorting
	found    [][2]int32 // pairs of what is stale
	sorted   [][2]int32
	pairs    [][2]int32 // pairs as mended
	fresh    []nearPair // of found
	near     []nearPair // as mended
}

// smoothed is a smooth skin.
type smoothed struct {
	skin    int32
	o       *obstacle // nil if it moves
	first   int32     // point of its vertex 0, if it moves
	surface *smooth.Surface
	bounds  r3.Box  // of points that may have samples in the step,
	fastest float64 // and how far a vertex moves in it at most [m]

	// What is known about points without samples.
	mesh      *geom.MeshField
	last      []r3.Vec // positions at the step before
	drift     float64  // sum over steps of the greatest displacement of a vertex [m]
	clearance []clearance
}

// rests knows how far apart the points of a surface are at rest.
type rests struct {
	surface  *surface
	length   []float64 // by edge [m]
	shortest float64   // of them
}
