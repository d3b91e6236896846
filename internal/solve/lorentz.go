// Algebra of the cone of Lorentz, L = {x : x_N ≥ ‖x_T‖}, as interior-point methods need it [Alizadeh03]: with
//
//	x ∘ z = (x·z, x_N z_T + z_N x_T),   det x = x_N² - ‖x_T‖²,   x⁻¹ = (x_N, -x_T)/det x,
//
// x and z of L are complementary, x·z = 0, where x ∘ z = 0. The scaling of Nesterov and Todd is the symmetric W with
// W z = W⁻¹ x, which takes both to the same point.

package solve

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// determinant returns det x of a point inside L. Rounding cannot take it to zero.
func determinant(x r3.Vec) float64 {
	across := math.Hypot(x.Y, x.Z)
	return max((x.X-across)*(x.X+across), 0x1p-53*x.X*x.X)
}

// middleOf returns m, with det m = 1, and s with W² = s (2 m mᵀ - diag(1, -1, -1)), of points x and z inside L that
// have the given determinants.
func middleOf(x, z r3.Vec, detX, detZ float64) (square float64, middle r3.Vec) {
	sizeX, sizeZ := math.Sqrt(detX), math.Sqrt(detZ)
	x, z = x.Scale(1/sizeX), z.Scale(1/sizeZ)
	return sizeX / sizeZ, r3.V(x.X+z.X, x.Y-z.Y, x.Z-z.Z).Scale(1 / math.Sqrt(2*(1+x.Dot(z))))
}
