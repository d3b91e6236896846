package detect

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Contacts between skins that others stand for.
//
// Where two layers lie on each other, each vertex meets a face of the other layer and edges cross all around: more
// contacts than the nodes have freedom to obey one by one, which all say nearly the same. A solver that has to divide
// one impulse among them takes many times longer, and may not settle. So Find keeps a contact of two skins only if,
// from the deepest up, at least half of it is not held yet: a contact holds a node on its side by the weight that it
// gives it, up to 1 in all, and of a contact Σ |w_i| (1 − held_i) is loose, 2 at most. What is left out is not
// forgotten: Extend adds it when the solved motion would violate it.

const (
	// sameSide is the angle between normals up to which a node counts as held by another contact.
	sameSide = 30 * math.Pi / 180
	// looseEnough is how much of a contact must not be held yet for it to be kept, of 2.
	looseEnough = 1
	// loyalty is how much deeper, in thicknesses, a contact of the last step counts: a set that does not change without
	// need starts from better impulses.
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
	weight    float64 // of the node in the contact
	other     int32   // the block at the other side; cover does not ask for it
	next      int32
}

// cover returns those of the given candidates, indices in found, that are kept; all that are not between moving skins
// are, and those with smooth ones. There are so many nodes.
func (c *coverer) cover(found []candidate, given []int32, past history, thickness float64, nodes int) []int32 {
	c.kept, c.order = c.kept[:0], c.order[:0]
	c.depth = slices.Grow(c.depth[:0], len(found))[:len(found)]
	for _, i := range given {
		candidate := &found[i]
		// what lies on obstacles or smooth skins is kept
		if candidate.obstacle != contact.None || candidate.smooth {
			c.kept = append(c.kept, i)
			continue
		}
		// gap at the end; a contact of the last step counts as deeper
		c.depth[i] = candidate.end - candidate.extra
		if past.of(candidate.id) != nil {
			c.depth[i] -= loyalty * thickness
		}
		c.order = append(c.order, i)
	}
	// from the deepest up
	slices.SortFunc(c.order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(c.depth[i], c.depth[j]), found[i].id.Compare(found[j].id))
	})
	c.clear(nodes)
	for _, i := range c.order {
		candidate := &found[i]
		// how much of the contact is not held yet
		row := candidate.row[:candidate.terms]
		loose := 0.0
		for _, w := range row {
			loose += math.Abs(w.W) * max(0, 1-c.held(w.Point, candidate.push(w)))
		}
		if loose < looseEnough {
			continue
		}
		// what is kept holds its nodes
		for _, w := range row {
			c.hold(w.Point, contact.None, candidate.push(w), math.Abs(w.W))
		}
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

// held returns by how much a node is held in a direction.
func (c *coverer) held(node int32, direction r3.Vec) float64 {
	sum := 0.0
	for i := c.head[node]; i >= 0; i = c.holds[i].next {
		if c.holds[i].direction.Dot(direction) > math.Cos(sameSide) {
			sum += c.holds[i].weight
		}
	}
	return sum
}

// hold notes that a node is pushed in a direction by the other side.
func (c *coverer) hold(node, other int32, direction r3.Vec, weight float64) {
	c.holds = append(c.holds, hold{direction, weight, other, c.head[node]})
	c.head[node] = int32(len(c.holds) - 1)
}
