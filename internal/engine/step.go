// One time step: its phases, and how it is halved where it fails. What it solves is in equations.go and contacts.go;
// docs/step.md walks through it.

package engine

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

// Step advances the world by h seconds, or fails and leaves it untouched. What would cross and did not before is
// brought apart by the fail-safe, which Stats.Failsafe tells about. Joints that turn too much in it to be held are left
// open, which Stats.JointGap reports, and give no energy.
func (w *World) Step(h float64) (Stats, error) { return w.stepOrRevert(h, false) }

// TryStep is Step without the fail-safe: where something would cross that did not before, it fails with ErrCrossing,
// and where the solver is far from a solution, with ErrUnsolved. It refuses nothing where little of its budget is left.
func (w *World) TryStep(h float64) (Stats, error) { return w.stepOrRevert(h, true) }

func (w *World) stepOrRevert(h float64, refuse bool) (Stats, error) {
	w.budget.begin(&w.opt.Contact)
	stats, err := w.step(h, refuse)
	if err != nil {
		w.revert()
	}
	return stats, err
}

func (w *World) step(h float64, refuse bool) (Stats, error) {
	if !(h > 0) || math.IsInf(h, 0) {
		return Stats{}, fmt.Errorf("step of %g s is not positive", h)
	}
	if len(w.pos) == 0 {
		return Stats{}, errors.New("nothing to simulate: the world has nothing that moves")
	}
	if err := w.canceler.err(); err != nil {
		return Stats{}, err
	}
	w.build()
	w.team.Enter()
	defer w.team.Leave()

	if err := w.adapt(); err != nil { // refine what bends, moves or touches: [Li18] section 5
		return Stats{}, fmt.Errorf("step at t = %.6g s: %w", w.time, err)
	}
	s := &w.scratch
	s.h, s.refuse = h, refuse && !w.budget.short()
	if err := s.run(); err != nil {
		s.undrive()
		return s.stats, fmt.Errorf("step at t = %.6g s: %w", w.time, err)
	}
	w.commit(s)
	w.dump = nil // a step without contacts has no problem
	return s.stats, nil
}

// run goes through the phases, and refuses an end that cannot be used.
func (s *step) run() error {
	for p, run := range course {
		if err := run(s); err != nil {
			return err
		}
		s.ended(phase(p))
		if err := s.w.canceler.err(); err != nil {
			return err
		}
	}
	return s.check()
}

// course is what a step does, phase by phase.
var course = [phases]func(*step) error{
	beginning:   (*step).begin,     // x₀ ← x, v₀ ← v, and what changes over time
	posing:      (*step).pose,      // bodies, handles and obstacles, where they are at t + h
	detecting:   (*step).detect,    // contacts near x₀ or met on the way
	solving:     (*step).solve,     // v and r; detects again while new contacts appear
	integrating: (*step).integrate, // x ← x₀ + h v_θ
	guarding:    (*step).guard,     // nothing crosses that did not before
	untangling:  (*step).untangle,  // what was crossed before
	measuring:   (*step).measure,   // energies and the nonlinear residual
}

// Advance advances the world by dt seconds in equal steps of at most maxStep, or shorter ones where a body asks for
// them. A step that fails is halved and tried
// again, at most Options.MaxHalvings times, and so is one that would cross or is far from solved, at most
// Options.Contact.Halvings times before it is taken as it is, with the fail-safe. each, which may be nil, is called
// after every step. On failure the world is where the last good step left it, and if it is stopped (SetContext) where
// the last whole one did.
func (w *World) Advance(dt, maxStep float64, each func(Stats)) error {
	if !(dt > 0) || !(maxStep > 0) || math.IsInf(dt, 0) {
		return fmt.Errorf("advance by %g s in steps of %g s: both must be positive", dt, maxStep)
	}
	// A quotient that rounding put just above a whole number does not make one more step.
	count := max(1, math.Ceil(dt/maxStep*(1-1e-12)))
	if count > 1e9 {
		return fmt.Errorf("advance by %g s in steps of %g s: too many steps", dt, maxStep)
	}
	w.moveTime = w.time + dt
	defer func() { w.moveTime = math.Inf(-1) }()
	for range int(count) {
		if err := w.stepPaced(dt/count, each); err != nil {
			w.revert()
			return w.canceler.undo(w, err)
		}
	}
	return nil
}

