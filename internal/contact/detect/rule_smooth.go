package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
)

// Points and smooth surfaces.
//
// A point is a contact if its gap Ψ/|∇Ψ| at the start is within the reach, or falls below the thickness on the way.
// With n = ∇Ψ/|∇Ψ| and the shares of the vertices of the surface (smooth.Share),
//
//	u_N = n·v + Σ (∂Ψ/∂p)·v_p / |∇Ψ|,   u_T = the tangents of v − Σ J_p v_p,
//
// which are both zero where the point and the surface move rigidly together. The place of the contact is the point
// itself, on both sides, so that action and reaction have no torque. Surfaces that are only moved give their velocity;
// of rigid ones it is that of their motion.
//
// On the way the surface is looked at in steps of a part of its radius, which is how deep the band is in which it is
// known.

const (
	// marching is how far a point goes at most before the surface is looked at again, in radii.
	marching = 0.25
	// mostMarches bounds how often that is done in a step.
	mostMarches = 4096
	// halvings is how exactly the time of an impact is found: to 2^-20 of one march.
	halvings = 20
	// deepInside is the id of the side of a smooth skin in contacts of points that are deeper than it is known.
	deepInside = 1
)

// smoothLoop visits the points that come near to a smooth skin.
type smoothLoop struct {
	*rules
	m *smoothed
}

// askSmooth looks for contacts with smooth skins.
func (r *rules) askSmooth() {
	for _, m := range r.smoothed {
		if m.o == nil && !r.Self {
			continue
		}
		r.smooth = smoothLoop{r, m}
		r.take(r.loops.run(r.Team, len(r.points), pointGrain, &r.smooth))
	}
}

func (l *smoothLoop) work(c *chunk, lo, hi int) {
	for _, p := range l.points[lo:hi] {
		if l.skinOf[p] != l.m.skin && l.moving.passes(p, &l.m.bounds, 0) && l.mayMeet(p) {
			l.point(c, p)
		}
	}
}

// mayMeet tells whether a point may touch the skin, and has a surface that is not round.
func (l *smoothLoop) mayMeet(p int32) bool {
	surface := l.skins[l.m.skin].Surface
	if l.radius(p) > 0 || l.TiedTo != nil && l.TiedTo[p] == surface {
		return false
	}
	return l.m.o != nil || l.Joined == nil || !l.Joined(l.surfaceAt(p), surface)
}

// point tests one point.
func (l *smoothLoop) point(c *chunk, p int32) {
	m := l.m
	if m.o != nil && l.unwanted(p, m.o.Block) {
		return
	}
	x := l.motion.X0[p]
	thick := l.thicknessAt(p)
	if m.o == nil {
		thick = (thick + l.most) / 2
	}
	travel := l.motion.X1[p].Sub(x).Norm() + m.fastest
	apart := m.surface.Blind()
	if m.surface.Look(&c.place, x, 0) {
		if apart = c.place.Gap(); apart < l.Reach*thick {
			l.emit(c, p, 0)
			return
		}
		apart /= 2 // it is no distance
	} else if l.deep(c, p, x) {
		return
	}
	if apart > thick+travel {
		return
	}
	if t, hit := l.march(c, p, travel, thick); hit {
		l.emit(c, p, t)
	}
}

// march returns when the gap of a point, which is larger at the start, falls to a distance; the place is then that of
// this time.
func (l *smoothLoop) march(c *chunk, p int32, travel, distance float64) (t float64, hit bool) {
	s := l.m.surface
	x0, x1 := l.motion.X0[p], l.motion.X1[p]
	below := func(t float64) bool { return s.Look(&c.place, x0.Lerp(x1, t), t) && c.place.Gap() <= distance }
	count := int(min(mostMarches, math.Ceil(travel/(marching*s.Radius))))
	for k := range count {
		from, to := float64(k)/float64(count), float64(k+1)/float64(count)
		if !below(to) {
			continue
		}
		for range halvings {
			if middle := (from + to) / 2; below(middle) {
				to = middle
			} else {
				from = middle
			}
		}
		return to, below(to)
	}
	return 0, false
}

