package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// Normal cones.
//
// The normal of a contact lies in the normal cones of both features, on the side on which the other surface is: of a
// face its normal, of an edge the arc between the normals of its faces, of a vertex what they enclose. Where faces lie
// in one plane the arc is that one normal; where they form a valley there is none. A border, an edge of three faces and
// a free edge have everything that leans over none of their faces. So a cone is all directions that lean over no face
// there and, of a surface that has an inside, do not point into it.
//
// A motion that is expected to go through a flat mesh meets its inner edges from the side. Along such a normal they
// would hold what slides over them, though the surface has no edge there.
//
// Where two surfaces touch, the difference of the nearest points is no direction. The normal is then one of the normals
// of the faces there, or the cross product of two edges, that lies in both cones.

// orientation finds the sizes of moving skins, and which of them have an inside: closed meshes whose triangles go
// around alike. It is 1 where their normals point out, −1 where they point in, and 0 for all others. Both are those of
// the skin as it was made, so that they are the same after a state is restored; of one that does not say how, those of
// the first motion.
func (s *scene) orientation(x []r3.Vec) {
	if len(s.outward) == len(s.skins) {
		return // known since they were joined
	}
	s.outward = append(s.outward[:0], make([]int8, len(s.skins))...)
	s.size = append(s.size[:0], make([]float64, len(s.skins))...)
	for i := range s.skins {
		skin := &s.skins[i]
		if skin.Prescribed() {
			continue
		}
		made := skin.MadeAt(x[skin.First : int(skin.First)+skin.Points])
		s.size[i] = extentOf(made)
		if len(skin.Tri) == 0 {
			continue
		}
		tri := s.origin[i].tri
		s.outward[i] = s.moving.outward(made, skin.First, tri, tri+int32(len(skin.Tri)))
	}
}

// extentOf returns how far points are from the first of them, at most: the size of a body, however it is turned.
func extentOf(x []r3.Vec) (most float64) {
	for _, p := range x {
		most = max(most, p.Sub(x[0]).Norm())
	}
	return most
}

// outward returns the orientation of the triangles from first to end, whose vertex v is at x[v-base].
func (s *surface) outward(x []r3.Vec, base, first, end int32) int8 {
	volume, origin := 0.0, x[s.prim[first][0]-base]
	for i := first; i < end; i++ {
		for k := range 3 {
			if !s.passedBothWays(s.primEdge[i][k]) {
				return 0
			}
		}
		v := s.prim[i]
		a, b, c := x[v[0]-base].Sub(origin), x[v[1]-base].Sub(origin), x[v[2]-base].Sub(origin)
		volume += a.Dot(b.Cross(c))
	}
	switch {
	case volume > 0:
		return 1
	case volume < 0:
		return -1
	}
	return 0
}

// passedBothWays reports whether an edge has two triangles that go along it in opposite directions.
func (s *surface) passedBothWays(e int32) bool {
	ends, count, sum := s.edge[e], 0, 0
	for _, t := range s.fans.Of(ends[0]) {
		v := &s.prim[t]
		if int(t) >= s.faces || !holds(v, ends[1]) {
			continue
		}
		count++
		for k := range 3 {
			if v[k] == ends[0] && v[(k+1)%3] == ends[1] {
				sum++
			}
		}
	}
	return count == 2 && sum == 1
}

// hasBulk reports whether a point belongs to a rigid body, or to a skin with an inside.
func (s *scene) hasBulk(point int32) bool {
	if point == contact.None || int(point) >= len(s.skinOf) { // an obstacle, or the block of a press
		return false
	}
	skin := s.skinOf[point]
	return skin != contact.None && (s.skins[skin].Rigid || s.outward[skin] != 0)
}

// outwardAt returns the orientation of the surface that a vertex of a side belongs to; 0 if it has no inside.
func (s *scene) outwardAt(of *side, v int32) int8 {
	if o := s.led(of); o != nil {
		return o.outward
	}
	return s.outward[s.skinOf[v]]
}

// spot is where a point of a meeting lies on its surface: on a vertex, an edge or a face.
type spot struct {
	of      *side
	named   int32 // a vertex of the feature
	at      r3.Vec
	t       float64
	vertex  int32 // None if it is on no vertex,
	edge    int32 // None if it is on no edge,
	face    int32
	outward int8
}

