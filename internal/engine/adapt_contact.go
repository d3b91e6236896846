package engine

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// Contacts of the last step, after meshes have changed.

// homeless is set in the id of a feature that is not there any more. Its contact has its vertices still, and a contact
// that is new at these may go on with its impulse.
const homeless = int64(1) << 61

// carryContacts names the contacts of the last step by the features of the meshes as they are now, for the solver to
// start from and for normals to be told by. Those whose vertices are gone are dropped. Only what these two need is
// carried: normals and impulses.
func (w *World) carryContacts(old []placedBody, next []*mech.Remeshed, moves []int32) {
	type carried struct {
		contact.Contact
		impulse r3.Vec
	}
	changed := make(map[int32]int, len(next)) // bodies by surface
	for i, n := range next {
		if n != nil && n.Moves != nil {
			changed[int32(w.bodies[i].surface)] = i
		}
	}
	rename := func(f *contact.Feature) {
		i, ok := changed[f.Surface]
		if !ok {
			return
		}
		again := f.ID & contact.Again
		id, ok := w.bodies[i].remesher.Renamed(old[i].Body, f.Kind, int32(f.ID&^contact.Again), next[i].Moves)
		if !ok {
			id = f.ID&^contact.Again | homeless
		}
		f.ID = id | again
	}
	var list []carried
	for i := range w.last.set.Contacts {
		c := carried{w.last.set.Contacts[i], w.last.answer.R[i]}
		c.A = moves[c.A]
		if c.A == gone {
			continue
		}
		if c.B != contact.None {
			if c.B = moves[c.B]; c.B == gone {
				continue
			}
		}
		if !isBound(&c.Contact) {
			rename(&c.ID.A)
			rename(&c.ID.B)
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b carried) int { return a.ID.Compare(b.ID) })
	with := solvedContacts{h: w.last.h}
	with.answer.Resize(len(w.pos), len(list))
	with.answer.Unsettled = w.last.answer.Unsettled
	for i := range list {
		with.set.Add(list[i].Contact)
		with.answer.R[i] = list[i].impulse
	}
	w.last = with
}
