package referee

import "github.com/toile-sim/toile/r3"

// DepthOnTriangle returns how far below 0 the distance gets on a triangle, too little by at most exact, and 0 if it
// does not. The distance must not change by more than its place does, which is true of every distance: around the
// middle of a part of radius ρ it is at least what it is there less ρ. A part that may be deeper than the deepest place
// so far is cut in two across its longest side.
func DepthOnTriangle(distance func(r3.Vec) float64, a, b, c r3.Vec, exact float64) float64 {
	return -lowest(distance, a, b, c, 0, exact)
}

func lowest(distance func(r3.Vec) float64, a, b, c r3.Vec, best, exact float64) float64 {
	middle := a.Add(b).Add(c).Scale(1.0 / 3)
	d := distance(middle)
	best = min(best, d)
	radius := max(a.Sub(middle).Norm(), b.Sub(middle).Norm(), c.Sub(middle).Norm())
	if d-radius >= best-exact {
		return best
	}
	for a.Sub(b).Norm() < b.Sub(c).Norm() || a.Sub(b).Norm() < c.Sub(a).Norm() {
		a, b, c = b, c, a
	}
	half := a.Lerp(b, 0.5)
	best = lowest(distance, a, half, c, best, exact)
	return lowest(distance, half, b, c, best, exact)
}
