package geom

// Pairs of boxes that meet, in one tree or between two.
//
// Every leaf of the first tree asks the second for the leaves that meet it, once for all its
// primitives, and each primitive then looks through those. All pairs of a primitive a are thus found
// in one place, in a self query too, where each leaf looks both ways and keeps the partners of higher
// index. That costs twice the box tests of a descent that meets each pair once, but no scatter:
// lists of partners are sorted where they are found, counted by a, and copied to their places.
//
// Why the order cannot matter: chunks of leaves depend on the number of leaves only; a chunk writes
// its own lists and the counts of its own primitives; and places follow from the counts in index order.

import (
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// PairFinder finds pairs of boxes that meet. It holds the scratch of a query, so that one that is
// kept does not allocate when the number of pairs does not grow. The zero PairFinder is ready.
type PairFinder struct {
	a, b  *Tree
	self  bool
	keep  func(a, b int32) bool
	dst   [][2]int32
	grain int // leaves in a chunk

	chunks []pairChunk
	start  []int // by primitive of a: number of partners, then where its pairs begin

	findBody, placeBody func(lo, hi int)
}

// pairChunk is what one chunk of leaves has found.
type pairChunk struct {
	partners []int32 // lists of partners, one after another in tree order of a
	near     []int32 // leaves of b that meet the leaf at hand
}

// Self returns the pairs (i, j), i < j, of primitives of t whose boxes meet, touching included, for
// which keep is true, sorted by i and then j. A nil keep keeps all; keep is called from several
// goroutines. Pairs are written to dst from its beginning, growing it where needed.
func (f *PairFinder) Self(team *par.Team, t *Tree, dst [][2]int32, keep func(i, j int32) bool) [][2]int32 {
	f.self = true
	return f.find(team, t, t, dst, keep)
}

// Between returns the pairs (i, j) of primitives i of a and j of b whose boxes meet, touching
// included, for which keep is true, sorted by i and then j. A nil keep keeps all; keep is called from
// several goroutines. Work is divided over the leaves of a: the larger tree is the better a. Pairs are
// written to dst from its beginning, growing it where needed.
func (f *PairFinder) Between(team *par.Team, a, b *Tree, dst [][2]int32, keep func(i, j int32) bool) [][2]int32 {
	f.self = false
	return f.find(team, a, b, dst, keep)
}

func (f *PairFinder) find(team *par.Team, a, b *Tree, dst [][2]int32, keep func(i, j int32) bool) [][2]int32 {
	if f.findBody == nil {
		f.findBody, f.placeBody = f.findChunk, f.placeChunk
	}
	// At most 256 chunks: enough for any number of cores, few enough that their buffers settle soon.
	leaves := len(a.leaves)
	f.grain = max(16, (leaves+255)/256)
	for len(f.chunks) < (leaves+f.grain-1)/f.grain {
		f.chunks = append(f.chunks, pairChunk{})
	}
	f.start = slices.Grow(f.start[:0], a.Len())[:a.Len()]
	f.a, f.b, f.keep = a, b, keep

	team.For(leaves, f.grain, f.findBody)
	total := 0
	for i, count := range f.start {
		f.start[i] = total
		total += count
	}
	f.dst = slices.Grow(dst[:0], total)[:total]
	team.For(leaves, f.grain, f.placeBody)

	dst = f.dst
	f.a, f.b, f.keep, f.dst = nil, nil, nil, nil
	return dst
}

func (f *PairFinder) findChunk(lo, hi int) {
	c := &f.chunks[lo/f.grain]
	c.partners = c.partners[:0]
	for _, leaf := range f.a.leaves[lo:hi] {
		n := &f.a.nodes[leaf]
		c.near = f.b.leavesMeeting(&n.box, c.near[:0])
		for k := n.first; k < n.first+n.count; k++ {
			begin := len(c.partners)
			f.partners(c, f.a.prim[k], &f.a.box[k])
			found := c.partners[begin:]
			slices.Sort(found)
			f.start[f.a.prim[k]] = len(found)
		}
	}
}

// leavesMeeting appends the leaves whose boxes meet q.
func (t *Tree) leavesMeeting(q *r3.Box, dst []int32) []int32 {
	box := *q
	for i := int32(0); i < int32(len(t.nodes)); {
		n := &t.nodes[i]
		if !n.box.Overlaps(&box) {
			i = n.skip
			continue
		}
		if n.count > 0 {
			dst = append(dst, i)
		}
		i++
	}
	return dst
}

// partners appends the primitives of b, in the leaves near, that primitive i of a is paired with.
func (f *PairFinder) partners(c *pairChunk, i int32, q *r3.Box) {
	box, t := *q, f.b
	for _, leaf := range c.near {
		n := &t.nodes[leaf]
		if !n.box.Overlaps(&box) {
			continue
		}
		for k := n.first; k < n.first+n.count; k++ {
			j := t.prim[k]
			if f.self && j <= i || !t.box[k].Overlaps(&box) || f.keep != nil && !f.keep(i, j) {
				continue
			}
			c.partners = append(c.partners, j)
		}
	}
}

func (f *PairFinder) placeChunk(lo, hi int) {
	from := f.chunks[lo/f.grain].partners
	for _, leaf := range f.a.leaves[lo:hi] {
		n := &f.a.nodes[leaf]
		for _, i := range f.a.prim[n.first : n.first+n.count] {
			end := len(f.dst)
			if int(i)+1 < len(f.start) {
				end = f.start[i+1]
			}
			count := end - f.start[i]
			for k, j := range from[:count] {
				f.dst[f.start[i]+k] = [2]int32{i, j}
			}
			from = from[count:]
		}
	}
}
