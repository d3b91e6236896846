package contact

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// Vertices of sheets against shapes that are signed distance fields.
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
	vertexGrain = 256
	// arrival is how near to the thickness a sweep ends, in thicknesses; it is also the length of the shortest step.
	arrival = 1e-3
	// sweepSteps bounds a sweep; a vertex that has not been cleared by then counts as one that arrives.
	sweepSteps = 200
)

// fieldTarget is an obstacle with a field, prepared for a step.
type fieldTarget struct {
	obstacle int32
	surface  int32
	block    int32
	field    geom.Field
	from, to r3.Pose
	back     r3.Pose // From⁻¹
	carry    r3.Pose // To∘From⁻¹
	travel   r3.Vec  // of the press
	turn     float64 // φ
	faces    bool    // faces are asked about it, besides vertices
	passed   r3.Box  // around the shape on its whole way, inflated by the reach
}

// velocityAt returns the chord of the obstacle's motion at x, in a step of h [m/s].
func (t *fieldTarget) velocityAt(x r3.Vec, h float64) r3.Vec {
	return t.carry.Apply(x).Sub(x).Scale(1 / h)
}

func (f *Finder) prepareFields() {
	f.fields = f.fields[:0]
	f.mostSagging = 0
	if slices.ContainsFunc(f.solids, func(t *target) bool { return t.shape != nil && hasFaces(f.skins[t.obstacle].Field) }) {
		f.mostSagging = f.mostSag()
	}
	for i := range f.skins {
		o := &f.skins[i]
		if o.Field == nil {
			continue
		}
		back := o.From.Inverse()
		t := fieldTarget{
			obstacle: int32(i),
			surface:  o.Surface,
			block:    o.Block,
			field:    o.Field,
			from:     o.From,
			to:       o.To,
			back:     back,
			carry:    o.To.Mul(back),
			travel:   f.travel(int32(i)),
			turn:     turnOf(o.From.R, o.To.R),
			faces:    hasFaces(o.Field),
		}
		t.passed = f.inflated(t.swept(), f.mostSagging)
		f.fields = append(f.fields, t)
	}
	for i := range f.fields {
		f.targets[f.fields[i].obstacle].at = &f.fields[i]
	}
}

// swept returns a box around the shape on its way through the step.
func (t *fieldTarget) swept() r3.Box {
	b := t.field.Bounds()
	if !b.Min.Finite() || !b.Max.Finite() {
		return b
	}
	if t.turn == 0 {
		start, end := geom.Placed{
			Shape: t.field,
			Pose:  t.from,
		}.Bounds(), geom.Placed{
			Shape: t.field,
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

// inflated returns a box grown by the reach, what faces may sag, and a little more, so that roundings do not matter.
func (f *Finder) inflated(b r3.Box, sag float64) r3.Box {
	const room = 1.01
	by := r3.V(1, 1, 1).Scale(room * (max(f.reach, f.most) + sag))
	return r3.Box{Min: b.Min.Sub(by), Max: b.Max.Add(by)}
}

// travel is how far the block of an obstacle moves in the step.
func (f *Finder) travel(obstacle int32) r3.Vec {
	block := f.skins[obstacle].Block
	if block == None {
		return r3.Vec{}
	}
	return f.motion.X1[block].Sub(f.targets[obstacle].start)
}

// overFields visits the vertices whose ways come near to a shape, for every shape.
func (f *Finder) overFields(lo, hi int, visit func(c *chunk, t *fieldTarget, point int32)) {
	c, points := &f.chunks[lo/vertexGrain], f.points[lo:hi]
	ways := r3.EmptyBox()
	for _, point := range points {
		ways = ways.With(f.motion.X0[point]).With(f.motion.X1[point])
	}
	for i := range f.fields {
		t := &f.fields[i]
		if !ways.Overlaps(&t.passed) {
			continue
		}
		for _, point := range points {
			if f.cloth.passes(point, &t.passed, 0) {
				visit(c, t, point)
			}
		}
	}
}

// findField tests one vertex against one shape.
func (f *Finder) findField(c *chunk, t *fieldTarget, point int32) {
	if f.unwanted(point, t.block) {
		return
	}
	x := f.motion.X0[point]
	z, n, sag, hit := f.meetField(t, point)
	if !hit {
		return
	}
	found := candidate{
		id: ID{f.feature(&f.cloth, Vertex, point), Feature{t.surface, Whole, 0}},
		a:  point, b: t.block, obstacle: t.obstacle, z: z, normal: n,
		velocity: t.velocityAt(x, f.motion.H), point: x.AddScaled(-z/2, n),
	}
	found.rubAgainst(&f.skins[t.obstacle], foot{})
	f.localizeNode(&found, point)
	found.extra += sag
	f.predict(&found)
	c.found = append(c.found, found)
}

// meetField returns the gap and the normal, at the start of the step, of a vertex and a shape that are near or meet,
// and what the vertex keeps beyond its thickness.
func (f *Finder) meetField(t *fieldTarget, point int32) (z float64, n r3.Vec, sag float64, hit bool) {
	x0, x1 := f.motion.X0[point], f.motion.X1[point].Sub(t.travel)
	thickness := f.thicknessAt(point)
	y0 := t.back.Apply(x0)
	d, g := t.field.Distance(y0)
	if t.faces && d < f.Reach*thickness+f.mostSagging+t.speed(x0, x1) {
		sag = f.sag(t, point, y0)
	}
	if d < f.Reach*thickness+sag {
		return d, t.from.R.Rotate(g), sag, true
	}
	_, y, d, g, hit := t.sweep(x0, x1, thickness+sag)
	return d + g.Dot(y0.Sub(y)), t.from.R.Rotate(g), sag, hit
}

// sweep follows a vertex, without the travel of the press, until it is within a distance of the shape or the step ends.
// It returns when that is, and where in the axes of the shape, and the distance and its gradient there.
func (t *fieldTarget) sweep(x0, x1 r3.Vec, distance float64) (s float64, y r3.Vec, d float64, g r3.Vec, hit bool) {
	y = t.back.Apply(x0)
	d, g = t.field.Distance(y)
	speed := t.speed(x0, x1)
	for step := 0; d-distance > arrival*distance && step < sweepSteps; step++ {
		if d-speed*(1-s) > distance || s == 1 {
			return s, y, d, g, false
		}
		s = min(1, s+(d-distance)/speed)
		pose := t.from.Lerp(t.to, s)
		y = pose.R.Conj().Rotate(x0.Lerp(x1, s).Sub(pose.T))
		d, g = t.field.Distance(y)
	}
	return s, y, d, g, true
}

// speed returns L, for a vertex that goes to x1 without the travel of the press.
func (t *fieldTarget) speed(x0, x1 r3.Vec) float64 { return speedPast(t.from, t.to, t.turn, x0, x1) }

// speedPast returns L for a shape that goes from one pose to another and turns by an angle.
func speedPast(from, to r3.Pose, turn float64, x0, x1 r3.Vec) float64 {
	return x1.Sub(x0).Sub(to.T.Sub(from.T)).Norm() + turn*max(x0.Sub(from.T).Norm(), x1.Sub(to.T).Norm())
}

// turnOf returns the angle of the shorter turn from a to b [rad].
func turnOf(a, b r3.Quat) float64 {
	d := a.Conj().Mul(b)
	return 2 * math.Atan2(r3.V(d.X, d.Y, d.Z).Norm(), math.Abs(d.W))
}
