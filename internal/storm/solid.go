package storm

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// convex is a shape with flat and round sides that is no ball, rod or mesh: a half-space, a cylinder or a cone. The
// signed distance to it is a convex function, so that its least value on a segment or a triangle is found by halving.
type convex struct {
	kind         convexKind
	from, along  r3.Vec  // a point of the plane, or the middle of the base; the unit normal, or the direction of the axis
	radius, high float64 // of the base, and from there to the other end [m]
}

type convexKind int

const (
	halfSpace convexKind = iota // what is behind the plane
	cylinder
	cone
)

// moved returns the shape where a pose takes it.
func (c convex) moved(by r3.Pose) convex {
	c.from, c.along = by.Apply(c.from), by.R.Rotate(c.along)
	return c
}

// distance returns the signed distance of p to the surface, negative inside.
func (c *convex) distance(p r3.Vec) float64 {
	d := p.Sub(c.from)
	z := d.Dot(c.along)
	if c.kind == halfSpace {
		return z
	}
	// The profile in the half-plane of the axis: r away from it, z along it.
	r := d.AddScaled(-z, c.along).Norm()
	if c.kind == cylinder {
		side, end := r-c.radius, max(-z, z-c.high)
		if side > 0 && end > 0 {
			return math.Hypot(side, end)
		}
		return max(side, end)
	}
	slant := math.Hypot(c.radius, c.high)
	side := ((r-c.radius)*c.high + z*c.radius) / slant // beyond the wall
	if side <= 0 && z >= 0 {
		return max(side, -z)
	}
	profile := r3.V(r, 0, z)
	rim, tip := r3.V(c.radius, 0, 0), r3.V(0, 0, c.high)
	return min(onSegment(profile, r3.Vec{}, rim).Sub(profile).Norm(), onSegment(profile, rim, tip).Sub(profile).Norm())
}

// sphere returns a ball around the shape, of infinite radius around a half-space.
func (c *convex) sphere() (r3.Vec, float64) {
	if c.kind == halfSpace {
		return c.from, math.Inf(1)
	}
	return c.from.AddScaled(c.high/2, c.along), math.Hypot(c.radius, c.high/2)
}

// toSegment returns the least signed distance of a point of ab.
func (c *convex) toSegment(a, b r3.Vec) float64 {
	if c.kind == halfSpace {
		return min(c.distance(a), c.distance(b))
	}
	return leastConvex(func(t float64) float64 { return c.distance(a.Lerp(b, t)) })
}

// toTriangle returns the least signed distance of a point of a triangle.
func (c *convex) toTriangle(t [3]r3.Vec) float64 {
	corner := min(c.distance(t[0]), c.distance(t[1]), c.distance(t[2]))
	if c.kind == halfSpace {
		return corner
	}
	reach := max(t[1].Sub(t[0]).Norm(), t[2].Sub(t[0]).Norm())
	if c.distance(t[0]) > reach {
		return corner // too far to be near
	}
	inner := leastConvex(func(s float64) float64 { return c.toSegment(t[0].Lerp(t[1], s), t[0].Lerp(t[2], s)) })
	return min(corner, inner)
}

// leastConvex returns the least value of a convex function between 0 and 1, by golden sections.
func leastConvex(f func(float64) float64) float64 {
	const ratio = 0.6180339887498949
	lo, hi := 0.0, 1.0
	s, t := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fs, ft := f(s), f(t)
	least := min(f(lo), f(hi), fs, ft)
	for range 40 { // to 5e-9 of the length; the value is far nearer, being flat there
		if fs < ft {
			hi, t, ft = t, s, fs
			s = hi - ratio*(hi-lo)
			fs = f(s)
		} else {
			lo, s, fs = s, t, ft
			t = lo + ratio*(hi-lo)
			ft = f(t)
		}
		least = min(least, fs, ft)
	}
	return least
}

// rod is all that is within radius of the segment between its ends: a ball if they are one.
type rod struct {
	ends   [2]r3.Vec
	radius float64
}

func (r rod) moved(by r3.Pose) rod {
	return rod{[2]r3.Vec{by.Apply(r.ends[0]), by.Apply(r.ends[1])}, r.radius}
}

func (r *rod) box() r3.Box {
	around := r3.V(r.radius, r.radius, r.radius)
	b := r3.BoxOf(r.ends[:])
	return r3.Box{Min: b.Min.Sub(around), Max: b.Max.Add(around)}
}
