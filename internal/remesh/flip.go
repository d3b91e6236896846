package remesh

import (
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// By how much an edge has to miss the Delaunay condition to be flipped: −sin of the sum of the two opposite angles.
// Around an operation a little, so that four points on a circle do not flip to and fro; elsewhere more, because a flip
// changes the curvature that is measured, and with it the metric.
const (
	turnedNear = 0.02
	turnedAll  = 0.3
)

// wantsFlip reports whether an edge misses the Delaunay condition in the metric, the mean of those at its four vertices
// [Narain12]: the angles at the opposite corners add up to more than π, by the given −sin of the sum.
func (c *change) wantsFlip(side int32, turned float64) bool {
	twin := c.edit.Twin(side)
	if twin == mesh.None || c.crease(side) {
		return false
	}
	e := &c.edit
	p, q := e.EndPoints(side)
	r, s := e.Corner[side/3][side%3], e.Corner[twin/3][twin%3]
	m := c.size[p].Add(c.size[q]).Add(c.size[r]).Add(c.size[s])
	at := e.Material
	a, b := at[p].Sub(at[r]), at[q].Sub(at[r])
	d, f := at[q].Sub(at[s]), at[p].Sub(at[s])
	root := math.Sqrt(m.det())
	sine := root * (math.Abs(a.Cross(b))*m.Between(d, f) + m.Between(a, b)*math.Abs(d.Cross(f)))
	return sine < -turned*math.Sqrt(m.Of(a)*m.Of(b)*m.Of(d)*m.Of(f))
}

// flip gives the two triangles of an edge their other diagonal.
func (c *change) flip(side int32) refusal {
	e := &c.edit
	if c.held(side) {
		return keptAsIs
	}
	if c.crease(side) || !e.CanFlip(side, c.star) {
		return badShape
	}
	twin := e.Twin(side)
	t, u := side/3, twin/3
	p, q := e.EndPoints(side)
	r, s := e.Corner[t][side%3], e.Corner[u][twin%3]
	// Before: (r p q) and (s q p). After: (r p s) and (s q r).
	old := c.area2(r, p, q)
	if c.area2(r, p, s)*old <= 0 || c.area2(s, q, r)*old <= 0 || c.area2(s, q, p)*old <= 0 {
		return badShape
	}
	if c.sizeBetween(r, s) > max(1, c.sizeBetween(p, q)) {
		return badShape
	}
	for _, f := range [2][3]int32{{r, p, s}, {s, q, r}} {
		if _, material := c.quality(f[0], f[1], f[2]); material < flat {
			return badShape
		}
	}
	a, b := e.Ends(side)
	o, w := e.Opposite(side), e.Opposite(twin)
	x := c.x
	n0 := x[a].Sub(x[o]).Cross(x[b].Sub(x[o]))
	n1 := x[b].Sub(x[w]).Cross(x[a].Sub(x[w]))
	if n0.Dot(n1) < sharpest*math.Sqrt(n0.Norm2()*n1.Norm2()) {
		return badShape
	}
	c.guard.news = append(c.guard.news[:0],
		patchFace{[3]int32{o, a, w}, [3]r3.Vec{x[o], x[a], x[w]}},
		patchFace{[3]int32{w, b, o}, [3]r3.Vec{x[w], x[b], x[o]}})
	c.olds = append(c.olds[:0], t, u)
	if !c.guard.allows(c.olds, &x[b]) {
		return crossing
	}
	lost := c.carry(t, -1).Add(c.carry(u, -1))
	e.Flip(side)
	lost = lost.Add(c.carry(t, 1)).Add(c.carry(u, 1))
	c.tris = append(c.tris[:0], t, u)
	c.balance(lost.Neg(), c.tris)
	c.guard.changed(t)
	c.guard.changed(u)
	c.counts.Flips++
	return allowed
}
