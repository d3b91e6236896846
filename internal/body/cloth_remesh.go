package body

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// A cloth whose mesh changes. What belongs to vertices goes along:
//
//   - Positions, velocities and masses as package remesh carries them: mass and momentum are kept.
//   - Clamps and seams keep their vertices, which stay.
//   - What is painted is looked up in the input mesh by material points: by vertex interpolated there, by triangle
//     taken at the centroid. So it does not wash out, however often the mesh changes. Where it jumps from triangle to
//     triangle, the edge is kept.
//   - A curved rest shape is that of the input, looked up in the same way: its faces stay flat.
//
// Vertices are known by ids that are never used again; those of the input have their indices as ids.

var _ mech.Remesher = (*Cloth)(nil)

// Adapts reports whether the cloth is remeshed.
func (c *Cloth) Adapts() bool { return c.adaptive != nil }

// IDs returns the ids of the vertices of a cloth that is remeshed, and nil of others.
func (c *Cloth) IDs() []int64 {
	if c.adaptive == nil {
		return nil
	}
	return c.adaptive.uid
}

// Original returns the cloth as it was made. It differs from Spec where the cloth is remeshed.
func (c *Cloth) Original() ClothSpec {
	if c.adaptive != nil {
		return *c.adaptive.input
	}
	return c.Spec
}

// Near returns how far away other things matter for its sizes.
func (c *Cloth) Near(thickness float64) float64 {
	o := c.Spec.Remesh
	margin := max(thickness, o.Reach)
	if o.Contact == remesh.Obstacle {
		margin = max(margin, o.Max) // what is farther asks for no smaller size
	}
	return margin
}

// Remesh brings the mesh to its sizing field, [Li18] section 5.
func (c *Cloth) Remesh(in *mech.Remeshing) (*mech.Remeshed, error) {
	a := c.adaptive
	s := &remesh.Sheet{
		Mesh: c.Spec.Mesh, X: in.X, V: in.V, Mass: in.Mass,
		UID: a.uid, NextUID: a.nextUID, Keep: c.kept(in.Keep), Triangle: slices.Clone(a.triangle),
		Density: c.Spec.Fabric.Density, DensityByTriangle: c.Spec.Maps.Density != nil, Size: a.size,
	}
	around := &remesh.Surroundings{Thickness: in.Around.Thickness, Fields: in.Around.Fields}
	for _, o := range in.Around.Surfaces {
		around.Surfaces = append(around.Surfaces, remesh.Surface{X: o.X, Tri: o.Tri, Cloth: o.Sheet})
	}
	counts := a.remesher.Remesh(in.Team, s, around, c.Spec.Remesh)
	next := *a
	next.uid, next.nextUID, next.triangle, next.size = s.UID, s.NextUID, s.Triangle, s.Size
	out := &mech.Remeshed{Counts: mech.RemeshCounts{
		Flips: counts.Flips, Splits: counts.Splits, Collapses: counts.Collapses, Refused: mech.Refusals(counts.Refused),
	}}
	if s.Mesh == c.Spec.Mesh {
		sized := *c
		sized.adaptive = &next
		out.Body = &sized
		return out, nil
	}
	return out, c.take(&next, s, out)
}

// take completes what remeshing, or a snapshot, has made of the cloth.
func (c *Cloth) take(next *adaptive, s *remesh.Sheet, out *mech.Remeshed) error {
	out.X, out.V, out.Mass = s.X, s.V, s.Mass
	out.Moves = mech.Renumber(c.adaptive.uid, s.UID)
	cloth, err := c.withMesh(next, s.Mesh, s.Mass, out.Moves)
	if err != nil {
		return fmt.Errorf("cloth %q, remeshed: %w", c.Spec.Name, err)
	}
	out.Body = cloth
	return nil
}

// withMesh returns the cloth with another mesh, in which its vertices have the given indices and masses.
func (c *Cloth) withMesh(next *adaptive, m *mesh.Mesh, mass []float64, vertices []int32) (*Cloth, error) {
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
	cloth, err := c.WithMesh(next.repainted(spec), mass)
	if err == nil {
		cloth.adaptive = next
	}
	return cloth, err
}

