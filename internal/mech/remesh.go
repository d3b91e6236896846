package mech

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Bodies whose blocks change between steps. Such a body is replaced, never changed, so that a step that fails can go
// back to the one before.

// Remesher is a body that may get other blocks at the beginning of a step.
type Remesher interface {
	// Adapts reports whether it does. One that does not is no Remesher to the world.
	Adapts() bool
	// Near returns how far away what is around matters to it, where surfaces keep the given thickness [m].
	Near(thickness float64) float64
	// Remesh returns what comes in its place in the step that begins.
	Remesh(*Remeshing) (*Remeshed, error)
	// IDs returns names of its blocks that are never used again.
	IDs() []int64
	// Renamed returns the number that a feature of the skin of the body before has in its own, when the blocks have
	// moved like that; false: it is not there any more.
	Renamed(before Body, kind contact.Kind, feature int32, moves []int32) (int64, bool)
	// MeshState returns its mesh for a snapshot, without masses, and WithMeshState the body with the mesh of a
	// snapshot, whose places and velocities are those of the snapshot.
	MeshState() MeshState
	WithMeshState(*MeshState) (*Remeshed, error)
}

// Remeshing is what a body is remeshed by: its state, and what is around.
type Remeshing struct {
	Team   *par.Team
	X, V   []r3.Vec
	Mass   []float64
	Keep   []bool // blocks that must stay
	Around *Surroundings
}

// Surroundings are what a body may touch besides itself.
type Surroundings struct {
	Thickness float64 // that surfaces keep from each other [m]
	Surfaces  []Surface
	Fields    []geom.Field // shapes, placed in the world
}

// Surface is a mesh in space.
type Surface struct {
	X     []r3.Vec
	Tri   [][3]int32
	Sheet bool // of a Sheet
}

// Remeshed is what came out of it.
type Remeshed struct {
	Body   Body
	Counts RemeshCounts
	// Moves has the new place of every block, Gone for one that is not there any more. If it is nil the blocks are as
	// they were, and the rest is not used.
	Moves []int32
	X, V  []r3.Vec
	Mass  []float64
}

// Gone stands for a block that is not there any more.
const Gone = int32(-1)

// Renumber returns the place of each of the names before among those after, or Gone.
func Renumber(before, after []int64) []int32 {
	where := make(map[int64]int32, len(after))
	for v, id := range after {
		where[id] = int32(v)
	}
	out := make([]int32, len(before))
	for v, id := range before {
		out[v] = Gone
		if now, ok := where[id]; ok {
			out[v] = now
		}
	}
	return out
}

// RemeshCounts are what remeshing has done in a step.
type RemeshCounts struct {
	Flips, Splits, Collapses int
	Refused                  Refusals
}

// Refusals count operations that the sizes asked for and a guard did not allow.
type Refusals struct {
	Kept     int // a vertex or an edge that stays
	Shape    int // a border or seam would change its shape, a triangle turn over in the material or become too thin
	Crossing int // surfaces would cross or come closer
}

// Operations is how many operations were done.
func (c RemeshCounts) Operations() int { return c.Flips + c.Splits + c.Collapses }

// Add adds up counts.
func (c *RemeshCounts) Add(more RemeshCounts) {
	c.Flips += more.Flips
	c.Splits += more.Splits
	c.Collapses += more.Collapses
	c.Refused.Kept += more.Refused.Kept
	c.Refused.Shape += more.Refused.Shape
	c.Refused.Crossing += more.Refused.Crossing
}

// MeshState is the mesh of a body that is remeshed. Positions and velocities are with those of all blocks.
type MeshState struct {
	Mesh     *mesh.Mesh
	NextUID  int64
	UID      []int64
	Mass     []float64    // by block [kg]
	Triangle [][]float64  // what triangles inherit
	Size     [][3]float64 // by point of the material: a symmetric 2x2 matrix; nil: none yet
}
