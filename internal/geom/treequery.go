package geom

// Queries of one tree: boxes that meet a box, and the primitive nearest to a point.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Overlapping returns the primitives whose boxes meet the given one, touching included, in
// increasing order. It writes to dst from its beginning, growing it where needed.
func (t *Tree) Overlapping(box r3.Box, dst []int32) []int32 {
	dst = dst[:0]
	if box.Empty() {
		return dst
	}
	for i := int32(0); i < int32(len(t.nodes)); {
		n := &t.nodes[i]
		if !n.box.Overlaps(&box) {
			i = n.skip
			continue
		}
		for k := n.first; k < n.first+n.count; k++ {
			if t.box[k].Overlaps(&box) {
				dst = append(dst, t.prim[k])
			}
		}
		i++
	}
	slices.Sort(dst)
	return dst
}

// Nearest returns the primitive for which dist2, the squared distance of x to primitive i, is least
// and that distance, among those at most within away; of several at the same distance the first. It
// returns -1 when there is none. dist2 is asked only where a box is near enough; within may be
// infinite, and the smaller it is the sooner the search ends. A distance that is NaN is passed over.
//
// The answer does not depend on the tree's structure so long as dist2 is in error by less than
// 16 ε times the largest coordinate, which is what nodes are kept for beyond the best distance.
func (t *Tree) Nearest(x r3.Vec, within float64, dist2 func(i int32) float64) (best int32, d2 float64) {
	return t.nearest(x, within, nil, r3.Vec{}, dist2)
}

// nearest is Nearest and, where f is not nil, NearestAgainst.
func (t *Tree) nearest(
	x r3.Vec,
	within float64,
	f *Facing,
	n r3.Vec,
	dist2 func(i int32) float64,
) (best int32, d2 float64) {
	best, d2 = math.MaxInt32, within*within
	if len(t.nodes) == 0 || !(within >= 0) || !x.Finite() {
		return -1, math.Inf(1)
	}
	root := &t.nodes[0].box
	slack := 16 * 0x1p-52 * max(x.MaxAbs(), root.Min.MaxAbs(), root.Max.MaxAbs())
	limit := reach(d2, slack)

	type entry struct {
		node  int32
		lower float64
	}
	var stack [treeDepth]entry
	stack[0] = entry{0, boxDistance2(root, x)}
	for top := 1; top > 0; {
		top--
		i := stack[top].node
		if !(stack[top].lower <= limit) || f != nil && !f.against(i, n) {
			continue
		}
		for t.nodes[i].count == 0 { // down the nearer side, the farther one left for later
			near, far := i+1, t.nodes[i+1].skip
			a, b := boxDistance2(&t.nodes[near].box, x), boxDistance2(&t.nodes[far].box, x)
			if b < a {
				near, far, a, b = far, near, b, a
			}
			if b <= limit {
				stack[top] = entry{far, b}
				top++
			}
			if !(a <= limit) || f != nil && !f.against(near, n) {
				near = -1
			}
			if i = near; i < 0 {
				break
			}
		}
		if i < 0 {
			continue
		}
		for k := t.nodes[i].first; k < t.nodes[i].first+t.nodes[i].count; k++ {
			if !(boxDistance2(&t.box[k], x) <= limit) {
				continue
			}
			p := t.prim[k]
			if d := dist2(p); d < d2 || d == d2 && p < best {
				best, d2 = p, d
				limit = reach(d2, slack)
			}
		}
	}
	if best == math.MaxInt32 {
		return -1, math.Inf(1)
	}
	return best, d2
}

// reach returns the square of (√d2 + slack), finite so that empty boxes lie beyond it.
func reach(d2, slack float64) float64 {
	d := math.Sqrt(d2) + slack
	return min(d*d, math.MaxFloat64)
}

// boxDistance2 returns the squared distance of x to b, +Inf for the empty box.
func boxDistance2(b *r3.Box, x r3.Vec) float64 {
	dx := max(b.Min.X-x.X, x.X-b.Max.X, 0)
	dy := max(b.Min.Y-x.Y, x.Y-b.Max.Y, 0)
	dz := max(b.Min.Z-x.Z, x.Z-b.Max.Z, 0)
	return dx*dx + dy*dy + dz*dz
}
