package referee

// Coulomb's law as one equation: the Fischer-Burmeister function of the second-order cone.
//
// With De Saxcé's change of variables [DeSaxce98], [Li18] eqs. (10) and (12), and the impulse scaled to
// a velocity by s [1/kg],
//
//	x = û = (u_N + μ‖u_T‖, μ u_T),   y = s r̂ = s (μ r_N, r_T),
//
// the law (r, u) ∈ C(μ) is x, y ∈ K, x·y = 0 with K = {‖x_T‖ ≤ x_N}, and that is f(x, y) = 0 for
//
//	f(x, y) = x + y - (x∘x + y∘y)^½,   x∘x = (‖x‖², 2 x_N x_T)        [Fukushima02]
//
// The square root is taken on the eigenvalues z_N ± ‖z_T‖ of z = x∘x + y∘y. The textbook difference
// z_N - ‖z_T‖ cancels: for two surfaces that slide at 1 m/s with a small impulse it would give a
// residual of 1e-8 m/s that is not there. Here it is a sum of terms that are not negative.
//
// At μ = 0 the map to K is not invertible; the law is then s r_T = 0 and
// f₁(u_N, s r_N) = u_N + s r_N - √(u_N² + s² r_N²) = 0.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// FischerBurmeister returns f(û, s r̂) [m/s], which is zero iff the velocity u [m/s] and the impulse
// r [N s] obey Coulomb's law with coefficient mu. Component X is the normal. For mu = 0 it is the scalar
// function in X and s r_T in Y and Z.
func FischerBurmeister(u, r r3.Vec, mu, s float64) r3.Vec {
	r = r.Scale(s)
	if mu == 0 {
		return r3.Vec{X: scalarFB(u.X, r.X), Y: r.Y, Z: r.Z}
	}
	x, y := hats(u, r, mu)
	plus, minus, e1, e2 := rootOfSquares(x, y)
	half := 0.5 * (plus - minus)
	return r3.Vec{
		X: x.X + y.X - 0.5*(plus+minus),
		Y: x.Y + y.Y - half*e1,
		Z: x.Z + y.Z - half*e2,
	}
}

// hats returns û and r̂.
func hats(u, r r3.Vec, mu float64) (x, y r3.Vec) {
	x = r3.Vec{X: u.X + mu*math.Sqrt(u.Y*u.Y+u.Z*u.Z), Y: mu * u.Y, Z: mu * u.Z}
	return x, r3.Vec{X: mu * r.X, Y: r.Y, Z: r.Z}
}

// rootOfSquares returns (x∘x + y∘y)^½ by its eigenvalues, plus ≥ minus ≥ 0, and the tangent
// direction e of the eigenvectors (1, ±e).
func rootOfSquares(x, y r3.Vec) (plus, minus, e1, e2 float64) {
	xt, yt := math.Sqrt(x.Y*x.Y+x.Z*x.Z), math.Sqrt(y.Y*y.Y+y.Z*y.Z)
	xn, yn := math.Abs(x.X), math.Abs(y.X)
	p1, p2, q1, q2 := x.X*x.Y, x.X*x.Z, y.X*y.Y, y.X*y.Z
	z1, z2 := p1+q1, p2+q2
	p, q, z := xn*xt, yn*yt, math.Sqrt(z1*z1+z2*z2)

	// ‖p‖ + ‖q‖ - ‖p + q‖, where ‖p‖‖q‖ - p·q cancels only for an acute angle.
	var slack float64
	if sum := p + q + z; sum > 0 {
		dot, cross := p1*q1+p2*q2, p1*q2-p2*q1
		if dot <= 0 {
			slack = 2 * (p*q - dot) / sum
		} else {
			slack = 2 * (cross / (p*q + dot)) * (cross / sum) // in this order nothing underflows to 0/0
		}
	}
	dx, dy := xn-xt, yn-yt
	minus = math.Sqrt(dx*dx + dy*dy + 2*slack)
	plus = math.Sqrt(x.Norm2() + y.Norm2() + 2*z)
	if z > 0 {
		return plus, minus, z1 / z, z2 / z
	}
	return plus, minus, 1, 0
}

// scalarFB returns the Fischer-Burmeister function of two numbers, without cancellation for two that
// are positive.
func scalarFB(a, b float64) float64 {
	n := math.Sqrt(a*a + b*b)
	if sum := a + b; sum > 0 {
		return 2 * a * b / (sum + n)
	}
	return a + b - n
}
