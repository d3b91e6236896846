package mannequin

// Even triangles on an implicit surface: edges that are too long are split and those too short collapsed, edges are
// flipped, and vertices move along the surface to the middle of their neighbours and back onto it, a few times over
// [Botsch04]. Departures: vertices are projected onto the field instead of onto the mesh that one began with; edges are
// flipped where that makes the smallest angle larger, which is what a simulation asks for, instead of evening out
// valences; vertices of the boundary stay in the plane x = 0.
//
// Invariant: after each operation the triangles are a manifold with the same topology.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// remesher holds half a body.
type remesher struct {
	f      *field
	edge   float64   // length of edges wanted where nothing is thin [m]
	size   []float64 // length of edges wanted at each vertex [m]
	pos    []r3.Vec
	tri    [][3]int32 // of a removed one all corners are -1
	around [][]int32  // triangles at each vertex; nil for a removed vertex
	rim    []bool     // vertex is in the plane x = 0
}

func newRemesher(f *field, edge float64, pos []r3.Vec, tri [][3]int32) *remesher {
	r := &remesher{
		f:      f,
		pos:    pos,
		tri:    tri,
		around: make([][]int32, len(pos)),
		rim:    make([]bool, len(pos)),
		size:   make([]float64, len(pos)),
	}
	for v, x := range pos {
		r.rim[v] = x.X == 0
	}
	for t, c := range tri {
		for _, v := range c {
			r.around[v] = append(r.around[v], int32(t))
		}
	}
	r.resize(edge)
	return r
}

// resize sets the length of edges.
func (r *remesher) resize(edge float64) {
	r.edge = edge
	for v, x := range r.pos {
		r.size[v] = r.wantedAt(x)
	}
}

// wantedAt returns the length of edges at x: shorter where the body is thin, so that limbs stay round.
func (r *remesher) wantedAt(x r3.Vec) float64 { return min(r.edge, thin*r.f.radius(x)) }

// run brings the mesh to its sizes.
func (r *remesher) run(rounds int) {
	for i := range rounds {
		r.resize(r.edge)
		r.splitLong()
		r.collapseShort()
		r.flipAll()
		r.relax()
		if i > rounds/2 {
			r.flipAll()
			r.relax()
		}
	}
}

// polish changes no vertex any more but its place.
func (r *remesher) polish() {
	for range 8 {
		r.flipAll()
		r.relax()
	}
	r.flipAll()
}

// third returns the corner of t that is neither a nor b.
func (r *remesher) third(t, a, b int32) int32 {
	for _, v := range r.tri[t] {
		if v != a && v != b {
			return v
		}
	}
	panic("shape: a triangle without a third corner")
}

// sides returns the triangles at the edge from a to b: first the one that has it in this direction. -1: none.
func (r *remesher) sides(a, b int32) (left, right int32) {
	left, right = -1, -1
	for _, t := range r.around[a] {
		c := r.tri[t]
		for k := range 3 {
			if c[k] == a && c[(k+1)%3] == b {
				left = t
			} else if c[k] == b && c[(k+1)%3] == a {
				right = t
			}
		}
	}
	return left, right
}

// edges calls do for all edges that there are at the beginning and still are when their turn comes, for those between
// two vertices of the rim perhaps twice.
func (r *remesher) edges(do func(a, b int32)) {
	for t := range len(r.tri) {
		for k := range 3 {
			c := r.tri[t]
			if c[0] < 0 {
				break
			}
			a, b := c[k], c[(k+1)%3]
			if a > b && (!r.rim[a] || !r.rim[b]) {
				continue // its other side does it
			}
			do(a, b)
		}
	}
}

func (r *remesher) length(a, b int32) float64 { return r.pos[a].Sub(r.pos[b]).Norm() }

// wanted returns the length that an edge from a to b should have.
func (r *remesher) wanted(a, b int32) float64 {
	return (r.size[a] + r.size[b]) / 2
}

const (
	longEdge  = 4.0 / 3 // [Botsch04]: with these two neither operation undoes the other
	shortEdge = 4.0 / 5
)

func (r *remesher) splitLong() {
	r.edges(func(a, b int32) {
		if r.length(a, b) > longEdge*r.wanted(a, b) {
			r.split(a, b)
		}
	})
}

