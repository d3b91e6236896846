package remesh

import (
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Nearest points of triangles and shapes that have an inside, by projections to one and the other in turn
// [BauschkeBorwein93]: for convex sets the points converge to a nearest pair, in a few turns if the shape is sharp
// there or flat.

// turns is how often a point is projected at most, and settled how little it moves at the end [m].
const (
	turns   = 12
	settled = 1e-6
)

// field adds the planes of the nearest points of a shape.
func (l *look) field(field geom.Field) {
	middle := l.x[0].Add(l.x[1]).Add(l.x[2]).Scale(1. / 3)
	radius := math.Sqrt(max(l.x[0].Sub(middle).Norm2(), l.x[1].Sub(middle).Norm2(), l.x[2].Sub(middle).Norm2()))
	if d, _ := field.Distance(middle); d > radius+l.opt.Reach {
		return
	}
	smooth := isSmooth(field)
	for k := range 3 {
		l.fieldAt(field, l.x[k])
		if smooth {
			continue // the planes at edges are between those at their ends and that at the face
		}
		a, b := l.x[(k+1)%3], l.x[(k+2)%3]
		x := a.Lerp(b, 0.5)
		for range turns {
			s, _ := geom.PointEdge(geom.ClosestOn(field, x), a, b)
			last := x
			x = a.Lerp(b, s)
			if x.Sub(last).Norm2() < settled*settled {
				break
			}
		}
		l.fieldAt(field, x)
	}
	x, _ := dip(field, &l.x)
	l.fieldAt(field, x)
}

// isSmooth reports whether a shape has no edges.
func isSmooth(field geom.Field) bool {
	switch s := field.(type) {
	case shape.Placed:
		return isSmooth(s.Shape)
	case shape.Plane, shape.Sphere, shape.Capsule:
		return true
	}
	return false
}

// fieldAt adds the planes of a shape at the point nearest to x, if that is within reach.
func (l *look) fieldAt(field geom.Field, x r3.Vec) {
	d, n := field.Distance(x)
	if math.Abs(d) > l.opt.Reach {
		return
	}
	p := x.AddScaled(-d, n)
	l.facesAt(field, p, n, r3.Still())
}

// dip returns the point of a triangle that is nearest to a shape, and its signed distance.
func dip(field geom.Field, y *[3]r3.Vec) (x r3.Vec, d float64) {
	x = y[0].Add(y[1]).Add(y[2]).Scale(1. / 3)
	for range turns {
		w, _, _ := geom.PointTriangle(geom.ClosestOn(field, x), y[0], y[1], y[2])
		last := x
		x = y[0].Scale(w.X).AddScaled(w.Y, y[1]).AddScaled(w.Z, y[2])
		if x.Sub(last).Norm2() < settled*settled {
			break
		}
	}
	d, _ = field.Distance(x)
	return x, d
}

// depth returns the least signed distance of a triangle to a shape: in closed form for balls and capsules, at most
// close above it for other convex shapes, and by samples for those that are not convex. It may return another one where
// all are above the given distance.
func depth(field geom.Field, y *[3]r3.Vec, above, close float64) float64 {
	at, own := r3.Still(), field
	if placed, ok := field.(shape.Placed); ok {
		at, own = placed.Pose, placed.Shape
	}
	switch s := own.(type) {
	case shape.Sphere:
		_, _, d2 := geom.PointTriangle(at.T, y[0], y[1], y[2])
		return math.Sqrt(d2) - s.Radius
	case shape.Capsule:
		axis := at.R.Rotate(r3.V(0, 0, s.Half))
		return math.Sqrt(geom.EdgeTriangle(at.T.Sub(axis), at.T.Add(axis), y)) - s.Radius
	}
	if shape.IsConvex(field) {
		return geom.LowestOnTriangle(field, y[0], y[1], y[2], above, close).D
	}
	_, least := dip(field, y)
	for k := range 3 {
		d, _ := field.Distance(y[k].Lerp(y[(k+1)%3], 0.5))
		least = min(least, d)
	}
	return least
}

// sharp is how near a point of a shape is to its edge to be on it [m].
const sharp = 1e-7

// facesAt adds the planes of all faces of a shape at its point p. The normal n is that of a shape that has only one
// there.
func (l *look) facesAt(field geom.Field, p, n r3.Vec, at r3.Pose) {
	add := func(local r3.Vec) { l.add(p, at.R.Rotate(local)) }
	q := at.Inverse().Apply(p)
	switch s := field.(type) {
	case shape.Placed:
		l.facesAt(s.Shape, p, n, at.Mul(s.Pose))
	case shape.Box:
		for _, axis := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			if c := q.Dot(axis); math.Abs(c) > s.Half.Dot(axis)-sharp {
				add(axis.Scale(math.Copysign(1, c)))
			}
		}
	case shape.Cylinder:
		if r := math.Hypot(q.X, q.Y); r > s.Radius-sharp {
			add(r3.V(q.X/r, q.Y/r, 0))
		}
		if math.Abs(q.Z) > s.Half-sharp {
			add(r3.V(0, 0, math.Copysign(1, q.Z)))
		}
	case shape.Cone:
		l.coneFaces(&s, q, add)
	default:
		l.add(p, n)
	}
}

// tipPlanes is how many planes stand for the wall of a cone at its tip.
const tipPlanes = 8

func (l *look) coneFaces(s *shape.Cone, q r3.Vec, add func(r3.Vec)) {
	length := math.Hypot(s.Radius, s.Height)
	nr, nz := s.Height/length, s.Radius/length
	r := math.Hypot(q.X, q.Y)
	switch {
	case s.Height-q.Z < sharp:
		for k := range tipPlanes {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / tipPlanes)
			add(r3.V(nr*cos, nr*sin, nz))
		}
		return
	case r > 0 && (r-s.Radius)*nr+q.Z*nz > -sharp:
		add(r3.V(nr*q.X/r, nr*q.Y/r, nz))
	}
	if q.Z < sharp {
		add(r3.V(0, 0, -1))
	}
}
