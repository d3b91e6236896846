package toile

import (
	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/remesh"
)

// What cloths may touch while they are remeshed: every surface that the contact finder knows, where it is.

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
	if w.opt.Contact.Self {
		near := w.nearby(&w.cloths[i])
		for j := range w.others {
			w.others[j].surround(around, w.pos, &near)
		}
	}
	return around
}

// nearby returns the box in which bodies matter to a cloth. Remeshing leaves no cloth outside of where it was.
func (w *World) nearby(c *cloth) r3.Box {
	box := r3.EmptyBox()
	for _, x := range w.pos[c.first : c.first+c.count] {
		box = box.With(x)
	}
	o := c.Spec.Remesh
	margin := max(w.opt.Contact.Thickness, o.Reach)
	if o.Contact == remesh.Obstacle {
		margin = max(margin, o.Max) // what is farther asks for no smaller size
	}
	m := r3.V(margin, margin, margin)
	return r3.Box{Min: box.Min.Sub(m), Max: box.Max.Add(m)}
}

// surround adds what can be touched of a body, if it is in a box: its triangles as a mesh, free points and free edges as
// balls and capsules, with a radius of 0 if they have none.
func (m *member) surround(around *remesh.Surroundings, pos []r3.Vec, near *r3.Box) {
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
		around.Surfaces = append(around.Surfaces, remesh.Surface{X: x, Tri: skin.Tri})
	}
	for _, e := range skin.Edges {
		a, b := x[e[0]], x[e[1]]
		around.Fields = append(around.Fields,
			geom.Placed{Shape: geom.Capsule{Radius: skin.Radius, Half: b.Sub(a).Norm() / 2}, Pose: geom.Along(a, b)})
	}
	for _, p := range skin.Dots {
		around.Fields = append(around.Fields,
			geom.Placed{Shape: geom.Sphere{Radius: skin.Radius}, Pose: r3.Translation(x[p])})
	}
}

// skinPoints returns where the points of the body's skin are when all blocks are at pos.
func (m *member) skinPoints(skin *contact.Skin, pos []r3.Vec) []r3.Vec {
	x := m.of(pos)
	if len(skin.Carriers.By) == 0 {
		return x[:skin.Points]
	}
	points := make([]r3.Vec, skin.Points)
	m.Body.(mech.Carrying).Carry(x, points) // as validateBody has seen
	return points
}
