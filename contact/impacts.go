package contact

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// Features that go through each other in a step: the certificate that a motion crosses nothing, and what an impact zone
// is made of if it does.
//
// A motion from a start without crossings has none at its end, nor on the way, if the distance of no vertex and face,
// of no two edges, and of no face and shape vanishes. So every such pair is tested, neighbours in a sheet too, whatever
// their rest distance, with the separation
//
//	σ = min(s, d₀/2),
//
// d₀ the distance at the start: never 0, so that the direction between the two, just before they meet, says which
// way is back. With the weights w and the direction n of that moment, the gap at the end x of the motion is
//
//	g(x) = n·(Σ w x − q),
//
// q the point of the obstacle at the end, with the travel of its block among the terms. g ≥ 3/2 max(σ, s/4) undoes the
// impact to first order. A shape is convex, so that its vertices are out of it as soon as they are on the right side of
// that one plane, which moves with it.
//
// A start that is crossed tells nothing about which way is back. What crosses at the start, with the features at the
// corners of the triangles that do, is left alone (Tangled); so are features that touch at the start, to a millionth of
// the thickness, of which only the exact test of the end can tell whether they crossed.

// Impact is a pair of features that would meet in a step.
type Impact struct {
	Time     float64  // part of the step after which they meet, not too late
	Normal   r3.Vec   // n, from side B to side A, of unit length
	Row      [5]Share // points that the gap depends on: four of features at most, and the block that an obstacle rides on
	Terms    int      // how many
	Offset   float64  // what the gap is without them [m]
	Least    float64  // the gap that is asked for at the end [m]
	Obstacle int32    // index of the prescribed skin, or None
}

// Gap returns the gap at the end of a motion of the points to x [m].
func (p *Impact) Gap(x []r3.Vec) float64 {
	gap := p.Offset
	for _, t := range p.Row[:p.Terms] {
		gap += t.W * p.Normal.Dot(x[t.Point])
	}
	return gap
}

const (
	// touching is the distance at the start, in thicknesses, up to which features cannot be kept apart.
	touching = 1e-6
	// kept is the gap that is asked for, in separations.
	kept = 1.5
	// reopened is the part of the separation that gaps are brought to if they were smaller at the start. Without it
	// they would shrink from step to step, down to nothing.
	reopened = 0.25
)

// Impacts appends to out what meets on the way from the start of the last Find to x: what comes nearer than separation
// [m] or half of its distance at the start. The order depends on positions only.
func (f *Finder) Impacts(x []r3.Vec, separation float64, out []Impact) []Impact {
	f.Team.Enter()
	defer f.Team.Leave()
	f.moveTo(x)
	f.separation, f.passing = separation, true
	f.prepareFields()
	if len(f.fields) > 0 {
		out = f.gather(len(f.points), vertexGrain, f.passBody, out)
	}
	if len(f.cloth.prim) > 0 {
		if len(f.fields) > 0 {
			out = f.gather(f.cloth.extended, pairGrain, f.facePassBody, out)
		}
		if f.Self {
			f.pairs = f.selfPairs
			out = f.gather(len(f.pairs), pairGrain, f.selfBody, out)
		}
		for _, t := range f.solids {
			if t.bare() {
				continue
			}
			f.moveTarget(t)
			f.solid, f.pairs = t, t.pairs
			body := f.meshBody
			if t.shape != nil {
				body = f.sharpBody
			}
			out = f.gather(len(f.pairs), pairGrain, body, out)
		}
	}
	f.passing = false
	return out
}

// gather runs body over [0, n) and appends the impacts that its chunks have found, in index order.
func (f *Finder) gather(n, grain int, body func(lo, hi int), out []Impact) []Impact {
	count := f.grow(n, grain)
	for i := range f.chunks[:count] {
		f.chunks[i].impacts = f.chunks[i].impacts[:0]
	}
	f.Team.For(n, grain, body)
	for i := range f.chunks[:count] {
		out = append(out, f.chunks[i].impacts...)
	}
	return out
}

// moveTo makes x the end of the motion of the last Find. Boxes of that motion contain those at either end, so that the
// pairs of detection serve for both.
func (f *Finder) moveTo(x []r3.Vec) {
	if len(f.motion.X0) != len(x) {
		f.motion.X0 = x
	}
	f.reach = f.Reach * f.most
	f.motion.X1 = x
	f.cloth.x0, f.cloth.x1 = f.motion.X0, x
	if len(f.cloth.prim) > 0 && !f.nearby() {
		f.findPairs()
	}
}

