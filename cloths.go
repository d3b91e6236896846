package toile

import (
	"fmt"

	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// AddCloth adds a sheet.
func (w *World) AddCloth(c Cloth) (ClothID, error) {
	if err := c.Validate(); err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	n, velocities := c.Mesh.Verts, c.Velocities
	k := cloth{first: len(w.pos), count: n}
	if c.Remesh != nil {
		k.adaptive = newAdaptive(&c)
		c = k.adaptive.repainted(c)
	}
	var err error
	if k.Cloth, err = body.NewCloth(c, w.time); err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	k.surface = w.newSurface(c.Name)
	w.addBlocks(n)
	copy(w.pos[k.first:], c.Positions)
	copy(w.vel[k.first:], velocities)
	copy(w.mass[k.first:], k.Mass)
	w.cloths = append(w.cloths, k)
	w.assembly, w.print = nil, nil
	return ClothID(len(w.cloths) - 1), nil
}

// Cloths returns the number of cloths.
func (w *World) Cloths() int { return len(w.cloths) }

// Cloth returns a cloth as it was added. If it is remeshed, its mesh and everything that belongs to vertices and
// triangles is as it is now, and what is returned holds until the next step; Input then returns it as it was added.
func (w *World) Cloth(id ClothID) Cloth { return w.cloths[id].Spec }

// Input returns a cloth as it was added. It differs from Cloth where the cloth is remeshed.
func (w *World) Input(id ClothID) Cloth {
	c := &w.cloths[id]
	if c.adaptive != nil {
		return *c.adaptive.input
	}
	return c.Spec
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

// Positions returns the positions of a cloth's vertices [m]. They are a view: they change with every step and must not
// be written to. In a world with a cloth that is remeshed they hold until the next step, and so do other views.
func (w *World) Positions(id ClothID) []r3.Vec {
	c := &w.cloths[id]
	return w.pos[c.first : c.first+c.count]
}

// Velocities returns the velocities of a cloth's vertices [m/s], as a view.
func (w *World) Velocities(id ClothID) []r3.Vec {
	c := &w.cloths[id]
	return w.vel[c.first : c.first+c.count]
}

// SetVelocities gives the vertices of a cloth new velocities [m/s]. Vertices that a handle holds keep the handle's.
func (w *World) SetVelocities(id ClothID, v []r3.Vec) {
	c := &w.cloths[id]
	if len(v) != c.count {
		panic(fmt.Sprintf("toile: %d velocities for the %d vertices of cloth %q", len(v), c.count, c.Spec.Name))
	}
	copy(w.vel[c.first:], v)
}

// Masses returns the masses of a cloth's vertices [kg], as a view.
func (w *World) Masses(id ClothID) []float64 {
	c := &w.cloths[id]
	return w.mass[c.first : c.first+c.count]
}

// Stretch writes the largest principal stretch around each vertex of a cloth (1 is unstretched) to out,
// which is made if it is too short, and returns it.
func (w *World) Stretch(id ClothID, out []float64) []float64 {
	c := &w.cloths[id]
	if len(out) < c.count {
		out = make([]float64, c.count)
	}
	out = out[:c.count]
	clear(out)
	w.turnClamps(func(k *holder) r3.Quat { return k.pose.R })
	c.Membrane.Update(w.Positions(id), elastic.WithForce, 0, c.Membrane.Len())
	for e := range c.Membrane.Len() {
		major, _ := c.Membrane.Stretch(e)
		for _, v := range c.Membrane.Nodes(e)[:3] {
			out[v] = max(out[v], major)
		}
	}
	return out
}

// WidestStitch returns the largest distance between two vertices of a cloth that its seams join [m], and which pair
// that is; zero and -1 without seams.
func (w *World) WidestStitch(id ClothID) (gap float64, pair int) {
	pair = -1
	seams := w.cloths[id].Spec.Seams
	if seams == nil {
		return 0, pair
	}
	x := w.Positions(id)
	for i, p := range seams.Pairs {
		if d := x[p[0]].Sub(x[p[1]]).Norm(); pair < 0 || d > gap {
			gap, pair = d, i
		}
	}
	return gap, pair
}
