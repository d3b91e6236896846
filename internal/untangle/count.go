package untangle

// Counting crossings: pairs of triangles by the exact rule of geom.Triangles, and triangles with a point inside shapes.

import (
	"cmp"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// None stands for a triangle or a vertex that is not there.
const None = int32(-1)

// Tally is how often two surfaces cross. Surfaces are numbered as they were given, sheets first, then bodies.
type Tally struct {
	A, B                 int32 // A ≤ B, a sheet crosses itself if they are equal
	Count                int
	TriangleA, TriangleB int32   // the first pair that crosses, in the numbers of their surfaces; TriangleB is None if B is a shape
	Vertex               int32   // the first vertex of A inside B, if B is a field that is not known to be convex, and TriangleA None; else None
	Where                r3.Box  // around the lines along which triangles cross, or the points deepest inside B [m]
	Depth                float64 // of the deepest point of A inside B, if B is a shape [m]
}

// Count returns what crosses, by pair of surfaces in increasing order: triangles of sheets with those of sheets and of
// bodies, and triangles of sheets with a point inside bodies that are shapes; vertices where a field is not known to be
// convex. Bodies are not compared with bodies.
func Count(sheets []Surface, bodies []Body, team *par.Team) []Tally {
	s := newScene(sheets, bodies, team)
	team.Enter()
	defer team.Leave()
	// triangles that cross
	s.cross()
	var all []Tally
	begin := s.firstTriangles()
	for i, ij := range s.pairs {
		if s.crossing[i] {
			a, b := s.surface[ij[0]], s.surface[ij[1]]
			all = append(all, Tally{a, b, 1, ij[0] - begin[a], ij[1] - begin[b], None, s.crossedAt(ij), 0})
		}
	}
	// faces with a point inside shapes
	s.facesInside(func(t int32, body int, low geom.Low) {
		a := s.surface[t]
		p, q, r := s.corners(t)
		at := p.Scale(low.W.X).AddScaled(low.W.Y, q).AddScaled(low.W.Z, r)
		all = append(
			all,
			Tally{a, int32(len(sheets) + body), 1, t - begin[a], None, None, r3.EmptyBox().With(at), -low.D},
		)
	})
	// vertices inside fields that may not be convex
	s.verticesInside(func(v int32, body int, depth float64) {
		a := int32(s.sheetOf(v))
		all = append(
			all,
			Tally{a, int32(len(sheets) + body), 1, None, None, v - s.first[a], r3.EmptyBox().With(s.x[v]), depth},
		)
	})
	// sums by pair of surfaces
	slices.SortStableFunc(all, func(p, q Tally) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	out := all[:0]
	for _, t := range all {
		if n := len(out); n > 0 && out[n-1].A == t.A && out[n-1].B == t.B {
			out[n-1].Count++
			out[n-1].Depth = max(out[n-1].Depth, t.Depth)
			out[n-1].Where = out[n-1].Where.With(t.Where.Min).With(t.Where.Max)
			continue
		}
		out = append(out, t)
	}
	return out
}

// crossedAt returns a box around what two triangles that cross share: the part of the line of their planes that is in
// both.
func (s *scene) crossedAt(ij [2]int32) r3.Box {
	box := r3.EmptyBox()
	for side := range 2 {
		v := s.tri[ij[1-side]]
		p, q, r := s.corners(ij[side])
		n := q.Sub(p).Cross(r.Sub(p))
		for k := range 3 {
			a, b := s.x[v[k]], s.x[v[(k+1)%3]]
			if from, to := n.Dot(a.Sub(p)), n.Dot(b.Sub(p)); geom.SegmentTriangle(a, b, p, q, r) && from != to {
				box = box.With(a.Lerp(b, min(max(from/(from-to), 0), 1)))
			}
		}
	}
	if !(box.Min.X <= box.Max.X) { // they touch in a way that planes do not tell
		box = box.With(s.x[s.tri[ij[0]][0]])
	}
	return box
}

// cross finds the pairs of triangles that cross, at least one of them of a sheet, in order.
func (s *scene) cross() {
	s.boundTriangles(0)
	s.tree.Update(s.team, s.boxes, treeDecay)
	cloth := int32(s.cloth)
	s.pairs = s.finder.Self(s.team, s.tree, s.pairs, func(i, _ int32) bool { return i < cloth })
	s.crossing = slices.Grow(s.crossing[:0], len(s.pairs))[:len(s.pairs)]
	s.team.For(len(s.pairs), 256, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			s.crossing[k] = geom.MeshTriangles(s.x, s.tri[s.pairs[k][0]], s.tri[s.pairs[k][1]])
		}
	})
}