func (r *remesher) split(a, b int32) {
	// the middle of the edge, on the surface and, at the rim, in the plane of symmetry
	left, right := r.sides(a, b)
	m := int32(len(r.pos))
	rim := left < 0 || right < 0
	x, _ := r.f.project(r.pos[a].Add(r.pos[b]).Scale(0.5))
	if rim {
		x.X = 0
	}
	// the new vertex
	r.pos = append(r.pos, x)
	r.around = append(r.around, nil)
	r.rim = append(r.rim, rim)
	r.size = append(r.size, (r.size[a]+r.size[b])/2)
	// each triangle at the edge becomes two
	for _, t := range []int32{left, right} {
		if t < 0 {
			continue
		}
		second := int32(len(r.tri))
		c := r.tri[t]
		d := c
		for k := range 3 {
			if c[k] == b {
				c[k] = m
			}
			if d[k] == a {
				d[k] = m
			}
		}
		o := r.third(t, a, b)
		r.tri[t] = c
		r.tri = append(r.tri, d)
		// who is around whom
		r.unlist(b, t)
		r.around[b] = append(r.around[b], second)
		r.around[o] = append(r.around[o], second)
		r.around[m] = append(r.around[m], t, second)
	}
}

func (r *remesher) unlist(v, t int32) {
	i := slices.Index(r.around[v], t)
	r.around[v] = slices.Delete(r.around[v], i, i+1)
}

func (r *remesher) collapseShort() {
	r.edges(func(a, b int32) {
		if r.length(a, b) < shortEdge*r.wanted(a, b) {
			r.collapse(a, b)
		}
	})
}

