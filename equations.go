package toile

import (
	"time"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// Limit lets every step of Newton's method be made in full.
func (s *step) Limit(_, _ []r3.Vec) float64 { return 1 }

// Fixed tells which blocks handles prescribe.
func (s *step) Fixed() []bool { return s.w.fixed }

// Mass returns the masses of the blocks [kg].
func (s *step) Mass() []float64 { return s.w.mass }

// reach computes v_θ, x_θ and the state of all elements there, for the velocities v or, for a nil v, at the start of
// the step.
func (s *step) reach(v []r3.Vec) {
	s.at = v
	s.w.team.For(len(s.x0), nodeGrain, s.thetaFunc)
	s.w.assembly.Update(s.xTheta, s.vTheta, s.detail)
}

// Linearize assembles A and b near v, and near the start of the step for a nil v.
func (s *step) Linearize(v []r3.Vec) (*sparse.BSR, []r3.Vec) {
	begin := time.Now()
	w := s.w
	s.linearized = v == nil
	s.reach(v)
	th := w.opt.Theta * s.h
	w.assembly.WeighStep(th)
	w.assembly.Matrix(w.inertia, 1)
	A := w.assembly.A
	s.momentum(v, s.b) // b ← g(v)
	s.eachSpring(func(k *holder, i int, node int32) {
		_, hessian := s.pull(k, i, node, v)
		A.Val[A.Diag[node]].AddScaled(th*th, &hessian)
	})
	if v != nil || w.opt.Theta != 1 {
		s.subtractProduct(A, v)
	}
	s.assembling += time.Since(begin)
	return A, s.b
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
	s.reach(v)
	s.w.assembly.Forces()
	s.momentum(v, out)
	s.assembling += time.Since(begin)
}
