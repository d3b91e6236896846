package engine

import (
	"fmt"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// What users of a world see of cloths, by their ids and vertices.

// AddSheet adds a body that is a sheet, whose vertices start at positions x and velocities v and have the masses of m
// [kg]. Package cloths makes sheets of cloth.
func (w *World) AddSheet(name string, b mech.Body, x, v []r3.Vec, m []float64) ClothID {
	k := &w.bodies[w.addMember(b, w.newSurface(name))]
	copy(k.of(w.pos), x)
	copy(k.of(w.vel), v)
	copy(w.mass[k.first:], m)
	return ClothID(len(w.sheets) - 1)
}

// Sheet returns the body that a cloth is. Only its own methods may change it, and not during a step.
func (w *World) Sheet(id ClothID) mech.Body { return w.clothAt(id).Body }

// Cloths returns the number of cloths.
func (w *World) Cloths() int { return len(w.sheets) }

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
