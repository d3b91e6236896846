package contact

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Contacts between sheets that others stand for.
//
// Where two layers lie on each other, a node meets the vertex, the edges and the faces around the place below it:
// after relocation up to a dozen contacts of one node with as many others, which all say nearly the same. A solver
// that has to divide one impulse among them takes many times longer. So Find keeps a contact of two sheets only if it is the first,
// from the deepest up, that holds one of its nodes on that side: each node that is near another layer is held, mostly by one contact. What
// is left out is not forgotten: Extend adds it when the solved motion would violate it.

const (
	// sameSide is the angle between normals up to which a node counts as held by another contact.
	sameSide = 30 * math.Pi / 180
	// loyalty is how much deeper, in thicknesses, a contact of the last step counts: a set that does not change without need
	// starts from better impulses.
	loyalty = 0.25
)

// coverer holds the scratch of cover.
type coverer struct {
	order []int32
	depth []float64
	head  []int32 // by node: its first hold, −1 if there is none
	holds []hold
	kept  []int32
}

// hold is a direction in which a node is pushed by a contact that is kept.
type hold struct {
	direction r3.Vec
	next      int32
	other     int32 // the node at the other side
}

// cover returns those of the given candidates that are kept; all that are not between sheets are.
func (f *Finder) cover(kept []int32) []int32 {
	c := &f.coverer
	c.kept, c.order = c.kept[:0], c.order[:0]
	c.depth = slices.Grow(c.depth[:0], len(f.found))[:len(f.found)]
	for _, i := range kept {
		candidate := &f.found[i]
		if candidate.obstacle != None {
			c.kept = append(c.kept, i)
			continue
		}
		c.depth[i] = candidate.end
		if _, known := f.pastNormal(candidate.id); known {
			c.depth[i] -= loyalty * f.Thickness
		}
		c.order = append(c.order, i)
	}
	slices.SortFunc(c.order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(c.depth[i], c.depth[j]), f.found[i].id.Compare(f.found[j].id))
	})
	c.clear(len(f.motion.X0))
	for _, i := range c.order {
		candidate := &f.found[i]
		back := candidate.normal.Neg()
		if c.held(candidate.a, candidate.normal) && c.held(candidate.b, back) {
			continue
		}
		c.hold(candidate.a, candidate.b, candidate.normal)
		c.hold(candidate.b, candidate.a, back)
		c.kept = append(c.kept, i)
	}
	return c.kept
}

// clear forgets all holds, for so many nodes.
func (c *coverer) clear(nodes int) {
	c.holds = c.holds[:0]
	c.head = slices.Grow(c.head[:0], nodes)[:nodes]
	for i := range c.head {
		c.head[i] = -1
	}
}

func (c *coverer) held(node int32, direction r3.Vec) bool {
	for i := c.head[node]; i >= 0; i = c.holds[i].next {
		if c.holds[i].direction.Dot(direction) > math.Cos(sameSide) {
			return true
		}
	}
	return false
}

func (c *coverer) hold(node, other int32, direction r3.Vec) {
	c.holds = append(c.holds, hold{direction, c.head[node], other})
	c.head[node] = int32(len(c.holds) - 1)
}

// index notes the contacts of a set between sheets, for opposed.
func (f *Finder) index(set *Set) {
	f.coverer.clear(len(f.motion.X0))
	for i := range set.Contacts {
		if c := &set.Contacts[i]; c.B != None {
			f.coverer.hold(c.A, c.B, c.Normal())
			f.coverer.hold(c.B, c.A, c.Normal().Neg())
		}
	}
}

// opposed reports whether the set that was indexed holds the nodes of a candidate on the opposite side.
func (f *Finder) opposed(c *candidate) bool {
	if c.obstacle != None {
		return false
	}
	for i := f.coverer.head[c.a]; i >= 0; i = f.coverer.holds[i].next {
		if h := &f.coverer.holds[i]; h.other == c.b && h.direction.Dot(c.normal) < opposite {
			return true
		}
	}
	return false
}
