package solve

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// aheadOf returns δ for a balance of as much as the masses weigh, in random directions, and that balance. Contacts are
// in the states that change makes of the solved ones.
func aheadOf(p *problems.Problem, change func(*Contacts)) (delta, balance []r3.Vec) {
	q := given(p, 1e-10)
	s := DefaultNodal()
	solved := solveTo(1e-10, &s, p)
	if change != nil {
		change(solved)
	}
	rng := rand.New(rand.NewPCG(3, 1))
	for _, m := range p.Mass {
		balance = append(balance, r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(m))
	}
	kept := slices.Clone(p.A.Val)
	defer func() { copy(p.A.Val, kept) }()
	return new(Ahead).Find(nil, q, solved, balance), balance
}

// What sticks is held, what slides is held along its normal, and what was bounded or has parted is not.
func TestAheadHoldsContacts(t *testing.T) {
	p := problems.InLayers(6, 2, 50, 0.3, true)
	along := func(change func(*Contacts)) (normal, tangential float64) {
		delta, _ := aheadOf(p, change)
		for c := range p.Set.Contacts {
			var u r3.Vec
			for _, term := range p.Set.Row(c) {
				u = u.Add(term.M.MulVec(delta[term.Block]))
			}
			normal, tangential = max(normal, u.X, -u.X), max(tangential, u.Y, -u.Y, u.Z, -u.Z)
		}
		return normal, tangential
	}
	all := func(state State, bounded bool) func(*Contacts) {
		return func(out *Contacts) {
			for c := range out.State {
				out.State[c], out.Bounded[c] = state, bounded
			}
		}
	}
	freeN, freeT := along(all(TakeOff, false))
	if n, s := along(all(Stick, false)); n > 0.1*freeN || s > 0.1*freeT {
		t.Errorf("what sticks moves by %.3g and %.3g of what is free", n/freeN, s/freeT)
	}
	if n, s := along(all(Slide, false)); n > 0.1*freeN || s < 0.7*freeT {
		t.Errorf("what slides moves by %.3g and %.3g of what is free", n/freeN, s/freeT)
	}
	if n, s := along(all(Stick, true)); n != freeN || s != freeT {
		t.Errorf("what was bounded moves by %.3g and %.3g of what is free", n/freeN, s/freeT)
	}
}

// Without contacts δ solves A δ = -g, to a few per cent.
func TestAheadSolves(t *testing.T) {
	p := problems.OnPlane(20, 50, 0.3, r3.Vec{}, 0.01)
	p.Set.Reset()
	delta, balance := aheadOf(p, nil)
	image, left, all := make([]r3.Vec, len(delta)), 0.0, 0.0
	p.A.Mul(nil, delta, image)
	for i := range image {
		if !p.Fixed[i] {
			left, all = left+image[i].Add(balance[i]).Norm2(), all+balance[i].Norm2()
		}
	}
	if left > 1e-3*all {
		t.Errorf("%.3g of the square of the balance are left", left/all)
	}
}
