package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// candidate is a contact that has been found, before pruning. Against obstacles it has been moved to a node, but for
// faces against round shapes.
type candidate struct {
	id       contact.ID
	a, b     int32      // points; b may be None
	obstacle int32      // index, or None
	z        float64    // gap at the start [m]
	end      float64    // gap predicted for the end, where the sides meet [m]
	normal   r3.Vec     // from side B to side A
	velocity r3.Vec     // of the obstacle at the node, without its Block [m/s]
	point    r3.Vec     // where the sides meet [m]
	moved    bool       // from there to a node, which may hold while that place does not
	extra    float64    // h_c of this contact, beyond Finder.Thickness [m]
	radii    [2]float64 // of its sides; z and end are gaps of what is round [m]
	rigid    bool       // both sides are, and have no radius
	mapped   bool       // it has a coefficient of friction of its own:
	mu       float64

	row   [4]contact.Share // of points: those of both sides, or of one and the block that an obstacle rides on
	terms int              // how many; 0 for one that was moved to a node

	smooth bool     // side B is a smooth surface,
	patch  [2]int32 // whose vertices have these shares if it moves, with slopes divided by |∇Ψ|
}

// surface returns where the round surface of side A is whose core is at x.
func (c *candidate) surface(x r3.Vec) r3.Vec { return x.AddScaled(-c.radii[0], c.normal) }

// push returns the direction in which the contact pushes a point of its row.
func (c *candidate) push(w contact.Share) r3.Vec {
	if w.W < 0 {
		return c.normal.Neg()
	}
	return c.normal
}

// weigh gives a candidate of two skins the row of the points of both; sign is −1 if its side A is the second of the
// pair.
func (c *candidate) weigh(k *pair, h *meeting, sign float64) {
	one, two := k.shares(h)
	c.addTerms(one, sign)
	c.addTerms(two, -sign)
}

// weighAgainst gives a candidate the row of a point of a skin against its obstacle.
func (c *candidate) weighAgainst(point [3]contact.Share) {
	c.addTerms(point, 1)
	if c.b != contact.None {
		c.row[c.terms] = contact.Share{Point: c.b, W: -1}
		c.terms++
	}
}

func (c *candidate) addTerms(point [3]contact.Share, sign float64) {
	for _, n := range point {
		if n.W > 0 {
			c.row[c.terms] = contact.Share{Point: n.Point, W: sign * n.W}
			c.terms++
		}
	}
}

// weighted tells whether the row is not one of nodes.
func (c *candidate) weighted() bool { return c.terms > 2 || c.terms > 0 && c.obstacle != contact.None }
