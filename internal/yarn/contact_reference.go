package yarn

import (
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// hierarchy finds pairs of near segments by binary trees of boxes, one for each yarn, fitted and traversed anew in
// every step.
type hierarchy struct {
	spline   *spline
	diameter float64
	box      []r3.Box // of a segment, grown by the radius
	nodes    []node
	roots    []int32
	tasks    []pair   // nodes to be compared, cut into pieces of one core's work
	found    [][]pair // of a task

	pos               []r3.Vec
	boxLoop, taskLoop func(lo, hi int)
}

// node is a range of segments of one yarn. Its children follow it: the left one at once, the right one later.
type node struct {
	box        r3.Box
	first, end int32
	right      int32 // 0 for a leaf
}

// leafSize is how many segments a leaf holds.
const leafSize = 2

// taskSize is how many segments a node compared by one task holds at most.
const taskSize = 64

func newHierarchy(lay *layout, s *spline, diameter float64) *hierarchy {
	h := &hierarchy{spline: s, diameter: diameter, box: make([]r3.Box, len(s.control))}
	for y := range lay.spans {
		span := &lay.spans[y]
		if n := span.segments(); n > 0 {
			h.roots = append(h.roots, h.grow(int32(span.first), int32(span.first+n)))
		}
	}
	h.boxLoop, h.taskLoop = h.fitSegments, h.runTasks
	return h
}

func (h *hierarchy) grow(first, end int32) int32 {
	at := int32(len(h.nodes))
	h.nodes = append(h.nodes, node{first: first, end: end})
	if end-first > leafSize {
		middle := (first + end) / 2
		h.grow(first, middle)
		h.nodes[at].right = h.grow(middle, end)
	}
	return at
}

// near appends the pairs of segments whose boxes overlap when grown by the radius, sorted.
func (h *hierarchy) near(pos []r3.Vec, list []pair, team *par.Team) []pair {
	h.pos = pos
	team.For(len(h.box), 512, h.boxLoop)
	h.pos = nil
	for i := len(h.nodes) - 1; i >= 0; i-- {
		h.fit(int32(i))
	}
	h.tasks = h.tasks[:0]
	for i, a := range h.roots {
		for _, b := range h.roots[i:] {
			h.divide(a, b)
		}
	}
	for len(h.found) < len(h.tasks) {
		h.found = append(h.found, nil)
	}
	team.For(len(h.tasks), 4, h.taskLoop)
	for _, found := range h.found[:len(h.tasks)] {
		list = append(list, found...)
	}
	slices.SortFunc(list, comparePairs)
	return list
}

func (h *hierarchy) fitSegments(lo, hi int) {
	r := h.diameter / 2
	grow := r3.V(r, r, r)
	for i := lo; i < hi; i++ {
		if h.spline.exists[i] {
			p := gatherControl(&h.spline.control[i], h.pos)
			box := hull(&p)
			h.box[i] = r3.Box{Min: box.Min.Sub(grow), Max: box.Max.Add(grow)}
		}
	}
}

func (h *hierarchy) fit(i int32) {
	n := &h.nodes[i]
	if n.right != 0 {
		n.box = h.nodes[i+1].box.Union(h.nodes[n.right].box)
		return
	}
	n.box = h.box[n.first]
	for s := n.first + 1; s < n.end; s++ {
		n.box = n.box.Union(h.box[s])
	}
}

func (h *hierarchy) size(n int32) int32 { return h.nodes[n].end - h.nodes[n].first }

// divide cuts the comparison of two nodes into tasks.
func (h *hierarchy) divide(a, b int32) {
	if !h.nodes[a].box.Overlaps(&h.nodes[b].box) {
		return
	}
	if max(h.size(a), h.size(b)) <= taskSize {
		h.tasks = append(h.tasks, pair{a, b})
		return
	}
	for _, p := range h.parts(a, b) {
		if p != (pair{}) {
			h.divide(p.a, p.b)
		}
	}
}

// parts returns the comparisons that one of two nodes, not both leaves, comes apart into. An empty pair is none: node 0
// against itself is never a part.
func (h *hierarchy) parts(a, b int32) [3]pair {
	rightA, rightB := h.nodes[a].right, h.nodes[b].right
	switch {
	case a == b:
		return [3]pair{{a + 1, a + 1}, {a + 1, rightA}, {rightA, rightA}}
	case rightB == 0 || rightA != 0 && h.size(a) >= h.size(b):
		return [3]pair{{a + 1, b}, {rightA, b}}
	}
	return [3]pair{{a, b + 1}, {a, rightB}}
}

func (h *hierarchy) runTasks(lo, hi int) {
	for i := lo; i < hi; i++ {
		h.found[i] = h.compare(h.tasks[i].a, h.tasks[i].b, h.found[i][:0])
	}
}

// compare appends the pairs of near segments of two nodes.
func (h *hierarchy) compare(a, b int32, found []pair) []pair {
	na, nb := &h.nodes[a], &h.nodes[b]
	if !na.box.Overlaps(&nb.box) {
		return found
	}
	if na.right == 0 && nb.right == 0 {
		for s := na.first; s < na.end; s++ {
			for t := max(nb.first, s+1); t < nb.end; t++ {
				if h.box[s].Overlaps(&h.box[t]) {
					found = append(found, pair{s, t})
				}
			}
		}
		return found
	}
	for _, p := range h.parts(a, b) {
		if p != (pair{}) {
			found = h.compare(p.a, p.b, found)
		}
	}
	return found
}
