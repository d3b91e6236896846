package engine

import (
	"math"

	"github.com/toile-sim/toile/internal/solve"
)

// A look costs about one linearization without contacts. With contacts a step costs many of these, without them about
// two, so that looks take some hundredth of the time.
const (
	lookInContact = 16 // in steps with contacts, one of so many is looked at
	lookFree      = 64 // in others
)

// looks reports whether this step is one of those that are looked at. What the fail-safe has changed does not solve any
// equations.
func (s *step) looks() bool {
	every := lookFree
	if s.found.set.Len() > 0 {
		every = lookInContact
	}
	return s.stats.Step%every == 0 && s.stats.Failsafe.Rounds == 0 && s.stats.Untangling.Blocks == 0
}

// lookAhead finds how far one more linearization would move the end of the step, contacts held as they are. It uses up
// the matrix and the state of the elements.
func (s *step) lookAhead() {
	w, v := s.w, s.result.V
	s.Refine(false)
	s.assemble(v)
	s.linearized = false
	solve.Relieve(s.b, s.push, s.partly)
	problem := s.contactProblem(0)
	delta := s.ahead.Find(w.team, &problem, &s.found.answer, s.b)
	a, mass := &s.stats.Ahead, 0.0
	for i, dv := range delta {
		move := s.h * dv.Norm()
		a.Worst = max(a.Worst, move)
		a.Mean += move * w.mass[i]
		if !w.fixed[i] {
			mass += w.mass[i]
		}
	}
	if mass > 0 {
		a.Mean /= mass
	}
	a.Known = !math.IsNaN(a.Mean+a.Worst) && !math.IsInf(a.Mean+a.Worst, 0)
	if !a.Known {
		*a = Ahead{}
	}
}
