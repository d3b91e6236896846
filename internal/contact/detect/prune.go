package detect

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Pruning, [Li18] section 5.2: of contacts of the same nodes whose normals are closer than an angle, the one with
// the deepest penetration predicted for the end of the step is kept.
//
// Candidates are put into buckets by their lower node, the buckets sorted by the other node, then from the deepest
// up, then by id, and each is kept unless one that was kept before it, of the same nodes, has nearly its normal.
// The nodes of a self-contact are a pair without order: (a, b, n) and (b, a, −n) are the same. Being nearly the
// same is no equivalence; going from the deepest up makes the outcome a function of the set.

// pruner holds the scratch of prune.
type pruner struct {
	start []int32 // by node: where its bucket ends, while it is filled where it goes on
	keys  []pruneKey
	kept  []int32
}

// pruneKey is a candidate in its bucket.
type pruneKey struct {
	high  int32   // the higher node; of an obstacle: −2 − its index, and below facesOf for points of faces
	index int32   // of the candidate
	end   float64 // of the candidate, less what it keeps beyond the usual thickness
}

// facesOf keeps points of faces apart from the nodes that are nearest to them: to hold one is not to hold the other.
const facesOf = -1 << 24

func keyOf(c *candidate) (low, high int32) {
	switch {
	case c.obstacle != contact.None && c.weighted():
		return c.a, facesOf - c.obstacle
	case c.obstacle != contact.None:
		return c.a, -2 - c.obstacle
	}
	return min(c.a, c.b), max(c.a, c.b)
}

// samePlace tells whether two contacts with the same key are at the same place, as contacts of nodes are, and those of
// two faces in a common edge. Places of rigid bodies are the same if they are near.
func samePlace(a, b *candidate, near float64) bool {
	const least = 0.9 // common weight
	if a.rigid && b.rigid {
		return a.point.Sub(b.point).Norm2() < near*near
	}
	if a.obstacle == contact.None || !a.weighted() {
		return true
	}
	common := 0.0
	for _, p := range a.row[:a.terms] {
		for _, q := range b.row[:b.terms] {
			if p.Point == q.Point {
				common += max(0, min(p.W, q.W))
			}
		}
	}
	return common > least
}

// towardsHigh returns the normal as seen from the lower block of a pair.
func towardsHigh(c *candidate) r3.Vec {
	if c.obstacle == contact.None && c.a > c.b {
		return c.normal.Neg()
	}
	return c.normal
}

// sameEnd is the difference between distances at the end of a step that does not count, in thicknesses. A vertex that
// meets an edge where triangles share it is found with each of them, at distances that differ by rounding: which of
// them is kept must not depend on where in the world that is. Rounding is a hundred times less within 100 m of the
// origin.
const sameEnd = 1e-9

// prune returns the indices of the candidates that are kept, by nodes, of which there are the given number. The
// slice is valid until the next call.
func (p *pruner) prune(found []candidate, nodes int, angle, thickness float64) []int32 {
	p.fill(found, nodes)
	p.kept = p.kept[:0]
	alike := math.Cos(angle)
	begin := int32(0)
	for _, end := range p.start[:nodes] {
		if bucket := p.keys[begin:end]; len(bucket) > 0 {
			p.pruneBucket(found, bucket, alike, thickness)
		}
		begin = end
	}
	return p.kept
}

// fill puts the candidates into buckets.
func (p *pruner) fill(found []candidate, nodes int) {
	p.start = slices.Grow(p.start[:0], nodes+1)[:nodes+1]
	clear(p.start)
	for i := range found {
		low, _ := keyOf(&found[i])
		p.start[low+1]++
	}
	for i := range nodes {
		p.start[i+1] += p.start[i]
	}
	p.keys = slices.Grow(p.keys[:0], len(found))[:len(found)]
	for i := range found {
		low, high := keyOf(&found[i])
		p.keys[p.start[low]] = pruneKey{high, int32(i), found[i].end - found[i].extra}
		p.start[low]++
	}
}

// sortBucket sorts candidates by their higher node, by their end, and by their id where ends are the same.
func sortBucket(found []candidate, bucket []pruneKey, same float64) {
	slices.SortFunc(
		bucket,
		func(a, b pruneKey) int { return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.end, b.end)) },
	)
	for i := 0; i < len(bucket); {
		j := i + 1
		for j < len(bucket) && bucket[j].high == bucket[i].high && bucket[j].end <= bucket[i].end+same {
			j++
		}
		slices.SortFunc(bucket[i:j], func(a, b pruneKey) int { return found[a.index].id.Compare(found[b.index].id) })
		i = j
	}
}

func (p *pruner) pruneBucket(found []candidate, bucket []pruneKey, alike, thickness float64) {
	const together = 0.01 // [thicknesses]
	sortBucket(found, bucket, sameEnd*thickness)
	near := together * thickness
	begin := len(p.kept) // of the kept ones of the group
	for k, key := range bucket {
		if k > 0 && key.high != bucket[k-1].high {
			begin = len(p.kept)
		}
		n := towardsHigh(&found[key.index])
		redundant := false
		for _, i := range p.kept[begin:] {
			if towardsHigh(&found[i]).Dot(n) > alike && samePlace(&found[i], &found[key.index], near) {
				redundant = true
				break
			}
		}
		if !redundant {
			p.kept = append(p.kept, key.index)
		}
	}
}
