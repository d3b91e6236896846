package shape

import (
	"math"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// maxDepth is how deep an arm goes into the chest at most [m].
const maxDepth = 0.05

// ArmDepth returns how deep the left forearm and hand are in the trunk at the given positions of all vertices [m]: the largest distance of one of their
// vertices inside from the surface of the trunk. It is negative while they are apart, less than -0.1 if by more than 10 cm.
func (b *Mannequin) ArmDepth(pos []r3.Vec) float64 {
	const near = 0.1
	trunk := func(v int32) bool { return b.Bone(v) <= Chest }
	var arm []r3.Vec
	box := r3.EmptyBox()
	for v, x := range pos {
		if j := b.Bone(int32(v)); j == LeftElbow || j == LeftWrist {
			arm = append(arm, x)
			box = box.With(x)
		}
	}
	margin := r3.V(near, near, near)
	box.Min, box.Max = box.Min.Sub(margin), box.Max.Add(margin)
	var faces [][3]r3.Vec
	var normals []r3.Vec
	for _, c := range b.Tri {
		p, q, r := pos[c[0]], pos[c[1]], pos[c[2]]
		if trunk(c[0]) && trunk(c[1]) && trunk(c[2]) && box.Contains(p) {
			faces = append(faces, [3]r3.Vec{p, q, r})
			normals = append(normals, q.Sub(p).Cross(r.Sub(p)))
		}
	}
	deepest := math.Inf(-1)
	for _, x := range arm {
		best, side := math.Inf(1), 0.0
		for i := range faces {
			f := &faces[i]
			if x.Sub(f[0]).Norm2() > 4*near*near {
				continue
			}
			if w, _, d2 := geom.PointTriangle(x, f[0], f[1], f[2]); d2 < best {
				foot := f[0].Scale(w.X).AddScaled(w.Y, f[1]).AddScaled(w.Z, f[2])
				best, side = d2, foot.Sub(x).Dot(normals[i])
			}
		}
		deepest = max(deepest, math.Copysign(math.Sqrt(best), side))
	}
	return deepest
}

// armBefore returns the pose with the left forearm across the chest, before it at s = 0 and right through it at s = 1.
func armBefore(s float64) Pose {
	return standing(func(p *Pose) {
		p.one(LeftClavicle, 0, 14, 0)
		p.one(LeftShoulder, 70-65*s, 20, -80)
		p.one(LeftElbow, 112, 0, 0)
	})
}

// armThroughChest lays the left forearm across the chest and presses it in by depth [m], once in 4 s.
func armThroughChest(b *Mannequin, depth float64) *spline {
	pos := make([]r3.Vec, b.Vertices())
	at := func(s float64) float64 {
		p := armBefore(s)
		b.Skin(&p, pos)
		return b.ArmDepth(pos)
	}
	lo, hi := 0.0, 1.0
	for range 16 { // to 1e-5 of the way, which is some 0.3 m long
		if mid := (lo + hi) / 2; at(mid) < depth {
			lo = mid
		} else {
			hi = mid
		}
	}
	in := armBefore(hi)
	return newSpline(true, key{0, armBefore(0)}, key{1.5, in}, key{2.5, in}, key{4, armBefore(0)})
}
