package mesh

// Local changes of a mesh.
//
// An Editor holds the triangles of a mesh with their neighbours and changes a few of them at a time: an edge is split
// in the middle, flipped to the other diagonal of its two triangles, or collapsed into one of its ends. Numbers stay
// while it works: what is new comes after all that there is, and what has gone leaves a hole. Mesh closes the holes, in
// order, and builds a mesh from the rest.
//
// A side is 3t + k: the side of triangle t opposite to its corner k. It runs from corner k+1 to corner k+2; its twin,
// the same edge seen from the neighbour, runs the other way.
//
// Invariants, checked by Validate: twins are mutual and have the same vertices; every vertex that is there names a
// corner of its own; a vertex whose triangles do not form one fan is marked as pinched, and no operation moves
// triangles away from it or to it.
//
// The operations refuse what would break a promise of Mesh: an edge with three triangles, a triangle twice, a vertex in
// two fans. Whether triangles keep an area in the material, and whether borders keep their shape, is for the caller to
// know before.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Editor is a mesh while it is changed. Its fields are written by its own methods only.
type Editor struct {
	Tri      [][3]int32 // vertices, None three times where a triangle has gone
	Corner   [][3]int32 // material points
	Material []r3.Vec2  // [m]; points that nothing uses any longer stay

	twin    [][3]int32 // the side of the neighbour across each side, None at the boundary
	first   []int32    // by vertex: 3t + k of one of its corners; None if it has no triangle, gone if it has gone
	pinched []bool     // by vertex: its triangles form several fans
}

// gone marks a vertex that has been taken away.
const gone = None - 1

// Edit returns an editor of a copy of m.
func Edit(m *Mesh) *Editor {
	e := &Editor{}
	e.Reset(m)
	return e
}

// Reset makes the editor one of a copy of m, in the memory it has.
func (e *Editor) Reset(m *Mesh) {
	// triangles and material points
	e.Tri = append(e.Tri[:0], m.Tri...)
	e.Corner = append(e.Corner[:0], m.Corner...)
	e.Material = append(e.Material[:0], m.Material...)
	// twins, as edges have them
	e.twin = slices.Grow(e.twin[:0], len(m.Tri))[:len(m.Tri)]
	for i := range m.Edges {
		d := &m.Edges[i]
		a, b := 3*d.Tri[0]+d.Opp[0], None
		if !d.Boundary() {
			b = 3*d.Tri[1] + d.Opp[1]
			e.twin[d.Tri[1]][d.Opp[1]] = a
		}
		e.twin[d.Tri[0]][d.Opp[0]] = b
	}
	// a corner for each vertex
	e.first = slices.Grow(e.first[:0], m.Verts)[:m.Verts]
	e.pinched = slices.Grow(e.pinched[:0], m.Verts)[:m.Verts]
	for v := range e.first {
		e.first[v], e.pinched[v] = None, false
	}
	for t, v := range e.Tri {
		for k, i := range v {
			if e.first[i] == None {
				e.first[i] = int32(3*t + k)
			}
		}
	}
	// vertices in several fans
	e.findPinched()
}

// findPinched marks the vertices that have more triangles than the fan around their first one.
func (e *Editor) findPinched() {
	count := make([]int32, len(e.first))
	for _, v := range e.Tri {
		if v[0] != None {
			count[v[0]]++
			count[v[1]]++
			count[v[2]]++
		}
	}
	var star []int32
	for v := range e.first {
		if e.Has(int32(v)) {
			star = e.Star(int32(v), star)
			e.pinched[v] = int(count[v]) != len(star)
		}
	}
}

// Verts returns the number of vertices, those that have gone included.
func (e *Editor) Verts() int { return len(e.first) }

// Has reports whether vertex v is there and has triangles.
func (e *Editor) Has(v int32) bool { return e.first[v] >= 0 }

// Pinched reports whether the triangles at vertex v form several fans.
func (e *Editor) Pinched(v int32) bool { return e.pinched[v] }

// Twin returns the same edge as seen from the neighbour, None at the boundary.
func (e *Editor) Twin(side int32) int32 { return e.twin[side/3][side%3] }

// Ends returns the vertices of a side in the order in which its triangle runs.
func (e *Editor) Ends(side int32) (from, to int32) {
	v, k := &e.Tri[side/3], side%3
	return v[(k+1)%3], v[(k+2)%3]
}

// EndPoints returns the material points of the ends of a side, in the order of Ends.
func (e *Editor) EndPoints(side int32) (from, to int32) {
	c, k := &e.Corner[side/3], side%3
	return c[(k+1)%3], c[(k+2)%3]
}

