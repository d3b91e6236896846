package contact

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// From pairs to candidates: names of features, nodes and weights, and velocities of obstacles.

// foot is a point of a prescribed mesh: what moves a node that sticks to it.
type foot struct {
	v    [3]int32
	w    r3.Vec // weights of these
	flat bool   // they are a triangle
}

// feature returns the name of a feature of a side.
func (f *Finder) feature(s *side, kind Kind, i int32) Feature {
	if s.target != nil {
		return Feature{f.skins[s.target.obstacle].Surface, kind, int64(i)}
	}
	v := i
	switch kind {
	case Face:
		v = f.cloth.prim[i][0]
	case Edge:
		v = f.cloth.edge[i][0]
	}
	o := &f.origin[f.skinOf[v]]
	switch kind {
	case Face:
		i -= o.tri
	case Edge:
		i -= o.edge
	default:
		i -= o.vertex
	}
	return Feature{o.surface, kind, int64(i)}
}

// nodes returns the vertices that the points of a touch move to, or that name it: the nearest. Where these are held,
// and the obstacle is no press, it is the nearest that can give way, unless it is too far off.
func (f *Finder) nodes(k *pair, h *touch) (p, q int32) {
	nearP, nearQ := k.i, int32(0)
	if k.edges {
		nearP, nearQ = k.p.nearer(k.i, h.s), k.q.nearer(k.j, h.w.X)
	} else {
		nearQ = k.q.heaviest(k.j, h.w)
	}
	p, q = nearP, nearQ
	rigid := func(s *side, v int32) bool {
		if s.target != nil {
			return f.skins[s.target.obstacle].Block == None
		}
		return f.fixed(v)
	}
	if !rigid(k.p, p) || !rigid(k.q, q) {
		return p, q
	}
	one, two := k.shares(h)
	best := leastShare
	if k.p.target == nil {
		for _, n := range one {
			if n.W > best && !f.fixed(n.Point) {
				p, best = n.Point, n.W
			}
		}
	}
	if k.q.target == nil {
		for _, n := range two {
			if n.W > best && !f.fixed(n.Point) {
				p, q, best = nearP, n.Point, n.W
			}
		}
	}
	return p, q
}

// node returns the vertex that a contact of a sheet with an obstacle moves to: the one that the sheet's feature was
// held at in the last step, if that still counts at the point, and the nearest otherwise. A contact near the middle of
// an edge would else move from one end to the other and back, and the sheet would never come to rest. What it touches
// of the obstacle may change meanwhile.
func (f *Finder) node(k *pair, h *touch, id ID) int32 {
	near, other := f.nodes(k, h)
	shares, second := k.shares(h)
	if k.p.target != nil {
		near, shares = other, second
	}
	i, _ := f.searchPast(ID{A: id.A, B: Feature{Surface: id.B.Surface, ID: math.MinInt64}})
	for ; i < len(f.past) && f.past[i].ID.A == id.A && f.past[i].ID.B.Surface == id.B.Surface; i++ {
		for _, s := range shares {
			if s.Point == f.past[i].Node && s.W >= stayShare && !f.fixed(s.Point) {
				return s.Point
			}
		}
	}
	return near
}

// leastShare is the weight of a vertex below which it is not moved for the sake of a point that held vertices lead.
const leastShare = 0.1

// stayShare is the weight down to which a contact stays on the node of the last step.
const stayShare = 0.25

// shares returns the vertices of both features; those that there are none of have no weight.
func (k *pair) shares(h *touch) (p, q [3]Share) {
	if k.edges {
		one, two := k.p.edge[k.i], k.q.edge[k.j]
		return [3]Share{{one[0], 1 - h.s}, {one[1], h.s}}, [3]Share{{two[0], 1 - h.w.X}, {two[1], h.w.X}}
	}
	v := k.q.prim[k.j]
	return [3]Share{{k.i, 1}}, [3]Share{{v[0], h.w.X}, {v[1], h.w.Y}, {v[2], h.w.Z}}
}

// primitive returns the name of a triangle or a free edge of moving skins.
func (f *Finder) primitive(i int32) Feature {
	if int(i) < f.cloth.faces {
		return f.feature(&f.cloth, Face, i)
	}
	return f.feature(&f.cloth, Edge, f.cloth.primEdge[i][2])
}

// name returns the id of a pair, and whether side A is the second of it. Side A is that of the sheet; between
// sheets that of the lower surface; within one the vertex, or the first edge.
func (f *Finder) name(k *pair) (id ID, swapped bool) {
	kindP, kindQ := Vertex, Face
	if k.edges {
		kindP, kindQ = Edge, Edge
	}
	p, q := f.feature(k.p, kindP, k.i), f.feature(k.q, kindQ, k.j)
	if k.p.target != nil || k.q.target == nil && q.Compare(p) < 0 {
		return ID{q, p}, true
	}
	return ID{p, q}, false
}

