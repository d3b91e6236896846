package detect

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/r3"
)

// surface is what detection knows of the connectivity of one side: all moving skins together, one prescribed mesh, or
// the sharp features of a shape, which have no primitives.
//
// Primitives are what trees hold: triangles, then free edges, then free points; those with fewer corners repeat the
// last. Every vertex and edge belongs to its first primitive. Of a pair of primitives only the features they own are
// tested, so that each pair of features comes up once.
type surface struct {
	prim     [][3]int32
	faces    int         // primitives that are triangles
	extended int         // and those that are triangles or free edges
	edge     [][2]int32  // the smaller vertex first, sorted
	primEdge [][3]int32  // by primitive: the edge opposite to its corner 0, 1 and 2; of a free edge, only that of 2
	own      []uint8     // by primitive: bit k for corner k, bit 3+k for the edge opposite to it
	home     []int32     // by edge: 3 triangle + corner, of the owner; −1 without triangles
	corner   []int32     // by vertex: 3 triangle + corner, of the owner; −1 without triangles
	across   lists.Lists // by edge: the vertices opposite to it
	around   lists.Lists // by vertex: its edges
	fans     lists.Lists // by vertex: its triangles and free edges
}

// features are the triangles, free edges and free points of a surface.
type features struct {
	tri   [][3]int32
	edges [][2]int32
	dots  []int32
}

// primitives returns all of them.
func (f *features) primitives() [][3]int32 {
	if len(f.edges)+len(f.dots) == 0 {
		return f.tri
	}
	all := slices.Clone(f.tri)
	for _, e := range f.edges {
		all = append(all, [3]int32{e[0], e[1], e[1]})
	}
	for _, v := range f.dots {
		all = append(all, [3]int32{v, v, v})
	}
	return all
}

// connect builds the surface of features over the given number of vertices.
func connect(vertices int, f features) surface {
	s := surface{prim: f.primitives(), faces: len(f.tri), extended: len(f.tri) + len(f.edges)}
	s.primEdge, s.own = make([][3]int32, len(s.prim)), make([]uint8, len(s.prim))
	s.ownVertices(vertices)
	s.ownEdges()
	s.listAround(vertices)
	s.listFans(vertices)
	return s
}

// ownVertices gives each vertex to its first primitive.
func (s *surface) ownVertices(vertices int) {
	s.corner = make([]int32, vertices)
	for v := range s.corner {
		s.corner[v] = -1
	}
	owned := make([]bool, vertices)
	for i, v := range s.prim {
		for k := range s.sides(i) {
			if owned[v[k]] {
				continue
			}
			owned[v[k]] = true
			s.own[i] |= 1 << k
			if i < s.faces {
				s.corner[v[k]] = int32(3*i + k)
			}
		}
	}
}

// sides returns how many corners primitive i has.
func (s *surface) sides(i int) int {
	switch {
	case i < s.faces:
		return 3
	case i < s.extended:
		return 2
	}
	return 1
}

// ownEdges lists the edges and gives each to its first primitive.
func (s *surface) ownEdges() {
	type side struct {
		a, b int32
		at   int32 // 3 primitive + opposite corner
	}
	sides := make([]side, 0, 3*s.extended)
	for i, v := range s.prim[:s.extended] {
		first := 0
		if i >= s.faces {
			first = 2
		}
		for k := first; k < 3; k++ {
			a, b := v[(k+1)%3], v[(k+2)%3]
			sides = append(sides, side{min(a, b), max(a, b), int32(3*i + k)})
		}
	}
	slices.SortFunc(sides, func(p, q side) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), cmp.Compare(p.at, q.at))
	})
	for i, d := range sides {
		free := int(d.at/3) >= s.faces
		if i == 0 || d.a != sides[i-1].a || d.b != sides[i-1].b {
			s.edge = append(s.edge, [2]int32{d.a, d.b})
			s.own[d.at/3] |= 8 << (d.at % 3)
			s.across.Start = append(s.across.Start, int32(len(s.across.Items)))
			home := d.at
			if free {
				home = -1
			}
			s.home = append(s.home, home)
		}
		s.primEdge[d.at/3][d.at%3] = int32(len(s.edge) - 1)
		if !free {
			s.across.Items = append(s.across.Items, s.prim[d.at/3][d.at%3])
		}
	}
	s.across.Start = append(s.across.Start, int32(len(s.across.Items)))
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

// listFans fills fans.
func (s *surface) listFans(vertices int) {
	s.fans.Fill(vertices, func(put func(index, item int32)) {
		for i, v := range s.prim[:s.extended] {
			for _, v := range v[:s.sides(i)] {
				put(v, int32(i))
			}
		}
	})
}

// other returns the end of edge e that is not v.
func (s *surface) other(e, v int32) int32 { return s.edge[e][0] + s.edge[e][1] - v }

