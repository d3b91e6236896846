// Package r3 holds small vectors, 3x3 matrices, quaternions, poses and boxes, by value.
//
// Vectors are structs of named fields because the Go compiler keeps such structs in
// registers and spills arrays; matrices are passed by pointer in hot code for the same
// reason.
package r3

import "math"

// Vec is a vector or a point in space.
type Vec struct{ X, Y, Z float64 }

// V returns the vector (x, y, z).
func V(x, y, z float64) Vec { return Vec{x, y, z} }

// Add returns a + b.
func (a Vec) Add(b Vec) Vec { return Vec{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a Vec) Sub(b Vec) Vec { return Vec{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Neg returns -a.
func (a Vec) Neg() Vec { return Vec{-a.X, -a.Y, -a.Z} }

// Scale returns s a.
func (a Vec) Scale(s float64) Vec { return Vec{s * a.X, s * a.Y, s * a.Z} }

// AddScaled returns a + s b.
func (a Vec) AddScaled(s float64, b Vec) Vec {
	return Vec{a.X + s*b.X, a.Y + s*b.Y, a.Z + s*b.Z}
}

// Dot returns the inner product of a and b.
func (a Vec) Dot(b Vec) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

// Cross returns the vector product a x b.
func (a Vec) Cross(b Vec) Vec {
	return Vec{a.Y*b.Z - a.Z*b.Y, a.Z*b.X - a.X*b.Z, a.X*b.Y - a.Y*b.X}
}

// Norm2 returns the squared length of a.
func (a Vec) Norm2() float64 { return a.X*a.X + a.Y*a.Y + a.Z*a.Z }

// Norm returns the length of a.
func (a Vec) Norm() float64 { return math.Sqrt(a.X*a.X + a.Y*a.Y + a.Z*a.Z) }

// Direction returns the length of a and its direction, or 0 and fallback if a is zero. Unlike Norm and Unit it neither
// overflows nor underflows.
func (a Vec) Direction(fallback Vec) (length float64, direction Vec) {
	const tiny, huge = 0x1p-500, 0x1p+500
	m := a.MaxAbs()
	if m > tiny && m < huge {
		l := a.Norm()
		return l, V(a.X/l, a.Y/l, a.Z/l)
	}
	if m == 0 {
		return 0, fallback
	}
	_, exp := math.Frexp(m)
	u := V(math.Ldexp(a.X, -exp), math.Ldexp(a.Y, -exp), math.Ldexp(a.Z, -exp))
	l := u.Norm()
	return math.Ldexp(l, exp), V(u.X/l, u.Y/l, u.Z/l)
}

// Unit returns a divided by its length, and the zero vector for the zero vector.
func (a Vec) Unit() Vec {
	n := a.Norm()
	if n == 0 {
		return Vec{}
	}
	return a.Scale(1 / n)
}

// Lerp returns (1-t) a + t b.
func (a Vec) Lerp(b Vec, t float64) Vec { return a.Scale(1-t).AddScaled(t, b) }

// Min returns the component-wise minimum.
func (a Vec) Min(b Vec) Vec { return Vec{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)} }

// Max returns the component-wise maximum.
func (a Vec) Max(b Vec) Vec { return Vec{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)} }

// MaxAbs returns the largest magnitude of the three components.
func (a Vec) MaxAbs() float64 { return max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)) }

// Finite reports whether no component is infinite or not a number.
func (a Vec) Finite() bool {
	// x-x is 0 for finite x and NaN otherwise.
	return (a.X-a.X)+(a.Y-a.Y)+(a.Z-a.Z) == 0
}

// Orthogonal returns a unit vector at right angles to the unit vector a.
func (a Vec) Orthogonal() Vec {
	if math.Abs(a.X) <= math.Abs(a.Y) && math.Abs(a.X) <= math.Abs(a.Z) {
		return a.Cross(Vec{1, 0, 0}).Unit()
	}
	if math.Abs(a.Y) <= math.Abs(a.Z) {
		return a.Cross(Vec{0, 1, 0}).Unit()
	}
	return a.Cross(Vec{0, 0, 1}).Unit()
}

// Vec2 is a vector or a point in material (pattern) space.
type Vec2 struct{ X, Y float64 }

// Add returns a + b.
func (a Vec2) Add(b Vec2) Vec2 { return Vec2{a.X + b.X, a.Y + b.Y} }

// Sub returns a - b.
func (a Vec2) Sub(b Vec2) Vec2 { return Vec2{a.X - b.X, a.Y - b.Y} }

// Scale returns s a.
func (a Vec2) Scale(s float64) Vec2 { return Vec2{s * a.X, s * a.Y} }

// Dot returns the inner product of a and b.
func (a Vec2) Dot(b Vec2) float64 { return a.X*b.X + a.Y*b.Y }

// Cross returns the signed area of the parallelogram spanned by a and b.
func (a Vec2) Cross(b Vec2) float64 { return a.X*b.Y - a.Y*b.X }

// Norm returns the length of a.
func (a Vec2) Norm() float64 { return math.Sqrt(a.X*a.X + a.Y*a.Y) }

// Finite reports whether no component is infinite or not a number.
func (a Vec2) Finite() bool { return (a.X-a.X)+(a.Y-a.Y) == 0 }
