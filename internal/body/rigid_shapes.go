package body

import (
	"math"

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

// Ball returns a solid ball with the given radius [m] and density [kg/m³].
func Ball(radius, density float64) RigidSpec {
	mass := 4.0 / 3 * math.Pi * radius * radius * radius * density
	return roundPoint(radius, mass, 2.0/5)
}

// HollowBall returns a thin spherical shell with the given radius [m] and mass per area [kg/m²].
func HollowBall(radius, areal float64) RigidSpec {
	return roundPoint(radius, 4*math.Pi*radius*radius*areal, 2.0/3)
}

// roundPoint returns a ball whose moment of inertia is the given share of m R².
func roundPoint(radius, mass, share float64) RigidSpec {
	return RigidSpec{
		Mass: mass, Inertia: r3.Diagonal(share * mass * radius * radius),
		Points: make([]r3.Vec, 1), Dots: []int32{0}, Radius: radius,
	}
}

// Capsule returns a solid capsule: all that is within the radius of the part of the z axis from −half to half [m]. It
// is a cylinder of mass m with half a ball, together of mass M, at either end. The centre of half a ball is 3/8 R from
// its flat side, so that
//
//	I_z = (m/2 + 2M/5) R²,   I_x = m (half²/3 + R²/4) + M (2/5 R² + half² + 3/4 half R).
func Capsule(radius, half, density float64) RigidSpec {
	square := radius * radius
	middle, ends := 2*math.Pi*square*half*density, 4.0/3*math.Pi*square*radius*density
	along := (middle/2 + 2*ends/5) * square
	across := middle*(half*half/3+square/4) + ends*(2*square/5+half*half+3*half*radius/4)
	return RigidSpec{
		Mass: middle + ends, Inertia: r3.Mat{XX: across, YY: across, ZZ: along},
		Points: []r3.Vec{{Z: -half}, {Z: half}}, Edges: [][2]int32{{0, 1}}, Radius: radius,
	}
}
