// Package geom answers questions about points in space: on which side, how far, when do they meet, do they
// cross. The kernels here are stateless and take plain points.
package geom

import (
	"math"
	"math/big"

	"github.com/toile-sim/toile/r3"
)

// Exact orientation predicates, after the idea of [Shewchuk97]: evaluate the determinant in floating point
// with a bound on its error, and only when the sign is in doubt evaluate it again without any rounding.
//
//	u = 2⁻⁵³, the unit roundoff.
//	Filter of Orient3: each term of the determinant passes through at most eight roundings (three
//	differences, a product, a difference, a product, two sums), so the error is at most γ₈ P with P the
//	same sum over magnitudes; 9uP with the computed P covers it, and its own rounding. Products that
//	underflow add at most 2⁻¹⁰⁷⁴ times a coordinate difference each, which the last term covers.
//	A product that is fused into a sum by the compiler is rounded less often: the bound still holds.
//
// Departure from the source: one exact stage instead of three adaptive ones; the doubtful cases are few, and
// expansions without zeros are short when the coordinates lie on a grid. Coordinates whose expansions could
// underflow or overflow go to math/big.
//
// Invariant: the sign returned is that of the exact determinant of the given numbers. It does not depend on
// how the compiler rounds.

const (
	roundoff    = 0x1p-53
	underflow   = 0x1p-1000
	filter3     = 9 * roundoff
	filter2     = 5 * roundoff
	bigExponent = 0x1p300 // magnitudes in [2⁻³⁰⁰, 2³⁰⁰] keep every product of three within the range of a double
)

// Orient3 returns the sign of (b-a) x (c-a) . (d-a): +1 when d lies on the side of the triangle abc to which
// its normal points, -1 on the other side, and 0 when the four points lie in one plane. It is exact for all
// finite coordinates, and 0 when one of them is not finite.
func Orient3(a, b, c, d r3.Vec) int {
	ux, uy, uz := b.X-a.X, b.Y-a.Y, b.Z-a.Z
	vx, vy, vz := c.X-a.X, c.Y-a.Y, c.Z-a.Z
	wx, wy, wz := d.X-a.X, d.Y-a.Y, d.Z-a.Z

	yz, zy := uy*vz, uz*vy
	zx, xz := uz*vx, ux*vz
	xy, yx := ux*vy, uy*vx
	det := wx*(yz-zy) + wy*(zx-xz) + wz*(xy-yx)

	ax, ay, az := math.Abs(wx), math.Abs(wy), math.Abs(wz)
	permanent := ax*(math.Abs(yz)+math.Abs(zy)) + ay*(math.Abs(zx)+math.Abs(xz)) + az*(math.Abs(xy)+math.Abs(yx))
	bound := filter3*permanent + underflow*(1+ax+ay+az)
	if det > bound {
		return 1
	}
	if -det > bound {
		return -1
	}
	return orient3Exact(a, b, c, d)
}

// Orient2 returns the sign of (b-a) x (c-a): +1 when a, b, c turn to the left, -1 to the right, 0 when they
// lie on one line. It is exact for all finite coordinates, and 0 when one of them is not finite.
func Orient2(a, b, c r3.Vec2) int {
	left := (b.X - a.X) * (c.Y - a.Y)
	right := (b.Y - a.Y) * (c.X - a.X)
	det := left - right
	bound := filter2*(math.Abs(left)+math.Abs(right)) + underflow
	if det > bound {
		return 1
	}
	if -det > bound {
		return -1
	}
	return orient2Exact(a, b, c)
}

func orient3Exact(a, b, c, d r3.Vec) int {
	if a == b || a == c || a == d || b == c || b == d || c == d {
		return 0
	}
	if !a.Finite() || !b.Finite() || !c.Finite() || !d.Finite() {
		return 0
	}
	if tame(a) && tame(b) && tame(c) && tame(d) {
		return orient3Expansion(a, b, c, d)
	}
	return orient3Big(a, b, c, d)
}

func orient2Exact(a, b, c r3.Vec2) int {
	if a == b || a == c || b == c || !a.Finite() || !b.Finite() || !c.Finite() {
		return 0
	}
	if tameNumber(a.X) && tameNumber(a.Y) && tameNumber(b.X) && tameNumber(b.Y) && tameNumber(c.X) && tameNumber(c.Y) {
		return orient2Expansion(a, b, c)
	}
	return orient2Big(a, b, c)
}

func tame(a r3.Vec) bool { return tameNumber(a.X) && tameNumber(a.Y) && tameNumber(a.Z) }

// tameNumber reports whether products of three differences of such numbers can be expanded exactly: every
// part is a multiple of (2⁻³⁵²)³ > 2⁻¹⁰⁷⁴ and the sum is below 2⁹¹⁰.
func tameNumber(x float64) bool {
	x = math.Abs(x)
	return x == 0 || x >= 1/bigExponent && x <= bigExponent
}

// bigPrecision bits hold any product of three differences of doubles: a difference spans at most 2099 bits.
const bigPrecision = 8192

func orient3Big(a, b, c, d r3.Vec) int {
	sub := func(x, y float64) *big.Float {
		return exactly().Sub(exactly().SetFloat64(x), exactly().SetFloat64(y))
	}
	ux, uy, uz := sub(b.X, a.X), sub(b.Y, a.Y), sub(b.Z, a.Z)
	vx, vy, vz := sub(c.X, a.X), sub(c.Y, a.Y), sub(c.Z, a.Z)
	wx, wy, wz := sub(d.X, a.X), sub(d.Y, a.Y), sub(d.Z, a.Z)
	det := exactly().Mul(wx, minorBig(uy, vz, uz, vy))
	det.Add(det, exactly().Mul(wy, minorBig(uz, vx, ux, vz)))
	det.Add(det, exactly().Mul(wz, minorBig(ux, vy, uy, vx)))
	return det.Sign()
}

func orient2Big(a, b, c r3.Vec2) int {
	sub := func(x, y float64) *big.Float {
		return exactly().Sub(exactly().SetFloat64(x), exactly().SetFloat64(y))
	}
	return minorBig(sub(b.X, a.X), sub(c.Y, a.Y), sub(b.Y, a.Y), sub(c.X, a.X)).Sign()
}

// minorBig returns ab - cd.
func minorBig(a, b, c, d *big.Float) *big.Float {
	return exactly().Sub(exactly().Mul(a, b), exactly().Mul(c, d))
}

func exactly() *big.Float { return new(big.Float).SetPrec(bigPrecision) }
