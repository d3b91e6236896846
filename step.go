// One time step.
//
// The unknown is the end-of-step velocity v. With v_θ = θ v + (1-θ) v₀, x_θ = x₀ + θ h v_θ, the
// matrix D of drag, frozen at the start of the step, and d K_m(x_θ) of damping, the balance of momentum is
//
//	g(v) = M (v - v₀) - h [ f(x_θ) + M g + f_ext - (D + d K_m) v_θ + D w ] = 0,   x = x₀ + h v_θ.
//
// θ = 1 is backward Euler, θ = ½ the implicit midpoint. One linearization at the start of the step,
// where v_θ = 0, is the linearly implicit scheme of [Baraff98] and [Li18] eq. (2):
//
//	A v + b = 0,   A = M + θh (θh K + d K_m + D).
//
// K is the Hessian of the elastic energy and K_m its material part, which vanishes on rigid
// velocities. Damping uses K_m alone, because the geometric part of a stretched sheet would also brake
// its rotation.

package toile

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/solve"
	"github.com/toile-sim/toile/sparse"
	"github.com/toile-sim/toile/untangle"
)

// Step advances the world by h seconds, or fails and leaves it untouched. What would cross and did not before is
// brought apart by the fail-safe, which Stats.Failsafe tells about.
func (w *World) Step(h float64) (Stats, error) { return w.stepOrRevert(h, false) }

// TryStep is Step without the fail-safe: where something would cross that did not before, it fails with ErrCrossing,
// and where the solver is far from a solution, with ErrUnsolved.
func (w *World) TryStep(h float64) (Stats, error) { return w.stepOrRevert(h, true) }

func (w *World) stepOrRevert(h float64, refuse bool) (Stats, error) {
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
	if len(w.cloths) == 0 {
		return Stats{}, errors.New("nothing to simulate: the world has no cloth")
	}
	w.build()
	w.team.Enter()
	defer w.team.Leave()

	if err := w.adapt(); err != nil { // refine what bends, moves or touches: [Li18] section 5
		return Stats{}, fmt.Errorf("step at t = %.6g s: %w", w.time, err)
	}
	s := w.begin(h) // x₀ ← x, v₀ ← v, and what changes over time
	s.ended(beginning)
	err := s.pose() // handles and obstacles, where they are at t + h
	s.ended(posing)
	if err == nil {
		err = s.detect() // contacts near x₀ or met on the way
		s.ended(detecting)
	}
	if err == nil {
		err = s.solve() // v and r; detects again while new contacts appear
		s.ended(solving)
	}
	if err == nil {
		err = s.solved(refuse)
	}
	if err == nil {
		s.integrate() // x ← x₀ + h v_θ
		s.ended(integrating)
		err = s.guard(refuse) // nothing crosses that did not before
		s.ended(guarding)
	}
	if err == nil {
		s.untangle() // what was crossed before
		s.ended(untangling)
	}
	if err == nil {
		s.measure() // energies and the nonlinear residual
		s.ended(measuring)
		err = s.check() // finite
	}
	if err != nil {
		s.undrive()
		return s.stats, fmt.Errorf("step at t = %.6g s: %w", w.time, err)
	}
	w.commit(s)
	return s.stats, nil
}

// phase is a part of a step.
type phase int

const (
	beginning phase = iota
	posing
	detecting
	solving
	integrating
	guarding
	untangling
	measuring
	phases // how many
)

// ended lets a test put a fault in after a phase.
func (s *step) ended(p phase) {
	if s.w.fault != nil {
		s.w.fault(s, p)
	}
}

// Advance advances the world by dt seconds in equal steps of at most maxStep. A step that fails is halved and tried
// again, at most Options.MaxHalvings times, and so is one that would cross or is far from solved, at most
// Options.Contact.Halvings times before it is taken as it is, with the fail-safe. each, which may be nil, is called
// after every step. On failure the world is where the last good step left it.
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
		if err := w.stepHalving(dt/count, 0, 0, each); err != nil {
			w.revert()
			return err
		}
	}
	return nil
}

