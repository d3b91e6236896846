package untangle

// Finding where a body is in itself, or too near to itself [Minor18] §3.
//
// A vertex is measured just outside the surface. A ray leaves it along its angle-weighted pseudonormal n [Baerentzen05], and with the triangles
// around the vertex left out, back faces less front faces that it passes are the winding number there: 0 outside. Sides of the ray are
// signs of geom.Orient3, which are exact, so that a ray never slips between two triangles; one that meets an edge or a corner exactly is turned
// a little and cast again, and when no turn helps the vertex is left alone and counted.
//
// A vertex that is inside goes back along n to the first surface that faces it, at p = x - L n: its gap is -L (n·e), with e half way between n and the opposite of the
// normal there. A vertex that is
// outside has a ball of the margin's diameter upon it, and the nearest point p of a triangle that faces it and meets the ball is at the gap |p - x|.
//
// Both give a row: with e the unit vector from vertex to surface (the one above for vertices inside), p = Σ w_j x_j,
//
//	g = e·(p - x),   d = m(s) - g,   m(s) = min(margin, s/3)
//
// where s is the length of the way from x to p along edges of the body as it was given.
//
// Departures from [Minor18]: going back counts only surfaces that are inside themselves, because where two parts overlap the skin of each is in the other; without
// that rule the bottom of a fold would go for the other side of its own limb. The way is measured along e and not along n, because in a fold
// whose sides are oblique, n of one side and n of the other lead past each other and overshoot. The surface that the vertex meets is part of the row, so that both sides share the way and the gap becomes the
// margin and not twice it; of several triangles in the ball that with the nearest point is taken, and only triangles that face the vertex count,
// where the source takes the one furthest along n, because that one overlooks the point that is nearest; and the margin shrinks where the two sides are near along the surface: they meet
// at the bottom of their fold, where no margin can be. s/3 is the width of a wedge of 39°; sharper ones are opened to that. Rows are looked for a half beyond the margin
// and half an edge, so that a solve knows what it may push into touch: sides that have parted would forget each other and come back.