// emit writes a pair as a candidate.
func (f *Finder) emit(c *chunk, k *pair, h *touch, again bool) {
	id, swapped := f.name(k)
	if again {
		id.B.ID |= Again
	}
	n := f.direction(k, h, id, swapped)
	solid := k.solid()
	if solid != nil && h.t > 0 {
		n = f.carriedBack(solid, n, h.t)
	}
	p0, q0 := k.points(h, 0)
	p1, q1 := k.points(h, 1)
	found := candidate{
		id:       id,
		obstacle: None,
		z:        n.Dot(p0.Sub(q0)),
		end:      n.Dot(p1.Sub(q1)),
		normal:   n,
		point:    p0.Lerp(q0, 0.5),
		moved:    solid != nil,
	}
	sign := 1.0
	if swapped {
		found.normal, sign = n.Neg(), -1
	}
	if solid != nil {
		f.stand(&found, k, h, solid, k.foot(h))
	} else {
		if found.a, found.b = f.nodes(k, h); swapped {
			found.a, found.b = found.b, found.a
		}
		found.weigh(k, h, sign)
	}
	f.localizePair(&found, k, h)
	f.add(c, &found)
}

// solid returns the obstacle of a pair, nil if both sides are sheets.
func (k *pair) solid() *target {
	if k.p.target != nil {
		return k.p.target
	}
	return k.q.target
}

// foot returns the point of the obstacle.
func (k *pair) foot(h *touch) foot {
	switch {
	case k.edges:
		return k.q.footOnEdge(k.j, h.w.X)
	case k.q.target != nil:
		return foot{k.q.prim[k.j], h.w, true}
	}
	home := k.p.corner[k.i]
	if home < 0 {
		return foot{v: [3]int32{k.i, k.i, k.i}, w: r3.V(1, 0, 0)}
	}
	return foot{k.p.prim[home/3], cornerWeights(home % 3), true}
}

func (s *side) footOnEdge(e int32, at float64) foot {
	home, ends := s.home[e], s.edge[e]
	if home < 0 {
		return foot{v: [3]int32{ends[0], ends[1], ends[1]}, w: r3.V(1-at, at, 0)}
	}
	var w [3]float64
	tri := s.prim[home/3]
	for k, v := range tri {
		switch v {
		case ends[0]:
			w[k] = 1 - at
		case ends[1]:
			w[k] = at
		}
	}
	return foot{tri, r3.V(w[0], w[1], w[2]), true}
}

