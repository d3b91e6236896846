package contact

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// target is a prescribed skin: a mesh, or a shape with its sharp features. It lasts as long as the topology.
type target struct {
	obstacle int32
	surface  surface
	side     side
	sharp    []r3.Vec     // of a shape: the points in its own axes,
	corners  int          // of which the first are corners
	shape    geom.Field   // whose they are
	at       *fieldTarget // where it is in this step
	features features     // of a mesh
	field    *geom.MeshField
	closed   bool

	x0, x1       []r3.Vec // positions of the step; x1 with the travel of the press
	start        r3.Vec   // of the obstacle's block
	travelled    r3.Vec   // how far it has moved from there, contained in x1
	boxes        []r3.Box // triangles; or segments, then points: swept and inflated
	edgeBoxes    []r3.Box
	tree         *geom.Tree
	fitted       bool // boxes and tree are those of x0 and x1
	fittedMargin float64
	pairs        [][2]int32 // of triangles of sheets, and triangles, segments or points
	tangled      []bool     // by block: it belongs to a sheet that the obstacle crosses at the start; empty: none does

	// What is known about where vertices of sheets are, see inside.go.
	last      []r3.Vec // positions at the step before
	drift     float64  // sum over steps of the greatest displacement of a vertex [m]
	clearance []clearance
	inside    []bool // by block, of this step
}

// fits reports whether t can go on serving obstacle o.
func (t *target) fits(o *Skin) bool {
	if o.Field == nil {
		return t.shape == nil && len(t.last) == len(o.X0) && sameSlice(t.features.tri, o.Tri) &&
			sameSlice(t.features.edges, o.Edges) && sameSlice(t.features.dots, o.Dots)
	}
	return t.shape != nil && sameShape(t.shape, o.Field)
}

// sameShape reports whether two shapes have the same sharp features; smooth ones have none.
func sameShape(a, b geom.Field) bool {
	switch s := a.(type) {
	case geom.Box:
		t, ok := b.(geom.Box)
		return ok && s == t
	case geom.Cylinder:
		t, ok := b.(geom.Cylinder)
		return ok && s == t
	case geom.Cone:
		t, ok := b.(geom.Cone)
		return ok && s == t
	case geom.Placed:
		t, ok := b.(geom.Placed)
		return ok && s.Pose == t.Pose && sameShape(s.Shape, t.Shape)
	}
	switch b.(type) {
	case geom.Box, geom.Cylinder, geom.Cone, geom.Placed:
		return false
	}
	return true
}

// bare reports whether the obstacle has no corners.
func (t *target) bare() bool { return len(t.boxes) == 0 }

// newTarget returns a target for an obstacle.
func newTarget(o *Skin, index int32, thickness float64) *target {
	t := &target{obstacle: index}
	if o.Field != nil {
		points, edges, corners := sharpFeatures(o.Field, thickness)
		t.sharp, t.corners, t.shape, t.surface = points, corners, o.Field, sharpSurface(points, edges)
		t.boxes = make([]r3.Box, len(edges)+len(points))
	} else {
		if len(o.X1) != len(o.X0) {
			panic("contact: an obstacle has different numbers of vertices at the start and at the end")
		}
		t.features = features{o.Tri, o.Edges, o.Dots}
		t.surface = connect(len(o.X0), t.features)
		if len(o.Tri) > 0 {
			t.field = geom.NewMeshField(o.X0, o.Tri)
			t.closed = t.field.Closed()
		}
		t.last = slices.Clone(o.X0)
		t.boxes = make([]r3.Box, len(t.surface.prim))
	}
	t.edgeBoxes = make([]r3.Box, len(t.surface.edge))
	t.side = side{surface: &t.surface, target: t}
	return t
}

// treeDecay is the cost of a tree, as a multiple of that when it was built, at which it is built anew.
const treeDecay = 1.7

