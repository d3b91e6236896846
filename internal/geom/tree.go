package geom

// Bounding-volume trees.
//
// A binary tree of axis-aligned boxes over n primitives of any kind: the tree sees only their
// boxes. Primitives are sorted along a Z-order curve through the middles of their boxes and a range
// of the curve is cut where the highest bit that differs in it changes [Lauterbach09]; ranges of
// equal codes are cut in half. Ranges of at most leafSize primitives are leaves.
//
// Nodes lie in preorder, so that the left child of i is i+1, children come after their parents, a
// subtree is one range of indices, and skip, the end of that range, is all the structure there is:
// a query for overlaps walks forward, to i+1 when the box is met and to skip when it is not, and
// needs no stack. The right child of i is the skip of its left child.
//
// As primitives move the boxes are refitted and the structure stays. Its decay is measured by the
// surface-area cost [Goldsmith87], the sum over nodes of box area times the box tests that a visit
// leads to, against its value when the tree was built. The sum is not divided by the area of the
// root as it would be for rays from far away, because our queries are as local as the primitives.
//
// Invariants: a node's box is exactly the union of its children's or primitives' boxes (min and max
// do not round), so the answer to an overlap query depends on the boxes alone and not on the
// structure; a resumed run that builds a new tree gets the same pairs as one that refitted an old
// one.
//
// Boxes that are empty (r3.Box.Empty) belong to primitives that are switched off: no query finds
// them. Boxes that are not finite are a mistake of the caller and panic; an unbounded obstacle, such
// as a half-space, needs no tree.

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	leafSize = 4 // primitives in a leaf at most; self queries were measured fastest at 4 to 6

	// taskNodes bounds the subtrees that are refitted as one task. The value is part of the cost
	// measure's last bits, and of nothing else.
	taskNodes = 512

	// treeDepth bounds the depth: 63 bits of code, and 31 halvings of a range of equal codes.
	treeDepth = 96
)

// node is one cache line.
type node struct {
	box   r3.Box
	skip  int32 // the first node after the subtree
	first int32 // of a leaf: its first place in prim
	count int32 // of a leaf: its number of places; 0 for inner nodes
}

// Tree answers which boxes of a set meet a box or are near a point. Build it with NewTree. Queries
// only read, so several goroutines may ask at once.
type Tree struct {
	nodes  []node
	prim   []int32  // primitives in tree order
	box    []r3.Box // their boxes, in tree order; empty ones made canonical
	leaves []int32  // leaf nodes in tree order

	tasks [][2]int32 // subtrees [lo, hi) of at most taskNodes nodes that together cover all but top
	top   []int32    // the nodes above the tasks, parents first

	cost, built float64   // surface-area cost now and when built
	partial     []float64 // cost of each task

	codes, codes2 []uint64 // scratch of Rebuild
	prim2         []int32

	boxes     []r3.Box // argument of the refit under way
	refitBody func(lo, hi int)
}

// NewTree returns a tree over primitives 0 to len(boxes)-1. It keeps no reference to boxes.
func NewTree(boxes []r3.Box) *Tree {
	t := &Tree{}
	t.refitBody = t.refitTasks
	t.Rebuild(boxes)
	return t
}

// Len returns the number of primitives.
func (t *Tree) Len() int { return len(t.prim) }

// Bounds returns the box around all primitives, an empty one if there are none.
func (t *Tree) Bounds() r3.Box {
	if len(t.nodes) == 0 {
		return r3.EmptyBox()
	}
	return t.nodes[0].box
}

// Growth returns the surface-area cost of the tree as a multiple of the cost when it was built.
func (t *Tree) Growth() float64 {
	if t.cost == t.built {
		return 1
	}
	return t.cost / t.built
}

// Update refits the tree and, when its cost has thereby grown beyond limit times the cost when it
// was built, builds it anew. It reports whether it did. A limit of 1.5 to 2 is a good choice.
func (t *Tree) Update(team *par.Team, boxes []r3.Box, limit float64) bool {
	if len(boxes) == len(t.prim) {
		t.Refit(team, boxes)
		if t.Growth() <= limit {
			return false
		}
	}
	t.Rebuild(boxes)
	return true
}

