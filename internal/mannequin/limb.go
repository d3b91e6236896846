package mannequin

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Limb is a capsule with a joint in its middle, skinned as characters are: an elbow or a knee without a body.
type Limb struct {
	Radius float64 // [m]
	Bone   float64 // length of each of the two bones, from the joint to the middle of a round end [m]
	Around int     // vertices in a circle, at least 3
	Along  int     // cells along each bone, at least 1
	// Blend is over which length around the joint the skin goes from one bone to the other [m], positive.
	Blend float64
}

// Bent returns the closed surface of the limb with its joint bent by angle [rad] towards +X, as linear blend skinning
// makes it: past a right angle or so the inner sides of the two halves go through each other. The joint is at the
// origin, the first bone along -Z. Triangles are counter-clockwise seen from outside. It panics if the limb is none.
func (l Limb) Bent(angle float64) ([]r3.Vec, [][3]int32) {
	if !(l.Radius > 0) || !(l.Bone > 0) || !(l.Blend > 0) || l.Around < 3 || l.Along < 1 {
		panic(fmt.Sprintf("shape: a limb of %+v", l))
	}
	turn := r3.Rotation(r3.V(0, 1, 0), angle)
	skin := func(p r3.Vec) r3.Vec {
		t := min(max(p.Z/l.Blend+0.5, 0), 1)
		return p.Lerp(turn.Rotate(p), t*t*(3-2*t))
	}
	var rings []r3.Vec2 // radius and height
	caps := max(1, l.Around/4)
	for k := 1; k < caps; k++ {
		sin, cos := math.Sincos(math.Pi / 2 * float64(k) / float64(caps))
		rings = append(rings, r3.Vec2{X: l.Radius * sin, Y: -l.Bone - l.Radius*cos})
	}
	for k := -l.Along; k <= l.Along; k++ {
		rings = append(rings, r3.Vec2{X: l.Radius, Y: l.Bone * float64(k) / float64(l.Along)})
	}
	for k := caps - 1; k > 0; k-- {
		sin, cos := math.Sincos(math.Pi / 2 * float64(k) / float64(caps))
		rings = append(rings, r3.Vec2{X: l.Radius * sin, Y: l.Bone + l.Radius*cos})
	}
	pos := []r3.Vec{skin(r3.V(0, 0, -l.Bone-l.Radius))}
	for k, ring := range rings {
		for i := range l.Around { // odd rings are turned by half a cell, so that triangles are nearly equilateral
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5*float64(k%2)) / float64(l.Around))
			pos = append(pos, skin(r3.V(ring.X*cos, ring.X*sin, ring.Y)))
		}
	}
	last := int32(len(pos))
	pos = append(pos, skin(r3.V(0, 0, l.Bone+l.Radius)))
	return pos, l.triangles(len(rings), last)
}

func (l Limb) triangles(rings int, last int32) [][3]int32 {
	at := func(k, i int) int32 { return int32(1 + k*l.Around + (i+l.Around)%l.Around) }
	var tri [][3]int32
	for i := range l.Around {
		tri = append(tri, [3]int32{0, at(0, i+1), at(0, i)}, [3]int32{last, at(rings-1, i), at(rings-1, i+1)})
		for k := range rings - 1 {
			a, b, c, d := at(k, i), at(k, i+1), at(k+1, i), at(k+1, i+1)
			if k%2 == 0 { // the upper vertices are half a cell ahead
				tri = append(tri, [3]int32{a, b, c}, [3]int32{b, d, c})
			} else {
				tri = append(tri, [3]int32{a, d, c}, [3]int32{a, b, d})
			}
		}
	}
	return tri
}
