// The nodal contact solver: Gauss-Seidel over nodes and contacts in the unknowns v [Li18] §4.3, algorithm 1, alternated
// with Newton steps on the current sets of sticking, sliding and free contacts (nodal_newton.go).
//
//	A v + b = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ)          [Li18] eq. (5)
//
// Symbols: D_i = A_ii⁻¹, zero where v_i is prescribed, of rank one or two where it is so in part (partial.go); E the
// frame of a contact; f_i = -b_i - Σ_{j≠i} A_ij v_j + Σ J_ciᵀ r_c over the contacts of i other than the one looked
// at.
//
// One relaxation solves a node without contact, v_i = D_i f_i, or a contact with its one or two nodes and the other
// impulses on these held:
//
//	v_i = D_i (f_i + J_ciᵀ r)   and so   r = W u - W u₀,   W = (Σ J_ci D_i J_ciᵀ)⁻¹,   u₀ = u_f + Σ J_ci D_i f_i,
//
// which with Coulomb's law is the local problem of SolveCoulomb. For one node this is [Li18] eq. (8), W = E A_ii Eᵀ.
// For two it is eq. (9) with the sum of the velocities eliminated, rather than relaxed on its own; the factor 1/√2
// drops out.
//
// The row of a contact of points within edges and faces has up to four blocks, J_ci = w_i E, of which some are
// neighbours. These are not solved together: the contact changes its impulse by what the same W asks for at the
// velocities that there are, v_i ← v_i + D_i J_ciᵀ Δr, and blocks without a contact of their own are relaxed as if they
// had none. At a fixed point blocks balance and contacts obey, which is all that counts.
//
// Departures. A node with several contacts is not split into pinned copies (§6) unless all else failed
// (nodal_copies.go): its contacts are relaxed one after another with the other impulses held, which needs no copies to
// agree and keeps A as it is. While a few sweeps run, small blocks of A act as they did when they began. The start is
// not v = -A⁻¹ b but a guess, the velocity before the step, with the impulses of the last step where there are any.
// Nodes do not sleep and are not over-relaxed: with Newton steps in between there are too few sweeps to gain from it.
// The table of methods, and when each is tried, is in order.
//
// Laws. A row that only pushes is one without friction. One that ties (local.go) has u = 0 in each relaxation, sticks
// in every Newton step, never opens and is never bounded: where ties contradict each other the residual stays.
//
// Order: relaxations are coloured greedily in index order so that no two of one colour read what the other writes.
// Colours run one after another and within a colour the order cannot matter, so the result is the same for any number
// of workers.

package solve

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/par"
)

// Nodal solves contact problems. It keeps its workspace.
type Nodal struct {
	MaxSweeps     int  // Gauss-Seidel sweeps at most
	MaxNewton     int  // Newton steps at most; 0: sweeps alone
	Linear        int  // iterations at most of each linear solve
	SweepsBetween int  // sweeps before each Newton step
	Interior      bool // only the way through the interior (nodal_interior.go), whatever the size of the problem
	// Hasty is for where little is asked for. The path of impulses comes last: others come as far in a tenth of the
	// time. What earlier rounds of a step have told is believed.
	Hasty bool
	Team  *par.Team

	serial *par.Team
	*system
	sweeper  *sweeper
	drift    *drift
	sets     *sets
	proximal *proximal
	against  *contradictions
	copies   *copies
	exchange *exchange
	interior *interior
	ties     *tiesAlone
	dual     Dual

	alternating func(team *par.Team) bool
	methods     []method

	guess, jammed  standing // what the solve began with, and what was solved but for contacts that are bounded
	before, onPath standing // what fallbacks began with, and the best of the path
}

// DefaultNodal returns the settings that won on generated sheets: two sweeps, then a Newton step.
func DefaultNodal() Nodal {
	return Nodal{MaxSweeps: 2000, MaxNewton: 200, Linear: 60, SweepsBetween: 2}
}

// Supports takes every problem whose parts fit each other.
func (s *Nodal) Supports(p *ContactProblem) error {
	if err := p.validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return nil
}

// Solve finds v and r. A must be positive definite over the free blocks. A residual above tolerance is in the result.
func (s *Nodal) Solve(p *ContactProblem, out *Contacts) error {
	if err := s.Supports(p); err != nil {
		return err
	}
	team := s.begin(p, out)
	team.Enter()
	defer team.Leave()
	s.prepare(team)
	s.iterate(team)
	s.stayNear(team)
	s.judge(team)
	s.finish()
	return nil
}

