package solve

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// patience is the number of changes of multipliers after which contacts that are as violated as before are looked at.
// In haste it is hastyPatience: trousers of 2,815 vertices take 0.83 times as many linear iterations to put on then.
const (
	patience      = 10
	hastyPatience = 5
)

// squeeze bounds the impulses of walls that close on a node [m/s]: enough for plates that close on a sheet to
// hold its weight.
const squeeze = 1

// contradictions finds contacts that do not hold together.
type contradictions struct {
	*system
	drift    *drift
	refuter  *refuter
	suspects []int32
	done     bool // no more contacts are bounded
}

// find bounds contacts that seem not to hold together with others, such as two walls that close on a node: their
// multipliers grow with every change and the violation stays. Where the drift of their impulses, which the blocks do
// not feel, lets one of their group open, it is walked (nodal_drift.go). Whether the others contradict each other is
// looked for (nodal_refute.go); those of which it is not proven friction may jam, or they may come right without the
// others, or the method may be slow. A bounded contact keeps its impulse, and the others are solved with it. It reports
// whether there is a new proof.
func (s *contradictions) find(rounds int, stiffness float64) (proven bool) {
	patience := patience
	if s.hasty {
		patience = hastyPatience
	}
	if rounds%patience != 0 {
		return false
	}
	if rounds > patience && stiffness >= 1 {
		s.drift.walk()
		s.suspects = s.suspects[:0]
		for c := range s.set.Contacts {
			if !s.done && s.suspected(c) {
				s.suspects = append(s.suspects, int32(c))
			}
		}
		if len(s.suspects) > 0 {
			proven = s.refuter.refute(s.suspects)
			for _, c := range s.suspects {
				s.out.Bounded[c] = true
			}
			s.boundProven(false)
			s.bound()
		}
	}
	s.drift.remember()
	return proven
}

// ask looks for a proof among all contacts that push and are violated, and reports whether there was one.
func (s *contradictions) ask() bool {
	s.suspects = s.suspects[:0]
	for c := range s.set.Contacts {
		if s.out.R[c].X > 0 && s.measure.velocity(c).X < -s.given.target() && !s.inProof(c) &&
			s.measure.scale[c] > 0 && !s.laws[c].tied {
			s.suspects = append(s.suspects, int32(c))
		}
	}
	if !s.refuter.refute(s.suspects) {
		return false
	}
	s.boundProven(false)
	s.bound()
	return true
}

// suspected reports whether a contact pushes, is violated as before, and is of a group of which none opens. A press
// gives way, so that its contacts contradict nothing. Ties are never bounded: what contradicts them is.
func (s *contradictions) suspected(c int) bool {
	return s.drift.stalled(c) && s.out.U[c].X < -s.given.target() && s.out.R[c].X > 0 &&
		s.drift.opens[s.drift.groupOf(c)] < 0 && !s.touchesPartial(c) && !s.laws[c].tied
}

// bound reduces the impulses of bounded contacts with walls, to what would stop their block, if alone, at the speed of
// a squeeze. What the walls of a block do together stays: with k of them, P their sum and λ the reduction, each gets
// λ r + (1-λ) P/k. If the block is tied, it is the tie that it is squeezed against, and each gets λ r.
func (s *contradictions) bound() {
	sum := make([]r3.Vec, s.a.N)
	count := make([]float64, s.a.N)
	keep := make([]float64, s.a.N)
	s.eachWall(func(c int, k *contact.Contact) {
		sum[k.A] = sum[k.A].Add(k.Frame.MulVecT(s.out.R[c]))
		count[k.A]++
		if s.out.R[c].X > 0 {
			keep[k.A] = max(keep[k.A], s.local[c].XX*squeeze/s.out.R[c].X)
		}
	})
	s.eachWall(func(c int, k *contact.Contact) {
		if l := keep[k.A]; l < 1 {
			r := s.out.R[c].Scale(l)
			if !s.isTied(k.A) {
				r = r.AddScaled((1-l)/count[k.A], k.Frame.MulVec(sum[k.A]))
			}
			s.out.R[c] = permitted(s.set, c, r)
		}
	})
}

// isTied tells whether a block has a tie.
func (s *contradictions) isTied(block int32) bool {
	return slices.ContainsFunc(s.contactsOf(block), func(c int32) bool { return s.laws[c].tied })
}

// eachWall visits the bounded contacts of one block with a wall.
func (s *contradictions) eachWall(visit func(c int, k *contact.Contact)) {
	for c := range s.set.Contacts {
		if k := &s.set.Contacts[c]; s.out.Bounded[c] && s.nodal[c] && k.B == contact.None {
			visit(c, k)
		}
	}
}