func cornerWeights(k int32) r3.Vec { return [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[k] }

// stand puts a contact of a pair with an obstacle where it is obeyed: at a node or, where points are carried, at the
// place itself. To move it would take from a rigid body the lever of its face.
func (f *Finder) stand(found *candidate, k *pair, h *touch, t *target, at foot) {
	found.a = f.node(k, h, found.id)
	if f.Carriers(found.a) == nil {
		f.against(t, found, at, f.motion.X0[found.a])
		return
	}
	x, other := k.points(h, 0)
	shares, second := k.shares(h)
	if k.p.target != nil {
		x, shares = other, second
	}
	f.against(t, found, at, x)
	found.weighAgainst(shares)
	found.moved = false
}

// carriedBack turns a normal at time t back with the obstacle to the start of the step. A mesh that deforms has no
// one turn; its normals are left as they are.
func (f *Finder) carriedBack(t *target, n r3.Vec, time float64) r3.Vec {
	o := &f.skins[t.obstacle]
	if o.Deforms || o.From.R == o.To.R {
		return n
	}
	return o.From.R.Rotate(o.From.R.Slerp(o.To.R, time).Conj().Rotate(n))
}

// against completes a candidate against an obstacle, whose side is B, that is obeyed at x.
func (f *Finder) against(t *target, found *candidate, at foot, x r3.Vec) {
	o := &f.skins[t.obstacle]
	found.b, found.obstacle = o.Block, t.obstacle
	found.rubAgainst(o, at)
	if o.Deforms && o.Field == nil {
		v := at.v
		p0 := blend(at.w, o.X0[v[0]], o.X0[v[1]], o.X0[v[2]])
		p1 := blend(at.w, o.X1[v[0]], o.X1[v[1]], o.X1[v[2]])
		end := p1.Add(x.Sub(p0))
		if at.flat {
			end = p1.Add(turned(o, v, x.Sub(p0)))
		}
		found.velocity = end.Sub(x).Scale(1 / f.motion.H)
	} else {
		found.velocity = o.To.Apply(o.From.Inverse().Apply(x)).Sub(x).Scale(1 / f.motion.H)
	}
}

// turned returns an offset turned as the triangle v of an obstacle turns in the step.
func turned(o *Skin, v [3]int32, offset r3.Vec) r3.Vec {
	before, ok0 := axes(o.X0[v[0]], o.X0[v[1]], o.X0[v[2]])
	after, ok1 := axes(o.X1[v[0]], o.X1[v[1]], o.X1[v[2]])
	if !ok0 || !ok1 {
		return offset
	}
	return after.MulVecT(before.MulVec(offset))
}

// axes returns orthogonal unit rows that go with a triangle; not ok if it has no area.
func axes(a, b, c r3.Vec) (m r3.Mat, ok bool) {
	e := b.Sub(a)
	n := e.Cross(c.Sub(a))
	if !(n.Norm2() > 0) {
		return m, false
	}
	e, n = e.Unit(), n.Unit()
	return r3.Rows(n, e, n.Cross(e)), true
}

// add keeps a candidate if it matters.
func (f *Finder) add(c *chunk, found *candidate) {
	wanted := !f.unwanted(found.a, found.b)
	for _, w := range found.row[:found.terms] {
		wanted = wanted || !f.fixed(w.Point)
	}
	if wanted {
		c.found = append(c.found, *found)
	}
}

// pastOf returns what a contact was in the last step, or nil.
func (f *Finder) pastOf(id ID) *Past {
	i, ok := f.searchPast(id)
	if !ok {
		return nil
	}
	return &f.past[i]
}

// searchPast returns the place of an id among the contacts of the last step, and whether it is there.
func (f *Finder) searchPast(id ID) (int, bool) {
	return slices.BinarySearchFunc(f.past, id, func(p Past, id ID) int { return p.ID.Compare(id) })
}

// meetSharp tests a pair of a sheet and a sharp feature of a shape: where they are near or meet, the shape's
// field is asked at the sheet's point.
func (f *Finder) meetSharp(c *chunk, k *pair, t *target) {
	now := k.look(0)
	travel := k.travel()
	most := f.mostOf(k)
	separation := (1 + sagitta) * most
	if most < f.Thickness { // that the polygons of rims are made for
		separation = most + sagitta*f.Thickness
	}
	reach := max(f.Reach*most, separation)
	if now.distance >= reach+travel {
		return
	}
	if now.distance < reach && f.emitSharp(c, k, &now, t, false) {
		return
	}
	for _, part := range [2]float64{1, remnant} {
		if now.distance < part*separation {
			continue
		}
		when, hit := k.impact(part * separation)
		if !hit {
			return
		}
		then := k.look(when)
		if f.emitSharp(c, k, &then, t, part == remnant) {
			return
		}
	}
}

// emitSharp writes a candidate if the sharp feature is what the sheet's point is nearest to, or if that point is
// inside, or always.
func (f *Finder) emitSharp(c *chunk, k *pair, h *touch, t *target, always bool) bool {
	onEnd := k.edges && (h.s == 0 || h.s == 1) || !k.edges && h.on >= geom.CornerA
	if onEnd && !always {
		return false // the vertex itself is tested against the field
	}
	shape := t.at
	sheetPoint := func(time float64) r3.Vec {
		p, q := k.points(h, time)
		if k.edges {
			return p
		}
		return q
	}
	pose := shape.from.Lerp(shape.to, h.t)
	y := pose.Inverse().Apply(sheetPoint(h.t).AddScaled(-h.t, shape.travel))
	d, g := shape.field.Distance(y)
	if !always && (d >= f.Reach*f.mostOf(k) || d >= 0 && h.distance > d+(sagitta+degenerate)*f.Thickness) {
		return false
	}
	x0 := sheetPoint(0)
	z := d + g.Dot(shape.back.Apply(x0).Sub(y))
	n := shape.from.R.Rotate(g)
	if d < 0 && h.t == 0 && f.pierced(k, h) {
		z, n = -h.distance, k.outward(h)
	}
	id, _ := f.name(k)
	found := candidate{id: id, z: z, normal: n, point: x0.AddScaled(-z/2, n), moved: true}
	f.stand(&found, k, h, t, foot{})
	if !k.edges && int(k.i) < t.corners && found.terms == 0 {
		_, face := k.shares(h)
		found.weighAgainst(face)
		found.velocity = shape.velocityAt(x0, f.motion.H)
	}
	f.localizePair(&found, k, h)
	f.predict(&found)
	f.atPlace(&found, sheetPoint(1).Sub(x0))
	f.add(c, &found)
	return true
}

// atPlace turns the gap predicted for the node into that of the place where the sides meet, which goes its own way.
func (f *Finder) atPlace(c *candidate, way r3.Vec) {
	node := f.motion.X1[c.a].Sub(f.motion.X0[c.a])
	c.end += c.normal.Dot(way.Sub(node))
}
