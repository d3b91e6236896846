package solve

const (
	patience = 10  // changes of multipliers after which a contact that is as violated as before is called infeasible, unless they were soft
	asBefore = 0.9 // the share of a violation that counts as all of it; each change of multipliers should leave a fraction
)

// findContradictions marks contacts that cannot hold together with others, such as two walls that close on a node: their multipliers grow
// with every change and the violation stays. A marked contact keeps the impulse it has, which bounds it, and the others are solved with it.
func (s *Nodal) findContradictions() {
	if s.rounds%patience != 0 {
		return
	}
	for c := range s.before {
		now := s.out.U[c].X
		if s.rounds > patience && s.stiffness >= 1 && now < -s.Tolerance && now < asBefore*s.before[c] && s.out.R[c].X > 0 {
			s.out.Infeasible[c] = true
		}
		s.before[c] = now
	}
}
