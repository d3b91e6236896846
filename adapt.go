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
	"math"
	"slices"
	"time"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/remesh"
)

// Remesh says to which sizes a cloth is remeshed.
type Remesh = remesh.Options

// DefaultRemesh returns sizes of 10 to 200 mm and the criteria of [Narain12], [Narain13] and [Li18].
func DefaultRemesh() Remesh { return remesh.DefaultOptions() }

// RemeshMetric is how sizes follow what a cloth may touch.
type RemeshMetric = remesh.ContactMetric

// The metrics: [Li18] equations (15) and (16), the older one of equation (14), and none.
const (
	RemeshProximity = remesh.Proximity
	RemeshObstacle  = remesh.Obstacle
	RemeshNoContact = remesh.NoContact
)

// RemeshCounts are what remeshing has done in a step.
type RemeshCounts = remesh.Counts

// adaptive is what a cloth has whose mesh changes. It is replaced, never changed.
type adaptive struct {
	input    *Cloth      // as it was added
	charts   []int32     // of the input's triangles
	nextUID  int64       // of the next vertex
	uid      []int64     // of vertices
	triangle [][]float64 // what triangles inherit: their chart, after their density if that is painted
	size     []remesh.Tensor
	lookup   *lookup
}

// lookup finds places in the input mesh. It is made when it is first needed and shared by all meshes of a cloth.
type lookup struct{ locator *mesh.Locator }

func newAdaptive(c *Cloth) *adaptive {
	a := &adaptive{input: c, charts: c.Mesh.Charts(), nextUID: int64(c.Mesh.Verts), lookup: new(lookup)}
	a.uid = make([]int64, c.Mesh.Verts)
	for v := range a.uid {
		a.uid[v] = int64(v)
	}
	if c.Maps.Density != nil {
		a.triangle = append(a.triangle, c.Maps.Density)
	}
	charts := make([]float64, len(a.charts))
	for t, chart := range a.charts {
		charts[t] = float64(chart)
	}
	a.triangle = append(a.triangle, charts)
	return a
}

// chart returns the chart of a triangle of the present mesh.
func (a *adaptive) chart(t int) int32 { return int32(a.triangle[len(a.triangle)-1][t]) }

// place returns where a material point is in the input mesh.
func (a *adaptive) place(chart int32, p r3.Vec2) (tri int32, weight [3]float64) {
	if a.lookup.locator == nil {
		a.lookup.locator = mesh.NewLocator(a.input.Mesh, a.charts)
	}
	return a.lookup.locator.Find(chart, p)
}

// adapts tells whether some cloth is remeshed.
func (w *World) adapts() bool {
	return slices.ContainsFunc(w.cloths, func(c cloth) bool { return c.adaptive != nil })
}

// before is what remeshing has replaced in the step under way.
type before struct {
	cloths         []cloth
	pos, vel       []r3.Vec
	force          []r3.Vec
	mass           []float64
	held, fixed    []bool
	handles, loads [][]int32
	others         []member
	touch          touch
}

// remeshed is what remeshing did in the step under way.
type remeshed struct {
	counts RemeshCounts
	took   time.Duration
}

func (r *remeshed) add(c RemeshCounts) {
	r.counts.Flips += c.Flips
	r.counts.Splits += c.Splits
	r.counts.Collapses += c.Collapses
	r.counts.Refused.Kept += c.Refused.Kept
	r.counts.Refused.Shape += c.Refused.Shape
	r.counts.Refused.Crossing += c.Refused.Crossing
}

