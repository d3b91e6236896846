package contact

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Pruning, [Li18] section 5.2: of contacts of the same nodes whose normals are closer than an angle, the one with the deepest
// penetration predicted for the end of the step is kept.
//
// Candidates are sorted by nodes, then from the deepest up, then by id, and each is kept unless one that was kept before it, of the
// same nodes, has nearly its normal. The nodes of a self-contact are a pair without order: (a, b, n) and (b, a, −n)
// are the same. Being nearly the same is no equivalence; going from the deepest up makes the outcome a function of the set.

// pruner holds the scratch of prune.
type pruner struct {
	keys []pruneKey
	kept []int32
}

// pruneKey is what tells groups apart.
type pruneKey struct {
	low, high int32   // blocks; of an obstacle: −2 − its index
	end       float64 // of the candidate
	index     int32
}

func keyOf(c *candidate) (low, high int32) {
	if c.obstacle != None {
		return c.a, -2 - c.obstacle
	}
	return min(c.a, c.b), max(c.a, c.b)
}

// towardsHigh returns the normal as seen from the lower block of a pair.
func towardsHigh(c *candidate) r3.Vec {
	if c.obstacle == None && c.a > c.b {
		return c.normal.Neg()
	}
	return c.normal
}

// prune returns the indices of the candidates that are kept, by nodes. The slice is valid until the next call.
func (p *pruner) prune(found []candidate, angle float64) []int32 {
	p.keys = p.keys[:0]
	for i := range found {
		low, high := keyOf(&found[i])
		p.keys = append(p.keys, pruneKey{low, high, found[i].end, int32(i)})
	}
	slices.SortFunc(p.keys, func(a, b pruneKey) int {
		if c := cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high), cmp.Compare(a.end, b.end)); c != 0 {
			return c
		}
		return found[a.index].id.Compare(found[b.index].id)
	})
	p.kept = p.kept[:0]
	alike := math.Cos(angle)
	begin := 0 // of the kept ones of the group
	for k, key := range p.keys {
		if k > 0 && (key.low != p.keys[k-1].low || key.high != p.keys[k-1].high) {
			begin = len(p.kept)
		}
		n := towardsHigh(&found[key.index])
		redundant := false
		for _, i := range p.kept[begin:] {
			if towardsHigh(&found[i]).Dot(n) > alike {
				redundant = true
				break
			}
		}
		if !redundant {
			p.kept = append(p.kept, key.index)
		}
	}
	return p.kept
}
