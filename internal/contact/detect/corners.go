package detect

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Corners of a face that lies on another.
//
// Where a rigid body lies flat on another, or on an obstacle that does not deform, every vertex of a finely meshed face
// meets it. Of points in a plane that belong to two rigid bodies the gap is an affine function: if it is held at the
// corners of their convex hull, it is held within. So Find keeps the corners: four where one rectangle lies within
// another, up to eight where two cross. To keep four of more would be wrong: a body whose weight is over one of the
// others tips over it, little by little, in motions too small for Extend to see.

// beside is how far, as a share of the width of a face, a point may be from the line between two others to lie on it.
const beside = 1e-6

// cornerer holds the scratch of corners.
type cornerer struct {
	faces        []faceKey
	group        []facePoint // of one face
	corner       []facePoint // of its convex hull
	outside      []facePoint // of sides of it that are being looked for, a stack
	second       int         // the place of the corner opposite to the first
	on           float64     // how near to a line a point lies on it [m]
	kept, others []int32
}

// faceKey is a candidate of two rigid sides.
type faceKey struct {
	a, b  int32 // skins; of an obstacle: −2 − its index
	index int32 // of the candidate
}

// facePoint is a candidate, and where it is on its face: along, across, and the gap there [m].
type facePoint struct {
	index     int32
	u, v, gap float64
}

// corners divides the given candidates, indices in found, into those of two rigid sides, of which it returns the
// corners of faces, and others.
func (c *cornerer) corners(wr *writer, given []int32) (kept, others []int32) {
	c.kept, c.others, c.faces = c.kept[:0], c.others[:0], c.faces[:0]
	found := wr.rules.found
	for _, i := range given {
		if found[i].rigid {
			a, b := wr.sides(&found[i])
			c.faces = append(c.faces, faceKey{a, b, i})
		} else {
			c.others = append(c.others, i)
		}
	}
	slices.SortFunc(c.faces, func(p, q faceKey) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), found[p.index].id.Compare(found[q.index].id))
	})
	for rest := c.faces; len(rest) > 0; {
		end := 1
		for end < len(rest) && rest[end].a == rest[0].a && rest[end].b == rest[0].b {
			end++
		}
		for pair := rest[:end]; len(pair) > 0; {
			pair = c.split(wr, pair)
			c.keepCorners(exactly * wr.Thickness)
		}
		rest = rest[end:]
	}
	return c.kept, c.others
}

// bothRigid tells whether a pair is one of rigid bodies, or of one with a prescribed skin that does not deform.
func (s *scene) bothRigid(k *pair) bool {
	if !s.carried {
		return false
	}
	p, q := k.vertices()
	return s.rigidAt(k.p, p) && s.rigidAt(k.q, q)
}

// rigidContact is bothRigid for a candidate without anything round.
func (s *scene) rigidContact(c *candidate) bool {
	if !s.carried || c.smooth || c.radii != [2]float64{} || !s.skins[s.skinOf[c.a]].Rigid {
		return false
	}
	if c.obstacle != contact.None {
		return !s.skins[c.obstacle].Deforms
	}
	return s.skins[s.skinOf[c.b]].Rigid
}

// sides returns what a rigid contact is between: skins in order, or a skin and −2 − that of an obstacle.
func (s *scene) sides(c *candidate) (a, b int32) {
	a = s.skinOf[c.a]
	if c.obstacle != contact.None {
		return a, -2 - c.obstacle
	}
	b = s.skinOf[c.b]
	return min(a, b), max(a, b)
}

// split takes the contacts that belong to the same face as the first into the group, and returns the others, in order.
func (c *cornerer) split(wr *writer, pair []faceKey) []faceKey {
	found := wr.rules.found
	first := &found[pair[0].index]
	normal, mu := wr.ofPair(first), wr.muOf(first)
	along := normal.Orthogonal()
	across := normal.Cross(along)
	c.group = c.group[:0]
	others := pair[:0]
	for _, key := range pair {
		o := &found[key.index]
		d := o.point.Sub(first.point)
		if wr.ofPair(o).Dot(normal) > math.Cos(sameFace) && wr.muOf(o) == mu && o.extra == first.extra &&
			math.Abs(d.Dot(normal)) <= wr.Thickness {
			c.group = append(c.group, facePoint{key.index, d.Dot(along), d.Dot(across), o.z})
		} else {
			others = append(others, key)
		}
	}
	return others
}

// ofPair returns the normal of a contact as seen from the side that comes first in the pair.
func (wr *writer) ofPair(c *candidate) r3.Vec {
	if c.obstacle == contact.None && wr.skinOf[c.a] > wr.skinOf[c.b] {
		return c.normal.Neg()
	}
	return c.normal
}

