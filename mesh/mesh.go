// Package mesh holds the connectivity and the rest shape of a triangle mesh, and is the only code
// that changes them; and solids cut into tetrahedra.
//
// A mesh has vertices, which move in space, and material points, which do not: they are where the
// cloth was cut from, in metres. Every corner of a triangle names one of each. Where the pattern is
// cut (a seam) two triangles share a vertex but not a material point.
package mesh

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Mesh is an orientable triangle mesh with at most two triangles at an edge. Its fields are read by
// everyone and written only by this package.
type Mesh struct {
	Verts    int        // number of vertices
	Tri      [][3]int32 // vertices of each triangle, counter-clockwise seen from the front
	Material []r3.Vec2  // material points [m]
	Corner   [][3]int32 // material point of each corner of each triangle
	Edges    []Edge     // sorted by vertex pair
	TriEdge  [][3]int32 // edge of each triangle opposite to its corner 0, 1 and 2
}

// Edge joins two vertices and borders one or two triangles.
type Edge struct {
	V   [2]int32 // vertices, the smaller first
	Tri [2]int32 // triangles; the second is None at the boundary
	Opp [2]int32 // corner (0, 1 or 2) of each triangle that is opposite to the edge
}

// None stands for a triangle that is not there.
const None = int32(-1)

// Boundary reports whether only one triangle has the edge.
func (e *Edge) Boundary() bool { return e.Tri[1] == None }

// New builds the connectivity of a mesh and validates it. The slices are kept. A nil corner means
// that material points are numbered like vertices.
func New(verts int, tri [][3]int32, material []r3.Vec2, corner [][3]int32) (*Mesh, error) {
	if corner == nil {
		corner = tri
	}
	m := &Mesh{Verts: verts, Tri: tri, Material: material, Corner: corner}
	if err := m.checkTriangles(); err != nil {
		return nil, err
	}
	if err := m.connect(); err != nil {
		return nil, err
	}
	return m, nil
}

// FromSurface builds a mesh whose rest shape is the surface x itself: every triangle gets material
// points of its own, laid flat so that its longest extent keeps the direction of warp as well as a
// flat triangle can. The grain direction warp is projected onto each triangle; where it is normal
// to the triangle, the first edge is taken instead.
func FromSurface(x []r3.Vec, tri [][3]int32, warp r3.Vec) (*Mesh, error) {
	material := make([]r3.Vec2, 0, 3*len(tri))
	corner := make([][3]int32, len(tri))
	// vertices that exist
	for t, v := range tri {
		for _, i := range v {
			if i < 0 || int(i) >= len(x) {
				return nil, &Fault{
					Triangle: int32(t),
					Msg:      fmt.Sprintf("vertex %d does not exist (there are %d)", i, len(x)),
				}
			}
		}
		// directions of warp and weft in its plane
		e1, e2 := x[v[1]].Sub(x[v[0]]), x[v[2]].Sub(x[v[0]])
		n := e1.Cross(e2).Unit()
		along := warp.AddScaled(-warp.Dot(n), n)
		if along.Norm() <= 1e-6*warp.Norm() {
			along = e1
		}
		along = along.Unit()
		across := n.Cross(along)
		// material points of its own, first corner at the origin
		first := int32(len(material))
		material = append(material,
			r3.Vec2{},
			r3.Vec2{X: e1.Dot(along), Y: e1.Dot(across)},
			r3.Vec2{X: e2.Dot(along), Y: e2.Dot(across)})
		corner[t] = [3]int32{first, first + 1, first + 2}
	}
	return New(len(x), tri, material, corner)
}

// Fault is something wrong with one triangle of a mesh.
type Fault struct {
	Triangle int32
	Msg      string
}

func (f *Fault) Error() string { return fmt.Sprintf("triangle %d: %s", f.Triangle, f.Msg) }

// maxFaults is how many faults are listed before the rest is only counted.
const maxFaults = 20

// flat is the least height of a usable triangle relative to its longest side.
const flat = 1e-8

