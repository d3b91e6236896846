// A Newton step on the current sets: contacts that take off have no impulse, sticking ones hold u = 0, sliding ones
// hold u_N = 0 and the tangential law
//
//	r_T + μ r_N t = 0,   t = u_T/‖u_T‖.
//
// Contacts that are alone on one free block are eliminated. With n the normal, T = I - n nᵀ and everything in world
// axes the step δ, in the range of P, solves
//
//	D A δ + H δ = -D (A v + b),   P_i = D_i = I (no contact or take-off),   P_i = 0 (stick),
//	P_i = T, D_i = T + μ t nᵀ, H_i = μ r_N/‖u_T‖ (T - t tᵀ) (slide).
//
// The others, of several free blocks or on blocks with several contacts (coupled), cannot be eliminated one by one.
// Their impulses change by s, which is unknown too. They are those of an augmented Lagrangian [Hestenes69] that the
// step drives to u = 0 or u_N = 0: with stiffness ρ W, W that of the local problem, and x = J δ,
//
//	stick   r⁺ = r + s,   x + W⁻¹ s/ρ = -u
//	slide   r⁺_N = r_N + s_N,   x_N + s_N/(ρ W_NN) = -u_N,   r⁺_T = -μ r⁺_N t - μ r_N/‖u_T‖ (I - t tᵀ) x_T.
//
// Each step leaves about 1/ρ of a violation; contacts that contradict each other make impulses that grow by a bounded
// amount a step.
//
// The sweeps in between update the sets: at a single contact they apply the exact law, so that together this is a
// semi-smooth Newton method on [Li18] eq. (5), in the way of the primal-dual active sets of [Hintermuller02], with a
// Gauss-Seidel sweep in place of a line search. A sliding node that the step would turn around stops instead, and
// sticks in the next step: between two directions of slip lies stick.
//
// The operator on (δ, s) is not symmetric, because friction feels the change of the normal impulse and not the reverse;
// so it is solved by GMRES. For the preconditioner contacts are softer, σ < ρ, and s eliminated: with S = P A P + H + σ
// Jᵀ W J, its symmetric part, and C what a change of the impulse does to friction, (f, g) becomes
//
//	δ = P S⁻¹ (f + σ Jᵀ C W g),   s = σ W (g - J δ).
//
// GMRES measures all equations together, so those of contacts are multiplied by an inertia, w = tr W/3.
//
// A stiff S would be hard to precondition in turn, and a soft ρ would need many steps; GMRES makes up for the
// difference. In all of this A stands for itself without its small blocks, where that is thin enough (sparse.Thin): the
// next step measures with all of A what this one leaves. S⁻¹ is then an incomplete factor with fill, and else a
// multilevel cycle, the same one as in the last step while the sets stay. S has the pattern of A and an entry for each
// coupled pair of blocks, so the analysis of the pattern is repeated when these change.

package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	// newtonForcing is how far a linear solve reduces its residual: less makes more Newton steps, more makes the first
	// ones too exact.
	newtonForcing = 1e-2
	// unsettledForcing takes its place while sets of many contacts change: what is solved for is not yet what holds.
	unsettledForcing = 0.1
	// stiffening is ρ: more leaves less violation after a step; less keeps impulses small where contacts contradict
	// each other.
	stiffening = 1e4
	// overPivots is ρ where the normals of contacts are independent, times the share by which they are: none of them
	// contradicts others.
	overPivots = 10
	// gentle is ρ of problems with a press, whose force can be divided among its contacts in many ways: changes of
	// impulses are to be small.
	gentle = 100
	// softening is σ: more brings contacts closer to what the step asks for, but makes S harder to precondition.
	softening = 4
	// localPasses is how often contacts that want another state are relaxed before the next step.
	localPasses = 3
)

// sets are the Newton steps on the current sets.
type sets struct {
	*system
	op       *operator
	drift    *drift
	sweeper  *sweeper
	exchange *exchange
	most     int  // steps, at most
	onBasis  bool // the normals of contacts that hold are independent

	stopped  []int32 // by contact: the step that stopped it
	disputed []int32 // contacts whose law, asked alone, wants another state
}

// begin prepares steps of the problem at hand.
func (s *sets) begin() {
	s.op.begin()
	s.stopped = resized(s.stopped, s.set.Len())
	clear(s.stopped)
}

