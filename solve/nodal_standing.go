package solve

import "github.com/toile-sim/toile/r3"

// standing is where a solution stood. Which contacts are left out is not of it: what is proven stays so.
type standing struct {
	v, r  []r3.Vec
	state []State
}

func (s *standing) keep(out *Contacts) {
	s.v, s.r = append(s.v[:0], out.V...), append(s.r[:0], out.R...)
	s.state = append(s.state[:0], out.State...)
}

func (s *standing) restore(out *Contacts) {
	copy(out.V, s.v)
	copy(out.R, s.r)
	copy(out.State, s.state)
}
