package geom

import (
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Facing knows for every node of a tree which ways the primitives below it face, so that a search for those that face
// one way need not look at the others. The zero Facing is ready.
type Facing struct {
	box    []r3.Box // around the normals below each node
	tree   *Tree    // argument of Update under way
	normal []r3.Vec // argument of Update under way
	body   func(lo, hi int)
}

// Update takes the normals of the primitives of t, of any lengths. It must be called again when normals change or t is
// built anew.
func (f *Facing) Update(team *par.Team, t *Tree, normal []r3.Vec) {
	f.box = slices.Grow(f.box[:0], len(t.nodes))[:len(t.nodes)]
	f.tree, f.normal = t, normal
	if f.body == nil {
		f.body = f.updateTasks
	}
	team.For(len(t.tasks), 1, f.body)
	for _, i := range slices.Backward(t.top) {
		f.updateNode(i)
	}
	f.tree, f.normal = nil, nil
}

// updateTasks takes the normals of some subtrees.
func (f *Facing) updateTasks(lo, hi int) {
	for _, task := range f.tree.tasks[lo:hi] {
		for i := task[1] - 1; i >= task[0]; i-- { // children come after their parents
			f.updateNode(i)
		}
	}
}

func (f *Facing) updateNode(i int32) {
	n := &f.tree.nodes[i]
	if n.count == 0 {
		right := f.tree.nodes[i+1].skip
		f.box[i] = f.box[i+1].Union(f.box[right])
		return
	}
	b := r3.EmptyBox()
	for _, p := range f.tree.prim[n.first : n.first+n.count] {
		b = b.With(f.normal[p])
	}
	f.box[i] = b
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