// steps takes steps as long as the sets come closer to what the contacts ask for, and tells whether the solver is
// done. A step that no contact objects to is followed by the next one at once, since sweeps would undo a part of it;
// after others, the contacts that want another state are relaxed, and only they.
func (s *sets) steps(team *par.Team, worst float64) bool {
	disputes, agreed := math.MaxInt, false
	for s.out.Newton < s.most && !s.spent() {
		s.step(team, worst, s.forcing(agreed))
		agreed = s.settle(team)
		if s.assess(team) {
			return true
		}
		now := s.out.Residual.Worst()
		switch {
		case agreed && now < 0.5*worst:
			worst = now
			continue
		case agreed:
			if s.exchange.promising() || !s.drift.walk() {
				return false
			}
		default:
			if len(s.disputed) >= disputes && len(s.disputed) > 0 {
				return false
			}
			disputes = len(s.disputed)
			s.sweeper.sumPartly()
			for range localPasses {
				for _, c := range s.disputed {
					s.sweeper.relaxContact(c)
				}
			}
		}
		if s.assess(team) {
			return true
		}
		worst = s.out.Residual.Worst()
	}
	return false
}

// forcing returns how far the linear solve of the next step is to go.
func (s *sets) forcing(settled bool) float64 {
	if settled || s.set.Len() <= mostOnPath {
		return newtonForcing
	}
	return unsettledForcing
}

// step moves v, and the impulses of coupled contacts, to the solution on the current sets, as far as the residual
// asks for.
func (s *sets) step(team *par.Team, residual, forcing float64) {
	s.chooseSets()
	s.op.linearStep(team, residual, forcing)
	s.advance()
}

func (s *sets) advance() {
	s.drift.remember()
	for c := range s.op.couplings {
		if k := &s.op.couplings[c]; k.on {
			if r := k.now.Add(k.push(s.op.delta[s.a.N+c])).Add(k.steer(s.along(int32(c), s.op.delta))); r.Finite() {
				s.out.R[c] = r
			}
		}
	}
	for i := range s.a.N {
		if s.op.held[i] {
			continue
		}
		next := s.out.V[i].Add(s.op.delta[i])
		if s.op.slides[i].on {
			next = s.keepDirection(i, next)
		}
		if next.Finite() {
			s.out.V[i] = next
		}
	}
	for c := range s.op.couplings {
		s.stopReversed(c)
	}
}

// stop has a contact that would slide back stick in the next step.
func (s *sets) stop(c int) {
	if s.set.Contacts[c].Mu > 0 {
		s.out.State[c], s.stopped[c] = Stick, int32(s.out.Newton)
	}
}

// stopReversed stops a coupled contact that the step made slide back, by the impulse that does so if its blocks are
// alone.
func (s *sets) stopReversed(c int) {
	k := &s.op.couplings[c]
	if !k.on || k.state != Slide {
		return
	}
	u := s.measure.velocity(c)
	if u.Y*k.t1+u.Z*k.t2 >= 0 {
		return
	}
	s.stop(c)
	push := s.local[c].MulVec(r3.V(0, -u.Y, -u.Z))
	s.out.R[c] = s.out.R[c].Add(push)
	for _, t := range s.set.Row(c) {
		s.out.V[t.Block] = s.out.V[t.Block].Add(s.inverse[t.Block].MulVec(t.M.MulVecT(push)))
	}
}

// settle gives eliminated contacts the impulses that balance the new velocities, and tells whether the law at each
// contact, asked alone, would keep its state.
func (s *sets) settle(team *par.Team) bool {
	m := &s.measure
	m.refresh(team)
	agreed := true
	s.disputed = s.disputed[:0]
	for c := range s.set.Contacts {
		if m.scale[c] == 0 || s.out.Bounded[c] {
			continue
		}
		k := &s.set.Contacts[c]
		state := s.out.State[c]
		if block, alone := s.alone(c); alone {
			r := k.Frame.MulVec(m.balance[block])
			if block != k.A {
				r = r.Neg()
			}
			if state == TakeOff {
				r = r3.Vec{}
			}
			s.out.R[c] = r
		}
		if s.stopped[c] == int32(s.out.Newton) {
			agreed = false
			continue
		}
		u := m.velocity(c)
		trial := s.out.R[c].Sub(s.local[c].MulVec(u))
		if _, now := s.laws[c].Solve(trial, u); now != state && k.Mu > 0 || (now == TakeOff) != (state == TakeOff) {
			agreed = false
			s.disputed = append(s.disputed, int32(c))
		}
		if slip := math.Hypot(u.Y, u.Z); state == Slide && slip > 0 {
			s.out.R[c].Y, s.out.R[c].Z = -k.Mu*s.out.R[c].X*u.Y/slip, -k.Mu*s.out.R[c].X*u.Z/slip
		}
	}
	return agreed
}

