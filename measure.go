package toile

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/r3"
)

// measure finds the nonlinear residual and the energies at the end of the step.
func (s *step) measure() {
	w := s.w
	v := s.result.V
	s.stats.Nonlinear = s.result.Nonlinear
	if w.opt.Newton.Iterations == 1 {
		s.update(s.xTheta, s.vTheta, s.detail)
		w.assembly.Forces()
		s.momentum(v, s.b)
		s.stats.Nonlinear = s.unbalanced(s.b)
	}
	if w.opt.Newton.Iterations > 1 || w.opt.Theta != 1 {
		w.turnClamps(func(k *holder) r3.Quat { return k.next.R })
		s.update(s.x1, s.vTheta, elastic.EnergyOnly)
	}
	s.stats.Energy = s.energyAt(s.x1)
	s.stats.Energy.Kinetic = w.team.Sum(len(v), s.kineticFunc)
	s.stats.MaxSpeed = w.team.Max(len(v), s.speedFunc)
}

// energyAt returns the potential energies at positions x, at which the elements were last updated.
func (s *step) energyAt(x []r3.Vec) Energy {
	w := s.w
	var e Energy
	for i := range w.cloths {
		c := &w.cloths[i]
		e.Membrane += w.assembly.Energy(c.membranePart)
		e.Bending += w.assembly.Energy(c.bendingPart)
		if c.seamPart != noPart {
			e.Seams += w.assembly.Energy(c.seamPart)
		}
	}
	s.xGravity = x
	e.Gravity = w.team.Sum(len(x), s.gravityFunc)
	s.xGravity = nil
	for i := range w.obstacles {
		if k := &w.obstacles[i]; k.press != contact.None {
			e.Gravity += w.mass[k.press] * w.opt.Gravity.Dot(x[k.press]) // driven, not heavy
			e.Presses -= k.spec.Press.Force * (k.travel + x[k.press].Dot(k.axisAt(k.next)))
		}
	}
	s.eachSpring(func(k *holder, i int, node int32) {
		energy, _, _ := k.spring(i, x[node].Sub(s.target[node]))
		e.Handles += energy
	})
	return e
}

func (s *step) kinetic(lo, hi int) float64 {
	sum := 0.0
	for i := lo; i < hi; i++ {
		sum += 0.5 * s.w.mass[i] * s.result.V[i].Norm2()
	}
	return sum
}

func (s *step) gravity(lo, hi int) float64 {
	sum := 0.0
	for i := lo; i < hi; i++ {
		sum -= s.w.mass[i] * s.w.opt.Gravity.Dot(s.xGravity[i])
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

// ErrNotFinite means that a step led to positions or velocities that are not numbers, or so large that contacts cannot
// be told.
var ErrNotFinite = errors.New("the result is not finite")

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
	}
	for i := range s.now.solved.R {
		if !s.now.solved.R[i].Finite() || !s.now.solved.U[i].Finite() {
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

// Crossings counts the pairs of triangles that cross in the state as it is, and triangles with a point inside an
// analytic obstacle (of planes, vertices), and names the first. It knows of no contacts of a cloth with itself if the
// options do not.
func (w *World) Crossings() (count int, first Crossing) {
	if len(w.cloths) == 0 {
		return 0, Crossing{}
	}
	w.build()
	if !w.scratch.touching {
		return 0, Crossing{}
	}
	w.team.Enter()
	defer w.team.Leave()
	skins := slices.Clone(w.scratch.skins[:w.skinOf(0)])
	for i := range w.obstacles {
		k := &w.obstacles[i]
		skins = append(skins, k.skin(k.pose, k.pose, k.x))
	}
	w.finder.Begin(skins)
	found := w.finder.Crossings(w.pos)
	return found.Count, found.First
}

// Energy returns the energies of the state as it is [J]. It takes about as long as assembling a step.
func (w *World) Energy() Energy {
	if len(w.cloths) == 0 {
		return Energy{}
	}
	w.build()
	w.team.Enter()
	defer w.team.Leave()
	s := &w.scratch
	w.place(now, s.target)
	w.turnClamps(func(k *holder) r3.Quat { return k.pose.R })
	s.update(w.pos, w.vel, elastic.EnergyOnly)
	e := s.energyAt(w.pos)
	copy(s.result.V, w.vel)
	e.Kinetic = w.team.Sum(len(w.vel), s.kineticFunc)
	return e
}
