// Nested relaxation: iterative constraint anticipation [Otaduy09] section 5, with
//
//	A v + b = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ),   A = D - L - U, D its diagonal blocks.
//
// The paper's unknown is Δv = v - v*, v* the velocity without contact, and its A Δv = Jᵀ λ + Hᵀ γ is this problem with
// r = (λ, γ). Relaxations of Δv and of v are the same to rounding, so that v* is needed for nothing but the direction
// of the pyramid. One iteration:
//
//  1. Anticipate: where block Jacobi would take v, as a function of r [eq. (9), (13), (14)],
//     w = D⁻¹ ((L + U) v - b + Jᵀ r) = v - D⁻¹ (A v + b - Jᵀ r).
//  2. Inner loop: projected Gauss-Seidel over the contacts until u = J w + u_f and r obey the law (relaxation_inner.go).
//  3. Outer loop: one sweep of block Gauss-Seidel with r held, (D - L) v ← U v - b + Jᵀ r [eq. (12)].
//
// Instead of an assembled B = J D⁻¹ Jᵀ the inner loop keeps w by block, which makes a pass over the contacts O(terms)
// also for rigid bodies, of which B would be dense.
//
// Divergence. The paper asks for a diagonally dominant A. Gauss-Seidel converges for every A that is positive definite;
// it is anticipating by Jacobi's method that needs 2 D - A to be. Where that does not converge it mostly goes round in
// circles, and seldom grows without bound. Then D/ω takes the place of D, in the anticipation and in the outer step,
// which goes to where was anticipated: for frictionless contact that is a projected gradient, which converges for ω
// below twice the inverse of the largest eigenvalue of D⁻¹ A. ω is halved down to 1/8; below it, and after MaxSweeps,
// Nodal goes on from the best that was found.
//
// Faster. Unless the form is Printed, iterations are mixed (relaxation_mix.go), inner loops are short, and D is that of
// whole bodies where these are small (relaxation_bodies.go).
//
// Rules. By the paper's the inner loop ends when the residuals of the normal and of the frictional problem change by
// less than 5 % and no contact ends nearer than half the thickness that it keeps; the outer one when that is so at v
// and the residual of momentum changes by less than 5 %. It bounds nothing. The other rule is the residual
// (residual.go), which is told in any case. Of the pyramid it is the box that stands in it for the cone: what the
// friction of an answer lacks to Coulomb's law is in the residual that is told, and no iteration makes it smaller.
//
// Start. By the paper's rule v begins where it balances the impulses of the guess, A v + b = Jᵀ r. The paper has v* +
// Δv(0) there, Δv(0) from the last solve, which is the same where nothing changed; a file of a run need not hold it.
// From the velocity before the step that rule would end long before stiff bodies know of gravity. The other rule begins
// with that velocity.
//
// Departures. Residuals that are below the tolerance count as sameWithin, and both loops are bounded. The direction of
// the pyramid is that of the contact's frame where the unconstrained slip is below 1e-6 m/s.

package solve

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Relaxation solves contact problems by nested relaxation [Otaduy09]. It keeps its workspace.
type Relaxation struct {
	RelaxationForm
	MaxSweeps int  // iterations of the outer loop at most
	Alone     bool // never hand over to Nodal
	Hasty     bool // so is that Nodal
	ByVertex  bool // anticipate by vertex, also where bodies are small, as the printed form does
	// Thickness is the distance that contacts keep [m], of which the paper's rule lets half go. Where it, or the length
	// of the step, is not known, the rule is about changes alone.
	Thickness float64
	Team      *par.Team
	// Each, which may be nil, is told how many passes every inner loop took.
	Each func(passes int)

	serial *par.Team
	*system
	anticipation
	mixing mixing
	mixed  bool // iterations are
	nodal  *Nodal

	omega     float64
	last, now rates
	best      float64
	none      float64 // the velocity that the paper's rule takes for none [m/s]
	weight    float64 // of all blocks [kg]
}

// RelaxationForm says which of the forms of nested relaxation it is; the zero form is ours.
type RelaxationForm struct {
	Pyramid  bool // friction within a pyramid along the sliding direction, as printed, instead of the exact disk
	ByChange bool // the paper's rule for when to stop, instead of the residual
	Printed  bool // nothing but what is printed
}

// rates are what the paper's rule looks at.
type rates struct {
	normal, friction float64 // residuals of the complementarity of all contacts [m/s]
	momentum         float64 // of the balance of momentum, weighed by mass [m/s √kg]
	deepest          float64 // the lowest normal velocity [m/s], 0 if there is none below
}

