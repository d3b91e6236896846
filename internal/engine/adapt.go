// Bodies whose meshes change.
//
// A step begins by remeshing such bodies where they are, [Li18] section 5, before anything else of it is computed. The
// new mesh becomes that of the world with the step: one that fails goes back to the old, one that is halved keeps the
// new for its parts. What the world has by vertex goes along, and what the body has is its own business:
//
//   - Handles, loads and forces keep their vertices, which stay.
//   - Contacts of the last step keep their impulses if their features are still there, or at least their vertices.

package engine

import (
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// adapt remeshes bodies where they are, unless an attempt at the same step has done it.
func (w *World) adapt() error {
	if w.replaced != nil || !w.adapts() {
		return nil
	}
	start := time.Now()
	w.remeshed = remeshed{}
	w.save()
	next := make([]*mech.Remeshed, len(w.bodies)) // what comes in the place of bodies
	changed := false
	var err error
	for i := range w.bodies {
		b := &w.bodies[i]
		if b.remesher == nil {
			continue
		}
		next[i], err = b.remesher.Remesh(&mech.Remeshing{
			Team: w.team, X: slices.Clip(b.of(w.pos)), V: slices.Clip(b.of(w.vel)), Mass: slices.Clip(w.mass[b.first : b.first+b.count]),
			Keep: w.kept(b), Around: w.surroundings(i, next),
		})
		if err != nil {
			break
		}
		w.remeshed.counts.Add(next[i].Counts)
		changed = changed || next[i].Moves != nil
	}
	if err == nil {
		err = w.replace(next, changed)
	}
	if err != nil {
		w.revert()
	}
	w.remeshed.took = time.Since(start)
	return err
}

// replace puts bodies that remeshing has made in the place of those before.
func (w *World) replace(next []*mech.Remeshed, changed bool) error {
	if changed {
		return w.renumber(next, func(i int) bool { return w.handles[i].released })
	}
	w.bodies = slices.Clone(w.bodies)
	for i, n := range next {
		if n != nil {
			w.bodies[i].put(n.Body)
		}
	}
	return nil
}

// save keeps what remeshing replaces.
func (w *World) save() {
	b := &replaced{
		bodies: w.bodies,
		pos:    w.pos,
		vel:    w.vel,
		force:  w.force,
		mass:   w.mass,
		held:   w.held,
		fixed:  w.fixed,
		last:   w.last,
	}
	for i := range w.handles {
		b.handles = append(b.handles, w.handles[i].nodes)
	}
	for i := range w.loads {
		b.loads = append(b.loads, w.loads[i].nodes)
	}
	w.replaced = b
}

// revert goes back to the meshes that the last good step left, after one that failed.
func (w *World) revert() {
	b := w.replaced
	if b == nil {
		return
	}
	w.replaced = nil
	w.bodies = b.bodies
	w.pos, w.vel, w.force, w.mass, w.held, w.fixed = b.pos, b.vel, b.force, b.mass, b.held, b.fixed
	for i := range w.handles {
		w.handles[i].nodes = b.handles[i]
	}
	for i := range w.loads {
		w.loads[i].nodes = b.loads[i]
	}
	w.last = b.last
	w.hold()
	w.setDriven(w.time, w.last.h)
	w.buildMatrix()
}

// kept returns which blocks of a body the world needs.
func (w *World) kept(b *placedBody) []bool {
	keep := make([]bool, b.count)
	mark := func(block int32) {
		if b.has(int(block)) {
			keep[int(block)-b.first] = true
		}
	}
	for i := range w.handles {
		if k := &w.handles[i]; !k.released {
			for _, node := range k.nodes {
				mark(node)
			}
		}
	}
	for i := range w.loads {
		for _, node := range w.loads[i].nodes {
			mark(node)
		}
	}
	for v := range keep {
		keep[v] = keep[v] || w.force[b.first+v] != r3.Vec{}
	}
	return keep
}