// emit writes a point that is near at time t, where the place was looked at.
func (l *smoothLoop) emit(c *chunk, p int32, t float64) {
	m, s, place := l.m, l.m.surface, &c.place
	steep := place.Gradient.Norm()
	found := candidate{
		id: contact.ID{
			A: l.feature(&l.moving, contact.Vertex, p),
			B: contact.Feature{Surface: l.skins[m.skin].Surface, Kind: contact.Whole, ID: 0},
		},
		a: p, obstacle: contact.None, z: place.Gap(), normal: place.Normal(), smooth: true,
	}
	from := len(c.shares)
	c.shares = s.Shares(place, c.shares)
	shares := c.shares[from:]
	for i := range shares {
		shares[i].Slope = shares[i].Slope.Scale(1 / steep)
	}
	x0, x1 := l.motion.X0[p], l.motion.X1[p]
	rate := found.normal.Dot(x1.Sub(x0)) // of the gap, over the step
	for _, share := range shares {
		rate += share.Slope.Dot(l.way(share.Vertex))
	}
	found.z -= t * rate
	if found.end = found.z + rate; s.Look(place, x1, 1) {
		found.end = place.Gap()
	}
	found.point = x0.AddScaled(-found.z/2, found.normal)
	if m.o != nil {
		found.normal = l.carriedBack(m.o, found.normal, t)
		l.stand(&found, shares, x0)
		c.shares = c.shares[:from]
	} else {
		l.lie(&found, shares)
		found.patch = [2]int32{int32(from), int32(len(c.shares))}
		if l.fixed(p) && !l.givesWay(shares) {
			c.shares = c.shares[:from]
			return
		}
	}
	c.found = append(c.found, found)
}

// way returns how far a vertex of the surface moves in the step.
func (l *smoothLoop) way(vertex int32) r3.Vec {
	if o := l.m.o; o != nil {
		return o.x1[vertex].Sub(o.x0[vertex])
	}
	return l.motion.X1[l.m.first+vertex].Sub(l.motion.X0[l.m.first+vertex])
}

// givesWay tells whether some vertex of the surface is free.
func (l *smoothLoop) givesWay(shares []smooth.Share) bool {
	for _, share := range shares {
		if !l.fixed(l.m.first + share.Vertex) {
			return true
		}
	}
	return false
}

// stand completes a candidate at x against a surface that is only moved.
func (l *smoothLoop) stand(found *candidate, shares []smooth.Share, x r3.Vec) {
	o := l.m.o
	found.b, found.obstacle = o.Block, o.skin
	if o.Deforms {
		var along r3.Vec
		out := 0.0
		for _, share := range shares {
			way := o.X1[share.Vertex].Sub(o.X0[share.Vertex]) // without that of a press
			along = along.Add(share.Carry.MulVec(way))
			out -= share.Slope.Dot(way)
		}
		n := found.normal
		found.velocity = along.AddScaled(out-n.Dot(along), n).Scale(1 / l.motion.H)
	} else {
		found.velocity = o.To.Apply(o.From.Inverse().Apply(x)).Sub(x).Scale(1 / l.motion.H)
	}
	if o.Friction != nil {
		mu := 0.0
		for _, share := range shares {
			mu += share.Weight * o.Friction[share.Vertex]
		}
		found.rub(mu)
	}
	l.localizeNode(found, found.a)
}

// lie completes a candidate against a surface that moves.
func (l *smoothLoop) lie(found *candidate, shares []smooth.Share) {
	best := 0
	for i, share := range shares {
		if share.Weight > shares[best].Weight {
			best = i
		}
	}
	found.b = l.m.first + shares[best].Vertex
	if l.VertexThickness == nil && l.VertexFriction == nil {
		return
	}
	one := [1]contact.Share{{Point: found.a, W: 1}}
	two := make([]contact.Share, 0, mostShares)
	for _, share := range shares {
		two = append(two, contact.Share{Point: l.m.first + share.Vertex, W: share.Weight})
	}
	l.localize(found, one[:], two)
}

