package toile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/remesh"
)

// lay gives all blocks their places after the meshes of some cloths have changed, and brings everything that names
// blocks along. Handles that are released may lose vertices.
func (w *World) lay(sheets []*remesh.Sheet, released func(handle int) bool) error {
	old := w.cloths
	moves, err := w.moveBlocks(sheets)
	if err != nil {
		return err
	}
	moved := func(nodes []int32) []int32 {
		out := make([]int32, len(nodes))
		for i, node := range nodes {
			out[i] = moves[node]
		}
		return out
	}
	for i := range w.handles {
		k := &w.handles[i]
		if k.ids == nil {
			k.nodes = moved(k.nodes)
			continue
		}
		c := &w.cloths[k.spec.Cloth]
		k.nodes = newIndices(k.ids, c.adaptive.uid)
		for j := range k.nodes {
			if k.nodes[j] != gone {
				k.nodes[j] += int32(c.first)
			} else if !released(i) {
				return fmt.Errorf("a vertex that handle %q holds is gone", k.spec.Name)
			}
		}
	}
	for i := range w.loads {
		l := &w.loads[i]
		l.nodes = moved(l.nodes)
		if slices.Contains(l.nodes, gone) {
			return fmt.Errorf("a vertex that load %d acts on is gone", i)
		}
	}
	w.carryContacts(old, moves)
	w.hold()
	w.layMatrix()
	return nil
}

// moveBlocks gives blocks and what they have their new places, in the order that they had, and makes the elements of
// cloths whose mesh has changed. It returns the new place of each block.
func (w *World) moveBlocks(sheets []*remesh.Sheet) (moves []int32, err error) {
	type owner struct{ first, count, cloth, other int }
	const none = -1
	var owners []owner
	for i := range w.cloths {
		owners = append(owners, owner{w.cloths[i].first, w.cloths[i].count, i, none})
	}
	for i := range w.others {
		owners = append(owners, owner{w.others[i].first, w.others[i].count, none, i})
	}
	slices.SortFunc(owners, func(a, b owner) int { return cmp.Compare(a.first, b.first) })
	moves = make([]int32, len(w.pos))
	old := *w.replaced
	w.pos, w.vel, w.force, w.mass = nil, nil, nil, nil
	w.cloths, w.others = slices.Clone(w.cloths), slices.Clone(w.others)
	for _, o := range owners {
		first, to := len(w.pos), o.first+o.count
		if o.cloth != none {
			w.cloths[o.cloth].first = first
		} else {
			w.others[o.other].first = first
		}
		if o.cloth == none || sheets[o.cloth] == nil {
			w.pos, w.vel = append(w.pos, old.pos[o.first:to]...), append(w.vel, old.vel[o.first:to]...)
			w.force, w.mass = append(w.force, old.force[o.first:to]...), append(w.mass, old.mass[o.first:to]...)
			for b := o.first; b < to; b++ {
				moves[b] = int32(first + b - o.first)
			}
			continue
		}
		s, c := sheets[o.cloth], &w.cloths[o.cloth]
		w.pos, w.vel, w.mass = append(w.pos, s.X...), append(w.vel, s.V...), append(w.mass, s.Mass...)
		w.force = append(w.force, make([]r3.Vec, len(s.X))...)
		vertices := newIndices(old.cloths[o.cloth].adaptive.uid, s.UID)
		for v, now := range vertices {
			moves[o.first+v] = gone
			if now != gone {
				moves[o.first+v] = int32(first) + now
				w.force[first+int(now)] = old.force[o.first+v]
			}
		}
		c.count = len(s.X)
		if err := c.takeMesh(s.Mesh, s.Mass, vertices); err != nil {
			return nil, fmt.Errorf("cloth %q, remeshed: %w", c.Spec.Name, err)
		}
	}
	w.held, w.fixed = make([]bool, len(w.pos)), make([]bool, len(w.pos))
	return moves, nil
}

// newIndices returns where each of the vertices with the ids before is among those with the ids after.
func newIndices(before, after []int64) []int32 {
	where := make(map[int64]int32, len(after))
	for v, id := range after {
		where[id] = int32(v)
	}
	out := make([]int32, len(before))
	for v, id := range before {
		out[v] = gone
		if now, ok := where[id]; ok {
			out[v] = now
		}
	}
	return out
}

// takeMesh gives the cloth another mesh, in which its vertices have the given indices and masses.
func (c *cloth) takeMesh(m *mesh.Mesh, mass []float64, vertices []int32) error {
	spec := c.Spec
	spec.Mesh = m
	spec.Clamps = slices.Clone(spec.Clamps)
	for i := range spec.Clamps {
		e := &spec.Clamps[i].Edge
		*e = [2]int32{vertices[e[0]], vertices[e[1]]}
	}
	if spec.Seams != nil {
		seams := *spec.Seams
		seams.Pairs = slices.Clone(seams.Pairs)
		for i, p := range seams.Pairs {
			seams.Pairs[i] = [2]int32{vertices[p[0]], vertices[p[1]]}
		}
		spec.Seams = &seams
	}
	next, err := c.WithMesh(c.adaptive.repainted(spec), mass)
	if err != nil {
		return err
	}
	c.Cloth, c.count, c.clampHolder = next, m.Verts, nil
	return nil
}
