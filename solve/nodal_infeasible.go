package solve

// patience is the number of changes of multipliers after which contacts that are as violated as before are looked at.
const patience = 10

// findContradictions marks contacts that cannot hold together with others, such as two walls that close on a node: their multipliers grow
// with every change and the violation stays. By Farkas' lemma they contradict each other if the drift of their impulses, which the blocks do not feel, lets
// none of their group open; otherwise the drift is walked (nodal_drift.go). A marked contact keeps the impulse it has, which bounds it, and the others are solved with it.
func (s *Nodal) findContradictions() {
	if s.rounds%patience != 0 {
		return
	}
	if s.rounds > patience && s.stiffness >= 1 {
		s.walkDrift()
		for c := range s.set.Contacts {
			if s.stalled(c) && s.out.U[c].X < -s.Tolerance && s.out.R[c].X > 0 && s.opens[s.groupOf(c)] < 0 {
				s.out.Infeasible[c] = true
			}
		}
	}
	s.remember()
}
