// The last fallback for nodes with several contacts: copies that are pinned together, [Li18] §6.
//
// A block i with p contacts has p copies, one for each, with 1/p of its row of A and of b. Two split neighbours with p
// and q copies share A_ij/(pq) on all pairs. So a copy sees the mean v_j of the copies of each neighbour, and the
// extended matrix need not be built:
//
//	A_ii w_k/p + (b_i + Σ_{j≠i} A_ij v_j)/p = J_kᵀ r_k + π_k,   v_i = Σ w_k/p.
//
// The pins π hold the copies together. With C = I - (1/p) 1 1ᵀ over the copies of a block, an orthogonal projection,
// the paper's choice of multipliers is
//
//	π_k = -(C Jᵀ r)_k = (1/p) Σ_l J_lᵀ r_l - J_kᵀ r_k,
//
// taken from the sweep before: then all copies have the same equation, and at a fixed point the same velocity. Changes
// of π are over-relaxed by 1.5, and no more once the copies come to disagree more than before. The answer is the mean
// velocity and the impulses of all copies; their residual is that of the problem without copies, since for equal copies
// the p equations add up to the row of i.
//
// A relaxation of contact k is that of nodal.go with p D_i in place of D_i. Relaxations write the mean velocity of
// their blocks, so the colours serve.

package solve

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	pinRelaxation  = 1.5
	copySweeps     = 20 // between measurements
	copyPatience   = 10 // measurements without progress, after which the copies are given up
	copyShare      = 4  // 1/copyShare of all sweeps may be spent on them
	copyImprovment = 0.9
)

// copies are split nodes: for each contact the copies on side A and B.
type copies struct {
	*system
	sweeper  *sweeper
	velocity [2][]r3.Vec
	pin      [2][]r3.Vec
	mean     []r3.Vec // by block: (1/p) Σ Jᵀ r
	relax    func(c int32)
}

func newCopies(s *system, w *sweeper) *copies {
	c := &copies{system: s, sweeper: w}
	c.relax = c.relaxCopies
	return c
}

// sideOf returns the block on side 0 or 1 of a contact; it is contact.None where there is nothing.
func sideOf(c *contact.Contact, side int) int32 {
	if side == 0 {
		return c.A
	}
	return c.B
}

// split iterates on copies from the impulses at hand, until the residual is small or stays. It leaves the best
// velocities and impulses. Copies are of nodal contacts; with others there is nothing left to try.
func (s *copies) split(team *par.Team, sweeps int) {
	if slices.Contains(s.nodal[:s.set.Len()], false) {
		return
	}
	s.begin(team)
	best, worse := s.out.Residual.Worst(), 0
	omega, before := pinRelaxation, math.Inf(1)
	for limit := s.out.Sweeps + sweeps/copyShare; s.out.Sweeps < limit && worse < copyPatience; {
		for range copySweeps {
			s.sweeper.sweep(team)
			s.pinCopies(omega)
		}
		if spread := s.spread(); spread > before {
			omega = 1
		} else {
			before = spread
		}
		done := s.assess(team)
		if now := s.out.Residual.Worst(); now < copyImprovment*best {
			best, worse = now, 0
			s.keep()
		} else {
			worse++
		}
		if done {
			break
		}
	}
	s.splitting, s.sweeper.relax = false, s.sweeper.relaxContact
	team.For(s.set.Len(), nodeGrain, s.localContacts)
	s.restore()
	s.assess(team)
}

// begin gives all copies the velocity of their block.
func (s *copies) begin(team *par.Team) {
	n, contacts := s.a.N, s.set.Len()
	s.keep()
	s.mean = resized(s.mean, n)
	for side := range s.velocity {
		s.velocity[side], s.pin[side] = resized(s.velocity[side], contacts), resized(s.pin[side], contacts)
		for c := range s.set.Contacts {
			s.pin[side][c] = r3.Vec{}
			if i := sideOf(&s.set.Contacts[c], side); i != contact.None {
				s.velocity[side][c] = s.out.V[i]
			}
		}
	}
	s.pinCopies(1)
	s.splitting, s.sweeper.relax = true, s.relax
	team.For(contacts, nodeGrain, s.localContacts)
}

// pinCopies moves the pins towards -C Jᵀ r, or beyond.
func (s *copies) pinCopies(omega float64) {
	clear(s.mean)
	for c := range s.set.Contacts {
		for _, t := range s.set.Row(c) {
			s.mean[t.Block] = s.mean[t.Block].AddScaled(1/float64(len(s.contactsOf(t.Block))), t.M.MulVecT(s.out.R[c]))
		}
	}
	for c := range s.set.Contacts {
		for side, t := range s.set.Row(c) {
			pin := &s.pin[side][c]
			*pin = pin.AddScaled(omega, s.mean[t.Block].Sub(t.M.MulVecT(s.out.R[c])).Sub(*pin))
		}
	}
}

// spread returns the largest distance of a copy from the mean [m/s].
func (s *copies) spread() float64 {
	worst := 0.0
	for c := range s.set.Contacts {
		for side, t := range s.set.Row(c) {
			worst = max(worst, s.velocity[side][c].Sub(s.out.V[t.Block]).Norm())
		}
	}
	return worst
}

// relaxCopies solves contact c with its one or two copies.
func (s *copies) relaxCopies(c int32) {
	k := &s.set.Contacts[c]
	var alone [2]r3.Vec
	for side := range alone {
		i := sideOf(k, side)
		if i == contact.None {
			continue
		}
		p := s.parts(i)
		alone[side] = s.under(i, s.sweeper.neighbours(i).AddScaled(p, s.pin[side][c]))
	}
	u0 := k.Frame.MulVec(alone[0].Sub(alone[1])).Add(k.Uf)
	s.out.U[c], s.out.R[c], s.out.State[c] = s.sweeper.obey(c, u0)
	push := k.Frame.MulVecT(s.out.R[c])
	for side, sign := range [2]float64{1, -1} {
		i := sideOf(k, side)
		if i == contact.None || s.isFixed(i) {
			continue
		}
		p := s.parts(i)
		next := alone[side].AddScaled(sign*p, s.inverse[i].MulVec(push))
		s.out.V[i] = s.out.V[i].AddScaled(1/p, next.Sub(s.velocity[side][c]))
		s.velocity[side][c] = next
	}
}
