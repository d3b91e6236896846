// Static equilibrium.
//
// Settle minimizes the potential energy Π(x) = E(x) - Σ (m_i g + f_i)·x_i over the vertices that no handle
// prescribes, by Newton's method with a line search: H δ = -∇Π, x ← x + s δ. H is the exact Hessian where
// that is positive definite, which gives quadratic convergence to a stable equilibrium; elsewhere it is the
// projected one plus σ M, which always points downhill. σ [1/s²] acts like a time step of 1/√σ and falls
// as steps succeed, so that free or slack parts neither fly off nor stop the rest.

package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// SettleOptions are the settings of Settle.
type SettleOptions struct {
	// Tolerance ends the search when no vertex would move further in a full Newton step or, where things touch, in a
	// step from rest [m].
	Tolerance float64
	// MaxIterations is the number of Newton steps allowed for each load, or of steps of the world.
	MaxIterations int
	// LoadSteps applies gravity and forces in that many equal parts, one after the other, to follow the
	// path of loading; 1 applies them at once.
	LoadSteps int
	// Step is the time step [s] where things touch. Longer ones get to rest sooner and need more work each.
	Step float64
}

// DefaultSettleOptions returns the settings for a sheet of about a metre.
func DefaultSettleOptions() SettleOptions {
	return SettleOptions{Tolerance: 1e-9, MaxIterations: 500, LoadSteps: 1, Step: 5e-3}
}

// Validate lists everything that is wrong with the options.
func (o SettleOptions) Validate() error {
	var faults []error
	if !(o.Tolerance > 0) {
		faults = append(faults, fmt.Errorf("tolerance %g is not positive", o.Tolerance))
	}
	if o.MaxIterations < 1 {
		faults = append(faults, fmt.Errorf("max iterations %d are fewer than 1", o.MaxIterations))
	}
	if o.LoadSteps < 1 {
		faults = append(faults, fmt.Errorf("load steps %d are fewer than 1", o.LoadSteps))
	}
	if !(o.Step > 0) || math.IsInf(o.Step, 1) {
		faults = append(faults, fmt.Errorf("step %g is not positive", o.Step))
	}
	return errors.Join(faults...)
}

// SettleStats tells how Settle went.
type SettleStats struct {
	Iterations int     // Newton steps, all loads together, or steps of the world
	Move       float64 // the furthest that a vertex would move in one more step [m]
	Force      float64 // the largest force out of balance at a vertex, before the last step [N]; not found where things touch
	Converged  bool
	// Unstable is the number of negative eigenvalues of the Hessian where Settle ended: 0 in a stable
	// equilibrium. It is -1 if it was not found, because the system was too large to factorize.
	Unstable int
	Energy   Energy
	// Crossings is the number of pairs of triangles that cross where it ended; 0 where contacts play no part.
	Crossings int
}

// settleDirectLimit is the size, in blocks, up to which Settle factorizes.
const settleDirectLimit = 60_000

// Settle finds the equilibrium near the present state, sets the velocities to zero and leaves the time as it is.
// Without obstacles, joints and attachments, and without bodies that are guided or bound, it minimizes the energy;
// damping, air, inertia and contacts of the cloth with itself then play no part. With them all gets there by steps, in
// contact; see relax.go. It fails only if the state became unusable, and then is where the last good step left it;
// whether it converged is in the statistics.
func (w *World) Settle(opt SettleOptions) (SettleStats, error) {
	// the options are right, and something can move
	if err := opt.Validate(); err != nil {
		return SettleStats{}, err
	}
	if len(w.pos) == 0 {
		return SettleStats{}, errors.New("nothing to settle: the world has nothing that moves")
	}
	// things that touch or are tied come to rest by steps
	if len(w.obstacles) > 0 || w.constrained() {
		return w.relax(opt)
	}
	// loads grow in equal parts, each from the equilibrium of the one before
	w.build()
	w.team.Enter()
	defer w.team.Leave()
	s := newSettler(w)
	stats := SettleStats{}
	for load := range opt.LoadSteps {
		s.load = float64(load+1) / float64(opt.LoadSteps)
		s.minimize(opt, &stats)
		if err := w.canceler.err(); err != nil {
			return stats, err
		}
		for i := range s.x {
			if !s.x[i].Finite() || !s.down[i].Finite() {
				return stats, fmt.Errorf("settle: vertex %d: %w", i, ErrNotFinite)
			}
		}
	}
	// whether it is stable, and its energy
	stats.Unstable = s.negativeModes()
	w.assembly.Update(s.x, w.vel, element.EnergyOnly)
	stats.Energy = s.p.energyAt(s.x)
	// the world stands still there
	copy(w.pos, s.x)
	w.crossed = unknown
	clear(w.vel)
	return stats, nil
}