func (s *Nodal) begin(p *ContactProblem, out *Contacts) *par.Team {
	if s.system == nil {
		s.build()
	}
	team := s.Team
	if team == nil {
		team = s.serial
	}
	s.hasty = s.Hasty
	s.system.begin(p, out, team)
	if s.hasty {
		s.believe()
	}
	s.against.refuter.begin()
	s.sets.most, s.sets.op.most = s.MaxNewton, s.Linear
	return team
}

// build makes the parts, which share the system.
func (s *Nodal) build() {
	s.serial = par.New(1)
	s.system = newSystem()
	op := newOperator(s.system)
	s.sweeper = newSweeper(s.system)
	s.drift = &drift{system: s.system, op: op}
	s.sets = &sets{system: s.system, op: op, drift: s.drift, sweeper: s.sweeper}
	s.ties = &tiesAlone{system: s.system}
	s.against = &contradictions{system: s.system, drift: s.drift, refuter: &refuter{system: s.system}}
	s.proximal = &proximal{system: s.system, op: op, contradictions: s.against}
	s.interior = newInterior(s.system, op, s.proximal)
	s.copies = newCopies(s.system, s.sweeper)
	s.exchange = &exchange{system: s.system, normals: &normals{system: s.system}, sets: s.sets}
	s.sets.exchange, s.alternating = s.exchange, s.alternate
	s.methods = s.order()
}

// prepare analyses the problem. v is that of the guess, and what is prescribed: the unconstrained velocity of [Li18]
// is a worse guess than the velocity before the step, since that makes a linear solve that knows of contacts take its
// place.
func (s *Nodal) prepare(team *par.Team) {
	s.analyse(team)
	s.sweeper.begin()
	s.sets.begin()
	s.exchange.begin()
	s.prescribe()
	s.velocities()
}

// velocities writes those of contacts.
func (s *Nodal) velocities() {
	for c := range s.set.Contacts {
		s.out.U[c] = s.measure.velocity(c)
	}
}

// iterate tries one method after another, as long as there is a budget.
func (s *Nodal) iterate(team *par.Team) {
	s.begun = append(s.begun[:0], s.out.R...)
	s.guess.keep(s.out)
	if s.ties.solve(team) {
		return
	}
	if s.Interior {
		s.interior.solve(team)
		return
	}
	for i := range s.methods {
		if m := &s.methods[i]; (m.when == nil || m.when()) && m.solve(team) {
			return
		}
		if s.spent() {
			s.settleForLess(team)
			return
		}
	}
}

// settleForLess leaves the better of what there is and the guess.
func (s *Nodal) settleForLess(team *par.Team) {
	if s.assess(team) {
		return
	}
	worst := s.out.Residual.Worst()
	s.before.keep(s.out)
	s.guess.restore(s.out)
	if s.assess(team); !(s.out.Residual.Worst() < worst) {
		s.before.restore(s.out)
		s.assess(team)
	}
}

// method is a way to solve the problem.
type method struct {
	when  func() bool               // nil: always
	solve func(team *par.Team) bool // reports whether the solver is done
}

// order returns the methods, in the order in which they are tried until one has solved the problem.
func (s *Nodal) order() []method {
	// A press or a grasp is to share its force as it did before; the interior would share it anew.
	free := func() bool { return len(s.list) == 0 }
	few := func() bool { return !s.interior.many() }
	// A factor is cheap, and time is not short.
	small := func() bool { return s.a.N <= mostQuickly && !s.Hasty }
	large := func() bool { return !small() }
	stalled := func() bool { return s.hasty && s.given.Earlier.Stalled && !s.given.Trial }
	trial := func() bool { return s.given.Trial }
	return []method{
		// what the problems before have told
		{s.hasHabit, s.asBefore},
		{stalled, s.asEarlier},
		// most problems end here
		{nil, s.inTurns},
		{trial, s.giveUp},
		// layers, stacks and heaps
		{func() bool { return free() && s.interior.comesFirst() }, s.inside},
		{func() bool { return free() && s.exchange.promising() }, s.onFewBases},
		{free, s.patiently},
		{func() bool { return free() && s.interior.quick() }, s.insideAfresh},
		// whatever it is
		{small, s.viaImpulses},
		{nil, s.byMultipliers},
		{s.interior.many, s.insideAfresh},
		{s.interior.many, s.inside},
		{nil, s.onBases},
		{large, s.viaImpulses},
		{few, s.inside},
		{nil, s.onCopies},
	}
}

// inTurns is alternate, and leaves the best where others are to go on from there.
func (s *Nodal) inTurns(team *par.Team) bool {
	done := s.alternate(team)
	if !done && (len(s.list) == 0 || s.spent()) {
		s.restore()
	}
	if !done && len(s.list) == 0 {
		s.countUnsettled()
		if s.hasHabit() { // which did not help
			s.out.Unsettled = 1
		}
	}
	return done
}