// DefaultRelaxation returns the settings for tight tolerances: exact friction and the residual as the rule.
func DefaultRelaxation() Relaxation { return Relaxation{MaxSweeps: 2000} }

// Supports takes every problem whose parts fit each other.
func (s *Relaxation) Supports(p *ContactProblem) error {
	if err := p.validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return nil
}

// Solve finds v and r. A must be positive definite over the free blocks. A residual above tolerance is in the result;
// Converged says whether the rule was met.
func (s *Relaxation) Solve(p *ContactProblem, out *Contacts) error {
	if err := s.Supports(p); err != nil {
		return err
	}
	team := s.begin(p, out)
	team.Enter()
	defer team.Leave()
	s.analyse(team)
	s.bodies.begin(team, !s.Printed && !s.ByVertex)
	s.anticipation.begin(s.Pyramid, team)
	s.findNone()
	if s.ByChange && !s.bodies.on && !p.Again { // else the guess is what the round before has left
		s.findPush()
		s.balance(team, s.push, s.none, s.out.V)
	}
	if !s.Printed {
		s.mixing.begin()
	}
	done := s.iterate(team)
	for c := range s.set.Contacts {
		out.U[c] = s.measure.velocity(c)
	}
	out.Elsewhere = out.Residual
	s.end()
	if done || s.Alone || team.Stopped() {
		return nil
	}
	return s.handOver(p, out)
}

func (s *Relaxation) begin(p *ContactProblem, out *Contacts) *par.Team {
	if s.system == nil {
		s.serial = par.New(1)
		s.system = newSystem()
		s.anticipation, s.mixing = newAnticipation(s.system), newMixing(s.system)
	}
	team := s.Team
	if team == nil {
		team = s.serial
	}
	s.system.begin(p, out, team)
	return team
}

// handOver has Nodal go on, and tells the work of both.
func (s *Relaxation) handOver(p *ContactProblem, out *Contacts) error {
	if s.nodal == nil {
		n := DefaultNodal()
		s.nodal = &n
	}
	s.nodal.Team, s.nodal.Hasty = s.Team, s.Hasty
	sweeps, linear := out.Sweeps, out.Linear
	err := s.nodal.Solve(p, out)
	out.Sweeps, out.Linear = out.Sweeps+sweeps, out.Linear+linear
	return err
}

// LeftByChange is the share of the thickness that the paper's rule lets contacts lack in the end.
const LeftByChange = 0.5

const (
	// sameWithin is the paper's bound of changes.
	sameWithin = 0.05
	// noneShare is the share of the thickness that a residual may lead astray by in a step to count as unchanged.
	noneShare = 0.005
	// leastOmega is the ω below which relaxation is given up.
	leastOmega = 1.0 / 8
	// unmixed is the number of sweeps without mixing of whole bodies by the paper's rule.
	unmixed = 10
	// ω is halved where the least residual of so many sweeps is not below a part of that of as many before. Fewer would
	// not do: the residual of stiff problems rises for some tens of sweeps before it falls, and mostly from a guess
	// that is nearer than what follows it.
	watch, lessThan = 100, 0.9
)

// iterate relaxes until the rule is met, and tells whether it was. If not, the best is left.
func (s *Relaxation) iterate(team *par.Team) bool {
	s.omega, s.best, s.mixed = 1, math.Inf(1), false
	least, before, since := math.Inf(1), math.Inf(1), 0 // of this window and of the one before
	whole := s.bodies.on && s.ByChange
	for {
		residual := s.look(team)
		met := s.met(team, residual)
		if met && !(whole && s.mixed) { // else mixed impulses may lie outside of their cones
			return true
		}
		if residual < s.best {
			s.best = residual
			s.keep()
		}
		still := false
		if least = min(least, residual); since == watch {
			still = !(least < lessThan*before)
			least, before, since = math.Inf(1), least, 0
		}
		if still || math.IsNaN(residual) {
			s.restore()
			if s.omega /= 2; s.bodies.on || s.omega < leastOmega {
				break
			}
			least, before, since = math.Inf(1), math.Inf(1), 0
			s.mixing.restart()
			s.look(team)
		}
		since++
		if s.out.Sweeps >= s.MaxSweeps || team.Stopped() {
			s.restore()
			break
		}
		// By the paper's rule whole bodies are mostly done when their contacts are: mixing would only shake them.
		s.mixed = !s.Printed && !met && !(whole && s.out.Sweeps < unmixed)
		if !s.mixed {
			s.relax(team)
			continue
		}
		s.mixing.note(team)
		s.relax(team)
		s.mixing.mix(team)
	}
	s.assess(team)
	s.out.Converged = false
	return false
}

