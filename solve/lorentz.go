// Algebra of the cone of Lorentz, L = {x : x_N ≥ ‖x_T‖}, as interior-point methods need it [Alizadeh03]: with
//
//	x ∘ z = (x·z, x_N z_T + z_N x_T),   det x = x_N² - ‖x_T‖²,
//
// x and z of L are complementary, x·z = 0, where x ∘ z = 0. The scaling of Nesterov and Todd is the symmetric W with
// W z = W⁻¹ x, which takes both to the same point λ.

package solve

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// jordan returns x ∘ z.
func jordan(x, z r3.Vec) r3.Vec {
	return r3.V(x.Dot(z), x.X*z.Y+z.X*x.Y, x.X*z.Z+z.X*x.Z)
}

// divide returns y with x ∘ y = z.
func divide(z, x r3.Vec) r3.Vec {
	n := (x.X*z.X - x.Y*z.Y - x.Z*z.Z) / determinant(x)
	return r3.V(n, (z.Y-n*x.Y)/x.X, (z.Z-n*x.Z)/x.X)
}

// determinant returns det x of a point inside L. Rounding cannot take it to zero.
func determinant(x r3.Vec) float64 {
	across := math.Hypot(x.Y, x.Z)
	return max((x.X-across)*(x.X+across), math.SmallestNonzeroFloat64)
}

// scaling returns W of x and z, and its inverse.
func scaling(x, z r3.Vec) (w, inverse r3.Mat) {
	sizeX, sizeZ := math.Sqrt(determinant(x)), math.Sqrt(determinant(z))
	x, z = x.Scale(1/sizeX), z.Scale(1/sizeZ)
	middle := r3.V(x.X+z.X, x.Y-z.Y, x.Z-z.Z).Scale(1 / math.Sqrt(2*(1+x.Dot(z))))
	across := r3.V(0, middle.Y, middle.Z)
	w = r3.Mat{XX: middle.X, XY: across.Y, XZ: across.Z, YX: across.Y, ZX: across.Z, YY: 1, ZZ: 1}
	w.AddOuter(1/(1+middle.X), across, across)
	inverse = w
	inverse.XY, inverse.XZ, inverse.YX, inverse.ZX = -w.XY, -w.XZ, -w.YX, -w.ZX
	size := math.Sqrt(sizeX / sizeZ)
	return w.Scale(size), inverse.Scale(1 / size)
}

// wayOut returns the largest t for which x + t d is in L, of a point inside.
func wayOut(x, d r3.Vec) float64 {
	// The roots of det(x + t d) = a t² + 2 b t + c; the first positive one is where the way leaves the double cone.
	across := math.Hypot(d.Y, d.Z)
	a := (d.X - across) * (d.X + across)
	b := x.X*d.X - x.Y*d.Y - x.Z*d.Z
	c := determinant(x)
	t := math.Inf(1)
	if d.X < 0 {
		t = -x.X / d.X
	}
	square := b*b - a*c
	if square < 0 {
		return t
	}
	q := -(b + math.Copysign(math.Sqrt(square), b))
	for _, root := range [2]float64{q / a, c / q} {
		if root > 0 {
			t = min(t, root)
		}
	}
	return t
}
