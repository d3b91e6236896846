package geom

// Triangle meshes as fields.
//
// The nearest point of the mesh is found through a tree of the triangles' boxes. Which side of a closed
// mesh x is on follows from the pseudonormal at the nearest point p [Baerentzen05]:
//
//	inside  ⇔  (x − p)·N < 0
//
// with N the normal of the face, the sum of the normals of the faces at an edge, or the sum of those at
// a vertex weighted by their angles there. This is exact for a closed mesh that does not cross itself
// and whose faces are seen counter-clockwise from outside. For any other the generalized winding number
// (fieldwinding.go) tells; it is then the sign that is robust: the distance stays that to the nearest
// triangle, also where that triangle is inside the rest, and where there is a hole the sign changes
// across it though the distance there is not zero.
//
// Departure from the paper: on the inside of a face the normal of the field is the face's own and not
// the direction to x, which is noise at small distances; on edges and vertices it is the direction to x
// unless x is within rounding of them, where it is the pseudonormal.
//
// Invariants: answers depend on positions and on the positions that the structure was built from, never
// on workers. Nearest does not depend on the structure at all (Tree.Nearest); winding numbers do, to
// their accuracy, so a resumed run must build from the positions that the first run built from.

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// MeshField is a triangle mesh as an obstacle: a Field. Build it with NewMeshField. Queries only read,
// so several goroutines may ask at once.
type MeshField struct {
	// ByWinding takes the sign of the distance from the winding number. NewMeshField sets it for meshes
	// that are not closed; set it as well for closed ones that cross themselves.
	ByWinding bool

	pos    []r3.Vec
	tri    [][3]int32
	closed bool

	edge     []int32     // by triangle and corner k: the edge from corner k to the next
	edgeTris lists.Lists // by edge: its triangles
	corners  lists.Lists // by vertex: its corners, as triangle*3 + k

	tree    *Tree
	boxes   []r3.Box
	area    []r3.Vec // by triangle: normal times area [m²]
	normal  []r3.Vec // by triangle: unit, zero if there is none
	angle   []float64
	edgeN   []r3.Vec // pseudonormals, any length
	vertexN []r3.Vec
	moments []farMoment // by node of tree

	faceBody, edgeBody, vertexBody, momentBody func(lo, hi int)
}

// MeshPoint is a point of a mesh.
type MeshPoint struct {
	Triangle int32
	Weights  r3.Vec  // of the triangle's three corners
	On       Feature // the part of the triangle that the point is on
	Point    r3.Vec
	Distance float64 // to the point that was asked about [m], not signed
}

// NewMeshField returns the field of a mesh of at least one triangle. It keeps tri and copies pos.
func NewMeshField(pos []r3.Vec, tri [][3]int32) *MeshField {
	if len(tri) == 0 {
		panic("geom: a mesh field without triangles")
	}
	m := &MeshField{
		pos: make([]r3.Vec, len(pos)), tri: tri,
		boxes: make([]r3.Box, len(tri)), area: make([]r3.Vec, len(tri)), normal: make([]r3.Vec, len(tri)),
		angle: make([]float64, 3*len(tri)), vertexN: make([]r3.Vec, len(pos)),
	}
	m.faceBody, m.edgeBody, m.vertexBody, m.momentBody = m.updateFaces, m.updateEdges, m.updateVertices, m.updateMoments
	m.connect()
	m.ByWinding = !m.closed
	m.edgeN = make([]r3.Vec, len(m.edgeTris.Start)-1)
	m.Rebuild(pos)
	return m
}

// connect numbers the edges, lists what is around edges and vertices, and finds whether the mesh is closed.
func (m *MeshField) connect() {
	type half struct {
		a, b int32 // a ≤ b
		at   int32 // triangle*3 + k
		back bool  // runs from b to a
	}
	halves := make([]half, 0, 3*len(m.tri))
	for i, t := range m.tri {
		for k, a := range t {
			b := t[(k+1)%3]
			halves = append(halves, half{min(a, b), max(a, b), int32(3*i + k), b < a})
		}
	}
	m.corners.Fill(len(m.pos), func(put func(index, item int32)) {
		for i, t := range m.tri {
			for k, v := range t {
				put(v, int32(3*i+k))
			}
		}
	})
	slices.SortFunc(halves, func(g, h half) int {
		return cmp.Or(cmp.Compare(g.a, h.a), cmp.Compare(g.b, h.b), cmp.Compare(g.at, h.at))
	})
	m.edge = make([]int32, len(halves))
	m.closed = true
	for lo := 0; lo < len(halves); {
		hi := lo + 1
		for hi < len(halves) && halves[hi].a == halves[lo].a && halves[hi].b == halves[lo].b {
			hi++
		}
		if hi-lo != 2 || halves[lo].back == halves[lo+1].back {
			m.closed = false
		}
		for _, h := range halves[lo:hi] {
			m.edge[h.at] = int32(len(m.edgeTris.Start))
			m.edgeTris.Items = append(m.edgeTris.Items, h.at/3)
		}
		m.edgeTris.Start = append(m.edgeTris.Start, int32(lo))
		lo = hi
	}
	m.edgeTris.Start = append(m.edgeTris.Start, int32(len(halves)))
}

// Closed reports whether every edge has exactly two triangles, one on each side of it.
func (m *MeshField) Closed() bool { return m.closed }

// Bounds returns the box around all triangles.
func (m *MeshField) Bounds() r3.Box { return m.tree.Bounds() }

