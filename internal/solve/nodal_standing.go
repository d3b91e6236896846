package solve

import "github.com/toile-sim/toile/r3"

// standing is where a solution stood.
type standing struct {
	v, r    []r3.Vec
	state   []State
	bounded []bool
}

func (s *standing) keep(out *Contacts) {
	s.v, s.r = append(s.v[:0], out.V...), append(s.r[:0], out.R...)
	s.state, s.bounded = append(s.state[:0], out.State...), append(s.bounded[:0], out.Bounded...)
}

func (s *standing) restore(out *Contacts) {
	copy(out.V, s.v)
	copy(out.R, s.r)
	copy(out.State, s.state)
	copy(out.Bounded, s.bounded)
}