// giveUp leaves what there is.
func (s *Nodal) giveUp(*par.Team) bool { return true }

func (s *Nodal) onFewBases(team *par.Team) bool {
	return s.exchange.solve(team, s.alternating, mostUnsolved)
}

func (s *Nodal) onBases(team *par.Team) bool {
	return s.exchange.solve(team, s.alternating, mostExchanges)
}

func (s *Nodal) onCopies(team *par.Team) bool {
	s.copies.split(team, s.MaxSweeps)
	return true
}

// hasHabit reports whether sets have not settled in the problems before, so that the interior comes first.
func (s *Nodal) hasHabit() bool {
	before := s.unsettled()
	return !s.given.Trial && before >= habit && before < mostInARow && len(s.list) == 0 && s.interior.worthwhile() &&
		(s.interior.quick() || s.interior.comesFirst())
}

// countUnsettled counts the problem at hand.
func (s *Nodal) countUnsettled() { s.out.Unsettled = s.unsettled()%mostInARow + 1 }

// unsettled returns how many problems in a row before this one had sets that did not settle or were not tried.
func (s *Nodal) unsettled() uint8 { return max(s.given.Earlier.Unsettled, s.given.Past.Unsettled) }

// asBefore goes through the interior, and reports whether the solver is done.
func (s *Nodal) asBefore(team *par.Team) bool {
	s.boundProven(true) // the interior does not accept solutions with other contacts bounded
	if s.assess(team) {
		return true
	}
	if s.inside(team) {
		s.countUnsettled()
		return true
	}
	if s.spent() {
		return false
	}
	// as if nothing had been tried
	s.guess.restore(s.out)
	s.velocities()
	return false
}

// habit is the number of problems in a row from which on the interior comes first, and mostInARow how many that may be
// before sets are tried again.
const habit, mostInARow = 2, 32

// inside follows the way through the interior, and tells whether the solver is done. What comes after has as many
// steps as without.
func (s *Nodal) inside(team *par.Team) bool {
	if !s.interior.worthwhile() {
		return false
	}
	first := s.out.Newton
	done := s.interior.solve(team)
	s.sets.most += s.out.Newton - first
	return done
}

// insideAfresh is inside from the guess of the solve, not from where other methods have led.
func (s *Nodal) insideAfresh(team *par.Team) bool {
	best := s.out.Residual.Worst()
	s.before.keep(s.out)
	s.guess.restore(s.out)
	s.boundProven(true)
	if s.inside(team) {
		return true
	}
	if !(s.out.Residual.Worst() < best) {
		s.before.restore(s.out)
		s.assess(team)
	}
	return false
}

// asEarlier begins where an earlier round ended, with what solved that, and tells whether the solver is done. What
// comes after has as many steps as without.
func (s *Nodal) asEarlier(team *par.Team) bool {
	s.assess(team)
	first := s.out.Newton
	done := s.proximally(team)
	s.sets.most += s.out.Newton - first
	return done
}

// alternate alternates sweeps and Newton steps until the residual is small or stalls, and tells whether the solver is
// done. Where it stalls, the sets need more sweeps to settle.
func (s *Nodal) alternate(team *par.Team) bool {
	best, stalls, between, most := math.Inf(1), 0, s.SweepsBetween, maxStalls
	switch {
	case len(s.list) > 0:
		most = pressStalls
	case s.sets.onBasis:
		most = basisStalls
	}
	s.keep()
	for {
		if s.sweeps(team, max(1, between)) {
			return true
		}
		worst := s.out.Residual.Worst()
		if worst < progress*best {
			best = worst
			s.keep()
		} else if stalls++; stalls >= most && s.MaxNewton > 0 {
			return false
		} else {
			between = min(3*between, mostBetween)
		}
		if s.sets.steps(team, worst) {
			return true
		}
	}
}

// patiently sweeps on as long as that makes the residual smaller, and tells whether the solver is done. Newton steps
// that do not help are taken back: where a few contacts ask for more than their nodes can obey, a step on the wrong
// sets undoes what many sweeps have gained. Sweeps would divide the force of a press among its contacts in another way
// than the last step, so that problems with one are not swept on.
func (s *Nodal) patiently(team *par.Team) bool {
	if s.assess(team) {
		return true
	}
	for best := s.out.Residual.Worst(); s.out.Sweeps < s.MaxSweeps/2; {
		if s.sweeps(team, mostBetween) {
			return true
		}
		worst := s.out.Residual.Worst()
		if !(worst < progress*best) {
			break
		}
		s.keep()
		if s.sets.steps(team, worst) {
			return true
		}
		if best = s.out.Residual.Worst(); !(best < worst) {
			s.restore()
			best = worst
		}
	}
	return false
}