func (m *Mesh) checkTriangles() error {
	// counts and limits
	if len(m.Corner) != len(m.Tri) {
		return fmt.Errorf("mesh has %d triangles but %d triples of material points", len(m.Tri), len(m.Corner))
	}
	if m.Verts > math.MaxInt32 || len(m.Tri) > math.MaxInt32/3 {
		return errors.New("mesh is too large")
	}
	// material points
	for i, p := range m.Material {
		if !p.Finite() {
			return fmt.Errorf("material point %d is not finite", i)
		}
	}
	// triangles: vertices, material points and area at rest
	var faults faultList
	for t, v := range m.Tri {
		c := m.Corner[t]
		switch {
		case !within(v, m.Verts):
			faults.add(t, "vertices %v, but there are %d", v, m.Verts)
		case !within(c, len(m.Material)):
			faults.add(t, "material points %v, but there are %d", c, len(m.Material))
		case v[0] == v[1] || v[1] == v[2] || v[2] == v[0]:
			faults.add(t, "vertices %v repeat", v)
		case m.isFlat(int32(t)):
			faults.add(t, "has no area in its rest shape")
		}
	}
	return faults.err()
}

func within(v [3]int32, n int) bool {
	for _, i := range v {
		if i < 0 || int(i) >= n {
			return false
		}
	}
	return true
}

func (m *Mesh) isFlat(t int32) bool {
	a, b, c := m.RestTriangle(t)
	longest := max(b.Sub(a).Norm(), c.Sub(b).Norm(), a.Sub(c).Norm())
	return !(math.Abs(b.Sub(a).Cross(c.Sub(a))) > flat*longest*longest)
}

type faultList struct {
	faults []error
	more   int
}

func (l *faultList) add(t int, format string, args ...any) {
	l.put(&Fault{Triangle: int32(t), Msg: fmt.Sprintf(format, args...)})
}

func (l *faultList) put(fault error) {
	if len(l.faults) == maxFaults {
		l.more++
		return
	}
	l.faults = append(l.faults, fault)
}

func (l *faultList) err() error {
	if l.more > 0 {
		l.faults = append(l.faults, fmt.Errorf("and %d more faults", l.more))
	}
	return errors.Join(l.faults...)
}

// side is one side of one triangle on its way to becoming half of an edge.
type side struct {
	a, b    int32 // vertices, a < b
	tri     int32
	opp     int32
	forward bool // the triangle runs from a to b
}

// sides returns the sides of all triangles, sorted by vertices and then triangle: first by counting those of each
// smaller vertex, which are few.
func (m *Mesh) sides() []side {
	// sides of each smaller vertex, and where they begin
	start := make([]int32, m.Verts+1)
	for _, v := range m.Tri {
		for k := range 3 {
			start[min(v[k], v[(k+1)%3])+1]++
		}
	}
	for i := range m.Verts {
		start[i+1] += start[i]
	}
	// sides, with ends in ascending order
	next := slices.Clone(start)
	sides := make([]side, 3*len(m.Tri))
	for t, v := range m.Tri {
		for k := range int32(3) {
			s := side{a: v[(k+1)%3], b: v[(k+2)%3], tri: int32(t), opp: k, forward: true}
			if s.a > s.b {
				s.a, s.b, s.forward = s.b, s.a, false
			}
			sides[next[s.a]] = s
			next[s.a]++
		}
	}
	// few sides of one vertex, sorted
	for i := range m.Verts {
		slices.SortFunc(sides[start[i]:start[i+1]], func(p, q side) int {
			if p.b != q.b {
				return int(p.b - q.b)
			}
			return int(p.tri - q.tri)
		})
	}
	return sides
}

