package r3

import "math"

// Quat is a quaternion w + xi + yj + zk; rotations are unit quaternions.
type Quat struct{ W, X, Y, Z float64 }

// NoRotation is the unit quaternion.
func NoRotation() Quat { return Quat{W: 1} }

// Rotation returns the rotation by angle [rad] about axis, which need not be of unit length.
// A zero axis gives no rotation.
func Rotation(axis Vec, angle float64) Quat {
	u := axis.Unit()
	if u == (Vec{}) {
		return NoRotation()
	}
	s, c := math.Sincos(angle / 2)
	return Quat{c, s * u.X, s * u.Y, s * u.Z}
}

// Mul returns the rotation "first b, then a".
func (a Quat) Mul(b Quat) Quat {
	return Quat{
		a.W*b.W - a.X*b.X - a.Y*b.Y - a.Z*b.Z,
		a.W*b.X + a.X*b.W + a.Y*b.Z - a.Z*b.Y,
		a.W*b.Y - a.X*b.Z + a.Y*b.W + a.Z*b.X,
		a.W*b.Z + a.X*b.Y - a.Y*b.X + a.Z*b.W,
	}
}

// Conj returns the inverse rotation of a unit quaternion.
func (a Quat) Conj() Quat { return Quat{a.W, -a.X, -a.Y, -a.Z} }

// Dot returns the inner product of a and b as 4-vectors.
func (a Quat) Dot(b Quat) float64 { return a.W*b.W + a.X*b.X + a.Y*b.Y + a.Z*b.Z }

// Unit returns a scaled to unit length, and no rotation for the zero quaternion.
func (a Quat) Unit() Quat {
	n := math.Sqrt(a.Dot(a))
	if n == 0 {
		return NoRotation()
	}
	return Quat{a.W / n, a.X / n, a.Y / n, a.Z / n}
}

// Rotate returns v turned by the unit quaternion a.
func (a Quat) Rotate(v Vec) Vec {
	q := Vec{a.X, a.Y, a.Z}
	t := q.Cross(v).Scale(2)
	return v.AddScaled(a.W, t).Add(q.Cross(t))
}

// Mat returns the rotation matrix of the unit quaternion a.
func (a Quat) Mat() Mat {
	return Columns(a.Rotate(Vec{X: 1}), a.Rotate(Vec{Y: 1}), a.Rotate(Vec{Z: 1}))
}

// Slerp returns the rotation a fraction t of the shorter way from a to b.
func (a Quat) Slerp(b Quat, t float64) Quat {
	d := a.Dot(b)
	if d < 0 {
		b, d = Quat{-b.W, -b.X, -b.Y, -b.Z}, -d
	}
	wa, wb := 1-t, t
	// Near 1 the sines cancel and the straight line is exact to rounding.
	if d < 1-1e-12 {
		angle := math.Acos(d)
		s := math.Sin(angle)
		wa, wb = math.Sin((1-t)*angle)/s, math.Sin(t*angle)/s
	}
	return Quat{wa*a.W + wb*b.W, wa*a.X + wb*b.X, wa*a.Y + wb*b.Y, wa*a.Z + wb*b.Z}.Unit()
}

// Vector returns the axis of the unit quaternion a times its angle, by the shorter way: Rotation of it by its length is
// a.
func (a Quat) Vector() Vec {
	if a.W < 0 {
		a = Quat{-a.W, -a.X, -a.Y, -a.Z}
	}
	v := Vec{a.X, a.Y, a.Z}
	sine := v.Norm()
	if sine == 0 {
		return Vec{}
	}
	return v.Scale(2 * math.Atan2(sine, a.W) / sine)
}

// Pose is a rigid motion x ↦ R x + T.
type Pose struct {
	R Quat
	T Vec
}

// Still is the pose that moves nothing.
func Still() Pose { return Pose{R: NoRotation()} }

// Translation returns the pose that moves every point by t.
func Translation(t Vec) Pose { return Pose{NoRotation(), t} }

// Apply returns R x + T.
func (p Pose) Apply(x Vec) Vec { return p.R.Rotate(x).Add(p.T) }

// Mul returns the pose "first q, then p".
func (p Pose) Mul(q Pose) Pose { return Pose{p.R.Mul(q.R), p.Apply(q.T)} }

// Inverse returns the pose that undoes p.
func (p Pose) Inverse() Pose {
	r := p.R.Conj()
	return Pose{r, r.Rotate(p.T).Neg()}
}

// Lerp returns the pose a fraction t of the way from p to q: the translation along a straight
// line, the rotation the shorter way round.
func (p Pose) Lerp(q Pose, t float64) Pose { return Pose{p.R.Slerp(q.R, t), p.T.Lerp(q.T, t)} }

// Box is an axis-aligned box. The empty box has Min > Max.
type Box struct{ Min, Max Vec }

// EmptyBox returns the box that holds nothing.
func EmptyBox() Box {
	inf := math.Inf(1)
	return Box{Vec{inf, inf, inf}, Vec{-inf, -inf, -inf}}
}

// BoxOf returns the smallest box that holds all points.
func BoxOf(points []Vec) Box {
	b := EmptyBox()
	for _, p := range points {
		b = b.With(p)
	}
	return b
}

// With returns the smallest box that holds b and p.
func (b Box) With(p Vec) Box { return Box{b.Min.Min(p), b.Max.Max(p)} }

// Union returns the smallest box that holds b and c.
func (b Box) Union(c Box) Box { return Box{b.Min.Min(c.Min), b.Max.Max(c.Max)} }

// Empty reports whether b holds no point.
func (b Box) Empty() bool { return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y || b.Min.Z > b.Max.Z }

// Size returns the edge lengths of b.
func (b Box) Size() Vec { return b.Max.Sub(b.Min) }

// Center returns the middle of b.
func (b Box) Center() Vec { return b.Min.Add(b.Max).Scale(0.5) }

// Overlaps reports whether the boxes share a point, touching included.
func (b *Box) Overlaps(c *Box) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X &&
		b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y &&
		b.Min.Z <= c.Max.Z && c.Min.Z <= b.Max.Z
}

// Corner returns one of the eight corners; bit 0, 1 and 2 of i take the upper side along X, Y and Z.
func (b Box) Corner(i int) Vec {
	p := b.Min
	if i&1 != 0 {
		p.X = b.Max.X
	}
	if i&2 != 0 {
		p.Y = b.Max.Y
	}
	if i&4 != 0 {
		p.Z = b.Max.Z
	}
	return p
}

// Contains reports whether p lies in b or on its boundary.
func (b Box) Contains(p Vec) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y && p.Z >= b.Min.Z && p.Z <= b.Max.Z
}