// through tests whether the features of a pair meet.
func (f *Finder) through(c *chunk, k *pair) {
	travel := k.travel()
	if travel == 0 || f.tangledPair(k) {
		return
	}
	now := k.look(0)
	separation := min(f.separation, now.distance/2)
	if now.distance > separation+travel || now.distance <= touching*f.Thickness {
		return
	}
	t, hit := k.impact(separation)
	if !hit {
		return
	}
	then := k.look(t)
	length := then.away.Norm()
	if !(length > 0) {
		return // cannot be: the distance has not come down to the separation yet
	}
	p := Impact{
		Time:     t,
		Normal:   then.away.Scale(1 / length),
		Least:    kept * max(separation, reopened*f.separation),
		Obstacle: None,
	}
	one, two := k.shares(&then)
	p.add(f, k.p, one, 1)
	p.add(f, k.q, two, -1)
	if f.gives(&p) {
		c.impacts = append(c.impacts, p)
	}
}

// gives reports whether something that can give way has part in an impact. Nothing can be done about others.
func (f *Finder) gives(p *Impact) bool {
	for _, t := range p.Row[:p.Terms] {
		if !f.fixed(t.Point) {
			return true
		}
	}
	return false
}

// add takes the points of one side: as terms, or those of an obstacle as an offset.
func (p *Impact) add(f *Finder, s *side, points [3]Share, sign float64) {
	for _, n := range points {
		if n.W == 0 {
			continue
		}
		if s.target == nil {
			p.Row[p.Terms] = Share{n.Point, sign * n.W}
			p.Terms++
			continue
		}
		p.Obstacle = s.target.obstacle
		// The travel of a press is in the positions, and becomes a term of its own.
		end := s.x1[n.Point].Sub(s.target.travelled)
		p.Offset += sign * n.W * p.Normal.Dot(end)
	}
	if s.target != nil {
		p.ride(f, sign)
	}
}

// ride adds the term of the block that an obstacle rides on. Blocks hold how far it has travelled in the step, from the
// start.
func (p *Impact) ride(f *Finder, sign float64) {
	if block := f.skins[p.Obstacle].Block; block != None {
		p.Row[p.Terms] = Share{block, sign}
		p.Terms++
		p.Offset -= sign * p.Normal.Dot(f.targets[p.Obstacle].start)
	}
}

// throughField tests whether a vertex that is outside of a shape gets into it. It is the sweep of field.go, to a
// smaller distance.
func (f *Finder) throughField(c *chunk, t *fieldTarget, point int32) {
	x0, x1 := f.motion.X0[point], f.motion.X1[point].Sub(t.travel)
	apart, _ := t.field.Distance(t.back.Apply(x0))
	separation := min(f.separation, apart/2)
	if apart <= touching*f.Thickness {
		return
	}
	s, y, d, g, hit := t.sweep(x0, x1, separation)
	if !hit {
		return
	}
	n := t.to.R.Rotate(g)
	p := Impact{
		Time:     s,
		Normal:   n,
		Row:      [5]Share{{point, 1}},
		Terms:    1,
		Least:    kept * max(separation, reopened*f.separation),
		Obstacle: t.obstacle,
		Offset:   d - g.Dot(y) - n.Dot(t.to.T),
	}
	p.ride(f, -1)
	if f.gives(&p) {
		c.impacts = append(c.impacts, p)
	}
}

// Tangled marks the pairs of triangles that cross at the start of the step, so that Impacts and Fresh leave them alone,
// and returns how many there are, with sharp edges of shapes that have come through sheets. Begin forgets the marks.
// Faces inside shapes need none: contacts push them out.
func (f *Finder) Tangled() int {
	f.Team.Enter()
	defer f.Team.Leave()
	total := 0
	if f.Self {
		f.solid, f.pairs = nil, f.selfPairs
		total += f.markPairs(&f.tangled)
	}
	for _, t := range f.solids {
		if !t.bare() && len(f.cloth.prim) > 0 {
			f.solid, f.pairs = t, t.pairs
			total += f.markPairs(&t.tangled)
		}
	}
	f.knots = total
	return total
}

// Knots returns what Tangled has counted in this step; with Crossed, Find calls it.
func (f *Finder) Knots() int { return f.knots }