// treeDecay is the cost of a tree, as a multiple of that when it was built, at which it is built anew.
const treeDecay = 1.7

// crossed is how much crosses: what Separate is to bring apart, and other things.
type crossed struct {
	ordered, other int
	others         [][2]int32 // pairs of triangles without an order, sorted
}

// tally counts what crosses. Pairs without an order are appended to others.
func (s *scene) tally(others [][2]int32) crossed {
	s.cross()
	c := crossed{others: others}
	for k, ij := range s.pairs {
		switch {
		case !s.crossing[k]:
		case s.ordered(s.surface[ij[0]], s.surface[ij[1]]):
			c.ordered++
		default:
			c.other++
			c.others = append(c.others, ij)
		}
	}
	add := func(sheet int32) {
		if s.layer[sheet] == unordered {
			c.other++
		} else {
			c.ordered++
		}
	}
	s.facesInside(func(t int32, _ int, _ geom.Low) { add(s.surface[t]) })
	s.verticesInside(func(v int32, _ int, _ float64) { add(int32(s.sheetOf(v))) })
	return c
}

// verticesInside calls each for the vertices of sheets that are inside bodies that are fields not known to be convex.
func (s *scene) verticesInside(each func(v int32, body int, depth float64)) {
	for i := range s.bodies {
		f := s.bodies[i].Field
		if f == nil || shape.IsConvex(f) {
			continue
		}
		bounds := f.Bounds()
		for v, x := range s.x[:s.moving] {
			if !bounds.Contains(x) {
				continue
			}
			if d, _ := f.Distance(x); d < 0 {
				each(int32(v), i, -d)
			}
		}
	}
}

// depthClose is how exactly the depth of a face inside a shape is found [m].
const depthClose = 1e-6

// facesInside calls each for the triangles of sheets with a point inside bodies that are convex shapes, with their
// deepest point.
func (s *scene) facesInside(each func(t int32, body int, low geom.Low)) {
	for i := range s.bodies {
		f := s.bodies[i].Field
		if f == nil || !shape.IsConvex(f) {
			continue
		}
		bounds := f.Bounds()
		for t := range int32(s.cloth) {
			p, q, r := s.corners(t)
			if box := r3.EmptyBox().With(p).With(q).With(r); !box.Overlaps(&bounds) {
				continue
			}
			if low := geom.LowestOnTriangle(f, p, q, r, 0, depthClose); low.D < 0 {
				each(t, i, low)
			}
		}
	}
}

// firstTriangles returns the first triangle of each surface.
func (s *scene) firstTriangles() []int32 {
	begin := make([]int32, len(s.layer))
	n := int32(0)
	for i := range s.sheets {
		begin[i] = n
		n += int32(len(s.sheets[i].Tri))
	}
	for i := range s.bodies {
		begin[len(s.sheets)+i] = n
		n += int32(len(s.bodies[i].Tri))
	}
	return begin
}

// sheetOf returns the sheet of a vertex.
func (s *scene) sheetOf(v int32) int {
	i, found := slices.BinarySearch(s.first[:len(s.sheets)], v)
	if found {
		for i+1 < len(s.sheets) && s.first[i+1] == v {
			i++ // sheets without vertices
		}
		return i
	}
	return i - 1
}
