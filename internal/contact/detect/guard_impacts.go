package detect

import "github.com/toile-sim/toile/internal/contact"

// Features that go through each other in a step: the certificate that a motion crosses nothing, and what an impact zone
// is made of if it does.
//
// A motion from a start without crossings has none at its end, nor on the way, if the distance of no vertex and face,
// of no two edges, and of no face and shape vanishes. So every such pair is tested, neighbours in a skin too, whatever
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
// corners of the triangles that do, is left alone (Tangled); so are features that meet at the start, to a millionth of
// the thickness, of which only the exact test of the end can tell whether they crossed.

const (
	// inseparable is the distance at the start, in thicknesses, up to which features cannot be kept apart.
	inseparable = 1e-6
	// kept is the gap that is asked for, in separations.
	kept = 1.5
	// reopened is the part of the separation that gaps are brought to if they were smaller at the start. Without it
	// they would shrink from step to step, down to nothing.
	reopened = 0.25
)

// room returns how near what is apart by a distance at the start, and has a radius, may come on the way, and the
// gap that is asked for if it comes nearer. Both are beyond the radius, unless that overlaps already: then it is none.
func (g *guard) room(distance, radius float64) (solid, separation, least float64) {
	if solid = radius; distance-radius <= inseparable*g.Thickness {
		solid = 0
	}
	separation = min(g.separation, (distance-solid)/2)
	return solid, separation, kept * max(separation, reopened*g.separation)
}

func (g *guard) pair(c *chunk, k pair) { g.through(c, &k) }

func (g *guard) sharp(c *chunk, k pair, _ *obstacle) { g.through(c, &k) }

// through tests whether the features of a pair meet.
func (g *guard) through(c *chunk, k *pair) {
	if g.smoothPair(k) {
		return
	}
	travel, radius := k.travel(), g.bothRadii(k)
	if travel == 0 || k.apart > g.separation+travel+radius || g.tangledPair(k) {
		return
	}
	now := k.look(0)
	radius, separation, least := g.room(now.distance, radius)
	if now.distance > radius+separation+travel || now.distance <= g.coincident(k) {
		return
	}
	t, hit := k.impact(radius + separation)
	if !hit {
		return
	}
	then := k.look(t)
	length := then.away.Norm()
	if !(length > 0) {
		return // cannot be: the distance has not come down to the separation yet
	}
	p := contact.Impact{
		Time:     t,
		Normal:   then.away.Scale(1 / length),
		Least:    least,
		Obstacle: contact.None,
		Offset:   -radius,
	}
	one, two := k.shares(&then)
	addSide(&p, g.led(k.p), k.p, one, 1)
	addSide(&p, g.led(k.q), k.q, two, -1)
	if g.gives(&p) {
		c.impacts = append(c.impacts, p)
	}
}

// coincident is the distance at the start up to which the features of a pair cannot be kept apart [m].
func (g *guard) coincident(k *pair) float64 {
	least := inseparable * g.Thickness
	if g.Start {
		least = max(least, g.roundingOfPair(k))
	}
	return least
}

// gives reports whether something that can give way has part in an impact. Nothing can be done about others.
func (g *guard) gives(p *contact.Impact) bool {
	for _, t := range p.Row[:p.Terms] {
		if !g.fixed(t.Point) {
			return true
		}
	}
	return false
}

// point tests whether a vertex that is outside of a shape gets into it. It is the sweep of passage.go, to a
// smaller distance.
func (g *guard) point(c *chunk, t *passage, point int32) {
	x0, x1 := g.motion.X0[point], g.motion.X1[point].Sub(t.travel)
	apart, _ := t.Field.Distance(t.back.Apply(x0))
	radius, separation, least := g.room(apart, g.radius(point))
	if apart <= inseparable*g.Thickness {
		return
	}
	s, y, d, gradient, hit := t.sweep(x0, x1, radius, separation)
	if !hit {
		return
	}
	n := t.to.R.Rotate(gradient)
	p := contact.Impact{
		Time:     s,
		Normal:   n,
		Row:      [5]contact.Share{{Point: point, W: 1}},
		Terms:    1,
		Least:    least,
		Obstacle: t.skin,
		Offset:   d - gradient.Dot(y) - n.Dot(t.to.T),
	}
	ride(&p, t.obstacle, -1)
	if g.gives(&p) {
		c.impacts = append(c.impacts, p)
	}
}

// face tests whether a face that is outside of a shape gets into it, elsewhere than at a corner.
func (g *guard) face(c *chunk, t *passage, index int32) {
	// lowest point of the face at the start
	d := g.faceOf(t, index)
	d.unspin()
	d.close = min(d.close, faceClose*g.separation)
	d.look(0, g.separation+d.radius+d.speed)
	apart := d.low.D
	// what cannot be kept apart, or is too far off for its speed
	radius, separation, least := g.room(apart, d.radius)
	if apart <= inseparable*g.Thickness || apart-d.speed > radius+separation {
		return
	}
	// when the face comes too near; corners have impacts of their own
	s, hit := d.sweep(radius + separation)
	places := g.moving.places(index, d.low.W)
	if !hit || max(places[0].W, places[1].W, places[2].W) == 1 {
		return
	}
	// impact of the points of the face and of the block that the shape rides on
	n := d.pose.R.Rotate(d.low.N)
	p := contact.Impact{
		Time:     s,
		Normal:   n,
		Least:    least,
		Obstacle: t.skin,
		Offset:   d.low.D - radius - d.low.N.Dot(d.y) - n.Dot(d.pose.T),
	}
	for _, n := range places {
		if n.W > 0 {
			p.Row[p.Terms] = n
			p.Terms++
		}
	}
	ride(&p, t.obstacle, -1)
	if g.gives(&p) {
		c.impacts = append(c.impacts, p)
	}
}

// addSide adds the points of one side of an impact: as terms, or those of an obstacle, which is nil for moving skins,
// as an offset.
func addSide(p *contact.Impact, o *obstacle, s *side, points [3]contact.Share, sign float64) {
	for _, n := range points {
		if n.W == 0 {
			continue
		}
		if o == nil {
			p.Row[p.Terms] = contact.Share{Point: n.Point, W: sign * n.W}
			p.Terms++
			continue
		}
		// The travel of a press is in the positions, and becomes a term of its own.
		end := s.x1[n.Point].Sub(o.travelled)
		p.Offset += sign * n.W * p.Normal.Dot(end)
	}
	if o != nil {
		ride(p, o, sign)
	}
}

// ride names the obstacle of an impact, and adds the term of the block that it rides on. Blocks hold how far it has
// travelled in the step, from the start.
func ride(p *contact.Impact, o *obstacle, sign float64) {
	p.Obstacle = o.skin
	if o.Block != contact.None {
		p.Row[p.Terms] = contact.Share{Point: o.Block, W: sign}
		p.Terms++
		p.Offset -= sign * p.Normal.Dot(o.start)
	}
}
