// Spots: points that joints and attachments hold together. A spot belongs to a rigid body, lies among vertices, or is
// fixed in the world.
//
// Two spots are tied by a row that gives them the same velocity, linear in the velocities of the blocks. A rigid body
// does not move along straight lines, and what a linear row leaves out would open a joint by ½ h² ω² p in every step.
// So rows are those of the motion that is to be expected: a vector p of a body, which the mean spin ω* takes from p₀ to
// p₁ in a step of h seconds, moves by
//
//	v + ω × l + k,   k = (p₁ - p₀)/h - ω* × l,
//
// exactly for ω = ω*. That is the spin of the free motion at first; where gaps end wider than they should, it is the
// one that was found, and the step is solved again. The lever l leads to where the impulse r acts, one place for both
// sides, at which it keeps angular momentum: with x₁ = x₀ + h (θ v₁ + (1-θ) v₀), x × m v changes by (x₀ + (1-θ) h v₀) ×
// r.
//
// A gap g that is there at the start, because a spin changed in a step or something was brought apart, is closed by a
// relative velocity of -g/h. If a gap is wider than what closes at drawSpeed, all gaps of the world close by the same
// part, so that joints in loops never ask for what they cannot have.
//
// A velocity u with which two spots part at the start would come back as -u (1-θ)/θ from every step, for ever with
// θ = ½. So a part η of it is let pass: with u and g/h as unknowns, what is left after a step is
//
//	u₁ = -(1-2η) u - 2 g/h,   g₁/h = η u,
//
// which η = 0.1 makes smaller by √0.2 in each step.

package engine

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// drawSpeed is how fast what is tied and has come apart is drawn together at most [m/s]. All at once it would act like
// an explosion.
const drawSpeed = 0.1

// enoughTied is how much wider than asked for a gap may end for the step not to be solved again, in thicknesses, and
// mostTied how often it is at most.
const (
	enoughTied = 0.01
	mostTied   = 8
)

// passing is η/(1-θ).
const passing = 0.2

// firstOf returns the first block of a bearer that is not the world.
func (w *World) firstOf(b owner) int32 {
	return int32(w.bodies[b].first)
}

// surfaceOf returns the surface of a bearer that is not the world.
func (w *World) surfaceOf(b owner) SurfaceID {
	return w.bodies[b].surface
}

// nameOfBearer says what a bearer that is not the world is.
func (w *World) nameOfBearer(b owner) string {
	kind := "body"
	if w.bodies[b].sheet != nil {
		kind = "cloth"
	}
	return fmt.Sprintf("%s %q", kind, w.surfaces[w.surfaceOf(b)])
}

// spotAt returns where a spot is when blocks are at x.
func (w *World) spotAt(p *tieEnd, x []r3.Vec) r3.Vec {
	switch {
	case p.on == theWorld:
		return p.own
	case p.rigid != nil:
		own := w.bodies[p.on].of(x)
		return own[0].Add(p.rigid.TurnAt(own).Rotate(p.own))
	}
	return p.among(w.firstOf(p.on), x)
}

// among returns the mean of an array by block over the vertices that carry a spot.
func (p *tieEnd) among(first int32, x []r3.Vec) (mean r3.Vec) {
	for i, v := range p.vertex {
		mean = mean.AddScaled(p.weight[i], x[first+v])
	}
	return mean
}

// pushed returns where a spot is as far as momentum goes: at the part 1-θ of the motion that is expected.
func (s *step) pushed(p *tieEnd) r3.Vec {
	part := 1 - s.w.opt.Theta
	switch {
	case p.on == theWorld:
		return p.own
	case p.rigid != nil:
		from, to := p.rigid.Turn().Rotate(p.own), p.rigid.ExpectedTurn().Rotate(p.own)
		return s.pushedCentre(p).Add(from.Lerp(to, part))
	}
	first := s.w.firstOf(p.on)
	return p.among(first, s.x0).AddScaled(part*s.h, p.among(first, s.v0))
}

// pushedCentre is pushed for the centre of the rigid body that a spot belongs to.
func (s *step) pushedCentre(p *tieEnd) r3.Vec {
	first := s.w.firstOf(p.on)
	return s.x0[first].AddScaled((1-s.w.opt.Theta)*s.h, s.v0[first])
}

