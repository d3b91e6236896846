package solve

// How far a velocity and an impulse are from Coulomb's law: the least change of both that makes them
// obey it, an impulse being turned into a velocity by s [1/kg].
//
//	take-off  u'_N = max(u_N, 0),          r' = 0
//	stick     u' = 0,                      r' in the cone, nearest to r
//	slide     u'_N = 0, u'_T = λ d, λ ≥ 0, r' = ρ (1, -μ d), ρ ≥ 0, nearest to u_T and r
//
// For a slide both d = u_T/‖u_T‖ and d = -r_T/‖r_T‖ are tried; the best direction of all is at least a
// third as far. So the residual of a contact is a backward error, with no constant in it: u' and r' solve
// the contact exactly, and neither is further away than the residual says. That holds at any μ. The
// Fischer-Burmeister function of [Fukushima02], which [Li18] and others use, sees slip and normal
// impulses times μ only: at μ = 1e-3 it takes an impulse that pushes surfaces apart which part already
// for a thousandth of what it is.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// CoulombResidual returns how far u [m/s] and r [N s] are from Coulomb's law with coefficient mu: the larger of
// ‖u' - u‖ and s ‖r' - r‖ [m/s], for the pair (u', r') of NearestLawful. Component X is the normal.
func CoulombResidual(u, r r3.Vec, mu, s float64) float64 {
	_, _, far := NearestLawful(u, r, mu, s)
	return far
}

// NearestLawful returns a velocity and an impulse that obey Coulomb's law and are near u and r, and how far
// they are: the larger of ‖u' - u‖ and s ‖r' - r‖ [m/s]. It is NaN where u or r are not finite.
func NearestLawful(u, r r3.Vec, mu, s float64) (u1, r1 r3.Vec, far float64) {
	if sum := u.X + u.Y + u.Z + s*(r.X+r.Y+r.Z); sum-sum != 0 {
		return u, r, math.NaN()
	}
	// Take-off.
	u1, r1 = r3.Vec{X: max(u.X, 0), Y: u.Y, Z: u.Z}, r3.Vec{}
	far = max(-u.X, s*r.Norm())
	try := func(u2, r2 r3.Vec) {
		if d := max(u2.Sub(u).Norm(), s*r2.Sub(r).Norm()); d < far {
			u1, r1, far = u2, r2, d
		}
	}
	slip, friction := math.Hypot(u.Y, u.Z), math.Hypot(r.Y, r.Z)
	if r.X >= 0 && friction <= mu*r.X {
		try(r3.Vec{}, r) // stick, inside the cone
	}
	slide := func(d1, d2 float64) {
		along := max(0, u.Y*d1+u.Z*d2)
		push := max(0, (r.X-mu*(r.Y*d1+r.Z*d2))/(1+mu*mu))
		on := r3.Vec{X: push, Y: -mu * push * d1, Z: -mu * push * d2}
		try(r3.Vec{Y: along * d1, Z: along * d2}, on)
		try(r3.Vec{}, on)
	}
	if slip > 0 {
		slide(u.Y/slip, u.Z/slip)
	}
	if friction > 0 {
		slide(-r.Y/friction, -r.Z/friction)
	}
	return u1, r1, far
}