// Opposite returns the vertex of the side's triangle that is not on the side.
func (e *Editor) Opposite(side int32) int32 { return e.Tri[side/3][side%3] }

// Seam reports whether the material is cut along a side that has a twin.
func (e *Editor) Seam(side int32) bool {
	twin := e.Twin(side)
	if twin == None {
		return false
	}
	a, b := e.EndPoints(side)
	c, d := e.EndPoints(twin)
	return a != d || b != c
}

// Star returns the corners, as 3t + k, of the fan of triangles around v in their order, at the boundary from one end to
// the other. It writes to dst from its beginning.
func (e *Editor) Star(v int32, dst []int32) []int32 {
	dst = dst[:0]
	start := e.first[v]
	for c := start; ; { // back to where the fan begins
		twin := e.Twin(3*(c/3) + (c%3+2)%3) // the side from v to the next corner
		if twin == None {
			start = c
			break
		}
		c = 3*(twin/3) + (twin%3+2)%3
		if c == start {
			break
		}
	}
	for c := start; ; {
		dst = append(dst, c)
		twin := e.Twin(3*(c/3) + (c%3+1)%3) // the side from the last corner to v
		if twin == None {
			return dst
		}
		c = 3*(twin/3) + (twin%3+1)%3
		if c == start {
			return dst
		}
	}
}

// Side returns the side that runs from a to b, or failing that the one from b to a, given the star of a.
func (e *Editor) Side(star []int32, b int32) (int32, bool) {
	for _, c := range star {
		v, k := &e.Tri[c/3], c%3
		if v[(k+1)%3] == b {
			return 3*(c/3) + (k+2)%3, true
		}
	}
	for _, c := range star {
		v, k := &e.Tri[c/3], c%3
		if v[(k+2)%3] == b {
			return 3*(c/3) + (k+1)%3, true
		}
	}
	return None, false
}

// Split puts a vertex in the middle of an edge, in the material of both sides, and returns it. The two triangles keep
// their numbers on the half of the edge that their side runs to; two new ones are made, at the boundary one.
func (e *Editor) Split(side int32) int32 {
	twin := e.Twin(side)
	seam := e.Seam(side)
	v := int32(len(e.first))
	e.first, e.pinched = append(e.first, None), append(e.pinched, false)
	point := e.middle(side)
	far := e.halve(side, v, point)
	if twin == None {
		e.twin[far/3][far%3] = None
		return v
	}
	if seam {
		point = e.middle(twin)
	}
	farTwin := e.halve(twin, v, point)
	e.join(side, farTwin)
	e.join(twin, far)
	return v
}

func (e *Editor) middle(side int32) int32 {
	p, q := e.EndPoints(side)
	e.Material = append(e.Material, e.Material[p].Add(e.Material[q]).Scale(0.5))
	return int32(len(e.Material) - 1)
}

// halve cuts the triangle of a side at v, a vertex in the middle of the side. The triangle keeps the half that the side
// runs to; the side of the other half is returned, its twin not yet joined.
func (e *Editor) halve(side, v, point int32) (far int32) {
	t, k := side/3, side%3
	from, to := (k+1)%3, (k+2)%3
	n := int32(len(e.Tri))
	old, oldCorner := e.Tri[t], e.Corner[t]
	made, madeCorner := old, oldCorner
	made[to], madeCorner[to] = v, point
	e.Tri, e.Corner, e.twin = append(
		e.Tri,
		made,
	), append(
		e.Corner,
		madeCorner,
	), append(
		e.twin,
		[3]int32{None, None, None},
	)
	e.join(3*n+to, e.twin[t][to]) // the side from the apex to where the old side began
	e.Tri[t][from], e.Corner[t][from] = v, point
	e.join(3*t+to, 3*n+from)
	e.first[v] = 3*t + from
	e.first[old[from]] = 3*n + from
	e.first[old[to]] = 3*t + to
	return 3*n + k
}

// join makes two sides twins. The second may be None.
func (e *Editor) join(a, b int32) {
	e.twin[a/3][a%3] = b
	if b != None {
		e.twin[b/3][b%3] = a
	}
}

// CanFlip reports whether the two triangles of an edge can take their other diagonal: the edge has two, the material is
// not cut along it, and no other edge joins the two opposite vertices.
func (e *Editor) CanFlip(side int32, scratch []int32) bool {
	twin := e.Twin(side)
	if twin == None || e.Seam(side) {
		return false
	}
	p, q := e.Ends(side)
	a, b := e.Opposite(side), e.Opposite(twin)
	if e.pinched[a] || e.pinched[b] || e.pinched[p] || e.pinched[q] || a == b {
		return false
	}
	_, joined := e.Side(e.Star(a, scratch), b)
	return !joined
}

