// The equations of a step.
//
// The unknown is the end-of-step velocity v. With v_θ = θ v + (1-θ) v₀, x_θ = x₀ + θ h v_θ, the
// matrix D of drag, frozen at the start of the step, and d K_m(x_θ) of damping, the balance of momentum is
//
//	g(v) = M (v - v₀) - h [ f(x_θ) + M g + f_ext - (D + d K_m) v_θ + D w ] = 0,   x = x₀ + h v_θ.
//
// θ = 1 is backward Euler, θ = ½ the implicit midpoint. One linearization at the start of the step,
// where v_θ = 0, is the linearly implicit scheme of [Baraff98] and [Li18] eq. (2):
//
//	A v + b = 0,   A = M + θh (θh K + d K_m + D).
//
// K is the Hessian of the elastic energy and K_m its material part, which vanishes on rigid
// velocities. Damping uses K_m alone, because the geometric part of a stretched sheet would also brake
// its rotation. Later linearizations, where v_θ is not zero, have in K the stress of damping too: in a step during
// which much is strained it is the larger part, and without it Newton's method overshoots. In the plane of sheets
// K_m(x_θ) v_θ is the change of force by the stress that came on since x₀, over θh, whose derivative is symmetric
// (elastic.Viscous); at x₀ both are the same. What is left out of the derivative of K_m v_θ of others is not symmetric.

package engine

