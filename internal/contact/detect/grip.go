package detect

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
)

// What a press holds against something else is not pushed out. A press cannot tilt, so the tightest place alone would
// carry its whole force, and the rest would be free to slip: to lift a press by a tenth of a micrometre a step means to
// let go. Gaps of a gripped node disagree by more than a rounding where the node stands for a point beside it, such as
// of an edge that bends over the rim of a plate.

const (
	// danger is the gap, in thicknesses, below which a contact in the set is tightened.
	danger = 0.9
	// forgiven is the violation of the thickness, in thicknesses, up to which a gripped node is not pushed out.
	forgiven = 1 - danger
	// gripped is the cosine of the angle beyond which two normals hold a node between them.
	gripped = -0.9
)

// forgive takes back the push-out of gripped nodes. It uses the coverer as scratch.
func (s *scene) forgive(c *coverer, set *contact.Set) {
	if !slices.ContainsFunc(s.obstacles, func(o *obstacle) bool { return o.Block != contact.None }) {
		return
	}
	c.clear(len(s.motion.X0))
	for i := range set.Contacts {
		k := &set.Contacts[i]
		c.hold(k.A, k.B, k.Normal(), 1)
		if k.B != contact.None {
			c.hold(k.B, k.A, k.Normal().Neg(), 1)
		}
	}
	for i := range set.Contacts {
		k := &set.Contacts[i]
		if k.Push > 0 && k.Gap > (1-forgiven)*s.thicknessOf(set.Row(i)) && s.between(c, k) {
			k.Uf.X += k.Push / s.motion.Theta
			k.Push = 0
		}
	}
}

// isPress reports whether a block moves an obstacle.
func (s *scene) isPress(block int32) bool {
	return block != contact.None && slices.ContainsFunc(s.obstacles, func(o *obstacle) bool { return o.Block == block })
}

// between reports whether a contact and another one on the opposite side of its node hold that node, one of them as a
// press.
func (s *scene) between(c *coverer, k *contact.Contact) bool {
	n := k.Normal()
	for i := c.head[k.A]; i >= 0; i = c.holds[i].next {
		if h := &c.holds[i]; h.direction.Dot(n) < gripped && (s.isPress(h.other) || s.isPress(k.B)) {
			return true
		}
	}
	if k.B == contact.None || s.isPress(k.B) {
		return false
	}
	for i := c.head[k.B]; i >= 0; i = c.holds[i].next {
		if h := &c.holds[i]; h.direction.Dot(n) > -gripped && s.isPress(h.other) {
			return true
		}
	}
	return false
}

// thicknessOf returns the thickness of a contact with the given row.
func (s *scene) thicknessOf(row []contact.Term) float64 {
	if s.VertexThickness == nil {
		return s.Thickness
	}
	sum, sides := 0.0, 0.0
	for _, t := range row {
		// no press, and no block that carries points
		if int(t.Block) < len(s.skinOf) && s.skinOf[t.Block] != contact.None {
			sum += math.Abs(t.W) * s.VertexThickness[t.Block]
			sides += math.Abs(t.W)
		}
	}
	if sides == 0 {
		return s.Thickness
	}
	return sum / sides
}
