package shape

import "github.com/toile-sim/toile/r3"

// Delaunay triangulation of points in a rectangle by insertion and Lawson's flips.
//
// It starts from the two triangles of the corners. A point on the border splits the border edge it
// lies on; a point inside splits the triangle it falls into; then edges whose opposite point lies in
// the circle of their triangle are flipped until none is left. Triangles keep their orientation, and
// the border stays straight because a border edge has nothing to be flipped with.
//
// The circle test is in floating point with a margin. It decides which of two diagonals to take, and
// near a tie either is good.

// triangulation holds triangles, counter-clockwise, and the neighbour opposite to each corner.
type triangulation struct {
	at   []r3.Vec2
	tri  [][3]int32
	next [][3]int32 // -1 at the border
	last int32      // where the search for the next point starts
	todo []corner   // edges to look at, opposite to these corners
}

type corner struct{ t, k int32 }

// delaunay triangulates points of the rectangle from (0, 0) to (length, width). The first four are
// its corners, counter-clockwise.
func delaunay(length, width float64, at []r3.Vec2) [][3]int32 {
	d := &triangulation{
		at:   at,
		tri:  [][3]int32{{0, 1, 2}, {0, 2, 3}},
		next: [][3]int32{{-1, 1, -1}, {-1, -1, 0}},
	}
	for v := int32(4); v < int32(len(at)); v++ {
		q := at[v]
		border := q.X == 0 || q.X == length || q.Y == 0 || q.Y == width
		t, k := d.find(q)
		if border {
			d.splitBorder(t, d.borderSide(t, k, q), v)
		} else {
			d.split(t, v)
		}
		d.flip()
	}
	return d.tri
}

// side returns twice the area of the triangle of q and the side opposite to corner k.
func (d *triangulation) side(t, k int32, q r3.Vec2) float64 {
	a, b := d.at[d.tri[t][(k+1)%3]], d.at[d.tri[t][(k+2)%3]]
	return b.Sub(a).Cross(q.Sub(a))
}

// find walks to the triangle of q. It also returns the corner whose opposite side is nearest to q.
func (d *triangulation) find(q r3.Vec2) (t, k int32) {
	t = d.last
	for range 4*len(d.tri) + 16 {
		worst, least := int32(-1), 0.0
		for k := range int32(3) {
			if s := d.side(t, k, q); s < least && d.next[t][k] >= 0 {
				worst, least = k, s
			}
		}
		if worst < 0 {
			break
		}
		t = d.next[t][worst]
	}
	d.last = t
	for j := range int32(3) {
		if d.side(t, j, q) < d.side(t, k, q) {
			k = j
		}
	}
	return t, k
}

// borderSide returns the border side of t that q lies on, preferring k.
func (d *triangulation) borderSide(t, k int32, q r3.Vec2) int32 {
	if d.next[t][k] < 0 {
		return k
	}
	best := int32(-1)
	for j := range int32(3) {
		if d.next[t][j] < 0 && (best < 0 || d.side(t, j, q) < d.side(t, best, q)) {
			best = j
		}
	}
	if best < 0 {
		panic("shape: border point is not at a border triangle")
	}
	return best
}

// link makes the neighbour n of t across the side opposite to corner k know t.
func (d *triangulation) link(t, k, n, old int32) {
	d.next[t][k] = n
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

// split puts v into triangle t.
func (d *triangulation) split(t, v int32) {
	p, n := d.tri[t], d.next[t]
	t1, t2 := int32(len(d.tri)), int32(len(d.tri)+1)
	d.tri[t] = [3]int32{v, p[0], p[1]}
	d.tri = append(d.tri, [3]int32{v, p[1], p[2]}, [3]int32{v, p[2], p[0]})
	d.next[t] = [3]int32{-1, t1, t2}
	d.next = append(d.next, [3]int32{-1, t2, t}, [3]int32{-1, t, t1})
	d.link(t, 0, n[2], t)
	d.link(t1, 0, n[0], t)
	d.link(t2, 0, n[1], t)
	d.todo = append(d.todo, corner{t, 0}, corner{t1, 0}, corner{t2, 0})
}

// splitBorder puts v on the border side of t opposite to corner k.
func (d *triangulation) splitBorder(t, k, v int32) {
	p, n := d.tri[t], d.next[t]
	a, b, c := p[(k+1)%3], p[(k+2)%3], p[k]
	t1 := int32(len(d.tri))
	toA, toB := n[(k+2)%3], n[(k+1)%3] // across c-a and b-c
	d.tri[t] = [3]int32{v, c, a}
	d.tri = append(d.tri, [3]int32{v, b, c})
	d.next[t] = [3]int32{-1, -1, t1}
	d.next = append(d.next, [3]int32{-1, t, -1})
	d.link(t, 0, toA, t)
	d.link(t1, 0, toB, t)
	d.todo = append(d.todo, corner{t, 0}, corner{t1, 0})
}

// flip empties the list of edges to look at. The corner of every entry is the new vertex.
func (d *triangulation) flip() {
	for len(d.todo) > 0 {
		c := d.todo[len(d.todo)-1]
		d.todo = d.todo[:len(d.todo)-1]
		t := c.t
		u := d.next[t][0]
		if u < 0 {
			continue
		}
		j := int32(0)
		for d.next[u][j] != t {
			j++
		}
		v, a, b, o := d.tri[t][0], d.tri[t][1], d.tri[t][2], d.tri[u][j]
		if !inCircle(d.at[v], d.at[a], d.at[b], d.at[o]) {
			continue
		}
		// t = (v, a, b), u = (o, b, a) become (v, a, o) and (v, o, b).
		vb, va := d.next[t][1], d.next[t][2]
		ao, ob := d.next[u][(j+1)%3], d.next[u][(j+2)%3]
		d.tri[t], d.tri[u] = [3]int32{v, a, o}, [3]int32{v, o, b}
		d.next[t] = [3]int32{-1, u, va}
		d.next[u] = [3]int32{-1, vb, t}
		d.link(t, 0, ao, u)
		d.link(u, 1, vb, t)
		d.link(u, 0, ob, u)
		d.todo = append(d.todo, corner{t, 0}, corner{u, 0})
	}
}

// inCircle reports whether d lies clearly inside the circle of the counter-clockwise triangle a, b, c.
func inCircle(a, b, c, d r3.Vec2) bool {
	p, q, r := a.Sub(d), b.Sub(d), c.Sub(d)
	pp, qq, rr := p.Dot(p), q.Dot(q), r.Dot(r)
	s := max(pp, qq, rr)
	return pp*q.Cross(r)+qq*r.Cross(p)+rr*p.Cross(q) > 1e-12*s*s
}
