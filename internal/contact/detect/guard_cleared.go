package detect

import (
	"slices"
)

// What cannot have come to cross.
//
// Where the last count of crossings found none, at the positions that are now those of the start, nothing crosses at
// the start. Two primitives that do not cross there can only do so at the end if on the way a vertex of one has met a
// face of the other, or two edges have met (guard_impacts.go): two features with
//
//	d₀ ≤ travel.
//
// The points of such features are hot. Only pairs of primitives that both have one are given the exact test, few of all
// that are near each other. So are triangles without area, with whatever is near them: such a triangle crosses nothing
// by the rule of geom.Triangles, whatever it goes through, until it opens.

// thin is the squared sine of the angle at a corner below which a triangle may have no area.
const thin = 1e-12

// noteCleared keeps the positions of a count of crossings, if it found none.
func (s *scene) noteCleared(none bool) {
	if s.cleared.none = none; !none {
		return
	}
	s.cleared.self = s.Self
	s.cleared.x = append(s.cleared.x[:0], s.motion.X1...)
	for _, o := range s.obstacles {
		if o.Field == nil {
			o.cleared = append(o.cleared[:0], o.x1...)
		}
	}
}

// startsClear tells whether nothing crosses at the start of the motion.
func (s *scene) startsClear() bool {
	if !s.cleared.none || s.cleared.self != s.Self || !slices.Equal(s.cleared.x, s.motion.X0) {
		return false
	}
	for _, o := range s.obstacles {
		if o.Field == nil && !slices.Equal(o.cleared, o.x0) {
			return false
		}
	}
	return true
}

// heat tells how hot the primitives of a side are.
type heat struct {
	points []bool  // hot ones
	prims  []uint8 // cold, warm or hot
}

// A pair is tested if its heats add up to hot.
const (
	warm = 1 // it has a hot point
	hot  = 2 // it has no area
)

// reset makes all points of a side cold.
func (h *heat) reset(s *side) {
	h.points = slices.Grow(h.points[:0], len(s.x0))[:len(s.x0)]
	clear(h.points)
}

func (h *heat) add(points ...int32) {
	for _, p := range points {
		h.points[p] = true
	}
}

// spread finds how hot primitives are.
func (h *heat) spread(s *side) {
	h.prims = slices.Grow(h.prims[:0], len(s.prim))[:len(s.prim)]
	for i, v := range s.prim {
		switch {
		case i < s.faces && s.isThin(int32(i)):
			h.prims[i] = hot
		case anyMarked(h.points, v):
			h.prims[i] = warm
		default:
			h.prims[i] = 0
		}
	}
}

// isThin tells whether triangle i may have no area at the start.
func (s *side) isThin(i int32) bool {
	a, b, c := s.corners(i, 0)
	b, c = b.Sub(a), c.Sub(a)
	return !(b.Cross(c).Norm2() > thin*b.Norm2()*c.Norm2())
}

// findHot finds what is hot of moving skins, and of an obstacle if it is not nil.
func (g *guard) findHot(o *obstacle) {
	// sides of the pairs: moving skins only, or these and the obstacle
	near, p, q := g.near, &g.moving, &g.moving
	g.heat.reset(p)
	heatQ := &g.heat
	if o != nil {
		near, q, heatQ = o.near, &o.side, &g.heatLed
		heatQ.reset(q)
	}
	// points of features that may have met on their way
	for i := range near {
		k := near[i].pair(p, q)
		if k.apart > k.travel()+inseparable*g.Thickness {
			continue
		}
		first, second := &g.heat, heatQ
		if near[i].swapped {
			first, second = second, first
		}
		if k.edges {
			first.add(k.p.edge[k.i][:]...)
			second.add(k.q.edge[k.j][:]...)
		} else {
			first.add(k.i)
			second.add(k.q.prim[k.j][:]...)
		}
	}
	// primitives with such points, or without an area
	g.heat.spread(p)
	if o != nil {
		heatQ.spread(q)
	}
}
