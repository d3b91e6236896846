package engine

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// What users of a world see of bodies that are no cloths, by their ids.

// AddBody adds a body of a kind of its own, whose blocks start at positions x and velocities v.
func (w *World) AddBody(name string, b mech.Body, x, v []r3.Vec) (BodyID, error) {
	n := b.Blocks()
	if len(x) != n || len(v) != n {
		return 0, fmt.Errorf("body %q has %d blocks, %d positions and %d velocities", name, n, len(x), len(v))
	}
	for i := range x {
		if !x[i].Finite() || !v[i].Finite() {
			return 0, fmt.Errorf("body %q: position or velocity of block %d is not finite", name, i)
		}
	}
	if err := validateBody(b); err != nil {
		return 0, fmt.Errorf("body %q: %w", name, err)
	}
	k := w.addMember(b, w.newSurface(name))
	copy(w.bodies[k].of(w.pos), x)
	copy(w.bodies[k].of(w.vel), v)
	return BodyID(len(w.others) - 1), nil
}

// Bodies returns the number of bodies that are no cloths.
func (w *World) Bodies() int { return len(w.others) }

// Body returns a body. Only its own methods may change it, and not during a step.
func (w *World) Body(id BodyID) mech.Body { return w.bodyAt(id).Body }

// SetBodyFriction gives a body a coefficient of friction with whatever it touches, where SetFriction was not called for
// the pair; of two surfaces that have one the smaller counts.
func (w *World) SetBodyFriction(id BodyID, mu float64) {
	if !(mu >= 0) || math.IsInf(mu, 1) {
		panic("toile: a coefficient of friction must be finite and not negative")
	}
	w.bodyAt(id).mu = mu
	w.assembly, w.print = nil, nil
}

// BodyPositions returns where the blocks of a body are [m], as a view.
func (w *World) BodyPositions(id BodyID) []r3.Vec { return w.bodyAt(id).of(w.pos) }

// BodyVelocities returns the velocities of the blocks of a body [m/s], as a view.
func (w *World) BodyVelocities(id BodyID) []r3.Vec { return w.bodyAt(id).of(w.vel) }

// SetBodyForce applies a force to a vertex of a soft body until it is set again [N].
func (w *World) SetBodyForce(id BodyID, vertex int, f r3.Vec) {
	b := w.bodyAt(id)
	if b.soft == nil || vertex < 0 || vertex >= b.count {
		panic(fmt.Sprintf("toile: body %q has no vertex %d", w.surfaces[b.surface], vertex))
	}
	w.force[b.first+vertex] = f
}

// BodySurface returns the surface of a body.
func (w *World) BodySurface(id BodyID) SurfaceID { return w.bodyAt(id).surface }

// BodyImpulses writes what the contacts of the last step did to the blocks of a body [N s] to out, which is made if it
// is too short, and returns it. Of a rigid body these are the impulse, and the angular impulse about its centre over
// the length of its spin (body.Rigid.Length).
func (w *World) BodyImpulses(id BodyID, out []r3.Vec) []r3.Vec {
	b := w.bodyAt(id)
	if len(out) < b.count {
		out = make([]r3.Vec, b.count)
	}
	out = out[:b.count]
	clear(out)
	for c := range w.last.set.Contacts {
		if isBound(&w.last.set.Contacts[c]) {
			continue
		}
		for _, t := range w.last.set.Row(c) {
			if i := int(t.Block) - b.first; i >= 0 && i < b.count {
				out[i] = out[i].Add(t.M.MulVecT(w.last.answer.R[c]))
			}
		}
	}
	return out
}

// BodyContacts writes what the blocks of a body feel to out, which is made if it is too short, and returns it. Of a
// rigid body, whose blocks are no vertices, it tells the state and the gap alone.
func (w *World) BodyContacts(id BodyID, out []VertexContact) []VertexContact {
	b := w.bodyAt(id)
	return w.blockContacts(b.first, b.count, out)
}