// Flip gives the two triangles of an edge their other diagonal, which CanFlip has allowed. It is then the side at
// corner k+1 of side's triangle and of its twin's, in the numbering before.
func (e *Editor) Flip(side int32) {
	twin := e.Twin(side)
	t, k, u, j := side/3, side%3, twin/3, twin%3
	p, q := e.Ends(side)
	beyondU, beyondT := e.twin[u][(j+1)%3], e.twin[t][(k+1)%3]
	e.Tri[t][(k+2)%3], e.Corner[t][(k+2)%3] = e.Tri[u][j], e.Corner[u][j]
	e.Tri[u][(j+2)%3], e.Corner[u][(j+2)%3] = e.Tri[t][k], e.Corner[t][k]
	e.join(side, beyondU)
	e.join(twin, beyondT)
	e.join(3*t+(k+1)%3, 3*u+(j+1)%3)
	e.first[p], e.first[q] = 3*t+(k+1)%3, 3*u+(j+1)%3
	e.first[e.Tri[t][k]], e.first[e.Tri[u][j]] = 3*t+k, 3*u+j
}

// CanCollapse reports whether the edge from v to w can be taken away together with v: the two have no common neighbours
// but those of the edge, the material around v is that of the edge's two sides, and more than the edge's own triangles
// are left. stars are those of v and w.
func (e *Editor) CanCollapse(v, w int32, starV, starW []int32) bool {
	// edge, with a triangle on each side or at the boundary
	side, ok := e.Side(starV, w)
	if !ok || e.pinched[v] || e.pinched[w] {
		return false
	}
	twin := e.Twin(side)
	a, b := e.Opposite(side), None
	wanted := 1
	if twin != None {
		b, wanted = e.Opposite(twin), 2
	}
	// enough triangles, and neither pinched vertices nor borders in the way
	if len(starV) <= wanted || e.pinched[a] || b != None && e.pinched[b] || !e.bordersMeet(starV, starW, twin) {
		return false
	}
	// material points of v on both sides
	points, others := e.pointsAt(side, v)
	if points[0] == points[1] && others[0] != others[1] {
		return false // the tip of a dart
	}
	// neighbours in common
	for _, c := range starV {
		t := c / 3
		if p := e.Corner[t][c%3]; p != points[0] && p != points[1] {
			return false
		}
		for _, n := range [2]int32{e.Tri[t][(c%3+1)%3], e.Tri[t][(c%3+2)%3]} {
			if n == w || n == a || n == b {
				continue
			}
			if _, common := e.Side(starW, n); common {
				return false
			}
		}
	}
	return !e.closes(starV, starW, a, b) && !e.strands(side, twin)
}

// bordersMeet reports whether v and w are not both at the boundary with the edge between them inside.
func (e *Editor) bordersMeet(starV, starW []int32, twin int32) bool {
	return twin == None || !e.open(starV) || !e.open(starW)
}

// open reports whether a star ends at the boundary.
func (e *Editor) open(star []int32) bool {
	return e.Twin(3*(star[0]/3)+(star[0]%3+2)%3) == None
}

// closes reports whether a and b are neighbours in both stars: the collapse would make one triangle of two.
func (e *Editor) closes(starV, starW []int32, a, b int32) bool {
	return b != None && e.adjacent(starV, a, b) && e.adjacent(starW, a, b)
}

func (e *Editor) adjacent(star []int32, a, b int32) bool {
	for _, c := range star {
		p, q := e.Tri[c/3][(c%3+1)%3], e.Tri[c/3][(c%3+2)%3]
		if p == a && q == b || p == b && q == a {
			return true
		}
	}
	return false
}

// strands reports whether a triangle of the edge has no neighbour across both its other sides, so that its apex would
// be left alone.
func (e *Editor) strands(side, twin int32) bool {
	alone := func(s int32) bool {
		return s != None && e.Twin(3*(s/3)+(s%3+1)%3) == None && e.Twin(3*(s/3)+(s%3+2)%3) == None
	}
	return alone(side) || alone(twin)
}

// pointsAt returns the material points of v and of the other end of an edge, as seen from both sides of it.
func (e *Editor) pointsAt(side, v int32) (of, other [2]int32) {
	from, _ := e.Ends(side)
	p, q := e.EndPoints(side)
	if from != v {
		p, q = q, p
	}
	of, other = [2]int32{p, p}, [2]int32{q, q}
	if twin := e.Twin(side); twin != None {
		r, s := e.EndPoints(twin)
		if from == v {
			r, s = s, r
		}
		of[1], other[1] = r, s
	}
	return of, other
}

