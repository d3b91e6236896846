package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Crossing names two features that cross: two triangles, or a triangle inside a shape.
type Crossing struct {
	SurfaceA, SurfaceB int32
	TriangleA          int32 // None for a free edge, and for a vertex inside a plane or a field not known to be convex
	TriangleB          int32 // None for a free edge, and if B is a shape
	Vertex             int32 // of surface A: that one, or an end of that edge; else None
}

// Tangle is what crosses in a state.
type Tangle struct {
	Count int
	First Crossing
	// Depth is that of the deepest point inside a shape or a body, with its radius, to a thousandth of the thickness
	// [m]; 0 if there is none.
	Depth float64
	// Smooth counts the pairs of primitives that cross of which one is of a smooth skin: Count leaves them out, since
	// nothing keeps them apart.
	Smooth int
}

// crossings finds what crosses when the points are at x.
func (g *guard) crossings(x []r3.Vec, h *search) Tangle {
	g.moveTo(x)
	g.smoothCrossings, g.deepestRound = 0, 0
	var out Tangle
	// sums up, with the first crossing that was found
	note := func(n int, c Crossing) {
		if out.Count == 0 && n > 0 {
			out.First = c
		}
		out.Count += n
	}
	// pairs of moving skins, and of these and meshes
	if g.Self {
		note(g.countPairs(nil, g.selfPairs, &g.moving))
	}
	for _, o := range g.obstacles {
		if o.Field == nil && len(g.moving.prim) > 0 {
			o.move(g.travel(o))
			note(g.countPairs(o, o.pairs, &o.side))
		}
	}
	out.Depth = g.deepestRound
	// skins inside of others, where only a crossing on the way can have led
	if out.Count == 0 && (g.Crossed || !g.cleared.none) {
		n, first, depth := g.enclosed(x)
		note(n, first)
		out.Depth = max(out.Depth, depth)
	}
	g.noteCleared(out.Count == 0)
	out.Smooth = g.smoothCrossings
	// faces and free edges with a point inside a shape
	g.prepareShapes()
	if len(g.shapes) > 0 && g.moving.extended > 0 {
		n, first, depth := g.countInside(h)
		note(n, first)
		out.Depth = max(out.Depth, depth)
	}
	// points inside a shape of which faces are not asked, and free ones
	for _, o := range g.obstacles {
		if o.Field != nil {
			n, first, depth := g.pointsInside(o, x)
			note(n, first)
			out.Depth = max(out.Depth, depth)
		}
	}
	return out
}

// insiders is the question which faces are inside a shape at the end.
type insiders struct{ *scene }

// face tests whether a face is inside of a shape at the end, and counts it.
func (g insiders) face(c *chunk, t *passage, index int32) {
	pose := t.to.Inverse()
	d, _ := g.deepest(t.Field, &pose, t.travel, g.motion.X1, index)
	radius := g.radius(g.moving.prim[index][0])
	if d >= 0 && !(radius > 0 && radius-d > deep) {
		return
	}
	c.cross([2]int32{index, t.skin})
	c.depth = max(c.depth, radius-d)
}

// countInside counts the faces and free edges with a point inside a shape.
func (g *guard) countInside(h *search) (count int, first Crossing, depth float64) {
	chunks := h.overFaces(insiders{g.scene})
	for i := range chunks {
		c := &chunks[i]
		if count == 0 && c.crossings > 0 {
			first = g.crossing(c.crossing[0])
			first.SurfaceB = g.skins[c.crossing[1]].Surface
		}
		count += c.crossings
		depth = max(depth, c.depth)
	}
	return count, first, depth
}

// cross counts what crosses.
func (c *chunk) cross(ij [2]int32) {
	if c.crossings == 0 {
		c.crossing = ij
	}
	c.crossings++
}

func (l *crossLoop) work(c *chunk, lo, hi int) {
	x, y := l.moving.x1, l.moving.x1 // of moving skins alone, both are the same
	if l.o != nil {
		y = l.o.x1
	}
	for _, ij := range l.pairs[lo:hi] {
		if l.smoothPrims(ij, l.o) {
			if l.pierceAt(x, ij, l.o, y) {
				c.smooth++
			}
			continue
		}
		if l.roundest > 0 && (l.o == nil || l.o.Field == nil) {
			if depth, yes := l.overlaps(x, ij, l.o, y); yes {
				c.cross(ij)
				c.depth = max(c.depth, depth)
				continue
			}
		}
		if l.heat[0] != nil && l.heat[0][ij[0]]+l.heat[1][ij[1]] < hot {
			continue
		}
		if l.crossAt(x, ij, l.o, y) {
			c.cross(ij)
		}
	}
}

// countPairs counts the pairs of moving skins and q, of an obstacle if it is not nil, that cross, and names the first.
func (g *guard) countPairs(o *obstacle, pairs [][2]int32, q *side) (count int, first Crossing) {
	g.cross = crossLoop{scene: g.scene, o: o, pairs: pairs}
	if g.clear {
		g.findHot(o)
		g.cross.heat = [2][]uint8{g.heat.prims, g.heat.prims}
		if o != nil {
			g.cross.heat[1] = g.heatLed.prims
		}
	}
	chunks := g.loops.run(g.Team, len(pairs), pairGrain, &g.cross)
	for i := range chunks {
		c := &chunks[i]
		if count == 0 && c.crossings > 0 {
			first = g.crossing(c.crossing[0])
			b := g.feature(q, contact.Vertex, q.prim[c.crossing[1]][0])
			if first.SurfaceB = b.Surface; int(c.crossing[1]) < q.faces {
				first.TriangleB = int32(g.feature(q, contact.Face, c.crossing[1]).ID)
			}
		}
		count += c.crossings
		g.smoothCrossings += c.smooth
		g.deepestRound = max(g.deepestRound, c.depth)
	}
	return count, first
}

// crossing names a primitive of moving skins that crosses something.
func (s *scene) crossing(prim int32) Crossing {
	vertex := s.feature(&s.moving, contact.Vertex, s.moving.prim[prim][0])
	c := Crossing{SurfaceA: vertex.Surface, TriangleA: contact.None, TriangleB: contact.None, Vertex: int32(vertex.ID)}
	if int(prim) < s.moving.faces {
		c.TriangleA, c.Vertex = int32(s.feature(&s.moving, contact.Face, prim).ID), contact.None
	}
	return c
}

// pointsInside counts the points inside a shape of which faces are not asked, or that are free.
func (s *scene) pointsInside(o *obstacle, x []r3.Vec) (count int, first Crossing, depth float64) {
	travel, back := s.travel(o), o.To.Inverse()
	at := shape.Placed{Shape: o.Field, Pose: o.To}.Bounds()
	around := s.inflated(r3.Box{Min: at.Min.Add(travel), Max: at.Max.Add(travel)}, 0)
	for _, p := range s.alone(o.Field) {
		if !around.Contains(x[p]) {
			continue
		}
		if d, _ := o.Field.Distance(back.Apply(x[p].Sub(travel))); d < 0 || s.radius(p)-d > deep && s.radius(p) > 0 {
			if count == 0 {
				a := s.feature(&s.moving, contact.Vertex, p)
				first = Crossing{a.Surface, o.Surface, contact.None, contact.None, int32(a.ID)}
			}
			count++
			depth = max(depth, s.radius(p)-d)
		}
	}
	return count, first, depth
}
