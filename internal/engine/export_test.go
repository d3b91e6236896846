package engine

// LeaveSpin has steps leave the spin that the geometric part of stiffness takes, as they did before it was given back.
func (w *World) LeaveSpin() {
	w.fault = func(s *step, p phase) {
		if p == beginning {
			s.spun = true
		}
	}
}

// Unsettled returns solve.Contacts.Unsettled of the last step.
func (w *World) Unsettled() int { return int(w.last.answer.Unsettled) }