// Rebuild makes the tree anew over boxes, whose number may differ from before.
func (t *Tree) Rebuild(boxes []r3.Box) {
	n := len(boxes)
	t.codes, t.codes2 = slices.Grow(t.codes[:0], n)[:n], slices.Grow(t.codes2[:0], n)[:n]
	t.prim, t.prim2 = slices.Grow(t.prim[:0], n)[:n], slices.Grow(t.prim2[:0], n)[:n]
	t.box = slices.Grow(t.box[:0], n)[:n]
	t.nodes, t.leaves = t.nodes[:0], t.leaves[:0]
	if n > 0 {
		t.order(boxes)
		t.grow(0, int32(n))
	}
	t.divide()
	t.Refit(nil, boxes)
	t.built = t.cost
}

// order fills prim and codes in the order of the curve; equal codes stay in the order of indices.
func (t *Tree) order(boxes []r3.Box) {
	middles := r3.EmptyBox()
	for i := range boxes {
		if !boxes[i].Empty() {
			middles = middles.With(boxes[i].Center())
		}
	}
	// One scale for all axes: a flat sheet must not be cut by the noise across it.
	size := middles.Size()
	scale := float64(1<<21-1) / max(size.X, size.Y, size.Z, math.SmallestNonzeroFloat64)
	if !(scale <= math.MaxFloat64) {
		scale = 0
	}
	for i := range boxes {
		t.prim[i] = int32(i)
		if boxes[i].Empty() {
			t.codes[i] = math.MaxUint64
			continue
		}
		d := boxes[i].Center().Sub(middles.Min).Scale(scale)
		t.codes[i] = spread(d.X)<<2 | spread(d.Y)<<1 | spread(d.Z)
	}
	t.sort()
}

// spread returns the low 21 bits of the integer part of x with two zeros between any two of them.
func spread(x float64) uint64 {
	b := uint64(int64(x)) & (1<<21 - 1)
	b = (b | b<<32) & 0x001f00000000ffff
	b = (b | b<<16) & 0x001f0000ff0000ff
	b = (b | b<<8) & 0x100f00f00f00f00f
	b = (b | b<<4) & 0x10c30c30c30c30c3
	b = (b | b<<2) & 0x1249249249249249
	return b
}

// sort orders (codes, prim) by code: a stable radix sort, 11 bits a pass from the lowest.
func (t *Tree) sort() {
	const digit = 11
	var counts [1 << digit]int32
	for shift := 0; shift < 64; shift += digit {
		clear(counts[:])
		for _, c := range t.codes {
			counts[c>>shift&(1<<digit-1)]++
		}
		if counts[t.codes[0]>>shift&(1<<digit-1)] == int32(len(t.codes)) {
			continue // all alike in this digit
		}
		at := int32(0)
		for d, c := range counts {
			counts[d] = at
			at += c
		}
		for i, c := range t.codes {
			d := c >> shift & (1<<digit - 1)
			t.codes2[counts[d]], t.prim2[counts[d]] = c, t.prim[i]
			counts[d]++
		}
		t.codes, t.codes2 = t.codes2, t.codes
		t.prim, t.prim2 = t.prim2, t.prim
	}
}

// grow appends the subtree over places [lo, hi) of prim.
func (t *Tree) grow(lo, hi int32) {
	i := int32(len(t.nodes))
	if hi-lo <= leafSize {
		t.nodes = append(t.nodes, node{skip: i + 1, first: lo, count: hi - lo})
		t.leaves = append(t.leaves, i)
		return
	}
	t.nodes = append(t.nodes, node{})
	mid := t.cut(lo, hi)
	t.grow(lo, mid)
	t.grow(mid, hi)
	t.nodes[i].skip = int32(len(t.nodes))
}

// cut returns where [lo, hi) is divided: the first place with the highest differing bit set.
func (t *Tree) cut(lo, hi int32) int32 {
	differ := t.codes[lo] ^ t.codes[hi-1]
	if differ == 0 {
		return lo + (hi-lo)/2
	}
	bit := uint64(1) << (bits.Len64(differ) - 1)
	l, r := lo, hi-1 // bit is clear at l and set at r
	for r-l > 1 {
		m := l + (r-l)/2
		if t.codes[m]&bit == 0 {
			l = m
		} else {
			r = m
		}
	}
	return r
}

