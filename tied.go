// What detection and the fail-safe know of joints and attachments.

package toile

import "github.com/toile-sim/toile/contact"

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
	for i := range w.attachments {
		for k := range w.attachments[i].ties {
			t := &w.attachments[i].ties[k]
			tied[w.firstOf(t.vertex.on)+t.vertex.vertex[0]] = int32(w.surfaceOf(t.to.on))
		}
	}
	w.finder.TiedTo = tied
}

// joinedSurfaces returns, by pair of surfaces, whether joints keep them from touching.
func (w *World) joinedSurfaces() []bool {
	apart := make([]bool, len(w.friction))
	welded := newGroups(len(w.others))
	for i := range w.joints {
		j := &w.joints[i]
		if j.b.rigid == nil {
			continue
		}
		if !j.spec.Touch {
			apart[pairOf(w.surfaceOf(j.a.on), w.surfaceOf(j.b.on))] = true
		}
		if j.spec.Kind == WeldJoint {
			welded.join(j.a.on.index, j.b.on.index)
		}
	}
	for a := range w.others {
		for b := range a {
			if welded.of(a) == welded.of(b) {
				apart[pairOf(w.others[a].surface, w.others[b].surface)] = true
			}
		}
	}
	return apart
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
