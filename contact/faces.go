package contact

import (
	"math"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// Faces of sheets against shapes.
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
//   - The certificate (impacts.go), which lets no face in that was out.

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

// spread returns the radius ρ of a face at the start [m], across the direction in which a shape is straight or, if that
// is zero, all around.
func (f *Finder) spread(face int32, straight r3.Vec) float64 {
	v := &f.cloth.prim[face]
	x := f.motion.X0
	a, b, c := x[v[1]].Sub(x[v[0]]), x[v[2]].Sub(x[v[1]]), x[v[0]].Sub(x[v[2]])
	p, q, r := a.Norm2(), b.Norm2(), c.Norm2()
	if straight != (r3.Vec{}) {
		d, e, g := a.Dot(straight), b.Dot(straight), c.Dot(straight)
		return math.Sqrt(max(p-d*d, q-e*e, r-g*g, 0)) / 2
	}
	if most := max(p, q, r); 2*most >= p+q+r { // no acute angle opposite to the longest side, which is the diameter
		return math.Sqrt(most) / 2
	}
	return math.Sqrt(p*q*r) / (2 * a.Cross(b).Norm())
}

// sag returns what a vertex keeps from a shape beyond its thickness [m]; y is where it is at the start, in the axes of
// the shape.
func (f *Finder) sag(t *fieldTarget, block int32, y r3.Vec) float64 {
	radius, straight := geom.CurvatureAt(t.field, y)
	if math.IsInf(radius, 1) {
		return 0
	}
	straight = t.from.R.Rotate(straight)
	wide := 0.0
	for _, face := range f.fans.Of(block) {
		if w := f.spread(face, straight); w <= largeFaces*radius {
			wide = max(wide, w)
		}
	}
	if wide == 0 {
		return 0
	}
	h := f.thicknessAt(block)
	s := wide * wide / (math.Hypot(radius, wide) + radius)
	if s <= sagging*h {
		return 0
	}
	return min(2*(s-sagging*h), math.Hypot(radius+faceKept*h, wide)-radius-h)
}

// mostSag bounds what sag returns [m]: s ≤ ρ²/2r, and ρ ≤ r/4.
func (f *Finder) mostSag() float64 {
	longest := 0.0
	for _, e := range f.cloth.edge {
		longest = max(longest, f.motion.X0[e[0]].Sub(f.motion.X0[e[1]]).Norm2())
	}
	return largeFaces/2*math.Sqrt(longest/3) + f.most
}

// face is a face of a sheet on its way past a shape.
type face struct {
	t        *fieldTarget
	pose     r3.Pose // of the shape at the end,
	turn     float64 // and how far it has turned then [rad]
	index    int32
	from, to [3]r3.Vec // corners, without the travel of the press
	speed    float64   // of the fastest corner, in the axes of the shape, over the step [m]
	thick    float64   // the largest thickness at a corner [m]
	kept     float64   // distance that it is held at [m]
	close    float64   // how exactly its lowest point is found [m]
	low      geom.Low  // that point, at the time that was looked at last
	x        [3]r3.Vec // in the axes of the shape: the corners then,
	y        r3.Vec    // and the lowest point
}

// faceOf returns a face of the sheets on its way.
func (f *Finder) faceOf(t *fieldTarget, index int32) face {
	d := face{t: t, index: index, pose: t.to, turn: t.turn}
	for k, block := range f.cloth.prim[index] {
		d.from[k], d.to[k] = f.motion.X0[block], f.motion.X1[block].Sub(t.travel)
		d.thick = max(d.thick, f.thicknessAt(block))
	}
	d.close = faceClose * d.thick
	d.hasten()
	return d
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
		d.pose = geom.Unspun(geom.SymmetryOf(d.t.field), d.t.from, d.t.to)
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
	d.low = geom.LowestOnTriangle(d.t.field, d.x[0], d.x[1], d.x[2], above, d.close)
	d.y = blend(d.low.W, d.x[0], d.x[1], d.x[2])
}

// depth returns how much lower the lowest point is than the lowest corner [m].
func (d *face) depth() float64 {
	corner := math.Inf(1)
	for _, p := range d.x {
		distance, _ := d.t.field.Distance(p)
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

// hasFaces tells whether faces are asked about a shape: a plane has its lowest points at corners, and of a field of a
// user's it is not known whether it is convex.
func hasFaces(field geom.Field) bool {
	switch s := field.(type) {
	case geom.Placed:
		return hasFaces(s.Shape)
	case geom.Plane:
		return false
	}
	return geom.IsConvex(field)
}

// overFaces visits the faces of a chunk that come near to a shape, for every shape.
func (f *Finder) overFaces(lo, hi int, visit func(c *chunk, t *fieldTarget, face int32)) {
	c := &f.chunks[lo/pairGrain]
	for k := range f.fields {
		t := &f.fields[k]
		if !t.faces {
			continue
		}
		for i := lo; i < hi; i++ {
			if f.boxes[i].Overlaps(&t.passed) {
				visit(c, t, int32(i))
			}
		}
	}
}

// findFace tests one face against one shape. A face that is near at the start and stays so has its contact where it is
// lowest at the end: its lowest point wanders, and over a step that may be far enough to come through beside the place
// where it was.
func (f *Finder) findFace(c *chunk, t *fieldTarget, index int32) {
	d := f.faceOf(t, index)
	near := f.Reach*faceKept*d.thick + d.speed
	if d.look(0, near); d.low.D >= near {
		return
	}
	d.kept = rescued * d.thick
	radius, straight := geom.CurvatureAt(t.field, d.y)
	if f.spread(index, t.from.R.Rotate(straight)) > largeFaces*radius {
		d.kept = faceKept * d.thick
	}
	if d.low.D >= f.Reach*d.kept {
		if _, hit := d.sweep(d.kept); hit {
			f.emitFace(c, &d)
		}
		return
	}
	start := d
	if d.look(1, f.Reach*d.kept); d.low.D >= f.Reach*d.kept {
		d = start
	}
	f.emitFace(c, &d)
}

// emitFace writes the lowest point as a candidate.
func (f *Finder) emitFace(c *chunk, d *face) {
	t, w := d.t, d.low.W
	if !(d.depth() > faceDip*d.thick) {
		return
	}
	x, v := f.motion.X0, f.cloth.prim[d.index]
	start := blend(w, x[v[0]], x[v[1]], x[v[2]])
	x = f.motion.X1
	end := blend(w, x[v[0]], x[v[1]], x[v[2]])
	n := t.from.R.Rotate(d.low.N)
	z := d.low.D + d.low.N.Dot(t.back.Apply(start).Sub(d.y))
	velocity := t.velocityAt(start, f.motion.H)
	found := candidate{
		id: ID{
			f.primitive(d.index),
			Feature{t.surface, Whole, 0},
		},
		a:        f.cloth.heaviest(d.index, w),
		b:        t.block,
		obstacle: t.obstacle,
		z:        z,
		end:      z + n.Dot(end.Sub(start).Sub(t.travel).AddScaled(-f.motion.H, velocity)),
		normal:   n,
		velocity: velocity,
		point:    start.AddScaled(-z/2, n),
	}
	shares := f.cloth.places(d.index, w)
	found.weighAgainst(shares)
	found.rubAgainst(&f.skins[t.obstacle], foot{})
	f.localize(&found, shares[:], nil)
	found.extra = d.kept - f.Thickness
	f.add(c, &found)
}

// throughFace tests whether a face that is outside of a shape gets into it, elsewhere than at a corner.
func (f *Finder) throughFace(c *chunk, t *fieldTarget, index int32) {
	d := f.faceOf(t, index)
	d.unspin()
	d.close = min(d.close, faceClose*f.separation)
	d.look(0, f.separation+d.speed)
	apart := d.low.D
	separation := min(f.separation, apart/2)
	if apart <= touching*f.Thickness || apart-d.speed > separation {
		return
	}
	s, hit := d.sweep(separation)
	places := f.cloth.places(index, d.low.W)
	if !hit || max(places[0].W, places[1].W, places[2].W) == 1 {
		return
	}
	n := d.pose.R.Rotate(d.low.N)
	p := Impact{
		Time:     s,
		Normal:   n,
		Least:    kept * max(separation, reopened*f.separation),
		Obstacle: t.obstacle,
		Offset:   d.low.D - d.low.N.Dot(d.y) - n.Dot(d.pose.T),
	}
	for _, n := range places {
		if n.W > 0 {
			p.Row[p.Terms] = n
			p.Terms++
		}
	}
	p.ride(f, -1)
	if f.gives(&p) {
		c.impacts = append(c.impacts, p)
	}
}

// insideFace tests whether a face is inside of a shape at the end, and counts it.
func (f *Finder) insideFace(c *chunk, t *fieldTarget, index int32) {
	pose := t.to.Inverse()
	d, inside := f.deepest(t.field, &pose, t.travel, f.motion.X1, index)
	if !inside {
		return
	}
	if c.crossings == 0 {
		c.crossing = [2]int32{index, t.obstacle}
	}
	c.crossings++
	c.depth = max(c.depth, -d)
}

// deepest returns the least distance of a face to a shape, if it is inside of it; pose leads to the axes of the shape.
func (f *Finder) deepest(
	field geom.Field,
	pose *r3.Pose,
	travel r3.Vec,
	at []r3.Vec,
	index int32,
) (d float64, inside bool) {
	var x [3]r3.Vec
	for k, block := range f.cloth.prim[index] {
		x[k] = pose.Apply(at[block].Sub(travel))
	}
	low := geom.LowestOnTriangle(field, x[0], x[1], x[2], 0, faceClose*f.Thickness)
	return low.D, low.D < 0
}
