package shape

// Closed shapes as signed distance fields.
//
// Each shape is closed and has an inside. Its distance is exact everywhere, negative inside, and comes
// with the outward unit vector n that is the gradient of the distance wherever there is one. Where
// there is none (centres, axes, medial planes, edges seen from the surface) several points of the
// surface are nearest, or several normals fit; n then belongs to one of them by the rule stated with
// the shape, so that x − d n is always a nearest point of the surface and n is never NaN.
//
// Shapes stand at the origin along Z; Placed puts them elsewhere. Sizes must be positive and
// coordinates finite.
//
// Departure: distances to solids are usually written with one formula for all regions. Here regions
// are told apart, because a normal is wanted as well, and because on a flat or round region the
// distance is then a single rounded difference, whose sign is right to the last bit.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Field is a closed shape, seen as the signed distance to its surface.
type Field interface {
	// Distance returns the signed distance d of x to the surface [m], negative inside, and the
	// outward unit normal n, the gradient of d.
	Distance(x r3.Vec) (d float64, n r3.Vec)

	// Bounds returns a box around the shape; its sides are infinite if the shape's are.
	Bounds() r3.Box
}

// Plane is the half-space behind a plane through Point with the unit normal Normal.
type Plane struct{ Point, Normal r3.Vec }

// Distance implements Field. There are no ties.
func (p Plane) Distance(x r3.Vec) (float64, r3.Vec) { return x.Sub(p.Point).Dot(p.Normal), p.Normal }

// Bounds returns a box with infinite sides.
func (p Plane) Bounds() r3.Box { return everywhere() }

// Sphere is a ball around the origin.
type Sphere struct {
	Radius float64 // [m]
}

// Distance implements Field. The normal at the centre is +Z.
func (s Sphere) Distance(x r3.Vec) (float64, r3.Vec) {
	r, n := x.Direction(r3.V(0, 0, 1))
	return r - s.Radius, n
}

// Bounds implements Field.
func (s Sphere) Bounds() r3.Box { return centred(r3.V(s.Radius, s.Radius, s.Radius)) }

// Capsule is all that is within Radius of the segment from -Half to +Half on the Z axis.
type Capsule struct {
	Radius float64 // [m]
	Half   float64 // half the length of the segment [m]; 0 makes a sphere
}

// Distance implements Field. The normal on the segment is +X.
func (c Capsule) Distance(x r3.Vec) (float64, r3.Vec) {
	x.Z -= min(max(x.Z, -c.Half), c.Half)
	r, n := x.Direction(r3.V(1, 0, 0))
	return r - c.Radius, n
}

// Bounds implements Field.
func (c Capsule) Bounds() r3.Box { return centred(r3.V(c.Radius, c.Radius, c.Half+c.Radius)) }

// Box is a solid box around the origin with sides along the axes.
type Box struct {
	Half r3.Vec // half the lengths of the sides [m]
}

// Distance implements Field. Inside and on the surface, of several nearest faces the normal is that of
// the first axis, and the positive side where both sides are as near.
func (b Box) Distance(x r3.Vec) (float64, r3.Vec) {
	s := r3.V(sign(x.X), sign(x.Y), sign(x.Z))
	q := r3.V(math.Abs(x.X)-b.Half.X, math.Abs(x.Y)-b.Half.Y, math.Abs(x.Z)-b.Half.Z)
	switch {
	case q.X > 0 || q.Y > 0 || q.Z > 0:
		d, n := q.Max(r3.Vec{}).Direction(r3.Vec{})
		return d, r3.V(s.X*n.X, s.Y*n.Y, s.Z*n.Z)
	case q.X >= q.Y && q.X >= q.Z:
		return q.X, r3.V(s.X, 0, 0)
	case q.Y >= q.Z:
		return q.Y, r3.V(0, s.Y, 0)
	default:
		return q.Z, r3.V(0, 0, s.Z)
	}
}

// Bounds implements Field.
func (b Box) Bounds() r3.Box { return centred(b.Half) }

// Cylinder is a solid cylinder around the Z axis with flat ends at -Half and +Half.
type Cylinder struct {
	Radius float64 // [m]
	Half   float64 // half the height [m]
}

// Distance implements Field. Inside and on the surface the wall goes before an end that is as near, and
// the upper end before the lower; on the axis the wall's normal is +X.
func (c Cylinder) Distance(x r3.Vec) (float64, r3.Vec) {
	r, e := radial(x)
	s := sign(x.Z)
	dr, dz := r-c.Radius, math.Abs(x.Z)-c.Half
	if dr > 0 && dz > 0 {
		d, n := r3.V(dr, 0, dz).Direction(r3.Vec{})
		return d, r3.V(n.X*e.X, n.X*e.Y, s*n.Z)
	}
	if dr >= dz {
		return dr, e
	}
	return dz, r3.V(0, 0, s)
}

