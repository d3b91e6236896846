package contact

import (
	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// Crossing names two features that cross: two triangles, or a triangle inside a shape.
type Crossing struct {
	SurfaceA, SurfaceB int32
	TriangleA          int32 // None for a free edge, and if what is inside shape B is a vertex: of a plane, or of a field that is not known to be convex
	TriangleB          int32 // None for a free edge, and if B is a shape
	Vertex             int32 // of surface A, that one or an end of that edge; else None
}

// Tangle is what crosses in a state.
type Tangle struct {
	Count int
	First Crossing
	Depth float64 // of the deepest point of a sheet inside a shape, to a thousandth of the thickness [m]; 0 if there is none
}

// Crossings finds what crosses when the blocks are at x and the obstacles where they are at the end of the step: with
// Self, pairs of triangles of sheets; pairs of a sheet and an obstacle mesh; and triangles of sheets with a point
// inside a shape; of planes, whose lowest points are vertices, and of fields that are not known to be convex, vertices
// inside. The first is in this order. Touching is not crossing, by the rule of geom.Triangles. Blocks of obstacles have
// travelled from where they were in the last Find.
func (f *Finder) Crossings(x []r3.Vec) Tangle {
	f.Team.Enter()
	defer f.Team.Leave()
	f.moveTo(x)
	var out Tangle
	note := func(n int, c Crossing) {
		if out.Count == 0 && n > 0 {
			out.First = c
		}
		out.Count += n
	}
	if f.Self {
		f.solid, f.pairs = nil, f.selfPairs
		note(f.countPairs(&f.cloth))
	}
	for _, t := range f.solids {
		if t.shape == nil && len(f.cloth.prim) > 0 {
			f.moveTarget(t)
			f.solid, f.pairs = t, t.pairs
			note(f.countPairs(&t.side))
		}
	}
	f.prepareFields()
	if len(f.fields) > 0 && f.cloth.extended > 0 {
		n, first, depth := f.countInside()
		note(n, first)
		out.Depth = depth
	}
	for _, t := range f.solids {
		if t.shape != nil {
			n, first, depth := f.verticesInside(t.obstacle, x)
			note(n, first)
			out.Depth = max(out.Depth, depth)
		}
	}
	return out
}

// countInside counts the faces with a point inside a shape.
func (f *Finder) countInside() (count int, first Crossing, depth float64) {
	n := f.cloth.extended
	chunks := f.grow(n, pairGrain)
	for i := range f.chunks[:chunks] {
		f.chunks[i].crossings, f.chunks[i].depth = 0, 0
	}
	f.Team.For(n, pairGrain, f.faceInsideBody)
	for i := range f.chunks[:chunks] {
		c := &f.chunks[i]
		if count == 0 && c.crossings > 0 {
			first = f.crossing(c.crossing[0])
			first.SurfaceB = f.skins[c.crossing[1]].Surface
		}
		count += c.crossings
		depth = max(depth, c.depth)
	}
	return count, first, depth
}

// countPairs counts the pairs of f.pairs that cross, and names the first. Chunks count on their own and are added
// up in index order.
func (f *Finder) countPairs(q *side) (count int, first Crossing) {
	f.grow(len(f.pairs), pairGrain)
	f.Team.For(len(f.pairs), pairGrain, f.crossBody)
	for i := range (len(f.pairs) + pairGrain - 1) / pairGrain {
		c := &f.chunks[i]
		if count == 0 && c.crossings > 0 {
			first = f.crossing(c.crossing[0])
			b := f.feature(q, Vertex, q.prim[c.crossing[1]][0])
			if first.SurfaceB = b.Surface; int(c.crossing[1]) < q.faces {
				first.TriangleB = int32(f.feature(q, Face, c.crossing[1]).ID)
			}
		}
		count += c.crossings
	}
	return count, first
}

// crossing names a primitive of moving skins that crosses something.
func (f *Finder) crossing(prim int32) Crossing {
	vertex := f.feature(&f.cloth, Vertex, f.cloth.prim[prim][0])
	c := Crossing{SurfaceA: vertex.Surface, TriangleA: None, TriangleB: None, Vertex: int32(vertex.ID)}
	if int(prim) < f.cloth.faces {
		c.TriangleA, c.Vertex = int32(f.feature(&f.cloth, Face, prim).ID), None
	}
	return c
}

func (f *Finder) cross(lo, hi int) {
	c := &f.chunks[lo/pairGrain]
	c.crossings = 0
	x, y := f.cloth.x1, f.cloth.x1
	if f.solid != nil {
		y = f.solid.x1
	}
	for _, ij := range f.pairs[lo:hi] {
		if f.crossAt(x, ij, y) {
			if c.crossings == 0 {
				c.crossing = ij
			}
			c.crossings++
		}
	}
}

// meets reports whether the boxes around two triangles share a point.
func meets(a, b *[3]r3.Vec) bool {
	return max(a[0].X, a[1].X, a[2].X) >= min(b[0].X, b[1].X, b[2].X) && max(b[0].X, b[1].X, b[2].X) >= min(a[0].X, a[1].X, a[2].X) &&
		max(a[0].Y, a[1].Y, a[2].Y) >= min(b[0].Y, b[1].Y, b[2].Y) &&
		max(b[0].Y, b[1].Y, b[2].Y) >= min(a[0].Y, a[1].Y, a[2].Y) &&
		max(a[0].Z, a[1].Z, a[2].Z) >= min(b[0].Z, b[1].Z, b[2].Z) &&
		max(b[0].Z, b[1].Z, b[2].Z) >= min(a[0].Z, a[1].Z, a[2].Z)
}

func (f *Finder) verticesInside(obstacle int32, x []r3.Vec) (count int, first Crossing, depth float64) {
	o := &f.skins[obstacle]
	travel, back := f.travel(obstacle), o.To.Inverse()
	at := geom.Placed{Shape: o.Field, Pose: o.To}.Bounds()
	around := f.inflated(r3.Box{Min: at.Min.Add(travel), Max: at.Max.Add(travel)}, 0)
	for _, block := range f.alone(o.Field) {
		if !around.Contains(x[block]) {
			continue
		}
		if d, _ := o.Field.Distance(back.Apply(x[block].Sub(travel))); d < 0 {
			if count == 0 {
				a := f.feature(&f.cloth, Vertex, block)
				first = Crossing{a.Surface, o.Surface, None, None, int32(a.ID)}
			}
			count++
			depth = max(depth, -d)
		}
	}
	return count, first, depth
}
