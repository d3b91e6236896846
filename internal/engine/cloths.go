package engine

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/r3"
)

// What users of a world see of cloths, by their ids and vertices.

// AddCloth adds a sheet.
func (w *World) AddCloth(c Cloth) (ClothID, error) {
	if err := c.Validate(); err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	b, err := body.NewCloth(c, w.time)
	if err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	k := &w.bodies[w.addMember(b, w.newSurface(c.Name))]
	copy(k.of(w.pos), c.Positions)
	copy(k.of(w.vel), c.Velocities)
	copy(w.mass[k.first:], b.Mass)
	return ClothID(len(w.sheets) - 1), nil
}

func (w *World) cloth(id ClothID) *body.Cloth { return w.clothAt(id).Body.(*body.Cloth) }

// Cloths returns the number of cloths.
func (w *World) Cloths() int { return len(w.sheets) }

// Cloth returns a cloth as it was added. If it is remeshed, its mesh and everything that belongs to vertices and
// triangles is as it is now, and what is returned holds until the next step; Input then returns it as it was added.
func (w *World) Cloth(id ClothID) Cloth { return w.cloth(id).Spec }

// Input returns a cloth as it was added. It differs from Cloth where the cloth is remeshed.
func (w *World) Input(id ClothID) Cloth { return w.cloth(id).Input() }

// VertexIDs returns the ids of a cloth's vertices, by which they are known from mesh to mesh, as a view that holds
// until the next step; nil where the mesh does not change. Those of the mesh that the cloth was added with have their
// indices in it as ids.
func (w *World) VertexIDs(id ClothID) []int64 { return w.cloth(id).IDs() }

// InputPositions writes where the vertices of the mesh that a cloth was added with are now [m] to out, which is made if
// it is too short, and returns it. If the cloth is remeshed, they are looked up in its present mesh by their material
// points.
func (w *World) InputPositions(id ClothID, out []r3.Vec) []r3.Vec {
	c := w.cloth(id)
	n := c.Input().Mesh.Verts
	if len(out) < n {
		out = make([]r3.Vec, n)
	}
	out = out[:n]
	c.InputPositions(w.Positions(id), out)
	return out
}

// Positions returns the positions of a cloth's vertices [m]. They are a view: they change with every step and must not
// be written to. In a world with a cloth that is remeshed they hold until the next step, and so do other views.
func (w *World) Positions(id ClothID) []r3.Vec {
	c := w.clothAt(id)
	return w.pos[c.first : c.first+c.count]
}

// Velocities returns the velocities of a cloth's vertices [m/s], as a view.
func (w *World) Velocities(id ClothID) []r3.Vec {
	c := w.clothAt(id)
	return w.vel[c.first : c.first+c.count]
}

// SetVelocities gives the vertices of a cloth new velocities [m/s]. Vertices that a handle holds keep the handle's.
func (w *World) SetVelocities(id ClothID, v []r3.Vec) {
	c := w.clothAt(id)
	if len(v) != c.count {
		panic(fmt.Sprintf("toile: %d velocities for the %d vertices of cloth %q", len(v), c.count, w.surfaces[c.surface]))
	}
	copy(w.vel[c.first:], v)
}

// Masses returns the masses of a cloth's vertices [kg], as a view.
func (w *World) Masses(id ClothID) []float64 {
	c := w.clothAt(id)
	return w.mass[c.first : c.first+c.count]
}

// Stretch writes the largest principal stretch around each vertex of a cloth (1 is unstretched) to out,
// which is made if it is too short, and returns it.
func (w *World) Stretch(id ClothID, out []float64) []float64 {
	c := w.clothAt(id)
	if len(out) < c.count {
		out = make([]float64, c.count)
	}
	out = out[:c.count]
	w.turnClamps(func(k *holder) r3.Quat { return k.pose.R })
	c.stretcher.Stretch(w.Positions(id), out)
	return out
}

// WidestStitch returns the largest distance between two vertices of a cloth that its seams join [m], and which pair
// that is; zero and -1 without seams.
func (w *World) WidestStitch(id ClothID) (gap float64, pair int) {
	pair = -1
	seams := w.cloth(id).Spec.Seams
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

// AddLoad adds a load.
func (w *World) AddLoad(l Load) (LoadID, error) {
	on, count, err := w.verticesOf(l.Cloth, l.Body)
	if err != nil {
		return 0, fmt.Errorf("load %q: %w", l.Name, err)
	}
	if len(l.Vertices) == 0 || !l.Force.Finite() {
		return 0, fmt.Errorf("load %q: a force of %v N on %d vertices", l.Name, l.Force, len(l.Vertices))
	}
	k := load{force: l.Force}
	for _, v := range l.Vertices {
		if v < 0 || int(v) >= count {
			return 0, fmt.Errorf("load %q: %s has no vertex %d", l.Name, w.nameOfBearer(on), v)
		}
		k.nodes = append(k.nodes, w.firstOf(on)+v)
	}
	w.loads = append(w.loads, k)
	w.print = nil
	return LoadID(len(w.loads) - 1), nil
}

// SetForce applies a force to a vertex until it is set again [N].
func (w *World) SetForce(id ClothID, vertex int, f r3.Vec) {
	c := w.clothAt(id)
	if vertex < 0 || vertex >= c.count {
		panic(fmt.Sprintf("toile: cloth %q has no vertex %d", w.surfaces[c.surface], vertex))
	}
	w.force[c.first+vertex] = f
}

// ClothSurface returns the surface of a cloth.
func (w *World) ClothSurface(id ClothID) SurfaceID { return w.clothAt(id).surface }

// VertexContacts writes what the vertices of a cloth feel to out, which is made if it is too short, and returns it.
func (w *World) VertexContacts(id ClothID, out []VertexContact) []VertexContact {
	c := w.clothAt(id)
	return w.blockContacts(c.first, c.count, out)
}
