package toile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// JointKind is what a joint allows.
type JointKind int

// A weld allows nothing, a ball turns of any kind about its place, a hinge turns about its axis.
const (
	WeldJoint  = JointKind(engine.WeldJoint)
	BallJoint  = JointKind(engine.BallJoint)
	HingeJoint = JointKind(engine.HingeJoint)
)

// JointSpec joins two rigid bodies, or one and the world, where they are now.
type JointSpec struct {
	Name  string
	Kind  JointKind
	A     *Rigid
	B     *Rigid // nil: the world
	Place r3.Vec // [m]
	Axis  r3.Vec // of a hinge; any length but zero
	Touch bool   // the two bodies touch each other; else they may even overlap, as the leaves of a hinge do
}

// Joint is a joint in a world.
type Joint struct {
	w  *World
	id engine.JointID
}

// AddJoint adds a joint.
func (w *World) AddJoint(spec JointSpec) (*Joint, error) {
	if spec.A == nil {
		return nil, fmt.Errorf("joint %q is on nothing", spec.Name)
	}
	if err := w.owned(fmt.Sprintf("joint %q", spec.Name), spec.A); err != nil {
		return nil, err
	}
	j := engine.Joint{
		Name: spec.Name, Kind: engine.JointKind(spec.Kind), A: spec.A.id, Place: spec.Place, Axis: spec.Axis,
		Touch: spec.Touch,
	}
	if spec.B != nil {
		if err := w.owned(fmt.Sprintf("joint %q", spec.Name), spec.B); err != nil {
			return nil, err
		}
		j.B = &spec.B.id
	}
	id, err := w.e.Join(j)
	if err != nil {
		return nil, err
	}
	return &Joint{w, id}, nil
}

// Force returns the force [N] that it exerted on its body A in the last step, and the torque about its place [N m].
func (j *Joint) Force() (force, torque r3.Vec) { return j.w.e.JointForce(j.id) }

// Gap returns how far apart its places in the two bodies are [m], and by how much these are turned against each other
// in a way that it does not allow [rad].
func (j *Joint) Gap() (distance, angle float64) { return j.w.e.JointGap(j.id) }

// AttachmentSpec fixes vertices of a cloth or of a soft body to a body, where they are now.
type AttachmentSpec struct {
	Name     string
	On       Deformable
	Vertices []int32
	To       Body
}

// Attachment is an attachment in a world.
type Attachment struct {
	w  *World
	id engine.AttachmentID
}

// AddAttachment adds an attachment.
func (w *World) AddAttachment(spec AttachmentSpec) (*Attachment, error) {
	for _, s := range []Surface{spec.On, spec.To} {
		if err := w.owned(fmt.Sprintf("attachment %q", spec.Name), s); err != nil {
			return nil, err
		}
	}
	a := engine.Attachment{Name: spec.Name, Vertices: spec.Vertices, To: spec.To.bodyID()}
	a.Cloth, a.Body = spec.On.bearer()
	id, err := w.e.Attach(a)
	if err != nil {
		return nil, err
	}
	return &Attachment{w, id}, nil
}

// Forces fills dst with the force on each of its vertices in the last step [N].
func (a *Attachment) Forces(dst []r3.Vec) []r3.Vec { return a.w.e.AttachmentForces(a.id, dst) }

// Gap returns how far a vertex is from where it is fixed, at most [m].
func (a *Attachment) Gap() float64 { return a.w.e.AttachmentGap(a.id) }