// beginTarget takes an obstacle's positions of the step.
func (f *Finder) beginTarget(t *target) {
	o := &f.skins[t.obstacle]
	if t.shape != nil {
		t.fitted = false
		t.x0, t.x1 = slices.Grow(t.x0[:0], len(t.sharp)), slices.Grow(t.x1[:0], len(t.sharp))
		t.travelled = r3.Vec{}
		for _, p := range t.sharp {
			t.x0, t.x1 = append(t.x0, o.From.Apply(p)), append(t.x1, o.To.Apply(p))
		}
		return
	}
	t.fitted = t.fitted && t.travelled == (r3.Vec{}) && slices.Equal(t.x1, o.X1)
	most := 0.0
	for v, x := range o.X0 {
		most = max(most, x.Sub(t.last[v]).Norm2())
	}
	if most > 0 {
		t.fitted = false
		t.drift += math.Sqrt(most)
		copy(t.last, o.X0)
		if t.closed {
			t.field.Update(f.Team, o.X0)
		}
	}
	t.travelled = r3.Vec{}
	t.x1 = append(t.x1[:0], o.X1...)
	t.x0 = o.X0
}

// moveTarget adds the travel of the press, to the given positions and not to those it was added to before: sums of
// roundings would tell how often that was done.
func (f *Finder) moveTarget(t *target) {
	o := &f.skins[t.obstacle]
	if travel := f.travel(t.obstacle); travel != t.travelled {
		for v := range t.x1 {
			if t.shape != nil {
				t.x1[v] = o.To.Apply(t.sharp[v]).Add(travel)
			} else {
				t.x1[v] = o.X1[v].Add(travel)
			}
		}
		t.travelled, t.fitted = travel, false
	}
	t.side.x0, t.side.x1 = t.x0, t.x1
}

// fitTarget fits boxes and tree to the motion.
func (f *Finder) fitTarget(t *target) {
	margin := f.margin() + slack*f.Thickness
	if t.fitted && t.fittedMargin == margin {
		return
	}
	t.fitted, t.fittedMargin = true, margin
	for e, v := range t.surface.edge {
		t.edgeBoxes[e] = sweptEdge(t.side.x0, t.side.x1, v, margin)
	}
	if t.shape != nil {
		copy(t.boxes, t.edgeBoxes)
		for v := range t.sharp {
			t.boxes[len(t.edgeBoxes)+v] = sweptEdge(t.side.x0, t.side.x1, [2]int32{int32(v), int32(v)}, margin)
		}
	} else {
		for i, v := range t.surface.prim {
			t.boxes[i] = sweptTriangle(t.side.x0, t.side.x1, v, margin)
		}
	}
	if t.tree == nil {
		t.tree = geom.NewTree(t.boxes)
	} else {
		t.tree.Update(f.Team, t.boxes, treeDecay)
	}
}

func sweptEdge(x0, x1 []r3.Vec, v [2]int32, margin float64) r3.Box {
	a, b, c, d := &x0[v[0]], &x1[v[0]], &x0[v[1]], &x1[v[1]]
	return r3.Box{
		Min: r3.V(min(a.X, b.X, c.X, d.X)-margin, min(a.Y, b.Y, c.Y, d.Y)-margin, min(a.Z, b.Z, c.Z, d.Z)-margin),
		Max: r3.V(max(a.X, b.X, c.X, d.X)+margin, max(a.Y, b.Y, c.Y, d.Y)+margin, max(a.Z, b.Z, c.Z, d.Z)+margin),
	}
}

func sweptTriangle(x0, x1 []r3.Vec, v [3]int32, margin float64) r3.Box {
	a, b, c := &x0[v[0]], &x0[v[1]], &x0[v[2]]
	p, q, r := &x1[v[0]], &x1[v[1]], &x1[v[2]]
	return r3.Box{
		Min: r3.V(
			min(a.X, b.X, c.X, p.X, q.X, r.X)-margin,
			min(a.Y, b.Y, c.Y, p.Y, q.Y, r.Y)-margin,
			min(a.Z, b.Z, c.Z, p.Z, q.Z, r.Z)-margin,
		),
		Max: r3.V(
			max(a.X, b.X, c.X, p.X, q.X, r.X)+margin,
			max(a.Y, b.Y, c.Y, p.Y, q.Y, r.Y)+margin,
			max(a.Z, b.Z, c.Z, p.Z, q.Z, r.Z)+margin,
		),
	}
}

// margin is what boxes are inflated by: two that are inflated meet if their contents come within the reach.
func (f *Finder) margin() float64 { return max(f.reach, (1+2*sagitta)*f.most) / 2 }