// neighbours appends the vertices joined to v by an edge.
func (r *remesher) neighbours(v int32, out []int32) []int32 {
	for _, t := range r.around[v] {
		for _, w := range r.tri[t] {
			if w != v && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// collapse makes a and b one vertex, unless the surface would change its topology, fold, or get an edge that is too
// long.
func (r *remesher) collapse(a, b int32) {
	left, right := r.sides(a, b)
	if left < 0 || right < 0 {
		left, right = max(left, right), -1
	} else if r.rim[a] && r.rim[b] {
		return // would pinch the boundary
	}
	if r.rim[b] && !r.rim[a] {
		a, b = b, a
	}
	var bufA, bufB [24]int32
	na, nb := r.neighbours(a, bufA[:0]), r.neighbours(b, bufB[:0])
	common, allowed := 0, 2
	if right < 0 {
		allowed = 1
	}
	for _, v := range na {
		if slices.Contains(nb, v) {
			common++
		}
	}
	if common != allowed {
		return
	}
	for _, t := range []int32{left, right} {
		if t >= 0 {
			if o := r.third(t, a, b); len(r.around[o]) <= 3 {
				return
			}
		}
	}
	x := r.pos[a].Add(r.pos[b]).Scale(0.5)
	if r.rim[a] {
		if !r.rim[b] {
			x = r.pos[a]
		}
		x.X = 0
	}
	x, _ = r.f.project(x)
	if r.rim[a] {
		x.X = 0
	}
	if r.folds(a, b, x, left, right) || r.folds(b, a, x, left, right) {
		return
	}
	for _, n := range [][]int32{na, nb} {
		for _, v := range n {
			if v != a && v != b && x.Sub(r.pos[v]).Norm() > longEdge*r.wanted(a, v) {
				return
			}
		}
	}
	r.merge(a, b, x, left, right)
}

// folds reports whether a triangle at v, other than the two given, would turn over or become a sliver if v moved to x.
func (r *remesher) folds(v, _ int32, x r3.Vec, left, right int32) bool {
	for _, t := range r.around[v] {
		if t == left || t == right {
			continue
		}
		var p, q [3]r3.Vec
		for k, w := range r.tri[t] {
			p[k], q[k] = r.pos[w], r.pos[w]
			if w == v {
				q[k] = x
			}
		}
		before := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
		after := q[1].Sub(q[0]).Cross(q[2].Sub(q[0]))
		if after.Dot(before) <= 0.3*after.Norm()*before.Norm() {
			return true
		}
	}
	return false
}

// merge moves a to x and gives it what b had.
func (r *remesher) merge(a, b int32, x r3.Vec, left, right int32) {
	for _, t := range []int32{left, right} {
		if t < 0 {
			continue
		}
		for _, v := range r.tri[t] {
			r.unlist(v, t)
		}
		r.tri[t] = [3]int32{-1, -1, -1}
	}
	for _, t := range r.around[b] {
		for k, v := range r.tri[t] {
			if v == b {
				r.tri[t][k] = a
			}
		}
		r.around[a] = append(r.around[a], t)
	}
	r.around[b] = nil
	r.pos[a] = x
}

func (r *remesher) flipAll() { r.edges(r.flip) }

// flip exchanges the edge for the other diagonal of its two triangles if the smallest angle grows by that.
func (r *remesher) flip(a, b int32) {
	left, right := r.sides(a, b)
	if left < 0 || right < 0 {
		return
	}
	c, d := r.third(left, a, b), r.third(right, a, b)
	if c == d || r.joined(c, d) || len(r.around[a]) <= 3 || len(r.around[b]) <= 3 || r.rim[c] && r.rim[d] {
		return
	}
	pa, pb, pc, pd := r.pos[a], r.pos[b], r.pos[c], r.pos[d]
	now := min(leastSine(pa, pb, pc), leastSine(pb, pa, pd))
	then := min(leastSine(pa, pd, pc), leastSine(pd, pb, pc))
	if then <= now+1e-9 {
		return
	}
	n := pb.Sub(pa).Cross(pc.Sub(pa)).Unit().Add(pa.Sub(pb).Cross(pd.Sub(pb)).Unit())
	if pd.Sub(pa).Cross(pc.Sub(pa)).Dot(n) <= 0 || pb.Sub(pd).Cross(pc.Sub(pd)).Dot(n) <= 0 {
		return
	}
	r.tri[left], r.tri[right] = [3]int32{a, d, c}, [3]int32{d, b, c}
	r.unlist(b, left)
	r.unlist(a, right)
	r.around[d] = append(r.around[d], left)
	r.around[c] = append(r.around[c], right)
}

func (r *remesher) joined(a, b int32) bool {
	for _, t := range r.around[a] {
		if slices.Contains(r.tri[t][:], b) {
			return true
		}
	}
	return false
}

// leastSine returns the sine of the smallest angle of a triangle.
func leastSine(a, b, c r3.Vec) float64 {
	// The smallest angle is opposite the shortest side; its sine is twice the area over the product of the others.
	la, lb, lc := b.Sub(c).Norm2(), c.Sub(a).Norm2(), a.Sub(b).Norm2()
	area2 := b.Sub(a).Cross(c.Sub(a)).Norm2()
	return math.Sqrt(area2 * min(la, lb, lc) / (la * lb * lc))
}

// relax moves every vertex along the surface to the middle of its triangles, weighted by area, and back onto it.
func (r *remesher) relax() {
	for v, ring := range r.around {
		if ring == nil {
			continue
		}
		// middle of the triangles around it, weighted by area
		x := r.pos[v]
		var to r3.Vec
		weight := 0.0
		for _, t := range ring {
			c := r.tri[t]
			p, q, s := r.pos[c[0]], r.pos[c[1]], r.pos[c[2]]
			mid := p.Add(q).Add(s).Scale(1.0 / 3)
			size := r.size[c[0]] + r.size[c[1]] + r.size[c[2]]
			w := q.Sub(p).Cross(s.Sub(p)).Norm() / (size * size)
			to = to.AddScaled(w, mid)
			weight += w
		}
		// vertices of the rim stay in the plane of symmetry
		to = to.Scale(1 / weight)
		if r.rim[v] {
			to = r.rimMiddle(int32(v))
		}
		// most of the way, if nothing folds over
		y, _ := r.f.project(x.Lerp(to, 0.8))
		if r.rim[v] {
			y.X = 0
		}
		if !r.folds(int32(v), -1, y, -1, -1) {
			r.pos[v] = y
		}
	}
}

// rimMiddle returns the middle of the two neighbours of a vertex along the boundary.
func (r *remesher) rimMiddle(v int32) r3.Vec {
	var sum r3.Vec
	n := 0.0
	var buf [24]int32
	for _, w := range r.neighbours(v, buf[:0]) {
		if left, right := r.sides(v, w); left < 0 || right < 0 {
			sum = sum.Add(r.pos[w])
			n++
		}
	}
	return sum.Scale(1 / n)
}

// count returns the number of vertices, and of those on the boundary.
func (r *remesher) count() (all, rim int) {
	for v, ring := range r.around {
		if ring != nil {
			all++
			if r.rim[v] {
				rim++
			}
		}
	}
	return all, rim
}

// whole returns the mesh and its mirror image as one, without what was removed. other gives each vertex its mirror
// image.
func (r *remesher) whole() (pos []r3.Vec, tri [][3]int32, other []int32) {
	// vertices that are left, with new numbers
	id, twin := make([]int32, len(r.pos)), make([]int32, len(r.pos))
	for v, ring := range r.around {
		if ring == nil {
			continue
		}
		id[v] = int32(len(pos))
		pos = append(pos, r.pos[v])
	}
	// mirror images; those of the rim are their own
	other = make([]int32, len(pos))
	for v, ring := range r.around {
		if ring == nil {
			continue
		}
		twin[v] = id[v]
		if !r.rim[v] {
			twin[v] = int32(len(pos))
			pos = append(pos, mirrored(r.pos[v]))
			other = append(other, id[v])
		}
		other[id[v]] = twin[v]
	}
	// triangles, and their images turned
	for _, c := range r.tri {
		if c[0] < 0 {
			continue
		}
		tri = append(tri, [3]int32{id[c[0]], id[c[1]], id[c[2]]}, [3]int32{twin[c[2]], twin[c[1]], twin[c[0]]})
	}
	return pos, tri, other
}
