package untangle

import (
	"cmp"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// scene is all surfaces as one mesh: the sheets, then the bodies that are meshes. Of every edge and vertex the first
// triangle is the owner, so that each pair of features comes up in one pair of triangles only.
type scene struct {
	team   *par.Team
	sheets []Surface
	bodies []Body

	x         []r3.Vec
	tri       [][3]int32
	surface   []int32 // by triangle; sheets are numbered first, then bodies
	layer     []int   // by surface: 0 for bodies, unordered for sheets without a layer
	thickness []float64
	first     []int32 // by surface: its first vertex
	moving    int     // vertices of sheets, which come first
	cloth     int     // triangles of sheets, which come first
	fixed     []bool  // by vertex
	own       []uint8 // by triangle: bit k for corner k, bit 3+k for the edge opposite to it
	edges     [][2]int32
	around    lists.Lists // by vertex: its neighbours

	boxes    []r3.Box
	tree     *geom.Tree
	finder   geom.PairFinder
	pairs    [][2]int32
	crossing []bool // by pair
}

// unordered is the layer of sheets that have no place in the order.
const unordered = -1

func newScene(sheets []Surface, bodies []Body, team *par.Team) *scene {
	checkSheets(sheets, bodies)
	s := &scene{team: team, sheets: sheets, bodies: bodies}
	// appends a surface to the mesh
	add := func(x []r3.Vec, tri [][3]int32, layer int, thickness float64) {
		base := int32(len(s.x))
		s.first = append(s.first, base)
		s.x = append(s.x, x...)
		for _, t := range tri {
			s.tri = append(s.tri, [3]int32{base + t[0], base + t[1], base + t[2]})
			s.surface = append(s.surface, int32(len(s.layer)))
		}
		s.layer = append(s.layer, layer)
		s.thickness = append(s.thickness, thickness)
	}
	// sheets; those without a layer do not move
	for i := range sheets {
		k := &sheets[i]
		layer := k.Layer
		if layer < 1 {
			layer = unordered
		}
		add(k.X, k.Tri, layer, k.Thickness)
		for v := range k.X {
			s.fixed = append(s.fixed, layer == unordered || k.Fixed != nil && k.Fixed[v])
		}
	}
	// vertices and triangles of sheets come first
	s.moving, s.cloth = len(s.x), len(s.tri)
	// bodies, which do not move
	for i := range bodies {
		add(bodies[i].X, bodies[i].Tri, 0, 0)
	}
	for len(s.fixed) < len(s.x) {
		s.fixed = append(s.fixed, true)
	}
	// neighbours, and a tree over all triangles
	s.connect()
	s.boxes = make([]r3.Box, len(s.tri))
	s.boundTriangles(0)
	s.tree = geom.NewTree(s.boxes)
	return s
}

// connect finds owners and neighbours.
func (s *scene) connect() {
	// the first triangle at a vertex owns it
	s.own = make([]uint8, len(s.tri))
	type side struct{ a, b, at int32 }
	sides := make([]side, 0, 3*len(s.tri))
	owned := make([]bool, len(s.x))
	for t, v := range s.tri {
		for k := range 3 {
			a, b := v[(k+1)%3], v[(k+2)%3]
			sides = append(sides, side{min(a, b), max(a, b), int32(3*t + k)})
			if !owned[v[k]] {
				owned[v[k]] = true
				s.own[t] |= 1 << k
			}
		}
	}
	// the first triangle at an edge owns it
	slices.SortFunc(sides, func(p, q side) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), cmp.Compare(p.at, q.at))
	})
	for i, d := range sides {
		if i == 0 || d.a != sides[i-1].a || d.b != sides[i-1].b {
			s.own[d.at/3] |= 8 << (d.at % 3)
			s.edges = append(s.edges, [2]int32{d.a, d.b})
		}
	}
	// neighbours of vertices
	s.around.Fill(len(s.x), func(put func(index, item int32)) {
		for _, e := range s.edges {
			put(e[0], e[1])
			put(e[1], e[0])
		}
	})
}

// dilate returns the marked vertices and their neighbours, in a buffer, and the buffer that is free then.
func (s *scene) dilate(marked, buffer []bool) (wider, free []bool) {
	wider = append(buffer[:0], marked...)
	for v, is := range marked {
		if is {
			for _, u := range s.around.Of(int32(v)) {
				wider[u] = true
			}
		}
	}
	return wider, marked
}

// boundTriangles sets the boxes of triangles, larger by margin on all sides.
func (s *scene) boundTriangles(margin float64) {
	m := r3.V(margin, margin, margin)
	for i := range s.tri {
		a, b, c := s.corners(int32(i))
		s.boxes[i] = r3.Box{Min: a.Min(b).Min(c).Sub(m), Max: a.Max(b).Max(c).Add(m)}
	}
}

func (s *scene) corners(t int32) (a, b, c r3.Vec) {
	v := &s.tri[t]
	return s.x[v[0]], s.x[v[1]], s.x[v[2]]
}

// ordered reports whether two surfaces are to be separated by Separate: different layers, or a layer and a body.
func (s *scene) ordered(a, b int32) bool {
	la, lb := s.layer[a], s.layer[b]
	return la != lb && la != unordered && lb != unordered
}

// target returns the distance that two surfaces are to keep [m].
func (s *scene) target(a, b int32) float64 {
	if s.layer[a] == 0 || s.layer[b] == 0 {
		return max(s.thickness[a], s.thickness[b])
	}
	return (s.thickness[a] + s.thickness[b]) / 2
}