// Bounds implements Field.
func (c Cylinder) Bounds() r3.Box { return centred(r3.V(c.Radius, c.Radius, c.Half)) }

// Cone is a solid cone around the Z axis with its base, a disk, on z = 0 and its apex at z = Height.
type Cone struct {
	Radius float64 // of the base [m]
	Height float64 // [m]
}

// Distance implements Field. Inside and on the surface the wall goes before a base that is as near; on
// the axis, the apex included, the wall's normal leans to +X.
func (c Cone) Distance(x r3.Vec) (float64, r3.Vec) {
	// In the half-plane (r, z): the wall runs from the rim (Radius, 0) to the apex (0, Height), s along
	// it and w away from it.
	r, e := radial(x)
	length := math.Hypot(c.Radius, c.Height)
	tr, tz := -c.Radius/length, c.Height/length
	s := (r-c.Radius)*tr + x.Z*tz
	w := (r-c.Radius)*tz - x.Z*tr
	lean := func(nr, nz float64) r3.Vec { return r3.V(nr*e.X, nr*e.Y, nz) }
	wall := lean(tz, -tr)
	var corner r3.Vec
	switch {
	case w <= 0 && x.Z >= 0: // inside
		if w >= -x.Z {
			return w, wall
		}
		return -x.Z, r3.V(0, 0, -1)
	case x.Z < 0 && r <= c.Radius:
		return -x.Z, r3.V(0, 0, -1)
	case s > 0 && s < length:
		return w, wall
	case s >= length:
		corner = r3.V(r, 0, x.Z-c.Height)
	default:
		corner = r3.V(r-c.Radius, 0, x.Z)
	}
	d, n := corner.Direction(r3.V(tz, 0, -tr))
	return d, lean(n.X, n.Z)
}

// Bounds implements Field.
func (c Cone) Bounds() r3.Box {
	return r3.Box{Min: r3.V(-c.Radius, -c.Radius, 0), Max: r3.V(c.Radius, c.Radius, c.Height)}
}

// Placed is a shape moved from its own frame by a pose.
type Placed struct {
	Shape Field
	Pose  r3.Pose
}

// Distance implements Field.
func (p Placed) Distance(x r3.Vec) (float64, r3.Vec) {
	d, n := p.Shape.Distance(p.Pose.R.Conj().Rotate(x.Sub(p.Pose.T)))
	return d, p.Pose.R.Rotate(n)
}

// Bounds returns the box around the shape's own box where that has been moved to.
func (p Placed) Bounds() r3.Box {
	b := p.Shape.Bounds()
	if b.Empty() {
		return b
	}
	if !b.Min.Finite() || !b.Max.Finite() {
		return everywhere()
	}
	m, half := p.Pose.R.Mat(), b.Size().Scale(0.5)
	h := r3.V(
		math.Abs(m.XX)*half.X+math.Abs(m.XY)*half.Y+math.Abs(m.XZ)*half.Z,
		math.Abs(m.YX)*half.X+math.Abs(m.YY)*half.Y+math.Abs(m.YZ)*half.Z,
		math.Abs(m.ZX)*half.X+math.Abs(m.ZY)*half.Y+math.Abs(m.ZZ)*half.Z)
	c := p.Pose.Apply(b.Center())
	// Room for rounding, so that the moved shape is surely inside.
	h = h.Add(r3.V(1, 1, 1).Scale(0x1p-49 * (c.MaxAbs() + h.MaxAbs())))
	return r3.Box{Min: c.Sub(h), Max: c.Add(h)}
}

// Along returns a pose that takes the middle of the Z axis to the middle of a and b, and +Z to the
// direction from a to b: the place of a capsule or cylinder between two points. Of the turns that do
// so it is the shortest; half a turn goes about X, and a = b means no turn.
func Along(a, b r3.Vec) r3.Pose {
	_, d := b.Sub(a).Direction(r3.V(0, 0, 1))
	pose := r3.Translation(a.Lerp(b, 0.5))
	if d.X == 0 && d.Y == 0 && d.Z < 0 {
		pose.R = r3.Quat{X: 1}
		return pose
	}
	// The half-way quaternion of two unit vectors: (1 + z·d, z × d), made unit.
	w := 1 + d.Z
	if d.Z < 0 {
		w = (d.X*d.X + d.Y*d.Y) / (1 - d.Z) // the same, without cancellation
	}
	pose.R = r3.Quat{W: w, X: -d.Y, Y: d.X}.Unit()
	return pose
}

// sign returns -1 for negative x and 1 otherwise.
func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// radial returns the distance of x to the Z axis and the direction away from it, +X on the axis.
func radial(x r3.Vec) (float64, r3.Vec) { return r3.V(x.X, x.Y, 0).Direction(r3.V(1, 0, 0)) }

func centred(half r3.Vec) r3.Box { return r3.Box{Min: half.Neg(), Max: half} }

func everywhere() r3.Box {
	inf := math.Inf(1)
	return centred(r3.V(inf, inf, inf))
}
