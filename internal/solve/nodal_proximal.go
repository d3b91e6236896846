// The fallback where Newton steps on the sets go round in circles: a proximal method of multipliers, [AlartCurnier91].
// With multipliers m held, an inner Newton method with line search solves
//
//	A v + b = Jᵀ r(v),   r = Π(m - ρ w u),   w = tr W/3,
//
// where Π cuts off negative normal impulses and takes the tangential ones to the disk of radius μ times the normal
// one; it leaves those of ties as they are. Then m ← r. At a fixed point r = Π(r - ρ w u), which is Coulomb's law. It
// needs more linear solves than the sets do, but no contact has to be in the right set for a step to help: the
// stiffness of every contact is bounded by ρ w, so that full steps rarely overshoot and shorter ones always help for
// given normal impulses.

package solve

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	innerSteps = 12  // at most, between changes of the multipliers
	innerShare = 0.1 // of the law's residual, to which the balance is solved before the multipliers change
	halvings   = 6   // of a step, at most
	// proximalForcing is newtonForcing for this method, whose impulses feel every error of v times ρ.
	proximalForcing = 1e-3
	softest         = 0.01
	stiffest        = 1000 // largest ρ; it grows while the inner method finds it easy
)

// proximal is the method of multipliers.
type proximal struct {
	*system
	op             *operator
	contradictions *contradictions

	anchor []r3.Vec // multipliers
	origin []r3.Vec // v before a line search
	best   standing // with the smallest residual

	stiffness float64 // ρ
	rounds    int     // changes of multipliers
}

// startAgain has the method begin with the impulses of the guess, if there were any. Of several solutions, such as
// divisions of the force of a press among its contacts, it comes to one near where it starts: that is to be the last
// step's and not where sweeps and sets have gone astray.
func (s *proximal) startAgain() {
	if slices.ContainsFunc(s.begun, func(r r3.Vec) bool { return r != r3.Vec{} }) {
		copy(s.out.R, s.begun)
	}
}

// solve iterates until the residual is small or the Newton steps are used up, and leaves the best that was found: where
// the inner method fails, which it does when contacts are so stiff that GMRES stops early, multipliers go astray.
func (s *proximal) solve(team *par.Team, steps int) bool {
	s.anchor, s.origin = resized(s.anchor, s.set.Len()), resized(s.origin, s.a.N)
	copy(s.anchor, s.out.R)
	s.stiffness, s.rounds = 10, 0
	least := math.Inf(1)
	// Rounds are counted too: multipliers that change while v balances them at once take no Newton steps.
	for s.out.Newton < steps && s.rounds < 4*steps && !s.spent() {
		s.projectAll()
		if s.assess(team) {
			return true
		}
		first := s.out.Newton
		for range innerSteps {
			if s.out.Residual.Dynamics <= max(0.3*s.given.target(), innerShare*s.out.Residual.Law) ||
				s.out.Newton >= steps {
				break
			}
			s.step(team)
			if s.out.Residual.Worst() <= s.given.target() {
				break
			}
		}
		if s.assess(team) {
			return true
		}
		if worst := s.out.Residual.Worst(); worst < least {
			least = worst
			s.best.keep(s.out)
		}
		s.rounds++
		if s.contradictions.find(s.rounds, s.stiffness) {
			least = math.Inf(1) // what is proven is not taken back
		}
		copy(s.anchor, s.out.R)
		switch taken := s.out.Newton - first; {
		case taken <= 2:
			s.stiffness = min(3*s.stiffness, stiffest)
		case taken > 6:
			s.stiffness = max(s.stiffness/4, softest)
		}
	}
	if least < math.Inf(1) {
		s.best.restore(s.out)
		return s.assess(team)
	}
	return false
}

// step is one Newton step with line search on the balance.
func (s *proximal) step(team *par.Team) {
	s.op.release()
	s.op.coupledCount = s.set.Len()
	s.op.foreign = true // stiffnesses change with every step
	s.op.linearStep(team, s.out.Residual.Worst(), proximalForcing)
	copy(s.origin, s.out.V)
	start := s.imbalance()
	for t, k := 1.0, 0; ; t, k = t/2, k+1 {
		for i := range s.a.N {
			if !s.op.held[i] && s.op.delta[i].Finite() {
				s.out.V[i] = s.origin[i].AddScaled(t, s.op.delta[i])
			}
		}
		s.projectAll()
		s.out.Residual = s.measure.measure(team)
		if s.imbalance() < start || k == halvings {
			return
		}
	}
}

// imbalance is the squared norm of the balance, blocks weighed by their inertia.
func (s *proximal) imbalance() float64 {
	sum := 0.0
	for i, g := range s.measure.balance {
		if !s.op.held[i] {
			sum += s.op.constrain(i, g).Norm2() / s.a.Val[s.a.Diag[i]].Trace()
		}
	}
	return sum
}

// projectAll sets r = Π(m - ρ w u) and how it changes with v.
func (s *proximal) projectAll() {
	for c := range s.set.Contacts {
		to := &s.op.couplings[c]
		*to = coupled{on: s.measure.scale[c] > 0, mu: s.set.Contacts[c].Mu}
		u := s.measure.velocity(c)
		s.out.U[c] = u
		if !to.on {
			continue
		}
		if s.out.Bounded[c] {
			to.now = s.out.R[c]
			continue
		}
		w := s.local[c].Trace() / 3
		stiff := s.stiffness * w
		z := s.anchor[c].AddScaled(-stiff, u)
		to.w, to.give, to.weight, to.rho, to.soft = r3.Diagonal(w), r3.Diagonal(1/w), w, s.stiffness, s.stiffness
		friction := math.Hypot(z.Y, z.Z)
		switch {
		case s.laws[c].tied:
			to.state, to.now = Stick, z
		case z.X <= 0:
		case friction <= to.mu*z.X:
			to.state, to.now = Stick, z
		default:
			to.state = Slide
			to.t1, to.t2 = -z.Y/friction, -z.Z/friction
			to.turn = stiff * to.mu * z.X / friction
			to.now = r3.V(z.X, -to.mu*z.X*to.t1, -to.mu*z.X*to.t2)
		}
		s.out.R[c], s.out.State[c] = to.now, to.state
	}
}
