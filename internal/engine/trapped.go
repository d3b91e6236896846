// The residual where nothing is trapped.
//
// Between obstacles that leave no room, such as an arm that goes into the chest with cloth between, there is no
// solution [Li18] section 7.4. Contacts there contradict each other, or friction jams them; the solver bounds their
// impulses, leaves those out of the residual of which it can prove the former, and what is next to them may converge
// slowly. That must not spoil the rest, so it is measured apart: without the vertices of such contacts, their
// neighbours and the neighbours of those, and without contacts of any of them.

package engine

import "github.com/toile-sim/toile/internal/solve"

// trappedRings is how many edges around contacts that contradict each other belong to what is trapped.
const trappedRings = 2

// residualOutsideTraps finds the residual without what is trapped.
func (s *step) residualOutsideTraps() {
	// all of the residual, where nothing was bounded or it converged with contradictions
	s.stats.ResidualElsewhere = s.stats.Residual
	if !s.stats.squeezed() || s.stats.Contradicted {
		return
	}
	w, set, solved := s.w, &s.found.set, &s.found.answer
	A := w.assembly.A
	// blocks of contacts whose impulses were bounded
	trapped := make([]bool, len(s.x0))
	for c := range set.Contacts {
		if solved.Bounded[c] {
			for _, t := range set.Row(c) {
				trapped[t.Block] = true
			}
		}
	}
	// their neighbours, and the neighbours of those
	for range trappedRings {
		was := append([]bool(nil), trapped...)
		for i := range was {
			for p := A.Start[i]; p < A.Start[i+1]; p++ {
				trapped[i] = trapped[i] || was[A.Col[p]]
			}
		}
	}
	// contacts of any of them are left out
	skip := append([]bool(nil), solved.Bounded...)
	for c := range set.Contacts {
		for _, t := range set.Row(c) {
			skip[c] = skip[c] || trapped[t.Block]
		}
	}
	// trapped blocks count as held, besides those that are
	for i, fixed := range w.fixed {
		trapped[i] = trapped[i] || fixed
	}
	rest := s.contactProblem(w.opt.Contact.Tolerance)
	rest.Fixed, rest.Partly = trapped, nil
	for _, p := range s.partly {
		if !trapped[p.Block] {
			rest.Partly = append(rest.Partly, p)
		}
	}
	// the residual of the rest
	measure := solve.Measure{Team: w.team}
	s.stats.ResidualElsewhere = measure.Of(&rest, solved.V, solved.R, skip).Max()
}
