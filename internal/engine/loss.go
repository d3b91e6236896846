// What steps take by themselves. Forces inside of a body neither turn it nor, but for its damping, take energy. As a
// step applies them, linearized and with the levers of x₀, they may do both. With the impulse Jᵢ of these forces on
// block i, as it follows from the balance of the step,
//
//	Jᵢ = M (v₁ - v₀) - h (M g + f_ext + f_air) - contacts - handles,
//
// and the levers ℓᵢ = x₀ + (1-θ) h v₀ about the centre of mass, x₁ = x₀ + h v_θ makes it exact, for any θ, that
//
//	L₁ - L₀ = Σ ℓᵢ x Jᵢ + Σ ℓᵢ x all other impulses,
//	½ v₁·M v₁ - ½ v₀·M v₀ = Σ ½ (v₀ + v₁)·Jᵢ + Σ ½ (v₀ + v₁)·all other impulses.
//
// So what the step has taken of angular momentum is -Σ ℓᵢ x Jᵢ, and of energy -Σ ½ (v₀ + v₁)·Jᵢ, less what elements
// hold more than before and less what damping takes at the mean velocities of the step, h v_θ·d K_m v_θ. Weight and
// other forces count with their impulses: that heights are those of v_θ and not of ½ (v₀ + v₁) adds up to no more than
// h/2 times the change of the rate of fall.

package engine

import (
	"slices"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

func (t *bodySum) add(u *bodySum) {
	t.mass, t.place = t.mass+u.mass, t.place.Add(u.place)
	t.moving.AddScaled(1, &u.moving)
	t.internal.AddScaled(1, &u.internal)
}

// about returns a moment about the centre of mass.
func (t *bodySum) about(p *mech.Push) r3.Vec {
	return p.Moment.Sub(t.place.Scale(1 / t.mass).Cross(p.Sum))
}

// make lists the bodies that have elements between their points.
func (l *losses) make(s *step) {
	*l = losses{lever: make([]r3.Vec, len(s.b)), mean: make([]r3.Vec, len(s.b)), sum: s.lossRange}
	part, chunks := 0, 0
	for i := range s.w.bodies {
		b := &s.w.bodies[i]
		parts := b.Parts()
		if slices.ContainsFunc(parts, func(p mech.Part) bool { return !p.OfVelocity }) {
			l.of, l.member = append(l.of, BodyLoss{Surface: b.surface}), append(l.member, i)
			l.part = append(l.part, part)
			chunks = max(chunks, b.count/nodeGrain+1)
		}
		part += len(parts)
	}
	l.partial = make([]bodySum, chunks)
}

// weighLosses finds what the equations that were solved do to angular momentum and energy, from elements in the state
// for which they were linearized, and v_θ.
func (s *step) weighLosses() {
	w, l := s.w, &s.loss
	for k := range l.of {
		out, b := &l.of[k], &w.bodies[l.member[k]]
		all := s.impulses(k)
		damped := 0.0
		for i := range b.Parts() {
			damped += s.h * w.assembly.Dissipated(l.part[k]+i, s.vTheta)
		}
		momentum, taken := all.about(&all.moving), all.about(&all.internal).Neg()
		out.Loss = Loss{Known: b.isWhole(), Spin: momentum.Norm(), Damped: damped}
		out.SpinLost = taken.Norm()
		if out.Spin > 0 {
			out.SpinLost = taken.Dot(momentum) / out.Spin
		}
		out.EnergyLost = -all.internal.Work - damped
	}
}

// impulses sums up J and momenta over a body.
func (s *step) impulses(k int) (all bodySum) {
	w, l := s.w, &s.loss
	b := &w.bodies[l.member[k]]
	l.first = b.first
	w.team.For(b.count, nodeGrain, l.sum)
	for c := 0; c*nodeGrain < b.count; c++ {
		all.add(&l.partial[c])
	}
	s.eachSpring(func(h *holder, i int, node int32) {
		if n := int(node); n >= b.first && n < b.first+b.count {
			all.internal.Add(l.lever[n], l.mean[n], s.pullAtEnd(h, i, node).Scale(-s.h))
		}
	})
	for i := range b.Parts() {
		blown := w.assembly.Blown(l.part[k]+i, s.vTheta, l.lever, l.mean)
		all.internal.AddScaled(-s.h, &blown)
	}
	return all
}

func (s *step) lossRange(lo, hi int) {
	w, l := s.w, &s.loss
	var sum bodySum
	origin, early := s.x0[l.first], (1-w.opt.Theta)*s.h
	for i := l.first + lo; i < l.first+hi; i++ {
		v0, v1, m := s.v0[i], s.result.V[i], &w.inertia[i]
		l.lever[i] = s.x0[i].Sub(origin).AddScaled(early, v0)
		l.mean[i] = v0.Lerp(v1, 0.5)
		impulse := m.MulVec(v1.Sub(v0).AddScaled(-s.h, s.fall[i])).AddScaled(-s.h, s.force[i])
		if w.fixed[i] {
			impulse = impulse.Sub(s.balanceOf(i))
		} else {
			impulse = impulse.Sub(s.push[i])
		}
		sum.mass += w.mass[i]
		sum.place = sum.place.AddScaled(w.mass[i], l.lever[i])
		sum.moving.Add(l.lever[i], r3.Vec{}, m.MulVec(v0))
		sum.internal.Add(l.lever[i], l.mean[i], impulse)
	}
	l.partial[lo/nodeGrain] = sum
}

// balanceOf returns A v + b of a block: what contacts and handles give it.
func (s *step) balanceOf(i int) r3.Vec {
	A, sum := s.w.assembly.A, s.b[i]
	for p := A.Start[i]; p < A.Start[i+1]; p++ {
		sum = sum.Add(A.Val[p].MulVec(s.result.V[A.Col[p]]))
	}
	return sum
}

// isWhole reports whether nothing ties elements of a body to the world, which might turn it.
func (m *placedBody) isWhole() bool { return len(m.clampHolder) == 0 }

// settleLosses takes account of what elements hold at the end, and sums up.
func (s *step) settleLosses() {
	w, l, all := s.w, &s.loss, &s.stats.Loss
	ended := s.stats.Failsafe.Rounds == 0 && s.stats.Untangling.Blocks == 0
	for k := range l.of {
		out := &l.of[k]
		for i, p := range w.bodies[l.member[k]].Parts() {
			if !p.OfVelocity {
				out.EnergyLost -= w.assembly.Gained(l.part[k] + i)
			}
		}
		if out.Known = out.Known && ended; !out.Known {
			out.Loss = Loss{}
			continue
		}
		all.Known = true
		all.Spin, all.SpinLost = all.Spin+out.Spin, all.SpinLost+out.SpinLost
		all.EnergyLost, all.Damped = all.EnergyLost+out.EnergyLost, all.Damped+out.Damped
	}
}
