package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Vertices of skins against shapes that are signed distance fields.
//
// Everything is done in the axes of the shape, where the vertex follows
//
//	y(s) = P(s)⁻¹ (x₀ + s (x₁ − x₀ − Δ)),   s in [0, 1],
//
// with P(s) the pose on the way from From to To and Δ the travel of the press. Its speed is at most
//
//	L = |x₁ − x₀ − Δ − (T₁ − T₀)| + φ max(|x₀ − T₀|, |x₁ − Δ − T₁|),
//
// φ the angle of the turn: x(s) − T(s) is linear in s, so that its length has its maximum at an end. As a distance
// changes no faster than the point moves, no impact can come before s + (d − h_c)/L: that is the step [Mirtich96].
// It ends where d is within a thousandth of h_c of it. The invariant is that d > h_c on all of [0, s).
//
// Most vertices are far from most shapes: those whose way, within the reach, misses the box that a shape passes are not
// asked at all.
//
// With y*, d*, n* at the impact, z = d* + n*·(y₀ − y*), so that the linear constraint is exact at y*.

const (
	// arrival is how near to the thickness a sweep ends, in thicknesses; it is also the length of the shortest step.
	arrival = 1e-3
	// sweepSteps bounds a sweep; a vertex that has not been cleared by then counts as one that arrives.
	sweepSteps = 200
)

// newPassage returns the passage of an obstacle whose block travels.
func newPassage(o *obstacle, travel r3.Vec) passage {
	back := o.From.Inverse()
	return passage{
		obstacle: o,
		from:     o.From,
		to:       o.To,
		back:     back,
		carry:    o.To.Mul(back),
		travel:   travel,
		turn:     turnOf(o.From.R, o.To.R),
		faces:    hasFaces(o.Field),
	}
}

// velocityAt returns the chord of the obstacle's motion at x, in a step of h [m/s].
func (t *passage) velocityAt(x r3.Vec, h float64) r3.Vec {
	return t.carry.Apply(x).Sub(x).Scale(1 / h)
}

// swept returns a box around the shape on its way through the step.
func (t *passage) swept() r3.Box {
	b := t.Field.Bounds()
	if !b.Min.Finite() || !b.Max.Finite() {
		return b
	}
	if t.turn == 0 {
		start, end := shape.Placed{
			Shape: t.Field,
			Pose:  t.from,
		}.Bounds(), shape.Placed{
			Shape: t.Field,
			Pose:  t.to,
		}.Bounds()
		return start.Union(r3.Box{Min: end.Min.Add(t.travel), Max: end.Max.Add(t.travel)})
	}
	// Whichever way it turns, it stays in a ball around the origin of its axes.
	radius := r3.V(max(-b.Min.X, b.Max.X), max(-b.Min.Y, b.Max.Y), max(-b.Min.Z, b.Max.Z)).Norm()
	far := r3.V(radius, radius, radius)
	end := t.to.T.Add(t.travel)
	return r3.Box{Min: t.from.T.Min(end).Sub(far), Max: t.from.T.Max(end).Add(far)}
}

// sweep follows a vertex, without the travel of the press, until what is round about it by a radius is within a gap of
// the shape or the step ends. It returns when that is, and where in the axes of the shape, and the gap and its gradient
// there.
func (t *passage) sweep(x0, x1 r3.Vec, radius, gap float64) (s float64, y r3.Vec, d float64, g r3.Vec, hit bool) {
	y = t.back.Apply(x0)
	d, g = t.Field.Distance(y)
	d -= radius
	speed := t.speed(x0, x1)
	for step := 0; d-gap > arrival*gap && step < sweepSteps; step++ {
		if d-speed*(1-s) > gap || s == 1 {
			return s, y, d, g, false
		}
		s = min(1, s+(d-gap)/speed)
		pose := t.from.Lerp(t.to, s)
		y = pose.R.Conj().Rotate(x0.Lerp(x1, s).Sub(pose.T))
		d, g = t.Field.Distance(y)
		d -= radius
	}
	return s, y, d, g, true
}

// speed returns L, for a vertex that goes to x1 without the travel of the press.
func (t *passage) speed(x0, x1 r3.Vec) float64 { return speedPast(t.from, t.to, t.turn, x0, x1) }

// speedPast returns L for a shape that goes from one pose to another and turns by an angle.
func speedPast(from, to r3.Pose, turn float64, x0, x1 r3.Vec) float64 {
	return x1.Sub(x0).Sub(to.T.Sub(from.T)).Norm() + turn*max(x0.Sub(from.T).Norm(), x1.Sub(to.T).Norm())
}

// turnOf returns the angle of the shorter turn from a to b [rad].
func turnOf(a, b r3.Quat) float64 {
	d := a.Conj().Mul(b)
	return 2 * math.Atan2(r3.V(d.X, d.Y, d.Z).Norm(), math.Abs(d.W))
}

// hasFaces tells whether faces are asked about a shape: a plane has its lowest points at corners, and of a field of a
// user's it is not known whether it is convex.
func hasFaces(field geom.Field) bool {
	switch s := field.(type) {
	case shape.Placed:
		return hasFaces(s.Shape)
	case shape.Plane:
		return false
	}
	return shape.IsConvex(field)
}