// kept returns which vertices stay: those that must, and those of clamps, of seams, and where what is painted jumps.
func (c *Cloth) kept(keep []bool) []bool {
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

// Renamed returns the index that a feature of the cloth before has in its present mesh, and false if it is there no
// more.
func (c *Cloth) Renamed(before mech.Body, kind contact.Kind, id int32, moves []int32) (index int64, ok bool) {
	old, m := before.(*Cloth).Spec.Mesh, c.Spec.Mesh
	switch kind {
	case contact.Vertex:
		// a vertex is known by its move
		v := moves[id]
		return int64(v), v != mech.Gone
	case contact.Edge:
		// an edge lasts if one joins both ends still
		ends := old.Edges[id].V
		a, b := moves[ends[0]], moves[ends[1]]
		if a == mech.Gone || b == mech.Gone {
			return 0, false
		}
		e, ok := m.FindEdge(a, b)
		return int64(e), ok
	case contact.Face:
		// a face lasts if an edge joins two corners and has the third opposite
		corners := old.Tri[id]
		a, b, c := moves[corners[0]], moves[corners[1]], moves[corners[2]]
		if a == mech.Gone || b == mech.Gone || c == mech.Gone {
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

// MeshState returns the mesh and what belongs to it, without the masses.
func (c *Cloth) MeshState() mech.MeshState {
	a := c.adaptive
	state := mech.MeshState{Mesh: c.Spec.Mesh, NextUID: a.nextUID, UID: a.uid, Triangle: a.triangle}
	if a.size != nil {
		state.Size = make([][3]float64, len(a.size))
		for i, t := range a.size {
			state.Size[i] = [3]float64{t.XX, t.XY, t.YY}
		}
	}
	return state
}

// WithMeshState returns the cloth with the mesh of a snapshot.
func (c *Cloth) WithMeshState(k *mech.MeshState) (*mech.Remeshed, error) {
	if err := c.fits(k); err != nil {
		return nil, fmt.Errorf("mesh of cloth %q: %w", c.Spec.Name, err)
	}
	next := *c.adaptive
	next.uid, next.nextUID, next.triangle, next.size = k.UID, k.NextUID, k.Triangle, nil
	if k.Size != nil {
		next.size = make([]remesh.Tensor, len(k.Size))
		for i, t := range k.Size {
			next.size[i] = remesh.Tensor{XX: t[0], XY: t[1], YY: t[2]}
		}
	}
	n := k.Mesh.Verts
	sheet := &remesh.Sheet{Mesh: k.Mesh, X: make([]r3.Vec, n), V: make([]r3.Vec, n), Mass: k.Mass, UID: k.UID}
	out := &mech.Remeshed{}
	return out, c.take(&next, sheet, out)
}

// fits says why a mesh of a snapshot cannot be that of the cloth.
func (c *Cloth) fits(k *mech.MeshState) error {
	// triangles inherit as many values as here, the last of them the part of the cloth that they belong to
	charts := slices.Max(c.adaptive.charts) + 1
	if len(k.Triangle) != len(c.adaptive.triangle) {
		return fmt.Errorf("its triangles have %d values, not %d", len(k.Triangle), len(c.adaptive.triangle))
	}
	for _, chart := range k.Triangle[len(k.Triangle)-1] {
		if chart != math.Trunc(chart) || chart < 0 || chart >= float64(charts) {
			return fmt.Errorf("a triangle belongs to part %g of the cloth, which has %d", chart, charts)
		}
	}
	// ids of vertices differ, and all were given before
	seen := make(map[int64]bool, len(k.UID))
	for v, id := range k.UID {
		if id < 0 || id >= k.NextUID || seen[id] {
			return fmt.Errorf("vertex %d has the id %d, which it cannot have", v, id)
		}
		seen[id] = true
	}
	// masses are positive
	for v, m := range k.Mass {
		if !(m > 0) {
			return fmt.Errorf("vertex %d has the mass %g kg", v, m)
		}
	}
	// every vertex belongs to a triangle
	used := make([]bool, k.Mesh.Verts)
	for _, t := range k.Mesh.Tri {
		for _, v := range t {
			used[v] = true
		}
	}
	if v := slices.Index(used, false); v >= 0 {
		return fmt.Errorf("vertex %d belongs to no triangle", v)
	}
	return nil
}

// InputPositions writes where the vertices of the mesh that the cloth was made with are, when those of its present mesh
// are at x, to out, which is made if it is too short, and returns it.
func (c *Cloth) InputPositions(x, out []r3.Vec) []r3.Vec {
	// room for the result
	n := c.Original().Mesh.Verts
	if len(out) < n {
		out = make([]r3.Vec, n)
	}
	out = out[:n]
	// a mesh that does not change is that of the input
	if c.adaptive == nil {
		copy(out, x)
		return out
	}
	// material points are looked up within their part of the cloth
	a, m := c.adaptive, c.Spec.Mesh
	charts := make([]int32, len(m.Tri))
	for t := range charts {
		charts[t] = a.chart(t)
	}
	locator := mesh.NewLocator(m, charts)
	// each input vertex once, by the weights of its place in a triangle now
	done := make([]bool, len(out))
	for t, corners := range a.input.Mesh.Tri {
		for k, v := range corners {
			if done[v] {
				continue
			}
			done[v] = true
			tri, w := locator.Find(a.charts[t], a.input.Mesh.Material[a.input.Mesh.Corner[t][k]])
			at := m.Tri[tri]
			out[v] = x[at[0]].Scale(w[0]).AddScaled(w[1], x[at[1]]).AddScaled(w[2], x[at[2]])
		}
	}
	return out
}