// divide lists the subtrees that are refitted as tasks, and the nodes above them.
func (t *Tree) divide() {
	t.tasks, t.top = t.tasks[:0], t.top[:0]
	for i := int32(0); i < int32(len(t.nodes)); {
		if skip := t.nodes[i].skip; skip-i <= taskNodes {
			t.tasks = append(t.tasks, [2]int32{i, skip})
			i = skip
			continue
		}
		t.top = append(t.top, i)
		i++
	}
	t.partial = slices.Grow(t.partial[:0], len(t.tasks))[:len(t.tasks)]
}

// Refit takes the primitives' new boxes, as many as the tree was built over, and keeps the
// structure. It does not allocate.
func (t *Tree) Refit(team *par.Team, boxes []r3.Box) {
	if len(boxes) != len(t.prim) {
		panic(fmt.Sprintf("geom: tree of %d primitives refitted to %d boxes", len(t.prim), len(boxes)))
	}
	// Tasks write nodes, boxes and a partial cost of their own. Costs are added in task order.
	t.boxes = boxes
	team.For(len(t.tasks), 1, t.refitBody)
	t.boxes = nil
	cost := 0.0
	for _, c := range t.partial {
		cost += c
	}
	for k := len(t.top) - 1; k >= 0; k-- {
		cost += t.refitInner(t.top[k])
	}
	t.cost = cost
	// NaN and infinity propagate through min and max, so the root tells of any.
	if unusable(t.Bounds()) {
		for i, b := range boxes {
			if unusable(b) {
				panic(fmt.Sprintf("geom: box %d is not finite: %v", i, b))
			}
		}
	}
}

func unusable(b r3.Box) bool { return !b.Empty() && (!b.Min.Finite() || !b.Max.Finite()) }

func (t *Tree) refitTasks(lo, hi int) {
	empty := r3.EmptyBox()
	for k := lo; k < hi; k++ {
		cost := 0.0
		for i := t.tasks[k][1] - 1; i >= t.tasks[k][0]; i-- {
			if t.nodes[i].count > 0 {
				cost += t.refitLeaf(i, &empty)
			} else {
				cost += t.refitInner(i)
			}
		}
		t.partial[k] = cost
	}
}

func (t *Tree) refitInner(i int32) float64 {
	a := &t.nodes[i+1]
	b, n := &t.nodes[a.skip], &t.nodes[i]
	n.box.Min.X = min(a.box.Min.X, b.box.Min.X)
	n.box.Min.Y = min(a.box.Min.Y, b.box.Min.Y)
	n.box.Min.Z = min(a.box.Min.Z, b.box.Min.Z)
	n.box.Max.X = max(a.box.Max.X, b.box.Max.X)
	n.box.Max.Y = max(a.box.Max.Y, b.box.Max.Y)
	n.box.Max.Z = max(a.box.Max.Z, b.box.Max.Z)
	return 2 * halfArea(&n.box)
}

// refitLeaf takes the empty box ready made: building it for each leaf costs a fifth of the refit.
func (t *Tree) refitLeaf(i int32, empty *r3.Box) float64 {
	n := &t.nodes[i]
	end := n.first + n.count
	prim, own := t.prim[n.first:end], t.box[n.first:end]
	u := *empty
	for k, p := range prim {
		b := &t.boxes[p]
		if b.Min.X > b.Max.X || b.Min.Y > b.Max.Y || b.Min.Z > b.Max.Z {
			own[k] = *empty
			continue
		}
		own[k] = *b
		u.Min.X, u.Max.X = min(u.Min.X, b.Min.X), max(u.Max.X, b.Max.X)
		u.Min.Y, u.Max.Y = min(u.Min.Y, b.Min.Y), max(u.Max.Y, b.Max.Y)
		u.Min.Z, u.Max.Z = min(u.Min.Z, b.Min.Z), max(u.Max.Z, b.Max.Z)
	}
	n.box = u
	return float64(n.count) * halfArea(&u)
}

// halfArea returns half the surface area of b, 0 for the empty box.
func halfArea(b *r3.Box) float64 {
	x, y, z := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y, b.Max.Z-b.Min.Z
	if x < 0 {
		return 0
	}
	return x*(y+z) + y*z
}
