package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// slack is how much boxes are inflated beyond what is needed, in thicknesses, so that the pairs of triangles found
// for one end of the step serve for others that are not farther from it: those that Extend sees, when contacts
// have changed the motion a little.
const slack = 0.25

// pairUp sees to it that the pairs contain those of the motion at hand, which starts where the one did that they were
// found for. It finds them anew only where ends differ by more than the slack.
func (s *scene) pairUp() {
	if len(s.paired) != len(s.motion.X1) || s.pairedReach != s.margin() {
		s.findPairs()
		return
	}
	switch n := s.findStrays(); {
	case n == 0:
	case float64(n) > mostStrays*float64(len(s.paired)):
		s.findPairs()
	default:
		s.mendPairs()
	}
}

// findPairs lists the pairs of primitives that may meet.
func (s *scene) findPairs() {
	s.pairedReach = s.margin()
	s.paired = append(s.paired[:0], s.motion.X1...)
	s.loops.run(s.Team, len(s.boxes), pairGrain, primBoxes{s})
	s.loops.run(s.Team, len(s.edgeBoxes), pairGrain, edgeBoxes{s})
	if s.tree == nil {
		s.tree = geom.NewTree(s.boxes)
	} else {
		s.tree.Update(s.Team, s.boxes, treeDecay)
	}
	if s.Self {
		s.selfPairs = s.finder.Self(s.Team, s.tree, s.selfPairs, s.keepPair)
		s.near = s.listNear(nil, s.selfPairs, s.near)
	}
	for _, o := range s.obstacles {
		if !o.bare() {
			s.pairWith(o)
		}
	}
}

// pairWith lists the pairs of primitives of moving skins and an obstacle that may meet.
func (s *scene) pairWith(o *obstacle) {
	o.move(s.travel(o))
	o.fit(s.Team, s.margin()+slack*s.Thickness)
	o.pairs = s.finder.Between(s.Team, s.tree, o.tree, o.pairs, nil)
	o.near = s.listNear(o, o.pairs, o.near)
}

// primBoxes and edgeBoxes fit boxes around primitives and edges on their way.
type primBoxes struct{ *scene }

func (s primBoxes) work(_ *chunk, lo, hi int) {
	for i := lo; i < hi; i++ {
		s.fitBox(int32(i))
	}
}

type edgeBoxes struct{ *scene }

func (s edgeBoxes) work(_ *chunk, lo, hi int) {
	for e := lo; e < hi; e++ {
		s.fitEdgeBox(int32(e))
	}
}

// boxMargin is what boxes around a point of a side, and what it belongs to, are inflated by.
func (s *scene) boxMargin(of *side, point int32) float64 {
	margin := s.margin() + slack*s.Thickness
	if of.led == contact.None {
		margin += s.radius(point)
	}
	return margin
}

// fitBox fits the box of a primitive of moving skins to its way.
func (s *scene) fitBox(i int32) {
	v := s.moving.prim[i]
	s.boxes[i] = sweptTriangle(s.moving.x0, s.moving.x1, v, s.boxMargin(&s.moving, v[0]))
}

// fitEdgeBox fits the box of an edge of moving skins to its way.
func (s *scene) fitEdgeBox(e int32) {
	v := s.moving.edge[e]
	s.edgeBoxes[e] = sweptEdge(s.moving.x0, s.moving.x1, v, s.boxMargin(&s.moving, v[0]))
}

// start takes a motion, and what touched in the last step.
func (s *scene) start(m contact.Motion, past []contact.Past) {
	s.motion, s.past = m, past
	s.reach = s.Reach * s.most
	s.moving.x0, s.moving.x1 = m.X0, m.X1
	s.orientation(m.X0)
	for _, o := range s.obstacles {
		if o.Block != contact.None {
			o.start = m.X0[o.Block]
		}
	}
	s.moveSmooth()
}

// moveTo makes x the end of the motion of the last Find. Boxes of that motion contain those at either end, so that the
// pairs of detection serve for both.
func (s *scene) moveTo(x []r3.Vec) {
	if len(s.motion.X0) != len(x) {
		s.motion.X0 = x
	}
	s.reach = s.Reach * s.most
	s.orientation(s.motion.X0)
	s.motion.X1 = x
	s.moving.x0, s.moving.x1 = s.motion.X0, x
	if len(s.moving.prim) > 0 {
		s.pairUp()
	}
}
