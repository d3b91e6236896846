package engine

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// What bodies may touch while they are remeshed: every surface that the contact finder knows, where it is.

// surroundings returns what body i may touch besides itself. Those before it that were remeshed are as they are now.
func (w *World) surroundings(i int, next []*mech.Remeshed) *mech.Surroundings {
	around := &mech.Surroundings{Thickness: w.opt.Contact.Thickness}
	// other sheets, if cloth touches cloth; those that were remeshed with their new mesh
	for _, j := range w.sheets {
		if j == i || !w.opt.Contact.Self {
			continue
		}
		c := &w.bodies[j]
		x, tri := c.of(w.pos), c.sheet.Triangles()
		if n := next[j]; n != nil && n.Moves != nil {
			x, tri = n.X, n.Body.(mech.Sheet).Triangles()
		}
		around.Surfaces = append(around.Surfaces, mech.Surface{X: x, Tri: tri, Sheet: true})
	}
	// obstacles: shapes as fields, meshes as surfaces
	for j := range w.obstacles {
		k := &w.obstacles[j]
		if k.spec.Shape != nil {
			around.Fields = append(around.Fields, shape.Placed{Shape: k.spec.Shape, Pose: k.place(k.pose)})
		} else {
			around.Surfaces = append(around.Surfaces, mech.Surface{X: k.x, Tri: k.spec.Tri})
		}
	}
	// bodies that are near enough to matter
	if w.opt.Contact.Self {
		near := w.nearby(&w.bodies[i])
		for _, j := range w.others {
			w.bodies[j].surround(around, w.pos, &near)
		}
	}
	return around
}

// nearby returns the box in which others matter to a body. Remeshing leaves no body outside of where it was.
func (w *World) nearby(b *placedBody) r3.Box {
	box := r3.EmptyBox()
	for _, x := range b.of(w.pos) {
		box = box.With(x)
	}
	margin := b.remesher.Near(w.opt.Contact.Thickness)
	m := r3.V(margin, margin, margin)
	return r3.Box{Min: box.Min.Sub(m), Max: box.Max.Add(m)}
}

// surround adds what can be touched of a body, if it is in a box: its triangles as a mesh, free points and free edges
// as balls and capsules, with a radius of 0 if they have none.
func (m *placedBody) surround(around *mech.Surroundings, pos []r3.Vec, near *r3.Box) {
	skin := m.Skin()
	if skin == nil {
		return
	}
	x := m.skinPoints(skin, pos)
	bounds := r3.EmptyBox()
	for _, p := range x {
		bounds = bounds.With(p)
	}
	round := r3.V(skin.Radius, skin.Radius, skin.Radius)
	if bounds = (r3.Box{Min: bounds.Min.Sub(round), Max: bounds.Max.Add(round)}); !bounds.Overlaps(near) {
		return
	}
	if len(skin.Tri) > 0 {
		around.Surfaces = append(around.Surfaces, mech.Surface{X: x, Tri: skin.Tri})
	}
	for _, e := range skin.Edges {
		a, b := x[e[0]], x[e[1]]
		around.Fields = append(around.Fields,
			shape.Placed{Shape: shape.Capsule{Radius: skin.Radius, Half: b.Sub(a).Norm() / 2}, Pose: shape.Along(a, b)})
	}
	for _, p := range skin.Dots {
		around.Fields = append(around.Fields,
			shape.Placed{Shape: shape.Sphere{Radius: skin.Radius}, Pose: r3.Translation(x[p])})
	}
}

// skinPoints returns where the points of the body's skin are when all blocks are at pos.
func (m *placedBody) skinPoints(skin *contact.Skin, pos []r3.Vec) []r3.Vec {
	x := m.of(pos)
	if len(skin.Carriers.By) == 0 {
		return x[:skin.Points]
	}
	points := make([]r3.Vec, skin.Points)
	m.carrying.Carry(x, points) // as validateBody has seen
	return points
}