// heaviest returns the corner of triangle i with the largest weight, of several the vertex with the smallest number.
func (s *surface) heaviest(i int32, w r3.Vec) int32 {
	v := &s.prim[i]
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

// places returns the weights of the corners of primitive i, without repeated ones.
func (s *surface) places(i int32, w r3.Vec) [3]contact.Share {
	v := &s.prim[i]
	switch s.sides(int(i)) {
	case 2:
		return [3]contact.Share{{Point: v[0], W: w.X}, {Point: v[1], W: w.Y + w.Z}}
	case 1:
		return [3]contact.Share{{Point: v[0], W: 1}}
	}
	return [3]contact.Share{{Point: v[0], W: w.X}, {Point: v[1], W: w.Y}, {Point: v[2], W: w.Z}}
}

func holds(v *[3]int32, i int32) bool { return v[0] == i || v[1] == i || v[2] == i }

// side is a surface in motion, one of the two of a pair. Positions are those of the step; a press's travel is
// contained in x1.
type side struct {
	*surface
	x0, x1 []r3.Vec
	led    int32 // the skin, if it is prescribed; else None
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
	v := &s.prim[i]
	return s.at(v[0], t), s.at(v[1], t), s.at(v[2], t)
}

// facing returns the normal of triangle i at time t, zero if it has none.
func (s *side) facing(i int32, t float64) r3.Vec {
	a, b, c := s.corners(i, t)
	return b.Sub(a).Cross(c.Sub(a)).Unit()
}

// passes reports whether the way of vertex v, inflated by margin, meets a box.
func (s *side) passes(v int32, b *r3.Box, margin float64) bool {
	x, y := &s.x0[v], &s.x1[v]
	return min(x.X, y.X)-margin <= b.Max.X && max(x.X, y.X)+margin >= b.Min.X &&
		min(x.Y, y.Y)-margin <= b.Max.Y && max(x.Y, y.Y)+margin >= b.Min.Y &&
		min(x.Z, y.Z)-margin <= b.Max.Z && max(x.Z, y.Z)+margin >= b.Min.Z
}

// spread returns the radius ρ of a face at the start [m], across the direction in which a shape is straight or, if that
// is zero, all around.
func (s *side) spread(face int32, straight r3.Vec) float64 {
	v := &s.prim[face]
	x := s.x0
	a, b, c := x[v[1]].Sub(x[v[0]]), x[v[2]].Sub(x[v[1]]), x[v[0]].Sub(x[v[2]])
	p, q, r := a.Norm2(), b.Norm2(), c.Norm2()
	if straight != (r3.Vec{}) {
		d, e, g := a.Dot(straight), b.Dot(straight), c.Dot(straight)
		return math.Sqrt(max(p-d*d, q-e*e, r-g*g, 0)) / 2
	}
	if most := max(p, q, r); 2*most >= p+q+r { // no acute angle opposite to the longest side, which is the diameter
		return math.Sqrt(most) / 2
	}
	return math.Sqrt(p*q*r) / (2 * a.Cross(b).Norm())
}

func sweptEdge(x0, x1 []r3.Vec, v [2]int32, margin float64) r3.Box {
	a, b, c, d := &x0[v[0]], &x1[v[0]], &x0[v[1]], &x1[v[1]]
	return r3.Box{
		Min: r3.V(min(a.X, b.X, c.X, d.X)-margin, min(a.Y, b.Y, c.Y, d.Y)-margin, min(a.Z, b.Z, c.Z, d.Z)-margin),
		Max: r3.V(max(a.X, b.X, c.X, d.X)+margin, max(a.Y, b.Y, c.Y, d.Y)+margin, max(a.Z, b.Z, c.Z, d.Z)+margin),
	}
}

func sweptTriangle(x0, x1 []r3.Vec, v [3]int32, margin float64) r3.Box {
	a, b, c := &x0[v[0]], &x0[v[1]], &x0[v[2]]
	p, q, r := &x1[v[0]], &x1[v[1]], &x1[v[2]]
	return r3.Box{
		Min: r3.V(
			min(a.X, b.X, c.X, p.X, q.X, r.X)-margin,
			min(a.Y, b.Y, c.Y, p.Y, q.Y, r.Y)-margin,
			min(a.Z, b.Z, c.Z, p.Z, q.Z, r.Z)-margin,
		),
		Max: r3.V(
			max(a.X, b.X, c.X, p.X, q.X, r.X)+margin,
			max(a.Y, b.Y, c.Y, p.Y, q.Y, r.Y)+margin,
			max(a.Z, b.Z, c.Z, p.Z, q.Z, r.Z)+margin,
		),
	}
}

func blend(w, a, b, c r3.Vec) r3.Vec { return a.Scale(w.X).AddScaled(w.Y, b).AddScaled(w.Z, c) }
