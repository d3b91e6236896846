// How far one more linearization would lead, at a small part of its price:
//
//	A δ = -g + Jᵀ q,   J δ = 0 for what is held,
//
// A and g those of the equations at the end of a step, g without the impulses of contacts. Contacts that stick are
// held, those that slide along their normal, ties in all that they tie; impulses that were bounded are not. Held is
// what a stiff spring holds, so that a few conjugate gradients with the levels of A and of what the springs add to its
// diagonal do. They are for a figure of two digits: the true step may change what sticks, slides and parts, or be cut.

package solve

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Ahead finds how far one more linearization would lead. It keeps its workspace. The zero Ahead is ready.
type Ahead struct {
	team   *par.Team
	a      *sparse.BSR // with what springs add to its diagonal
	fixed  []bool
	set    *contact.Set
	hold   []r3.Mat // by contact: the spring
	added  []r3.Mat // by block: what springs of contacts add to the diagonal
	levels sparse.Multilevel
	blocks sparse.BlockJacobi

	delta, left, conditioned, along, image []r3.Vec
}

const (
	aheadLevels = 10 // iterations with levels: in cells of 1 to 4 cm 4 leave a tenth, in finer ones a few more
	aheadBlocks = 40 // and with blocks of the diagonal, where the levels are indefinite
	// stiffer is how much stiffer springs are than what they hold.
	stiffer = 30
)

// Find returns δ [m/s], by block, of a balance at velocities that solve problem p with the answer out. A must be that
// of the equations there, and is changed. The result is valid until the next call.
func (h *Ahead) Find(team *par.Team, p *ContactProblem, out *Contacts, balance []r3.Vec) []r3.Vec {
	h.team, h.a, h.fixed, h.set = team, p.A, p.Fixed, p.Set
	for _, v := range []*[]r3.Vec{&h.delta, &h.left, &h.conditioned, &h.along, &h.image} {
		*v = resized(*v, h.a.N)
	}
	h.holdContacts(out)
	h.holdPartly(p.Partly)
	h.levels.Update(team, h.a, h.fixed)
	if !h.iterate(&h.levels, balance, aheadLevels) {
		h.blocks.Update(team, h.a, h.fixed)
		h.iterate(&h.blocks, balance, aheadBlocks)
	}
	h.team, h.a, h.fixed, h.set = nil, nil, nil, nil
	return h.delta
}

// holdContacts finds the springs of contacts, and adds what is in the diagonal of them to A.
func (h *Ahead) holdContacts(out *Contacts) {
	h.hold, h.added = resized(h.hold, h.set.Len()), resized(h.added, h.a.N)
	clear(h.added)
	for c := range h.set.Contacts {
		h.hold[c] = r3.Mat{}
		if out.Bounded[c] || out.State[c] == TakeOff {
			continue
		}
		var give r3.Mat
		for _, t := range h.set.Row(c) {
			if h.fixed[t.Block] {
				continue
			}
			inverse, transposed := safeInverse(&h.a.Val[h.a.Diag[t.Block]]), t.M.T()
			d := t.M.Mul(&inverse)
			d = d.Mul(&transposed)
			give.Add(&d)
		}
		if !(give.Trace() > 0) {
			continue
		}
		spring := 3 * stiffer / give.Trace()
		h.hold[c] = r3.Mat{XX: spring}
		if out.State[c] == Stick {
			h.hold[c] = r3.Diagonal(spring)
		}
		for _, t := range h.set.Row(c) {
			transposed := t.M.T()
			d := h.hold[c].Mul(&t.M)
			d = transposed.Mul(&d)
			h.added[t.Block].Add(&d)
		}
	}
	for i := range h.added {
		h.a.Val[h.a.Diag[i]].Add(&h.added[i])
	}
}

// holdPartly adds springs for what is prescribed of blocks.
func (h *Ahead) holdPartly(partly []contact.Partial) {
	for k := range partly {
		diagonal := &h.a.Val[h.a.Diag[partly[k].Block]]
		spring := stiffer * diagonal.Trace()
		diagonal.AddDiagonal(spring)
		diagonal.AddScaled(-spring, &partly[k].Free)
	}
}

// iterate brings δ from zero nearer to the solution, and reports whether the preconditioner allowed it.
func (h *Ahead) iterate(pre sparse.Preconditioner, balance []r3.Vec, most int) bool {
	clear(h.delta)
	for i := range h.left {
		h.left[i] = balance[i].Neg()
		if h.fixed[i] {
			h.left[i] = r3.Vec{}
		}
	}
	first, before := 0.0, 0.0
	for k := range most {
		pre.Apply(h.team, h.left, h.conditioned)
		now := inner(h.left, h.conditioned)
		if !(now > 1e-8*first) {
			return k > 0 && now >= 0 || now == 0
		}
		if k == 0 {
			first, before = now, now
			clear(h.along)
		}
		for i := range h.along {
			h.along[i] = h.conditioned[i].AddScaled(now/before, h.along[i])
		}
		before = now
		h.multiply()
		curvature := inner(h.along, h.image)
		if !(curvature > 0) {
			return true // A is as it is, and what there is has to do
		}
		for i := range h.delta {
			h.delta[i] = h.delta[i].AddScaled(now/curvature, h.along[i])
			h.left[i] = h.left[i].AddScaled(-now/curvature, h.image[i])
		}
	}
	return true
}

// multiply writes A and springs, times along, to image. It is zero at fixed blocks.
func (h *Ahead) multiply() {
	h.a.Mul(h.team, h.along, h.image)
	for c := range h.hold {
		if h.hold[c] == (r3.Mat{}) {
			continue
		}
		var u r3.Vec
		for _, t := range h.set.Row(c) {
			u = u.Add(t.M.MulVec(h.along[t.Block]))
		}
		u = h.hold[c].MulVec(u)
		for _, t := range h.set.Row(c) {
			h.image[t.Block] = h.image[t.Block].Add(t.M.MulVecT(u))
		}
	}
	for i := range h.image {
		h.image[i] = h.image[i].Sub(h.added[i].MulVec(h.along[i]))
		if h.fixed[i] {
			h.image[i] = r3.Vec{}
		}
	}
}

func inner(a, b []r3.Vec) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i].Dot(b[i])
	}
	return sum
}
