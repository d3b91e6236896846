package engine

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// renumber gives all blocks their places after the meshes of some bodies have changed, and brings everything that names
// blocks along. Handles that are released may lose vertices.
func (w *World) renumber(next []*mech.Remeshed, released func(handle int) bool) error {
	// blocks first; what names them follows
	old := w.bodies
	moves := w.moveBlocks(next)
	moved := func(nodes []int32) []int32 {
		out := make([]int32, len(nodes))
		for i, node := range nodes {
			out[i] = moves[node]
		}
		return out
	}
	// handles: vertices of a mesh that changes are found by their ids, others by their move
	for i := range w.handles {
		k := &w.handles[i]
		if k.ids == nil {
			k.nodes = moved(k.nodes)
			continue
		}
		b := &w.bodies[k.on]
		k.nodes = mech.Renumber(k.ids, b.remesher.IDs())
		for j := range k.nodes {
			if k.nodes[j] != gone {
				k.nodes[j] += int32(b.first)
			} else if !released(i) {
				return fmt.Errorf("a vertex that handle %q holds is gone", k.spec.Name)
			}
		}
	}
	// a load may not lose a vertex
	for i := range w.loads {
		l := &w.loads[i]
		l.nodes = moved(l.nodes)
		if slices.Contains(l.nodes, gone) {
			return fmt.Errorf("a vertex that load %d acts on is gone", i)
		}
	}
	// contacts to start from, held blocks, and the matrix for the new layout
	w.carryContacts(old, next, moves)
	w.hold()
	w.buildMatrix()
	return nil
}

// moveBlocks gives blocks and what they have their new places, in the order that they had, and puts bodies that have
// changed in the place of those before. It returns the new place of each block.
func (w *World) moveBlocks(next []*mech.Remeshed) (moves []int32) {
	// the new arrays are filled body by body; the old ones stay as they are, to go back to
	moves = make([]int32, len(w.pos))
	old := *w.replaced
	w.pos, w.vel, w.force, w.mass = nil, nil, nil, nil
	w.bodies = slices.Clone(w.bodies)
	for i := range w.bodies {
		b := &w.bodies[i]
		// a body begins where those before it end now
		from, to, first := b.first, b.first+b.count, len(w.pos)
		b.first = first
		n := next[i]
		if n != nil {
			b.put(n.Body)
		}
		// bodies that keep their mesh keep their values
		if n == nil || n.Moves == nil {
			w.pos, w.vel = append(w.pos, old.pos[from:to]...), append(w.vel, old.vel[from:to]...)
			w.force, w.mass = append(w.force, old.force[from:to]...), append(w.mass, old.mass[from:to]...)
			for block := from; block < to; block++ {
				moves[block] = int32(first + block - from)
			}
			continue
		}
		// a remeshed body brings its values; forces from outside stay with vertices that last
		w.pos, w.vel, w.mass = append(w.pos, n.X...), append(w.vel, n.V...), append(w.mass, n.Mass...)
		w.force = append(w.force, make([]r3.Vec, len(n.X))...)
		for v, now := range n.Moves {
			moves[from+v] = gone
			if now != gone {
				moves[from+v] = int32(first) + now
				w.force[first+int(now)] = old.force[from+v]
			}
		}
		b.count, b.clampHolder = len(n.X), nil
	}
	// held blocks are marked anew by hold
	w.held, w.fixed = make([]bool, len(w.pos)), make([]bool, len(w.pos))
	return moves
}
