// Joints within a step: rows, and how well they hold.
//
// A joint ties two places (spot.go). A weld or a hinge ties spins besides: with e the rotation by which A is ahead of
// B,
//
//	weld   e = the vector of R_A R_Bᵀ,   hinge   e = a_B × a_A,   ė = ω_A - ω_B,
//
// of a hinge across the axis. As a velocity, the row is that times the longer of the lengths ρ of the bodies.

package engine

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// Rows of a joint.
const (
	atPlace = iota
	ofTurn
	jointRows
)

// tiesFrom is where the numbers of rows that tie bodies begin, after those of bodies' own; attachedFrom those of
// attachments.
const (
	tiesFrom     = 1 << 32
	attachedFrom = 1 << 33
)

// jointID names a row of a joint.
func (w *World) jointID(id JointID, row int) contact.ID {
	return boundID(w.surfaceOf(w.joints[id].a.on), tiesFrom+jointRows*int(id)+row)
}

// turns returns the orientations of the two sides of a joint, which were the same when it was made, when blocks are at
// x.
func (w *World) turns(j *joint, x []r3.Vec) (a, b r3.Quat) {
	a = j.a.rigid.TurnAt(w.bodies[j.a.on].of(x)).Mul(j.turnA)
	if j.b.rigid == nil {
		return a, r3.NoRotation()
	}
	return a, j.b.rigid.TurnAt(w.bodies[j.b.on].of(x)).Mul(j.turnB)
}

// ahead returns the rotation by which the first of two orientations is ahead of the second, as far as a joint forbids
// it.
func (j *joint) ahead(a, b r3.Quat) r3.Vec {
	switch j.spec.Kind {
	case WeldJoint:
		return a.Mul(b.Conj()).Vector()
	case HingeJoint:
		return b.Rotate(j.axis).Cross(a.Rotate(j.axis))
	}
	return r3.Vec{}
}

// length is what turns spins of a joint into velocities [m].
func (j *joint) length() float64 {
	if j.b.rigid == nil {
		return j.a.rigid.Length()
	}
	return max(j.a.rigid.Length(), j.b.rigid.Length())
}

// jointGap returns how far apart the places of a joint are [m], and its angle [rad], when blocks are at x.
func (w *World) jointGap(j *joint, x []r3.Vec) (distance, angle float64) {
	ahead := j.ahead(w.turns(j, x))
	return w.spotAt(&j.a, x).Sub(w.spotAt(&j.b, x)).Norm(), ahead.Norm()
}

// fixtureGap returns how far a vertex is from where it should be when blocks are at x [m].
func (w *World) fixtureGap(t *fixture, x []r3.Vec) float64 {
	return w.spotAt(&t.vertex, x).Sub(w.spotAt(&t.to, x)).Norm()
}

// widest returns the widest gap [m] and angle [rad] of all that is tied, and the larger of both as distances [m], when
// blocks are at x.
func (w *World) widest(x []r3.Vec) (distance, angle, most float64) {
	for i := range w.joints {
		j := &w.joints[i]
		d, a := w.jointGap(j, x)
		distance, angle, most = max(distance, d), max(angle, a), max(most, d, a*j.length())
	}
	for i := range w.attachments {
		for k := range w.attachments[i].ties {
			d := w.fixtureGap(&w.attachments[i].ties[k], x)
			distance, most = max(distance, d), max(most, d)
		}
	}
	return distance, angle, most
}

// bindTies adds the rows of joints and attachments, or makes them anew.
func (s *step) bindTies() {
	w := s.w
	s.tied.left = 0
	_, _, most := w.widest(s.x0)
	share := 1.0
	if most > drawSpeed*s.h {
		share = drawSpeed * s.h / most
	}
	for i := range w.joints {
		j := &w.joints[i]
		s.bindSpots(&j.a, &j.b, share, w.jointID(JointID(i), atPlace))
		if j.spec.Kind != BallJoint {
			s.bindTurn(j, share, w.jointID(JointID(i), ofTurn))
		}
	}
	for i := range w.attachments {
		for k := range w.attachments[i].ties {
			t := &w.attachments[i].ties[k]
			s.bindSpots(&t.vertex, &t.to, share, t.id)
		}
	}
}

