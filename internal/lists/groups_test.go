package lists

import (
	"math/rand/v2"
	"testing"
)

// Groups are those that paths lead through, each named by its lowest.
func TestGroups(t *testing.T) {
	const n = 60
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := NewGroups(n)
		name := make([]int32, n) // by hand: all of a group are renamed at once
		for v := range name {
			name[v] = int32(v)
		}
		for range r.IntN(n) {
			a, b := r.Int32N(n), r.Int32N(n)
			g.Join(a, b)
			keep, gone := min(name[a], name[b]), max(name[a], name[b])
			for v := range name {
				if name[v] == gone {
					name[v] = keep
				}
			}
		}
		for v := range int32(n) {
			if g.Of(v) != name[v] {
				t.Fatalf("seed %d: %d is in group %d, not %d", seed, v, g.Of(v), name[v])
			}
		}
	}
}