import (
	"math"
	"sync"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// spaceRow is a vertex and the surface that it is to be clear of.
type spaceRow struct {
	v      [4]int32 // the vertex, and the corners of the triangle
	w      r3.Vec   // weights of the corners
	e      r3.Vec   // from the vertex to the surface, where that is outside; of unit length
	target float64  // the gap that is asked for [m]
	force  float64  // times by which the row is stiffer than the options say
	inside bool     // the vertex was inside when it was found
	active bool     // the row pushes in the solve under way
}

// gap returns the distance from the vertex to the surface, negative inside [m].
func (r *spaceRow) gap(x []r3.Vec) float64 {
	p := x[r.v[1]].Scale(r.w.X).AddScaled(r.w.Y, x[r.v[2]]).AddScaled(r.w.Z, x[r.v[3]])
	return r.e.Dot(p.Sub(x[r.v[0]]))
}

// state of a vertex.
type placeOf uint8

const (
	placeUnknown placeOf = iota // not looked at
	placeOutside
	placeInside
	placeLost      // inside, and no surface to go back to within reach
	placeUncertain // no ray could tell
)

// spaceScratch is what a search needs.
type spaceScratch struct {
	near  []int32
	dist  []float64 // of vertices reached along edges
	mark  []int32   // vertices whose dist is set
	queue []spaceReach
}

type spaceReach struct {
	d float64
	v int32
}

// finder looks for rows.
type spaceFinder struct {
	*spaceMesh
	x      []r3.Vec // where vertices are, middles of holes included
	rest   []r3.Vec // where they were given
	normal []r3.Vec // pseudonormals of vertices
	boxes  []r3.Box
	tree   *geom.Tree
	margin float64
	ahead  float64 // how far from a vertex rows are looked for [m]
	depth  float64
	reach  float64 // longer than the body [m]

	watch                 []int32 // vertices to look at
	place                 []placeOf
	row                   []spaceRow // of each vertex; v[0] is None where there is none
	scratch               sync.Pool
	pairs                 geom.PairFinder
	tested, looked, boxed func(lo, hi int)
}

func newSpaceFinder(m *spaceMesh) *spaceFinder {
	n := m.real + len(m.rims)
	f := &spaceFinder{
		spaceMesh: m, x: make([]r3.Vec, n), rest: make([]r3.Vec, n), normal: make([]r3.Vec, m.real),
		boxes: make([]r3.Box, len(m.tri)), place: make([]placeOf, m.real), row: make([]spaceRow, m.real),
	}
	f.scratch.New = func() any { return &spaceScratch{dist: make([]float64, m.real)} }
	each := func(do func(v int32, s *spaceScratch)) func(lo, hi int) {
		return func(lo, hi int) {
			s := f.scratch.Get().(*spaceScratch)
			for k := lo; k < hi; k++ {
				do(f.watch[k], s)
			}
			f.scratch.Put(s)
		}
	}
	f.tested, f.looked = each(f.test), each(f.look)
	f.boxed = func(lo, hi int) {
		for t := lo; t < hi; t++ {
			a, b, c := f.corners(int32(t))
			f.boxes[t] = r3.Box{Min: a.Min(b).Min(c), Max: a.Max(b).Max(c)}
		}
	}
	return f
}

// measure takes the positions into account.
func (f *spaceFinder) measure(team *par.Team) {
	f.middles(f.x)
	team.For(len(f.tri), 1024, f.boxed)
	if f.tree == nil {
		f.tree = geom.NewTree(f.boxes)
	} else {
		f.tree.Update(team, f.boxes, treeDecay)
	}
	size := f.tree.Bounds().Size()
	f.reach = 2 * (size.X + size.Y + size.Z)
}

// find looks at the vertices to watch and appends their rows to dst, in the order of vertices.
func (f *spaceFinder) find(team *par.Team, watch []int32, dst []spaceRow) []spaceRow {
	f.watch = watch
	team.For(len(watch), 64, f.tested)
	team.For(len(watch), 64, f.looked)
	for _, v := range watch {
		if f.place[v] == placeInside && f.row[v].v[0] == None {
			f.place[v] = placeLost
		}
		if f.row[v].v[0] != None {
			dst = append(dst, f.row[v])
		}
	}
	return dst
}

// edge returns the mean length of the body's edges as it was given [m].
func (f *spaceFinder) edge() float64 {
	sum := 0.0
	for _, v := range f.tri[:f.faces] {
		for k := range 3 {
			sum += f.rest[v[k]].Sub(f.rest[v[(k+1)%3]]).Norm()
		}
	}
	return sum / float64(3*f.faces)
}

func (f *spaceFinder) corners(t int32) (a, b, c r3.Vec) {
	v := &f.tri[t]
	return f.x[v[0]], f.x[v[1]], f.x[v[2]]
}

// pseudonormal returns the sum of the unit normals around v, weighted by their angles there. Lids count, so that it leads out beside holes.
func (f *spaceFinder) pseudonormal(v int32) r3.Vec {
	var sum r3.Vec
	for _, t := range f.at.Of(v) {
		c := f.tri[t]
		for c[0] != v {
			c[0], c[1], c[2] = c[1], c[2], c[0]
		}
		a, b := f.x[c[1]].Sub(f.x[v]), f.x[c[2]].Sub(f.x[v])
		n := a.Cross(b)
		area := n.Norm()
		if area > 0 {
			sum = sum.AddScaled(math.Atan2(area, a.Dot(b))/area, n)
		}
	}
	return sum.Unit()
}

// test finds on which side a vertex is.
func (f *spaceFinder) test(v int32, s *spaceScratch) {
	f.place[v] = placeUncertain
	n := f.pseudonormal(v)
	f.normal[v] = n
	if n == (r3.Vec{}) {
		return
	}
	if winding, sure := f.winding(v, n, s); sure {
		f.place[v] = placeOutside
		if winding != 0 {
			f.place[v] = placeInside
		}
	}
}

// look finds the row of a vertex.
func (f *spaceFinder) look(v int32, s *spaceScratch) {
	f.row[v].v[0] = None
	switch f.place[v] {
	case placeInside:
		f.wayOut(v, f.normal[v], s)
	case placeOutside:
		f.nearest(v, f.normal[v], s)
	}
}

// spaceTurns is how often a ray that meets an edge is turned, and spaceTilt the sine by which [rad].
const (
	spaceTurns = 6
	spaceTilt  = 1e-3
)

// winding returns the winding number of the body just outside of v, or false if no ray could tell.
func (f *spaceFinder) winding(v int32, n r3.Vec, s *spaceScratch) (int, bool) {
	side := n.Orthogonal()
	other := n.Cross(side)
	for turn := range spaceTurns {
		dir := n
		if turn > 0 {
			sin, cos := math.Sincos(2.4 * float64(turn)) // the golden angle: no two turns are alike
			dir = n.AddScaled(spaceTilt*float64(turn)*cos, side).AddScaled(spaceTilt*float64(turn)*sin, other)
		}
		if w, ok := f.cast(v, dir, s); ok {
			return w, true
		}
	}
	return 0, false
}

// cast counts the triangles along a ray, or reports that it meets an edge, or begins on a triangle.
func (f *spaceFinder) cast(v int32, dir r3.Vec, s *spaceScratch) (int, bool) {
	p := f.x[v]
	q := p.AddScaled(f.reach, dir)
	s.near = f.tree.AlongSegment(p, q, s.near)
	w := 0
	for _, t := range s.near {
		c := f.tri[t]
		if c[0] == v || c[1] == v || c[2] == v {
			continue
		}
		a, b, d := f.corners(t)
		begin, end := geom.Orient3(a, b, d, p), geom.Orient3(a, b, d, q)
		if begin*end > 0 {
			continue
		}
		first, second, third := geom.Orient3(p, q, a, b), geom.Orient3(p, q, b, d), geom.Orient3(p, q, d, a)
		if first*second < 0 || second*third < 0 || first*third < 0 {
			continue
		}
		if begin*end == 0 || first*second*third == 0 {
			return 0, false
		}
		w += end // a back face is left towards its normal
	}
	return w, true
}

// wayOut makes the row of a vertex that is inside.
func (f *spaceFinder) wayOut(v int32, n r3.Vec, s *spaceScratch) {
	x := f.x[v]
	s.near = f.tree.AlongSegment(x, x.AddScaled(-f.depth, n), s.near)
	best, found := f.depth, None
	var weights r3.Vec
	for _, t := range s.near {
		c := f.tri[t]
		if int(t) >= f.faces || c[0] == v || c[1] == v || c[2] == v || !f.within(c) {
			continue
		}
		l, w, hit := f.back(x, n, t)
		if hit && (l < best || l == best && t < found) {
			best, found, weights = l, t, w
		}
	}
	if found == None {
		return
	}
	c := f.tri[found]
	a, b, d := f.corners(found)
	e := n.Sub(b.Sub(a).Cross(d.Sub(a)).Unit()).Unit()
	f.row[v] = spaceRow{v: [4]int32{v, c[0], c[1], c[2]}, w: weights, e: e, inside: true, force: 1}
	f.row[v].target = f.asked(v, found, weights, s)
}

// within reports whether a triangle has a corner that is inside, or that was not looked at.
func (f *spaceFinder) within(c [3]int32) bool {
	for _, v := range c {
		if p := f.place[v]; p == placeInside || p == placeLost || p == placeUnknown {
			return true
		}
	}
	return false
}

// back returns how far from x against n the triangle t is met, if it faces n.
func (f *spaceFinder) back(x, n r3.Vec, t int32) (l float64, w r3.Vec, hit bool) {
	a, b, c := f.corners(t)
	a, b, c = a.Sub(x), b.Sub(x), c.Sub(x)
	wa, wb, wc := n.Dot(c.Cross(b)), n.Dot(a.Cross(c)), n.Dot(b.Cross(a))
	sum := wa + wb + wc // minus twice the area along n: positive where the triangle faces n
	if !(sum > 0) || wa < 0 || wb < 0 || wc < 0 {
		return 0, w, false
	}
	w = r3.V(wa/sum, wb/sum, wc/sum)
	l = -n.Dot(blend(w, a, b, c))
	return l, w, l >= 0
}

// nearest makes the row of a vertex that is outside, if something is in its ball.
func (f *spaceFinder) nearest(v int32, n r3.Vec, s *spaceScratch) {
	radius := f.ahead / 2
	x := f.x[v]
	middle := x.AddScaled(radius, n)
	r := r3.V(radius, radius, radius)
	s.near = f.tree.Overlapping(r3.Box{Min: middle.Sub(r), Max: middle.Add(r)}, s.near)
	best, found := math.Inf(1), None
	var weights r3.Vec
	for _, t := range s.near {
		c := f.tri[t]
		if int(t) >= f.faces || c[0] == v || c[1] == v || c[2] == v {
			continue
		}
		a, b, d := f.corners(t)
		if b.Sub(a).Cross(d.Sub(a)).Dot(n) >= 0 {
			continue
		}
		w, _, dist2 := geom.PointTriangle(middle, a, b, d)
		if dist2 >= radius*radius {
			continue
		}
		if d2 := blend(w, a, b, d).Sub(x).Norm2(); d2 < best {
			best, found, weights = d2, t, w
		}
	}
	if found == None {
		return
	}
	c := f.tri[found]
	row := spaceRow{v: [4]int32{v, c[0], c[1], c[2]}, w: weights, e: n, force: 1}
	a, b, d := f.corners(found)
	if away := blend(weights, a, b, d).Sub(x); away.Norm() > 1e-3*f.ahead {
		row.e = away.Unit()
	}
	row.target = f.margin
	if best < f.margin*f.margin { // others do not push now, and the margin of those that come to is found when they do
		row.target = f.asked(v, found, weights, s)
	}
	f.row[v] = row
}

// asked returns m(s), the gap that is asked for between v and a point of a triangle.
func (f *spaceFinder) asked(v, t int32, w r3.Vec, s *spaceScratch) float64 {
	if f.margin == 0 {
		return 0
	}
	limit := 3 * f.margin
	c := f.tri[t]
	p := blend(w, f.rest[c[0]], f.rest[c[1]], f.rest[c[2]])
	way := limit
	for _, i := range s.mark {
		s.dist[i] = 0
	}
	s.mark, s.queue = s.mark[:0], append(s.queue[:0], spaceReach{0, v})
	for len(s.queue) > 0 {
		top := s.pop()
		if s.dist[top.v] != 0 {
			continue
		}
		s.dist[top.v] = top.d + math.SmallestNonzeroFloat64
		s.mark = append(s.mark, top.v)
		if top.v == c[0] || top.v == c[1] || top.v == c[2] {
			way = min(way, top.d+p.Sub(f.rest[top.v]).Norm())
		}
		for _, j := range f.around.Of(top.v) {
			if d := top.d + f.rest[j].Sub(f.rest[top.v]).Norm(); d < way && s.dist[j] == 0 {
				s.push(spaceReach{d, j})
			}
		}
	}
	return min(f.margin, way/3)
}

// push and pop keep the queue a heap, the nearest first.
func (s *spaceScratch) push(r spaceReach) {
	q := append(s.queue, r)
	for i := len(q) - 1; i > 0 && q[i].d < q[(i-1)/2].d; i = (i - 1) / 2 {
		q[i], q[(i-1)/2] = q[(i-1)/2], q[i]
	}
	s.queue = q
}

func (s *spaceScratch) pop() spaceReach {
	q := s.queue
	top := q[0]
	q[0] = q[len(q)-1]
	q = q[:len(q)-1]
	for i := 0; ; {
		k := 2*i + 1
		if k+1 < len(q) && q[k+1].d < q[k].d {
			k++
		}
		if k >= len(q) || q[i].d <= q[k].d {
			break
		}
		q[i], q[k] = q[k], q[i]
		i = k
	}
	s.queue = q
	return top
}

// crossings returns the pairs of triangles that cross, by the exact test, in order.
func (f *spaceFinder) crossings(team *par.Team, dst [][2]int32) [][2]int32 {
	faces := int32(f.faces)
	return f.pairs.Self(team, f.tree, dst, func(i, j int32) bool {
		return j < faces && geom.MeshTriangles(f.x, f.tri[i], f.tri[j])
	})
}