// tieAgain makes the rows of joints and attachments anew, for the spins that were found, if gaps end wider than they
// should. It reports whether it did. Spins that make gaps wider than others did before are not gone to all the way, but
// half as far from these as the last time; those with the narrowest gaps are the last.
func (s *step) tieAgain() bool {
	w, k := s.w, &s.tied
	// only ties that ask for all, of a step that was solved
	if len(w.joints)+len(w.attachments) == 0 || k.best || k.calming != asBound || !s.result.Converged {
		return false
	}
	// gaps that end narrow enough stay
	opened := s.opened()
	if !(opened > enoughTied*w.opt.Contact.Thickness) || s.checkBounds() != nil {
		return false
	}
	// spins that narrow gaps are taken further, others half as far
	narrower := k.rounds == 0 || opened < k.least
	if narrower {
		k.least, k.far = opened, min(1, 2*k.far)
		s.noteSpins()
	} else {
		k.far /= 2
	}
	// the last round goes back to the spins with the narrowest gaps
	if k.rounds == mostTied {
		if k.best = true; narrower {
			return false
		}
		k.far = 0
	}
	// rows for these spins
	s.expectSpins(k.far)
	k.rounds++
	s.remember()
	s.bindTies()
	return true
}

// noteSpins keeps the spins that were expected of rigid bodies, and those that were found.
func (s *step) noteSpins() {
	k := &s.work
	k.expected, k.spins = k.expected[:0], k.spins[:0]
	s.w.eachRigid(func(_, first int, b mech.Rigid) {
		k.expected = append(k.expected, b.ExpectedSpin())
		k.spins = append(k.spins, s.x1[first+1].Scale(1/(b.Length()*s.h)))
	})
}

// expectSpins has rigid bodies expect what is so far from the first of the spins that were kept to the second.
func (s *step) expectSpins(far float64) {
	s.w.eachRigid(func(n, _ int, b mech.Rigid) {
		if far == 1 {
			b.Expect(s.work.spins[n])
		} else {
			b.Expect(s.work.expected[n].Lerp(s.work.spins[n], far))
		}
	})
}

// opened returns how much wider than asked for gaps end with the velocities found so far [m].
func (s *step) opened() float64 {
	if len(s.w.joints)+len(s.w.attachments) == 0 {
		return 0
	}
	s.arrive()
	_, _, most := s.w.widest(s.x1)
	return most - s.tied.left
}

// bindTurn adds the row that ties spins.
func (s *step) bindTurn(j *joint, share float64, id contact.ID) {
	var r row
	now := j.ahead(s.w.turns(j, s.x0))
	frame, rows := r3.Identity(), r3.Identity()
	if j.spec.Kind == HingeJoint {
		frame = contact.FrameOf(s.pushedAxis(j))
		rows = frame
		rows.XX, rows.XY, rows.XZ = 0, 0, 0
	}
	length := j.length()
	s.addSpin(&r, &j.a, &rows, length)
	spin := j.a.rigid.ExpectedSpin()
	if j.b.rigid != nil {
		s.addSpin(&r, &j.b, &rows, -length)
		spin = spin.Sub(j.b.rigid.ExpectedSpin())
	}
	bend := j.ahead(j.expectedTurns()).Sub(now).Scale(1 / s.h).Sub(spin)
	r.bend = rows.MulVec(bend.Scale(length))
	for _, t := range r.terms[:r.count] {
		r.apart = r.apart.Add(t.M.MulVec(s.v0[t.Block]))
	}
	out := contact.Contact{ID: id, Frame: frame, Point: s.w.spotAt(&j.a, s.x0)}
	s.bindRow(&r, out, rows.MulVec(now.Scale(length)), share)
}

// addSpin adds the spin of the body of a spot, times a length, along the rows.
func (s *step) addSpin(r *row, p *tieEnd, rows *r3.Mat, length float64) {
	r.add(s.w.firstOf(p.on)+1, 0, rows.Scale(length/p.rigid.Length()))
}

// expectedTurns returns the orientations of the two sides at the end of the motion that is expected.
func (j *joint) expectedTurns() (a, b r3.Quat) {
	a = j.a.rigid.ExpectedTurn().Mul(j.turnA)
	if j.b.rigid == nil {
		return a, r3.NoRotation()
	}
	return a, j.b.rigid.ExpectedTurn().Mul(j.turnB)
}

// pushedAxis returns the axis of a hinge where torque acts: the mean of those of both sides at the part 1-θ of the
// motion that is expected.
func (s *step) pushedAxis(j *joint) r3.Vec {
	a, b := s.w.turns(j, s.x0)
	laterA, laterB := j.expectedTurns()
	now := a.Rotate(j.axis).Add(b.Rotate(j.axis))
	later := laterA.Rotate(j.axis).Add(laterB.Rotate(j.axis))
	return now.Lerp(later, 1-s.w.opt.Theta).Unit()
}
