package detect

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Two layers on each other: every node is held, by fewer contacts than there are nodes, and what was left out comes
// back when the motion would violate it.
func TestCoverHoldsEveryNode(t *testing.T) {
	m, flat := grid(t, 12, 0.01)
	n := len(flat)
	x := make([]r3.Vec, 2*n)
	for i, p := range flat {
		x[i] = p
		x[n+i] = p.Add(r3.V(3e-3, 4e-3, 1e-3))
	}
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), contact.ClothSkin(1, int32(n), m)})
	motion := still(x...)
	var set contact.Set
	f.Find(motion, nil, &set)
	held := make([]float64, 2*n)
	for c := range set.Contacts {
		for _, term := range set.Row(c) {
			held[term.Block] += math.Abs(term.W)
		}
	}
	inner := func(p r3.Vec) bool { return p.X > 0.011 && p.X < 0.109 && p.Y > 0.011 && p.Y < 0.109 }
	for i, weight := range held {
		if weight == 0 && inner(x[i]) {
			t.Errorf("node %d at %v is held by nothing", i, x[i])
		}
	}
	if pruned := len(
		f.pruner.prune(f.rules.found, len(x), f.Prune, f.Thickness),
	); set.Len() > 2*n*3/4 ||
		pruned < 2*set.Len() {
		t.Errorf("%d contacts of %d nodes, of %d that were found", set.Len(), 2*n, pruned)
	}
	// The upper layer falls by half a thickness: all that was found is violated.
	motion.X1 = append([]r3.Vec(nil), x...)
	for i := n; i < 2*n; i++ {
		motion.X1[i].Z -= 5e-4
	}
	before := set.Len()
	f.Extend(motion, nil, &set)
	if set.Len() <= before {
		t.Error("nothing came back")
	}
}
