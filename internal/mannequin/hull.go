package mannequin

import (
	"slices"

	"github.com/toile-sim/toile/r3"
)

// hullLength returns the circumference of the convex hull of points, by the monotone chain. It sorts them.
func hullLength(p []r3.Vec2) float64 {
	// from left to right
	slices.SortFunc(p, func(a, b r3.Vec2) int {
		switch {
		case a.X < b.X || a.X == b.X && a.Y < b.Y:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	// one side of the hull: every turn goes the same way
	half := func(points func(func(r3.Vec2) bool)) (length float64) {
		var chain []r3.Vec2
		for q := range points {
			for len(chain) > 1 && chain[len(chain)-1].Sub(chain[len(chain)-2]).Cross(q.Sub(chain[len(chain)-1])) <= 0 {
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, q)
		}
		for i := 1; i < len(chain); i++ {
			length += chain[i].Sub(chain[i-1]).Norm()
		}
		return length
	}
	// there and back
	up := slices.Values(p)
	down := func(yield func(r3.Vec2) bool) {
		for _, q := range slices.Backward(p) {
			if !yield(q) {
				return
			}
		}
	}
	return half(up) + half(down)
}
