package referee

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/r3"
)

// RandomStiffness returns a symmetric matrix with the given condition and largest eigenvalue.
func RandomStiffness(rng *rand.Rand, condition, size float64) r3.Mat {
	n := rotation(rng)
	middle := math.Pow(condition, -rng.Float64())
	var w r3.Mat
	w.AddOuter(size, n[0], n[0])
	w.AddOuter(size*middle, n[1], n[1])
	w.AddOuter(size/condition, n[2], n[2])
	return w
}

func rotation(rng *rand.Rand) [3]r3.Vec {
	for {
		a := gauss(rng).Unit()
		b := a.Cross(gauss(rng)).Unit()
		if a.Norm() > 0 && b.Norm() > 0 {
			return [3]r3.Vec{a, b, a.Cross(b)}
		}
	}
}

func gauss(rng *rand.Rand) r3.Vec {
	return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
}

// RandomCoulomb draws problems of several kinds: free b, b that belongs to a moderate velocity, and
// b close to the boundaries of the cases.
func RandomCoulomb(rng *rand.Rand) (w r3.Mat, b r3.Vec, mu float64, guess r3.Vec) {
	w = RandomStiffness(rng, math.Pow(10, 10*rng.Float64()), math.Pow(10, 6*rng.Float64()-4))
	mu = 1.2 * rng.Float64()
	if rng.IntN(50) == 0 {
		mu = 0
	}
	size := w.Trace() * math.Pow(10, 6*rng.Float64()-5)
	b = gauss(rng).Scale(size)
	switch rng.IntN(5) {
	case 0:
		b = w.MulVec(gauss(rng)).Scale(size / w.Trace())
	case 1: // near the cone
		t := math.Hypot(b.Y, b.Z)
		b.X = t / max(mu, 0.01) * (1 - math.Pow(10, -8*rng.Float64()))
	case 2: // a velocity that nearly slides, pushed in
		u := gauss(rng)
		u.X = 0
		b = w.MulVec(u).Scale(-size / w.Trace())
		b.X += 0.1 * size * rng.Float64()
	}
	switch rng.IntN(3) {
	case 0:
		guess = gauss(rng)
	case 1:
		guess = b.Neg()
	}
	return w, b, mu, guess
}
