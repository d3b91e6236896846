// What detection and the fail-safe know of joints and attachments.

package engine

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// tieSurfaces tells detection which surfaces and points do not touch because they are tied together.
func (w *World) tieSurfaces() {
	w.finder.Joined, w.finder.TiedTo = nil, nil
	if len(w.joints) > 0 {
		apart := w.joinedSurfaces()
		w.finder.Joined = func(a, b int32) bool { return apart[pairOf(SurfaceID(a), SurfaceID(b))] }
	}
	if len(w.attachments) == 0 {
		return
	}
	tied := make([]int32, len(w.pos)+w.scratch.carried)
	for i := range tied {
		tied[i] = contact.None
	}
	w.eachFixture(func(t *fixture, node int32) { tied[node] = int32(w.surfaceOf(t.to.on)) })
	w.finder.TiedTo = tied
}

// joinedSurfaces returns, by pair of surfaces, whether joints keep them from touching.
func (w *World) joinedSurfaces() []bool {
	apart := make([]bool, len(w.friction))
	welded := newGroups(len(w.bodies))
	for i := range w.joints {
		j := &w.joints[i]
		if j.b.rigid == nil {
			continue
		}
		if !j.spec.Touch {
			apart[pairOf(w.surfaceOf(j.a.on), w.surfaceOf(j.b.on))] = true
		}
		if j.spec.Kind == WeldJoint {
			welded.join(int(j.a.on), int(j.b.on))
		}
	}
	for a := range w.bodies {
		for b := range a {
			if welded.of(a) == welded.of(b) {
				apart[pairOf(w.bodies[a].surface, w.bodies[b].surface)] = true
			}
		}
	}
	return apart
}

// jointGroups returns the groups of bodies which joints hold together.
func (w *World) jointGroups() groups {
	g := newGroups(len(w.bodies))
	for i := range w.joints {
		if j := &w.joints[i]; j.b.rigid != nil {
			g.join(int(j.a.on), int(j.b.on))
		}
	}
	return g
}

// placeOf returns where a body is among all.
func (w *World) placeOf(b *placedBody) int {
	return slices.IndexFunc(w.bodies, func(m placedBody) bool { return m.first == b.first })
}

// eachFixture calls visit for every vertex that is attached to something, with its block.
func (w *World) eachFixture(visit func(t *fixture, node int32)) {
	for i := range w.attachments {
		ties := w.attachments[i].ties
		for k := range ties {
			visit(&ties[k], w.firstOf(ties[k].vertex.on)+ties[k].vertex.vertex[0])
		}
	}
}

// bringAttached moves attached vertices to where what carries them is when blocks are at x.
func (w *World) bringAttached(x []r3.Vec) {
	w.eachFixture(func(t *fixture, node int32) { x[node] = w.spotAt(&t.to, x) })
}

// groups are sets of things that were joined.
type groups []int

func newGroups(n int) groups {
	g := make(groups, n)
	for i := range g {
		g[i] = i
	}
	return g
}

// of returns the group of a thing, named by its first.
func (g groups) of(i int) int {
	for g[i] != i {
		i = g[i]
	}
	return i
}

func (g groups) join(i, j int) {
	i, j = g.of(i), g.of(j)
	g[max(i, j)] = min(i, j)
}

// isAttached tells whether an attachment fixes a block to something.
func (w *World) isAttached(node int32) bool {
	for i := range w.attachments {
		for k := range w.attachments[i].ties {
			if t := &w.attachments[i].ties[k].vertex; w.firstOf(t.on)+t.vertex[0] == node {
				return true
			}
		}
	}
	return false
}

// spotOn returns the spot of a rigid body that is at x now, and the axes of the world in those of the body.
func (w *World) spotOn(on owner, x r3.Vec) (tieEnd, r3.Quat) {
	b := &w.bodies[on]
	back := b.rigid.Turn().Conj()
	own := back.Rotate(x.Sub(b.of(w.pos)[0]))
	return tieEnd{on: on, rigid: b.rigid, own: own}, back
}

// eachRigid calls visit for every rigid body, with its number among these and its first block.
func (w *World) eachRigid(visit func(n, first int, b mech.Rigid)) {
	n := 0
	for i := range w.bodies {
		if b := w.bodies[i].rigid; b != nil {
			visit(n, w.bodies[i].first, b)
			n++
		}
	}
}
