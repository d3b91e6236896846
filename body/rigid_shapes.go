package body

import (
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// RigidOf returns the rigid body that fills a closed surface with a density [kg/m³], and where its centre is [m]. The
// error of a surface that is open, not a manifold or inside out names the edge or the triangle.
func RigidOf(x []r3.Vec, tri [][3]int32, density float64) (spec RigidSpec, centre r3.Vec, err error) {
	solid, err := mesh.SolidOf(x, tri, density)
	if err != nil {
		return RigidSpec{}, r3.Vec{}, err
	}
	spec = RigidSpec{Mass: solid.Mass, Inertia: solid.Inertia, Tri: tri}
	for _, p := range x {
		spec.Points = append(spec.Points, p.Sub(solid.Centre))
	}
	return spec, solid.Centre, nil
}

// Brick returns a rigid box with the given half sides [m] and density [kg/m³].
func Brick(half r3.Vec, density float64) RigidSpec {
	mass := 8 * half.X * half.Y * half.Z * density
	square := r3.V(half.X*half.X, half.Y*half.Y, half.Z*half.Z).Scale(mass / 3)
	s := RigidSpec{
		Mass:    mass,
		Inertia: r3.Mat{XX: square.Y + square.Z, YY: square.Z + square.X, ZZ: square.X + square.Y},
	}
	for i := range 8 {
		side := func(bit int, half float64) float64 { return float64(2*(i>>bit&1)-1) * half }
		s.Points = append(s.Points, r3.V(side(0, half.X), side(1, half.Y), side(2, half.Z)))
	}
	for _, q := range [6][4]int32{
		{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5},
	} {
		s.Tri = append(s.Tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return s
}
