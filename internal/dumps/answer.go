package dumps

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

// Answer is what a solver says to a problem: velocities by block [m/s] and impulses by contact, in its frame [N s].
type Answer struct {
	V, R []r3.Vec
}

// WriteAnswer writes velocities and then impulses, three numbers of eight bytes each, little-endian.
func WriteAnswer(path string, a *Answer) error {
	var data []byte
	for _, list := range [][]r3.Vec{a.V, a.R} {
		for _, x := range list {
			for _, f := range [...]float64{x.X, x.Y, x.Z} {
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(f))
			}
		}
	}
	return write(path, data)
}

// ReadAnswer reads the answer to a problem.
func ReadAnswer(path string, p *solve.ContactProblem) (*Answer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := p.A.N
	if want := 24 * (n + p.Set.Len()); len(data) != want {
		return nil, fmt.Errorf("%s has %d bytes; %d blocks and %d contacts have %d", path, len(data), n, p.Set.Len(), want)
	}
	all := make([]r3.Vec, n+p.Set.Len())
	next := func() float64 {
		f := math.Float64frombits(binary.LittleEndian.Uint64(data))
		data = data[8:]
		return f
	}
	for i := range all {
		all[i] = r3.V(next(), next(), next())
	}
	return &Answer{all[:n], all[n:]}, nil
}

// Verdict is what the residual that all solvers share says of an answer, and what it is made of.
type Verdict struct {
	Residual solve.Residual
	Blocks   int // whose balance is off by more than the tolerance
	Contacts int // whose law is
	// Worst is the contact that is furthest from its law, -1 if all obey, and Law by how much its velocity or its
	// impulse would have to change [m/s].
	Worst int
	Law   float64
	// Parts of the worst: its normal and tangential velocity, and its impulses as velocities.
	Normal, Slip, Push, Rub float64
}

// Judge returns the verdict on an answer. No contact is left out.
func Judge(p *solve.ContactProblem, a *Answer, tolerance float64) *Verdict {
	// residual of the whole, and A v + b
	var m solve.Measure
	v := &Verdict{Residual: m.Of(p, a.V, a.R, nil), Worst: -1}
	balance := make([]r3.Vec, p.A.N)
	p.A.Mul(nil, a.V, balance)
	for i := range balance {
		balance[i] = balance[i].Add(p.B[i])
	}
	// contact after contact: velocity, and its impulse off the balance
	for c := range p.Set.Contacts {
		k, row := &p.Set.Contacts[c], p.Set.Row(c)
		u, s := k.Uf, 0.0
		for _, t := range row {
			balance[t.Block] = balance[t.Block].Sub(t.M.MulVecT(a.R[c]))
			u = u.Add(t.M.MulVec(a.V[t.Block]))
			if !held(p, int(t.Block)) {
				s += t.M.Norm2() / p.Mass[t.Block] / 3
			}
		}
		// how far it is off Coulomb's law
		if k.Law == contact.Bilateral || s == 0 {
			continue
		}
		far := solve.CoulombResidual(u, a.R[c], k.Mu, s)
		if far > tolerance {
			v.Contacts++
		}
		// the worst of all
		if far > v.Law {
			r := a.R[c].Scale(s)
			v.Worst, v.Law, v.Normal, v.Slip = c, far, u.X, math.Hypot(u.Y, u.Z)
			v.Push, v.Rub = r.X, math.Hypot(r.Y, r.Z)
		}
	}
	// blocks out of balance
	for i := range balance {
		if !held(p, i) && balance[i].Norm() > tolerance*p.Mass[i] {
			v.Blocks++
		}
	}
	return v
}

func held(p *solve.ContactProblem, i int) bool { return p.Fixed != nil && p.Fixed[i] }

// Apart tells how far two answers are from each other.
type Apart struct {
	Velocity float64 `json:"velocity"` // the most that a block differs [m/s]
	Energy   float64 `json:"energy"`   // √(δᵀ A δ / Σ m), the mean weighed by inertia and stiffness [m/s]
	Impulse  float64 `json:"impulse"`  // ‖δr‖/‖r‖
}

// Compare returns how far an answer is from another.
func Compare(p *solve.ContactProblem, a, b *Answer) Apart {
	var out Apart
	delta, pushed := make([]r3.Vec, p.A.N), make([]r3.Vec, p.A.N)
	mass := 0.0
	for i := range delta {
		delta[i] = a.V[i].Sub(b.V[i])
		out.Velocity = max(out.Velocity, delta[i].Norm())
		mass += p.Mass[i]
	}
	p.A.Mul(nil, delta, pushed)
	work := 0.0
	for i := range delta {
		work += delta[i].Dot(pushed[i])
	}
	out.Energy = math.Sqrt(max(0, work) / mass)
	differ, all := 0.0, 0.0
	for c := range a.R {
		differ, all = differ+a.R[c].Sub(b.R[c]).Norm2(), all+b.R[c].Norm2()
	}
	if all > 0 {
		out.Impulse = math.Sqrt(differ / all)
	}
	return out
}
