package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// meshStates returns the meshes of bodies that are remeshed.
func (w *World) meshStates() []mech.MeshState {
	var out []mech.MeshState
	for i := range w.bodies {
		b := &w.bodies[i]
		if b.remesher == nil {
			continue
		}
		k := b.remesher.MeshState()
		k.Mass = slices.Clone(w.mass[b.first : b.first+b.count])
		out = append(out, k)
	}
	return out
}

// restoreMeshes gives bodies the meshes of a snapshot, whose blocks then fit the world. What it replaces is in
// w.replaced.
func (w *World) restoreMeshes(s *Snapshot) error {
	// a world whose meshes stay takes none
	if !w.adapts() {
		if len(s.meshes) > 0 {
			return errors.New("it has meshes of cloths that do not change theirs")
		}
		return nil
	}
	// what is replaced can be brought back
	w.build()
	w.save()
	// one mesh for each cloth that is remeshed, in their order
	next := make([]*mech.Remeshed, len(w.bodies))
	left := s.meshes
	for i := range w.bodies {
		b := &w.bodies[i]
		if b.remesher == nil {
			continue
		}
		if len(left) == 0 {
			return fmt.Errorf("it has no mesh of cloth %q", w.surfaces[b.surface])
		}
		var err error
		if next[i], err = b.remesher.WithMeshState(&left[0]); err != nil {
			return err
		}
		left = left[1:]
	}
	// none may be left over
	if len(left) > 0 {
		return errors.New("it has meshes of cloths that do not change theirs")
	}
	// blocks move; handles that were released may lose vertices
	return w.renumber(next, func(handle int) bool { return handle < len(s.handles) && s.handles[handle].released })
}

func (s *Snapshot) appendMeshes(b []byte) []byte {
	// worlds whose meshes stay have no such part
	if len(s.meshes) == 0 {
		return b
	}
	b = appendInts(b, len(s.meshes))
	for i := range s.meshes {
		k := &s.meshes[i]
		m := k.Mesh
		// counts come first, so that a reader knows what follows
		b = appendInts(b, int(k.NextUID), m.Verts, len(m.Tri), len(m.Material), len(k.Triangle), bit(k.Size != nil))
		// triangles, by vertices and by points of the material
		for t := range m.Tri {
			for c := range 3 {
				b = appendInts(b, int(m.Tri[t][c]), int(m.Corner[t][c]))
			}
		}
		// points of the material, and vertices with their masses
		for _, p := range m.Material {
			b = appendFloats(b, p.X, p.Y)
		}
		for _, id := range k.UID {
			b = appendInts(b, int(id))
		}
		b = appendFloats(b, k.Mass...)
		// what triangles inherit, and sizes
		for _, values := range k.Triangle {
			b = appendFloats(b, values...)
		}
		for _, t := range k.Size {
			b = appendFloats(b, t[0], t[1], t[2])
		}
	}
	return b
}

func (s *Snapshot) readMeshes(d *decoder) {
	for range d.count(len(d.data) / (6 * 8)) {
		// counts
		k := mech.MeshState{NextUID: int64(d.count(math.MaxInt64))}
		verts, triangles, points := d.count(len(d.data)/8), d.count(len(d.data)/(6*8)), d.count(len(d.data)/(2*8))
		attributes, sized := d.count(2), d.count(1) == 1
		// triangles, by vertices and by points of the material
		tri, corner := make([][3]int32, triangles), make([][3]int32, triangles)
		for t := range tri {
			for c := range 3 {
				tri[t][c], corner[t][c] = int32(d.count(math.MaxInt32)), int32(d.count(math.MaxInt32))
			}
		}
		// points of the material, and vertices with their masses
		material := make([]r3.Vec2, points)
		for i := range material {
			material[i] = r3.Vec2{X: d.float(), Y: d.float()}
		}
		k.UID, k.Mass = make([]int64, verts), make([]float64, verts)
		for v := range k.UID {
			k.UID[v] = int64(d.count(math.MaxInt64))
		}
		d.floats(k.Mass)
		// what triangles inherit, and sizes
		for range attributes {
			values := make([]float64, triangles)
			d.floats(values)
			k.Triangle = append(k.Triangle, values)
		}
		if sized {
			k.Size = make([][3]float64, points)
			for i := range k.Size {
				k.Size[i] = [3]float64{d.float(), d.float(), d.float()}
			}
		}
		if d.failed {
			return
		}
		// a mesh that cannot be is damage as well
		m, err := mesh.New(verts, tri, material, corner)
		if err != nil {
			d.failed, d.data = true, nil
			return
		}
		k.Mesh = m
		s.meshes = append(s.meshes, k)
	}
}
