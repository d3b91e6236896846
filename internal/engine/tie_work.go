// The work of joints and attachments, which is none.
//
// What rows of ties leave to the impulses of a step (spot.go) is right as long as bodies turn little in it. Where they
// turn by much, the way of a lever that a row is made for is not the one that it goes, and impulses that bring places
// together all the same throw bodies apart in the next step: a chain of fifty links that whips gains a thousand times
// its energy within ten steps. With
//
//	½ v₁·M v₁ - ½ v₀·M v₀ = ½ (v₀ + v₁)·(h f + Jᵀ r),
//
// which is exact, the work of ties in a step is W = ½ r·J (v₀ + v₁). Where the sum of W over the steps so far would
// come to more than a small credit, rows ask for the part σ < 1 of what they add to equal velocities, for bends and for
// gaps:
//
//	J v_θ = -σ (k + g/h - η u).
//
// For σ = 0 impulses take energy alone: v_θ·Jᵀ r = 0. Solutions are linear in σ as long as contacts do not change, and
// W is quadratic. So a step is solved for σ = 0, for the largest σ with which W is within the credit, and, if contacts
// changed so that it is not, for σ = 0 again. Impulses act as before, so that momentum is kept. What is not closed is
// left open, and the step is not converged if that is wide.
//
// The credit is for what steps that are right do to the energy, the square of the angle by which bodies turn in them,
// and for drawing together what has come apart. What ties have taken is credit for later steps up to the same limit,
// and what they have given is owed until they take it: their balance is state.
//
// A body that turns by much in a step has another inertia at its end than the one that impulses were found with, and
// its spin may gain by that. What tied bodies gain so is on the same account; what is above the credit is taken from
// their angular momentum, the only place where that is not kept.

package engine

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

const (
	// creditOfMotion is the part of the kinetic energy of tied blocks that ties may give in all.
	creditOfMotion = 0.01
	// resolved is how much more they may give in a step whose gaps are closed: a strip that is shaken hard gives and
	// takes a few hundredths of its energy in single steps of 5 ms, and holds.
	resolved = 4
	// forgiven is the time in which what ties owe fades while they hold [s], so that what roundings and long steps add
	// up to does not open them in the end.
	forgiven = 5
	// calmParts is into how many parts σ is divided.
	calmParts = 64
)

// isTie reports whether a row is one of a joint or an attachment.
func isTie(c *contact.Contact) bool { return isBound(c) && c.ID.A.ID >= tiesFrom }

// calm has the step solved again with less asked of ties, if they would do more work than their credit. It reports
// whether it did.
func (s *step) calm() bool {
	// only worlds with ties need this
	if len(s.w.joints)+len(s.w.attachments) == 0 {
		return false
	}
	// the rows of ties, and the work that they may do in this step
	s.findTies()
	if s.tied.calming == asBound {
		s.tied.open = s.opened() > openedBy*s.w.opt.Contact.Thickness
	}
	credit := s.tieAllowance()
	// as bound; else for σ = 0, then for the largest σ within the credit; if that fails, for σ = 0 again
	switch s.tied.calming {
	case asBound:
		s.noteTies(&s.work.whole)
		if s.workOf(&s.work.whole) <= credit {
			return false
		}
		s.calmTo(atZero, 0)
		return true
	case atZero:
		s.noteTies(&s.work.none)
		part := s.largestPart(credit)
		if part == 0 {
			return false
		}
		s.calmTo(inPart, part)
		return true
	case inPart:
		s.noteTies(&s.work.mixed)
		if s.workOf(&s.work.mixed) <= credit {
			return false
		}
		s.calmTo(calmed, 0)
		return true
	}
	return false
}

// wild reports whether ties do more work than their credit, so that it does not matter what would be met on the way.
func (s *step) wild() bool {
	if len(s.w.joints)+len(s.w.attachments) == 0 || s.tied.calming == atZero || s.tied.calming == calmed {
		return false
	}
	s.findTies()
	s.noteTies(&s.work.mixed)
	return s.workOf(&s.work.mixed) > s.tieAllowance()
}

// calmTo makes the rows of ties again, for a part of what they ask for.
func (s *step) calmTo(stage calming, part float64) {
	s.tied.calming, s.tied.part = stage, part
	s.tied.rounds++
	s.remember()
	s.bindTies()
}

// findTies lists rows of ties and the blocks that have some.
func (s *step) findTies() {
	k := &s.work
	k.rows = k.rows[:0]
	if len(k.tied) != len(s.x0) {
		k.tied = make([]bool, len(s.x0))
	}
	clear(k.tied)
	for c := range s.found.set.Contacts {
		if !isTie(&s.found.set.Contacts[c]) {
			continue
		}
		k.rows = append(k.rows, int32(c))
		for _, t := range s.found.set.Row(c) {
			k.tied[t.Block] = true
		}
	}
}