// connect pairs the sides of triangles into edges.
func (m *Mesh) connect() error {
	// same edges follow each other
	sides := m.sides()
	var faults faultList
	m.Edges = make([]Edge, 0, len(m.Tri)*3/2+16)
	m.TriEdge = make([][3]int32, len(m.Tri))
	for i := 0; i < len(sides); {
		// sides of one edge
		j := i + 1
		for j < len(sides) && sides[j].a == sides[i].a && sides[j].b == sides[i].b {
			j++
		}
		s := sides[i]
		e := Edge{V: [2]int32{s.a, s.b}, Tri: [2]int32{s.tri, None}, Opp: [2]int32{s.opp, 0}}
		if j-i > 1 {
			e.Tri[1], e.Opp[1] = sides[i+1].tri, sides[i+1].opp
		}
		// at most two triangles, which face the same way
		switch {
		case j-i > 2:
			faults.add(
				int(sides[i+2].tri),
				"is the third at edge %d-%d (also %d and %d); a surface has at most two triangles at an edge",
				s.a,
				s.b,
				s.tri,
				sides[i+1].tri,
			)
		case j-i == 2 && m.Tri[s.tri][s.opp] == m.Tri[sides[i+1].tri][sides[i+1].opp]:
			faults.add(int(sides[i+1].tri), "has the same vertices as triangle %d", s.tri)
		case j-i == 2 && s.forward == sides[i+1].forward:
			faults.add(
				int(sides[i+1].tri),
				"is turned the other way than its neighbour %d at edge %d-%d",
				s.tri,
				s.a,
				s.b,
			)
		}
		// edge of each side
		for _, s := range sides[i:j] {
			m.TriEdge[s.tri][s.opp] = int32(len(m.Edges))
		}
		m.Edges = append(m.Edges, e)
		i = j
	}
	return faults.err()
}

// RestTriangle returns the material points of the three corners of triangle t [m].
func (m *Mesh) RestTriangle(t int32) (a, b, c r3.Vec2) {
	k := m.Corner[t]
	return m.Material[k[0]], m.Material[k[1]], m.Material[k[2]]
}

// RestArea returns the material area of triangle t [m²].
func (m *Mesh) RestArea(t int32) float64 {
	a, b, c := m.RestTriangle(t)
	return math.Abs(b.Sub(a).Cross(c.Sub(a))) / 2
}

// Neighbor returns the triangle across the edge opposite to corner k of triangle t, and the corner
// of it that is opposite to that edge; None and 0 at the boundary.
func (m *Mesh) Neighbor(t, k int32) (tri, corner int32) {
	e := &m.Edges[m.TriEdge[t][k]]
	if e.Tri[0] == t && e.Opp[0] == k {
		return e.Tri[1], e.Opp[1]
	}
	return e.Tri[0], e.Opp[0]
}

// Seam reports whether the material is cut along edge e.
func (m *Mesh) Seam(e int32) bool {
	d := &m.Edges[e]
	if d.Boundary() {
		return false
	}
	p, q := m.Corner[d.Tri[0]], m.Corner[d.Tri[1]]
	// The neighbour runs along the edge the other way.
	return p[(d.Opp[0]+1)%3] != q[(d.Opp[1]+2)%3] || p[(d.Opp[0]+2)%3] != q[(d.Opp[1]+1)%3]
}

// Validate checks every promise of the type from scratch. It is for tests and for code that has
// changed a mesh; New has already done the same.
func (m *Mesh) Validate() error {
	if err := m.checkTriangles(); err != nil {
		return err
	}
	if len(m.TriEdge) != len(m.Tri) {
		return fmt.Errorf("mesh has %d triangles but edges of %d", len(m.Tri), len(m.TriEdge))
	}
	fresh := &Mesh{Verts: m.Verts, Tri: m.Tri, Material: m.Material, Corner: m.Corner}
	if err := fresh.connect(); err != nil {
		return err
	}
	if !slices.Equal(fresh.Edges, m.Edges) {
		return errors.New("edges are not those of the triangles")
	}
	if !slices.Equal(fresh.TriEdge, m.TriEdge) {
		return errors.New("edges of triangles are not those of the triangles")
	}
	return nil
}

// FindEdge returns the edge between vertices a and b, and false if they have none.
func (m *Mesh) FindEdge(a, b int32) (int32, bool) {
	e, ok := slices.BinarySearchFunc(m.Edges, [2]int32{min(a, b), max(a, b)}, func(e Edge, v [2]int32) int {
		return slices.Compare(e.V[:], v[:])
	})
	return int32(e), ok
}