// pushPlace returns where the impulse between two spots acts: half way between them if both can turn, else at the one
// that cannot; at the first if the second is fixed in the world.
func (s *step) pushPlace(a, b *tieEnd) r3.Vec {
	switch {
	case b.on == theWorld || a.rigid == nil:
		return s.pushed(a)
	case b.rigid == nil:
		return s.pushed(b)
	}
	return s.pushed(a).Lerp(s.pushed(b), 0.5)
}

// row is a row of a tie in the making.
type row struct {
	terms [5]contact.Term
	count int
	bend  r3.Vec // what the terms leave out of the motion that is to be expected [m/s]
	apart r3.Vec // how fast the two sides part at the start [m/s]
}

func (r *row) add(block int32, w float64, m r3.Mat) {
	r.terms[r.count] = contact.Term{Block: block, W: w, M: m}
	r.count++
}

// addSpot adds the velocity of a spot, times sign, as it is pushed at a place.
func (s *step) addSpot(r *row, p *tieEnd, place r3.Vec, sign float64) {
	if p.on == theWorld {
		return
	}
	first := s.w.firstOf(p.on)
	if p.rigid == nil {
		for i, v := range p.vertex {
			weight := sign * p.weight[i]
			r.add(first+v, weight, r3.Diagonal(weight))
			r.apart = r.apart.AddScaled(weight, s.v0[first+v])
		}
		return
	}
	from, to := p.rigid.Turn().Rotate(p.own), p.rigid.ExpectedTurn().Rotate(p.own)
	lever := place.Sub(s.pushedCentre(p))
	turning := r3.Cross(lever)
	r.add(first, sign, r3.Diagonal(sign))
	r.add(first+1, 0, turning.Scale(-sign/p.rigid.Length()))
	r.bend = r.bend.AddScaled(sign, to.Sub(from).Scale(1/s.h).Sub(p.rigid.ExpectedSpin().Cross(lever)))
	r.apart = r.apart.AddScaled(sign, s.v0[first].Add(s.tangent(s.v0[first+1].Scale(1/p.rigid.Length())).Cross(from)))
}

// tangent returns the spin with whose velocity a body goes around a place when it turns with a spin ω: velocities at
// both ends of a chord, the mean of which it is with θ = ½, are longer than those of the arc by 2/φ tan φ/2, φ = h ω.
func (s *step) tangent(spin r3.Vec) r3.Vec {
	half := min(s.h*spin.Norm(), 1) / 2
	if half == 0 {
		return spin
	}
	return spin.Scale(math.Tan(half) / half)
}

// bindSpots adds the row that ties two spots, of whose gap the part share is closed.
func (s *step) bindSpots(a, b *tieEnd, share float64, id contact.ID) {
	var r row
	place := s.pushPlace(a, b)
	s.addSpot(&r, a, place, 1)
	s.addSpot(&r, b, place, -1)
	gap := s.w.spotAt(a, s.x0).Sub(s.w.spotAt(b, s.x0))
	s.bindRow(&r, contact.Contact{ID: id, Frame: r3.Identity(), Point: place}, gap, share)
}

// bindRow adds a row that is to close a part of a gap in the step, or puts it in the place of the one that there is.
func (s *step) bindRow(r *row, c contact.Contact, gap r3.Vec, share float64) {
	theta := s.w.opt.Theta
	pass := r.apart.Scale(passing * (1 - theta))
	c.Law, c.A, c.B, c.Gap = contact.Bilateral, r.terms[0].Block, contact.None, gap.Norm()
	u := r.bend.AddScaled(share/s.h, gap).Sub(pass).Scale(s.tied.part)
	for _, t := range r.terms[:r.count] {
		u = u.AddScaled(1-theta, t.M.MulVec(s.v0[t.Block]))
	}
	c.Uf = u.Scale(1 / theta)
	s.tied.left = max(s.tied.left, (1-share)*c.Gap+s.h*pass.Norm())
	if s.tied.bound {
		s.found.set.Rewrite(c, r.terms[:r.count]...)
	} else {
		s.found.set.AddRow(c, r.terms[:r.count]...)
	}
}