// spotOn returns where the first or the second point of a meeting lies at time t.
func (s *scene) spotOn(k *pair, h *meeting, t float64, first bool) spot {
	v, w := k.vertices()
	x, y := k.points(h, t)
	at := spot{of: k.q, named: w, at: y, t: t, vertex: contact.None, edge: contact.None, face: contact.None}
	if first {
		at.of, at.named, at.at = k.p, v, x
	}
	at.outward = s.outwardAt(at.of, at.named)
	switch {
	case k.edges && first:
		at.onEdge(k.i, h.s)
	case k.edges:
		at.onEdge(k.j, h.w.X)
	case first:
		at.vertex = k.i
	case h.on == geom.Inside:
		at.face = k.j
	case h.on < geom.CornerA:
		at.edge = k.q.primEdge[k.j][(h.on-geom.EdgeAB+2)%3]
	default:
		at.vertex = k.q.prim[k.j][h.on-geom.CornerA]
	}
	return at
}

// onEdge puts a spot on an edge, or on its end.
func (p *spot) onEdge(e int32, s float64) {
	switch s {
	case 0:
		p.vertex = p.of.edge[e][0]
	case 1:
		p.vertex = p.of.edge[e][1]
	default:
		p.edge = e
	}
}

// admits reports whether a direction lies in the normal cone of a spot.
func (p *spot) admits(n r3.Vec) bool {
	switch {
	case p.vertex != contact.None:
		if !p.of.stands(p.vertex, n, p.t) {
			return false
		}
	case p.edge != contact.None:
		a, b := p.of.ends(p.edge, p.t)
		if along := b.Sub(a); !p.of.upright(p.edge, p.at, n, p.t) || leans(n, along) || leans(n, along.Neg()) {
			return false
		}
	case p.face != contact.None:
		if normal := p.of.facing(p.face, p.t); n.Cross(normal).Norm2() > lean*lean*n.Norm2() {
			return false
		}
	}
	if p.outward == 0 {
		return true
	}
	out := false
	p.eachFace(func(normal r3.Vec) { out = out || n.Dot(normal) > lean })
	return out
}

// beside reports whether a shape with the normal n, which points to the spot, is near only beside it: the way there,
// −n, leans over an edge or a face at the spot by more than the angle of one face. Then other points of the surface are
// nearer to the shape, and along this normal it would be pushed aside.
func (p *spot) beside(n r3.Vec) bool {
	leansOver := func(along r3.Vec) bool {
		return -n.Dot(along) > math.Sin(sameFace)*along.Norm()
	}
	switch {
	case p.vertex != contact.None:
		x := p.of.at(p.vertex, p.t)
		for _, e := range p.of.around.Of(p.vertex) {
			if leansOver(p.of.at(p.of.other(e, p.vertex), p.t).Sub(x)) {
				return true
			}
		}
	case p.edge != contact.None:
		a, b := p.of.ends(p.edge, p.t)
		along := b.Sub(a).Unit()
		for _, o := range p.of.across.Of(p.edge) {
			over := p.of.at(o, p.t).Sub(a)
			if leansOver(over.AddScaled(-over.Dot(along), along)) {
				return true
			}
		}
	}
	return false
}

// eachFace calls visit for all faces at a spot, with their normals: outward, if that is known.
func (p *spot) eachFace(visit func(normal r3.Vec)) {
	sign := 1.0
	if p.outward < 0 {
		sign = -1
	}
	if p.face != contact.None {
		visit(p.of.facing(p.face, p.t).Scale(sign))
		return
	}
	v := p.vertex
	if v == contact.None {
		v = p.of.edge[p.edge][0]
	}
	for _, t := range p.of.fans.Of(v) {
		if int(t) >= p.of.faces || p.edge != contact.None && !holds(&p.of.prim[t], p.of.edge[p.edge][1]) {
			continue
		}
		visit(p.of.facing(t, p.t).Scale(sign))
	}
}

// inFront returns the direction from q to p if either of two sheets may lie on the other: what was added later
// lies in front of what was there before.
func (s *scene) inFront(k *pair, p, q *spot) (n r3.Vec) {
	pFirst := k.p.led != contact.None || k.q.led == contact.None && s.skinOf[p.named] < s.skinOf[q.named]
	if pFirst {
		p.eachFace(func(m r3.Vec) { n = n.Sub(m) })
	} else {
		q.eachFace(func(m r3.Vec) { n = n.Add(m) })
	}
	return n
}

