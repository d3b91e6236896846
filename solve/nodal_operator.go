// The operator of a Newton step, D A + H + Jᵀ K J, and S, the matrix of its preconditioner; symbols as in nodal_newton.go.

package solve

import (
	"slices"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// extendPattern makes the matrix of the step: the pattern of A with the pairs of coupled contacts.
func (s *Nodal) extendPattern() {
	s.wanted = s.wanted[:0]
	for c := range s.couplings {
		if k := &s.set.Contacts[c]; s.couplings[c].on && k.B != contact.None && s.free(k.A) && s.free(k.B) && s.a.Index(k.A, k.B) < 0 {
			s.wanted = append(s.wanted, [2]int32{k.A, k.B})
		}
	}
	if s.matrixOf == s.a && slices.Equal(s.wanted, s.pairs) {
		return
	}
	s.matrixOf = s.a
	s.pairs = append(s.pairs[:0], s.wanted...)
	if len(s.pairs) == 0 {
		s.matrix = sparse.NewLike(s.a)
		return
	}
	all := slices.Clone(s.pairs)
	for i := range s.a.N {
		for _, j := range s.a.Col[s.a.Start[i]:s.a.Start[i+1]] {
			if int(j) > i {
				all = append(all, [2]int32{int32(i), j})
			}
		}
	}
	s.matrix = sparse.NewBSR(s.a.N, all)
}

// constrain returns D_i g.
func (s *Nodal) constrain(i int, g r3.Vec) r3.Vec {
	if s.held[i] {
		return r3.Vec{}
	}
	if k := s.guided(int32(i)); k >= 0 {
		return s.rails.along(k, g)
	}
	if k := &s.slides[i]; k.on {
		normal := k.normal.Dot(g)
		return g.AddScaled(-normal, k.normal).AddScaled(k.mu*normal, k.tangent)
	}
	return g
}

// assemble fills P A P + H; the normal direction of sliding blocks, which is not used, gets the mean diagonal.
func (s *Nodal) assemble(lo, hi int) {
	a, to := s.a, s.matrix
	for i := lo; i < hi; i++ {
		if s.held[i] {
			continue
		}
		row := &s.slides[i]
		q := to.Start[i]
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			j := a.Col[p]
			for ; to.Col[q] != j; q++ {
				to.Val[q] = r3.Mat{}
			}
			if !s.held[j] {
				m := a.Val[p]
				if row.on {
					m.AddOuter(-1, row.normal, m.MulVecT(row.normal))
				}
				if col := &s.slides[j]; col.on {
					m.AddOuter(-1, m.MulVec(col.normal), col.normal)
				}
				to.Val[q] = m
			}
			q++
		}
		for ; q < to.Start[i+1]; q++ {
			to.Val[q] = r3.Mat{}
		}
		if row.on {
			d := &to.Val[to.Diag[i]]
			side := row.normal.Cross(row.tangent)
			d.AddOuter(row.turn, side, side)
			d.AddOuter(a.Val[a.Diag[i]].Trace()/3, row.normal, row.normal)
		}
	}
}

// assembleCoupled adds Jᵀ K_sym J. Contacts in index order, since several may add to one block.
func (s *Nodal) assembleCoupled() {
	for c := range s.couplings {
		if !s.couplings[c].on || s.couplings[c].state == TakeOff {
			continue
		}
		k := &s.set.Contacts[c]
		m := s.couplings[c].symmetric()
		m = m.Mul(&k.Frame)
		transposed := k.Frame.T()
		m = transposed.Mul(&m)
		s.matrix.Val[s.matrix.Diag[k.A]].Add(&m)
		if k.B == contact.None {
			continue
		}
		s.matrix.Val[s.matrix.Diag[k.B]].Add(&m)
		if s.free(k.A) && s.free(k.B) {
			m = m.Scale(-1)
			s.matrix.Val[s.matrix.Index(k.A, k.B)].Add(&m)
			m = m.T()
			s.matrix.Val[s.matrix.Index(k.B, k.A)].Add(&m)
		}
	}
	for k, guide := range s.list {
		if s.guided(guide.Block) >= 0 {
			d := &s.matrix.Val[s.matrix.Diag[guide.Block]]
			*d = r3.Diagonal(s.list[k].Axis.Dot(d.MulVec(s.list[k].Axis)))
		}
	}
}

// applyNewton computes y = (D A + H + Jᵀ K J) x for x in the range of P.
func (s *Nodal) applyNewton(team *par.Team, x, y []r3.Vec) {
	s.from, s.to = x, y
	team.For(s.a.N, nodeGrain, s.operateRows)
}

// applyStep computes y = P S⁻¹ x: coarse levels know nothing of P.
func (s *Nodal) applyStep(team *par.Team, x, y []r3.Vec) {
	s.step.Apply(team, x, y)
	s.to = y
	team.For(s.a.N, vectorGrain, s.projectRows)
}

func (s *Nodal) project(lo, hi int) {
	for i := lo; i < hi; i++ {
		if k := &s.slides[i]; k.on {
			s.to[i] = s.to[i].AddScaled(-k.normal.Dot(s.to[i]), k.normal)
		} else if g := s.guided(int32(i)); g >= 0 {
			s.to[i] = s.rails.along(g, s.to[i])
		}
	}
}

func (s *Nodal) operate(lo, hi int) {
	a, x := s.a, s.from
	for i := lo; i < hi; i++ {
		if s.held[i] {
			s.to[i] = r3.Vec{}
			continue
		}
		sum := s.constrain(i, a.MulRow(i, x))
		if k := &s.slides[i]; k.on {
			side := k.normal.Cross(k.tangent)
			sum = sum.AddScaled(k.turn*side.Dot(x[i]), side)
		}
		if s.coupledCount > 0 {
			sum = sum.Add(s.operateCoupled(int32(i)))
			if k := s.guided(int32(i)); k >= 0 {
				sum = s.rails.along(k, sum)
			}
		}
		s.to[i] = sum
	}
}

// operateCoupled returns block i of Jᵀ K J x.
func (s *Nodal) operateCoupled(i int32) r3.Vec {
	var sum r3.Vec
	for _, c := range s.touching(i) {
		if k := &s.couplings[c]; k.on && k.state != TakeOff {
			push := s.set.Contacts[c].Frame.MulVecT(k.push(s.along(c, s.from)))
			if s.set.Contacts[c].A == i {
				push = push.Neg()
			}
			sum = sum.Add(push)
		}
	}
	return sum
}
