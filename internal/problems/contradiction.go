package problems

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Contradict adds contacts to a problem that cannot hold together, whatever else there is: of one mass with walls all
// around that close, or of a chain of masses between two walls that do. Masses that are held are not in them.
func Contradict(p *Problem, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 39))
	gauss := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	mu := []float64{0, 0.3, 1}[rng.IntN(3)]
	closing := func() r3.Vec {
		return r3.V(-math.Pow(10, -3*rng.Float64()), 0.3*rng.NormFloat64(), 0.3*rng.NormFloat64())
	}
	next := int64(1_000_000)
	add := func(a, b int32, normal, uf r3.Vec) {
		next++
		p.Set.Add(contact.Contact{
			ID: contact.ID{A: contact.Feature{ID: next}},
			A:  a, B: b, Frame: contact.FrameOf(normal), Mu: mu, Uf: uf,
		})
	}
	var free []int32
	for i := range int32(p.A.N) {
		if !p.Fixed[i] {
			free = append(free, i)
		}
	}
	rng.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	if rng.IntN(2) == 0 {
		// The last normal balances positive multiples of the others.
		var sum r3.Vec
		for range 1 + rng.IntN(3) {
			normal := gauss().Unit()
			sum = sum.AddScaled(0.2+rng.Float64(), normal)
			add(free[0], contact.None, normal, closing())
		}
		add(free[0], contact.None, sum.Unit().Neg(), closing())
		return
	}
	normal := gauss().Unit()
	length := 1 + rng.IntN(min(6, len(free)))
	add(free[0], contact.None, normal, closing())
	for k := 1; k < length; k++ {
		add(free[k], free[k-1], normal, closing())
	}
	add(free[length-1], contact.None, normal.Neg(), closing())
}
