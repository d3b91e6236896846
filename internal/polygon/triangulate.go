package polygon

import (
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// Constrained Delaunay triangulation of a polygon with holes.
//
// Points are inserted one after the other into a large square; a point splits the triangle or the edge it falls
// on, then Lawson's flips make the triangulation Delaunay again. Afterwards each edge of the outline that is
// missing is brought in by flipping the edges that cross it [Sloan93], and everything outside is dropped.
//
//	side k of triangle t is the one opposite to its corner k;
//	next[t][k] is the triangle across it, or -1;
//	hard[t][k] says that it is part of the outline and never flipped.
//
// Sides are decided by exact predicates, so a triangle never turns over. The circle test is in floating point
// with a margin: it only chooses between two diagonals, and near a tie either is good.
//
// Invariant: all triangles are counter-clockwise with positive area, in exact arithmetic.

type triangulation struct {
	at   []r3.Vec2
	tri  [][3]int32
	next [][3]int32
	hard [][3]bool
	of   []int32 // a triangle of each vertex
	last int32   // where the search for the next point starts
	todo []side  // to be made Delaunay
}

type side struct{ t, k int32 }

// triangulate returns the constrained Delaunay triangulation of a polygon with holes. The first points are those of its
// loops, of the given lengths: the outer one, counter-clockwise, and then the holes; the others are inside. Triangles
// outside are gone; the four last points are corners of the large square and in no triangle.
func triangulate(at []r3.Vec2, loops []int) (*triangulation, bool) {
	d := newTriangulation(at)
	for v := range at {
		if !d.insert(int32(v)) {
			return nil, false
		}
	}
	first := 0
	for _, n := range loops {
		for v := range n {
			if !d.bring(int32(first+v), int32(first+(v+1)%n)) {
				return nil, false
			}
		}
		first += n
	}
	d.crop()
	return d, true
}

func newTriangulation(at []r3.Vec2) *triangulation {
	low, high := at[0], at[0]
	for _, p := range at {
		low = r3.Vec2{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = r3.Vec2{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	c, r := low.Add(high).Scale(0.5), 8*max(high.X-low.X, high.Y-low.Y)
	n := int32(len(at))
	d := &triangulation{
		at: append(
			at[:n:n],
			c.Add(r3.Vec2{X: -r, Y: -r}),
			c.Add(r3.Vec2{X: r, Y: -r}),
			c.Add(r3.Vec2{X: r, Y: r}),
			c.Add(r3.Vec2{X: -r, Y: r}),
		),
		tri:  [][3]int32{{n, n + 1, n + 2}, {n, n + 2, n + 3}},
		next: [][3]int32{{-1, 1, -1}, {-1, -1, 0}},
		hard: make([][3]bool, 2),
		of:   make([]int32, n+4),
	}
	d.of[n+3] = 1
	return d
}

// find walks to the triangle of q; k is -1 inside, or the side that q lies on. A third result of false means
// that q lies on a corner.
func (d *triangulation) find(q r3.Vec2) (t, k int32, ok bool) {
	t = d.last
walk:
	for steps := 0; ; steps++ {
		if steps > len(d.tri) {
			// A walk could go in circles only among triangles on one circle; then all are looked at.
			t = int32(steps-len(d.tri)-1) % int32(len(d.tri))
		}
		p := d.tri[t]
		k, on := int32(-1), 0
		for j := range int32(3) {
			switch s := geom.Orient2(d.at[p[(j+1)%3]], d.at[p[(j+2)%3]], q); {
			case s < 0:
				t = d.next[t][j]
				continue walk
			case s == 0:
				k = j
				on++
			}
		}
		d.last = t
		return t, k, on < 2
	}
}

func (d *triangulation) insert(v int32) bool {
	t, k, ok := d.find(d.at[v])
	switch {
	case !ok:
		return false
	case k < 0:
		d.split(t, v)
	default:
		d.splitSide(t, k, v)
	}
	d.flip()
	return true
}

// set writes triangle t; its neighbours are told by link.
func (d *triangulation) set(t int32, p, n [3]int32, h [3]bool) {
	if int(t) == len(d.tri) {
		d.tri, d.next, d.hard = append(d.tri, p), append(d.next, n), append(d.hard, h)
	} else {
		d.tri[t], d.next[t], d.hard[t] = p, n, h
	}
	for _, v := range p {
		d.of[v] = t
	}
}

// link makes n, that knew old across some side, know t instead.
func (d *triangulation) link(n, old, t int32) {
	if n < 0 {
		return
	}
	for j := range d.next[n] {
		if d.next[n][j] == old {
			d.next[n][j] = t
			return
		}
	}
}

// split puts v inside triangle t.
func (d *triangulation) split(t, v int32) {
	p, n, h := d.tri[t], d.next[t], d.hard[t]
	t1, t2 := int32(len(d.tri)), int32(len(d.tri)+1)
	d.set(t, [3]int32{v, p[0], p[1]}, [3]int32{n[2], t1, t2}, [3]bool{h[2]})
	d.set(t1, [3]int32{v, p[1], p[2]}, [3]int32{n[0], t2, t}, [3]bool{h[0]})
	d.set(t2, [3]int32{v, p[2], p[0]}, [3]int32{n[1], t, t1}, [3]bool{h[1]})
	d.link(n[0], t, t1)
	d.link(n[1], t, t2)
	d.todo = append(d.todo, side{t, 0}, side{t1, 0}, side{t2, 0})
}

// splitSide puts v on side k of triangle t, which is not part of the outline and has a triangle on either side.
func (d *triangulation) splitSide(t, k, v int32) {
	u := d.next[t][k]
	j := d.back(u, t)
	p, n, h := d.turned(t, k)
	q, m, g := d.turned(u, j)
	// t = (c, a, b) and u = (o, b, a), with v on the side ab.
	c, a, b, o := p[0], p[1], p[2], q[0]
	t1, u1 := int32(len(d.tri)), int32(len(d.tri)+1)
	d.set(t, [3]int32{v, c, a}, [3]int32{n[2], u1, t1}, [3]bool{h[2]})
	d.set(t1, [3]int32{v, b, c}, [3]int32{n[1], t, u}, [3]bool{h[1]})
	d.set(u, [3]int32{v, o, b}, [3]int32{m[2], t1, u1}, [3]bool{g[2]})
	d.set(u1, [3]int32{v, a, o}, [3]int32{m[1], u, t}, [3]bool{g[1]})
	d.link(n[1], t, t1)
	d.link(m[1], u, u1)
	d.todo = append(d.todo, side{t, 0}, side{t1, 0}, side{u, 0}, side{u1, 0})
}

// back returns the side of u across which t lies.
func (d *triangulation) back(u, t int32) int32 {
	for j := range int32(3) {
		if d.next[u][j] == t {
			return j
		}
	}
	panic("polygon: neighbours of a triangulation do not know each other")
}

// turned returns triangle t with its corner k first.
func (d *triangulation) turned(t, k int32) (p, n [3]int32, h [3]bool) {
	for j := range int32(3) {
		i := (k + j) % 3
		p[j], n[j], h[j] = d.tri[t][i], d.next[t][i], d.hard[t][i]
	}
	return p, n, h
}

// flip makes the sides in todo Delaunay, and those that come to be.
func (d *triangulation) flip() {
	for len(d.todo) > 0 {
		s := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		u := d.next[s.t][s.k]
		if u < 0 || d.hard[s.t][s.k] {
			continue
		}
		j := d.back(u, s.t)
		p := d.tri[s.t]
		if !inCircle(d.at[p[0]], d.at[p[1]], d.at[p[2]], d.at[d.tri[u][j]]) || !d.convex(s.t, s.k, u, j) {
			continue
		}
		d.swap(s.t, s.k)
		d.todo = append(d.todo, side{s.t, 0}, side{s.t, 2}, side{u, 0}, side{u, 1})
	}
}

// convex reports whether triangle t and u, across side k of t and j of u, form a strictly convex quadrangle.
func (d *triangulation) convex(t, k, u, j int32) bool {
	c, a, b, o := d.tri[t][k], d.tri[t][(k+1)%3], d.tri[t][(k+2)%3], d.tri[u][j]
	return geom.Orient2(d.at[c], d.at[a], d.at[o]) > 0 && geom.Orient2(d.at[c], d.at[o], d.at[b]) > 0
}

// swap replaces side k of triangle t by the other diagonal: t = (c, a, b) and u = (o, b, a) become
// t = (c, a, o) and u = (c, o, b).
func (d *triangulation) swap(t, k int32) {
	u := d.next[t][k]
	p, n, h := d.turned(t, k)
	q, m, g := d.turned(u, d.back(u, t))
	c, a, b, o := p[0], p[1], p[2], q[0]
	d.set(t, [3]int32{c, a, o}, [3]int32{m[1], u, n[2]}, [3]bool{g[1], false, h[2]})
	d.set(u, [3]int32{c, o, b}, [3]int32{m[2], n[1], t}, [3]bool{g[2], h[1], false})
	d.link(m[1], u, t)
	d.link(n[1], t, u)
}

// inCircle reports whether d lies clearly inside the circle of the counter-clockwise triangle a, b, c.
func inCircle(a, b, c, d r3.Vec2) bool {
	p, q, r := a.Sub(d), b.Sub(d), c.Sub(d)
	pp, qq, rr := p.Dot(p), q.Dot(q), r.Dot(r)
	s := max(pp, qq, rr)
	return pp*q.Cross(r)+qq*r.Cross(p)+rr*p.Cross(q) > 1e-12*s*s
}

// bring makes ab a side of the triangulation and part of the outline. It reports false if a point lies on ab, or
// if ab crosses another part of the outline.
func (d *triangulation) bring(a, b int32) bool {
	crossed, done, ok := d.crossings(a, b)
	if !ok {
		return false
	}
	var fresh []side
	// Every pass around the queue flips at least one side; each flip of a side that crosses ab either removes a
	// crossing or makes one that later passes remove.
	for stuck := 0; !done && len(crossed) > 0; {
		e := crossed[0]
		crossed = crossed[1:]
		t, k, ok := d.sideOf(e[0], e[1])
		if !ok || d.hard[t][k] {
			return false
		}
		u := d.next[t][k]
		if !d.convex(t, k, u, d.back(u, t)) {
			if stuck++; stuck > len(crossed)+1 {
				return false
			}
			crossed = append(crossed, e)
			continue
		}
		stuck = 0
		d.swap(t, k)
		c, o := d.tri[t][0], d.tri[t][2]
		if c != a && c != b && o != a && o != b &&
			geom.Orient2(d.at[a], d.at[b], d.at[c])*geom.Orient2(d.at[a], d.at[b], d.at[o]) < 0 {
			crossed = append(crossed, [2]int32{c, o})
		} else {
			fresh = append(fresh, side{c, o})
		}
	}
	t, k, ok := d.sideOf(a, b)
	if !ok {
		return false
	}
	d.hard[t][k] = true
	if u := d.next[t][k]; u >= 0 {
		d.hard[u][d.back(u, t)] = true
	}
	for _, f := range fresh {
		if t, k, ok := d.sideOf(f.t, f.k); ok {
			d.todo = append(d.todo, side{t, k})
		}
	}
	d.flip()
	return true
}

// crossings returns the sides that the segment ab crosses, in order; done means that ab is a side already.
func (d *triangulation) crossings(a, b int32) (crossed [][2]int32, done, ok bool) {
	if _, _, there := d.sideOf(a, b); there {
		return nil, true, true
	}
	t, k := d.of[a], int32(-1)
	for range len(d.tri) {
		i := d.cornerOf(t, a)
		l, r := d.tri[t][(i+1)%3], d.tri[t][(i+2)%3]
		ol, or := geom.Orient2(d.at[a], d.at[b], d.at[l]), geom.Orient2(d.at[a], d.at[b], d.at[r])
		if ol < 0 && or > 0 {
			k = i
			break
		}
		t = d.next[t][(i+1)%3]
	}
	if k < 0 {
		return nil, false, false
	}
	for range len(d.tri) {
		l, r := d.tri[t][(k+1)%3], d.tri[t][(k+2)%3]
		if d.hard[t][k] {
			return nil, false, false
		}
		crossed = append(crossed, [2]int32{l, r})
		u := d.next[t][k]
		j := d.back(u, t)
		o := d.tri[u][j]
		if o == b {
			return crossed, false, true
		}
		switch s := geom.Orient2(d.at[a], d.at[b], d.at[o]); {
		case s == 0:
			return nil, false, false
		case s > 0: // the segment leaves u across the side that keeps l
			k = (j + 1) % 3
		default:
			k = (j + 2) % 3
		}
		t = u
	}
	return nil, false, false
}

func (d *triangulation) cornerOf(t, v int32) int32 {
	for i := range int32(3) {
		if d.tri[t][i] == v {
			return i
		}
	}
	panic("polygon: a triangle does not have the vertex it is listed for")
}

// sideOf finds a triangle with the side ab, by going round a.
func (d *triangulation) sideOf(a, b int32) (t, k int32, ok bool) {
	start := d.of[a]
	t = start
	for range len(d.tri) {
		i := d.cornerOf(t, a)
		if d.tri[t][(i+1)%3] == b {
			return t, (i + 2) % 3, true
		}
		if d.tri[t][(i+2)%3] == b {
			return t, (i + 1) % 3, true
		}
		if t = d.next[t][(i+1)%3]; t == start || t < 0 {
			break
		}
	}
	return 0, 0, false
}

// crop keeps the triangles inside the outline.
func (d *triangulation) crop() {
	inside := make([]bool, len(d.tri))
	var stack []int32
	if t, k, ok := d.sideOf(0, 1); ok {
		if d.tri[t][(k+1)%3] != 0 { // the triangle that runs from 0 to 1 is inside
			t = d.next[t][k]
		}
		inside[t] = true
		stack = append(stack, t)
	}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for k, n := range d.next[t] {
			if n >= 0 && !d.hard[t][k] && !inside[n] {
				inside[n] = true
				stack = append(stack, n)
			}
		}
	}
	number := make([]int32, len(d.tri))
	kept := int32(0)
	for t := range d.tri {
		if number[t] = -1; inside[t] {
			number[t] = kept
			d.tri[kept], d.next[kept], d.hard[kept] = d.tri[t], d.next[t], d.hard[t]
			kept++
		}
	}
	d.tri, d.next, d.hard = d.tri[:kept], d.next[:kept], d.hard[:kept]
	for t := range d.next {
		for k, n := range d.next[t] {
			if n >= 0 {
				d.next[t][k] = number[n]
			}
		}
		for _, v := range d.tri[t] {
			d.of[v] = int32(t)
		}
	}
}
