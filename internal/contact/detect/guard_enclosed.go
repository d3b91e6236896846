package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// What overlaps though no triangles cross: balls and capsules with what they overlap, and bodies inside of others.

// deep is the overlap beyond which it counts as a crossing [m].
const deep = 1e-9

// overlaps reports whether two primitives of which one is round overlap at x, and at y for an obstacle, and by how
// much.
func (s *scene) overlaps(x []r3.Vec, ij [2]int32, o *obstacle, y []r3.Vec) (depth float64, yes bool) {
	other := &s.moving
	if o != nil {
		other = &o.side
	}
	u, v := s.moving.prim[ij[0]], other.prim[ij[1]]
	radius := s.radius(u[0])
	if o == nil {
		radius += s.radius(v[0])
	}
	if radius == 0 {
		return 0, false
	}
	a, b := [3]r3.Vec{x[u[0]], x[u[1]], x[u[2]]}, [3]r3.Vec{y[v[0]], y[v[1]], y[v[2]]}
	d := distanceOf(&a, s.moving.sides(int(ij[0])), &b, other.sides(int(ij[1])))
	depth = radius - d
	return depth, depth > max(deep, s.roundingOf(u[0], other, v[0]))
}

// distanceOf returns the distance of two primitives with so many corners, of which one is no triangle.
func distanceOf(a *[3]r3.Vec, sidesA int, b *[3]r3.Vec, sidesB int) float64 {
	if sidesA < sidesB {
		a, sidesA, b, sidesB = b, sidesB, a, sidesA
	}
	var d float64
	switch {
	case sidesA == 3 && sidesB == 2:
		d = geom.EdgeTriangle(b[0], b[1], a)
	case sidesA == 3:
		_, _, d = geom.PointTriangle(b[0], a[0], a[1], a[2])
	case sidesB == 2:
		_, _, d = geom.EdgeEdge(a[0], a[1], b[0], b[1])
	case sidesA == 2:
		_, d = geom.PointEdge(b[0], a[0], a[1])
	default:
		d = a[0].Sub(b[0]).Norm2()
	}
	return math.Sqrt(d)
}

// enclosed counts the skins with a point inside another that has an inside. Where no triangles cross, that is all or
// nothing of a skin, or two bodies whose faces lie in each other. Nothing gets there without a crossing on its way:
// after a state without any it need not be asked.
func (g *guard) enclosed(x []r3.Vec) (count int, first Crossing, depth float64) {
	for j := range g.skins {
		in := &g.skins[j]
		// only skins that have an inside
		if g.outwardOf(j) <= 0 || in.Smooth != nil {
			continue
		}
		// where it is, and its box
		at, tri := g.placed(j, x), in.Tri
		var field *geom.MeshField
		box := r3.EmptyBox()
		for _, p := range at {
			box = box.With(p)
		}
		// moving skins that may touch it
		for i := range g.skins {
			skin := &g.skins[i]
			if i == j || skin.Prescribed() || !g.Self && !in.Prescribed() || skin.Smooth != nil ||
				g.Joined != nil && g.Joined(skin.Surface, in.Surface) {
				continue
			}
			if field == nil {
				field = geom.NewMeshField(at, tri)
			}
			// how deep the skin is inside
			if point, d := g.insideOf(i, x, field, &box, in.Surface, g.sizeOf(j)); d > 0 {
				if count == 0 {
					first = Crossing{skin.Surface, in.Surface, contact.None, contact.None, point}
				}
				count++
				depth = max(depth, d)
			}
		}
	}
	return count, first, depth
}

// outwardOf and sizeOf are those of a skin, moving or not.
func (s *scene) outwardOf(skin int) int8 {
	if o := s.obstacleOf[skin]; o != nil {
		return o.outward
	}
	return s.outward[skin]
}

func (s *scene) sizeOf(skin int) float64 {
	if o := s.obstacleOf[skin]; o != nil {
		return o.size
	}
	return s.size[skin]
}

// placed returns the points of a skin when those of moving skins are at x.
func (s *scene) placed(skin int, x []r3.Vec) []r3.Vec {
	if o := s.obstacleOf[skin]; o != nil {
		o.move(s.travel(o))
		return o.x1
	}
	k := &s.skins[skin]
	return x[k.First : int(k.First)+k.Points]
}

// insideOf returns a vertex of a skin, and how deep the skin is inside a closed surface, 0 if it is not. It asks about
// vertices and the middles of faces; of a body that has an inside also about points a little below these, which tell
// bodies whose surfaces coincide.
func (s *scene) insideOf(
	i int,
	x []r3.Vec,
	field *geom.MeshField,
	box *r3.Box,
	surface int32,
	size float64,
) (point int32, depth float64) {
	skin := &s.skins[i]
	at := s.placed(i, x)
	least := max(deep, flushShare*max(size, s.size[i]))
	// keeps the deepest vertex
	ask := func(p r3.Vec, v int32) {
		if !box.Contains(p) {
			return
		}
		near, _ := field.Nearest(p, math.Inf(1))
		if near.Distance > max(least, depth) && field.Inside(p) {
			point, depth = v, near.Distance
		}
	}
	// vertices; what is tied to the surface is not inside of it
	for v, p := range at {
		if global := skin.First + int32(v); s.TiedTo != nil && s.TiedTo[global] == surface {
			return 0, 0
		}
		ask(p, int32(v))
	}
	// middles of faces and, of what has an inside, points a little below them
	for _, t := range skin.Tri {
		a, b, c := at[t[0]], at[t[1]], at[t[2]]
		middle := a.Add(b).Add(c).Scale(1.0 / 3)
		ask(middle, t[0])
		if s.outward[i] != 0 {
			area := b.Sub(a).Cross(c.Sub(a))
			below := area.Unit().Scale(-float64(s.outward[i]) * 1e-3 * math.Sqrt(area.Norm()))
			ask(middle.Add(below), t[0])
		}
	}
	return point, depth
}
