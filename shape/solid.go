package shape

// Closed surfaces of solids.
//
// Each stands like the shape: at the origin, along Z. All but the box
// turn a profile, points (r, z) from the lower end of the axis to the upper one, about Z in n equal
// steps; a ring at r = 0 is a single vertex. Vertices lie on the solid's surface, so that a convex solid
// contains its mesh. With half a step b = π/n about the axis and half a step a along a round profile of
// radius R, a point of the mesh is a point of the inscribed profile whose r has been scaled by
// cos b ... 1. It is therefore inside the solid by at most
//
//	R (1 − cos b)          cylinder, cone
//	R (1 − cos a cos b)    sphere, capsule
//
// Invariants: every edge has two triangles, one on each side, and triangles are counter-clockwise seen
// from outside.

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Mesh returns the surface of the ball, from pole to pole in rings bands of latitude and twice as many of longitude.
// It panics if the radius [m] is not positive or there are fewer than 2 bands.
func (s Sphere) Mesh(rings int) (pos []r3.Vec, tri [][3]int32) {
	checkSolid("sphere", rings, 2, s.Radius)
	return revolve(arc(nil, s.Radius, 0, -rings, rings, rings), 2*rings)
}

// Mesh returns the surface of the capsule. Each of its two caps has rings bands of latitude, and all has 4 rings
// sides. It panics if the radius is not positive, half is negative, or there is no band.
func (c Capsule) Mesh(rings int) (pos []r3.Vec, tri [][3]int32) {
	radius, half := c.Radius, c.Half
	if half == 0 {
		return Sphere{radius}.Mesh(2 * rings)
	}
	checkSolid("capsule", rings, 1, radius, half)
	profile := arc(nil, radius, -half, -2*rings, 0, 2*rings)
	profile = arc(profile, radius, half, 0, 2*rings, 2*rings)
	return revolve(profile, 4*rings)
}

// Mesh returns the surface of the cylinder. It is a prism of sides flat sides whose upright edges lie on the cylinder,
// the first above +X. It panics if a length is not positive or there are fewer than 3 sides.
func (c Cylinder) Mesh(sides int) (pos []r3.Vec, tri [][3]int32) {
	radius, half := c.Radius, c.Half
	checkSolid("cylinder", sides, 3, radius, half)
	return revolve([]r3.Vec2{{X: 0, Y: -half}, {X: radius, Y: -half}, {X: radius, Y: half}, {X: 0, Y: half}}, sides)
}

// EvenMesh is Mesh with triangles that are all about as large, as smooth surfaces want them: its sides are cut
// into pieces as long as they are wide, an even number of them whose diagonals mirror each other, and so are its ends.
func (c Cylinder) EvenMesh(sides int) (pos []r3.Vec, tri [][3]int32) {
	radius, half := c.Radius, c.Half
	checkSolid("cylinder", sides, 3, radius, half)
	wide := 2 * radius * math.Sin(math.Pi/float64(sides))
	across, along := int(math.Ceil(radius/wide)), 2*int(math.Ceil(half/wide))
	var profile []r3.Vec2
	for k := range across {
		profile = append(profile, r3.Vec2{X: radius * float64(k) / float64(across), Y: -half})
	}
	for k := range along + 1 {
		profile = append(profile, r3.Vec2{X: radius, Y: half * (2*float64(k)/float64(along) - 1)})
	}
	for k := range across {
		profile = append(profile, r3.Vec2{X: radius * float64(across-1-k) / float64(across), Y: half})
	}
	pos, tri = revolve(profile, sides)
	for i := 0; i+1 < len(tri); i++ { // two triangles of a piece follow each other: abc and acd
		p, q := &tri[i], &tri[i+1]
		if p[0] == q[0] && p[2] == q[1] {
			if pos[p[0]].Z+pos[p[2]].Z > 0 {
				a, b, c, d := p[0], p[1], p[2], q[2]
				*p, *q = [3]int32{a, b, d}, [3]int32{b, c, d}
			}
			i++
		}
	}
	return pos, tri
}

