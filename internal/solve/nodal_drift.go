// Redundant contacts. Where more contacts tie nodes together than these can obey, such as in a ring of two vertices on
// either side, their normal velocities u_N cannot all be zero: gaps of a fold agree to some 1e-9 m, not to rounding.
// Some have to open, and until then each Newton step leaves all velocities as they are and moves the impulses by the
// same Δr, which the blocks do not feel: an augmented Lagrangian drifts along the null space of Jᵀ, by ρ W u a step,
// until an impulse is zero. That may be a thousand steps away.
//
// The drift is linear, so it can be walked at once: in each group of stalled contacts that share blocks, by t Δr up to
// the smallest t at which a normal impulse is zero. That contact opens.

package solve

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// drift walks where the impulses of redundant contacts go.
type drift struct {
	*system
	op *operator

	earlier []r3.Vec  // by contact: the impulse before the last step
	lastU   []r3.Vec  // by contact: what it asks to be zero, before the last step
	group   []int32   // by block: a block of its group, itself for the first
	reach   []float64 // by block: t of its group
	opens   []int32   // by block: the contact that ends the walk of its group, or -1
}

// find returns the block that stands for the group of block i.
func (d *drift) find(i int32) int32 {
	for d.group[i] != i {
		d.group[i] = d.group[d.group[i]]
		i = d.group[i]
	}
	return i
}

// unchanged is the share of a normal velocity that has to be left after a step for it to count as stalled.
const unchanged = 0.9

// stalled tells whether a coupled contact is held at a normal velocity that the last step did not change, and so
// drifts. A tie drifts along with its group, but does not open.
func (s *drift) stalled(c int) bool {
	k := &s.op.couplings[c]
	if !k.on || k.state == TakeOff || s.out.Bounded[c] {
		return false
	}
	u, last := s.toVanish(c), s.lastU[c]
	return u.Norm() > 0.5*s.given.target() && u.Dot(last) > unchanged*last.Norm2()
}

// toVanish returns the part of a contact's velocity that is to be zero while it holds: the normal part, or of a tie
// all.
func (s *drift) toVanish(c int) r3.Vec {
	u := s.measure.velocity(c)
	if s.laws[c].tied {
		return u
	}
	return r3.Vec{X: u.X}
}

// walk moves the impulses of stalled contacts to where the first of each group opens, and tells whether there was
// one. A press divides its force among many contacts in many ways that all balance; walking would end at one contact
// that carries it all, so that problems with blocks that are prescribed in part are not walked.
func (s *drift) walk() bool {
	n := s.a.N
	s.group, s.reach, s.opens = resized(s.group, n), resized(s.reach, n), resized(s.opens, n)
	for i := range s.group {
		s.group[i], s.reach[i], s.opens[i] = int32(i), math.Inf(1), -1
	}
	if len(s.list) > 0 {
		return false
	}
	for c := range s.set.Contacts {
		if !s.stalled(c) {
			continue
		}
		for _, t := range s.set.Row(c) {
			if s.free(t.Block) {
				a, b := s.groupOf(c), s.find(t.Block)
				s.group[max(a, b)] = min(a, b)
			}
		}
	}
	some := false
	for c := range s.set.Contacts {
		if !s.stalled(c) || s.laws[c].tied {
			continue
		}
		if change := s.out.R[c].X - s.earlier[c].X; change < 0 && s.out.R[c].X > 0 {
			g := s.groupOf(c)
			if t := -s.out.R[c].X / change; t < s.reach[g] {
				s.reach[g], s.opens[g] = t, int32(c)
				some = true
			}
		}
	}
	if !some {
		return false
	}
	for c := range s.set.Contacts {
		if g := s.groupOf(c); s.opens[g] >= 0 && s.stalled(c) {
			s.out.R[c] = s.out.R[c].AddScaled(s.reach[g], s.out.R[c].Sub(s.earlier[c]))
			if s.opens[g] == int32(c) {
				s.out.R[c], s.out.State[c] = r3.Vec{}, TakeOff
			}
		}
	}
	return true
}

// remember keeps what the next call of walk compares with.
func (s *drift) remember() {
	s.earlier, s.lastU = resized(s.earlier, s.set.Len()), resized(s.lastU, s.set.Len())
	copy(s.earlier, s.out.R)
	for c := range s.lastU {
		s.lastU[c] = s.toVanish(c)
	}
}

// groupOf returns the group of a contact: that of the first of its blocks that can move.
func (s *drift) groupOf(c int) int32 {
	row := s.set.Row(c)
	for _, t := range row {
		if s.free(t.Block) {
			return s.find(t.Block)
		}
	}
	return s.find(row[0].Block)
}