import (
	"time"

	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Limit returns how much of the change dv of v may be made so that no element that must not be is inverted, where
// forces are taken and at the end of the step.
func (s *step) Limit(v, dv []r3.Vec) float64 {
	if !s.barred {
		return 1
	}
	theta := s.w.opt.Theta
	s.at = v
	s.w.team.For(len(s.x0), nodeGrain, s.thetaFunc)
	for i := range dv {
		s.shift[i] = dv[i].Scale(theta * theta * s.h)
	}
	limit := s.w.assembly.Reach(s.xTheta, s.shift)
	if theta == 1 {
		return limit
	}
	for i := range dv {
		s.shift[i] = dv[i].Scale(theta * s.h)
		s.xTheta[i] = s.x0[i].AddScaled(s.h, s.vTheta[i])
	}
	return min(limit, s.w.assembly.Reach(s.xTheta, s.shift))
}

// Inside tells that the guess of velocities is one that Newton's method may start from: it must not leave what Limit
// allows, or is what the equations were solved to in this step, before more was met.
func (s *step) Inside() bool { return s.barred || s.begun }

// Barred tells whether some elements must not be inverted.
func (s *step) Barred() bool { return s.barred }

// startInside takes the start of the step for the guess of velocities, if the guess at hand would invert elements.
func (s *step) startInside() {
	if !s.barred {
		return
	}
	s.at = s.result.V
	s.w.team.For(len(s.x0), nodeGrain, s.thetaFunc)
	for i := range s.shift {
		s.shift[i] = s.vTheta[i].Scale(s.h)
	}
	if s.w.assembly.Reach(s.x0, s.shift) == 1 {
		return
	}
	theta := s.w.opt.Theta
	for i, fixed := range s.w.fixed {
		if !fixed {
			s.result.V[i] = s.v0[i].Scale((theta - 1) / theta) // v_θ = 0
		}
	}
}

// Fixed tells which blocks handles prescribe.
func (s *step) Fixed() []bool { return s.w.fixed }

// Mass returns the masses of the blocks [kg].
func (s *step) Mass() []float64 { return s.w.mass }

// reach computes v_θ, x_θ and the state of all elements there, in some detail, for the velocities v or, for a nil v, at
// the start of the step.
func (s *step) reach(v []r3.Vec, detail element.Detail) {
	s.at = v
	s.w.team.For(len(s.x0), nodeGrain, s.thetaFunc)
	s.w.assembly.Update(s.xTheta, s.vTheta, detail)
}

// balanced returns the detail that a balance of forces needs.
func (s *step) balanced() element.Detail {
	if s.detail == element.Exact {
		return s.detail
	}
	return element.WithRate
}

// Linearize assembles A and b near v, and near the start of the step for a nil v, unless they are at hand.
func (s *step) Linearize(v []r3.Vec) (*sparse.BSR, []r3.Vec) {
	if v == nil && s.linearized {
		return s.w.assembly.A, s.b
	}
	begin := time.Now()
	s.linearized = v == nil
	s.stats.Newton++
	s.assemble(v)
	A := s.w.assembly.A
	if v != nil || s.w.opt.Theta != 1 {
		s.subtractProduct(A, v)
	}
	s.assembling += time.Since(begin)
	return A, s.b
}

// assemble computes A near v, and g(v) in b.
func (s *step) assemble(v []r3.Vec) {
	w := s.w
	if !s.spun && v != nil {
		s.reach(nil, s.detail)
		s.keepStart()
	}
	s.reach(v, s.detail)
	if !s.spun {
		s.keepStart()
	}
	if v != nil {
		s.addDampingStress()
	}
	th := w.opt.Theta * s.h
	w.assembly.WeighStep(th)
	w.assembly.Matrix(w.inertia, 1)
	A := w.assembly.A
	s.momentum(v, s.b) // b ← g(v)
	s.eachSpring(func(k *holder, i int, node int32) {
		_, hessian := s.pull(k, i, node, v)
		A.Val[A.Diag[node]].AddScaled(th*th, &hessian)
	})
}

// keepStart keeps what the equations need of the elements at x₀.
func (s *step) keepStart() {
	if s.damped || s.w.opt.Newton.Iterations > 1 {
		s.w.assembly.Start(s.w.opt.Theta * s.h)
	}
	s.keepSpin()
}

// keepSpin finds what gives back the spin that the geometric part of K takes, from the elements at x₀;
// internal/mech/spin.go has the equations.
func (s *step) keepSpin() {
	theta := s.w.opt.Theta
	s.spun = true
	s.w.assembly.NoteEnergies() // for losses
	s.turning = theta > 0.5 && s.w.assembly.Turn(s.x0, s.v0, s.h, s.turn)
	if !s.turning {
		return
	}
	for i := range s.turn {
		s.turn[i] = s.turn[i].Scale(2*theta - 1)
	}
}

// Refine has the equations linearized as they are from now on, or made positive, as without being asked.
func (s *step) Refine(exact bool) { s.refined = exact }

// addDampingStress makes the derivatives at the last reach count what damping does while things turn. It is left out
// where nothing would change.
func (s *step) addDampingStress() {
	detail := s.detail
	if s.refined {
		detail = element.Exact
	}
	if s.damped || detail != s.detail || s.w.opt.Newton.Iterations > 1 {
		s.w.assembly.Tauten(s.vTheta, detail)
	}
}

// theta computes v_θ and x_θ.
func (s *step) theta(lo, hi int) {
	if s.at == nil {
		copy(s.xTheta[lo:hi], s.x0[lo:hi])
		clear(s.vTheta[lo:hi])
		return
	}
	theta := s.w.opt.Theta
	for i := lo; i < hi; i++ {
		s.vTheta[i] = s.at[i].Scale(theta).AddScaled(1-theta, s.v0[i])
		s.xTheta[i] = s.x0[i].AddScaled(theta*s.h, s.vTheta[i])
	}
}

// momentum writes g(v) to out, from the state of the elements at the last reach.
func (s *step) momentum(v, out []r3.Vec) {
	w := s.w
	s.at, s.out = v, out
	w.team.For(len(out), nodeGrain, s.balanceFunc)
	s.eachSpring(func(k *holder, i int, node int32) {
		force, _ := s.pull(k, i, node, v)
		out[node] = out[node].AddScaled(-s.h, force)
	})
	if v != nil && s.damped {
		w.assembly.Damp(-s.h, s.vTheta, out)
	}
}

// pull returns the force [N] and the Hessian [N/m] by which a weak handle draws one of its blocks at x_θ. At the start
// of the step they are those of the tangent where the block would drift to, brought back to x₀: at x₀ itself the spring
// may not know yet that it is about to give way, and would pull with more than its limit.
func (s *step) pull(k *holder, i int, node int32, v []r3.Vec) (force r3.Vec, hessian r3.Mat) {
	if v != nil {
		_, force, hessian = k.spring(i, s.xTheta[node].Sub(s.aim[node]))
		return force, hessian
	}
	drift := s.v0[node].Scale(s.w.opt.Theta * s.h)
	_, force, hessian = k.spring(i, s.x0[node].Add(drift).Sub(s.aim[node]))
	return force.Add(hessian.MulVec(drift)), hessian
}

// balance writes g to out, without the forces of springs and damping.
func (s *step) balance(lo, hi int) {
	w := s.w
	for i := lo; i < hi; i++ {
		gain := s.v0[i].Scale(-1 / w.opt.Theta) // v - v₀ where v_θ = 0
		if s.at != nil {
			gain = s.at[i].Sub(s.v0[i])
		}
		gain = gain.AddScaled(-s.h, s.fall[i])
		f := w.assembly.Force[i].Add(s.force[i])
		s.out[i] = w.inertia[i].MulVec(gain).AddScaled(-s.h, f)
		if s.turning {
			s.out[i] = s.out[i].Sub(s.turn[i])
		}
	}
}

// eachSpring calls visit for every block held by a weak handle, which has it as its i-th.
func (s *step) eachSpring(visit func(k *holder, i int, node int32)) {
	for i := range s.w.handles {
		k := &s.w.handles[i]
		if k.free() || k.spec.Limit == nil {
			continue
		}
		for i, node := range k.nodes {
			visit(k, i, node)
		}
	}
}

// subtractProduct turns g(v) into b = g(v) - A v.
func (s *step) subtractProduct(A *sparse.BSR, v []r3.Vec) {
	scale := -1.0
	if v == nil {
		// The start of the step is v_θ = 0, that is v = -(1-θ)/θ v₀.
		v, scale = s.v0, (1-s.w.opt.Theta)/s.w.opt.Theta
	}
	A.Mul(s.w.team, v, s.xTheta)
	for i := range s.b {
		s.b[i] = s.b[i].AddScaled(scale, s.xTheta[i])
	}
}

// Balance writes g(v) to out.
func (s *step) Balance(v, out []r3.Vec) {
	begin := time.Now()
	s.reach(v, s.balanced())
	s.w.assembly.Forces()
	s.momentum(v, out)
	s.assembling += time.Since(begin)
}

// unbalanced returns the largest of balance - Jᵀ r over what can move [m/s], where balance is g(v). It changes balance.
func (s *step) unbalanced(balance []r3.Vec) float64 {
	solve.Relieve(balance, s.push, s.partly) // no push without contacts
	return solve.Worst(s.w.mass, balance, s.w.fixed)
}

// arrive computes where the velocities found lead.
func (s *step) arrive() {
	w := s.w
	s.at = s.result.V
	w.team.For(len(s.x0), nodeGrain, s.thetaFunc)
	for i := range w.bodies {
		b := &w.bodies[i]
		b.Arrive(b.of(s.x0), b.of(s.vTheta), s.h, b.of(s.x1))
	}
	for i := range s.x1 {
		if w.fixed[i] {
			s.x1[i] = s.target[i]
		}
	}
}

// holdForces finds the force that each handle exerts in the equations that were solved: what balances its blocks.
func (s *step) holdForces() {
	w := s.w
	A := w.assembly.A
	for i := range w.handles {
		k := &w.handles[i]
		k.exerts = r3.Vec{}
		if k.free() {
			continue
		}
		for j, node := range k.nodes {
			if k.spec.Limit != nil {
				k.exerts = k.exerts.Add(s.pullAtEnd(k, j, node))
				continue
			}
			sum := s.b[node].Sub(s.push[node])
			for p := A.Start[node]; p < A.Start[node+1]; p++ {
				sum = sum.Add(A.Val[p].MulVec(s.result.V[A.Col[p]]))
			}
			// The block leaves with the chord's velocity, not with the one that makes x_θ come out right.
			sum = sum.Sub(w.inertia[node].MulVec(s.result.V[node].Sub(s.chord(int(node)))))
			k.exerts = k.exerts.AddScaled(1/s.h, sum)
		}
	}
}

// pullAtEnd returns the force of a weak handle on a block at the solution: of the tangent that was solved with, if the
// equations were linearized once, else of the spring itself.
func (s *step) pullAtEnd(k *holder, i int, node int32) r3.Vec {
	theta := s.w.opt.Theta
	moved := s.result.V[node].Scale(theta).AddScaled(1-theta, s.v0[node]).Scale(theta * s.h)
	if s.w.opt.Newton.Iterations == 1 {
		force, hessian := s.pull(k, i, node, nil)
		return force.Sub(hessian.MulVec(moved))
	}
	_, force, _ := k.spring(i, s.x0[node].Add(moved).Sub(s.aim[node]))
	return force
}
