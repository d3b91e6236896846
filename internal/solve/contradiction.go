// Contradictions of contacts, and what proves one.
//
// Every law asks for u_N ≥ 0, and a tie for u = 0 in the components that its row has. With J split by what of v can
// move and what is prescribed, u = J v + q, q = u_f and what the prescribed velocities add, these are linear in v. By
// Farkas' lemma there is no such v if and only if there are multipliers λ with
//
//	λ_N ≥ 0, λ_T = 0 (a contact),   λ of any sign (the components of a tie),
//	Σ_c J_cᵀ λ_c = 0 on all that can move,   λ · q < 0,
//
// since then λ · u = λ · q < 0 whatever v is. They say more: if all rows were off by less than
//
//	speed = -λ · q / Σ |λ|,
//
// λ · u could not be so small. So in every motion some row of those with λ ≠ 0 is violated by at least the speed.
//
// Friction is not in it: what has no normal velocities has no solution, with friction or without. The reverse is not
// so. Friction may be what stands against a solution, and then nothing is proven and nothing is claimed.

package solve

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// provenTo is the share of its terms up to which a sum is rounding.
const provenTo = 1e-10

// errNoProof is what CheckProof returns where a sum is wrong.
var errNoProof = errors.New("the multipliers prove no contradiction")

// CheckProof checks multipliers by contact that are to prove that the contacts with multipliers contradict each other,
// from the definition alone. v are the velocities by block, of which only what is prescribed counts. It returns the
// speed [m/s] by which some of these contacts are violated in every motion. It returns an error where a sum of the
// proof is off by more than 1e-10 of its terms, or where the speed is not above what the problem tolerates.
func CheckProof(p *ContactProblem, v, multipliers []r3.Vec) (speed float64, err error) {
	if len(multipliers) != p.Set.Len() || len(v) != p.A.N {
		return 0, fmt.Errorf("%w: %d multipliers of %d contacts, %d velocities of %d blocks",
			errNoProof, len(multipliers), p.Set.Len(), len(v), p.A.N)
	}
	free := make(map[int32]*r3.Mat, len(p.Partly))
	for k := range p.Partly {
		free[p.Partly[k].Block] = &p.Partly[k].Free
	}
	sum, terms := make([]r3.Vec, p.A.N), make([]float64, p.A.N)
	var value, sizes, total float64
	for c, m := range multipliers {
		if m == (r3.Vec{}) {
			continue
		}
		if !p.mayMultiply(c, m) {
			return 0, fmt.Errorf("%w: contact %d has the multiplier %v", errNoProof, c, m)
		}
		uf := p.Set.Contacts[c].Uf
		total += math.Abs(m.X) + math.Abs(m.Y) + math.Abs(m.Z)
		value += m.Dot(uf)
		sizes += math.Abs(m.X*uf.X) + math.Abs(m.Y*uf.Y) + math.Abs(m.Z*uf.Z)
		for _, t := range p.Set.Row(c) {
			push := t.M.MulVecT(m)
			moves := push
			if p.Fixed != nil && p.Fixed[t.Block] {
				moves = r3.Vec{}
			} else if f := free[t.Block]; f != nil {
				moves = f.MulVec(push)
			}
			given := push.Sub(moves).Dot(v[t.Block])
			value, sizes = value+given, sizes+math.Abs(given)
			sum[t.Block], terms[t.Block] = sum[t.Block].Add(moves), terms[t.Block]+moves.Norm()
		}
	}
	for i := range sum {
		if !(sum[i].Norm() <= provenTo*terms[i]) {
			return 0, fmt.Errorf("%w: block %d feels %.2g of terms of %.2g", errNoProof, i, sum[i].Norm(), terms[i])
		}
	}
	speed = -value / total
	if !(-value > provenTo*sizes) || !(speed > p.target()) || math.IsInf(speed, 0) {
		return 0, fmt.Errorf("%w: they leave %.2g m/s", errNoProof, speed)
	}
	return speed, nil
}

// mayMultiply reports whether contact c may have the multiplier m.
func (p *ContactProblem) mayMultiply(c int, m r3.Vec) bool {
	if p.Set.Contacts[c].Law != contact.Bilateral {
		return m.X >= 0 && m.Y == 0 && m.Z == 0
	}
	_, without := split(m, p.Set.Has(c))
	return without == r3.Vec{} && m.Finite()
}