// look brings the balance of momentum up to date and returns the larger of its residual and that of the law.
func (s *Relaxation) look(team *par.Team) float64 {
	m := &s.measure
	m.refresh(team)
	for c := range s.set.Contacts {
		for _, t := range s.set.Row(c) {
			m.balance[t.Block] = m.balance[t.Block].Sub(t.M.MulVecT(s.out.R[c]))
		}
	}
	s.unbalanced = team.Max(s.a.N, m.dynamics)
	worst := max(s.unbalanced, s.law(team))
	if s.ByChange {
		s.last, s.now = s.now, s.rates()
		if s.out.Sweeps == 0 {
			s.last = rates{}
		}
	}
	return worst
}

// met tells whether the rule is met, and measures the residual that is told if so.
func (s *Relaxation) met(team *par.Team, residual float64) bool {
	target := s.given.target()
	ends := residual <= target
	if s.ByChange {
		ends = ends || s.out.Sweeps > 1 && s.settled(&s.last, &s.now) &&
			same(s.last.momentum, s.now.momentum, s.none*math.Sqrt(s.weight))
	}
	if !ends {
		return false
	}
	s.assess(team)
	if s.ByChange {
		s.out.Converged = true
		return true
	}
	if s.Pyramid {
		s.out.Converged = residual <= s.given.Tolerance
		return true
	}
	return s.out.Residual.Worst() <= target
}

// relax does one iteration.
func (s *Relaxation) relax(team *par.Team) {
	s.out.Sweeps++
	s.anticipate(team, s.omega)
	s.inner(team)
	if s.bodies.on || s.omega < 1 { // to where was anticipated
		for i := range s.out.V {
			if !s.isFixed(int32(i)) {
				s.out.V[i] = s.w[i]
			}
		}
		return
	}
	s.findPush()
	s.sweep()
}

// inner relaxes the impulses.
func (s *Relaxation) inner(team *par.Team) {
	var before rates
	near, most := passShare*max(s.best, s.given.target()), mostPasses
	if s.mixed {
		most = mixedPasses
	}
	passes := 0
	for passes < most && !team.Stopped() {
		passes++
		rates, change := s.pass(s.omega)
		if s.ByChange && passes > 1 && s.settled(&before, &rates) || !s.ByChange && change <= near {
			break
		}
		before = rates
	}
	if s.Each != nil {
		s.Each(passes)
	}
}

const (
	// passShare is the share of the residual that the last pass of an inner loop may still move contacts by.
	passShare = 0.1
	// mostPasses and mixedPasses bound inner loops, the latter where mixing accelerates them too.
	mostPasses, mixedPasses = 50, 10
)

// settled tells whether the rule holds for the contacts.
func (s *Relaxation) settled(before, now *rates) bool {
	if s.Thickness > 0 && s.given.H > 0 && now.deepest*s.given.H < -LeftByChange*s.Thickness {
		return false
	}
	floor := s.none * math.Sqrt(float64(s.set.Len()))
	return same(before.normal, now.normal, floor) && same(before.friction, now.friction, floor)
}

// findNone finds which velocity counts as none to the paper's rule.
func (s *Relaxation) findNone() {
	s.none, s.weight = s.given.target(), 0
	if s.Thickness > 0 && s.given.H > 0 {
		s.none = max(s.none, noneShare*s.Thickness/s.given.H)
	}
	for _, m := range s.given.Mass {
		s.weight += m
	}
}

// same tells whether two residuals differ by less than 5 %, or are none.
func same(before, now, floor float64) bool {
	return now <= floor || math.Abs(now-before) < sameWithin*before
}

// findPush sums up the impulses on each block.
func (s *Relaxation) findPush() {
	clear(s.push)
	for c := range s.set.Contacts {
		if s.out.R[c] == (r3.Vec{}) {
			continue
		}
		for _, t := range s.set.Row(c) {
			s.push[t.Block] = s.push[t.Block].Add(t.M.MulVecT(s.out.R[c]))
		}
	}
}

// sweep is the outer step.
func (s *Relaxation) sweep() {
	v := s.out.V
	for i := range v {
		if !s.isFixed(int32(i)) {
			left := s.push[i].Sub(s.a.MulRow(i, v)).Sub(s.b[i])
			v[i] = v[i].Add(s.inverse[i].MulVec(left))
		}
	}
}
