package remesh

import "github.com/toile-sim/toile/r3"

// afloat is the distance to which new vertices that would be inside of shapes are brought, in thicknesses. The rest is
// left to contact.
const afloat = 0.1

// lift brings vertices with ids from fresh on out of shapes, in which a sheet that starts inside of one may have edges.
// A vertex that could not get there without a crossing stays on its edge.
func (c *change) lift(fresh int64) {
	for i, id := range c.uid {
		v := int32(i)
		if id < fresh || !c.edit.Has(v) {
			continue
		}
		x := c.x[v]
		for _, shape := range c.guard.fields {
			if d, out := shape.Distance(x); d < 0 {
				x = x.AddScaled(afloat*c.guard.thickness-d, out)
			}
		}
		if x != c.x[v] {
			c.move(v, x)
		}
	}
}

// move puts a vertex elsewhere if the guard allows it.
func (c *change) move(v int32, to r3.Vec) {
	c.star = c.edit.Star(v, c.star)
	c.olds, c.guard.news = c.olds[:0], c.guard.news[:0]
	for _, k := range c.star {
		t := k / 3
		face := patchFace{c.edit.Tri[t], c.guard.corners(t)}
		face.p[k%3] = to
		c.olds, c.guard.news = append(c.olds, t), append(c.guard.news, face)
	}
	if from := c.x[v]; !c.guard.allows(c.olds, &from) {
		return
	}
	c.x[v] = to
	for _, t := range c.olds {
		c.guard.changed(t)
	}
}
