// A Newton step on the current sets: contacts that take off are left alone, sticking ones hold their node, sliding ones keep u_N = 0 and
// the tangential law
//
//	r_T + μ r_N t = 0,   t = u_T/‖u_T‖,   r = E (A v + b)_i.
//
// With n the normal, T = I - n nᵀ and everything in world axes the step δ, in the range of P, solves
//
//	D A δ + H δ = -D (A v + b),   P_i = D_i = I (no contact or take-off),   P_i = 0 (stick),
//	P_i = T, D_i = T + μ t nᵀ, H_i = μ r_N/‖u_T‖ (T - t tᵀ) (slide).
//
// The sweeps in between update the sets: at a single node they apply the exact law, so that together this is a semi-smooth Newton method on
// the problem of [Li18] eq. (8), in the way of the primal-dual active sets of [Hintermuller02], with a Gauss-Seidel sweep in place of a
// line search. A sliding node that the step would turn around stops instead.
//
// The operator is not symmetric, because friction feels the change of the normal impulse and not the reverse; so it is solved by GMRES, preconditioned
// by a multilevel cycle for its symmetric part S = P A P + H, which has the pattern of A.
//
// Contacts that share a node with others, and those of two free nodes, keep their impulses during the step.

package solve

import (
	"math"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// newton is the workspace of Newton steps.
type newton struct {
	cg    sparse.CG
	pre   sparse.Multilevel
	gmres gmres

	rhs, delta, image []r3.Vec
	held              []bool  // blocks that do not move in the step
	slides            []slide // by block
	matrix            *sparse.BSR
	matrixOf          *sparse.BSR

	assembleRows, projectRows func(lo, hi int)
	from, to                  []r3.Vec
	apply                     func(team *par.Team, x, y []r3.Vec)
}

// slide is what the law of a sliding contact says about its block. A zero normal means that the block is free.
type slide struct {
	normal, tangent r3.Vec
	mu, turn        float64 // turn = μ r_N/‖u_T‖, the stiffness against a change of direction [kg]
	on              bool
}

func (s *Nodal) prepareNewton(a *sparse.BSR) {
	n := a.N
	s.rhs, s.delta, s.image = resized(s.rhs, n), resized(s.delta, n), resized(s.image, n)
	s.held, s.slides = resized(s.held, n), resized(s.slides, n)
	if s.assembleRows == nil {
		s.assembleRows, s.projectRows, s.apply = s.assemble, s.project, s.applyNewton
	}
}

// newtonStep moves v to the solution on the current sets, as far as the residual asks for.
func (s *Nodal) newtonStep(team *par.Team, residual float64) {
	s.out.Newton++
	if s.matrixOf != s.a {
		s.matrix, s.matrixOf = sparse.NewLike(s.a), s.a
	}
	s.chooseSets()
	for i := range s.rhs {
		s.rhs[i] = s.constrain(i, s.measure.balance[i]).Neg()
		s.delta[i] = r3.Vec{}
	}
	team.For(s.a.N, nodeGrain, s.assembleRows)
	s.pre.Update(team, s.matrix, s.held)
	reduction := max(newtonForcing, 0.1*s.Tolerance/residual)
	s.out.Linear += s.gmres.solve(team, s.apply, &s.pre, s.rhs, s.delta, reduction, s.Linear)
	for i := range s.delta {
		if s.held[i] {
			continue
		}
		next := s.out.V[i].Add(s.delta[i])
		if k := &s.slides[i]; k.on {
			next = s.keepDirection(i, next)
		}
		if next.Finite() {
			s.out.V[i] = next
		}
	}
}

// newtonForcing is how far a linear solve reduces its residual: less makes more Newton steps, more makes the first ones too exact.
const newtonForcing = 1e-3

// keepDirection stops a sliding block that would slide back.
func (s *Nodal) keepDirection(i int, next r3.Vec) r3.Vec {
	c := s.touch[s.touchStart[i]]
	k := &s.set.Contacts[c]
	now := s.out.V[i]
	u := k.Frame.MulVecT(s.out.U[c]) // world axes; s.out.U is of now
	step := next.Sub(now)
	if k.A != int32(i) {
		step = step.Neg()
	}
	if after := u.Add(step); after.Dot(s.slides[i].tangent) > 0 {
		return next
	}
	stop := u.Neg()
	if k.A != int32(i) {
		stop = u
	}
	return now.Add(stop)
}

// chooseSets writes held and slides from the states of the last sweep, and takes the impulses of these contacts out of the balance.
func (s *Nodal) chooseSets() {
	for i := range s.held {
		s.held[i] = s.isFixed(int32(i))
		s.slides[i].on = false
	}
	for c := range s.set.Contacts {
		k := &s.set.Contacts[c]
		s.out.U[c] = s.measure.velocity(c)
		block := k.A
		if k.B != contact.None && s.isFixed(k.A) {
			block = k.B
		} else if k.B != contact.None && !s.isFixed(k.B) {
			continue
		}
		if s.isFixed(block) {
			continue
		}
		if len(s.touching(block)) > 1 {
			continue
		}
		for _, t := range s.set.Row(c) {
			s.measure.balance[t.Block] = s.measure.balance[t.Block].Add(t.M.MulVecT(s.out.R[c]))
		}
		switch state := s.out.State[c]; {
		case state == Stick && k.Mu > 0:
			s.held[block] = true
		case state != TakeOff:
			u := s.out.U[c]
			slip := math.Hypot(u.Y, u.Z)
			sl := slide{normal: k.Frame.MulVecT(r3.V(1, 0, 0)), mu: k.Mu, on: true}
			if slip > 0 {
				sl.tangent = k.Frame.MulVecT(r3.V(0, u.Y/slip, u.Z/slip))
				sl.turn = k.Mu * max(0, s.out.R[c].X) / slip
			}
			s.slides[block] = sl
		default:
			s.out.R[c] = r3.Vec{}
		}
	}
}

// constrain returns D_i g.
func (s *Nodal) constrain(i int, g r3.Vec) r3.Vec {
	if s.held[i] {
		return r3.Vec{}
	}
	if k := &s.slides[i]; k.on {
		normal := k.normal.Dot(g)
		return g.AddScaled(-normal, k.normal).AddScaled(k.mu*normal, k.tangent)
	}
	return g
}

// assemble fills S = P A P + H; the normal direction of sliding blocks, which is not used, gets the mean diagonal.
func (s *Nodal) assemble(lo, hi int) {
	a := s.a
	for i := lo; i < hi; i++ {
		if s.held[i] {
			continue
		}
		row := &s.slides[i]
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			j := a.Col[p]
			if s.held[j] {
				continue
			}
			m := a.Val[p]
			if row.on {
				x := m.MulVecT(row.normal)
				m.AddOuter(-1, row.normal, x)
			}
			if col := &s.slides[j]; col.on {
				y := m.MulVec(col.normal)
				m.AddOuter(-1, y, col.normal)
			}
			s.matrix.Val[p] = m
		}
		if row.on {
			d := &s.matrix.Val[a.Diag[i]]
			side := row.normal.Cross(row.tangent)
			d.AddOuter(row.turn, side, side)
			d.AddOuter(a.Val[a.Diag[i]].Trace()/3, row.normal, row.normal)
		}
	}
}

// applyNewton computes y = (D A + H) x for x in the range of P.
func (s *Nodal) applyNewton(team *par.Team, x, y []r3.Vec) {
	s.from, s.to = x, y
	team.For(s.a.N, nodeGrain, s.projectRows)
}

func (s *Nodal) project(lo, hi int) {
	a, x := s.a, s.from
	for i := lo; i < hi; i++ {
		if s.held[i] {
			s.to[i] = r3.Vec{}
			continue
		}
		var sum r3.Vec
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			sum = sum.Add(a.Val[p].MulVec(x[a.Col[p]]))
		}
		sum = s.constrain(i, sum)
		if k := &s.slides[i]; k.on {
			side := k.normal.Cross(k.tangent)
			sum = sum.AddScaled(k.turn*side.Dot(x[i]), side)
		}
		s.to[i] = sum
	}
}