// noteTies writes the solution at hand to out.
func (s *step) noteTies(out *motionOfTies) {
	out.u, out.r = out.u[:0], out.r[:0]
	for _, c := range s.work.rows {
		out.u = append(out.u, s.alongRow(int(c), s.result.V))
		out.r = append(out.r, s.found.answer.R[c])
	}
}

// alongRow returns J v of a row.
func (s *step) alongRow(c int, v []r3.Vec) (u r3.Vec) {
	for _, t := range s.found.set.Row(c) {
		u = u.Add(t.M.MulVec(v[t.Block]))
	}
	return u
}

// workOf returns W of a solution [J].
func (s *step) workOf(m *motionOfTies) float64 {
	sum := 0.0
	for i, c := range s.work.rows {
		sum += 0.5 * m.r[i].Dot(m.u[i].Add(s.alongRow(int(c), s.v0)))
	}
	return sum
}

// largestPart returns the largest σ with which W is within the credit, between the solutions for 0 and for 1.
func (s *step) largestPart(credit float64) float64 {
	k := &s.work
	mixed := &k.mixed
	mixed.u, mixed.r = append(mixed.u[:0], k.none.u...), append(mixed.r[:0], k.none.r...)
	for i := range mixed.u {
		mixed.u[i], mixed.r[i] = mixed.u[i].Lerp(k.whole.u[i], 0.5), mixed.r[i].Lerp(k.whole.r[i], 0.5)
	}
	none, half, whole := s.workOf(&k.none), s.workOf(mixed), s.workOf(&k.whole)
	bend := 2*none + 2*whole - 4*half
	slope := whole - none - bend
	for i := calmParts - 1; i > 0; i-- {
		if part := float64(i) / calmParts; none+part*(slope+part*bend) <= credit {
			return part
		}
	}
	return 0
}

// tieAllowance returns how much work ties may do in the step [J]. Where gaps end wider than they should, it is none.
func (s *step) tieAllowance() float64 {
	if s.tied.open {
		return 0
	}
	return max(0, s.w.tieBalance+resolved*s.tieCredit())
}

// tieCredit returns how much ties may give on balance [J].
func (s *step) tieCredit() float64 {
	sum := 0.0
	for i, tied := range s.work.tied {
		if tied {
			v := s.v0[i]
			sum += 0.5 * (creditOfMotion*v.Dot(s.w.inertia[i].MulVec(v)) + s.w.mass[i]*drawSpeed*drawSpeed)
		}
	}
	return sum
}

// workOfTies returns W of the solution at hand [J].
func (s *step) workOfTies() float64 {
	if len(s.w.joints)+len(s.w.attachments) == 0 {
		return 0
	}
	s.findTies()
	s.noteTies(&s.work.mixed)
	return s.workOf(&s.work.mixed)
}

// weighSpins finds what the spins of tied bodies gain as these turn: before bodies are committed with the sign -1, and
// with 1 after that.
func (s *step) weighSpins(sign float64) {
	k := &s.work
	if len(s.w.joints)+len(s.w.attachments) == 0 {
		return
	}
	if sign < 0 {
		k.gain = k.gain[:0]
	}
	s.w.eachRigid(func(n, first int, b mech.Rigid) {
		if sign < 0 {
			begin, end, inertia := s.v0[first+1], s.result.V[first+1], &s.w.inertia[first+1]
			k.gain = append(k.gain, 0.5*(begin.Dot(inertia.MulVec(begin))-end.Dot(inertia.MulVec(end))))
		}
		k.gain[n] += sign * b.SpinEnergy()
	})
}

// settleTies returns the balance of ties at the end of the step. What the spins of tied bodies gain beyond the credit
// is taken from them.
func (s *step) settleTies() float64 {
	k := &s.work
	if len(s.w.joints)+len(s.w.attachments) == 0 {
		return 0
	}
	limit := s.tieCredit()
	balance := s.w.tieBalance - s.tied.work
	sum := 0.0
	s.w.eachRigid(func(n, first int, b mech.Rigid) {
		if !k.tied[first] {
			k.gain[n] = 0
			return
		}
		balance -= k.gain[n]
		k.gain[n] = max(0, min(k.gain[n], b.SpinEnergy())) // what there is to take
		sum += k.gain[n]
	})
	if over := min(-limit-balance, sum); over > 0 {
		s.w.eachRigid(func(n, _ int, b mech.Rigid) {
			if k.gain[n] > 0 {
				b.Slow(math.Sqrt(max(0, 1-over/sum*k.gain[n]/b.SpinEnergy())))
			}
		})
		balance += over
	}
	if !s.tied.open && balance < 0 {
		balance -= balance * min(1, s.h/forgiven)
	}
	return min(limit, balance)
}
