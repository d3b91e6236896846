package geom

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Facing knows for every node of a tree which ways the primitives below it face, so that a search for those that face one way need not look at the others. The zero Facing is ready.
type Facing struct {
	box []r3.Box // around the normals below each node
}

// Update takes the normals of the primitives of t, of any lengths. It must be called again when normals change or t is built anew.
func (f *Facing) Update(t *Tree, normal []r3.Vec) {
	f.box = slices.Grow(f.box[:0], len(t.nodes))[:len(t.nodes)]
	for i := len(t.nodes) - 1; i >= 0; i-- { // children come after their parents
		n := &t.nodes[i]
		if n.count == 0 {
			right := t.nodes[i+1].skip
			f.box[i] = f.box[i+1].Union(f.box[right])
			continue
		}
		b := r3.EmptyBox()
		for _, p := range t.prim[n.first : n.first+n.count] {
			b = b.With(normal[p])
		}
		f.box[i] = b
	}
}

// against reports whether a normal below a node may be against n.
func (f *Facing) against(node int32, n r3.Vec) bool {
	b := &f.box[node]
	return min(b.Min.X*n.X, b.Max.X*n.X)+min(b.Min.Y*n.Y, b.Max.Y*n.Y)+min(b.Min.Z*n.Z, b.Max.Z*n.Z) < 0
}

// NearestAgainst is Nearest among the primitives whose normals are against n: nodes of t all of whose normals are not are passed over. dist2 may still be asked for some that are not,
// and says NaN for them.
func (t *Tree) NearestAgainst(x r3.Vec, within float64, f *Facing, n r3.Vec, dist2 func(i int32) float64) (best int32, d2 float64) {
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
	var stack [treeDepth + 1]entry
	stack[0] = entry{0, boxDistance2(root, x)}
	for top := 1; top > 0; {
		top--
		i := stack[top].node
		if !(stack[top].lower <= limit) || !f.against(i, n) {
			continue
		}
		node := &t.nodes[i]
		if node.count == 0 { // the nearer side is taken up next
			near, far := i+1, t.nodes[i+1].skip
			a, b := boxDistance2(&t.nodes[near].box, x), boxDistance2(&t.nodes[far].box, x)
			if b < a {
				near, far, a, b = far, near, b, a
			}
			stack[top], stack[top+1] = entry{far, b}, entry{near, a}
			top += 2
			continue
		}
		for k := node.first; k < node.first+node.count; k++ {
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
