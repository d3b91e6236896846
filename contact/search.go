package contact

import "github.com/toile-sim/toile/r3"

// Search goes through everything that may meet and asks a question about it: whether it is a contact (rules.go), or
// whether it passes through (guard.go).

// question is what is asked.
type question interface {
	faceQuestion
	point(c *chunk, t *passage, point int32) // and a shape
	pair(c *chunk, k pair)                   // of features
	sharp(c *chunk, k pair, o *obstacle)     // of a feature, and a sharp one of a shape
	enter(o *obstacle, l *loops)             // its pairs come next
	take(chunks []chunk)                     // what was found
}

type faceQuestion interface {
	face(c *chunk, t *passage, prim int32) // or a free edge, and a shape
}

// search holds the arguments of the loops under way.
type search struct {
	*scene
	points pointLoop
	faces  faceLoop
	pairs  pairLoop
	sharp  sharpLoop
}

// askShapes asks about points and shapes.
func (h *search) askShapes(q question) {
	h.points = pointLoop{h.scene, q}
	q.take(h.loops.run(h.Team, len(h.scene.points), pointGrain, &h.points))
}

// askPairs asks about faces and shapes, moving skins among each other, and moving skins and obstacles.
func (h *search) askPairs(q question) {
	if len(h.shapes) > 0 {
		q.take(h.overFaces(q))
	}
	if h.Self {
		h.pairs = pairLoop{h.scene, &h.moving, h.boxes, h.edgeBoxes, h.selfPairs, q}
		q.take(h.loops.run(h.Team, len(h.selfPairs), pairGrain, &h.pairs))
	}
	for _, o := range h.obstacles {
		if o.bare() {
			continue
		}
		o.move(h.travel(o))
		q.enter(o, &h.loops)
		if o.Field != nil {
			h.sharp = sharpLoop{h.scene, o, q}
			q.take(h.loops.run(h.Team, len(o.pairs), pairGrain, &h.sharp))
		} else {
			h.pairs = pairLoop{h.scene, &o.side, o.boxes, o.edgeBoxes, o.pairs, q}
			q.take(h.loops.run(h.Team, len(o.pairs), pairGrain, &h.pairs))
		}
	}
}

// overFaces asks about faces and free edges, and shapes.
func (h *search) overFaces(q faceQuestion) []chunk {
	h.faces = faceLoop{h.scene, q}
	return h.loops.run(h.Team, h.moving.extended, pairGrain, &h.faces)
}

// pointLoop visits the points whose ways come near to a shape, for every shape.
type pointLoop struct {
	*scene
	question
}

func (l *pointLoop) work(c *chunk, lo, hi int) {
	points := l.points[lo:hi]
	ways := r3.EmptyBox()
	for _, p := range points {
		ways = ways.With(l.motion.X0[p]).With(l.motion.X1[p])
	}
	for i := range l.shapes {
		t := &l.shapes[i]
		if !ways.Overlaps(&t.passed) {
			continue
		}
		for _, p := range points {
			if l.moving.passes(p, &t.passed, 0) {
				l.point(c, t, p)
			}
		}
	}
}

// faceLoop visits the faces and free edges that come near to a shape, for every shape.
type faceLoop struct {
	*scene
	faceQuestion
}

func (l *faceLoop) work(c *chunk, lo, hi int) {
	for k := range l.shapes {
		t := &l.shapes[k]
		if !t.faces {
			continue
		}
		for i := lo; i < hi; i++ {
			if l.boxes[i].Overlaps(&t.passed) {
				l.face(c, t, int32(i))
			}
		}
	}
}

// pairLoop visits the features that pairs of primitives own, of moving skins and of q.
type pairLoop struct {
	*scene
	q                *side
	boxes, edgeBoxes []r3.Box // of q
	pairs            [][2]int32
	ask              question
}

func (l *pairLoop) work(c *chunk, lo, hi int) {
	margin := l.margin()
	self := l.q.led == None
	for _, ij := range l.pairs[lo:hi] {
		i, j := ij[0], ij[1]
		same := self && l.skinOf[l.moving.prim[i][0]] == l.skinOf[l.moving.prim[j][0]]
		l.vertices(c, i, j, same, margin)
		if ownP, ownQ := l.moving.own[i]>>3, l.q.own[j]>>3; ownP != 0 && ownQ != 0 {
			l.edges(c, i, j, same)
		}
	}
}

// vertices visits the vertices of each primitive with the other, if that is a face; same tells that both are of one
// skin.
func (l *pairLoop) vertices(c *chunk, i, j int32, same bool, margin float64) {
	p, q := &l.moving, l.q
	u, v := &p.prim[i], &q.prim[j]
	ownP, ownQ := p.own[i], q.own[j]
	if int(j) >= q.faces {
		ownP = 0
	}
	if int(i) >= p.faces {
		ownQ = 0
	}
	apart := q.led != None
	for k := range 3 {
		if ownP>>k&1 != 0 && (apart || !holds(v, u[k])) && p.passes(u[k], &l.boxes[j], margin) {
			l.ask.pair(c, pair{p: p, q: q, i: u[k], j: j, same: same})
		}
		if ownQ>>k&1 != 0 && (apart || !holds(u, v[k])) && q.passes(v[k], &l.scene.boxes[i], margin) {
			l.ask.pair(c, pair{p: q, q: p, i: v[k], j: i, same: same})
		}
	}
}

// edges visits the edges of both.
func (l *pairLoop) edges(c *chunk, i, j int32, same bool) {
	p, q := &l.moving, l.q
	ownP, ownQ := p.own[i]>>3, q.own[j]>>3
	apart := q.led != None
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
			if !apart && joined(&p.edge[e], &q.edge[g]) {
				continue
			}
			if !l.scene.edgeBoxes[e].Overlaps(&l.edgeBoxes[g]) {
				continue
			}
			first, second := e, g
			if !apart {
				first, second = min(e, g), max(e, g)
			}
			l.ask.pair(c, pair{p: p, q: q, i: first, j: second, edges: true, same: same})
		}
	}
}

// joined reports whether two edges have a vertex in common.
func joined(a, b *[2]int32) bool { return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] }

// sharpLoop visits pairs of a primitive of moving skins and a segment or a point of a shape.
type sharpLoop struct {
	*scene
	o   *obstacle
	ask question
}

func (l *sharpLoop) work(c *chunk, lo, hi int) {
	o := l.o
	segments := int32(len(o.surface.edge))
	for _, ij := range o.pairs[lo:hi] {
		i, j := ij[0], ij[1]
		if j >= segments {
			if int(i) < l.moving.faces {
				l.ask.sharp(c, pair{p: &o.side, q: &l.moving, i: j - segments, j: i}, o)
			}
			continue
		}
		for k := range 3 {
			e := l.moving.primEdge[i][k]
			if l.moving.own[i]>>(3+k)&1 != 0 && l.edgeBoxes[e].Overlaps(&o.edgeBoxes[j]) {
				l.ask.sharp(c, pair{p: &l.moving, q: &o.side, i: e, j: j, edges: true}, o)
			}
		}
	}
}