// constrained tells whether something is tied together, or some body has guides, rows or an energy of its own, which
// only steps know of.
func (w *World) constrained() bool {
	return len(w.joints)+len(w.attachments) > 0 || slices.ContainsFunc(w.bodies, func(m placedBody) bool {
		return m.guided != nil || m.bound != nil || m.potential != nil
	})
}

// UnstableModes counts the negative eigenvalues of the Hessian of the potential energy over the vertices that no handle
// prescribes: in an equilibrium, the independent ways to fall out of it. It returns -1 if there are too many vertices
// to factorize.
func (w *World) UnstableModes() int {
	if len(w.pos) == 0 {
		return 0
	}
	w.build()
	w.team.Enter()
	defer w.team.Leave()
	return newSettler(w).negativeModes()
}

// settler is a search for equilibrium under way. It borrows the scratch of steps.
type settler struct {
	w       *World
	p       *step
	load    float64 // share of gravity and forces applied
	sigma   float64 // [1/s²]
	regular bool    // σ played no part in the last step
	x       []r3.Vec
	trial   []r3.Vec
	down    []r3.Vec // -∇Π
	delta   []r3.Vec
	chol    sparse.Cholesky
	cg      sparse.CG
	ml      sparse.Multilevel
}

func newSettler(w *World) *settler {
	n := len(w.pos)
	s := &settler{
		w: w, p: &w.scratch,
		x: make([]r3.Vec, n), trial: make([]r3.Vec, n), down: make([]r3.Vec, n), delta: make([]r3.Vec, n),
	}
	copy(s.x, w.pos)
	s.p.observe()
	w.place(now, s.p.target)
	for i := range s.x {
		if w.fixed[i] {
			s.x[i] = s.p.target[i]
		}
	}
	w.turnClamps(func(k *holder) r3.Quat { return k.pose.R })
	w.assembly.WeighRest()
	return s
}

func (s *settler) minimize(opt SettleOptions, stats *SettleStats) {
	stats.Converged = false
	s.sigma = 1
	for range opt.MaxIterations {
		if s.w.canceler.err() != nil {
			return
		}
		stats.Iterations++
		solved := s.direction()
		stats.Force = s.worst(s.down)
		stats.Move = s.worst(s.delta)
		if !solved {
			return
		}
		if stats.Move <= opt.Tolerance {
			if s.regular {
				s.step(1)
				stats.Converged = true
				return
			}
			s.sigma /= 16 // it is σ that holds it back
			continue
		}
		if scale := s.search(); scale > 0 {
			s.step(scale)
			if scale == 1 {
				s.sigma /= 4
			}
		} else {
			s.sigma = max(1, 16*s.sigma)
			if s.sigma > enough {
				return // nothing is downhill any more: rounding
			}
		}
	}
}

func (s *settler) step(scale float64) {
	for i := range s.x {
		s.x[i] = s.x[i].AddScaled(scale, s.delta[i])
	}
}

func (s *settler) worst(v []r3.Vec) float64 {
	worst := 0.0
	for i := range v {
		if !s.w.fixed[i] {
			worst = max(worst, v[i].Norm())
		}
	}
	return worst
}

// hardly is the σ [1/s²] up to which its part of the matrix does not count: the time step of 1/√σ is half a minute.
const hardly = 1e-3

// enough is the σ at which the search gives up.
const enough = 1e12