// sweeps sweeps so often and tells whether the solver is done.
func (s *Nodal) sweeps(team *par.Team, count int) bool {
	s.sweeper.lag(team)
	for range count {
		s.sweeper.sweep(team)
	}
	s.sweeper.lagging = false
	return s.assess(team) || s.out.Sweeps >= s.MaxSweeps
}

// byMultipliers is proximally, with a try to release what that has bounded without a proof.
func (s *Nodal) byMultipliers(team *par.Team) bool {
	done := s.proximally(team)
	if done && !s.proves() && !s.hasty {
		s.release(team)
	}
	return done
}

// release tries to solve what the proximal method has solved but for contacts that it has bounded without a proof, by
// what is quick: where friction jams them, nothing solves it. It leaves what was there if that fails.
func (s *Nodal) release(team *par.Team) {
	s.jammed.keep(s.out)
	s.boundProven(true)
	s.against.done, s.interior.brief = true, true
	solved := s.interior.worthwhile() && s.insideAfresh(team) ||
		!s.interior.worthwhile() && s.proximal.solve(team, s.out.Newton+finishing)
	s.against.done, s.interior.brief = false, false
	if !solved {
		s.jammed.restore(s.out)
		s.assess(team)
	}
}

// proximally tries the proximal method from the guess, leaves the better of what was there and what that leads to, and
// tells whether the solver is done.
func (s *Nodal) proximally(team *par.Team) bool {
	s.out.Stalled = true
	best := s.out.Residual.Worst()
	s.before.keep(s.out)
	s.proximal.startAgain()
	if s.proximal.solve(team, s.sets.most) || s.against.ask() && s.proximal.solve(team, s.out.Newton+s.MaxNewton) {
		return true
	}
	if s.out.Residual.Worst() > best && !s.bounds() {
		s.before.restore(s.out)
		s.assess(team)
	}
	return false
}

// mostQuickly is the number of blocks up to which the path comes before the proximal method. It needs three solves with
// a factor of A for each contact, which take longer than they gain on large meshes: on 6,561 blocks 15 s.
const mostQuickly = 1500

const (
	progress  = 0.7 // a residual that falls by less stalls
	maxStalls = 2   // how often that may happen before there are only sweeps, or the sets are given up; sweeps are added each time
	// pressStalls is maxStalls of problems with a press, for which sweeps alone are not tried.
	pressStalls = 3
	// basisStalls is maxStalls on a basis, which is known to be solvable but for friction.
	basisStalls = 3
	// mostBetween bounds these sweeps.
	mostBetween = 54
)

// wanderShare is the share of all normal impulses by which one may change before the division of a press's force is
// looked at again.
const wanderShare = 0.02

// stayNear keeps the force of a press divided as it was. A press divides it among its contacts in many ways that all
// balance; sets that had to be looked for may end in another one than the last step's, such as one contact that carries
// most, and sheets slip where nothing presses any more. The proximal method goes to a solution near where it starts. Of
// the two, the one that changes the impulses less is taken.
func (s *Nodal) stayNear(team *par.Team) {
	change := s.wandered()
	if len(s.list) == 0 || s.given.Trial || !s.out.Converged || change <= wanderShare || s.bounds() {
		return
	}
	s.keep()
	steps := s.out.Newton + s.MaxNewton
	s.proximal.startAgain()
	if !s.proximal.solve(team, steps) || s.wandered() >= change {
		s.restore()
		s.assess(team)
	}
}

// judge says which of the bounded contacts are proven to contradict each other, by the proof as it is in the end, and
// measures all others.
func (s *Nodal) judge(team *par.Team) {
	s.out.Elsewhere = s.out.Residual
	if !s.bounds() {
		clear(s.out.Proof)
		return
	}
	if _, err := CheckProof(s.given, s.out.V, s.out.Proof); err != nil {
		clear(s.out.Proof)
	}
	s.boundProven(false)
	for c := range s.out.Infeasible {
		s.out.Infeasible[c] = s.inProof(c)
	}
	s.measure.skip = s.out.Infeasible
	s.assess(team)
	reached := s.out.Residual.Worst() <= s.given.Tolerance
	s.out.Contradicted = reached && slices.Contains(s.out.Infeasible, true)
	s.out.Converged = reached && !s.out.Contradicted
}

func (s *Nodal) finish() {
	s.velocities()
	s.end()
}
