package toile

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/remesh"
)

// meshState is the mesh of a cloth that is remeshed. Positions and velocities are with those of all blocks.
type meshState struct {
	mesh     *mesh.Mesh
	nextUID  int64
	uid      []int64
	mass     []float64
	triangle [][]float64
	size     []remesh.Tensor
}

// meshStates returns the meshes of cloths that are remeshed.
func (w *World) meshStates() []meshState {
	var out []meshState
	for i := range w.cloths {
		c := &w.cloths[i]
		if a := c.adaptive; a != nil {
			out = append(
				out,
				meshState{
					c.Spec.Mesh,
					a.nextUID,
					a.uid,
					slices.Clone(w.mass[c.first : c.first+c.count]),
					a.triangle,
					a.size,
				},
			)
		}
	}
	return out
}

// restoreMeshes gives cloths the meshes of a snapshot, whose blocks then fit the world. What it replaces is in
// w.replaced.
func (w *World) restoreMeshes(s *Snapshot) error {
	if !w.adapts() {
		if len(s.meshes) > 0 {
			return errors.New("it has meshes of cloths that do not change theirs")
		}
		return nil
	}
	w.build()
	w.save()
	w.cloths = slices.Clone(w.cloths)
	sheets := make([]*remesh.Sheet, len(w.cloths))
	left := s.meshes
	for i := range w.cloths {
		c := &w.cloths[i]
		if c.adaptive == nil {
			continue
		}
		if len(left) == 0 {
			return fmt.Errorf("it has no mesh of cloth %q", c.Spec.Name)
		}
		k := &left[0]
		left = left[1:]
		if err := k.fits(c); err != nil {
			return fmt.Errorf("mesh of cloth %q: %w", c.Spec.Name, err)
		}
		a := *c.adaptive
		a.uid, a.nextUID, a.triangle, a.size = k.uid, k.nextUID, k.triangle, k.size
		c.adaptive = &a
		n := k.mesh.Verts
		sheets[i] = &remesh.Sheet{Mesh: k.mesh, X: make([]r3.Vec, n), V: make([]r3.Vec, n), Mass: k.mass, UID: k.uid}
	}
	if len(left) > 0 {
		return errors.New("it has meshes of cloths that do not change theirs")
	}
	return w.lay(sheets, func(handle int) bool { return handle < len(s.handles) && s.handles[handle].released })
}

// fits says why a mesh of a snapshot cannot be that of a cloth.
func (k *meshState) fits(c *cloth) error {
	charts := slices.Max(c.adaptive.charts) + 1
	if len(k.triangle) != len(c.adaptive.triangle) {
		return fmt.Errorf("its triangles have %d values, not %d", len(k.triangle), len(c.adaptive.triangle))
	}
	for _, chart := range k.triangle[len(k.triangle)-1] {
		if chart != math.Trunc(chart) || chart < 0 || chart >= float64(charts) {
			return fmt.Errorf("a triangle belongs to part %g of the cloth, which has %d", chart, charts)
		}
	}
	seen := make(map[int64]bool, len(k.uid))
	for v, id := range k.uid {
		if id < 0 || id >= k.nextUID || seen[id] {
			return fmt.Errorf("vertex %d has the id %d, which it cannot have", v, id)
		}
		seen[id] = true
	}
	for v, m := range k.mass {
		if !(m > 0) {
			return fmt.Errorf("vertex %d has the mass %g kg", v, m)
		}
	}
	used := make([]bool, k.mesh.Verts)
	for _, t := range k.mesh.Tri {
		for _, v := range t {
			used[v] = true
		}
	}
	if v := slices.Index(used, false); v >= 0 {
		return fmt.Errorf("vertex %d belongs to no triangle", v)
	}
	return nil
}

func (s *Snapshot) appendMeshes(b []byte) []byte {
	if len(s.meshes) == 0 {
		return b
	}
	b = appendInts(b, len(s.meshes))
	for i := range s.meshes {
		k := &s.meshes[i]
		m := k.mesh
		b = appendInts(b, int(k.nextUID), m.Verts, len(m.Tri), len(m.Material), len(k.triangle), bit(k.size != nil))
		for t := range m.Tri {
			for c := range 3 {
				b = appendInts(b, int(m.Tri[t][c]), int(m.Corner[t][c]))
			}
		}
		for _, p := range m.Material {
			b = appendFloats(b, p.X, p.Y)
		}
		for _, id := range k.uid {
			b = appendInts(b, int(id))
		}
		b = appendFloats(b, k.mass...)
		for _, values := range k.triangle {
			b = appendFloats(b, values...)
		}
		for _, t := range k.size {
			b = appendFloats(b, t.XX, t.XY, t.YY)
		}
	}
	return b
}

func (s *Snapshot) readMeshes(d *decoder) {
	for range d.count(len(d.data) / (6 * 8)) {
		k := meshState{nextUID: int64(d.count(math.MaxInt64))}
		verts, triangles, points := d.count(len(d.data)/8), d.count(len(d.data)/(6*8)), d.count(len(d.data)/(2*8))
		attributes, sized := d.count(2), d.count(1) == 1
		tri, corner := make([][3]int32, triangles), make([][3]int32, triangles)
		for t := range tri {
			for c := range 3 {
				tri[t][c], corner[t][c] = int32(d.count(math.MaxInt32)), int32(d.count(math.MaxInt32))
			}
		}
		material := make([]r3.Vec2, points)
		for i := range material {
			material[i] = r3.Vec2{X: d.float(), Y: d.float()}
		}
		k.uid, k.mass = make([]int64, verts), make([]float64, verts)
		for v := range k.uid {
			k.uid[v] = int64(d.count(math.MaxInt64))
		}
		d.floats(k.mass)
		for range attributes {
			values := make([]float64, triangles)
			d.floats(values)
			k.triangle = append(k.triangle, values)
		}
		if sized {
			k.size = make([]remesh.Tensor, points)
			for i := range k.size {
				k.size[i] = remesh.Tensor{XX: d.float(), XY: d.float(), YY: d.float()}
			}
		}
		if d.failed {
			return
		}
		m, err := mesh.New(verts, tri, material, corner)
		if err != nil {
			d.failed, d.data = true, nil
			return
		}
		k.mesh = m
		s.meshes = append(s.meshes, k)
	}
}
