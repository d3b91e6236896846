package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// From pairs to candidates: names of features, nodes and weights, and velocities of obstacles.

// nodes returns the vertices that the points of a meeting move to, or that name it: the nearest. Where these are held,
// and the obstacle is no press, it is the nearest that can give way, unless it is too far off.
func (r *rules) nodes(k *pair, h *meeting) (p, q int32) {
	// nearest vertices
	nearP, nearQ := k.i, int32(0)
	if k.edges {
		nearP, nearQ = k.p.nearer(k.i, h.s), k.q.nearer(k.j, h.w.X)
	} else {
		nearQ = k.q.heaviest(k.j, h.w)
	}
	p, q = nearP, nearQ
	// held vertices, and those of obstacles without a block, cannot give way
	rigid := func(s *side, v int32) bool {
		if s.led != contact.None {
			return r.skins[s.led].Block == contact.None
		}
		return r.fixed(v)
	}
	if !rigid(k.p, p) || !rigid(k.q, q) {
		return p, q
	}
	// heaviest vertex that can give way
	one, two := k.shares(h)
	best := leastShare
	if k.p.led == contact.None {
		for _, n := range one {
			if n.W > best && !r.fixed(n.Point) {
				p, best = n.Point, n.W
			}
		}
	}
	if k.q.led == contact.None {
		for _, n := range two {
			if n.W > best && !r.fixed(n.Point) {
				p, q, best = nearP, n.Point, n.W
			}
		}
	}
	return p, q
}

