package contact

import (
	"math"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// Pairs of features: a vertex and a face, or two edges, of sheets or of a sheet and an obstacle mesh.
//
// Proximity. A pair nearer than the reach is a contact if it is a local minimum of the distance of the two
// surfaces. A vertex that hovers over one triangle of a flat mesh is also near its neighbours, but only at their
// borders and aslant; constraints along those directions would catch it at every inner edge that it slides over.
// So, where the nearest point lies on the border of the face, the direction between the two must lean over none of
// the faces at either end; and two edges must be nearest at inner points, with the direction between them leaning
// over none of their faces. Nothing is lost: where it leans over a face, there is a nearer pair, which is within
// reach itself. Pairs of one sheet also need SelfRatio times their rest distance to exceed the distance.
//
// Impact. All other pairs are contacts if their distance reaches the separation σ in the step:
//
//   - σ = h_c in general, so that normals are well defined;
//   - of one sheet, if the rest distance is not above h_c/SelfRatio: σ = min(h_c, SelfRatio d₀), d₀ the distance at
//     the start, as neighbours may be nearer than h_c;
//   - σ = min(h_c, d₀)/10 for pairs that are near but were refused;
//   - σ/10 as a second try, when the pair is not a local minimum at the time of the first.
//
// An impact of the smallest σ is always a contact. As a motion through each other passes all of them, none is missed.
//
// Normals come from the face where the nearest point is inside of one, else from the difference of the nearest
// points. A difference below a thousandth of h_c is no direction. Then the normal is, in this order: that of the
// same contact in the last step; the normal of the face, or the cross product of the edges, to the side at the
// start of the step; for parallel edges, the normal of a face at the first.

const (
	// remnant is the part of the separation that is left to pairs that were refused.
	remnant = 0.1
	// lean is the sine by which a direction may lean over a face before it counts: rounding.
	lean = 1e-7
	// parallel is the sine below which the cross product of two edges is not used.
	parallel = 1e-3
)

// pair is a vertex (i of p) and a face (j of q), or, with edges, two edges.
type pair struct {
	p, q  *side
	i, j  int32
	edges bool
	same  bool // both of one sheet
}

// touch is where the features of a pair are nearest at time t.
type touch struct {
	t        float64
	on       geom.Feature // of the face
	s        float64      // place on edge i
	w        r3.Vec       // weights of the corners of the face; or X the place on edge j
	away     r3.Vec       // from q's point to p's
	distance float64
	ends     bool // of edges: one of the points is an end
}

func (k *pair) look(t float64) touch {
	if k.edges {
		a, b := k.p.ends(k.i, t)
		c, d := k.q.ends(k.j, t)
		s, r, dist2 := geom.EdgeEdge(a, b, c, d)
		away := a.Lerp(b, s).Sub(c.Lerp(d, r))
		return touch{
			t:        t,
			s:        s,
			w:        r3.Vec{X: r},
			away:     away,
			distance: math.Sqrt(dist2),
			ends:     s == 0 || s == 1 || r == 0 || r == 1,
		}
	}
	x := k.p.at(k.i, t)
	a, b, c := k.q.corners(k.j, t)
	w, on, dist2 := geom.PointTriangle(x, a, b, c)
	return touch{t: t, on: on, w: w, away: x.Sub(blend(w, a, b, c)), distance: math.Sqrt(dist2)}
}

// ends returns the ends of edge e at time t.
func (s *side) ends(e int32, t float64) (a, b r3.Vec) {
	v := &s.edge[e]
	return s.at(v[0], t), s.at(v[1], t)
}

// points returns the two points of a touch, with its weights, at another time.
func (k *pair) points(h *touch, t float64) (p, q r3.Vec) {
	if k.edges {
		a, b := k.p.ends(k.i, t)
		c, d := k.q.ends(k.j, t)
		return a.Lerp(b, h.s), c.Lerp(d, h.w.X)
	}
	a, b, c := k.q.corners(k.j, t)
	return k.p.at(k.i, t), blend(h.w, a, b, c)
}

// travel bounds how much the distance of the pair can change in the step.
func (k *pair) travel() float64 {
	if k.edges {
		a, b := k.p.shift(k.p.edge[k.i][0]), k.p.shift(k.p.edge[k.i][1])
		c, d := k.q.shift(k.q.edge[k.j][0]), k.q.shift(k.q.edge[k.j][1])
		return math.Sqrt(max(a.Sub(c).Norm2(), a.Sub(d).Norm2(), b.Sub(c).Norm2(), b.Sub(d).Norm2()))
	}
	x, v := k.p.shift(k.i), &k.q.prim[k.j]
	return math.Sqrt(
		max(x.Sub(k.q.shift(v[0])).Norm2(), x.Sub(k.q.shift(v[1])).Norm2(), x.Sub(k.q.shift(v[2])).Norm2()),
	)
}

func (k *pair) impact(separation float64) (t float64, hit bool) {
	p, q := k.p, k.q
	if k.edges {
		a, b, c, d := p.edge[k.i][0], p.edge[k.i][1], q.edge[k.j][0], q.edge[k.j][1]
		return geom.EdgeEdgeImpact(p.x0[a], p.x1[a], p.x0[b], p.x1[b], q.x0[c], q.x1[c], q.x0[d], q.x1[d], separation)
	}
	v := &q.prim[k.j]
	return geom.PointTriangleImpact(
		p.x0[k.i],
		p.x1[k.i],
		q.x0[v[0]],
		q.x1[v[0]],
		q.x0[v[1]],
		q.x1[v[1]],
		q.x0[v[2]],
		q.x1[v[2]],
		separation,
	)
}

// minimum reports whether the touch is a local minimum of the distance, as far as that is asked for.
func (k *pair) minimum(h *touch) bool {
	if k.edges {
		if h.ends {
			return false
		}
		p, q := k.points(h, h.t)
		return k.p.upright(k.i, p, h.away.Neg(), h.t) && k.q.upright(k.j, q, h.away, h.t)
	}
	switch h.on {
	case geom.Inside:
		return true
	case geom.EdgeAB, geom.EdgeBC, geom.EdgeCA:
		_, q := k.points(h, h.t)
		return k.q.upright(k.q.primEdge[k.j][(h.on-geom.EdgeAB+2)%3], q, h.away, h.t) &&
			k.p.stands(k.i, h.away.Neg(), h.t)
	}
	return k.q.stands(k.q.prim[k.j][h.on-geom.CornerA], h.away, h.t) && k.p.stands(k.i, h.away.Neg(), h.t)
}

// stands is upright for vertex v.
func (s *side) stands(v int32, away r3.Vec, t float64) bool {
	x := s.at(v, t)
	for _, e := range s.around.Of(v) {
		if leans(away, s.at(s.other(e, v), t).Sub(x)) {
			return false
		}
	}
	return true
}

// upright reports whether the direction away from a point of edge e leans over none of the faces there.
func (s *side) upright(e int32, point, away r3.Vec, t float64) bool {
	for _, o := range s.across.Of(e) {
		if leans(away, s.at(o, t).Sub(point)) {
			return false
		}
	}
	return true
}

func leans(away, over r3.Vec) bool {
	d := away.Dot(over)
	return d > 0 && d*d > lean*lean*away.Norm2()*over.Norm2()
}

// meet tests a pair.
func (f *Finder) meet(c *chunk, k *pair) {
	if !k.edges && k.q.target != nil && k.q.target.closed && k.q.target.inside[k.i] {
		return
	}
	if f.Crossed && !f.closed(k) && f.tangledPair(k) {
		return // which side is the right one cannot be told
	}
	now := k.look(0)
	travel := k.travel()
	thickness := f.mostOf(k)
	reach := f.Reach * thickness
	if now.distance >= reach+travel {
		return
	}
	near := now.distance < reach
	if near {
		if f.closed(k) && f.fromInside(c, k, &now) {
			return
		}
		if k.minimum(&now) && (!k.same || f.layers(c, k, &now, now.distance)) {
			f.emit(c, k, &now, false)
			if k.solid() == nil {
				f.meetAgain(c, k, &now, travel)
			}
			return
		}
	}
	separation := thickness
	switch {
	case near:
		separation = remnant * min(thickness, now.distance)
	case k.same && !f.layers(c, k, &now, thickness):
		separation = min(thickness, f.SelfRatio*now.distance)
	}
	if now.distance > separation+travel {
		return
	}
	t, hit := k.impact(separation)
	if !hit {
		return
	}
	then := k.look(t)
	if !near && !k.minimum(&then) {
		if t, hit = k.impact(remnant * separation); !hit {
			return
		}
		then = k.look(t)
	}
	if f.closed(k) && k.behind(&then) {
		return
	}
	f.emit(c, k, &then, false)
}

// meetAgain tests whether a pair of sheets that is near and slides or turns far in the step also meets on the way,
// elsewhere: a second contact, which the first knows nothing of.
func (f *Finder) meetAgain(c *chunk, k *pair, now *touch, travel float64) {
	separation := remnant * min(f.mostOf(k), now.distance)
	if now.distance > separation+travel {
		return
	}
	if t, hit := k.impact(separation); hit {
		then := k.look(t)
		f.emit(c, k, &then, true)
	}
}

// layers reports whether a pair of one sheet, at the given distance, is two layers and not neighbours.
func (f *Finder) layers(c *chunk, k *pair, h *touch, distance float64) bool {
	radius := distance / f.SelfRatio
	if radius < f.shortest {
		return true
	}
	if k.edges {
		p, q := f.onEdge(k.i, h.s), f.onEdge(k.j, h.w.X)
		return f.beyond(&c.rest, &p, &q, radius)
	}
	p, q := atVertex(k.i), f.onFace(k.j, [3]float64{h.w.X, h.w.Y, h.w.Z})
	return f.beyond(&c.rest, &p, &q, radius)
}

// direction returns the normal of a touch, from q to p.
func (f *Finder) direction(k *pair, h *touch, id ID, swapped bool) r3.Vec {
	least := degenerate * f.Thickness
	if h.distance > least {
		if !k.edges && h.on == geom.Inside {
			if n := k.q.facing(k.j, h.t); n != (r3.Vec{}) {
				return towards(n, h.away)
			}
		}
		return h.away.Scale(1 / h.away.Norm())
	}
	if past := f.pastOf(id); past != nil {
		if swapped {
			return past.Normal.Neg()
		}
		return past.Normal
	}
	p, q := k.points(h, 0)
	before := p.Sub(q)
	if !k.edges {
		return towards(unitOr(k.q.facing(k.j, h.t), 0, r3.V(0, 0, 1)), before)
	}
	a, b := k.p.ends(k.i, h.t)
	c, d := k.q.ends(k.j, h.t)
	u, v := b.Sub(a), d.Sub(c)
	if n := u.Cross(v); n.Norm2() > parallel*parallel*u.Norm2()*v.Norm2() {
		return towards(n.Unit(), before)
	}
	if home := k.p.home[k.i]; home >= 0 {
		return towards(unitOr(k.p.facing(home/3, h.t), 0, r3.V(0, 0, 1)), before)
	}
	return towards(unitOr(u.Orthogonal(), 0, r3.V(0, 0, 1)), before)
}

// towards returns n or its negative, to the side of v.
func towards(n, v r3.Vec) r3.Vec {
	if n.Dot(v) < 0 {
		return n.Neg()
	}
	return n
}