// mostShares is how many vertices of a smooth surface a place has, nearly always.
const mostShares = 64

// deep pushes a point out that is inside, deeper than the surface is known, to the nearest triangle. It tells whether
// the point is inside.
func (l *smoothLoop) deep(c *chunk, p int32, x r3.Vec) bool {
	m := l.m
	// points out of bounds, or farther outside before than point and mesh have moved since
	bounds := m.mesh.Bounds()
	if !bounds.Contains(x) {
		return false
	}
	last := &m.clearance[p]
	if last.distance > x.Sub(last.x).Norm()+(m.drift-last.drift) {
		return false
	}
	// nearest triangle
	near, ok := m.mesh.Nearest(x, math.Inf(1))
	*last = clearance{x, near.Distance, m.drift}
	if !ok || !m.mesh.Inside(x) {
		return false
	}
	last.distance = 0
	// contact that pushes out to it
	found := candidate{
		id: contact.ID{
			A: l.feature(&l.moving, contact.Vertex, p),
			B: contact.Feature{Surface: l.skins[m.skin].Surface, Kind: contact.Whole, ID: deepInside},
		},
		a: p, obstacle: contact.None, z: -near.Distance, smooth: true,
		normal: unitOr(near.Point.Sub(x), degenerate*l.Thickness, m.mesh.Pseudonormal(near)),
		point:  x.Lerp(near.Point, 0.5),
	}
	// against an obstacle, or between the point and the corners of a moving triangle
	v, w := l.skins[m.skin].Tri[near.Triangle], near.Weights
	if m.o != nil {
		l.against(m.o, &found, m.o.footOf(near), x)
		l.localizeNode(&found, p)
		l.predict(&found)
	} else {
		found.b = l.m.first + v[0]
		corners := [3]contact.Share{
			{Point: m.first + v[0], W: w.X}, {Point: m.first + v[1], W: w.Y}, {Point: m.first + v[2], W: w.Z},
		}
		found.addTerms([3]contact.Share{{Point: p, W: 1}}, 1)
		found.addTerms(corners, -1)
		for _, k := range corners {
			if k.W > 0 {
				found.b = k.Point
			}
		}
		one := [1]contact.Share{{Point: p, W: 1}}
		l.localize(&found, one[:], corners[:])
		// gap at the end of the step, as the points move
		found.end = found.z
		for _, k := range found.row[:found.terms] {
			found.end += k.W * found.normal.Dot(l.motion.X1[k.Point].Sub(l.motion.X0[k.Point]))
		}
	}
	l.add(c, &found)
	return true
}

// gatherSmooth makes the terms of a contact of a point with a smooth surface that moves: E at the point, and at the
// vertices of the surface their slopes and what of them carries the place along the tangents. Blocks that carry them
// take their parts.
func (wr *writer) gatherSmooth(c *candidate, patch []smooth.Share, frame *r3.Mat) {
	wr.terms = wr.terms[:0]
	wr.addPoint(c.a, 1, *frame)
	first := wr.smoothOf[wr.skinOf[c.b]].first
	t1, t2 := r3.V(frame.YX, frame.YY, frame.YZ), r3.V(frame.ZX, frame.ZY, frame.ZZ)
	for i := range patch {
		k := &patch[i]
		wr.addPoint(first+k.Vertex, -k.Weight, r3.Rows(k.Slope, k.Carry.MulVecT(t1).Neg(), k.Carry.MulVecT(t2).Neg()))
	}
}

// addPoint adds what the velocity of a point adds to that of a contact.
func (wr *writer) addPoint(point int32, w float64, m r3.Mat) {
	carriers := wr.carriers(point)
	if carriers == nil {
		wr.addTerm(point, w, m)
	}
	for i := range carriers {
		by := &carriers[i]
		wr.addTerm(by.Block, w*by.Share(), m.Mul(&by.M))
	}
}
