// Cloths whose meshes change.
//
// A step begins by remeshing such cloths where they are, [Li18] section 5, before anything else of it is computed. The
// new mesh becomes that of the world with the step: one that fails goes back to the old, one that is halved keeps the
// new for its parts. What belongs to vertices goes along:
//
//   - Positions, velocities and masses as package remesh carries them: mass and momentum are kept.
//   - Handles, loads, forces, clamps and seams keep their vertices, which stay.
//   - What is painted is looked up in the input mesh by material points: by vertex interpolated there, by triangle
//     taken at the centroid. So it does not wash out, however often the mesh changes. Where it jumps from triangle to
//     triangle, the edge is kept.
//   - A curved rest shape is that of the input, looked up in the same way: its faces stay flat.
//   - Contacts of the last step keep their impulses if their features are still there, or at least their vertices.
//
// Vertices are known by ids that are never used again; those of the input have their indices as ids.

package toile

import (
	"slices"
	"time"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/remesh"
)

// adapt remeshes cloths where they are, unless an attempt at the same step has done it.
func (w *World) adapt() error {
	if w.replaced != nil || !w.adapts() {
		return nil
	}
	start := time.Now()
	w.remeshed = remeshed{}
	w.save()
	w.cloths = slices.Clone(w.cloths)
	sheets := make([]*remesh.Sheet, len(w.cloths)) // of cloths whose mesh has changed
	changed := false
	for i := range w.cloths {
		c := &w.cloths[i]
		if c.adaptive == nil {
			continue
		}
		s := w.remeshable(c)
		old := s.Mesh
		counts := w.remesher.Remesh(w.team, s, w.surroundings(i, sheets), c.Spec.Remesh)
		w.remeshed.add(counts)
		a := *c.adaptive
		a.uid, a.nextUID, a.triangle, a.size = s.UID, s.NextUID, s.Triangle, s.Size
		c.adaptive = &a
		if s.Mesh != old {
			sheets[i], changed = s, true
		}
	}
	var err error
	if changed {
		if err = w.lay(sheets, func(i int) bool { return w.handles[i].released }); err != nil {
			w.revert()
		}
	}
	w.remeshed.took = time.Since(start)
	return err
}

// save keeps what remeshing replaces.
func (w *World) save() {
	b := &replaced{
		cloths: w.cloths,
		others: w.others,
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
	w.cloths, w.others = b.cloths, b.others
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
	w.layMatrix()
}

// remeshable returns a cloth as package remesh sees it.
func (w *World) remeshable(c *cloth) *remesh.Sheet {
	a, to := c.adaptive, c.first+c.count
	return &remesh.Sheet{
		Mesh: c.Spec.Mesh, X: w.pos[c.first:to:to], V: w.vel[c.first:to:to], Mass: w.mass[c.first:to:to],
		UID: a.uid, NextUID: a.nextUID, Keep: w.kept(c), Triangle: slices.Clone(a.triangle),
		Density: c.Spec.Fabric.Density, DensityByTriangle: c.Spec.Maps.Density != nil, Size: a.size,
	}
}

// kept tells which vertices of a cloth stay.
func (w *World) kept(c *cloth) []bool {
	keep := make([]bool, c.count)
	mark := func(block int32) {
		if v := int(block) - c.first; v >= 0 && v < c.count {
			keep[v] = true
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
		keep[v] = keep[v] || w.force[c.first+v] != r3.Vec{}
	}
	for _, k := range c.Spec.Clamps {
		keep[k.Edge[0]], keep[k.Edge[1]] = true, true
	}
	if c.Spec.Seams != nil {
		for _, p := range c.Spec.Seams.Pairs {
			keep[p[0]], keep[p[1]] = true, true
		}
	}
	for i := range c.Spec.Mesh.Edges {
		if e := &c.Spec.Mesh.Edges[i]; !e.Boundary() && jumps(&c.Spec.Maps, e.Tri[0], e.Tri[1]) {
			keep[e.V[0]], keep[e.V[1]] = true, true
		}
	}
	return keep
}
