package problems

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// UnderBrick is a sheet on a floor that is pulled from under a rigid brick of 0.5 kg and half its width, which tilts a
// little. The brick is the last two blocks: its velocity, and its spin times √(tr I/(2m)).
func UnderBrick(n int, stretch, mu, speed float64) *Problem {
	rng := rand.New(rand.NewPCG(21, uint64(n)))
	c := cloth{
		n: n, layers: 1, stretch: stretch, bend: 1e-5, h: 2e-3, place: flat, noise: 0.01, rng: rng,
		velocity: func(x, y float64, _ int) r3.Vec { return r3.V(speed*(1+0.2*x), 0.1*speed*(y-0.5), 0) },
	}
	sheet, pos := c.build()
	const mass, half, high = 0.5, 0.25, 0.05
	inertia := r3.Mat{ // of a box with sides 2 half, 2 half, 2 high
		XX: mass * (half*half + high*high) / 3,
		YY: mass * (half*half + high*high) / 3,
		ZZ: mass * (half*half + half*half) / 3,
	}
	rho := math.Sqrt(inertia.Trace() / (2 * mass))
	p := withBlocks(sheet, 2)
	v, spin := int32(len(pos)), int32(len(pos)+1)
	p.Mass[v], p.Mass[spin] = mass, mass
	p.A.Val[p.A.Diag[v]] = r3.Diagonal(mass)
	p.A.Val[p.A.Diag[spin]] = inertia.Scale(1 / (rho * rho))
	p.B[v] = r3.V(0, 0, mass*9.81*c.h)
	p.B[spin] = r3.V(1e-4, -2e-4, 0)
	middle := r3.V(0.5, 0.5, 2*Thickness+high)
	for i, x := range pos {
		p.Set.Add(VertexOn(int32(i), r3.V(0, 0, 1), Thickness, mu, c.h))
		arm := x.Add(r3.V(0, 0, Thickness)).Sub(middle)
		if max(math.Abs(arm.X), math.Abs(arm.Y)) > half {
			continue
		}
		k := VertexOn(int32(i), r3.V(0, 0, -1), Thickness+1e-5*rng.Float64(), mu, c.h)
		k.B, k.ID.B = v, contact.Feature{Surface: 98, ID: int64(i)}
		turn := r3.Cross(arm.Neg()) // ω × arm
		turn = k.Frame.Mul(&turn)
		p.Set.AddRow(k,
			contact.Term{Block: int32(i), W: 1, M: k.Frame},
			contact.Term{Block: v, W: -1, M: k.Frame.Scale(-1)},
			contact.Term{Block: spin, M: turn.Scale(-1 / rho)})
	}
	return p
}

// withBlocks returns p with more blocks at its end that have no neighbours, no mass and no contacts.
func withBlocks(p *Problem, more int) *Problem {
	n := p.A.N
	pattern := sparse.NewPattern(n + more)
	for i := range n {
		for _, j := range p.A.Col[p.A.Start[i]:p.A.Start[i+1]] {
			pattern.Add(int32(i), j)
		}
	}
	out := &Problem{A: pattern.Build(), Set: p.Set}
	for i := range n {
		for k := p.A.Start[i]; k < p.A.Start[i+1]; k++ {
			out.A.Val[out.A.Index(int32(i), p.A.Col[k])] = p.A.Val[k]
		}
	}
	out.B = append(p.B, make([]r3.Vec, more)...)
	out.Mass = append(p.Mass, make([]float64, more)...)
	out.Fixed = append(p.Fixed, make([]bool, more)...)
	return out
}
