package contact

import (
	"cmp"
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/r3"
)

// surface is what detection knows of the connectivity of one side: all sheets together, whose vertices are blocks, one
// obstacle mesh, or the sharp features of a shape, which have no triangles.
//
// Every vertex and edge belongs to its first triangle. Of a pair of triangles only the features they own are
// tested, so that each pair of features comes up once.
type surface struct {
	tri     [][3]int32
	edge    [][2]int32  // the smaller vertex first, sorted
	triEdge [][3]int32  // by triangle: the edge opposite to its corner 0, 1 and 2
	own     []uint8     // by triangle: bit k for corner k, bit 3+k for the edge opposite to it
	home    []int32     // by edge: 3 triangle + corner, of the owner; −1 without triangles
	corner  []int32     // by vertex: 3 triangle + corner, of the owner; −1 without triangles
	across  lists.Lists // by edge: the vertices opposite to it
	around  lists.Lists // by vertex: its edges
}

// connect builds the surface of triangles over the given number of vertices.
func connect(vertices int, tri [][3]int32) surface {
	s := surface{tri: tri, triEdge: make([][3]int32, len(tri)), own: make([]uint8, len(tri))}
	type side struct {
		a, b int32
		at   int32 // 3 triangle + opposite corner
	}
	sides := make([]side, 0, 3*len(tri))
	s.corner = make([]int32, vertices)
	for v := range s.corner {
		s.corner[v] = -1
	}
	for t, v := range tri {
		for k := range 3 {
			a, b := v[(k+1)%3], v[(k+2)%3]
			sides = append(sides, side{min(a, b), max(a, b), int32(3*t + k)})
			if s.corner[v[k]] < 0 {
				s.corner[v[k]] = int32(3*t + k)
				s.own[t] |= 1 << k
			}
		}
	}
	slices.SortFunc(sides, func(p, q side) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), cmp.Compare(p.at, q.at))
	})
	for i, d := range sides {
		if i == 0 || d.a != sides[i-1].a || d.b != sides[i-1].b {
			s.edge = append(s.edge, [2]int32{d.a, d.b})
			s.home = append(s.home, d.at)
			s.own[d.at/3] |= 8 << (d.at % 3)
			s.across.Start = append(s.across.Start, int32(i))
		}
		s.triEdge[d.at/3][d.at%3] = int32(len(s.edge) - 1)
		s.across.Items = append(s.across.Items, tri[d.at/3][d.at%3])
	}
	s.across.Start = append(s.across.Start, int32(len(sides)))
	s.listAround(vertices)
	return s
}

// listAround fills around.
func (s *surface) listAround(vertices int) {
	s.around.Fill(vertices, func(put func(index, item int32)) {
		for i, e := range s.edge {
			put(e[0], int32(i))
			put(e[1], int32(i))
		}
	})
}

// other returns the end of edge e that is not v.
func (s *surface) other(e, v int32) int32 { return s.edge[e][0] + s.edge[e][1] - v }

// side is a surface in motion, one of the two of a pair. Positions are those of the step; a press's travel is
// contained in x1.
type side struct {
	*surface
	x0, x1 []r3.Vec
	target *target // nil for sheets
}

// at returns where vertex v is at time t of the step, in [0, 1].
func (s *side) at(v int32, t float64) r3.Vec {
	if t == 0 {
		return s.x0[v]
	}
	return s.x0[v].Lerp(s.x1[v], t)
}

// shift returns the way of vertex v.
func (s *side) shift(v int32) r3.Vec { return s.x1[v].Sub(s.x0[v]) }

// corners returns the corners of triangle i at time t.
func (s *side) corners(i int32, t float64) (a, b, c r3.Vec) {
	v := &s.tri[i]
	return s.at(v[0], t), s.at(v[1], t), s.at(v[2], t)
}

// facing returns the normal of triangle i at time t, zero if it has none.
func (s *side) facing(i int32, t float64) r3.Vec {
	a, b, c := s.corners(i, t)
	return b.Sub(a).Cross(c.Sub(a)).Unit()
}

// heaviest returns the corner of triangle i with the largest weight, of several the vertex with the smallest number.
func (s *surface) heaviest(i int32, w r3.Vec) int32 {
	v := &s.tri[i]
	best, most := v[0], w.X
	if w.Y > most || w.Y == most && v[1] < best {
		best, most = v[1], w.Y
	}
	if w.Z > most || w.Z == most && v[2] < best {
		best = v[2]
	}
	return best
}

// nearer returns the end of edge e that the point at parameter s is nearer to, the first in the middle.
func (s *surface) nearer(e int32, at float64) int32 {
	if at > 0.5 {
		return s.edge[e][1]
	}
	return s.edge[e][0]
}

func blend(w, a, b, c r3.Vec) r3.Vec { return a.Scale(w.X).AddScaled(w.Y, b).AddScaled(w.Z, c) }