// markPairs marks the vertices of sheets in pairs of f.pairs that cross at the start.
func (f *Finder) markPairs(marks *[]bool) (count int) {
	for _, ij := range f.pairs {
		u := f.cloth.prim[ij[0]]
		if !f.crossAt(f.cloth.x0, ij, f.startOf(f.solid)) {
			continue
		}
		if len(*marks) == 0 {
			*marks = append(*marks, make([]bool, len(f.skinOf))...)
		}
		count++
		for _, v := range u {
			(*marks)[v] = true
		}
		if f.solid == nil {
			for _, v := range f.cloth.prim[ij[1]] {
				(*marks)[v] = true
			}
		}
	}
	return count
}

// Widen also marks what is around the marks of Tangled: within as many edges as a distance takes at the mean length of
// edges, and two more. That is for motions that bring apart what crosses: they take back through each other what is on
// the wrong side, which lies there.
func (f *Finder) Widen(distance float64) {
	mean, known := 0.0, 0
	for _, l := range f.restLength {
		if !math.IsInf(l, 1) {
			known++
		}
	}
	for _, l := range f.restLength {
		if !math.IsInf(l, 1) {
			mean += l / float64(known)
		}
	}
	rings := 2 + int(min(distance/mean, widest))
	f.tangled = f.dilate(f.tangled, rings)
	for _, t := range f.solids {
		t.tangled = f.dilate(t.tangled, rings)
	}
}

// widest bounds the edges that a distance takes.
const widest = 20

// dilate marks the neighbours of marked vertices, as often as there are rings.
func (f *Finder) dilate(marks []bool, rings int) []bool {
	if len(marks) == 0 {
		return marks
	}
	for range rings {
		was := slices.Clone(marks)
		for _, e := range f.cloth.edge {
			marks[e[0]] = marks[e[0]] || was[e[1]]
			marks[e[1]] = marks[e[1]] || was[e[0]]
		}
	}
	return marks
}

func (f *Finder) startOf(t *target) []r3.Vec {
	if t == nil {
		return f.cloth.x0
	}
	return t.x0
}

// crossAt reports whether primitive i of moving skins at x crosses j: another of them, or of f.solid, at y, a primitive,
// or the segment or point of a shape.
func (f *Finder) crossAt(x []r3.Vec, ij [2]int32, y []r3.Vec) bool {
	i, j := int(ij[0]), int(ij[1])
	u := f.cloth.prim[i]
	a := [3]r3.Vec{x[u[0]], x[u[1]], x[u[2]]}
	switch t := f.solid; {
	case t == nil:
		v := f.cloth.prim[j]
		b := [3]r3.Vec{x[v[0]], x[v[1]], x[v[2]]}
		if max(i, j) < f.cloth.faces {
			return meets(&a, &b) && geom.MeshTriangles(x, u, v)
		}
		return !holds(&u, v[0]) && !holds(&u, v[1]) && !holds(&u, v[2]) &&
			pierces(&a, f.cloth.sides(i), &b, f.cloth.sides(j))
	case t.shape == nil:
		v := &t.surface.prim[j]
		b := [3]r3.Vec{y[v[0]], y[v[1]], y[v[2]]}
		if i < f.cloth.faces && j < t.surface.faces {
			return meets(&a, &b) && geom.Triangles(a, b)
		}
		return pierces(&a, f.cloth.sides(i), &b, t.surface.sides(j))
	case j < len(t.surface.edge):
		e := t.surface.edge[j]
		return pierces(&a, f.cloth.sides(i), &[3]r3.Vec{y[e[0]], y[e[1]], y[e[1]]}, 2)
	}
	return false
}

// pierces reports whether one of two primitives, with so many corners, is a triangle and the other an edge through it.
func pierces(a *[3]r3.Vec, sidesA int, b *[3]r3.Vec, sidesB int) bool {
	switch {
	case sidesA == 3 && sidesB == 2:
		return meets(a, b) && geom.SegmentTriangle(b[0], b[1], a[0], a[1], a[2])
	case sidesA == 2 && sidesB == 3:
		return meets(a, b) && geom.SegmentTriangle(a[0], a[1], b[0], b[1], b[2])
	}
	return false
}

// tangledPair reports whether a pair belongs to what crosses at the start.
func (f *Finder) tangledPair(k *pair) bool {
	if t := k.solid(); t != nil {
		return len(t.tangled) > 0 &&
			(k.p.target == nil && k.has(t.tangled, k.p, k.i, k.edges, false) || k.q.target == nil && k.has(t.tangled, k.q, k.j, k.edges, true))
	}
	return len(f.tangled) > 0 && k.has(f.tangled, k.p, k.i, k.edges, false) && k.has(f.tangled, k.q, k.j, k.edges, true)
}

