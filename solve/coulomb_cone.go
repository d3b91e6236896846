package solve

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

// CoulombResidual returns how far u and r are from Coulomb's law [m/s]: the length of
// FischerBurmeister or, if larger, the slip of a contact that should stick,
// min(‖u_T‖, s(μ r_N - ‖r_T‖)). û_T = μ u_T would hide that slip at small mu.
func CoulombResidual(u, r r3.Vec, mu, s float64) float64 {
	residual := FischerBurmeister(u, r, mu, s).Norm()
	margin := s * (mu*r.X - math.Sqrt(r.Y*r.Y+r.Z*r.Z))
	if margin > 0 {
		residual = max(residual, min(margin, math.Sqrt(u.Y*u.Y+u.Z*u.Z)))
	}
	return residual
}

// FischerBurmeisterJacobian returns f = FischerBurmeister(u, r, mu, s) with its derivatives by u [-]
// and by r [1/kg], or elements of the generalized derivative where f has a corner.
func FischerBurmeisterJacobian(u, r r3.Vec, mu, s float64) (f r3.Vec, du, dr r3.Mat) {
	r = r.Scale(s)
	if mu == 0 {
		return scalarJacobian(u, r, s)
	}
	x, y := hats(u, r, mu)
	plus, minus, e1, e2 := rootOfSquares(x, y)
	half := 0.5 * (plus - minus)
	f = r3.Vec{X: x.X + y.X - 0.5*(plus+minus), Y: x.Y + y.Y - half*e1, Z: x.Z + y.Z - half*e2}

	fx := rootJacobian(x, plus, minus, e1, e2)
	fy := rootJacobian(y, plus, minus, e1, e2)
	// û_N depends on u_T through ‖u_T‖.
	var t1, t2 float64
	if n := math.Sqrt(u.Y*u.Y + u.Z*u.Z); n > 0 {
		t1, t2 = u.Y/n, u.Z/n
	}
	du = r3.Mat{
		XX: fx.XX, XY: mu * (fx.XX*t1 + fx.XY), XZ: mu * (fx.XX*t2 + fx.XZ),
		YX: fx.YX, YY: mu * (fx.YX*t1 + fx.YY), YZ: mu * (fx.YX*t2 + fx.YZ),
		ZX: fx.ZX, ZY: mu * (fx.ZX*t1 + fx.ZY), ZZ: mu * (fx.ZX*t2 + fx.ZZ),
	}
	dr = r3.Mat{
		XX: s * mu * fy.XX, XY: s * fy.XY, XZ: s * fy.XZ,
		YX: s * mu * fy.YX, YY: s * fy.YY, YZ: s * fy.YZ,
		ZX: s * mu * fy.ZX, ZY: s * fy.ZY, ZZ: s * fy.ZZ,
	}
	return f, du, dr
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

// rootJacobian returns 1 - L_w⁻¹ L_x, where L_x is the matrix of the product x∘ and w the root with the
// given eigenvalues. L_w has the eigenvectors (1, e)/√2, (1, -e)/√2 and (0, e⊥) with eigenvalues plus,
// minus and their mean.
func rootJacobian(x r3.Vec, plus, minus, e1, e2 float64) r3.Mat {
	if plus == 0 {
		return r3.Diagonal(1 - math.Sqrt2/2)
	}
	m := r3.Identity()
	dot, cross := e1*x.Y+e2*x.Z, e1*x.Z-e2*x.Y
	// Rows of L_x in that basis, over the eigenvalue.
	row := r3.Vec{X: x.X + dot, Y: x.Y + x.X*e1, Z: x.Z + x.X*e2}
	m.AddOuter(-0.5/plus, r3.Vec{X: 1, Y: e1, Z: e2}, row)
	if minus > tiny*plus {
		row = r3.Vec{X: x.X - dot, Y: x.Y - x.X*e1, Z: x.Z - x.X*e2}
		m.AddOuter(-0.5/minus, r3.Vec{X: 1, Y: -e1, Z: -e2}, row)
	} else {
		// The limit for x = y: both rows are as long as minus/√2.
		m.AddOuter(-0.5*math.Sqrt2/2, r3.Vec{X: 1, Y: -e1, Z: -e2}, r3.Vec{X: 1, Y: -e1, Z: -e2})
	}
	row = r3.Vec{X: cross, Y: -e2 * x.X, Z: e1 * x.X}
	m.AddOuter(-2/(plus+minus), r3.Vec{Y: -e2, Z: e1}, row)
	return m
}

// tiny is the ratio of eigenvalues below which the smaller one is rounding.
const tiny = 1e-15

// scalarFB returns the Fischer-Burmeister function of two numbers, without cancellation for two that
// are positive.
func scalarFB(a, b float64) float64 {
	n := math.Sqrt(a*a + b*b)
	if sum := a + b; sum > 0 {
		return 2 * a * b / (sum + n)
	}
	return a + b - n
}

// scalarJacobian is the frictionless case of FischerBurmeisterJacobian, r already scaled.
func scalarJacobian(u, r r3.Vec, s float64) (f r3.Vec, du, dr r3.Mat) {
	n := math.Sqrt(u.X*u.X + r.X*r.X)
	a, b := 1-math.Sqrt2/2, 1-math.Sqrt2/2
	if n > 0 {
		a, b = 1-u.X/n, 1-r.X/n
	}
	f = r3.Vec{X: scalarFB(u.X, r.X), Y: r.Y, Z: r.Z}
	return f, r3.Mat{XX: a}, r3.Mat{XX: s * b, YY: s, ZZ: s}
}
