package storm

import (
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// pierces reports whether the segment pq goes through the triangle t: its ends are strictly on opposite sides of the
// plane, and it meets the face or the border. Exact.
func pierces(p, q r3.Vec, t [3]r3.Vec) bool {
	if geom.Orient3(t[0], t[1], t[2], p)*geom.Orient3(t[0], t[1], t[2], q) != -1 {
		return false
	}
	u, v, w := geom.Orient3(p, q, t[0], t[1]), geom.Orient3(p, q, t[1], t[2]), geom.Orient3(p, q, t[2], t[0])
	return min(u, v, w) >= 0 || max(u, v, w) <= 0
}

// cross reports whether triangles a and b go through each other, and how deep: how far one must be moved, in the
// direction in which it is least, until they only touch. Those that only touch, and those in one plane, do not cross.
func cross(a, b [3]r3.Vec) (depth float64, crossed bool) {
	through := false
	for k := range 3 {
		through = through || pierces(a[k], a[(k+1)%3], b) || pierces(b[k], b[(k+1)%3], a)
	}
	if !through {
		return 0, false
	}
	depth = overlap(a, b)
	return depth, depth > 0
}

// overlap returns the least overlap of the shadows of two triangles on the eleven axes on which the shadows of
// triangles apart from each other are apart: their normals, and those of every two edges. Negative: they are apart.
func overlap(a, b [3]r3.Vec) float64 {
	least := math.Inf(1)
	try := func(axis r3.Vec, scale float64) {
		length := axis.Norm()
		if length <= 1e-12*scale { // edges that are parallel, or no area: other axes serve
			return
		}
		loA, hiA := shadow(a, axis)
		loB, hiB := shadow(b, axis)
		least = min(least, min(hiA-loB, hiB-loA)/length)
	}
	edge := func(t [3]r3.Vec, k int) r3.Vec { return t[(k+1)%3].Sub(t[k]) }
	try(edge(a, 0).Cross(edge(a, 1)), edge(a, 0).Norm()*edge(a, 1).Norm())
	try(edge(b, 0).Cross(edge(b, 1)), edge(b, 0).Norm()*edge(b, 1).Norm())
	for i := range 3 {
		for j := range 3 {
			u, v := edge(a, i), edge(b, j)
			try(u.Cross(v), u.Norm()*v.Norm())
		}
	}
	return least
}

// shadow returns where the triangle begins and ends along an axis.
func shadow(t [3]r3.Vec, axis r3.Vec) (lo, hi float64) {
	u, v, w := t[0].Dot(axis), t[1].Dot(axis), t[2].Dot(axis)
	return min(u, v, w), max(u, v, w)
}