// has reports whether a vertex of a feature of a sheet is marked: of an edge, or of a face, or a vertex.
func (k *pair) has(marks []bool, s *side, i int32, edge, second bool) bool {
	switch {
	case edge:
		return marks[s.edge[i][0]] || marks[s.edge[i][1]]
	case second:
		return touchesMarks(marks, s.prim[i])
	}
	return marks[i]
}

func touchesMarks(marks []bool, v [3]int32) bool { return marks[v[0]] || marks[v[1]] || marks[v[2]] }

// Knot is what crosses at the end of a step: the points of two primitives of moving skins, or of one and an obstacle; one
// point inside a shape whose faces are not asked about.
type Knot struct {
	Points   [6]int32
	Count    int   // of points
	Obstacle int32 // index of the prescribed skin, or None
}

// Fresh appends to out what crosses at the end of the motion to x and does not belong to what Tangled has marked.
func (f *Finder) Fresh(x []r3.Vec, out []Knot) []Knot {
	f.moveTo(x)
	if f.Self {
		f.solid, f.pairs = nil, f.selfPairs
		out = f.freshPairs(x, f.tangled, out)
	}
	for _, t := range f.solids {
		if t.shape == nil && len(f.cloth.prim) > 0 {
			f.moveTarget(t)
			f.solid, f.pairs = t, t.pairs
			out = f.freshPairs(x, t.tangled, out)
		}
	}
	for _, t := range f.solids {
		o := &f.skins[t.obstacle]
		if o.Field == nil {
			continue
		}
		travel, to, from := f.travel(t.obstacle), o.To.Inverse(), o.From.Inverse()
		if hasFaces(o.Field) {
			out = f.freshInside(t.obstacle, &from, &to, travel, out)
		}
		for _, p := range f.alone(o.Field) {
			if d, _ := o.Field.Distance(to.Apply(x[p].Sub(travel))); d < 0 {
				if d, _ := o.Field.Distance(from.Apply(f.motion.X0[p])); d >= 0 {
					out = append(out, Knot{[6]int32{p}, 1, t.obstacle})
				}
			}
		}
	}
	return out
}

// alone returns the points that are asked about the inside of a shape on their own: all, or, where faces and free edges
// are asked, free ones.
func (f *Finder) alone(field geom.Field) []int32 {
	if hasFaces(field) {
		return f.dots
	}
	return f.points
}

// freshInside appends the faces that are inside a shape at the end and were not at the start.
func (f *Finder) freshInside(obstacle int32, from, to *r3.Pose, travel r3.Vec, out []Knot) []Knot {
	field, passed := f.skins[obstacle].Field, r3.Box{}
	for i := range f.fields {
		if f.fields[i].obstacle == obstacle {
			passed = f.fields[i].passed
		}
	}
	for t := range f.cloth.extended {
		if !f.boxes[t].Overlaps(&passed) {
			continue
		}
		if _, inside := f.deepest(field, to, travel, f.motion.X1, int32(t)); !inside {
			continue
		}
		if _, before := f.deepest(field, from, r3.Vec{}, f.motion.X0, int32(t)); !before {
			k := Knot{Obstacle: obstacle}
			k.tie(&f.cloth, int32(t))
			out = append(out, k)
		}
	}
	return out
}

// tie adds the corners of a primitive.
func (k *Knot) tie(s *side, prim int32) {
	k.Count += copy(k.Points[k.Count:], s.prim[prim][:s.sides(int(prim))])
}

func (f *Finder) freshPairs(x []r3.Vec, marks []bool, out []Knot) []Knot {
	var y []r3.Vec
	if f.solid != nil {
		y = f.solid.x1
	}
	for _, ij := range f.pairs {
		u := f.cloth.prim[ij[0]]
		if !f.crossAt(x, ij, y) {
			continue
		}
		k := Knot{Obstacle: None}
		k.tie(&f.cloth, ij[0])
		known := len(marks) > 0 && touchesMarks(marks, u)
		if f.solid != nil {
			k.Obstacle = f.solid.obstacle
		} else {
			k.tie(&f.cloth, ij[1])
			known = known && touchesMarks(marks, f.cloth.prim[ij[1]])
		}
		if !known {
			out = append(out, k)
		}
	}
	return out
}
