package detect

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// fits reports whether t can go on serving a skin.
func (t *obstacle) fits(o *contact.Skin) bool {
	if o.Field == nil {
		return t.sharpOf == nil && len(t.last) == len(o.X0) && sameSlice(t.features.tri, o.Tri) &&
			sameSlice(t.features.edges, o.Edges) && sameSlice(t.features.dots, o.Dots)
	}
	return t.sharpOf != nil && sameShape(t.sharpOf, o.Field)
}

// sameShape reports whether two shapes have the same sharp features; smooth ones have none.
func sameShape(a, b geom.Field) bool {
	switch s := a.(type) {
	case shape.Box:
		t, ok := b.(shape.Box)
		return ok && s == t
	case shape.Cylinder:
		t, ok := b.(shape.Cylinder)
		return ok && s == t
	case shape.Cone:
		t, ok := b.(shape.Cone)
		return ok && s == t
	case shape.Placed:
		t, ok := b.(shape.Placed)
		return ok && s.Pose == t.Pose && sameShape(s.Shape, t.Shape)
	}
	switch b.(type) {
	case shape.Box, shape.Cylinder, shape.Cone, shape.Placed:
		return false
	}
	return true
}

// bare reports whether the obstacle has no corners.
func (t *obstacle) bare() bool { return len(t.boxes) == 0 }

// newObstacle returns the obstacle of the skin with an index.
func newObstacle(o *contact.Skin, index int32, thickness float64) *obstacle {
	t := &obstacle{skin: index}
	if o.Field != nil {
		points, edges, corners := sharpFeatures(o.Field, thickness)
		t.sharp, t.corners, t.sharpOf, t.surface = points, corners, o.Field, sharpSurface(points, edges)
		t.boxes = make([]r3.Box, len(edges)+len(points))
	} else {
		if len(o.X1) != len(o.X0) {
			panic("contact: an obstacle has different numbers of vertices at the start and at the end")
		}
		t.features = features{o.Tri, o.Edges, o.Dots}
		t.surface = connect(len(o.X0), t.features)
		if len(o.Tri) > 0 {
			t.mesh = geom.NewMeshField(o.X0, o.Tri)
			t.closed = t.mesh.Closed()
			made := o.MadeAt(o.X0)
			t.outward, t.size = t.surface.outward(made, 0, 0, int32(len(o.Tri))), extentOf(made)
		}
		t.last = slices.Clone(o.X0)
		t.boxes = make([]r3.Box, len(t.surface.prim))
	}
	t.edgeBoxes = make([]r3.Box, len(t.surface.edge))
	t.side = side{surface: &t.surface, led: index}
	return t
}

// treeDecay is the cost of a tree, as a multiple of that when it was built, at which it is built anew.
const treeDecay = 1.7

// begin takes the positions of the step, of so many points of moving skins.
func (t *obstacle) begin(o *contact.Skin, team *par.Team, points int) {
	t.Skin = o
	t.tangled = t.tangled[:0]
	// of other points than before nothing is known
	if t.closed && len(t.inside) != points {
		t.inside, t.clearance = make([]bool, points), make([]clearance, points)
	}
	// sharp points of a shape, at both ends of its way
	if o.Field != nil {
		t.fitted = false
		t.x0, t.x1 = slices.Grow(t.x0[:0], len(t.sharp)), slices.Grow(t.x1[:0], len(t.sharp))
		t.travelled = r3.Vec{}
		for _, p := range t.sharp {
			t.x0, t.x1 = append(t.x0, o.From.Apply(p)), append(t.x1, o.To.Apply(p))
		}
		return
	}
	// boxes and tree hold if the mesh ends where it did
	t.fitted = t.fitted && t.travelled == (r3.Vec{}) && slices.Equal(t.x1, o.X1)
	// greatest displacement since the last step
	most := 0.0
	for v, x := range o.X0 {
		most = max(most, x.Sub(t.last[v]).Norm2())
	}
	// a mesh that has moved: what is known about points holds within its drift
	if most > 0 {
		t.fitted = false
		t.drift += math.Sqrt(most)
		copy(t.last, o.X0)
		if t.closed {
			t.mesh.Update(team, o.X0)
		}
	}
	t.travelled = r3.Vec{}
	t.x1 = append(t.x1[:0], o.X1...)
	t.x0 = o.X0
}

// move adds the travel of the block, to the given positions and not to those it was added to before: sums of roundings
// would tell how often that was done.
func (t *obstacle) move(travel r3.Vec) {
	if travel != t.travelled {
		for v := range t.x1 {
			if t.Field != nil {
				t.x1[v] = t.To.Apply(t.sharp[v]).Add(travel)
			} else {
				t.x1[v] = t.X1[v].Add(travel)
			}
		}
		t.travelled, t.fitted = travel, false
	}
	t.side.x0, t.side.x1 = t.x0, t.x1
}

// fit fits boxes and tree to the motion.
func (t *obstacle) fit(team *par.Team, margin float64) {
	if t.fitted && t.fittedMargin == margin {
		return
	}
	t.fitted, t.fittedMargin = true, margin
	for e, v := range t.surface.edge {
		t.edgeBoxes[e] = sweptEdge(t.side.x0, t.side.x1, v, margin)
	}
	if t.Field != nil {
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
		t.tree.Update(team, t.boxes, treeDecay)
	}
}

// footOf returns a point of the mesh.
func (t *obstacle) footOf(p geom.MeshPoint) foot {
	return foot{t.surface.prim[p.Triangle], p.Weights, true}
}