// adapt remeshes cloths where they are, unless an attempt at the same step has done it.
func (w *World) adapt() error {
	if w.before != nil || !w.adapts() {
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
		s := w.sheet(c)
		old := s.Mesh
		counts := w.remesher.Remesh(w.team, s, w.surroundings(i, sheets), c.Spec.Remesh)
		w.remeshed.add(counts)
		w.lift(s, c.adaptive.nextUID)
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

// afloat is the distance to which new vertices that would be inside of shapes are brought, in thicknesses. The rest is
// left to contact.
const afloat = 0.1

// lift brings vertices of a sheet with ids from fresh on out of analytic shapes, in which a sheet that starts inside of
// one may have edges.
func (w *World) lift(s *remesh.Sheet, fresh int64) {
	for v, id := range s.UID {
		if id < fresh {
			continue
		}
		for i := range w.obstacles {
			k := &w.obstacles[i]
			if k.spec.Shape == nil {
				continue
			}
			shape := geom.Placed{Shape: k.spec.Shape, Pose: k.place(k.pose)}
			if d, out := shape.Distance(s.X[v]); d < 0 {
				s.X[v] = s.X[v].AddScaled(afloat*w.opt.Contact.Thickness-d, out)
			}
		}
	}
}

// save keeps what remeshing replaces.
func (w *World) save() {
	b := &before{
		cloths: w.cloths,
		others: w.others,
		pos:    w.pos,
		vel:    w.vel,
		force:  w.force,
		mass:   w.mass,
		held:   w.held,
		fixed:  w.fixed,
		touch:  w.touch,
	}
	for i := range w.handles {
		b.handles = append(b.handles, w.handles[i].nodes)
	}
	for i := range w.loads {
		b.loads = append(b.loads, w.loads[i].nodes)
	}
	w.before = b
}

// revert goes back to the meshes that the last good step left, after one that failed.
func (w *World) revert() {
	b := w.before
	if b == nil {
		return
	}
	w.before = nil
	w.cloths, w.others = b.cloths, b.others
	w.pos, w.vel, w.force, w.mass, w.held, w.fixed = b.pos, b.vel, b.force, b.mass, b.held, b.fixed
	for i := range w.handles {
		w.handles[i].nodes = b.handles[i]
	}
	for i := range w.loads {
		w.loads[i].nodes = b.loads[i]
	}
	w.touch = b.touch
	w.hold()
	w.setDriven(w.time, w.touch.h)
	w.layMatrix()
}

// sheet returns a cloth as package remesh sees it.
func (w *World) sheet(c *cloth) *remesh.Sheet {
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

// jump is how much painted values of neighbours may differ, relative to the greater, and still count as smooth.
const jump = 0.25

// jumps tells whether what is painted changes suddenly between two triangles. The density is looked after by package
// remesh.
func jumps(m *Maps, s, t int32) bool {
	far := func(a, b float64) bool { return math.Abs(a-b) > jump*max(math.Abs(a), math.Abs(b)) }
	if m.Factor != nil && far(m.Factor[s], m.Factor[t]) || m.Damping != nil && far(m.Damping[s], m.Damping[t]) {
		return true
	}
	if m.Stretch != nil {
		p, q := &m.Stretch[s], &m.Stretch[t]
		if far(p.Warp, q.Warp) || far(p.Weft, q.Weft) || far(p.Shear, q.Shear) {
			return true
		}
	}
	if m.Bend == nil {
		return false
	}
	p, q := &m.Bend[s], &m.Bend[t]
	return far(p.Warp, q.Warp) || far(p.Weft, q.Weft) || far(p.Bias, q.Bias)
}

// surroundings returns what cloth i may touch besides itself. Cloths before it that were remeshed are as they are now.
func (w *World) surroundings(i int, sheets []*remesh.Sheet) *remesh.Surroundings {
	around := &remesh.Surroundings{Thickness: w.opt.Contact.Thickness}
	for j := range w.cloths {
		if j == i || !w.opt.Contact.Self {
			continue
		}
		c := &w.cloths[j]
		x, tri := w.pos[c.first:c.first+c.count], c.Spec.Mesh.Tri
		if s := sheets[j]; s != nil {
			x, tri = s.X, s.Mesh.Tri
		}
		around.Surfaces = append(around.Surfaces, remesh.Surface{X: x, Tri: tri, Cloth: true})
	}
	for j := range w.obstacles {
		k := &w.obstacles[j]
		if k.spec.Shape != nil {
			around.Fields = append(around.Fields, geom.Placed{Shape: k.spec.Shape, Pose: k.place(k.pose)})
		} else {
			around.Surfaces = append(around.Surfaces, remesh.Surface{X: k.x, Tri: k.spec.Tri})
		}
	}
	return around
}

// Input returns a cloth as it was added. It differs from Cloth where the cloth is remeshed.
func (w *World) Input(id ClothID) *Cloth {
	c := &w.cloths[id]
	if c.adaptive != nil {
		return c.adaptive.input
	}
	return &c.Spec
}

// VertexIDs returns the ids of a cloth's vertices, by which they are known from mesh to mesh, as a view that holds
// until the next step; nil where the mesh does not change. Those of the mesh that the cloth was added with have their
// indices in it as ids.
func (w *World) VertexIDs(id ClothID) []int64 {
	if a := w.cloths[id].adaptive; a != nil {
		return a.uid
	}
	return nil
}

// InputPositions writes where the vertices of the mesh that a cloth was added with are now [m] to out, which is made if
// it is too short, and returns it. If the cloth is remeshed, they are looked up in its present mesh by their material
// points.
func (w *World) InputPositions(id ClothID, out []r3.Vec) []r3.Vec {
	c := &w.cloths[id]
	x := w.Positions(id)
	n := w.Input(id).Mesh.Verts
	if len(out) < n {
		out = make([]r3.Vec, n)
	}
	out = out[:n]
	if c.adaptive == nil {
		copy(out, x)
		return out
	}
	a, m := c.adaptive, c.Spec.Mesh
	charts := make([]int32, len(m.Tri))
	for t := range charts {
		charts[t] = a.chart(t)
	}
	locator := mesh.NewLocator(m, charts)
	done := make([]bool, n)
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
