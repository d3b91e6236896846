package mannequin

import (
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// maxDepth is how deep an arm goes into the chest at most [m].
const maxDepth = 0.05

// ArmDepth returns how deep the left forearm and hand are in the trunk at the given positions of all vertices [m]: the
// largest distance of one of their vertices inside from the surface of the trunk. It is negative while they are apart,
// and -0.1 if by more than 10 cm.
func (b *Mannequin) ArmDepth(pos []r3.Vec) float64 {
	const near = 0.1
	// forearm and hand, and the box around what may be near them
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
	// faces of the trunk in it
	var faces []trunkFace
	for _, c := range b.Tri {
		f := trunkFace{corner: [3]r3.Vec{pos[c[0]], pos[c[1]], pos[c[2]]}}
		own := 0
		for _, v := range c {
			if b.Bone(v) <= Chest {
				own++
			}
		}
		if own > 0 && box.Contains(f.corner[0]) {
			f.edge = own < 3
			f.normal = f.corner[1].Sub(f.corner[0]).Cross(f.corner[2].Sub(f.corner[0]))
			faces = append(faces, f)
		}
	}
	// the vertex that is deepest in
	deepest := -near
	for _, x := range arm {
		if d, ok := depthIn(faces, x, near); ok {
			deepest = max(deepest, d)
		}
	}
	return deepest
}

// trunkFace is a triangle of the trunk.
type trunkFace struct {
	corner [3]r3.Vec
	normal r3.Vec
	edge   bool // at the end of the trunk, where inside and outside cannot be told
}

// depthIn returns how far x is inside, if it is nearer to the trunk than near and not beyond one of its ends.
func depthIn(faces []trunkFace, x r3.Vec, near float64) (float64, bool) {
	best, side, edge := near*near, 0.0, true
	for i := range faces {
		f := &faces[i]
		if x.Sub(f.corner[0]).Norm2() > 4*near*near {
			continue
		}
		if w, _, d2 := geom.PointTriangle(x, f.corner[0], f.corner[1], f.corner[2]); d2 < best {
			foot := f.corner[0].Scale(w.X).AddScaled(w.Y, f.corner[1]).AddScaled(w.Z, f.corner[2])
			best, side, edge = d2, foot.Sub(x).Dot(f.normal), f.edge
		}
	}
	return math.Copysign(math.Sqrt(best), side), !edge
}

// armBefore returns the pose with the left forearm across the chest, before it at s = 0 and right through it at s = 1.
func armBefore(s float64) Pose {
	return standing(func(p *Pose) {
		p.one(LeftShoulder, 75-70*s, 21, -80)
		p.one(LeftElbow, 105+19*s, 0, 0)
		p.one(LeftWrist, -45, 0, 0) // so that the forearm goes in and not the hand alone
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
	return newSpline(
		true,
		key{pose: armBefore(0)},
		key{1.5, in, true},
		key{2.5, in, true},
		key{t: 4, pose: armBefore(0)},
	)
}
