package remesh

import (
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// fold is a collapse that is considered: of vertex v into its neighbour w.
type fold struct {
	v, w  int32
	side  int32
	of    [2]int32 // material points of v on both sides of the edge
	other [2]int32 // and those of w
}

// pointFor returns the material point of w that takes the place of point p of v.
func (f *fold) pointFor(p int32) int32 {
	if p == f.of[0] {
		return f.other[0]
	}
	return f.other[1]
}

// plan looks at the collapse of v into the other end of a side, given the star of v.
func (c *change) plan(v, side int32) fold {
	e := &c.edit
	f := fold{v: v, side: side}
	from, to := e.Ends(side)
	f.w = from + to - v
	set := func(i int, s int32) {
		p, q := e.EndPoints(s)
		if a, _ := e.Ends(s); a != v {
			p, q = q, p
		}
		f.of[i], f.other[i] = p, q
	}
	set(0, side)
	set(1, side)
	if twin := e.Twin(side); twin != mesh.None {
		set(1, twin)
	}
	return f
}

// short reports whether all edges that the collapse would make are short enough.
func (c *change) short(f *fold, star []int32) bool {
	e := &c.edit
	for _, k := range star {
		t, i := k/3, k%3
		w := f.pointFor(e.Corner[t][i])
		for _, j := range [2]int32{(i + 1) % 3, (i + 2) % 3} {
			if e.Tri[t][j] != f.w && c.sizeBetween(w, e.Corner[t][j]) > longMost*longMost {
				return false
			}
		}
	}
	return true
}

// straightThrough reports whether v lies on no crease, or on one that goes on straight from w through v, on both sides.
func (c *change) straightThrough(f *fold, star []int32) bool {
	e := &c.edit
	count, along, z := 0, false, mesh.None
	note := func(n int32) {
		count++
		if n == f.w {
			along = true
		} else {
			z = n
		}
	}
	for _, k := range star {
		t, i := k/3, k%3
		if c.crease(3*t + (i+2)%3) {
			note(e.Tri[t][(i+1)%3])
		}
	}
	last := star[len(star)-1] // the far end of a fan at the border
	if s := 3*(last/3) + (last%3+1)%3; e.Twin(s) == mesh.None {
		note(e.Tri[last/3][(last%3+2)%3])
	}
	if count == 0 {
		return true
	}
	if count != 2 || !along || z == mesh.None {
		return false
	}
	for _, k := range star {
		t, i := k/3, k%3
		for _, j := range [2]int32{(i + 1) % 3, (i + 2) % 3} {
			if e.Tri[t][j] != z {
				continue
			}
			p := e.Corner[t][i]
			at, to, from := e.Material[p], e.Material[f.pointFor(p)], e.Material[e.Corner[t][j]]
			way := to.Sub(from)
			if math.Abs(at.Sub(from).Cross(way)) > straight*way.Dot(way) {
				return false
			}
		}
	}
	return true
}

// shapely reports whether no triangle turns over in the material or becomes thinner than the thinnest was, if thin.
func (c *change) shapely(f *fold, star []int32) bool {
	e := &c.edit
	worst, made := 1.0, 1.0
	for _, k := range star {
		t, i := k/3, k%3
		p, q, r := e.Corner[t][i], e.Corner[t][(i+1)%3], e.Corner[t][(i+2)%3]
		before, _ := c.quality(p, q, r)
		worst = min(worst, before)
		if e.Tri[t][(i+1)%3] == f.w || e.Tri[t][(i+2)%3] == f.w {
			continue
		}
		w := f.pointFor(p)
		if c.area2(w, q, r)*c.area2(p, q, r) <= 0 {
			return false
		}
		after, material := c.quality(w, q, r)
		if material < flat {
			return false
		}
		made = min(made, after)
	}
	return made >= min(worst, thin)
}

// collapse takes vertex v away by the collapse of a side at it; if asked for, only if that lasts.
func (c *change) collapse(v, side int32, last bool) refusal {
	e := &c.edit
	c.star = e.Star(v, c.star)
	f := c.plan(v, side)
	// vertices that stay, creases, shapes and neighbours that forbid it
	if c.keep[v] {
		return keptAsIs
	}
	if !c.straightThrough(&f, c.star) || !c.shapely(&f, c.star) {
		return badShape
	}
	c.star2 = e.Star(f.w, c.star2)
	if !e.CanCollapse(v, f.w, c.star, c.star2) {
		return badShape
	}
	// old triangles, and the new ones
	c.olds, c.guard.news = c.olds[:0], c.guard.news[:0]
	c.tris = c.tris[:0]
	for _, k := range c.star {
		t, i := k/3, k%3
		c.olds = append(c.olds, t)
		a, b := e.Tri[t][(i+1)%3], e.Tri[t][(i+2)%3]
		if a != f.w && b != f.w {
			c.guard.news = append(c.guard.news, patchFace{[3]int32{f.w, a, b}, [3]r3.Vec{c.x[f.w], c.x[a], c.x[b]}})
			c.tris = append(c.tris, t)
		}
	}
	// what would be split again, or cross something
	if last && !c.lasting(&f) {
		return badShape
	}
	if !c.guard.allows(c.olds, &c.x[v]) {
		return crossing
	}
	// mass goes from the old triangles to the new
	var lost r3.Vec
	for _, t := range c.olds {
		lost = lost.Add(c.carry(t, -1))
	}
	e.Collapse(v, f.w, c.star)
	for _, t := range c.tris {
		lost = lost.Add(c.carry(t, 1))
	}
	// momentum that was lost on the way
	c.mass[v] = 0
	c.balance(lost.Neg(), c.tris)
	for _, t := range c.olds {
		c.guard.changed(t)
	}
	c.counts.Collapses++
	return allowed
}

// lasting reports whether the triangles that a collapse would make, news in the places of tris, would not be asked to
// be split: with the sizes that would be measured on them, no edge is longer than 1. Else they would be split in the
// next call, and collapsed again when the size has faded.
func (c *change) lasting(f *fold) bool {
	e, z := &c.edit, c.sizer
	slot := int32(0) // a triangle that was there before the call; if there is none, nothing is known to be near
	for _, t := range c.olds {
		if int(t) < len(z.mesh.Tri) {
			slot = t
			break
		}
	}
	for n, t := range c.tris {
		face := &c.guard.news[n]
		facing := face.p[1].Sub(face.p[0]).Cross(face.p[2].Sub(face.p[0])).Unit()
		k := int32(0) // the corner that was v
		for e.Tri[t][k] != f.v {
			k++
		}
		s := &c.look.scratch
		*s = subject{slot: slot, olds: c.olds, vert: face.v, x: face.p}
		p := [3]int32{f.pointFor(e.Corner[t][k]), e.Corner[t][(k+1)%3], e.Corner[t][(k+2)%3]}
		for i, v := range s.vert {
			s.rest[i], s.v[i] = e.Material[p[i]], c.v[v]
			s.normal[i] = facing
			if int(v) < len(z.normal) {
				s.normal[i] = z.normal[v]
			}
			if other, ok := c.beyond(3*t+(k+int32(i))%3, f); ok {
				s.angle[i] = bend(facing, other, face.p[(i+2)%3].Sub(face.p[(i+1)%3]))
			}
		}
		m := z.measure(&c.look, s)
		for i := range 3 {
			if m.Of(s.rest[(i+1)%3].Sub(s.rest[i])) > 1 {
				return false
			}
		}
	}
	return true
}

// beyond returns the facing of the triangle across a side, as it would be after a collapse.
func (c *change) beyond(side int32, f *fold) (r3.Vec, bool) {
	e := &c.edit
	twin := e.Twin(side)
	if twin != mesh.None {
		// A triangle of the edge itself goes away: look across it.
		v := &e.Tri[twin/3]
		if hasVertex(v, f.v) && hasVertex(v, f.w) {
			for k := range int32(3) {
				if v[k] == f.v {
					twin = e.Twin(3*(twin/3) + k)
					break
				}
			}
		}
	}
	if twin == mesh.None {
		return r3.Vec{}, false
	}
	var p [3]r3.Vec
	for k, i := range e.Tri[twin/3] {
		if i == f.v {
			i = f.w
		}
		p[k] = c.x[i]
	}
	return p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Unit(), true
}

func hasVertex(t *[3]int32, v int32) bool { return t[0] == v || t[1] == v || t[2] == v }
