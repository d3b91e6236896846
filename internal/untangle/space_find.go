package untangle

// Finding where a body is in itself, or too near to itself [Minor18] §3.
//
// A vertex is measured just outside the surface. A ray leaves it along its angle-weighted pseudonormal n
// [Baerentzen05], and with the triangles around the vertex left out, back faces less front faces that it passes are the
// winding number there: 0 outside. Sides of the ray are signs of geom.Orient3, which are exact, so that a ray never
// slips between two triangles; one that meets an edge or a corner exactly is turned a little and cast again, and when
// no turn helps the vertex is left alone and counted.
//
// A vertex that is inside is to go to the nearest surface that it is behind and that faces it, at the point p, and its
// gap is -|p - x|. A vertex that is outside is to be clear of the nearest surface that it is in front of and that faces
// it, at the gap |p - x|. Both give a row: with e the unit vector from vertex to surface, turned round for vertices
// inside, and p = Σ w_j x_j,
//
//	g = e·(p - x),   d = m(s) - g,   m(s) = min(margin, s/3)
//
// where s is the length of the way from x to p along edges of the body as it was given.
//
// Departures from [Minor18]:
//
//   - It goes back along n to the first surface that faces the vertex. In a fold whose sides are oblique that is
//     further than need be, and at the bottom of a fold that skinning has turned over, n leads along the fold and out
//     at its far end: such vertices went off by centimetres, came back in the next iteration, and four iterations did
//     not settle. The nearest point needs no direction. (A knee bent by 130° at a margin of 1 cm kept 30 of its 77
//     crossings after four iterations; now none.)
//   - Its spheres stand upon vertices, along n. In a fold with an angle of 60° they see only half as far as they are
//     wide, so that sides that had parted forgot each other and came back.
//   - A surface further back counts only if it is inside itself, because where two parts overlap the skin of each is in
//     the other; else the bottom of a fold would go for the other side of its own limb. Nearer than an edge any does: a
//     corner that has come through a face has no other.
//   - The surface that the vertex meets is part of the row, so that both sides share the way and the gap becomes the
//     margin and not twice it.
//   - The margin shrinks where the two sides are near along the surface: they meet at the bottom of their fold, where
//     no margin can be. s/3 is the width of a wedge of 37°, tan(φ/2) = 1/3; sharper ones are opened to that. A vertex
//     that is deeper inside than m(s) < margin is the bottom, and has no row: it follows its neighbours.
//   - Rows are looked for a half beyond the margin, or an edge, so that a solve knows what it may push into touch.