// Rebuild moves the vertices to pos and builds the tree anew, which makes queries fast again after
// large changes of shape.
func (m *MeshField) Rebuild(pos []r3.Vec) {
	copy(m.pos, pos)
	m.updateFaces(0, len(m.tri))
	if m.tree == nil {
		m.tree = NewTree(m.boxes)
	} else {
		m.tree.Rebuild(m.boxes)
	}
	m.moments = slices.Grow(m.moments[:0], len(m.tree.nodes))[:len(m.tree.nodes)]
	m.finish(nil)
}

// Update moves the vertices to pos and keeps the structure. It does not allocate.
func (m *MeshField) Update(team *par.Team, pos []r3.Vec) {
	if len(pos) != len(m.pos) {
		panic("geom: a mesh field was moved to another number of vertices")
	}
	copy(m.pos, pos)
	team.For(len(m.tri), 512, m.faceBody)
	m.tree.Refit(team, m.boxes)
	m.finish(team)
}

// finish derives what depends on faces and tree. Each loop writes only what belongs to its indices.
func (m *MeshField) finish(team *par.Team) {
	team.For(len(m.edgeN), 1024, m.edgeBody)
	team.For(len(m.vertexN), 512, m.vertexBody)
	team.For(len(m.tree.tasks), 1, m.momentBody)
	for k := len(m.tree.top) - 1; k >= 0; k-- {
		m.updateMoment(m.tree.top[k])
	}
}

func (m *MeshField) updateFaces(lo, hi int) {
	for i := lo; i < hi; i++ {
		t := m.tri[i]
		a, b, c := m.pos[t[0]], m.pos[t[1]], m.pos[t[2]]
		m.boxes[i] = r3.Box{Min: a.Min(b).Min(c), Max: a.Max(b).Max(c)}
		m.area[i] = b.Sub(a).Cross(c.Sub(a)).Scale(0.5)
		_, m.normal[i] = m.area[i].Direction(r3.Vec{})
		m.angle[3*i] = angleBetween(b.Sub(a), c.Sub(a))
		m.angle[3*i+1] = angleBetween(c.Sub(b), a.Sub(b))
		m.angle[3*i+2] = angleBetween(a.Sub(c), b.Sub(c))
	}
}

func angleBetween(u, v r3.Vec) float64 { return math.Atan2(u.Cross(v).Norm(), u.Dot(v)) }

func (m *MeshField) updateEdges(lo, hi int) {
	for e := lo; e < hi; e++ {
		var n r3.Vec
		for _, t := range m.edgeTris.Of(int32(e)) {
			n = n.Add(m.normal[t])
		}
		m.edgeN[e] = n
	}
}

func (m *MeshField) updateVertices(lo, hi int) {
	for v := lo; v < hi; v++ {
		var n r3.Vec
		for _, c := range m.corners.Of(int32(v)) {
			n = n.AddScaled(m.angle[c], m.normal[c/3])
		}
		m.vertexN[v] = n
	}
}

// Nearest returns the point of the mesh nearest to x, if there is one at most within away. Of triangles
// at the same distance it names the first.
func (m *MeshField) Nearest(x r3.Vec, within float64) (MeshPoint, bool) {
	i, d2 := m.tree.Nearest(x, within, func(i int32) float64 {
		t := &m.tri[i]
		_, _, d2 := PointTriangle(x, m.pos[t[0]], m.pos[t[1]], m.pos[t[2]])
		return d2
	})
	if i < 0 {
		return MeshPoint{}, false
	}
	a, b, c := m.pos[m.tri[i][0]], m.pos[m.tri[i][1]], m.pos[m.tri[i][2]]
	w, on, _ := PointTriangle(x, a, b, c)
	p := a.Scale(w.X).AddScaled(w.Y, b).AddScaled(w.Z, c)
	return MeshPoint{Triangle: i, Weights: w, On: on, Point: p, Distance: math.Sqrt(d2)}, true
}

// Pseudonormal returns the unit pseudonormal of the feature that p is on; that of the face, and then +Z,
// where the faces around it cancel or have no area.
func (m *MeshField) Pseudonormal(p MeshPoint) r3.Vec {
	_, face := m.normal[p.Triangle].Direction(r3.V(0, 0, 1))
	_, n := m.pseudonormal(p).Direction(face)
	return n
}

func (m *MeshField) pseudonormal(p MeshPoint) r3.Vec {
	switch p.On {
	case EdgeAB, EdgeBC, EdgeCA:
		return m.edgeN[m.edge[3*p.Triangle+int32(p.On-EdgeAB)]]
	case CornerA, CornerB, CornerC:
		return m.vertexN[m.tri[p.Triangle][p.On-CornerA]]
	default:
		return m.normal[p.Triangle]
	}
}

// Distance implements Field: the distance to the nearest triangle, negative inside, and the unit vector
// along which it grows.
func (m *MeshField) Distance(x r3.Vec) (float64, r3.Vec) {
	p, ok := m.Nearest(x, math.Inf(1))
	if !ok { // x is not finite
		return math.Inf(1), r3.V(0, 0, 1)
	}
	side := 1.0
	away := x.Sub(p.Point)
	if inside := away.Dot(m.pseudonormal(p)) < 0; m.ByWinding && m.Inside(x) || !m.ByWinding && inside {
		side = -1
	}
	noise := 0x1p-46 * max(x.MaxAbs(), p.Point.MaxAbs())
	if p.Distance <= noise {
		return side * p.Distance, m.Pseudonormal(p)
	}
	if p.On == Inside {
		n, up := m.normal[p.Triangle], side
		if away.Dot(n) < 0 {
			up = -side
		}
		return side * p.Distance, n.Scale(up)
	}
	_, n := away.Direction(r3.V(0, 0, 1))
	return side * p.Distance, n.Scale(side)
}