// keepDirection stops a sliding block that would slide back.
func (s *sets) keepDirection(i int, next r3.Vec) r3.Vec {
	c := s.contactAt[s.contactStart[i]]
	k := &s.set.Contacts[c]
	now := s.out.V[i]
	u := k.Frame.MulVecT(s.out.U[c]) // world axes
	if k.A != int32(i) {
		u = u.Neg() // velocity of the block itself against the other side
	}
	direction := u.Sub(s.op.slides[i].normal.Scale(u.Dot(s.op.slides[i].normal)))
	if after := u.Add(next.Sub(now)); direction == (r3.Vec{}) || after.Dot(direction) > 0 {
		return next
	}
	s.stop(int(c))
	return now.Sub(u)
}

// chooseSets says what each block and contact does in the step, from the states of the last sweep, and brings
// measure.balance to A v + b - Jᵀ r with the impulses r that do not depend on the step.
func (s *sets) chooseSets() {
	s.op.release()
	s.op.coupledCount = 0
	for c := range s.set.Contacts {
		k := &s.op.couplings[c]
		*k = coupled{}
		if s.measure.scale[c] == 0 {
			continue
		}
		s.out.U[c] = s.measure.velocity(c)
		held := r3.Vec{}
		if block, alone := s.alone(c); alone {
			s.eliminate(c, block)
		} else {
			s.couple(c)
			s.op.coupledCount++
			held = k.now
		}
		change := held.Sub(s.out.R[c])
		for _, t := range s.set.Row(c) {
			s.measure.balance[t.Block] = s.measure.balance[t.Block].Sub(t.M.MulVecT(change))
		}
	}
}

func (s *sets) eliminate(c int, block int32) {
	k := &s.set.Contacts[c]
	switch state := s.out.State[c]; {
	case state == Stick && k.Rubs():
		s.op.held[block] = true
	case state != TakeOff:
		u := s.out.U[c]
		on := slide{normal: k.Frame.MulVecT(r3.V(1, 0, 0)), mu: k.Mu, on: true}
		if slip := math.Hypot(u.Y, u.Z); slip > 0 {
			on.tangent = k.Frame.MulVecT(r3.V(0, u.Y/slip, u.Z/slip))
			on.turn = k.Mu * max(0, s.out.R[c].X) / slip
		}
		s.op.slides[block] = on
	}
}

// rho returns ρ of the steps on sets.
func (s *sets) rho() float64 {
	switch {
	case len(s.list) > 0:
		return gentle
	case s.onBasis:
		return overPivots / s.exchange.least
	}
	return stiffening
}

func (s *sets) couple(c int) {
	k := &s.set.Contacts[c]
	u, r, w := s.out.U[c], s.out.R[c], &s.local[c]
	to := coupled{
		on:     true,
		state:  s.out.State[c],
		w:      *w,
		give:   s.give[c],
		weight: w.Trace() / 3,
		rho:    s.rho(),
		soft:   softening,
		mu:     k.Mu,
		now:    r,
	}
	if s.out.Bounded[c] {
		to.state = TakeOff
		s.op.couplings[c] = to
		return
	}
	if to.state == Stick && !k.Rubs() {
		to.state = Slide
	}
	switch to.state {
	case TakeOff:
		to.now = r3.Vec{}
	case Slide:
		if slip := math.Hypot(u.Y, u.Z); slip > 0 {
			to.t1, to.t2 = u.Y/slip, u.Z/slip
			to.turn = k.Mu * max(0, r.X) / slip
		}
		to.now.Y, to.now.Z = -k.Mu*r.X*to.t1, -k.Mu*r.X*to.t2
	}
	to.asked = to.held(u).Neg()
	s.op.couplings[c] = to
}