// direction computes a Newton step. It returns false if there is none, which only numbers that are not finite, or a
// linear solver that did not converge, can cause; s.regular tells whether the step is that of the potential itself.
func (s *settler) direction() bool {
	// large systems: conjugate gradients on the projected matrix
	A, fixed := s.w.assembly.A, s.w.fixed
	if len(s.x) > settleDirectLimit {
		s.assemble(element.Projected, s.sigma)
		clear(s.delta)
		s.ml.Update(s.w.team, A, fixed)
		tolerance := sparse.Tolerance{Norm: sparse.Relative, Bound: 1e-6}
		result := s.cg.Solve(s.w.team, A, fixed, s.down, s.delta, &s.ml, tolerance, 20_000)
		s.regular = s.sigma <= hardly
		return result.Converged
	}
	// small ones: the exact matrix, where that can be factorized
	s.regular = true
	s.assemble(element.Exact, 0)
	if s.chol.Factor(s.w.team, A, fixed) == nil {
		s.chol.Solve(fixed, s.down, s.delta)
		return true
	}
	// otherwise the projected one, with more and more of the masses
	for s.sigma <= enough {
		s.assemble(element.Projected, s.sigma)
		if s.chol.Factor(s.w.team, A, fixed) == nil {
			s.chol.Solve(fixed, s.down, s.delta)
			s.regular = s.sigma <= hardly
			return true
		}
		s.sigma = max(hardly, 4*s.sigma)
	}
	return false
}

// assemble computes -∇Π and the Hessian plus sigma M at x.
func (s *settler) assemble(detail element.Detail, sigma float64) {
	w := s.w
	w.assembly.Update(s.x, w.vel, detail)
	w.assembly.Matrix(w.inertia, sigma)
	for i := range s.down {
		s.down[i] = r3.Vec{}
		if !w.fixed[i] {
			s.down[i] = w.assembly.Force[i].Add(s.applied(i))
		}
	}
	s.p.eachSpring(func(k *holder, i int, node int32) {
		_, force, hessian := k.spring(i, s.x[node].Sub(s.p.target[node]))
		s.down[node] = s.down[node].Add(force)
		w.assembly.A.Val[w.assembly.A.Diag[node]].Add(&hessian)
	})
}

// applied returns gravity and the force from outside on block i [N].
func (s *settler) applied(i int) r3.Vec {
	return s.w.inertia[i].MulVec(s.p.fall[i]).Add(s.p.force[i]).Scale(s.load)
}

// potential returns Π, relative to where the search began [J].
func (s *settler) potential(x []r3.Vec) float64 {
	s.w.assembly.Update(x, s.w.vel, element.EnergyOnly)
	e := s.p.energyAt(x)
	e.Add(mech.GravityEnergy, -e.Of(mech.GravityEnergy))
	sum := e.Total()
	for i := range x {
		sum -= s.applied(i).Dot(x[i].Sub(s.p.x0[i]))
	}
	return sum
}

// search returns how far to go along delta so that Π falls by Armijo's share of what its slope promises, 0
// if it does not fall. It starts where no element is inverted that must not be.
func (s *settler) search() float64 {
	const share = 1e-4
	start := s.potential(s.x)
	slope := 0.0
	for i := range s.down {
		slope += s.down[i].Dot(s.delta[i])
	}
	// Below this a difference of potentials is rounding, and the step is taken.
	noise := 1e-14 * (math.Abs(start) + s.scaleOfWork())
	for scale := s.w.assembly.Reach(s.x, s.delta); scale > 1e-8; scale /= 2 {
		for i := range s.x {
			s.trial[i] = s.x[i].AddScaled(scale, s.delta[i])
		}
		if s.potential(s.trial) <= start-share*scale*slope+noise {
			return scale
		}
	}
	return 0
}

// scaleOfWork returns the size of the terms that the potential is a difference of [J].
func (s *settler) scaleOfWork() float64 {
	sum := 0.0
	for i := range s.x {
		sum += math.Abs(s.applied(i).Dot(s.x[i].Sub(s.p.x0[i])))
	}
	return sum
}

// negativeModes counts the negative eigenvalues of the Hessian at x, -1 if the system is too large.
func (s *settler) negativeModes() int {
	if len(s.x) > settleDirectLimit {
		return -1
	}
	s.assemble(element.Exact, 0)
	// A motion that costs nothing must not be counted as one that pays because of rounding.
	A := s.w.assembly.A
	for i := range s.x {
		d := &A.Val[A.Diag[i]]
		d.AddDiagonal(1e-14 * d.Trace() / 3)
	}
	_ = s.chol.Factor(s.w.team, A, s.w.fixed) // that A is not positive is what Negative tells
	return s.chol.Negative()
}
