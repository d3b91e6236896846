package shape

// How shapes are curved, for those who lay flat triangles around them.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Curved is a Field that knows how it is curved. The shapes of this package do; one of a user's may.
type Curved interface {
	Field
	// Curvature returns the radius of the surface [m] where it is nearest to x, +Inf where it is flat there, and the
	// unit tangent along which it is straight, as a cylinder is along its axis; zero where the radius is the same all
	// around. At edges it is that of one side.
	Curvature(x r3.Vec) (radius float64, straight r3.Vec)
}

// Convex is a Field whose shape is convex, and whose distance is exact, and so convex too. LowestOnTriangle is for
// these. The shapes of this package are; one of a user's may be.
type Convex interface {
	Field
	// IsConvex reports whether the shape is convex: sizes may decide.
	IsConvex() bool
}

// Symmetry says by which turns about its origin a shape goes over into itself.
type Symmetry int

// The symmetries.
const (
	NoSymmetry Symmetry = iota
	AboutZ              // all turns about the Z axis
	AboutAll            // all turns
)

// Symmetric is a Field with a symmetry.
type Symmetric interface {
	Field
	Symmetry() Symmetry
}

// SymmetryOf returns the symmetry of a field, none if it does not say.
func SymmetryOf(f Field) Symmetry {
	if s, ok := f.(Symmetric); ok {
		return s.Symmetry()
	}
	return NoSymmetry
}

// Symmetry implements Symmetric.
func (Sphere) Symmetry() Symmetry { return AboutAll }

// Symmetry implements Symmetric.
func (Capsule) Symmetry() Symmetry { return AboutZ }

// Symmetry implements Symmetric.
func (Cylinder) Symmetry() Symmetry { return AboutZ }

// Symmetry implements Symmetric.
func (Cone) Symmetry() Symmetry { return AboutZ }

// Unspun returns the pose with the least turn from the given one on at which a field of that symmetry is the same as at
// to.
func Unspun(s Symmetry, from, to r3.Pose) r3.Pose {
	switch s {
	case AboutAll:
		return r3.Pose{R: from.R, T: to.T}
	case AboutZ:
		z := r3.V(0, 0, 1)
		a, b := from.R.Rotate(z), to.R.Rotate(z)
		axis := a.Cross(b)
		angle := math.Atan2(axis.Norm(), a.Dot(b))
		if angle == 0 {
			return r3.Pose{R: from.R, T: to.T}
		}
		if angle < 3 { // else there is no least turn to speak of
			return r3.Pose{R: r3.Rotation(axis.Unit(), angle).Mul(from.R), T: to.T}
		}
	}
	return to
}

// IsConvex reports whether a field is known to be convex.
func IsConvex(f Field) bool {
	if p, placed := f.(Placed); placed {
		return IsConvex(p.Shape)
	}
	c, ok := f.(Convex)
	return ok && c.IsConvex()
}

// CurvatureAt returns the curvature of a field next to x, as Curved does; a field that does not know is flat.
func CurvatureAt(f Field, x r3.Vec) (radius float64, straight r3.Vec) {
	switch s := f.(type) {
	case Placed:
		radius, straight = CurvatureAt(s.Shape, s.Pose.R.Conj().Rotate(x.Sub(s.Pose.T)))
		return radius, s.Pose.R.Rotate(straight)
	case Curved:
		return s.Curvature(x)
	}
	return math.Inf(1), r3.Vec{}
}

// Convex implements the interface of that name.
func (Plane) IsConvex() bool    { return true }
func (Sphere) IsConvex() bool   { return true }
func (Capsule) IsConvex() bool  { return true }
func (Box) IsConvex() bool      { return true }
func (Cylinder) IsConvex() bool { return true }
func (Cone) IsConvex() bool     { return true }

// Curvature implements Curved.
func (s Sphere) Curvature(r3.Vec) (float64, r3.Vec) { return s.Radius, r3.Vec{} }

// Curvature implements Curved.
func (c Capsule) Curvature(x r3.Vec) (float64, r3.Vec) {
	if math.Abs(x.Z) > c.Half {
		return c.Radius, r3.Vec{}
	}
	return c.Radius, r3.V(0, 0, 1)
}

// Curvature implements Curved. The ends are flat.
func (c Cylinder) Curvature(x r3.Vec) (float64, r3.Vec) {
	if r, _ := radial(x); r-c.Radius < math.Abs(x.Z)-c.Half {
		return math.Inf(1), r3.Vec{}
	}
	return c.Radius, r3.V(0, 0, 1)
}

// Curvature implements Curved. The base is flat; the radius of the wall, from its axis along the normal, goes to zero
// at the tip.
func (c Cone) Curvature(x r3.Vec) (float64, r3.Vec) {
	d, n := c.Distance(x)
	if n == r3.V(0, 0, -1) {
		return math.Inf(1), r3.Vec{}
	}
	y := x.AddScaled(-d, n)
	_, e := radial(x)
	slant := math.Hypot(c.Radius, c.Height)
	return math.Hypot(y.X, y.Y) * slant / c.Height, r3.V(-e.X*c.Radius, -e.Y*c.Radius, c.Height).Scale(1 / slant)
}
