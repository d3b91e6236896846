package detect

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
		h.pairs = pairLoop{h.scene, nil, &h.moving, h.near, q}
		q.take(h.loops.run(h.Team, len(h.near), nearGrain, &h.pairs))
	}
	for _, o := range h.obstacles {
		if o.bare() {
			continue
		}
		o.move(h.travel(o))
		q.enter(o, &h.loops)
		h.pairs = pairLoop{h.scene, o, &o.side, o.near, q}
		q.take(h.loops.run(h.Team, len(o.near), nearGrain, &h.pairs))
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
			if l.boxes[i].Overlaps(&t.passed) && !l.staysOff(t, int32(i)) {
				l.face(c, t, int32(i))
			}
		}
	}
}

// pairLoop visits the features of moving skins and of q that may meet.
type pairLoop struct {
	*scene
	o    *obstacle // whose side q is; nil: of moving skins
	q    *side
	near []nearPair
	ask  question
}

func (l *pairLoop) work(c *chunk, lo, hi int) {
	for i := range l.near[lo:hi] {
		k := l.near[lo+i].pair(&l.moving, l.q)
		if l.o != nil && l.o.Field != nil {
			l.ask.sharp(c, k, l.o)
		} else {
			l.ask.pair(c, k)
		}
	}
}