// keepCorners keeps the corners of the group if it is flat, and otherwise all of it.
func (c *cornerer) keepCorners(tolerance float64) {
	if len(c.group) > 2 && c.findCorners() && c.flat(tolerance) {
		for _, p := range c.corner {
			c.kept = append(c.kept, p.index)
		}
		return
	}
	for _, p := range c.group {
		c.kept = append(c.kept, p.index)
	}
}

// findCorners finds the convex hull of the group, from a first corner counter-clockwise, and reports whether it is
// wider than a point. The first is farthest from the middle, and c.second the farthest from that.
func (c *cornerer) findCorners() bool {
	var middle facePoint
	for _, p := range c.group {
		middle.u += p.u / float64(len(c.group))
		middle.v += p.v / float64(len(c.group))
	}
	one := c.farthest(middle)
	two := c.farthest(one)
	width := math.Hypot(two.u-one.u, two.v-one.v)
	if width == 0 {
		return false
	}
	c.on = beside * width
	c.corner = append(c.corner[:0], one)
	c.outside = c.outside[:0]
	c.wrap(one, two, c.outsideOf(one, two, c.group, nil))
	c.second = len(c.corner)
	c.corner = append(c.corner, two)
	c.wrap(two, one, c.outsideOf(two, one, c.group, nil))
	return true
}

// farthest returns the first of the group that is farthest from a place.
func (c *cornerer) farthest(from facePoint) (far facePoint) {
	most := -1.0
	for _, p := range c.group {
		if d := math.Hypot(p.u-from.u, p.v-from.v); d > most*(1+beside) {
			far, most = p, d
		}
	}
	return far
}

// wrap adds the corners between two that follow each other, of those that are outside of their line: the farthest, and
// those between it and either. Of several that are as far, which is a side of the hull, it takes the last along the
// line, a corner. Every point goes on to one side at most, so that it ends also where points coincide but for rounding.
func (c *cornerer) wrap(a, b facePoint, outside []facePoint) {
	most, last := c.on, 0.0
	var far facePoint
	found := false
	for _, p := range outside {
		along, out := place(a, b, p)
		switch {
		case out > most+c.on || out > most && !found:
			far, most, last, found = p, out, along, true
		case found && out >= most-c.on && along > last:
			far, last = p, along
		}
	}
	if !found {
		return
	}
	base := len(c.outside)
	before := c.outsideOf(a, far, outside, nil)
	c.wrap(a, far, before)
	c.corner = append(c.corner, far)
	c.wrap(far, b, c.outsideOf(far, b, outside, before))
	c.outside = c.outside[:base]
}

// outsideOf returns those of the given points that are to the right of the line from a to b, without a, b, and others
// that are taken, in the same order. They stay on a stack of c.
func (c *cornerer) outsideOf(a, b facePoint, given, taken []facePoint) []facePoint {
	base := len(c.outside)
	for _, p := range given {
		if len(taken) > 0 && p == taken[0] {
			taken = taken[1:]
			continue
		}
		if _, out := place(a, b, p); p != a && p != b && out > 0 {
			c.outside = append(c.outside, p)
		}
	}
	return c.outside[base:len(c.outside):len(c.outside)]
}

// place returns how far a point is along the line from a to b, and to the right of it.
func place(a, b, p facePoint) (along, out float64) {
	u, v := b.u-a.u, b.v-a.v
	length := math.Hypot(u, v)
	u, v = u/length, v/length
	return u*(p.u-a.u) + v*(p.v-a.v), v*(p.u-a.u) - u*(p.v-a.v)
}

// flat reports whether corners say what the gap is elsewhere: it is affine over them, and nowhere less.
func (c *cornerer) flat(tolerance float64) bool {
	one, two := c.corner[0], c.corner[c.second]
	width, _ := place(one, two, two)
	slope, slant, most := (two.gap-one.gap)/width, 0.0, c.on
	for _, p := range c.corner {
		if along, out := place(one, two, p); math.Abs(out) > most {
			most, slant = math.Abs(out), (p.gap-one.gap-slope*along)/out
		}
	}
	above := func(p facePoint) float64 {
		along, out := place(one, two, p)
		return p.gap - one.gap - slope*along - slant*out
	}
	return !slices.ContainsFunc(c.corner, func(p facePoint) bool { return above(p) > tolerance }) &&
		!slices.ContainsFunc(c.group, func(p facePoint) bool { return above(p) < -tolerance })
}