// node returns the vertex that a contact of a skin with an obstacle moves to: the one that the skin's feature was
// held at in the last step, if that still counts at the point, and the nearest otherwise. A contact near the middle of
// an edge would else move from one end to the other and back, and the skin would never come to rest. What it touches
// of the obstacle may change meanwhile.
func (r *rules) node(k *pair, h *meeting, id contact.ID) int32 {
	near, other := r.nodes(k, h)
	shares, second := k.shares(h)
	if k.p.led != contact.None {
		near, shares = other, second
	}
	i, _ := r.past.search(contact.ID{A: id.A, B: contact.Feature{Surface: id.B.Surface, ID: math.MinInt64}})
	for ; i < len(r.past) && r.past[i].ID.A == id.A && r.past[i].ID.B.Surface == id.B.Surface; i++ {
		for _, s := range shares {
			if s.Point == r.past[i].Node && s.W >= stayShare && !r.fixed(s.Point) {
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

// emit writes a pair as a candidate.
func (r *rules) emit(c *chunk, k *pair, h *meeting, again bool) {
	// name of the pair, marked if it is the second contact of it
	id, swapped := r.name(k)
	if again {
		id.B.ID |= contact.Again
	}
	// normal, turned back with the obstacle to the start of the step
	n := r.direction(k, h, id, swapped)
	o := r.obstacle(k)
	if o != nil && h.t > 0 {
		n = r.carriedBack(o, n, h.t)
	}
	// gaps at the start and at the end
	p0, q0 := k.points(h, 0)
	p1, q1 := k.points(h, 1)
	radiusP, radiusQ := r.radii(k)
	found := candidate{
		id:       id,
		obstacle: contact.None,
		z:        n.Dot(p0.Sub(q0)) - (radiusP + radiusQ),
		end:      n.Dot(p1.Sub(q1)) - (radiusP + radiusQ),
		normal:   n,
		point:    p0.Lerp(q0, 0.5).AddScaled((radiusQ-radiusP)/2, n),
		moved:    o != nil,
		radii:    [2]float64{radiusP, radiusQ},
	}
	// sides in the order of the name
	sign := 1.0
	if swapped {
		found.normal, found.radii, sign = n.Neg(), [2]float64{radiusQ, radiusP}, -1
	}
	// where the contact is obeyed
	if o != nil {
		r.stand(&found, k, h, o, k.foot(h))
	} else {
		if found.a, found.b = r.nodes(k, h); swapped {
			found.a, found.b = found.b, found.a
		}
		found.weigh(k, h, sign)
	}
	r.localizePair(&found, k, h)
	r.add(c, &found)
}

// direction returns the normal of a meeting, from q to p.
func (r *rules) direction(k *pair, h *meeting, id contact.ID, swapped bool) r3.Vec {
	least := degenerate * r.Thickness
	// a normal that is known already
	if h.settled {
		return h.away
	}
	// points apart: along their difference, or normal to the face if one is inside of it
	if h.distance > least {
		if !k.edges && h.on == geom.Inside {
			if n := k.q.facing(k.j, h.t); n != (r3.Vec{}) {
				return towards(n, h.away)
			}
		}
		return h.away.Scale(1 / h.away.Norm())
	}
	// as in the last step
	if past := r.past.of(id); past != nil {
		if swapped {
			return past.Normal.Neg()
		}
		return past.Normal
	}
	// points that coincide: normal to the face, or across both edges
	p, q := k.points(h, 0)
	apart := p.Sub(q)
	if !k.edges {
		return towards(unitOr(k.q.facing(k.j, h.t), 0, r3.V(0, 0, 1)), apart)
	}
	a, b := k.p.ends(k.i, h.t)
	c, d := k.q.ends(k.j, h.t)
	u, v := b.Sub(a), d.Sub(c)
	if n := u.Cross(v); n.Norm2() > parallel*parallel*u.Norm2()*v.Norm2() {
		return towards(n.Unit(), apart)
	}
	// edges that are parallel: normal to a face beside, or anything across
	if home := k.p.home[k.i]; home >= 0 {
		return towards(unitOr(k.p.facing(home/3, h.t), 0, r3.V(0, 0, 1)), apart)
	}
	return towards(unitOr(u.Orthogonal(), 0, r3.V(0, 0, 1)), apart)
}

// stand puts a contact of a pair with an obstacle where it is obeyed: at a node or, where points are carried, at the
// place itself. To move it would take from a rigid body the lever of its face. With PointContacts, vertices of skins
// alone are nodes.
func (r *rules) stand(found *candidate, k *pair, h *meeting, t *obstacle, at foot) {
	found.a = r.node(k, h, found.id)
	vertex := !k.edges && k.p.led == contact.None
	if r.carriers(found.a) == nil && (vertex || !r.PointContacts) {
		r.against(t, found, at, r.motion.X0[found.a])
		return
	}
	x, other := k.points(h, 0)
	shares, second := k.shares(h)
	if k.p.led != contact.None {
		x, shares = other, second
	}
	r.against(t, found, at, found.surface(x))
	found.weighAgainst(shares)
	found.moved = false
}

// carriedBack turns a normal at time t back with the obstacle to the start of the step. A mesh that deforms has no
// one turn; its normals are left as they are.
func (r *rules) carriedBack(t *obstacle, n r3.Vec, time float64) r3.Vec {
	o := t.Skin
	if o.Deforms || o.From.R == o.To.R {
		return n
	}
	return o.From.R.Rotate(o.From.R.Slerp(o.To.R, time).Conj().Rotate(n))
}

// against completes a candidate against an obstacle, whose side is B, that is obeyed at x.
func (r *rules) against(t *obstacle, found *candidate, at foot, x r3.Vec) {
	o := t.Skin
	found.b, found.obstacle = o.Block, t.skin
	found.rubAgainst(o, at)
	if o.Deforms && o.Field == nil {
		v := at.v
		p0 := blend(at.w, o.X0[v[0]], o.X0[v[1]], o.X0[v[2]])
		p1 := blend(at.w, o.X1[v[0]], o.X1[v[1]], o.X1[v[2]])
		end := p1.Add(x.Sub(p0))
		if at.flat {
			end = p1.Add(turned(o, v, x.Sub(p0)))
		}
		found.velocity = end.Sub(x).Scale(1 / r.motion.H)
	} else {
		found.velocity = o.To.Apply(o.From.Inverse().Apply(x)).Sub(x).Scale(1 / r.motion.H)
	}
}

// turned returns an offset turned as the triangle v of an obstacle turns in the step.
func turned(o *contact.Skin, v [3]int32, offset r3.Vec) r3.Vec {
	from, ok0 := axes(o.X0[v[0]], o.X0[v[1]], o.X0[v[2]])
	to, ok1 := axes(o.X1[v[0]], o.X1[v[1]], o.X1[v[2]])
	if !ok0 || !ok1 {
		return offset
	}
	return to.MulVecT(from.MulVec(offset))
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
func (r *rules) add(c *chunk, found *candidate) {
	wanted := !r.unwanted(found.a, found.b)
	for _, w := range found.row[:found.terms] {
		wanted = wanted || !r.fixed(w.Point)
	}
	if wanted && !r.movesAlong(found) {
		found.rigid = r.rigidContact(found)
		c.found = append(c.found, *found)
	}
}

// predict fills the gap at the end of the step, as the nodes move.
func (r *rules) predict(c *candidate) {
	m := &r.motion
	d := m.X1[c.a].Sub(m.X0[c.a]).AddScaled(-m.H, c.velocity)
	if c.b != contact.None {
		d = d.Sub(m.X1[c.b].Sub(m.X0[c.b]))
	}
	c.end = c.z + c.normal.Dot(d)
}

// atPlace turns the gap predicted for the node into that of the place where the sides meet, which goes its own way.
func (r *rules) atPlace(c *candidate, way r3.Vec) {
	node := r.motion.X1[c.a].Sub(r.motion.X0[c.a])
	c.end += c.normal.Dot(way.Sub(node))
}
