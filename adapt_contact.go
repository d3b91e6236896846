package toile

import (
	"slices"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Contacts of the last step, after meshes have changed.

// homeless is set in the id of a feature that is not there any more. Its contact has its vertices still, and a contact
// that is new at these may go on with its impulse.
const homeless = int64(1) << 61

// carryContacts names the contacts of the last step by the features of the meshes as they are now, for the solver to
// start from and for normals to be told by. Those whose vertices are gone are dropped. Only what these two need is
// carried: normals and impulses.
func (w *World) carryContacts(old []cloth, moves []int32) {
	type carried struct {
		contact.Contact
		impulse r3.Vec
	}
	sheets := make(map[int32]int, len(w.cloths)) // cloths by surface
	for i := range w.cloths {
		sheets[int32(w.cloths[i].surface)] = i
	}
	rename := func(f *contact.Feature) {
		i, ok := sheets[f.Surface]
		if !ok || w.cloths[i].Spec.Mesh == old[i].Spec.Mesh {
			return
		}
		again := f.ID & contact.Again
		id, ok := renamed(&old[i], &w.cloths[i], f.Kind, int32(f.ID&^contact.Again), moves)
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
	next := encounter{h: w.last.h}
	next.answer.Resize(len(w.pos), len(list))
	for i := range list {
		next.set.Add(list[i].Contact)
		next.answer.R[i] = list[i].impulse
	}
	w.last = next
}

// renamed returns the index that a feature of a cloth has in its present mesh, and false if it is there no more.
func renamed(old, now *cloth, kind contact.Kind, id int32, moves []int32) (index int64, ok bool) {
	at := func(v int32) int32 {
		if block := moves[old.first+int(v)]; block != gone {
			return block - int32(now.first)
		}
		return gone
	}
	m := now.Spec.Mesh
	switch kind {
	case contact.Vertex:
		v := at(id)
		return int64(v), v != gone
	case contact.Edge:
		ends := old.Spec.Mesh.Edges[id].V
		a, b := at(ends[0]), at(ends[1])
		if a == gone || b == gone {
			return 0, false
		}
		e, ok := m.FindEdge(a, b)
		return int64(e), ok
	case contact.Face:
		corners := old.Spec.Mesh.Tri[id]
		a, b, c := at(corners[0]), at(corners[1]), at(corners[2])
		if a == gone || b == gone || c == gone {
			return 0, false
		}
		e, ok := m.FindEdge(a, b)
		if !ok {
			return 0, false
		}
		for side, t := range m.Edges[e].Tri {
			if t != mesh.None && m.Tri[t][m.Edges[e].Opp[side]] == c {
				return int64(t), true
			}
		}
	}
	return 0, false
}