import (
	"math"
	"slices"
	"sync"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// spaceRow is a vertex and the surface that it is to be clear of.
type spaceRow struct {
	v      [4]int32 // the vertex, and the corners of the triangle
	face   int32    // the triangle
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
	placeHidden    // its shell is inside another as a whole
)

// spaceScratch is what a search needs.
type spaceScratch struct {
	near      []int32
	reach     *spaceReach
	query     spaceQuery
	distance2 func(t int32) float64
}

// spaceBall is how far the vertices around a place are from a vertex along the surface.
type spaceBall struct {
	alone    bool      // no surface to go to was found as far as the depth; others take such a vertex along
	at       r3.Vec    // the place, in the body as it was given
	radius   float64   // within which vertices are known [m]; negative: none is
	vertices []int32   // those of them that are within the limit along the surface
	dist     []float32 // their distances [m]
}

// finder looks for rows.
type spaceFinder struct {
	*spaceMesh
	x       []r3.Vec // where vertices are, middles of holes included
	rest    []r3.Vec // where they were given
	normal  []r3.Vec // pseudonormals of vertices
	boxes   []r3.Box
	across  []r3.Vec // normals of triangles, as long as twice their areas
	facing  geom.Facing
	tree    *geom.Tree
	margin  float64
	ahead   float64 // how far from a vertex rows are looked for [m]
	depth   float64
	length  float64 // mean length of edges, as the body was given [m]
	deep    float64 // how deep a vertex must be for the way along the surface to tell other parts from its own [m]
	shallow float64 // how deep a vertex may be behind any surface [m]
	reach   float64 // longer than the body [m]

	watch                 []int32 // vertices to look at
	place                 []placeOf
	row                   []spaceRow // of each vertex; v[0] is None where there is none
	ball                  []spaceBall
	seen                  []r3.Vec // where vertices were when they were looked at
	scratch               sync.Pool
	pairs                 geom.PairFinder
	hotTree               *geom.Tree // of triangles whose crossings are sought
	hotBoxes              []r3.Box
	hotOf                 []bool // which they are
	tested, looked, boxed func(lo, hi int)
}

func newSpaceFinder(m *spaceMesh) *spaceFinder {
	// room for what is known of vertices and triangles
	n := m.real + len(m.rims)
	f := &spaceFinder{
		spaceMesh: m,
		x:         make([]r3.Vec, n),
		rest:      make([]r3.Vec, n),
		normal:    make([]r3.Vec, m.real),
		boxes: make(
			[]r3.Box,
			len(m.tri),
		),
		across: make([]r3.Vec, len(m.tri)),
		place:  make([]placeOf, m.real),
		row:    make([]spaceRow, m.real),
		hotTree: geom.NewTree(
			nil,
		),
		hotOf: make([]bool, len(m.tri)),
		ball:  make([]spaceBall, m.real),
		seen:  make([]r3.Vec, m.real),
	}
	// scratch of each worker
	f.scratch.New = func() any {
		s := &spaceScratch{reach: newSpaceReach(m.real)}
		s.distance2 = func(t int32) float64 { return f.distance2(&s.query, t) }
		return s
	}
	// loops over the vertices to look at
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
	// loop over triangles: boxes and normals
	f.boxed = func(lo, hi int) {
		for t := lo; t < hi; t++ {
			a, b, c := f.corners(int32(t))
			f.boxes[t] = r3.Box{Min: a.Min(b).Min(c), Max: a.Max(b).Max(c)}
			f.across[t] = b.Sub(a).Cross(c.Sub(a))
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
	f.facing.Update(team, f.tree, f.across)
	size := f.tree.Bounds().Size()
	f.reach = 2 * (size.X + size.Y + size.Z)
}

// sides finds on which side the vertices to watch are.
func (f *spaceFinder) sides(team *par.Team, watch []int32) {
	f.watch = watch
	team.For(len(watch), 64, f.tested)
}

// find looks at the vertices whose sides were found and appends their rows to dst, in the order of vertices.
func (f *spaceFinder) find(team *par.Team, dst []spaceRow) []spaceRow {
	team.For(len(f.watch), 64, f.looked)
	for _, v := range f.watch {
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

// pseudonormal returns the sum of the unit normals around v, weighted by their angles there. Lids count, so that it
// leads out beside holes.
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
	if f.place[v] == placeHidden {
		return
	}
	f.place[v] = placeUncertain
	f.seen[v] = f.x[v]
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
	was := &f.row[v]
	before := None
	if was.v[0] != None {
		before = was.face
	}
	was.v[0] = None
	if p := f.place[v]; p == placeInside || p == placeOutside {
		f.nearest(v, before, s)
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

// spaceQuery is the vertex that a search is for.
type spaceQuery struct {
	v      int32
	inside bool
	x, n   r3.Vec

	within2  float64 // squared distance of the nearest triangle so far; what is further does not matter [m²]
	reach    *spaceReach
	explored float64 // how far reach goes along the surface [m]
}

// distance2 returns the squared distance of the query's vertex to a triangle that it can be pushed from, and NaN of any
// other, or of one further than the nearest so far.
func (f *spaceFinder) distance2(q *spaceQuery, t int32) float64 {
	c := f.tri[t]
	if int(t) >= f.faces || c[0] == q.v || c[1] == q.v || c[2] == q.v || f.place[c[0]] == placeHidden {
		return math.NaN()
	}
	normal := f.across[t]
	if normal.Dot(q.n) >= 0 || normal.Dot(q.x.Sub(f.x[c[0]])) > 0 == q.inside {
		return math.NaN()
	}
	a, b, d := f.corners(t)
	w, _, dist2 := geom.PointTriangle(q.x, a, b, d)
	if dist2 > q.within2 {
		return math.NaN()
	}
	if q.inside {
		switch deep := dist2 > f.deep*f.deep; {
		case deep && !f.apart(q, c, dist2), !deep && dist2 > f.shallow*f.shallow && !f.within(c):
			return math.NaN()
		}
	} else if blend(w, a, b, d).Sub(q.x).Dot(q.n) <= 0 {
		return math.NaN()
	}
	q.within2 = dist2
	return dist2
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

// spaceStride is how far the surface is explored at a time, over how far it may have to be.
const spaceStride = 1. / 8

// apart reports whether a triangle at a distance from the query's vertex is more than twice as far along the surface.
// The far side of a round limb is π/2 times as far. Any way that is shorter decides it, so that the surface is explored
// a part at a time.
func (f *spaceFinder) apart(q *spaceQuery, c [3]int32, dist2 float64) bool {
	if q.explored == 0 {
		q.reach.forget(f.length)
		q.reach.from(q.v)
	}
	far := 2 * math.Sqrt(dist2)
	for {
		if min(q.reach.dist[c[0]], q.reach.dist[c[1]], q.reach.dist[c[2]]) < far {
			return false
		}
		if q.explored >= far {
			return true
		}
		q.explored = min(far, q.explored+far*spaceStride)
		q.reach.spread(f.spaceMesh, f.rest, q.explored, nil)
	}
}

// nearest makes the row of a vertex, if there is something to be pushed from. before is the triangle of the last time,
// or None: it bounds the search.
func (f *spaceFinder) nearest(v, before int32, s *spaceScratch) {
	s.query = spaceQuery{v: v, inside: f.place[v] == placeInside, x: f.x[v], n: f.normal[v], reach: s.reach}
	reach := f.ahead
	if s.query.inside {
		reach = f.deep
	}
	s.query.within2 = reach * reach
	if before != None {
		if d2 := f.distance2(&s.query, before); d2 < reach*reach {
			reach = math.Sqrt(d2) * (1 + 0x1p-50)
		}
	}
	found, d2 := f.tree.NearestAgainst(f.x[v], reach, &f.facing, s.query.n, s.distance2)
	if found < 0 && s.query.inside && !f.ball[v].alone { // seldom, and ways along the surface are costly
		s.query.within2 = f.depth * f.depth
		found, d2 = f.tree.NearestAgainst(f.x[v], f.depth, &f.facing, s.query.n, s.distance2)
		f.ball[v].alone = found < 0
	}
	if found < 0 {
		return
	}
	c := f.tri[found]
	a, b, d := f.corners(found)
	w, _, _ := geom.PointTriangle(f.x[v], a, b, d)
	row := spaceRow{
		v:      [4]int32{v, c[0], c[1], c[2]},
		face:   found,
		w:      w,
		inside: s.query.inside,
		force:  1,
		target: f.margin,
	}
	if dist := math.Sqrt(d2); dist > 1e-3*f.shallow {
		row.e = blend(w, a, b, d).Sub(f.x[v]).Scale(1 / dist)
		if row.inside {
			row.e = row.e.Neg()
		}
	} else {
		row.e = d.Sub(a).Cross(b.Sub(a)).Unit()
	}
	if row.inside ||
		d2 < f.margin*f.margin { // others do not push now, and the margin of those that come to is found when they do
		row.target = f.asked(v, found, w, s)
	}
	if row.inside && row.target < f.margin && d2 > row.target*row.target {
		return // the bottom of a fold, not another side
	}
	f.row[v] = row
}

// asked returns m(s), the gap that is asked for between v and a point of a triangle.
func (f *spaceFinder) asked(v, t int32, w r3.Vec, s *spaceScratch) float64 {
	if f.margin == 0 {
		return 0
	}
	limit := 3 * f.margin
	ball := &f.ball[v]
	c := f.tri[t]
	p := blend(w, f.rest[c[0]], f.rest[c[1]], f.rest[c[2]])
	if f.furthest(c, ball.at) > ball.radius {
		// The next time it may be another triangle nearby.
		ball.at, ball.radius = p, max(f.margin/2, f.furthest(c, p))
		f.explore(v, limit, ball, s.reach)
	}
	way := limit
	for _, j := range c {
		if i := slices.Index(ball.vertices, j); i >= 0 {
			way = min(way, float64(ball.dist[i])+p.Sub(f.rest[j]).Norm())
		}
	}
	return min(f.margin, way/3)
}

// furthest returns how far the furthest corner of a triangle is from a place, in the body as it was given [m].
func (f *spaceFinder) furthest(c [3]int32, at r3.Vec) float64 {
	return max(f.rest[c[0]].Sub(at).Norm(), f.rest[c[1]].Sub(at).Norm(), f.rest[c[2]].Sub(at).Norm())
}

// explore finds which vertices of a ball are nearer to v than limit along edges.
func (f *spaceFinder) explore(v int32, limit float64, ball *spaceBall, reach *spaceReach) {
	reach.forget(f.length)
	reach.from(v)
	reach.spread(f.spaceMesh, f.rest, limit, &spaceAim{at: ball.at, radius: ball.radius, limit: limit})
	ball.vertices, ball.dist = ball.vertices[:0], ball.dist[:0]
	for _, j := range reach.mark {
		if d := reach.dist[j]; d < limit && f.rest[j].Sub(ball.at).Norm() <= ball.radius {
			ball.vertices, ball.dist = append(ball.vertices, j), append(ball.dist, float32(d))
		}
	}
}

// forget lets go of what was found for another body.
func (f *spaceFinder) forget() {
	clear(f.place)
	for v := range f.row {
		f.row[v].v[0] = None
		f.ball[v].radius, f.ball[v].alone = -1, false
	}
}

// stale reports whether a vertex must be looked at anew: it was inside or had a row, or has moved by half of how far
// beyond the margin rows are looked for. Of two surfaces that were further apart than that and have come together, one
// has moved so far.
func (f *spaceFinder) stale(v int32) bool {
	return f.place[v] != placeHidden &&
		(f.place[v] != placeOutside || f.row[v].v[0] != None || 2*f.x[v].Sub(f.seen[v]).Norm() >= f.ahead-f.margin)
}

// crossings returns the pairs of triangles that cross, by the exact test, in order.
func (f *spaceFinder) crossings(team *par.Team, dst [][2]int32) [][2]int32 {
	faces := int32(f.faces)
	return f.pairs.Self(team, f.tree, dst, func(i, j int32) bool {
		return j < faces && geom.MeshTriangles(f.x, f.tri[i], f.tri[j])
	})
}

// crossingsOf returns the pairs of triangles that cross and at least one of which is hot, each once. The hot ones come
// first in a pair.
func (f *spaceFinder) crossingsOf(team *par.Team, hot []int32, dst [][2]int32) [][2]int32 {
	f.hotBoxes = f.hotBoxes[:0]
	for i := range f.hotOf {
		f.hotOf[i] = false
	}
	for _, t := range hot {
		f.hotOf[t] = true
		f.hotBoxes = append(f.hotBoxes, f.boxes[t])
	}
	f.hotTree.Rebuild(f.hotBoxes)
	dst = f.pairs.Between(team, f.hotTree, f.tree, dst, func(i, j int32) bool {
		t := hot[i]
		return j != t && int(j) < f.faces && !(f.hotOf[j] && j < t) && geom.MeshTriangles(f.x, f.tri[t], f.tri[j])
	})
	for k := range dst {
		dst[k][0] = hot[dst[k][0]]
	}
	return dst
}