// eachBorder calls visit for the borders at a spot, with the direction out of their face, in its plane.
func (p *spot) eachBorder(visit func(out r3.Vec)) {
	border := func(e int32) {
		across := p.of.across.Of(e)
		if len(across) != 1 {
			return
		}
		a, b := p.of.ends(e, p.t)
		along, over := b.Sub(a).Unit(), p.of.at(across[0], p.t).Sub(a)
		visit(over.AddScaled(-over.Dot(along), along).Unit().Neg())
	}
	switch {
	case p.edge != contact.None:
		border(p.edge)
	case p.vertex != contact.None:
		for _, e := range p.of.around.Of(p.vertex) {
			border(e)
		}
	}
}

// settle returns the normal, from q to p, of a meeting whose points coincide, and whether there is one: the first that
// lies in both cones of the directions out of borders, the normals of q's faces, those of p's, the cross product of two
// edges, and the means of these normals. A side without an inside has normals of both signs.
func (s *scene) settle(k *pair, h *meeting) (n r3.Vec, ok bool) {
	p, q := s.spotOn(k, h, h.t, true), s.spotOn(k, h, h.t, false)
	front := s.inFront(k, &p, &q)
	// the first direction that lies in both cones is the normal; a side without an inside has it of either sign
	try := func(m r3.Vec, both bool) {
		if ok || m == (r3.Vec{}) {
			return
		}
		if both && m.Dot(front) < 0 {
			m = m.Neg()
		}
		if q.admits(m) && p.admits(m.Neg()) {
			n, ok = m, true
		} else if both && q.admits(m.Neg()) && p.admits(m) {
			n, ok = m.Neg(), true
		}
	}
	// directions out of borders
	q.eachBorder(func(m r3.Vec) { try(m, false) })
	p.eachBorder(func(m r3.Vec) { try(m.Neg(), false) })
	// normals of faces, and their sums
	var sumP, sumQ r3.Vec
	q.eachFace(func(m r3.Vec) {
		sumQ = sumQ.Add(m)
		try(m, q.outward == 0)
	})
	p.eachFace(func(m r3.Vec) {
		sumP = sumP.Add(m)
		try(m.Neg(), p.outward == 0)
	})
	// across two edges that are not parallel
	if k.edges {
		a, b := k.p.ends(k.i, h.t)
		c, d := k.q.ends(k.j, h.t)
		u, v := b.Sub(a), d.Sub(c)
		if m := u.Cross(v); m.Norm2() > parallel*parallel*u.Norm2()*v.Norm2() {
			try(m.Unit(), true)
		}
	}
	// means of normals
	try(sumQ.Unit(), q.outward == 0)
	try(sumP.Unit().Neg(), p.outward == 0)
	return n, ok
}

// touches settles the direction of a pair that coincides at a meeting, unless it is one of sheets that are the same,
// that are apart, or that touched in the last step. It reports whether the pair can be a contact: where no normal lies
// in both cones, others are. Once it moves, a cloth may be folded there in any way, and is left to the other rules.
func (s *scene) touches(k *pair, h *meeting) bool {
	first, second := k.vertices()
	one, two := s.outwardAt(k.p, first), s.outwardAt(k.q, second)
	if one == 0 && two == 0 && (k.same || h.distance > s.roundingOfPair(k) || s.touched(k)) {
		return true
	}
	if n, ok := s.settle(k, h); ok {
		h.away, h.settled = n, true
		return true
	}
	flat := func(outward int8, of *side, v int32) bool { return outward == 0 && !s.rigidAt(of, v) }
	return !s.Start && (flat(one, k.p, first) || flat(two, k.q, second))
}

// faces reports whether the direction between the points of a pair that meets on its way lies in the normal cones of
// what is rigid. What deforms may have turned by the end of the motion, where contacts are obeyed, and is not asked: in
// crumpled cloth one in five of the pairs that go through each other would be missed.
func (s *scene) faces(k *pair, h *meeting) bool {
	if !k.edges && h.on == geom.Inside {
		return true // along the normal of the face
	}
	if first, second := k.vertices(); !s.rigidAt(k.p, first) && !s.rigidAt(k.q, second) {
		return true
	}
	if h.distance <= degenerate*s.Thickness {
		return s.touches(k, h)
	}
	return s.admitted(k, h, true) && s.admitted(k, h, false)
}

// admitted is faces for one side of the pair, the first or the second.
func (s *scene) admitted(k *pair, h *meeting, first bool) bool {
	at, n := s.spotOn(k, h, h.t, first), h.away
	if first {
		n = n.Neg()
	}
	at.outward = 0 // positions say on which side the other is
	return !s.rigidAt(at.of, at.named) || at.admits(n)
}

// touched reports whether a pair was a contact in the last step.
func (s *scene) touched(k *pair) bool {
	id, _ := s.name(k)
	return s.past.of(id) != nil
}