// stepPaced advances by h, in as many steps as bodies that limit these ask for; each is a whole one.
func (w *World) stepPaced(h float64, each func(Stats)) error {
	for left := h; left > 0; {
		take := left
		if pace := w.pace(); !(pace > 0) || left/pace > mostPaced {
			return fmt.Errorf("a body allows steps of %g s, of the %g s that are left", pace, left)
		} else if parts := math.Ceil(left / pace * (1 - 1e-12)); parts > 1 {
			take = left / parts
		}
		w.budget.begin(&w.opt.Contact)
		if err := w.stepHalving(take, 0, 0, each); err != nil {
			return err
		}
		w.canceler.begin = nil
		left -= take
	}
	return nil
}

// mostPaced is how many parts bodies may cut a step into.
const mostPaced = 1e9

// pace returns how long the next step may be at most [s].
func (w *World) pace() float64 {
	pace := math.Inf(1)
	for i := range w.bodies {
		if p := w.bodies[i].pacer; p != nil {
			pace = min(pace, p.MaxStep())
		}
	}
	return pace
}

// stepHalving takes a step, or two halves of it if that fails. Of the halvings so far, refusals were because something
// would have crossed or the solver was far from a solution.
func (w *World) stepHalving(h float64, halvings, refusals int, each func(Stats)) error {
	begin, remeshing := time.Now(), w.remeshed.took
	if w.replaced == nil {
		remeshing = 0
	}
	stats, err := w.step(h, refusals < w.opt.Contact.Halvings)
	if err == nil {
		stats.Halvings = halvings
		stats.Laps.Refused, w.refused = w.refused, 0
		if each != nil {
			each(stats)
		}
		return nil
	}
	w.refused += time.Since(begin) - (w.remeshed.took - remeshing)
	if stopped := w.canceler.err(); stopped != nil {
		return stopped // whatever the step failed for, it is not halved now
	}
	if halvings == 0 {
		w.canceler.remember(w)
	}
	if errors.Is(err, ErrCrossing) || errors.Is(err, ErrUnsolved) {
		refusals++
	} else if errors.Is(err, ErrUnsupported) {
		return err
	} else if halvings-refusals == w.opt.MaxHalvings {
		return fmt.Errorf("after halving the step %d times: %w", halvings, err)
	}
	for range 2 {
		if err := w.stepHalving(h/2, halvings+1, refusals, each); err != nil {
			return err
		}
	}
	return nil
}

func (s *step) begin() error {
	// the time at its end
	w, h := s.w, s.h
	s.end = w.time + h
	if w.timeFrozen {
		s.end = w.time
	}
	// statistics and laps begin anew
	s.stats = Stats{Step: w.steps + 1, Time: s.end, H: h}
	for _, i := range w.sheets {
		s.stats.Vertices += w.bodies[i].count
		s.stats.Triangles += len(w.bodies[i].sheet.Triangles())
	}
	s.stats.Remesh, s.stats.Laps.Remesh = w.remeshed.counts, w.remeshed.took
	s.lap = time.Now()
	// tracks give numbers their values
	s.drive()
	// nothing is linearized or solved yet
	s.assembling, s.linearized, s.prepared, s.refined, s.begun = 0, false, false, false, false
	s.turning, s.spun = false, false
	s.detail = element.Projected
	if w.opt.Newton.Exact {
		s.detail = element.Exact
	}
	// damping may change from step to step
	part := 0
	for i := range w.bodies {
		for _, p := range w.bodies[i].Parts() {
			if part < w.assembly.Parts() {
				w.assembly.SetDamping(part, p.Damping)
			}
			part++
		}
	}
	if part != w.assembly.Parts() {
		return fmt.Errorf("bodies have %d parts, and %d were laid out", part, w.assembly.Parts())
	}
	s.damped, s.barred = w.assembly.Damped(), w.assembly.Barred()
	// x₀, v₀ and external forces
	copy(s.x0, w.pos)
	copy(s.v0, w.vel)
	w.applied(s.force)
	if err := s.forcesAreNumbers(); err != nil {
		return err
	}
	// no impulses yet
	clear(s.push)
	s.dumpError = nil
	return nil
}