// stepHalving takes a step, or two halves of it if that fails. Of the halvings so far, refusals were because something
// would have crossed or the solver was far from a solution.
func (w *World) stepHalving(h float64, halvings, refusals int, each func(Stats)) error {
	begin, remeshing := time.Now(), w.remeshed.took
	if w.before == nil {
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

// step is the scratch of one step. It is kept between steps so that a steady one allocates nothing,
// and it is the solve.Problem of its step.
type step struct {
	w     *World
	h     float64
	end   float64 // time at the end of the step [s]
	stats Stats
	lap   time.Time

	x0, v0 []r3.Vec
	force  []r3.Vec // from outside, and what drives presses [N]
	target []r3.Vec // where held blocks are wanted at the end of the step
	aim    []r3.Vec // and where forces are taken, at x_θ
	xTheta []r3.Vec
	vTheta []r3.Vec
	b      []r3.Vec
	x1     []r3.Vec
	result solve.Result
	detail elastic.Detail
	// linearized tells that A and b are those of the start of the step.
	linearized bool
	// What Assembly.Damp takes to add h d K_m v_θ: -h d for each part. All zero unless damped.
	damping []float64
	damped  bool

	assembling time.Duration

	// Contact.
	touching  bool // there is something to touch
	sheets    []contact.Sheet
	walls     []contact.Obstacle
	presses   []untangle.Guide
	partly    []solve.Partial // presses, as solvers see them
	past      []contact.Past
	now       touch // what was found and solved
	before    touch // the same one round ago, as far as Carry needs it
	problem   solve.ContactProblem
	rough     bool // it need not be solved to the tolerance yet
	contacts  solve.Touching
	readyFunc func(*solve.ContactProblem)
	rounding  solve.Rounding
	push      []r3.Vec // Jᵀ r by block
	dumpError error
	safe      safe

	speedFunc, kineticFunc, gravityFunc func(lo, hi int) float64
	thetaFunc, balanceFunc              func(lo, hi int)
	at, out                             []r3.Vec // arguments of the loops under way
	xGravity                            []r3.Vec // argument of energyAt under way
}

func (s *step) resize(w *World) {
	n := len(w.pos)
	*s = step{w: w}
	for _, p := range []*[]r3.Vec{
		&s.x0, &s.v0, &s.force, &s.target, &s.aim, &s.xTheta, &s.vTheta, &s.b, &s.x1, &s.push, &s.result.V,
	} {
		*p = make([]r3.Vec, n)
	}
	s.damping = make([]float64, w.assembly.Parts())
	s.speedFunc, s.kineticFunc, s.gravityFunc = s.speed, s.kinetic, s.gravity
	s.thetaFunc, s.balanceFunc = s.theta, s.balance
	s.readyFunc = s.ready
}

func (w *World) begin(h float64) *step {
	s := &w.scratch
	s.h = h
	s.end = w.time + h
	if w.still {
		s.end = w.time
	}
	s.stats = Stats{Step: w.steps + 1, Time: s.end, H: h}
	for i := range w.cloths {
		s.stats.Vertices += w.cloths[i].count
		s.stats.Triangles += len(w.cloths[i].spec.Mesh.Tri)
	}
	s.stats.Remesh, s.stats.Laps.Remesh = w.remeshed.counts, w.remeshed.took
	s.lap = time.Now()
	s.drive()
	s.assembling, s.linearized = 0, false
	s.detail = elastic.Projected
	if w.opt.Newton.Exact {
		s.detail = elastic.Exact
	}
	s.damped = false
	for i := range w.cloths {
		c := &w.cloths[i]
		d := c.damping
		if c.varied() {
			d = 1 // times that of the element
		}
		s.damping[c.membranePart], s.damping[c.bendingPart] = -h*d, -h*d
		s.damped = s.damped || d != 0
		c.shorten(s.end)
	}
	copy(s.x0, w.pos)
	copy(s.v0, w.vel)
	w.applied(s.force)
	clear(s.push)
	s.dumpError = nil
	return s
}

// took returns the time since the last lap and starts the next.
func (s *step) took() time.Duration {
	now := time.Now()
	d := now.Sub(s.lap)
	s.lap = now
	return d
}

// pose finds where handles are at the end of the step and guesses velocities: those prescribed, and
// the last ones elsewhere.
func (s *step) pose() error {
	w := s.w
	if err := s.poseObstacles(); err != nil {
		return err
	}
	copy(s.result.V, s.v0)
	theta := w.opt.Theta
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
	w.place(now, s.aim)
	w.place(later, s.target)
	for i := range s.aim {
		if !w.held[i] {
			continue
		}
		s.aim[i] = s.aim[i].Lerp(s.target[i], theta)
		if w.fixed[i] {
			s.result.V[i] = s.chord(i).AddScaled(theta-1, s.v0[i]).Scale(1 / theta)
		}
	}
	w.turnClamps(func(k *holder) r3.Quat { return k.pose.R.Slerp(k.next.R, theta) })
	for i := range w.cloths {
		c := &w.cloths[i]
		if c.airPart != noPart {
			to := c.first + c.count
			c.air.Begin(w.team, s.x0[c.first:to], s.v0[c.first:to], w.opt.Air.Density, w.opt.Air.Wind)
		}
	}
	s.stats.Laps.Pose = s.took()
	return nil
}

// chord returns the mean velocity that brings block i to its target [m/s].
func (s *step) chord(i int) r3.Vec { return s.target[i].Sub(s.x0[i]).Scale(1 / s.h) }

// solve finds v and r, and solves again with what was met on the way, as often as that finds something new. Where
// layers of cloth touch, that is to be expected, and the tolerance is met in the end only.
func (s *step) solve() error {
	w := s.w
	before, rough := &w.touch, s.layered()
	var once time.Duration // detection and solves before anything was added
	for done := false; !done; before = &s.before {
		if s.now.set.Len() == 0 {
			s.now.solved.Resize(len(s.x0), 0)
			w.solver.Solve(s, &s.result)
		} else {
			if err := s.solveContacts(before, rough); err != nil {
				return err
			}
		}
		s.stats.Linear += s.result.Linear
		s.stats.Laps.Solve += s.took()
		if s.stats.Rounds == 0 {
			once = s.stats.Laps.Solve + s.stats.Laps.Detect
		}
		switch {
		case s.stats.Rounds < w.opt.Contact.Rounds && s.meet():
			s.stats.Rounds++
			rough = s.layered()
		case rough:
			s.remember()
			rough = false
		default:
			done = true
		}
	}
	s.stats.Laps.Refine = s.stats.Laps.Solve + s.stats.Laps.Detect - once
	s.stats.Residual, s.stats.Converged = s.result.Residual, s.result.Converged
	s.stats.Floor = s.floor()
	s.holdForces()
	s.tell()
	s.elsewhere()
	s.stats.Laps.Assemble = s.assembling
	s.stats.Laps.Solve += s.took() - s.assembling
	return nil
}

// Limit lets every step of Newton's method be made in full.
func (s *step) Limit(_, _ []r3.Vec) float64 { return 1 }

// Fixed tells which blocks handles prescribe.
func (s *step) Fixed() []bool { return s.w.fixed }

// Mass returns the masses of the blocks [kg].
func (s *step) Mass() []float64 { return s.w.mass }

// reach computes v_θ, x_θ and the state of all elements there, for the velocities v or, for a nil v, at the start of
// the step.
func (s *step) reach(v []r3.Vec) {
	s.at = v
	s.w.team.For(len(s.x0), nodeGrain, s.thetaFunc)
	s.update(s.xTheta, s.vTheta, s.detail)
}

// Linearize assembles A and b near v, and near the start of the step for a nil v, unless they are at hand.
func (s *step) Linearize(v []r3.Vec) (*sparse.BSR, []r3.Vec) {
	if v == nil && s.linearized {
		return s.w.assembly.A, s.b
	}
	begin := time.Now()
	w := s.w
	s.linearized = v == nil
	s.stats.Newton++
	s.reach(v)
	th := w.opt.Theta * s.h
	for i := range w.cloths {
		c := &w.cloths[i]
		sheet := body.Weights{Material: th * (th + c.damping), Geometric: th * th}
		if c.varied() {
			sheet.Material, sheet.Damping = th*th, th
		}
		w.assembly.SetWeights(c.membranePart, sheet)
		w.assembly.SetWeights(c.bendingPart, sheet)
		if c.airPart != noPart {
			w.assembly.SetWeights(c.airPart, body.Weights{Material: th})
		}
		if c.seamPart != noPart {
			w.assembly.SetWeights(c.seamPart, body.Weights{Material: th * th, Geometric: th * th})
		}
	}
	w.assembly.Matrix(w.mass)
	A := w.assembly.A
	s.momentum(v, s.b) // b ← g(v)
	s.eachSpring(func(k *holder, i int, node int32) {
		_, hessian := s.pull(k, i, node, v)
		A.Val[A.Diag[node]].AddScaled(th*th, &hessian)
	})
	if v != nil || w.opt.Theta != 1 {
		s.subtractProduct(A, v)
	}
	s.assembling += time.Since(begin)
	return A, s.b
}

// update computes the state of all elements at positions x and, for the air, velocities v.
func (s *step) update(x, v []r3.Vec, detail elastic.Detail) {
	for i := range s.w.cloths {
		c := &s.w.cloths[i]
		s.w.assembly.Update(c.membranePart, x, detail)
		s.w.assembly.Update(c.bendingPart, x, detail)
		if c.airPart != noPart {
			s.w.assembly.Update(c.airPart, v, detail)
		}
		if c.seamPart != noPart {
			s.w.assembly.Update(c.seamPart, x, detail)
		}
	}
}

// nodeGrain is the chunk of loops over blocks.
const nodeGrain = 1024

// theta computes v_θ and x_θ.
func (s *step) theta(lo, hi int) {
	if s.at == nil {
		copy(s.xTheta[lo:hi], s.x0[lo:hi])
		clear(s.vTheta[lo:hi])
		return
	}
	theta := s.w.opt.Theta
	for i := lo; i < hi; i++ {
		s.vTheta[i] = s.at[i].Scale(theta).AddScaled(1-theta, s.v0[i])
		s.xTheta[i] = s.x0[i].AddScaled(theta*s.h, s.vTheta[i])
	}
}

// momentum writes g(v) to out, from the state of the elements at the last reach.
func (s *step) momentum(v, out []r3.Vec) {
	w := s.w
	s.at, s.out = v, out
	w.team.For(len(out), nodeGrain, s.balanceFunc)
	s.eachSpring(func(k *holder, i int, node int32) {
		force, _ := s.pull(k, i, node, v)
		out[node] = out[node].AddScaled(-s.h, force)
	})
	if v != nil && s.damped {
		w.assembly.Damp(s.damping, s.vTheta, out)
	}
}

// pull returns the force [N] and the Hessian [N/m] by which a weak handle draws one of its blocks at x_θ. At the start
// of the step they are those of the tangent where the block would drift to, brought back to x₀: at x₀ itself the spring
// may not know yet that it is about to give way, and would pull with more than its limit.
func (s *step) pull(k *holder, i int, node int32, v []r3.Vec) (force r3.Vec, hessian r3.Mat) {
	if v != nil {
		_, force, hessian = k.spring(i, s.xTheta[node].Sub(s.aim[node]))
		return force, hessian
	}
	drift := s.v0[node].Scale(s.w.opt.Theta * s.h)
	_, force, hessian = k.spring(i, s.x0[node].Add(drift).Sub(s.aim[node]))
	return force.Add(hessian.MulVec(drift)), hessian
}

// balance writes g to out, without the forces of springs and damping.
func (s *step) balance(lo, hi int) {
	w := s.w
	for i := lo; i < hi; i++ {
		gain := s.v0[i].Scale(-1 / w.opt.Theta) // v - v₀ where v_θ = 0
		if s.at != nil {
			gain = s.at[i].Sub(s.v0[i])
		}
		gain = gain.AddScaled(-s.h, w.opt.Gravity)
		f := w.assembly.Force[i].Add(s.force[i])
		s.out[i] = gain.Scale(w.mass[i]).AddScaled(-s.h, f)
	}
}

// eachSpring calls visit for every block held by a weak handle, which has it as its i-th.
func (s *step) eachSpring(visit func(k *holder, i int, node int32)) {
	for i := range s.w.handles {
		k := &s.w.handles[i]
		if k.free() || k.spec.Limit == nil {
			continue
		}
		for i, node := range k.nodes {
			visit(k, i, node)
		}
	}
}

// subtractProduct turns g(v) into b = g(v) - A v.
func (s *step) subtractProduct(A *sparse.BSR, v []r3.Vec) {
	scale := -1.0
	if v == nil {
		// The start of the step is v_θ = 0, that is v = -(1-θ)/θ v₀.
		v, scale = s.v0, (1-s.w.opt.Theta)/s.w.opt.Theta
	}
	A.Mul(s.w.team, v, s.xTheta)
	for i := range s.b {
		s.b[i] = s.b[i].AddScaled(scale, s.xTheta[i])
	}
}

// Balance writes g(v) to out.
func (s *step) Balance(v, out []r3.Vec) {
	begin := time.Now()
	s.reach(v)
	s.w.assembly.Forces()
	s.momentum(v, out)
	s.assembling += time.Since(begin)
}

// holdForces finds the force that each handle exerts in the equations that were solved: what balances its blocks.
func (s *step) holdForces() {
	w := s.w
	A := w.assembly.A
	for i := range w.handles {
		k := &w.handles[i]
		k.exerts = r3.Vec{}
		if k.free() {
			continue
		}
		for j, node := range k.nodes {
			if k.spec.Limit != nil {
				k.exerts = k.exerts.Add(s.pullAtEnd(k, j, node))
				continue
			}
			sum := s.b[node].Sub(s.push[node])
			for p := A.Start[node]; p < A.Start[node+1]; p++ {
				sum = sum.Add(A.Val[p].MulVec(s.result.V[A.Col[p]]))
			}
			// The block leaves with the chord's velocity, not with the one that makes x_θ come out right.
			sum = sum.AddScaled(-w.mass[node], s.result.V[node].Sub(s.chord(int(node))))
			k.exerts = k.exerts.AddScaled(1/s.h, sum)
		}
	}
}

// pullAtEnd returns the force of a weak handle on a block at the solution: of the tangent that was solved with, if the
// equations were linearized once, else of the spring itself.
func (s *step) pullAtEnd(k *holder, i int, node int32) r3.Vec {
	theta := s.w.opt.Theta
	moved := s.result.V[node].Scale(theta).AddScaled(1-theta, s.v0[node]).Scale(theta * s.h)
	if s.w.opt.Newton.Iterations == 1 {
		force, hessian := s.pull(k, i, node, nil)
		return force.Sub(hessian.MulVec(moved))
	}
	_, force, _ := k.spring(i, s.x0[node].Add(moved).Sub(s.aim[node]))
	return force
}

func (s *step) integrate() {
	s.arrive()
	for i := range s.x1 {
		if s.w.fixed[i] {
			s.result.V[i] = s.chord(i)
		}
	}
	s.stats.Laps.Integrate = s.took()
}

// arrive computes where the velocities found lead.
func (s *step) arrive() {
	w := s.w
	s.at = s.result.V
	w.team.For(len(s.x0), nodeGrain, s.thetaFunc)
	for i := range s.x1 {
		s.x1[i] = s.x0[i].AddScaled(s.h, s.vTheta[i])
		if w.fixed[i] {
			s.x1[i] = s.target[i]
		}
	}
}

// commit makes the end of the step the state of the world.
func (w *World) commit(s *step) {
	// Copied, not swapped: callers hold views.
	copy(w.pos, s.x1)
	copy(w.vel, s.result.V)
	w.time = s.end
	if !w.still {
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
	w.before = nil
}
