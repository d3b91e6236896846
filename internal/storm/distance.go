package storm

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Distances between points, segments and triangles, by the plain way of trying all features.

// clamp01 returns t within 0 and 1; 0 if it is NaN, as for segments without length.
func clamp01(t float64) float64 {
	if !(t > 0) {
		return 0
	}
	return min(t, 1)
}

// onSegment returns the point of the segment ab nearest to p.
func onSegment(p, a, b r3.Vec) r3.Vec {
	d := b.Sub(a)
	return a.AddScaled(clamp01(p.Sub(a).Dot(d)/d.Norm2()), d)
}

// segments returns the distance of the segments ab and cd.
func segments(a, b, c, d r3.Vec) float64 {
	// An end of one against the other, and the common perpendicular if it meets both within.
	least := min(
		onSegment(a, c, d).Sub(a).Norm(), onSegment(b, c, d).Sub(b).Norm(),
		onSegment(c, a, b).Sub(c).Norm(), onSegment(d, a, b).Sub(d).Norm(),
	)
	u, v, w := b.Sub(a), d.Sub(c), a.Sub(c)
	uu, uv, vv := u.Norm2(), u.Dot(v), v.Norm2()
	det := uu*vv - uv*uv
	s, t := (uv*v.Dot(w)-vv*u.Dot(w))/det, (uu*v.Dot(w)-uv*u.Dot(w))/det
	if s > 0 && s < 1 && t > 0 && t < 1 {
		least = min(least, a.AddScaled(s, u).Sub(c.AddScaled(t, v)).Norm())
	}
	return least
}

// pointTriangle returns the distance of p and a triangle.
func pointTriangle(p r3.Vec, t [3]r3.Vec) float64 {
	least := math.Inf(1)
	for k := range t {
		least = min(least, onSegment(p, t[k], t[(k+1)%3]).Sub(p).Norm())
	}
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	for k := range t { // above the face?
		if n.Cross(t[(k+1)%3].Sub(t[k])).Dot(p.Sub(t[k])) < 0 {
			return least
		}
	}
	if area := n.Norm(); area > 0 {
		least = min(least, math.Abs(p.Sub(t[0]).Dot(n))/area)
	}
	return least
}

// segmentTriangle returns the distance of the segment ab and a triangle.
func segmentTriangle(a, b r3.Vec, t [3]r3.Vec) float64 {
	if pierces(a, b, t) {
		return 0
	}
	least := min(pointTriangle(a, t), pointTriangle(b, t))
	for k := range t {
		least = min(least, segments(a, b, t[k], t[(k+1)%3]))
	}
	return least
}

// winding returns how often triangles wind around p: 1 inside a closed surface that looks outwards, 0 outside.
func winding(p r3.Vec, x []r3.Vec, tri [][3]int32) float64 {
	sum := 0.0
	for _, t := range tri {
		a, b, c := x[t[0]].Sub(p), x[t[1]].Sub(p), x[t[2]].Sub(p)
		la, lb, lc := a.Norm(), b.Norm(), c.Norm()
		sum += math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
	}
	return sum / (2 * math.Pi) // half a solid angle each, of 4 pi
}

// fromSurface returns the distance of p to the nearest of the triangles.
func fromSurface(p r3.Vec, x []r3.Vec, tri [][3]int32) float64 {
	least := math.Inf(1)
	for _, t := range tri {
		least = min(least, pointTriangle(p, corners(x, t)))
	}
	return least
}

func corners(x []r3.Vec, t [3]int32) [3]r3.Vec { return [3]r3.Vec{x[t[0]], x[t[1]], x[t[2]]} }
