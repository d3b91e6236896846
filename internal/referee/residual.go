package referee

// How well a contact problem is solved, written down from its definition and from nothing else: sums by entries instead
// of rows, the law clause by clause instead of a distance.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Problem is a contact problem in plain numbers: A v + b = Jᵀ r, u = J v + u_f, (r, u) ∈ C(μ).
type Problem struct {
	Mass     []float64 // by block [kg]
	B        []r3.Vec  // by block [N s]
	Held     []bool    // by block: its velocity is prescribed
	Rails    []Rail
	Entries  []Entry
	Contacts []Contact
}

// Entry is a block of A.
type Entry struct {
	Row, Column int32
	M           r3.Mat // [kg]
}

// Rail holds a block back in all directions but those of a line or a plane.
type Rail struct {
	Block int32
	Free  r3.Mat // the projection onto it
}

// Contact is a row of J with its law; the first of three components is normal.
type Contact struct {
	Row    []Term
	Offset r3.Vec // u_f [m/s]
	Mu     float64
	Tied   bool // u = 0 in the components that the row has, and r = 0 in the others, in place of the law of Coulomb
	Void   bool // it contradicts others and is not asked for
}

// Term is what a contact feels of a block.
type Term struct {
	Block int32
	M     r3.Mat
}

// Breach is what is wrong with a solution, all in m/s.
type Breach struct {
	Balance   float64 // largest momentum that a block lacks, over its mass
	Approach  float64 // surfaces that come closer: -u_N
	Pull      float64 // surfaces that hold on to each other: -s r_N
	Parting   float64 // surfaces that part and push all the same: min(u_N, s r_N)
	Cone      float64 // more friction than the law allows: s (‖r_T‖ - μ r_N)
	Slip      float64 // slip that friction could stop
	Direction float64 // slip and friction that are not opposed
	Loose     float64 // what moves of a tie, or pushes where it has no component

	// Residual is the momentum that is lacking, or what the law takes to be repaired if that is more: no answer is
	// lawful whose velocities and impulses (as s r) differ from this one by less at each contact. A change by d of each
	// leaves the cone by at most (1 + μ) d, makes as much slip against friction that could stop it, and of what is not
	// opposed at most 3 d: where slip or friction is below 3 d by less than that, and elsewhere by turning both.
	Residual float64
}

// Worst returns the largest of all.
func (b Breach) Worst() float64 {
	return max(b.Balance, b.Approach, b.Pull, b.Parting, b.Cone, b.Slip, b.Direction, b.Loose)
}

// Judge says what is wrong with velocities v and impulses r.
func Judge(p *Problem, v, r []r3.Vec) Breach {
	// balance without contacts
	lack := make([]r3.Vec, len(p.B))
	copy(lack, p.B)
	for i := range p.Entries {
		e := &p.Entries[i]
		lack[e.Row] = lack[e.Row].Add(e.M.MulVec(v[e.Column]))
	}
	// blocks on rails
	rail := map[int32]r3.Mat{}
	for _, g := range p.Rails {
		rail[g.Block] = g.Free
	}
	var out Breach
	// contact after contact: velocity, impulse off the balance, and scale
	for c := range p.Contacts {
		k := &p.Contacts[c]
		u, scale := k.Offset, 0.0
		for _, t := range k.Row {
			u = u.Add(t.M.MulVec(v[t.Block]))
			push := t.M.T()
			lack[t.Block] = lack[t.Block].Sub(push.MulVec(r[c]))
			if p.Held[t.Block] {
				continue
			}
			for _, e := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
				d := push.MulVec(e)
				if free, on := rail[t.Block]; on {
					d = free.MulVec(d)
				}
				scale += d.Dot(d) / (3 * p.Mass[t.Block])
			}
		}
		// law of the contact
		switch {
		case k.Void || scale == 0:
		case k.Tied:
			out.tie(k.Row, u, r[c].Scale(scale))
		default:
			out.law(u, r[c].Scale(scale), k.Mu)
		}
	}
	// balance of free blocks
	for i, g := range lack {
		if p.Held[i] {
			continue
		}
		if free, on := rail[int32(i)]; on {
			g = free.MulVec(g)
		}
		out.Balance = max(out.Balance, math.Sqrt(g.Dot(g))/p.Mass[i])
	}
	out.Residual = max(out.Residual, out.Balance, out.Loose)
	return out
}

// law adds what is wrong with a velocity u and an impulse r, both in m/s.
func (b *Breach) law(u, r r3.Vec, mu float64) {
	b.Approach = max(b.Approach, -u.X)
	b.Pull = max(b.Pull, -r.X)
	b.Parting = max(b.Parting, min(u.X, r.X))
	slip, friction := math.Sqrt(u.Y*u.Y+u.Z*u.Z), math.Sqrt(r.Y*r.Y+r.Z*r.Z)
	b.Cone = max(b.Cone, friction-mu*r.X)
	spare := mu*r.X - friction // what friction could still add
	b.Slip = max(b.Slip, min(slip, spare))
	b.Residual = max(b.Residual, -u.X, -r.X, min(u.X, r.X), -spare/(1+mu), min(slip, spare)/(1+mu))
	if slip == 0 || friction == 0 {
		return
	}
	// Slip and friction are to be opposed; of the two, the one that is easier turned counts.
	off := math.Abs(u.Y*r.Z-u.Z*r.Y) / max(slip, friction)
	if u.Y*r.Y+u.Z*r.Z > 0 {
		off = min(slip, friction)
	}
	b.Direction, b.Residual = max(b.Direction, off), max(b.Residual, off/3)
}

// tie adds what is wrong with a tie.
func (b *Breach) tie(row []Term, u, r r3.Vec) {
	for _, e := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		has := 0.0
		for _, t := range row {
			push := t.M.T()
			has = max(has, push.MulVec(e).MaxAbs())
		}
		if has > 0 {
			b.Loose = max(b.Loose, math.Abs(u.Dot(e)))
		} else {
			b.Loose = max(b.Loose, math.Abs(r.Dot(e)))
		}
	}
}
