package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// Pairs of features: a vertex and a face, or two edges, and where they are nearest.

const (
	// lean is the sine by which a direction may lean over a face before it counts: rounding.
	lean = 1e-7
	// parallel is the sine below which the cross product of two edges is not used.
	parallel = 1e-3
	// sameFace is the angle between normals up to which contacts belong to the same two faces.
	sameFace = math.Pi / 180
)

// pair is a vertex (i of p) and a primitive (j of q), which is a face unless something is round; or, with edges, two
// edges.
type pair struct {
	p, q  *side
	i, j  int32
	edges bool
	same  bool    // both of one skin
	apart float64 // distance at the start, or less if that is not known [m]
}

// led returns the prescribed skin of a pair; None if both sides move.
func (k *pair) led() int32 {
	if k.p.led != contact.None {
		return k.p.led
	}
	return k.q.led
}

// vertices returns a vertex of either feature.
func (k *pair) vertices() (p, q int32) {
	if k.edges {
		return k.p.edge[k.i][0], k.q.edge[k.j][0]
	}
	return k.i, k.q.prim[k.j][0]
}

// meeting is where the features of a pair are nearest at time t.
type meeting struct {
	t        float64
	on       geom.Feature // of the face
	s        float64      // place on edge i
	w        r3.Vec       // weights of the corners of the face; or X the place on edge j
	away     r3.Vec       // from q's point to p's
	distance float64
	ends     bool // of edges: one of the points is an end
	settled  bool // away is the normal, of unit length: the points coincide
}

func (k *pair) look(t float64) meeting {
	if k.edges {
		a, b := k.p.ends(k.i, t)
		c, d := k.q.ends(k.j, t)
		s, r, dist2 := geom.EdgeEdge(a, b, c, d)
		away := a.Lerp(b, s).Sub(c.Lerp(d, r))
		return meeting{
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
	if int(k.j) >= k.q.faces {
		return lookAtEdge(t, x, a, b)
	}
	w, on, dist2 := geom.PointTriangle(x, a, b, c)
	return meeting{t: t, on: on, w: w, away: x.Sub(blend(w, a, b, c)), distance: math.Sqrt(dist2)}
}

// lookAtEdge is look for a vertex at x and a free edge, or a free point, which is an edge without length.
func lookAtEdge(t float64, x, a, b r3.Vec) meeting {
	s, dist2 := geom.PointEdge(x, a, b)
	on := geom.EdgeAB
	switch s {
	case 0:
		on = geom.CornerA
	case 1:
		on = geom.CornerB
	}
	return meeting{t: t, on: on, w: r3.V(1-s, s, 0), away: x.Sub(a.Lerp(b, s)), distance: math.Sqrt(dist2)}
}

// ends returns the ends of edge e at time t.
func (s *side) ends(e int32, t float64) (a, b r3.Vec) {
	v := &s.edge[e]
	return s.at(v[0], t), s.at(v[1], t)
}

// points returns the two points of a meeting, with its weights, at another time.
func (k *pair) points(h *meeting, t float64) (p, q r3.Vec) {
	if k.edges {
		a, b := k.p.ends(k.i, t)
		c, d := k.q.ends(k.j, t)
		return a.Lerp(b, h.s), c.Lerp(d, h.w.X)
	}
	a, b, c := k.q.corners(k.j, t)
	return k.p.at(k.i, t), blend(h.w, a, b, c)
}

// shares returns the vertices of both features; those that there are none of have no weight.
func (k *pair) shares(h *meeting) (p, q [3]contact.Share) {
	if k.edges {
		one, two := k.p.edge[k.i], k.q.edge[k.j]
		return [3]contact.Share{{Point: one[0], W: 1 - h.s}, {Point: one[1], W: h.s}}, [3]contact.Share{
			{Point: two[0], W: 1 - h.w.X}, {Point: two[1], W: h.w.X},
		}
	}
	v := k.q.prim[k.j]
	return [3]contact.Share{{Point: k.i, W: 1}}, [3]contact.Share{
		{Point: v[0], W: h.w.X}, {Point: v[1], W: h.w.Y}, {Point: v[2], W: h.w.Z},
	}
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

// minimum reports whether the meeting is a local minimum of the distance, as far as that is asked for. Of rigid faces
// that lie on each other all corners are, where edges cross at the border of both.
func (k *pair) minimum(h *meeting, rigid bool) bool {
	if k.edges {
		if h.ends {
			return false
		}
		p, q := k.points(h, h.t)
		return (k.p.upright(k.i, p, h.away.Neg(), h.t) || rigid && k.p.border(k.i, p, h.away.Neg(), h.t)) &&
			(k.q.upright(k.j, q, h.away, h.t) || rigid && k.q.border(k.j, q, h.away, h.t))
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

// border reports whether edge e is the border of a face to which the direction away from a point of the edge, at a
// right angle to it, is upright up to the angle of the same face. All others fall away from there.
func (s *side) border(e int32, point, away r3.Vec, t float64) bool {
	a, b := s.ends(e, t)
	along := b.Sub(a).Unit()
	flat := 0
	for _, o := range s.across.Of(e) {
		over := s.at(o, t).Sub(point)
		over = over.AddScaled(-over.Dot(along), along)
		sine := away.Dot(over) / math.Sqrt(away.Norm2()*over.Norm2())
		if sine > math.Sin(sameFace) {
			return false
		}
		if sine > -math.Sin(sameFace) {
			flat++
		}
	}
	return flat == 1
}

func leans(away, over r3.Vec) bool {
	d := away.Dot(over)
	return d > 0 && d*d > lean*lean*away.Norm2()*over.Norm2()
}

// behind reports whether a vertex of a skin is behind the face of the obstacle it is nearest to.
func (k *pair) behind(h *meeting) bool {
	return !k.edges && k.q.led != contact.None && h.on == geom.Inside && h.away.Dot(k.q.facing(k.j, h.t)) < 0
}

// outward returns the direction from the skin's point of a pair to the obstacle's, which are apart.
func (k *pair) outward(h *meeting) r3.Vec {
	n := h.away.Scale(1 / h.away.Norm())
	if k.edges {
		return n.Neg() // away leads to the skin
	}
	return n
}

// foot is a point of a prescribed mesh: what moves a node that sticks to it.
type foot struct {
	v    [3]int32
	w    r3.Vec // weights of these
	flat bool   // they are a triangle
}

// foot returns the point of the obstacle.
func (k *pair) foot(h *meeting) foot {
	switch {
	case k.edges:
		return k.q.footOnEdge(k.j, h.w.X)
	case k.q.led != contact.None:
		return foot{k.q.prim[k.j], h.w, int(k.j) < k.q.faces}
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

// degenerate is the distance, in thicknesses, below which the difference of two points is not a direction.
const degenerate = 1e-3

// unitOr returns v as a unit vector, or fallback where v is no longer than least.
func unitOr(v r3.Vec, least float64, fallback r3.Vec) r3.Vec {
	l := v.Norm()
	if !(l > least) || math.IsInf(l, 1) {
		return fallback
	}
	return v.Scale(1 / l)
}

// towards returns n or its negative, to the side of v.
func towards(n, v r3.Vec) r3.Vec {
	if n.Dot(v) < 0 {
		return n.Neg()
	}
	return n
}
