package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Pairs of features that may meet.
//
// All motions that a step looks at start at the same x₀: that of Find, those of Extend and those of the guard. How far
// apart two features are there, d₀, is found once, and a motion can make something of a pair only if
//
//	d₀ < reach + travel,
//
// travel being the most that their distance can change on the way (pair.travel). An end that is within the slack of the
// one that pairs were found for takes each way by √3 slack elsewhere at most, and the travel by twice that. So the
// pairs with
//
//	d₀ < reach + travel + 2√3 slack
//
// are all that these motions need look at. Boxes leave many more, nearly all of them neighbours in a skin: of a sheet
// with 12,800 triangles in folds 40,000, of which 3,000 are as near as that.

// pair returns the pair, of moving skins and the other side.
func (n *nearPair) pair(moving, other *side) pair {
	k := pair{p: moving, q: other, i: n.i, j: n.j, edges: n.edges, same: n.same, apart: n.apart}
	if n.swapped {
		k.p, k.q = other, moving
	}
	return k
}

// drift bounds how much two motions within the slack of each other can differ in the distance of a pair [m]. The excess
// over what is needed is for roundings.
func (s *scene) drift() float64 { return 1.01 * 2 * math.Sqrt(3) * slack * s.Thickness }

// note keeps a pair of features that may meet.
func (s *scene) note(c *chunk, own [2]int32, k *pair, swapped bool) {
	limit := 2*s.margin() + s.drift() + k.travel() + s.bothRadii(k)
	if k.beyond(limit) {
		return
	}
	if apart := k.look(0).distance; apart < limit {
		c.near = append(c.near, nearPair{own, k.i, k.j, apart, k.edges, k.same, swapped})
	}
}

// beyond tells, of most pairs that are farther apart than the limit at the start, that they are: planes across the line
// between their middles separate them. With n from middle to middle, edges of the lengths u and v are apart by at least
//
//	(n² − |n·u|/2 − |n·v|/2)/|n|.
func (k *pair) beyond(limit float64) bool {
	const sure = 1 + 1e-9 // roundings
	var n r3.Vec
	var gap float64 // times |n|
	if k.edges {
		a, b := k.p.ends(k.i, 0)
		c, d := k.q.ends(k.j, 0)
		n = a.Sub(c).Add(b.Sub(d)).Scale(0.5)
		gap = n.Norm2() - (math.Abs(n.Dot(b.Sub(a)))+math.Abs(n.Dot(d.Sub(c))))/2
	} else {
		x := k.p.x0[k.i]
		a, b, c := k.q.corners(k.j, 0)
		a, b, c = x.Sub(a), x.Sub(b), x.Sub(c)
		n = a.Add(b).Add(c).Scale(1.0 / 3)
		gap = min(n.Dot(a), n.Dot(b), n.Dot(c))
	}
	return gap > 0 && gap*gap > sure*limit*limit*n.Norm2()
}

func (l *nearLoop) work(c *chunk, lo, hi int) {
	self := l.q.led == contact.None
	for _, ij := range l.pairs[lo:hi] {
		i, j := ij[0], ij[1]
		same := self && l.skinOf[l.moving.prim[i][0]] == l.skinOf[l.moving.prim[j][0]]
		l.vertices(c, i, j, same)
		if ownP, ownQ := l.moving.own[i]>>3, l.q.own[j]>>3; ownP != 0 && ownQ != 0 {
			l.edges(c, i, j, same)
		}
	}
}

