package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Faces of skins against shapes.
//
// Vertices that keep the thickness h from a ball of radius r keep a face outside of it as long as the smallest circle
// around the face has a radius ρ with
//
//	s(ρ) = √(r² + ρ²) − r ≤ h,
//
// which is A9's bound on edges, l ≤ √3 √(2rh + h²), for regular faces. The middles of larger faces would be inside, and
// a shape that is smaller than a face may come through it without meeting a corner at all. Three things keep them out;
// shapes are convex, so that a face has one lowest point (geom.LowestOnTriangle).
//
//   - Sag. Around shapes that are large against its faces, ρ ≤ r/4, a vertex keeps more than the thickness, so that
//     faces whose corners all do so keep a quarter of it. ρ is that of the faces at the vertex as they are at the start
//     of the step; on a cylinder or cone, where only what lies across the axis sags, half of their extent that way.
//     What this changes from one step to the next is a violation like others, which is pushed out slowly. Within A9's
//     bound nothing is added. To write the lowest points of all faces as contacts instead would be twice as many as
//     there are vertices to obey them, and takes a solver many times longer.
//   - Rows. Faces that are larger than that have contacts at their lowest points, with the weights of their place,
//     which hold them at a quarter of the thickness. So do those of any size, at a twentieth, that would come through
//     all the same, because they are stretched in the step or hang over a rim.
//   - The certificate (guard_impacts.go), which lets no face in that was out.

const (
	// faceKept is the distance that large faces are held at, and that sag aims at, in thicknesses; rescued that of
	// others.
	faceKept, rescued = 0.25, 0.05
	// sagging is how far a face may sag before its corners keep more, in thicknesses: it leaves twice what is rescued.
	sagging = 1 - 2*rescued
	// largeFaces is the radius of a face from which on it is large, in radii of the shape.
	largeFaces = 0.25
	// faceDip is how much lower than its corners a face is at least that has a contact, in thicknesses: corners hold
	// the others.
	faceDip = 0.25
	// faceClose is how exactly the lowest point is found, in thicknesses.
	faceClose = 1e-3
)

// face is a face of a skin on its way past a shape.
type face struct {
	t        *passage
	pose     r3.Pose // of the shape at the end,
	turn     float64 // and how far it has turned then [rad]
	index    int32
	from, to [3]r3.Vec // corners, without the travel of the press
	speed    float64   // of the fastest corner, in the axes of the shape, over the step [m]
	thick    float64   // the largest thickness at a corner [m]
	radius   float64   // of a capsule [m]
	kept     float64   // distance that it is held at [m]
	close    float64   // how exactly its lowest point is found [m]
	low      geom.Low  // that point, at the time that was looked at last
	x        [3]r3.Vec // in the axes of the shape: the corners then,
	y        r3.Vec    // and the lowest point
}

// hasten finds the speed.
func (d *face) hasten() {
	d.speed = 0
	for k := range d.from {
		d.speed = max(d.speed, speedPast(d.t.from, d.pose, d.turn, d.from[k], d.to[k]))
	}
}

// unspin has the shape turn no further than it shows: a rod does not when it spins about its axis. Contacts turn with
// it, so that what sticks to it does not slip or drift, but where a face is at which time can be told more easily
// without.
func (d *face) unspin() {
	if d.turn > 0 {
		d.pose = shape.Unspun(shape.SymmetryOf(d.t.Field), d.t.from, d.t.to)
		d.turn = turnOf(d.t.from.R, d.pose.R)
		d.hasten()
	}
}

// look finds the lowest point at the time s; above which distance it need not be the lowest.
func (d *face) look(s, above float64) {
	pose := d.t.back
	if s > 0 {
		pose = d.t.from.Lerp(d.pose, s).Inverse()
	}
	for k := range d.x {
		d.x[k] = pose.Apply(d.from[k].Lerp(d.to[k], s))
	}
	d.low = geom.LowestOnTriangle(d.t.Field, d.x[0], d.x[1], d.x[2], above, d.close)
	d.y = blend(d.low.W, d.x[0], d.x[1], d.x[2])
}

// place finds the lowest point at the time that was looked at last to rounding. A search for a distance to δ places it
// to √(2rδ) only, over a ball of radius r, and where that is depends on which corner comes first.
func (d *face) place() {
	d.low = geom.LowestOnTriangle(d.t.Field, d.x[0], d.x[1], d.x[2], math.Inf(1), 0)
	d.y = blend(d.low.W, d.x[0], d.x[1], d.x[2])
}

// depth returns how much lower the lowest point is than the lowest corner [m].
func (d *face) depth() float64 {
	corner := math.Inf(1)
	for _, p := range d.x {
		distance, _ := d.t.Field.Distance(p)
		corner = min(corner, distance)
	}
	return corner - d.low.D
}

// sweep goes on from the start, which must have been looked at and be farther away, until the face is within a
// distance, and tells when that is, not too late, and whether it is in the step. Then the lowest point is that of this
// time.
//
// A tangent of the distance at the lowest point of one end of a part of the step bounds it from below, so that a face
// whose corners are above it at both ends, which move along straight lines but for the turn of the shape, is so all the
// time. Parts for which that does not tell are halved.
func (d *face) sweep(distance float64) (s float64, hit bool) {
	end := *d
	end.look(1, math.Inf(1))
	s, hit = d.part(0, 1, distance, &end, sweepHalvings)
	return s, hit
}

// sweepHalvings bounds how short the parts of a step become: a millionth.
const sweepHalvings = 20

// part is sweep for the part of the step from s, where d is, to e.
func (d *face) part(s, e, distance float64, end *face, halvings int) (float64, bool) {
	if d.clear(d, end, e-s, distance) || end.low.D > distance && end.clear(d, end, e-s, distance) {
		*d = *end
		return e, false
	}
	if d.low.D-distance <= 2*d.close || d.speed*(e-s) <= d.close || halvings == 0 {
		return s, true
	}
	middle := *d
	half := (s + e) / 2
	middle.look(half, math.Inf(1))
	if middle.low.D > distance {
		if at, hit := d.part(s, half, distance, &middle, halvings-1); hit {
			return at, true
		}
		return d.part(half, e, distance, end, halvings-1)
	}
	return d.part(s, half, distance, &middle, halvings-1)
}

// clear tells whether the tangent at the lowest point of k keeps all corners farther away than the distance, at both
// ends of a part of the given length and on the way.
func (k *face) clear(start, end *face, part, distance float64) bool {
	least := math.Inf(1)
	for i := range start.x {
		above := min(k.low.Tangent.Dot(start.x[i].Sub(k.y)), k.low.Tangent.Dot(end.x[i].Sub(k.y)))
		least = min(least, above-bulge(start.x[i], end.x[i], k.turn*part))
	}
	return k.low.D-k.close+least > distance
}

// bulge bounds how far a point gets from the straight line from a to b, in axes that turn by φ meanwhile, while it
// moves evenly in the world. There it is at R(s)⁻¹ q(s), of which the second derivative is at most φ²‖q‖ + 2 φ‖Δq‖, and
// an eighth of that is how far a curve gets from its chord. ‖Δq‖ ≤ ‖b - a‖ + φ‖a‖.
func bulge(a, b r3.Vec, turn float64) float64 {
	return turn/4*b.Sub(a).Norm() + 3*turn*turn/8*max(a.Norm(), b.Norm())
}
