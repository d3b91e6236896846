package contact

import (
	"math"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// Faces of sheets against round shapes.
//
// Vertices that keep the thickness h from a sphere of radius r keep the whole sheet outside as long as its edges are at most √3 √(2rh + h²) long (A9). Between longer ones
// it comes through: faces lie lower than the corners by a dip of about l²/6r, and a shape that is smaller than a face may come through without meeting a corner at all. Dips are left alone where
// edges are shorter than half of the radius of the shape there: they are what a mesh that coarse can say, and contacts with all faces of a belt, besides those with its vertices, make the solver slower by much. Faces with
// longer edges whose lowest point is more than two thicknesses lower than their lowest corner,
//
//	l > r/2   and   D - d > 2h,
//
// have a contact there, which holds them at a part of the thickness. Otherwise it is as in field.go, with the lowest point
// (geom.LowestOnTriangle) in the place of the vertex: in the axes of the shape it is nowhere faster than the fastest of the corners. The contact does not move to a node, but keeps the weights of its place,
// as those between sheets do: a node of a large face that obeys says little about its middle.

const (
	// dipKept is the distance that faces are held at, in thicknesses.
	dipKept = 0.25
	// dipEdges is how long an edge of a face is at least that has a contact, in radii of the shape.
	dipEdges = 0.5
	// dipLeast is how much lower than its corners a face is at least that has a contact, in thicknesses.
	dipLeast = 2
	// dipClose is how exactly their lowest point is found, in thicknesses.
	dipClose = 1e-3
	// dipElsewhere is how much weights differ at least between two contacts of one face and one shape.
	dipElsewhere = 0.1
)

// leastRadius returns the least radius at which a shape is curved where it is smooth, and whether it is curved at all [m].
func leastRadius(f geom.Field) (radius float64, curved bool) {
	switch s := f.(type) {
	case geom.Placed:
		return leastRadius(s.Shape)
	case geom.Sphere:
		return s.Radius, true
	case geom.Capsule:
		return s.Radius, true
	case geom.Cylinder:
		return s.Radius, true
	case geom.Cone:
		return 0, true
	}
	return 0, false
}

// radiusAt returns the radius at which a curved shape is curved around y, a point next to it [m].
func radiusAt(f geom.Field, y r3.Vec) float64 {
	switch s := f.(type) {
	case geom.Placed:
		return radiusAt(s.Shape, s.Pose.Inverse().Apply(y))
	case geom.Cone: // from its axis, along the normal
		return math.Hypot(y.X, y.Y) * math.Hypot(s.Radius, s.Height) / s.Height
	}
	radius, _ := leastRadius(f)
	return radius
}

// findDips tests the faces of a chunk against all round shapes.
func (f *Finder) findDips(lo, hi int) {
	c := &f.chunks[lo/pairGrain]
	for k := range f.fields {
		t := &f.fields[k]
		radius, curved := leastRadius(t.field)
		if !curved {
			continue
		}
		for i := lo; i < hi; i++ {
			if f.boxes[i].Overlaps(&t.passed) && f.longest(int32(i)) > dipEdges*radius {
				f.findDip(c, t, int32(i))
			}
		}
	}
}

// longest returns the length of the longest edge of a face at the start [m].
func (f *Finder) longest(face int32) float64 {
	v := &f.cloth.tri[face]
	x, y, z := f.motion.X0[v[0]], f.motion.X0[v[1]], f.motion.X0[v[2]]
	return math.Sqrt(max(x.Sub(y).Norm2(), y.Sub(z).Norm2(), z.Sub(x).Norm2()))
}

// findDip tests one face against one shape. Where it is near at the start and touches along a line, it may be at another place at the end: a second contact.
func (f *Finder) findDip(c *chunk, t *fieldTarget, face int32) {
	d := dip{t: t, face: face}
	for k, block := range f.cloth.tri[face] {
		d.from[k], d.to[k] = f.motion.X0[block], f.motion.X1[block].Sub(t.travel)
		d.speed, d.kept = max(d.speed, t.speed(d.from[k], d.to[k])), max(d.kept, dipKept*f.thicknessAt(block))
	}
	d.look(0, f.Reach*d.kept+d.speed)
	if d.low.D >= f.Reach*d.kept {
		if d.sweep() {
			f.emitDip(c, &d, false)
		}
		return
	}
	f.emitDip(c, &d, false)
	before := d.low.W
	if d.look(1, d.kept); d.low.D < d.kept && d.low.W.Sub(before).MaxAbs() > dipElsewhere {
		f.emitDip(c, &d, true)
	}
}

// dip is a face on its way past a shape.
type dip struct {
	t           *fieldTarget
	face        int32
	from, to    [3]r3.Vec // corners, without the travel of the press
	speed, kept float64
	low         geom.Low  // the lowest point at the time that was looked at last
	x           [3]r3.Vec // in the axes of the shape: the corners then,
	y           r3.Vec    // and the lowest point
}

// look finds the lowest point at the time s; above which distance it need not be the lowest.
func (d *dip) look(s, above float64) {
	pose := d.t.from.Lerp(d.t.to, s).Inverse()
	for k := range d.x {
		d.x[k] = pose.Apply(d.from[k].Lerp(d.to[k], s))
	}
	d.low = geom.LowestOnTriangle(d.t.field, d.x[0], d.x[1], d.x[2], above, dipClose*d.kept)
	d.y = blend(d.low.W, d.x[0], d.x[1], d.x[2])
}

// depth returns how much lower the lowest point is than the lowest corner [m].
func (d *dip) depth() float64 {
	corner := math.Inf(1)
	for _, p := range d.x {
		distance, _ := d.t.field.Distance(p)
		corner = min(corner, distance)
	}
	return corner - d.low.D
}

// sweep goes on from the start until the face is at the distance that is kept, and tells whether that is in the step.
func (d *dip) sweep() bool {
	for s, step := 0.0, 0; d.low.D-d.kept > arrival*d.kept && step < sweepSteps; step++ {
		if d.low.D-d.speed*(1-s) > d.kept || s == 1 {
			return false
		}
		s = min(1, s+(d.low.D-d.kept)/d.speed)
		d.look(s, math.Inf(1))
	}
	return true
}

// emitDip writes the lowest point as a candidate.
func (f *Finder) emitDip(c *chunk, d *dip, again bool) {
	t, w := d.t, d.low.W
	if f.longest(d.face) <= dipEdges*radiusAt(t.field, d.y) || !(d.depth() > dipLeast*f.Thickness) {
		return
	}
	x, v := f.motion.X0, f.cloth.tri[d.face]
	start := blend(w, x[v[0]], x[v[1]], x[v[2]])
	x = f.motion.X1
	end := blend(w, x[v[0]], x[v[1]], x[v[2]])
	n := t.from.R.Rotate(d.low.N)
	z := d.low.D + d.low.N.Dot(t.back.Apply(start).Sub(d.y))
	velocity := t.velocityAt(start, f.motion.H)
	found := candidate{
		id: ID{f.feature(&f.cloth, Face, d.face), Feature{t.surface, Whole, 0}}, a: f.cloth.heaviest(d.face, w), b: t.block, obstacle: t.obstacle,
		z: z, end: z + n.Dot(end.Sub(start).Sub(t.travel).AddScaled(-f.motion.H, velocity)), normal: n, velocity: velocity, point: start.AddScaled(-z/2, n),
	}
	if again {
		found.id.B.ID |= Again
	}
	shares := [3]share{{v[0], w.X}, {v[1], w.Y}, {v[2], w.Z}}
	found.weighAgainst(shares)
	found.rubAgainst(&f.obstacles[t.obstacle], foot{tri: -1})
	f.localize(&found, shares[:], nil)
	found.extra = dipKept*(f.Thickness+found.extra) - f.Thickness
	f.add(c, &found)
}
