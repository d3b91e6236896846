package referee

// What multipliers of contacts prove, written down from Farkas' lemma and from nothing else: by blocks instead of rows.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Contradiction is what multipliers λ prove: that some contact with one is violated in every motion.
type Contradiction struct {
	// Speed is by how much one is at least, -λ · q/Σ |λ| with q the velocities where all that can move rests [m/s].
	Speed float64
	Felt  float64 // largest share of its terms that a block that can move feels of Σ Jᵀ λ; proofs have none
	Wrong int     // contacts with a multiplier that pulls or is not normal, or of a tie where its row has no component
}

// Contradict says what multipliers by contact prove. Of the velocities v only what is prescribed counts.
func Contradict(p *Problem, v, multipliers []r3.Vec) Contradiction {
	moves := make([]r3.Mat, len(p.B)) // by block: the projection onto what can move of it
	for i := range moves {
		if !p.Held[i] {
			moves[i] = r3.Identity()
		}
	}
	for _, g := range p.Rails {
		if !p.Held[g.Block] {
			moves[g.Block] = g.Free
		}
	}
	var out Contradiction
	size, product := 0.0, 0.0
	for c := range p.Contacts {
		m := multipliers[c]
		if p.Contacts[c].wrong(m) {
			out.Wrong++
		}
		rest := p.Contacts[c].Offset
		for _, t := range p.Contacts[c].Row {
			stays := r3.Identity()
			stays.AddScaled(-1, &moves[t.Block])
			rest = rest.Add(t.M.MulVec(stays.MulVec(v[t.Block])))
		}
		product += m.X*rest.X + m.Y*rest.Y + m.Z*rest.Z
		size += math.Abs(m.X) + math.Abs(m.Y) + math.Abs(m.Z)
	}
	out.Speed = -product / size
	for i := range p.B {
		var sum r3.Vec
		terms := 0.0
		for c := range p.Contacts {
			for _, t := range p.Contacts[c].Row {
				if int(t.Block) != i {
					continue
				}
				push := t.M.T()
				d := moves[i].MulVec(push.MulVec(multipliers[c]))
				sum, terms = sum.Add(d), terms+math.Sqrt(d.Dot(d))
			}
		}
		if terms > 0 {
			out.Felt = max(out.Felt, math.Sqrt(sum.Dot(sum))/terms)
		}
	}
	return out
}

// wrong reports whether the contact cannot have the multiplier m.
func (k *Contact) wrong(m r3.Vec) bool {
	if !k.Tied {
		return !(m.X >= 0) || m.Y != 0 || m.Z != 0
	}
	for _, e := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		has := 0.0
		for _, t := range k.Row {
			push := t.M.T()
			has = max(has, push.MulVec(e).MaxAbs())
		}
		if has == 0 && m.Dot(e) != 0 {
			return true
		}
	}
	return !m.Finite()
}
