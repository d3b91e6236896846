package geom

import (
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Facing knows for every node of a tree which ways the primitives below it face, so that a search for those that face
// one way need not look at the others. The zero Facing is ready.
type Facing struct {
	box []r3.Box // around the normals below each node
}

// Update takes the normals of the primitives of t, of any lengths. It must be called again when normals change or t is
// built anew.
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

// NearestAgainst is Nearest among the primitives whose normals are against n: nodes of t all of whose normals are not
// are passed over. dist2 may still be asked for some that are not, and says NaN for them.
func (t *Tree) NearestAgainst(
	x r3.Vec,
	within float64,
	f *Facing,
	n r3.Vec,
	dist2 func(i int32) float64,
) (best int32, d2 float64) {
	return t.nearest(x, within, f, n, dist2)
}