// vertices visits the vertices of each primitive with the other, if that is a face or one of them is round; same tells
// that both are of one skin.
func (l *nearLoop) vertices(c *chunk, i, j int32, same bool) {
	p, q := &l.moving, l.q
	u, v := &p.prim[i], &q.prim[j]
	ownP, ownQ := p.own[i], q.own[j]
	apart := q.led != contact.None
	round := l.roundest > 0 && (l.radius(u[0]) > 0 || !apart && l.radius(v[0]) > 0)
	if int(j) >= q.faces && !round {
		ownP = 0
	}
	if int(i) >= p.faces && !round || int(i) >= p.extended && int(j) >= q.extended {
		ownQ = 0
	}
	marginP, marginQ := l.boxMargin(p, u[0]), l.boxMargin(q, v[0])
	for k := range 3 {
		if ownP>>k&1 != 0 && (apart || !holds(v, u[k])) && p.passes(u[k], &l.boxes[j], marginP) {
			l.note(c, [2]int32{i, j}, &pair{p: p, q: q, i: u[k], j: j, same: same}, false)
		}
		if ownQ>>k&1 != 0 && (apart || !holds(u, v[k])) && q.passes(v[k], &l.scene.boxes[i], marginQ) {
			l.note(c, [2]int32{i, j}, &pair{p: q, q: p, i: v[k], j: i, same: same}, true)
		}
	}
}

// edges visits the edges of both.
func (l *nearLoop) edges(c *chunk, i, j int32, same bool) {
	p, q := &l.moving, l.q
	ownP, ownQ := p.own[i]>>3, q.own[j]>>3
	apart := q.led != contact.None
	// edges that the primitives own: each pair comes up once
	for k := range 3 {
		if ownP>>k&1 == 0 {
			continue
		}
		e := p.primEdge[i][k]
		for m := range 3 {
			if ownQ>>m&1 == 0 {
				continue
			}
			g := q.primEdge[j][m]
			// edges with a common vertex, or whose boxes are apart, cannot meet
			if !apart && joined(&p.edge[e], &q.edge[g]) {
				continue
			}
			if !l.scene.edgeBoxes[e].Overlaps(&l.edgeBoxes[g]) {
				continue
			}
			// within moving skins the lower number comes first
			first, second := e, g
			if !apart {
				first, second = min(e, g), max(e, g)
			}
			l.note(c, [2]int32{i, j}, &pair{p: p, q: q, i: first, j: second, edges: true, same: same}, false)
		}
	}
}

// joined reports whether two edges have a vertex in common.
func joined(a, b *[2]int32) bool { return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] }

func (l *sharpLoop) work(c *chunk, lo, hi int) {
	o := l.o
	segments := int32(len(o.surface.edge))
	for _, ij := range l.pairs[lo:hi] {
		i, j := ij[0], ij[1]
		if j >= segments {
			if int(i) < l.moving.faces {
				l.note(c, ij, &pair{p: &o.side, q: &l.moving, i: j - segments, j: i}, true)
			}
			continue
		}
		for k := range 3 {
			e := l.moving.primEdge[i][k]
			if l.moving.own[i]>>(3+k)&1 != 0 && l.edgeBoxes[e].Overlaps(&o.edgeBoxes[j]) {
				l.note(c, ij, &pair{p: &l.moving, q: &o.side, i: e, j: j, edges: true}, false)
			}
		}
	}
}

// listNear replaces near by what pairs of primitives own of moving skins and an obstacle or, if it is nil, of moving
// skins alone.
func (s *scene) listNear(o *obstacle, pairs [][2]int32, near []nearPair) []nearPair {
	var chunks []chunk
	switch {
	case o == nil:
		s.nears = nearLoop{s, &s.moving, s.boxes, s.edgeBoxes, pairs}
		chunks = s.loops.run(s.Team, len(pairs), pairGrain, &s.nears)
	case o.Field == nil:
		s.nears = nearLoop{s, &o.side, o.boxes, o.edgeBoxes, pairs}
		chunks = s.loops.run(s.Team, len(pairs), pairGrain, &s.nears)
	default:
		s.sharps = sharpLoop{s, o, pairs}
		chunks = s.loops.run(s.Team, len(pairs), pairGrain, &s.sharps)
	}
	near = near[:0]
	for i := range chunks {
		near = append(near, chunks[i].near...)
	}
	return near
}
