package engine

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// measure finds the nonlinear residual, how far one more linearization would lead, and the energies at the end of the
// step.
func (s *step) measure() error {
	w := s.w
	v := s.result.V
	s.stats.Nonlinear = s.result.Nonlinear
	if w.opt.Newton.Iterations == 1 {
		w.assembly.Update(s.xTheta, s.vTheta, s.balanced())
		w.assembly.Forces()
		s.momentum(v, s.b)
		s.stats.Nonlinear = s.unbalanced(s.b)
	}
	if w.opt.Newton.Iterations > 1 || w.opt.Theta != 1 {
		w.turnClamps(func(k *holder) r3.Quat { return k.next.R })
		w.assembly.Update(s.x1, s.vTheta, element.EnergyOnly)
	}
	s.stats.Energy = s.energyAt(s.x1)
	s.settleLosses()
	s.stats.Energy.Add(mech.KineticEnergy, w.team.Sum(len(v), s.kineticFunc))
	var most float64
	s.stats.JointGap, s.stats.JointAngle, most = w.widest(s.x1)
	s.stats.Converged = s.stats.Converged && most <= openedBy*w.opt.Contact.Thickness
	s.stats.MaxSpeed = w.team.Max(len(v), s.speedFunc)
	if s.looks() {
		s.lookAhead()
	}
	return nil
}

// energyAt returns the potential energies at positions x, at which the elements were last updated.
func (s *step) energyAt(x []r3.Vec) Energy {
	w := s.w
	s.energy = Energy{}
	e := &s.energy
	w.assembly.AddEnergies(e)
	s.xGravity = x
	e.Add(mech.GravityEnergy, w.team.Sum(len(x), s.gravityFunc))
	s.xGravity = nil
	for i := range w.bodies {
		if b := w.bodies[i].potential; b != nil {
			b.Potential(w.bodies[i].of(x), e)
		}
	}
	s.eachSpring(func(k *holder, i int, node int32) {
		energy, _, _ := k.spring(i, x[node].Sub(s.target[node]))
		e.Add(mech.HandleEnergy, energy)
	})
	return *e
}

func (s *step) kinetic(lo, hi int) float64 {
	sum := 0.0
	for i := lo; i < hi; i++ {
		v := s.result.V[i]
		sum += 0.5 * v.Dot(s.w.inertia[i].MulVec(v))
	}
	return sum
}

func (s *step) gravity(lo, hi int) float64 {
	sum := 0.0
	for i := lo; i < hi; i++ {
		sum -= s.w.inertia[i].MulVec(s.fall[i]).Dot(s.xGravity[i])
	}
	return sum
}

func (s *step) speed(lo, hi int) float64 {
	fastest := 0.0
	for i := lo; i < hi; i++ {
		fastest = max(fastest, s.result.V[i].Norm2())
	}
	return math.Sqrt(fastest)
}

// fastest is the speed above which steps fail with ErrTooFast [m/s]: what a scene may start with, and a little more.
const fastest = 2e4

// check refuses an end of the step that cannot be used.
func (s *step) check() error {
	defer func() { s.stats.Laps.Check = s.took() }()
	if s.dumpError != nil {
		return s.dumpError
	}
	for i := range s.x1 {
		if !s.x1[i].Finite() || !s.result.V[i].Finite() {
			return fmt.Errorf("vertex %d: %w (linear solver: %v)", i, ErrNotFinite, s.result.Status)
		}
		if speed := s.result.V[i].Norm(); speed > fastest {
			return fmt.Errorf("vertex %d, at %.3g m/s: %w", i, speed, ErrTooFast)
		}
	}
	if err := s.accepted(); err != nil {
		return err
	}
	for i := range s.found.answer.R {
		if !s.found.answer.R[i].Finite() || !s.found.answer.U[i].Finite() {
			return fmt.Errorf("impulse of contact %d: %w", i, ErrNotFinite)
		}
	}
	if r := s.stats.Residual + s.stats.Nonlinear; math.IsNaN(r) || math.IsInf(r, 0) {
		return fmt.Errorf("residual %g m/s: %w (linear solver: %v)", r, ErrNotFinite, s.result.Status)
	}
	// Components may be finite while what is computed from them is not.
	if e := s.stats.Energy.Total() + s.stats.MaxSpeed; math.IsNaN(e) || math.IsInf(e, 0) {
		return fmt.Errorf("energy %g J, speed %g m/s: %w", s.stats.Energy.Total(), s.stats.MaxSpeed, ErrNotFinite)
	}
	return nil
}

// accepted returns why a body does not accept where it has come to.
func (s *step) accepted() error {
	for i := range s.w.bodies {
		b := &s.w.bodies[i]
		if b.guard == nil {
			continue
		}
		if err := b.guard.Accept(b.of(s.x0), b.of(s.x1)); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrRefused, s.w.surfaces[b.surface], err)
		}
	}
	return nil
}