// Collapse takes away the edge from v to w with its triangles, and gives those that are left around v to w. CanCollapse
// has allowed it.
func (e *Editor) Collapse(v, w int32, starV []int32) {
	side, _ := e.Side(starV, w)
	of, other := e.pointsAt(side, v)
	for _, c := range starV {
		t, k := c/3, c%3
		if e.Corner[t][k] == of[0] {
			e.Corner[t][k] = other[0]
		} else {
			e.Corner[t][k] = other[1]
		}
		e.Tri[t][k] = w
	}
	twin := e.Twin(side)
	e.remove(side)
	if twin != None {
		e.remove(twin)
	}
	e.first[v] = gone
	for _, c := range starV {
		if t := c / 3; e.Tri[t][0] != None {
			for k, i := range e.Tri[t] {
				e.first[i] = 3*t + int32(k)
			}
		}
	}
}

// remove takes away the triangle of a side whose ends have become one, and joins the triangles beyond its other sides.
func (e *Editor) remove(side int32) {
	// corners for its vertices, from the triangles that stay
	t, k := side/3, side%3
	a, b := e.twin[t][(k+1)%3], e.twin[t][(k+2)%3]
	for _, s := range [2]int32{a, b} {
		if s != None {
			from, to := e.Ends(s)
			e.first[from], e.first[to] = 3*(s/3)+(s%3+1)%3, 3*(s/3)+(s%3+2)%3
		}
	}
	// neighbours become twins
	if a != None {
		e.join(a, b)
	} else if b != None {
		e.join(b, a)
	}
	// triangle is gone
	e.Tri[t], e.Corner[t], e.twin[t] = [3]int32{
		None,
		None,
		None,
	}, [3]int32{
		None,
		None,
		None,
	}, [3]int32{
		None,
		None,
		None,
	}
}

// Kept lists what is left: the numbers of vertices, of triangles and of material points in the editor, in increasing
// order.
type Kept struct{ Vert, Tri, Point []int32 }

// Mesh builds the mesh of what is left, and tells where everything in it comes from.
func (e *Editor) Mesh() (*Mesh, Kept, error) {
	// vertices that are left
	var kept Kept
	vert := make([]int32, len(e.first))
	for v := range e.first {
		if e.first[v] != gone {
			vert[v] = int32(len(kept.Vert))
			kept.Vert = append(kept.Vert, int32(v))
		}
	}
	// triangles that are left, and the material points they use
	point := make([]int32, len(e.Material))
	for t, c := range e.Corner {
		if c[0] != None {
			kept.Tri = append(kept.Tri, int32(t))
			point[c[0]], point[c[1]], point[c[2]] = 1, 1, 1
		}
	}
	for p, used := range point {
		if used != 0 {
			point[p] = int32(len(kept.Point))
			kept.Point = append(kept.Point, int32(p))
		}
	}
	// new numbers
	tri, corner := make([][3]int32, len(kept.Tri)), make([][3]int32, len(kept.Tri))
	for i, t := range kept.Tri {
		for k := range 3 {
			tri[i][k], corner[i][k] = vert[e.Tri[t][k]], point[e.Corner[t][k]]
		}
	}
	material := make([]r3.Vec2, len(kept.Point))
	for i, p := range kept.Point {
		material[i] = e.Material[p]
	}
	m, err := New(len(kept.Vert), tri, material, corner)
	return m, kept, err
}

// Validate checks the invariants of the editor. It is for tests.
func (e *Editor) Validate() error {
	// sides: they have ends that exist, and twins run the other way
	for t, v := range e.Tri {
		for k := range int32(3) {
			if v[0] == None {
				continue
			}
			side := int32(3*t) + k
			from, to := e.Ends(side)
			if from == to || !e.Has(from) {
				return fmt.Errorf("side %d runs from %d to %d", side, from, to)
			}
			if twin := e.Twin(side); twin != None {
				if a, b := e.Ends(twin); a != to || b != from || e.Twin(twin) != side {
					return fmt.Errorf("sides %d and %d are not twins", side, twin)
				}
			}
		}
	}
	// corners of vertices
	for v, c := range e.first {
		if c >= 0 && e.Tri[c/3][c%3] != int32(v) {
			return fmt.Errorf("vertex %d has no corner of its own", v)
		}
	}
	// fans, found afresh
	fresh := &Editor{Tri: e.Tri, twin: e.twin, first: e.first, pinched: make([]bool, len(e.first))}
	fresh.findPinched()
	if !slices.Equal(fresh.pinched, e.pinched) {
		return errors.New("fans have changed")
	}
	return nil
}