// pose finds where handles are at the end of the step and guesses velocities: those prescribed, and
// the last ones elsewhere.
func (s *step) pose() error {
	w := s.w
	// obstacles and bodies learn of the step
	if err := s.poseObstacles(); err != nil {
		return err
	}
	s.beginBodies(s.h, w.opt.Air)
	// velocities of the last step are the guess
	copy(s.result.V, s.v0)
	theta := w.opt.Theta
	// handles go along their paths, or with what they follow
	for i := range w.handles {
		switch k := &w.handles[i]; {
		case k.released:
		case k.spec.Follow == nil:
			k.advance(w.time, s.end, w.moveTime)
		default:
			if err := s.follow(k); err != nil {
				return err
			}
		}
	}
	// where held blocks are wanted, and where that is at x_θ
	w.place(now, s.aim)
	w.place(later, s.target)
	for i := range s.aim {
		if !w.held[i] {
			continue
		}
		s.aim[i] = s.aim[i].Lerp(s.target[i], theta)
		// blocks of exact handles: v with which v_θ leads to the target
		if w.fixed[i] {
			s.result.V[i] = s.chord(i).AddScaled(theta-1, s.v0[i]).Scale(1 / theta)
		}
	}
	// clamps turn with their handles
	w.turnClamps(func(k *holder) r3.Quat { return k.pose.R.Slerp(k.next.R, theta) })
	s.stats.Laps.Pose = s.took()
	return nil
}

// solve finds v and r, and solves again with what was met on the way, as often as that finds something new, and where
// joints would open. Where layers of cloth touch, that is to be expected, and the tolerance is met in the end only.
func (s *step) solve() error {
	w := s.w
	for i, v := range s.result.V {
		if !v.Finite() || !s.x0[i].Finite() { // a solver might get over it, and end elsewhere
			return fmt.Errorf("position or velocity of block %d at the start: %w", i, ErrNotFinite)
		}
	}
	s.startInside()
	before, rough, assembled := &w.last, s.refines(), s.assembling
	var once time.Duration // detection and solves before anything was added
	for done := false; !done; before = &s.earlier {
		if s.found.set.Len() == 0 {
			s.found.answer.Resize(len(s.x0), 0)
			w.solver.Solve(s, &s.result)
			solve.Guide(w.assembly.A, s.b, s.partly, s.v0, s.result.V)
		} else {
			if err := s.solveContacts(before, rough); err != nil {
				return err
			}
			if err := s.refuseNonlinear(squeezedBy); err != nil { // further rounds would not mend that
				return err
			}
		}
		if err := w.canceler.err(); err != nil {
			return err
		}
		s.begun = true
		s.stats.Linear += s.result.Linear
		s.stats.Laps.Solve += s.took()
		if s.stats.Rounds == 0 {
			once = s.stats.Laps.Solve + s.stats.Laps.Detect
		}
		switch {
		case s.stats.Spent:
			if rough {
				s.writeProblem()
			}
			done = true
		case s.stats.Rounds-s.tied.rounds < w.opt.Contact.Rounds && !s.wild() && s.detectOnPath():
			s.stats.Rounds++
			rough = s.refines()
		case s.tieAgain():
			s.stats.Rounds++
		case rough:
			s.remember()
			rough = false
		case s.calm():
			s.stats.Rounds++
		default:
			done = true
		}
	}
	s.stats.Laps.Refine = s.stats.Laps.Solve + s.stats.Laps.Detect - once
	s.show()
	s.stats.Residual, s.stats.Floor = s.result.Residual, s.floor()
	s.tied.work = s.workOfTies()
	s.holdForces()
	s.fillStats()
	s.stats.Contradicted = s.result.Converged && s.stats.Infeasible > 0 && !s.stats.Spent
	s.stats.Converged = s.result.Converged && !s.stats.Contradicted && !s.stats.Spent
	s.residualOutsideTraps()
	s.stats.Laps.Assemble = s.assembling
	s.stats.Laps.Solve += s.took() - (s.assembling - assembled)
	return s.refuseUnsolved()
}

func (s *step) integrate() error {
	s.arrive()
	s.weighLosses()
	for i := range s.x1 {
		if s.w.fixed[i] {
			s.result.V[i] = s.chord(i)
		}
	}
	s.stats.Laps.Integrate = s.took()
	return nil
}

// commit makes the end of the step the state of the world.
func (w *World) commit(s *step) {
	// Copied, not swapped: callers hold views.
	copy(w.pos, s.x1)
	copy(w.vel, s.result.V)
	s.weighSpins(-1)
	for i := range w.bodies {
		w.bodies[i].Commit(w.bodies[i].of(w.pos))
	}
	s.weighSpins(1)
	w.tieBalance = s.settleTies()
	w.time = s.end
	if !w.timeFrozen {
		w.steps++
	}
	for i := range w.handles {
		if k := &w.handles[i]; !k.released {
			k.pose, k.force, k.gripped = k.next, k.exerts, false
		}
	}
	w.commitObstacles(s)
	w.commitContacts(s)
	w.crossed = s.stats.Crossings
	w.replaced = nil
}
