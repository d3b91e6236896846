package remesh

import (
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Remesher remeshes sheets. It holds scratch memory only, so that a call does not depend on the calls before; the zero Remesher is ready.
type Remesher struct{}

// Remesh brings the sheet to its sizing field, and returns what was done. The sheet is left with the same bits for any number of workers.
// Total mass and linear momentum are kept but for rounding, the connectivity stays valid, and nothing crosses that did not before.
//
// It panics if the options are not valid or the sheet's slices do not fit its mesh.
func (r *Remesher) Remesh(_ *par.Team, s *Sheet, _ *Surroundings, opt *Options) Counts {
	if err := opt.Validate(); err != nil {
		panic("remesh: " + err.Error())
	}
	var counts Counts
	for {
		e, longest := -1, opt.Max
		for i := range s.Mesh.Edges {
			d := &s.Mesh.Edges[i]
			c, k := s.Mesh.Corner[d.Tri[0]], d.Opp[0]
			length := s.Mesh.Material[c[(k+1)%3]].Sub(s.Mesh.Material[c[(k+2)%3]]).Norm()
			if length > longest && !(s.Keep[d.V[0]] && s.Keep[d.V[1]]) {
				e, longest = i, length
			}
		}
		if e < 0 {
			return counts
		}
		s.splitAlone(e)
		counts.Splits++
	}
}

// splitAlone splits an edge in the middle and builds the mesh anew.
func (s *Sheet) splitAlone(e int) {
	m := s.Mesh
	d := m.Edges[e]
	a, b, v := d.V[0], d.V[1], int32(m.Verts)
	tri, corner, material := slices.Clone(m.Tri), slices.Clone(m.Corner), slices.Clone(m.Material)
	s.X = append(slices.Clone(s.X), s.X[a].Lerp(s.X[b], 0.5))
	s.V = append(slices.Clone(s.V), s.V[a].Lerp(s.V[b], 0.5))
	s.Mass = append(slices.Clone(s.Mass), 0)
	s.UID, s.NextUID = append(slices.Clone(s.UID), s.NextUID), s.NextUID+1
	s.Keep = append(slices.Clone(s.Keep), false)
	for i, f := range s.Vertex {
		s.Vertex[i] = append(slices.Clone(f), (f[a]+f[b])/2)
	}
	var made [2]int32 // material points of the middle, and the end they belong to
	for side, t := range d.Tri {
		if t == mesh.None {
			break
		}
		k := d.Opp[side]
		p, q := corner[t][(k+1)%3], corner[t][(k+2)%3]
		if side == 1 && !m.Seam(int32(e)) {
			made[1] = made[0]
		} else {
			made[side] = int32(len(material))
			material = append(material, r3.Vec2{X: (material[p].X + material[q].X) / 2, Y: (material[p].Y + material[q].Y) / 2})
		}
		density := s.Density
		if s.DensityByTriangle {
			density = s.Triangle[0][t]
		}
		share := density * m.RestArea(t) / 6
		s.Mass[a] -= share
		s.Mass[b] -= share
		s.Mass[v] += 2 * share
		second, secondCorner := tri[t], corner[t]
		tri[t][(k+1)%3], corner[t][(k+1)%3] = v, made[side]
		second[(k+2)%3], secondCorner[(k+2)%3] = v, made[side]
		tri, corner = append(tri, second), append(corner, secondCorner)
		for i, f := range s.Triangle {
			s.Triangle[i] = append(slices.Clone(f), f[t])
		}
	}
	next, err := mesh.New(m.Verts+1, tri, material, corner)
	if err != nil {
		panic("remesh: a split broke the mesh: " + err.Error())
	}
	s.Mesh, s.Size = next, nil
}
