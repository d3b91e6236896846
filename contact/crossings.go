package contact

import (
	"slices"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// Crossing names two features that cross: two triangles, or a vertex inside a shape.
type Crossing struct {
	SurfaceA, SurfaceB   int32
	TriangleA, TriangleB int32 // None if a vertex is inside a shape
	Vertex               int32 // of surface A, inside shape B; None if two triangles cross
}

// crossingScratch holds what counting needs.
type crossingScratch struct {
	x          []r3.Vec
	solid      *target
	placed     []r3.Vec // corners of the solid
	moved      []r3.Vec // memory for them
	boxes      []r3.Box
	solidBoxes []r3.Box
	tree       *geom.Tree
	pairs      [][2]int32

	keepSelf, keepSolid func(i, j int32) bool
	boxBody             func(lo, hi int)
}

func (s *crossingScratch) prepare(f *Finder) {
	s.keepSelf = func(i, j int32) bool { return geom.MeshTriangles(s.x, f.cloth.tri[i], f.cloth.tri[j]) }
	s.keepSolid = func(i, j int32) bool {
		a, b := f.cloth.tri[i], s.solid.surface.tri[j]
		return geom.Triangles([3]r3.Vec{s.x[a[0]], s.x[a[1]], s.x[a[2]]}, [3]r3.Vec{s.placed[b[0]], s.placed[b[1]], s.placed[b[2]]})
	}
	s.boxBody = func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.boxes[i] = sweptTriangle(s.x, s.x, f.cloth.tri[i], 0)
		}
	}
}

// Crossings counts what crosses when the blocks are at x and the obstacles where they are at the end of the step: pairs of triangles of
// sheets, and of a sheet and an obstacle mesh, and vertices of sheets inside shapes. It returns the first, in this order.
// Touching is not crossing, by the rule of geom.Triangles.
func (f *Finder) Crossings(x []r3.Vec) (count int, first Crossing) {
	note := func(n int, c Crossing) {
		if count == 0 && n > 0 {
			first = c
		}
		count += n
	}
	s := &f.crossing
	s.x = x
	f.Team.Enter()
	defer f.Team.Leave()
	if len(f.cloth.tri) > 0 {
		s.boxes = slices.Grow(s.boxes[:0], len(f.boxes))[:len(f.boxes)]
		f.Team.For(len(s.boxes), pairGrain, s.boxBody)
		if s.tree == nil {
			s.tree = geom.NewTree(s.boxes)
		} else {
			s.tree.Update(f.Team, s.boxes, treeDecay)
		}
		s.pairs = f.finder.Self(f.Team, s.tree, s.pairs, s.keepSelf)
		note(f.firstCrossing(&f.cloth))
	}
	for _, t := range f.solids {
		if t.mesh == nil || len(f.cloth.tri) == 0 {
			continue
		}
		f.place(t, x)
		s.pairs = f.finder.Between(f.Team, s.tree, t.tree, s.pairs, s.keepSolid)
		note(f.firstCrossing(&t.side))
	}
	for i := range f.obstacles {
		if f.obstacles[i].Field != nil {
			note(f.verticesInside(int32(i), x))
		}
	}
	return count, first
}

// firstCrossing counts the pairs found with side q.
func (f *Finder) firstCrossing(q *side) (int, Crossing) {
	pairs := f.crossing.pairs
	if len(pairs) == 0 {
		return 0, Crossing{}
	}
	a, b := f.feature(&f.cloth, Face, pairs[0][0]), f.feature(q, Face, pairs[0][1])
	return len(pairs), Crossing{a.Surface, b.Surface, int32(a.ID), int32(b.ID), None}
}

// place puts an obstacle mesh where it is at the end, its press moved as x says, and fits its tree to that.
func (f *Finder) place(t *target, x []r3.Vec) {
	s, o := &f.crossing, &f.obstacles[t.obstacle]
	travel := f.travelTo(t.obstacle, x)
	s.solid = t
	if t.fitted && travel == t.travelled {
		s.placed = t.x1 // the boxes of the motion contain those of its end
		return
	}
	s.placed = s.moved[:0]
	for _, p := range o.X1 {
		s.placed = append(s.placed, p.Add(travel))
	}
	s.moved = s.placed
	s.solidBoxes = s.solidBoxes[:0] // those of t may still be wanted by Extend
	for _, v := range t.surface.tri {
		s.solidBoxes = append(s.solidBoxes, sweptTriangle(s.placed, s.placed, v, 0))
	}
	t.fitted = false
	if t.tree == nil {
		t.tree = geom.NewTree(s.solidBoxes)
	} else {
		t.tree.Update(f.Team, s.solidBoxes, treeDecay)
	}
}

// travelTo is how far the block of obstacle i has moved since the start of the step when it is at x.
func (f *Finder) travelTo(i int32, x []r3.Vec) r3.Vec {
	block := f.obstacles[i].Block
	if block == None || int(i) >= len(f.starts) {
		return r3.Vec{}
	}
	return x[block].Sub(f.starts[i])
}

func (f *Finder) verticesInside(i int32, x []r3.Vec) (count int, first Crossing) {
	o := &f.obstacles[i]
	travel, back := f.travelTo(i, x), o.To.Inverse()
	for _, block := range f.blocks {
		if d, _ := o.Field.Distance(back.Apply(x[block].Sub(travel))); d < 0 {
			if count == 0 {
				a := f.feature(&f.cloth, Vertex, block)
				first = Crossing{a.Surface, o.Surface, None, None, int32(a.ID)}
			}
			count++
		}
	}
	return count, first
}
