package detect

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
)

// Mending pairs.
//
// From one round of a step to the next few points end elsewhere by more than the slack: of a sheet of 6,561 vertices on
// a ball some hundreds in the first round, and a dozen in the next ones. Only the primitives at these, the stale ones,
// get new boxes. Their pairs are found anew, by a tree of their own, and take the places of the old ones.
//
// Pairs that are kept are those for which no end has left the slack, so that the outcome of all questions is the one
// that finding all pairs anew would give, in the same order.

// mostStrays is the part of the points up to which mending pays.
const mostStrays = 1.0 / 5

// findStrays marks the points whose ends have left the slack of those that pairs were found for, takes their new ends,
// and counts them.
func (s *scene) findStrays() (count int) {
	// Of obstacles only those with a block move differently; their blocks are among the others.
	m := &s.mender
	m.strays = slices.Grow(m.strays[:0], len(s.paired))[:len(s.paired)]
	for i, x := range s.motion.X1 {
		stray := !(x.Sub(s.paired[i]).MaxAbs() <= slack*s.Thickness)
		m.strays[i] = stray
		if stray {
			s.paired[i] = x
			count++
		}
	}
	return count
}

// mendPairs finds the pairs of stale primitives anew. Points that have not strayed are taken where they were when pairs
// were found for them: it is from there that they may go on by the slack.
func (s *scene) mendPairs() {
	m := &s.mender
	// points are where they were when pairs were found
	ends := s.moving.x1
	s.moving.x1 = s.paired
	defer func() { s.moving.x1 = ends }()
	// boxes and trees: of all primitives, and of stale ones
	s.fitStale()
	s.tree.Update(s.Team, s.boxes, treeDecay)
	if m.tree == nil {
		m.tree = geom.NewTree(m.boxes)
	} else {
		m.tree.Rebuild(m.boxes)
	}
	// pairs of moving skins
	if s.Self && len(m.stale) > 0 {
		m.found = s.finder.Between(s.Team, m.tree, s.tree, m.found, nil)
		m.nameSelf(s.keepPair)
		m.sort(len(s.boxes))
		s.selfPairs, s.near = m.mend(s, nil, s.selfPairs, s.near)
	}
	// pairs with obstacles; those of a block that has strayed are all found anew
	for _, o := range s.obstacles {
		switch {
		case o.bare():
		case o.Block != contact.None && m.strays[o.Block]:
			s.pairWith(o)
		case len(m.stale) > 0:
			o.move(s.travelTo(o, s.paired))
			m.found = s.finder.Between(s.Team, m.tree, o.tree, m.found, nil)
			for k := range m.found {
				m.found[k][0] = m.stale[m.found[k][0]]
			}
			o.pairs, o.near = m.mend(s, o, o.pairs, o.near)
		}
	}
}

// fitStale lists the primitives at points that have strayed, and fits new boxes to them and to the edges there.
func (s *scene) fitStale() {
	m := &s.mender
	m.stale, m.boxes = m.stale[:0], m.boxes[:0]
	m.staleSet = slices.Grow(m.staleSet[:0], len(s.boxes))[:len(s.boxes)]
	for i, v := range s.moving.prim {
		m.staleSet[i] = anyMarked(m.strays, v)
		if m.staleSet[i] {
			s.fitBox(int32(i))
			m.stale, m.boxes = append(m.stale, int32(i)), append(m.boxes, s.boxes[i])
		}
	}
	for e, v := range s.moving.edge {
		if m.strays[v[0]] || m.strays[v[1]] {
			s.fitEdgeBox(int32(e))
		}
	}
}

// nameSelf turns places among stale primitives into primitives, the lower one of a pair first, and leaves out pairs of
// one primitive, those that come twice, and those that are not to be kept.
func (m *mender) nameSelf(keep func(i, j int32) bool) {
	kept := m.found[:0]
	for _, kj := range m.found {
		i, j := m.stale[kj[0]], kj[1]
		if i == j || i > j && m.staleSet[j] {
			continue
		}
		if i, j = min(i, j), max(i, j); keep == nil || keep(i, j) {
			kept = append(kept, [2]int32{i, j})
		}
	}
	m.found = kept
}

// sort sorts the pairs found by their first primitive, then by the second; there are so many primitives.
func (m *mender) sort(primitives int) {
	m.sorted = slices.Grow(m.sorted[:0], len(m.found))[:len(m.found)]
	m.count = slices.Grow(m.count[:0], primitives)[:primitives]
	for by := 1; by >= 0; by-- {
		clear(m.count)
		for _, p := range m.found {
			m.count[p[by]]++
		}
		at := int32(0)
		for i, n := range m.count {
			m.count[i] = at
			at += n
		}
		for _, p := range m.found {
			m.sorted[m.count[p[by]]] = p
			m.count[p[by]]++
		}
		m.found, m.sorted = m.sorted, m.found
	}
}

// mend returns pairs of moving skins, or of these and an obstacle if it is not nil, and the features that may meet of
// them, with the stale ones replaced by those found.
func (m *mender) mend(s *scene, o *obstacle, pairs [][2]int32, near []nearPair) ([][2]int32, []nearPair) {
	m.fresh = s.listNear(o, m.found, m.fresh)
	self := o == nil
	outdated := func(p [2]int32) bool { return m.staleSet[p[0]] || self && m.staleSet[p[1]] }
	itself := func(p *[2]int32) [2]int32 { return *p }
	m.pairs = merge(m.pairs[:0], pairs, m.found, itself, outdated)
	m.near = merge(m.near[:0], near, m.fresh, func(n *nearPair) [2]int32 { return n.own }, outdated)
	pairs, m.pairs = m.pairs, pairs
	near, m.near = m.near, near
	return pairs, near
}

// merge appends to out those of old that are not outdated and all of fresh, in the order of the pairs of primitives
// that own them.
func merge[T any](out, old, fresh []T, own func(*T) [2]int32, outdated func([2]int32) bool) []T {
	for i := range old {
		pair := own(&old[i])
		if outdated(pair) {
			continue
		}
		for len(fresh) > 0 && before(own(&fresh[0]), pair) {
			out, fresh = append(out, fresh[0]), fresh[1:]
		}
		out = append(out, old[i])
	}
	return append(out, fresh...)
}

// before orders pairs.
func before(p, q [2]int32) bool { return p[0] < q[0] || p[0] == q[0] && p[1] < q[1] }
