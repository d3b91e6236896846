package engine

import (
	"fmt"
)

// checkBounds says that the way of some block leads nowhere.
func (s *step) checkBounds() error {
	for i := range s.x1 {
		if !(s.x0[i].MaxAbs() < farthest && s.x1[i].MaxAbs() < farthest) {
			return fmt.Errorf("vertex %d is on its way to %v m: %w", i, s.x1[i], ErrNotFinite)
		}
	}
	return nil
}

// remember keeps the contacts and impulses of a round for the next.
func (s *step) remember() {
	s.earlier.set.Contacts = append(s.earlier.set.Contacts[:0], s.found.set.Contacts...)
	answer, found := &s.earlier.answer, &s.found.answer
	answer.R, answer.Proof = append(answer.R[:0], found.R...), append(answer.Proof[:0], found.Proof...)
	answer.Bounded = append(answer.Bounded[:0], found.Bounded...)
	answer.Stalled, answer.Unsettled = found.Stalled, found.Unsettled
	s.earlier.h = s.h
}
