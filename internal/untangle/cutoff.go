package untangle

// Pushing back what is cut off.
//
// A line from border to border of a sheet, as of a hem that dips into another sheet, does not become shorter when the
// hem is drawn back a little. But it cuts the sheet in two, and the smaller part is the one that went through: an idea
// of [Baraff03], who find such parts for lines that close. Each edge of the sheet that is cut pushes towards the side
// that its end in the larger part is on, and the face that cuts it the other way. Of one contour, which may cut both
// surfaces, the smallest part counts.

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// cutoff finds the parts of sheets that contours cut off.
type cutoff struct {
	*contours
	more []int32   // edges that prolonged contours cut, sorted
	at   []float64 // where an edge is pierced
	part []int32   // by vertex: a vertex of its part
	size []int32   // by vertex: the number of vertices of the part that is named after it
	line []int32   // by corner of contours: a corner of its contour
	ends []segmentEnd
	best []int32 // by corner: the smallest part that its contour, if it is named after it, cuts off

	beyond []bool // by vertex: it is in a part that went through
}

// segmentEnd is a corner of contours as an end of the segment in which two triangles cross.
type segmentEnd struct{ a, b, corner int32 }

// root returns the name of the set of i in a forest.
func root(of []int32, i int32) int32 {
	for of[i] != i {
		of[i] = of[of[i]]
		i = of[i]
	}
	return i
}

// join makes the sets of i and j one, named after the smaller name.
func join(of []int32, i, j int32) {
	i, j = root(of, i), root(of, j)
	of[max(i, j)] = min(i, j)
}

func identity(of []int32, n int) []int32 {
	of = slices.Grow(of[:0], n)[:n]
	for i := range of {
		of[i] = int32(i)
	}
	return of
}

// samePlace is how near each other, in lengths of the edge, an edge is pierced by two triangles when it goes through
// the edge between them.
const samePlace = 1e-9

// divide finds parts and contours.
func (c *cutoff) divide() {
	// parts: vertices joined by edges that are not cut
	c.part = identity(c.part, len(c.x))
	c.prolong()
	next, cut := 0, 0
	for e, v := range c.edges {
		// how often the edge is cut, by contours and what prolongs them
		c.at = c.at[:0]
		for ; next < len(c.tips) && int(c.tips[next].edge) == e; next++ {
			c.at = append(c.at, c.along(int32(e), c.tips[next].tri))
		}
		slices.Sort(c.at)
		pierced := len(slices.CompactFunc(c.at, func(s, t float64) bool { return t-s < samePlace }))
		for ; cut < len(c.more) && int(c.more[cut]) == e; cut++ {
			pierced++
		}
		// after an even number of cuts both ends are on one side
		if pierced%2 == 0 {
			join(c.part, v[0], v[1])
		}
	}
	// number of vertices of each part
	c.size = slices.Grow(c.size[:0], len(c.x))[:len(c.x)]
	clear(c.size)
	for v := range c.part {
		c.size[root(c.part, int32(v))]++
	}
	// contours: corners joined by the segments in which two triangles cross
	c.line = identity(c.line, len(c.tips))
	c.ends = c.ends[:0]
	for i, k := range c.tips {
		for _, f := range c.faces[k.edge] {
			if f != None {
				c.ends = append(c.ends, segmentEnd{min(f, k.tri), max(f, k.tri), int32(i)})
			}
		}
	}
	slices.SortFunc(c.ends, func(p, q segmentEnd) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), cmp.Compare(p.corner, q.corner))
	})
	// ends of the same segment
	for i := 1; i < len(c.ends); i++ {
		if p, q := c.ends[i-1], c.ends[i]; p.a == q.a && p.b == q.b {
			join(c.line, p.corner, q.corner)
		}
	}
}

// prolongation is how many triangles a contour is prolonged by at most.
const prolongation = 3

// prolong carries contours on that end in a face, where the border of the other surface is, to the border of that
// face's own surface if it is near: of two borders that nearly lie upon each other both are to be cut through.
func (c *cutoff) prolong() {
	c.more = c.more[:0]
	for _, k := range c.tips {
		// only contours that end in a face, at the border of the other surface
		if c.faces[k.edge][1] != None {
			continue
		}
		// on from there, away from the other surface
		p, t, begin := c.meeting(k.edge, k.tri), k.tri, len(c.more)
		out := c.inward(c.faces[k.edge][0], k.edge, c.normal(t)).Neg()
		reached := false
		// from face to face, up to a border
		for range prolongation {
			side := c.leave(t, &p, out)
			if side < 0 {
				break
			}
			e := c.triEdge[t][side]
			c.more = append(c.more, e)
			if reached = c.faces[e][1] == None; reached {
				break
			}
			t = c.faces[e][0] + c.faces[e][1] - t
			n := c.normal(t)
			out = out.AddScaled(-n.Dot(out), n).Unit()
		}
		// without a border near nothing is prolonged
		if !reached {
			c.more = c.more[:begin]
		}
	}
	slices.Sort(c.more)
}

