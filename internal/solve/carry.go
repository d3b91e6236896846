package solve

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// closeNormals is the cosine of the angle, 20 degrees, up to which a contact may take the impulse of another one of its
// blocks.
const closeNormals = 0.9396926207859084

// Carrier carries impulses from the contacts of one set to those of another. It keeps its workspace. The zero Carrier
// is ready.
type Carrier struct {
	gone    []int32 // contacts of before that are in now no more, by blocks
	arrived []int32 // contacts of now that were not there before
}

// Carry writes to guess the impulses r of the contacts in before for those in now that have the same ids. A contact
// with a new id takes the impulse of one that is gone, of the same blocks and with a normal within 20 degrees, the
// nearest first: a vertex that slid from one face to the next. Others are left as they are. Friction keeps its size
// and, as far as the normals allow, its direction in space. Both sets must be sorted.
func (c *Carrier) Carry(before *contact.Set, r []r3.Vec, now *contact.Set, guess []r3.Vec) {
	c.gone, c.arrived = c.gone[:0], c.arrived[:0]
	k := 0
	for i := range now.Contacts {
		to := &now.Contacts[i]
		for ; k < len(r) && before.Contacts[k].ID.Compare(to.ID) < 0; k++ {
			c.gone = append(c.gone, int32(k))
		}
		if k < len(r) && before.Contacts[k].ID == to.ID {
			guess[i] = turned(&before.Contacts[k], r[k], to)
			k++
		} else {
			c.arrived = append(c.arrived, int32(i))
		}
	}
	for ; k < len(r); k++ {
		c.gone = append(c.gone, int32(k))
	}
	if len(c.gone) == 0 || len(c.arrived) == 0 {
		return
	}
	slices.SortFunc(c.gone, func(i, j int32) int {
		return cmp.Or(compareBlocks(&before.Contacts[i], &before.Contacts[j]), cmp.Compare(i, j))
	})
	for _, i := range c.arrived {
		to := &now.Contacts[i]
		at, _ := slices.BinarySearchFunc(
			c.gone,
			to,
			func(j int32, to *contact.Contact) int { return compareBlocks(&before.Contacts[max(j, ^j)], to) },
		)
		best, closest := -1, closeNormals
		for ; at < len(c.gone); at++ {
			j := c.gone[at]
			if compareBlocks(&before.Contacts[max(j, ^j)], to) != 0 {
				break
			}
			if cosine := before.Contacts[max(j, ^j)].Normal().Dot(to.Normal()); j >= 0 && cosine > closest &&
				before.Contacts[j].Law == to.Law {
				best, closest = at, cosine
			}
		}
		if best >= 0 {
			j := c.gone[best]
			guess[i] = turned(&before.Contacts[j], r[j], to)
			c.gone[best] = ^j // taken
		}
	}
}

// Forward is Carry of what a step before ended with to one of h seconds: forces stay, impulses do not.
func (c *Carrier) Forward(past Past, now *contact.Set, h float64, r []r3.Vec) {
	c.Carry(past.Set, past.R, now, r)
	if past.H > 0 && past.H != h {
		for i := range r {
			r[i] = r[i].Scale(h / past.H)
		}
	}
}

func compareBlocks(a, b *contact.Contact) int {
	return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
}

// turned returns the impulse r of one contact in the frame of another.
func turned(from *contact.Contact, r r3.Vec, to *contact.Contact) r3.Vec {
	if from.Frame == to.Frame {
		return r
	}
	size := math.Hypot(r.Y, r.Z)
	t := to.Frame.MulVec(from.Frame.MulVecT(r3.V(0, r.Y, r.Z)))
	if now := math.Hypot(t.Y, t.Z); now > 0 {
		size /= now
	}
	return r3.V(r.X, size*t.Y, size*t.Z)
}
