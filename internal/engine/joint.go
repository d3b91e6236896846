package engine

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/r3"
)

// Join adds a joint.
func (w *World) Join(j Joint) (JointID, error) {
	k, err := w.newJoint(j)
	if err != nil {
		return 0, fmt.Errorf("joint %q: %w", j.Name, err)
	}
	w.joints = append(w.joints, k)
	w.assembly, w.print = nil, nil
	return JointID(len(w.joints) - 1), nil
}

func (w *World) newJoint(j Joint) (k joint, err error) {
	switch {
	case j.Kind < 0 || j.Kind >= jointKinds:
		return k, fmt.Errorf("there is no kind %d of joints", j.Kind)
	case !j.Place.Finite():
		return k, fmt.Errorf("place %v is not finite", j.Place)
	case j.Kind == HingeJoint && (!j.Axis.Finite() || j.Axis.Unit() == r3.Vec{}):
		return k, fmt.Errorf("the axis %v of a hinge has no direction", j.Axis)
	case j.B != nil && *j.B == j.A:
		return k, errors.New("it joins a body to itself")
	}
	k = joint{spec: j, axis: j.Axis.Unit(), turnA: r3.NoRotation(), turnB: r3.NoRotation()}
	if k.a, k.turnA, err = w.jointSpot(j.A, j.Place); err != nil {
		return k, err
	}
	if j.B == nil {
		k.b = tieEnd{on: theWorld, own: j.Place}
		return k, nil
	}
	b := *j.B // not the caller's
	k.spec.B = &b
	k.b, k.turnB, err = w.jointSpot(b, j.Place)
	return k, err
}

// rigidBody returns where a rigid body is among all.
func (w *World) rigidBody(id BodyID) (owner, error) {
	if id < 0 || int(id) >= len(w.others) {
		return 0, fmt.Errorf("there is no body %d", id)
	}
	if b := w.bodyAt(id); b.rigid == nil {
		return 0, fmt.Errorf("%q is not rigid", w.surfaces[b.surface])
	}
	return owner(w.others[id]), nil
}

// jointSpot is spotOn of a body by its id.
func (w *World) jointSpot(id BodyID, x r3.Vec) (tieEnd, r3.Quat, error) {
	on, err := w.rigidBody(id)
	if err != nil {
		return tieEnd{}, r3.Quat{}, err
	}
	p, back := w.spotOn(on, x)
	return p, back, nil
}

// Joints returns the number of joints.
func (w *World) Joints() int { return len(w.joints) }

// Joint returns a joint as it was made.
func (w *World) Joint(id JointID) Joint { return w.joints[id].spec }

// JointForce returns the force [N] that a joint exerted on its body A in the last step, at its place, and the torque
// [N m] about that place. Body B felt the opposite.
func (w *World) JointForce(id JointID) (force, torque r3.Vec) {
	j := &w.joints[id]
	for c := range w.last.set.Contacts {
		k := &w.last.set.Contacts[c]
		impulse := w.last.answer.R[c].Scale(1 / w.last.h)
		switch k.ID {
		case w.jointID(id, atPlace):
			force = impulse
		case w.jointID(id, ofTurn):
			row := w.last.set.Row(c)
			torque = row[0].M.MulVecT(impulse).Scale(j.a.rigid.Length())
		}
	}
	return force, torque
}

// JointGap returns how far apart the places of a joint in its two bodies are [m], and by how much these are turned
// against each other in a way that the joint does not allow [rad].
func (w *World) JointGap(id JointID) (distance, angle float64) {
	return w.jointGap(&w.joints[id], w.pos)
}
