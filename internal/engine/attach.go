package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// Attach adds an attachment.
func (w *World) Attach(a Attachment) (AttachmentID, error) {
	k, err := w.newAttachment(a)
	if err != nil {
		return 0, fmt.Errorf("attachment %q: %w", a.Name, err)
	}
	w.attachments = append(w.attachments, k)
	w.assembly, w.print = nil, nil
	return AttachmentID(len(w.attachments) - 1), nil
}

func (w *World) newAttachment(a Attachment) (k attachment, err error) {
	// both bodies exist, and the cloth keeps its vertices
	on, count, err := w.verticesOf(a.Cloth, a.Body)
	switch {
	case err != nil:
		return k, err
	case w.bodies[on].remesher != nil:
		return k, errors.New("a cloth that is remeshed cannot be attached: its vertices do not last")
	case len(a.Vertices) == 0:
		return k, errors.New("it fixes no vertex")
	case a.To < 0 || int(a.To) >= len(w.others):
		return k, fmt.Errorf("there is no body %d", a.To)
	case int(on) == w.others[a.To]:
		return k, errors.New("it fixes a body to itself")
	}
	// how places on the other body are described
	seat, err := w.seatOn(owner(w.others[a.To]))
	if err != nil {
		return k, err
	}
	// each vertex is tied to the place where it is now
	k.spec = a
	k.spec.Vertices = slices.Clone(a.Vertices)
	for i, v := range k.spec.Vertices {
		if v < 0 || int(v) >= count {
			return k, fmt.Errorf("%s has no vertex %d", w.nameOfBearer(on), v)
		}
		node := w.firstOf(on) + v
		if w.isTaken(node) || w.isAttached(node) || slices.Contains(k.spec.Vertices[:i], v) {
			return k, fmt.Errorf("vertex %d of %s is held or attached already", v, w.nameOfBearer(on))
		}
		to, err := seat(w.pos[node])
		if err != nil {
			return k, fmt.Errorf("vertex %d: %w", v, err)
		}
		k.ties = append(k.ties, fixture{
			vertex: tieEnd{on: on, vertex: k.spec.Vertices[i : i+1], weight: []float64{1}},
			to:     to,
		})
	}
	// rows are numbered on from attachments that were there before
	first := 0
	for i := range w.attachments {
		first += len(w.attachments[i].ties)
	}
	for i := range k.ties {
		k.ties[i].id = boundID(w.surfaceOf(on), attachedFrom+first+i)
	}
	return k, nil
}

// seatOn returns what makes spots of a body, that is rigid or soft, of places in the world off its skin.
func (w *World) seatOn(on owner) (func(x r3.Vec) (tieEnd, error), error) {
	m := &w.bodies[on]
	at, tri := m.of(w.pos), m.Skin().Tri
	var below []int32 // by triangle, of a soft body: its tet
	switch {
	case m.rigid != nil:
		at = make([]r3.Vec, m.Skin().Points)
		m.carrying.Carry(m.of(w.pos), at)
	case m.soft != nil:
		tri = m.soft.Outside()
		below = tetsBelow(m.soft.Corners(), tri)
	default:
		return nil, fmt.Errorf("%q is neither rigid nor soft: nothing can be fixed to it", w.surfaces[m.surface])
	}
	if len(tri) == 0 {
		return func(x r3.Vec) (tieEnd, error) {
			p, _ := w.spotOn(on, x)
			return p, nil
		}, nil
	}
	surface := geom.NewMeshField(at, tri)
	return func(x r3.Vec) (p tieEnd, err error) {
		near, _ := surface.Nearest(x, math.Inf(1)) // there is one: positions are finite
		if near.Distance <= certain*w.opt.Contact.Thickness {
			return p, fmt.Errorf("it is on the skin of %q: leave a gap, best that of the contact thickness", w.surfaces[m.surface])
		}
		if below == nil {
			p, _ = w.spotOn(on, x)
			return p, nil
		}
		tet := m.soft.Corners()[below[near.Triangle]]
		weight, err := weightsIn(tet, at, x)
		return tieEnd{on: on, vertex: tet[:], weight: weight}, err
	}, nil
}

// tetsBelow returns the tet that each triangle of a skin belongs to.
func tetsBelow(tets [][4]int32, skin [][3]int32) []int32 {
	faces := map[[3]int32]int32{}
	for i, t := range skin {
		faces[sorted3(t)] = int32(i)
	}
	below := make([]int32, len(skin))
	for k, v := range tets {
		for out := range v {
			face := [3]int32{v[(out+1)%4], v[(out+2)%4], v[(out+3)%4]}
			if i, ok := faces[sorted3(face)]; ok {
				below[i] = int32(k)
			}
		}
	}
	return below
}

// sorted3 returns three numbers in order.
func sorted3(t [3]int32) [3]int32 {
	low, high := min(t[0], t[1], t[2]), max(t[0], t[1], t[2])
	return [3]int32{low, t[0] + t[1] + t[2] - low - high, high}
}

// weightsIn returns the weights of the corners of a tet, inside or outside, at a place.
func weightsIn(tet [4]int32, at []r3.Vec, x r3.Vec) ([]float64, error) {
	a := at[tet[0]]
	edges := r3.Columns(at[tet[1]].Sub(a), at[tet[2]].Sub(a), at[tet[3]].Sub(a))
	back, ok := edges.Inverse()
	if !ok {
		return nil, errors.New("the tet that it would be fixed to is flat")
	}
	w := back.MulVec(x.Sub(a))
	return []float64{1 - w.X - w.Y - w.Z, w.X, w.Y, w.Z}, nil
}

// Attachments returns the number of attachments.
func (w *World) Attachments() int { return len(w.attachments) }

// Attachment returns an attachment as it was made.
func (w *World) Attachment(id AttachmentID) Attachment { return w.attachments[id].spec }

// AttachmentForces writes the forces that an attachment exerted on its vertices in the last step [N] to out, which is
// made if it is too short, and returns it. What they are fixed to felt the opposite.
func (w *World) AttachmentForces(id AttachmentID, out []r3.Vec) []r3.Vec {
	ties := w.attachments[id].ties
	if len(out) < len(ties) {
		out = make([]r3.Vec, len(ties))
	}
	out = out[:len(ties)]
	clear(out)
	for c := range w.last.set.Contacts {
		k := &w.last.set.Contacts[c]
		if i := k.ID.A.ID - ties[0].id.A.ID; isBound(k) && i >= 0 && int(i) < len(ties) && k.ID == ties[i].id {
			out[i] = w.last.answer.R[c].Scale(1 / w.last.h)
		}
	}
	return out
}

// AttachmentGap returns how far the vertices of an attachment are from where they should be, at most [m].
func (w *World) AttachmentGap(id AttachmentID) (distance float64) {
	for k := range w.attachments[id].ties {
		distance = max(distance, w.fixtureGap(&w.attachments[id].ties[k], w.pos))
	}
	return distance
}