// Mesh returns the surface of the cone: a pyramid of sides flat sides whose slanted edges lie on the cone. It panics
// if a length is not positive or there are fewer than 3 sides.
func (c Cone) Mesh(sides int) (pos []r3.Vec, tri [][3]int32) {
	radius, height := c.Radius, c.Height
	checkSolid("cone", sides, 3, radius, height)
	return revolve([]r3.Vec2{{X: 0, Y: 0}, {X: radius, Y: 0}, {X: 0, Y: height}}, sides)
}

// Mesh returns the surface of the box: 8 vertices and 12 triangles. It panics if a length is not positive.
func (b Box) Mesh() (pos []r3.Vec, tri [][3]int32) {
	half := b.Half
	checkSolid("box", 1, 1, half.X, half.Y, half.Z)
	for i := range 8 {
		s := r3.V(float64(i&1*2-1), float64(i>>1&1*2-1), float64(i>>2&1*2-1))
		pos = append(pos, r3.V(s.X*half.X, s.Y*half.Y, s.Z*half.Z))
	}
	for _, q := range [6][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		tri = append(tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return pos, tri
}

// Square returns a square around the origin in the plane z = 0 that looks up, half [m] from its middle
// to its sides: two triangles that stand for a plane. It panics if half is not positive.
func Square(half float64) (pos []r3.Vec, tri [][3]int32) {
	checkSolid("square", 1, 1, half)
	return []r3.Vec{r3.V(-half, -half, 0), r3.V(half, -half, 0), r3.V(half, half, 0), r3.V(-half, half, 0)},
		[][3]int32{{0, 1, 2}, {0, 2, 3}}
}

// arc appends points of a half-circle of the given radius around (0, z), at the latitudes (π/2) k/pole
// for k = lo, lo+2, ..., hi. The poles, k = ±pole, are on the axis exactly.
func arc(profile []r3.Vec2, radius, z float64, lo, hi, pole int) []r3.Vec2 {
	for k := lo; k <= hi; k += 2 {
		s, c := math.Sincos(math.Pi / 2 * float64(k) / float64(pole))
		if k == pole || k == -pole {
			s, c = math.Copysign(1, s), 0
		}
		profile = append(profile, r3.Vec2{X: radius * c, Y: z + radius*s})
	}
	return profile
}

// revolve turns a profile about the Z axis in the given number of steps.
func revolve(profile []r3.Vec2, steps int) (pos []r3.Vec, tri [][3]int32) {
	first := make([]int32, len(profile)) // vertex of each ring
	for i, p := range profile {
		first[i] = int32(len(pos))
		if p.X == 0 {
			pos = append(pos, r3.V(0, 0, p.Y))
			continue
		}
		pos = append(pos, ring(p.X, p.Y, steps)...)
	}
	at := func(ring, j int) int32 {
		if profile[ring].X == 0 {
			return first[ring]
		}
		return first[ring] + int32(j%steps)
	}
	for i := range len(profile) - 1 {
		for j := range steps {
			a, b, c, d := at(i, j), at(i, j+1), at(i+1, j+1), at(i+1, j)
			if a != b {
				tri = append(tri, [3]int32{a, b, c})
			}
			if c != d {
				tri = append(tri, [3]int32{a, c, d})
			}
		}
	}
	return pos, tri
}

// checkSolid panics if a length is not positive and finite or a count is below least.
func checkSolid(what string, count, least int, lengths ...float64) {
	for _, l := range lengths {
		if !(l > 0) || math.IsInf(l, 1) {
			panic(fmt.Sprintf("shape: %s with a length of %g m", what, l))
		}
	}
	if count < least {
		panic(fmt.Sprintf("shape: %s of %d parts, fewer than %d", what, count, least))
	}
}