func (c *cutoff) normal(t int32) r3.Vec {
	a, b, d := c.corners(t)
	return b.Sub(a).Cross(d.Sub(a)).Unit()
}

// leave moves p from a triangle in the given direction to its border, and returns the side where that is, by the corner
// opposite to it; -1 if there is none.
func (c *cutoff) leave(t int32, p *r3.Vec, direction r3.Vec) int {
	n, v := c.normal(t), c.tri[t]
	side, nearest := -1, math.Inf(1)
	for k := range 3 {
		a, b := c.x[v[(k+1)%3]], c.x[v[(k+2)%3]]
		in := n.Cross(b.Sub(a)).Unit()
		if rate := in.Dot(direction); rate < -edgeOn {
			if s := max(0, in.Dot(p.Sub(a))) / -rate; s < nearest {
				side, nearest = k, s
			}
		}
	}
	if side >= 0 {
		*p = p.AddScaled(nearest, direction)
	}
	return side
}

// cut returns the part that a corner cuts off, the smaller one at the ends of its edge, and its size; it reports
// whether they are in different parts, which may move.
func (c *cutoff) cut(k piercing) (part, size int32, ok bool) {
	v := c.edges[k.edge]
	p, q := root(c.part, v[0]), root(c.part, v[1])
	if p == q || int(v[0]) >= c.moving {
		return None, 0, false
	}
	if c.size[p] < c.size[q] {
		return p, c.size[p], true
	}
	return q, c.size[q], true
}

// markParts marks the vertices of the smallest part that each contour cuts off, and returns how many they are. If
// no contour cuts something off, because it ends where another border begins, the marks stay.
func (c *cutoff) markParts() int {
	c.divide()
	// smallest part that each contour cuts off
	c.best = slices.Grow(c.best[:0], len(c.tips))[:len(c.tips)]
	for i := range c.best {
		c.best[i] = None
	}
	for i, k := range c.tips {
		if part, size, ok := c.cut(k); ok {
			if best := &c.best[root(c.line, int32(i))]; *best == None || size < c.size[*best] {
				*best = part
			}
		}
	}
	// without such parts the marks stay
	parts := slices.DeleteFunc(c.best, func(part int32) bool { return part == None })
	c.beyond = slices.Grow(c.beyond[:0], len(c.x))[:len(c.x)]
	if len(parts) == 0 {
		return 0
	}
	// vertices of the parts
	slices.Sort(parts)
	count := 0
	for v := range c.beyond {
		_, c.beyond[v] = slices.BinarySearch(parts, root(c.part, int32(v)))
		if c.beyond[v] {
			count++
		}
	}
	return count
}

// pushBack sets force so that the marked parts go back through what cuts them off.
func (c *cutoff) pushBack() {
	clear(c.force)
	for _, k := range c.tips {
		v := c.edges[k.edge]
		if c.beyond[v[0]] == c.beyond[v[1]] {
			continue
		}
		p, q, r := c.corners(k.tri)
		n := q.Sub(p).Cross(r.Sub(p)).Unit()
		if back := c.x[v[1]].Sub(c.x[v[0]]); n.Dot(back) < 0 == c.beyond[v[0]] {
			n = n.Neg()
		}
		c.share(k, n, n.Neg())
	}
}

// pushes is how many steps in vain are taken in a row to push back what is cut off.
const pushes = 20

// pushParts pushes back what is cut off for as long as it becomes less, and keeps the state with the shortest contours.
func (c *cutoff) pushParts(opt ContourOptions, stats *ContourStats) {
	clear(c.beyond)
	best, length, least := slices.Clone(c.x[:c.moving]), c.length, len(c.x)+1
	for stale := 0; stale < pushes && c.count > 0 && stats.Iterations < opt.Iterations; stale++ {
		stats.Iterations++
		if left := c.markParts(); left > 0 && left < least {
			least, stale = left, 0
		}
		c.pushBack()
		d, largest := c.follow()
		if largest == 0 {
			break
		}
		c.from = append(c.from[:0], c.x[:c.moving]...)
		if c.move(d, opt.Step/2/largest); c.length < length {
			copy(best, c.x)
			length, stale = c.length, 0
		}
	}
	copy(c.x, best)
	c.trace()
}
