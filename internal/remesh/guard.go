package remesh

// The guard against crossings.
//
// An operation takes some triangles away and puts others in their place. It is refused if one of those crosses a
// triangle that none of the old ones crossed, of the sheet itself or of a mesh around, or if they come closer than the
// old ones were to something they are not joined to, below the thickness of contact. It is refused, too, if something
// around that is smaller than the triangles would come to the other side: if a point of it is inside of what is between
// the old triangles and the new. Crossing is decided by exact predicates [DevillersGuigue02], see geom; a separating
// plane in floating point spares most of them.
//
// Triangles of the sheet are found by a tree of those that were there when it was built, and a list of those made
// since; when the list becomes long the tree is built anew. The answer does not depend on when.

import (
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// guard knows what is around the triangles of a sheet that is edited.
type guard struct {
	edit      *mesh.Editor
	x         *[]r3.Vec
	thickness float64
	around    []flank // meshes
	fields    []geom.Field
	cores     []core

	tree  *geom.Tree
	built bool // the tree is one of this sheet
	boxes []r3.Box
	place []int32 // by triangle: its place in fresh; −1 if it is as the tree has it
	fresh []entry // triangles that are not in the tree

	near       []int32
	olds, news []patchFace
	newBoxes   []r3.Box
}

// patchFace is a triangle of the patch that an operation changes.
type patchFace struct {
	v [3]int32
	p [3]r3.Vec
}

// around returns the box of a face with a margin.
func (f *patchFace) around(margin float64) r3.Box { return grown(boxOf(&f.p), margin) }

// entry is a triangle that has changed since the tree was built; one that has gone has an empty box.
type entry struct {
	box r3.Box
	t   int32
}

// slack is how much closer faces may come than they were, in thicknesses: rounding, so that a flat patch can be changed
// above a flat face.
const slack = 1e-6

// freshLeast and freshShare say how many triangles may be outside of the tree before it is built anew: looking through
// them costs about as much as building.
const (
	freshLeast = 128
	freshShare = 10
)

// build makes the tree of the sheet as it is.
func (g *guard) build() {
	g.built = true
	n := len(g.edit.Tri)
	g.boxes, g.place, g.fresh = resize(g.boxes, n), resize(g.place, n), g.fresh[:0]
	for t, v := range g.edit.Tri {
		g.boxes[t], g.place[t] = r3.EmptyBox(), -1
		if v[0] != mesh.None {
			p := g.corners(int32(t))
			g.boxes[t] = boxOf(&p)
		}
	}
	if g.tree == nil {
		g.tree = geom.NewTree(g.boxes)
	} else {
		g.tree.Rebuild(g.boxes)
	}
}

func (g *guard) corners(t int32) [3]r3.Vec {
	v, x := &g.edit.Tri[t], *g.x
	return [3]r3.Vec{x[v[0]], x[v[1]], x[v[2]]}
}

// changed notes that a triangle is new, different or gone.
func (g *guard) changed(t int32) {
	// allows has built the tree before the first change.
	for int(t) >= len(g.place) {
		g.place = append(g.place, -1)
	}
	if g.place[t] < 0 {
		g.place[t] = int32(len(g.fresh))
		g.fresh = append(g.fresh, entry{t: t})
	}
	e := &g.fresh[g.place[t]]
	e.box = r3.EmptyBox()
	if g.edit.Tri[t][0] != mesh.None {
		p := g.corners(t)
		e.box = boxOf(&p)
	}
}

// allows reports whether the faces of news may take the place of the triangles olds. An operation that moves the
// surface sweeps over the tets of the new faces with one apex. One that leaves it where it is, but for rounding, has
// none and is asked about crossings only.
func (g *guard) allows(olds []int32, apex *r3.Vec) bool {
	// tree of the sheet, built anew when much has changed
	if !g.built || len(g.fresh) > freshLeast+len(g.boxes)/freshShare {
		g.build()
	}
	// old faces; new ones that move the surface must not cross each other
	g.olds = g.olds[:0]
	for _, t := range olds {
		g.olds = append(g.olds, patchFace{g.edit.Tri[t], g.corners(t)})
	}
	margin := 0.0
	if apex != nil {
		margin = g.thickness
		if !g.untwisted() {
			return false
		}
	}
	// triangles of the sheet near by, from the tree or changed since
	box := patchBox(g.news, margin)
	g.near = g.tree.Overlapping(box, g.near)
	keep := g.near[:0]
	for _, t := range g.near {
		if g.place[t] < 0 {
			keep = append(keep, t)
		}
	}
	g.near = keep
	for i := range g.fresh {
		if g.fresh[i].box.Overlaps(&box) {
			g.near = append(g.near, g.fresh[i].t)
		}
	}
	// own sheet, then surfaces around
	self := flank{x: *g.x, tri: g.edit.Tri, own: true}
	if !g.clear(&self, olds, margin) {
		return false
	}
	for i := range g.around {
		s := &g.around[i]
		g.near = s.tree.Overlapping(box, g.near)
		if !g.clear(s, nil, margin) {
			return false
		}
	}
	// shapes, and what the surface would pass over
	return apex == nil || g.clearOfFields() && !g.passes(*apex)
}

func patchBox(faces []patchFace, margin float64) r3.Box {
	box := faces[0].around(margin)
	for i := range faces[1:] {
		box = box.Union(faces[1+i].around(margin))
	}
	return box
}

// grown returns a box with a margin around it.
func grown(b r3.Box, margin float64) r3.Box {
	m := r3.V(margin, margin, margin)
	return r3.Box{Min: b.Min.Sub(m), Max: b.Max.Add(m)}
}

// meets reports whether a triangle's box and another share a point.
func meets(b *r3.Box, p *[3]r3.Vec) bool {
	return max(p[0].X, p[1].X, p[2].X) >= b.Min.X && min(p[0].X, p[1].X, p[2].X) <= b.Max.X &&
		max(p[0].Y, p[1].Y, p[2].Y) >= b.Min.Y && min(p[0].Y, p[1].Y, p[2].Y) <= b.Max.Y &&
		max(p[0].Z, p[1].Z, p[2].Z) >= b.Min.Z && min(p[0].Z, p[1].Z, p[2].Z) <= b.Max.Z
}

func boxOf(p *[3]r3.Vec) r3.Box {
	return r3.Box{Min: p[0].Min(p[1]).Min(p[2]), Max: p[0].Max(p[1]).Max(p[2])}
}

// untwisted reports whether the new faces do not cross each other.
func (g *guard) untwisted() bool {
	for i := range g.news {
		for j := range i {
			if crosses(&g.news[i], &g.news[j]) {
				return false
			}
		}
	}
	return true
}

// clear reports whether the new faces keep out of the triangles near, of one surface, and no closer than the old were.
func (g *guard) clear(s *flank, olds []int32, margin float64) bool {
	closest := margin
	// boxes of the new faces
	g.newBoxes = g.newBoxes[:0]
	for i := range g.news {
		g.newBoxes = append(g.newBoxes, g.news[i].around(margin))
	}
	// near triangles, but for those that are replaced
	for _, u := range g.near {
		if contains(olds, u) {
			continue
		}
		other := patchFace{p: s.corners(u), v: [3]int32{-2, -3, -4}}
		if s.own {
			other.v = s.tri[u]
		}
		for i := range g.news {
			f := &g.news[i]
			if !meets(&g.newBoxes[i], &other.p) {
				continue
			}
			// no crossings that were not there before
			joined := s.own && sharesVertex(f.v, other.v)
			if !joined && separated(&f.p, &other.p, closest) {
				continue
			}
			if crosses(f, &other) && !crossesAny(g.olds, &other) {
				return false
			}
			// how near the new faces come
			if !joined && margin > 0 {
				closest = min(closest, math.Sqrt(distance2(&f.p, &other.p)))
			}
		}
	}
	// not nearer than the old ones were
	return closest >= margin || closest >= g.closestOld(s, olds, margin)-slack*margin
}

// closestOld returns how near the old faces are to the same surface.
func (g *guard) closestOld(s *flank, olds []int32, margin float64) float64 {
	closest := margin
	for _, u := range g.near {
		if contains(olds, u) {
			continue
		}
		p := s.corners(u)
		for i := range g.olds {
			f := &g.olds[i]
			if s.own && sharesVertex(f.v, s.tri[u]) || separated(&f.p, &p, closest) {
				continue
			}
			closest = min(closest, math.Sqrt(distance2(&f.p, &p)))
		}
	}
	return closest
}

// clearOfFields is clear for shapes.
func (g *guard) clearOfFields() bool {
	for _, shape := range g.fields {
		now := g.deepest(shape, g.news)
		if now < g.thickness && now < g.deepest(shape, g.olds)-slack*g.thickness {
			return false
		}
	}
	return true
}

// deepest returns the least signed distance of some faces to a shape, at most the thickness.
func (g *guard) deepest(shape geom.Field, faces []patchFace) float64 {
	least, close := g.thickness, slack*g.thickness/4
	for i := range faces {
		p := &faces[i].p
		middle := p[0].Add(p[1]).Add(p[2]).Scale(1. / 3)
		d, _ := shape.Distance(middle)
		if d-least > math.Sqrt(max(p[0].Sub(middle).Norm2(), p[1].Sub(middle).Norm2(), p[2].Sub(middle).Norm2())) {
			continue
		}
		least = min(least, depth(shape, p, least, close))
	}
	return least
}

func contains(list []int32, v int32) bool {
	for _, w := range list {
		if v == w {
			return true
		}
	}
	return false
}

func crossesAny(faces []patchFace, other *patchFace) bool {
	for i := range faces {
		if crosses(&faces[i], other) {
			return true
		}
	}
	return false
}

// crosses reports whether two faces cross, which may have vertices in common.
func crosses(a, b *patchFace) bool {
	shared, i, j := 0, 0, 0
	for k, v := range a.v {
		for l, w := range b.v {
			if v == w {
				shared, i, j = shared+1, k, l
			}
		}
	}
	switch shared {
	case 0:
		return !separated(&a.p, &b.p, 0) && geom.Triangles(a.p, b.p)
	case 1:
		c, a1, a2, b1, b2 := a.p[i], a.p[(i+1)%3], a.p[(i+2)%3], b.p[(j+1)%3], b.p[(j+2)%3]
		return !partedAt(c, a1, a2, b1, b2) && geom.TrianglesAtCorner(c, a1, a2, b1, b2)
	}
	return false
}
