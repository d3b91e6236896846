package remesh

import (
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// Quick answers about two triangles, in floating point: if they say that there is a plane between them, there is one.

// doubt is the relative error that the sums below may have, with room to spare.
const doubt = 1e-13

// separated reports whether a plane along a face, or through an edge across its face, has one triangle on one side and
// the other at least margin beyond. It may miss it.
func separated(a, b *[3]r3.Vec, margin float64) bool {
	if margin < 0 {
		return false
	}
	return parts(a, b, margin) || parts(b, a, margin)
}

// parts tries the planes of triangle a.
func parts(a, b *[3]r3.Vec, margin float64) bool {
	e1 := a[1].Sub(a[0])
	n := e1.Cross(a[2].Sub(a[0]))
	length := n.Norm()
	if !(length > 0) {
		return false
	}
	n = n.Scale(1 / length)
	// Error of a coordinate difference, and of the direction of n.
	scale := max(a[0].MaxAbs(), b[0].MaxAbs(), b[1].MaxAbs(), b[2].MaxAbs())
	room := margin + doubt*scale*(1+e1.Norm()*scale/length)
	d0, d1, d2 := b[0].Sub(a[0]).Dot(n), b[1].Sub(a[0]).Dot(n), b[2].Sub(a[0]).Dot(n)
	if min(d0, d1, d2) > room || max(d0, d1, d2) < -room {
		return true
	}
	for k := range 3 {
		p := a[k]
		out := a[(k+1)%3].Sub(p).Cross(n)
		length := out.Norm()
		if min(b[0].Sub(p).Dot(out), b[1].Sub(p).Dot(out), b[2].Sub(p).Dot(out)) > room*length &&
			out.Dot(a[(k+2)%3].Sub(p)) < 0 {
			return true
		}
	}
	return false
}

// partedAt reports whether a plane through the corner c has the rest of the triangle c a1 a2 on one side and that of c
// b1 b2 on the other. It tries the plane in the middle of the gap between the two edges that are nearest to each other,
// and may miss others.
func partedAt(c, a1, a2, b1, b2 r3.Vec) bool {
	a := [2]r3.Vec{a1.Sub(c).Unit(), a2.Sub(c).Unit()}
	b := [2]r3.Vec{b1.Sub(c).Unit(), b2.Sub(c).Unit()}
	best, across := -2.0, r3.Vec{}
	for _, u := range a {
		for _, w := range b {
			if d := u.Dot(w); d > best {
				best, across = d, u.Sub(w)
			}
		}
	}
	room := 1e-9 * across.Norm()
	return a[0].Dot(across) > room && a[1].Dot(across) > room && b[0].Dot(across) < -room && b[1].Dot(across) < -room
}

// distance2 returns the squared distance of two triangles that do not cross [m²].
func distance2(a, b *[3]r3.Vec) float64 {
	least := math.Inf(1)
	for i := range 3 {
		_, _, d := geom.PointTriangle(a[i], b[0], b[1], b[2])
		_, _, e := geom.PointTriangle(b[i], a[0], a[1], a[2])
		least = min(least, d, e)
		for j := range 3 {
			_, _, d := geom.EdgeEdge(a[i], a[(i+1)%3], b[j], b[(j+1)%3])
			least = min(least, d)
		}
	}
	return least
}
