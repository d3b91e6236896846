package solve

import "github.com/toile-sim/toile/r3"

// standing is where a solution stood.
type standing struct {
	v, r  []r3.Vec
	state []State
	void  []bool // contacts that were marked as infeasible
	proof []r3.Vec
}

func (s *standing) keep(out *Contacts) {
	s.v, s.r = append(s.v[:0], out.V...), append(s.r[:0], out.R...)
	s.state, s.void = append(s.state[:0], out.State...), append(s.void[:0], out.Infeasible...)
	s.proof = append(s.proof[:0], out.Proof...)
}

func (s *standing) restore(out *Contacts) {
	copy(out.V, s.v)
	copy(out.R, s.r)
	copy(out.State, s.state)
	copy(out.Infeasible, s.void)
	copy(out.Proof, s.proof)
}
