package engine

import (
	"crypto/sha256"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// Snapshot holds everything needed to go on bit for bit: checkpoints, roll-backs, branches and resumed runs
// all use it. It fits the world it was taken from and any world built the same way.
type Snapshot struct {
	layout    [sha256.Size]byte // of the world it fits
	time      float64
	steps     int
	pos       []r3.Vec
	vel       []r3.Vec
	force     []r3.Vec
	handles   []handleState
	obstacles []obstacleState
	bodies    [][]byte      // what bodies that are no cloths remember
	actions   []actionState // what programs have set on these
	tied      bool          // there are joints or attachments,
	ties      float64       // which have taken so much (tie_work.go) [J]
	lastStep  float64       // length of the step that the contacts are of [s]; 0 before the first
	unsettled uint8         // solve.Contacts.Unsettled of that step
	contacts  []contactState
	meshes    []mech.MeshState // of cloths that are remeshed
	friction  []pairFriction   // of pairs that SetFriction was called for, as far as it differs from that of the others
}

// handleState is what changes of a handle.
type handleState struct {
	added, pose, target r3.Pose
	rest                []r3.Vec
	anchors             []anchor // of a handle that rides on a mesh that deforms
	onPath              bool
	released            bool
	force               r3.Vec
}

// obstacleState is what changes of an obstacle. The vertices of a mesh follow from it.
type obstacleState struct {
	pose, target r3.Pose
	onPath       bool
}

// contactState is a contact of the last step.
type contactState struct {
	contact.Contact
	row           []contact.Term // nil: that of its blocks alone
	impulse, slip r3.Vec         // in the frame
	state         ContactState
	infeasible    bool
}

// pairFriction is the coefficient of friction of two surfaces.
type pairFriction struct {
	a, b SurfaceID // a ≤ b
	mu   float64
}
