package contact

import (
	"math"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// The inside of closed obstacle meshes.
//
// A vertex of a sheet that is inside, not deeper than some thicknesses, is pushed out to the nearest point of the
// mesh, and makes no other contact with it. Points of edges and faces of sheets that are near an edge or a vertex
// of the mesh, and inside, are pushed out in the same way. Deeper vertices are left alone.
//
// Asking for the nearest point of every vertex in every step is dear. A vertex that was found outside at a
// distance D stays outside while it and the mesh have together moved by less than D, so that it need not be asked
// again: the answer would be the same, whether it is or not.

// depth bounds how far inside a vertex is still pushed out, in thicknesses.
const depth = 50

// clearance is the distance of a vertex to a mesh when it was last asked for; 0 if it was inside, or never.
type clearance struct {
	x        r3.Vec
	distance float64
	drift    float64 // of the mesh, then
}

const insideGrain = 256

// findInside tells which vertices are inside f.solid, and emits contacts for them.
func (f *Finder) findInside(lo, hi int) {
	c, t := &f.chunks[lo/insideGrain], f.solid
	bounds := t.field.Bounds()
	for _, block := range f.points[lo:hi] {
		x := f.motion.X0[block]
		t.inside[block] = false
		if !bounds.Contains(x) {
			continue
		}
		last := &t.clearance[block]
		if last.distance > x.Sub(last.x).Norm()+(t.drift-last.drift) {
			continue
		}
		p, ok := t.field.Nearest(x, math.Inf(1))
		*last = clearance{x, p.Distance, t.drift}
		n := t.field.Pseudonormal(p)
		if away := x.Sub(p.Point); !ok || !(away.Dot(n) < 0) {
			continue
		}
		last.distance = 0
		if p.Distance > depth*f.Thickness {
			continue
		}
		t.inside[block] = true
		f.emitInside(c, t, ID{f.feature(&f.cloth, Vertex, block), f.feature(&t.side, Face, p.Triangle)}, block, x, p)
	}
}

// emitInside writes a candidate for a point x of a sheet, inside t and nearest to p, that moves to the node.
func (f *Finder) emitInside(c *chunk, t *target, id ID, node int32, x r3.Vec, p geom.MeshPoint) {
	n := unitOr(p.Point.Sub(x), degenerate*f.Thickness, t.field.Pseudonormal(p))
	found := candidate{
		id: id, a: node, z: -p.Distance, normal: n, point: x.Lerp(p.Point, 0.5),
	}
	f.against(t, &found, footOf(t, p), f.motion.X0[node])
	f.localizeNode(&found, node)
	f.predict(&found)
	f.add(c, &found)
}

func footOf(t *target, p geom.MeshPoint) foot {
	return foot{t.surface.prim[p.Triangle], p.Weights, true}
}

// closed reports whether the obstacle of a pair has an inside.
func (f *Finder) closed(k *pair) bool {
	t := k.solid()
	return t != nil && t.closed
}

// behind reports whether a vertex of a sheet is behind the face of the obstacle it is nearest to.
func (k *pair) behind(h *touch) bool {
	return !k.edges && k.q.target != nil && h.on == geom.Inside && h.away.Dot(k.q.facing(k.j, h.t)) < 0
}

// fromInside settles near pairs of a sheet and a closed mesh of which the sheet's point is not outside, and
// reports whether it did.
func (f *Finder) fromInside(c *chunk, k *pair, h *touch) bool {
	t := k.solid()
	if !k.edges && k.q.target != nil {
		return k.behind(h)
	}
	if h.ends || !k.edges && h.on != geom.Inside {
		return false // a feature of lower dimension takes care of it
	}
	point, outer := k.points(h, 0)
	onMesh := geom.MeshPoint{}
	if k.edges {
		home := t.surface.home[k.j]
		if home < 0 {
			return false
		}
		onMesh.Triangle, onMesh.On = home/3, geom.EdgeAB+geom.Feature((home%3+1)%3)
	} else {
		point, outer = outer, point
		home := t.surface.corner[k.i]
		if home < 0 {
			return false
		}
		onMesh.Triangle, onMesh.On = home/3, geom.CornerA+geom.Feature(home%3)
	}
	if point.Sub(outer).Dot(t.field.Pseudonormal(onMesh)) >= 0 {
		return false
	}
	p, ok := t.field.Nearest(point, f.Reach*f.mostOf(k))
	if !ok || point.Sub(p.Point).Dot(t.field.Pseudonormal(p)) >= 0 {
		return false
	}
	id, _ := f.name(k)
	a, pierced := f.node(k, h, id), f.pierced(k, h)
	if !pierced && f.Carriers(a) == nil {
		f.emitInside(c, t, id, a, point, p)
		return true
	}
	found := candidate{id: id, z: -h.distance, point: point.Lerp(outer, 0.5)}
	at := k.foot(h)
	if pierced {
		found.normal = k.outward(h)
	} else {
		found.z, found.point, at = -p.Distance, point.Lerp(p.Point, 0.5), footOf(t, p)
		found.normal = unitOr(p.Point.Sub(point), degenerate*f.Thickness, t.field.Pseudonormal(p))
	}
	f.stand(&found, k, h, t, at)
	f.localizePair(&found, k, h)
	f.predict(&found)
	if found.terms > 0 {
		end, other := k.points(h, 1)
		if !k.edges {
			end = other
		}
		f.atPlace(&found, end.Sub(point))
	}
	f.add(c, &found)
	return true
}

// pierced reports whether an edge or a corner of an obstacle, of which the sheet's point is inside, has come
// through the sheet: the difference of the two is then more along the sheet's normal than in its plane. The way
// out is back through the sheet, which is not always the shortest way to the surface of the obstacle.
func (f *Finder) pierced(k *pair, h *touch) bool {
	if !(h.distance > degenerate*f.Thickness) {
		return false
	}
	tri := k.j
	if k.edges {
		home := f.cloth.home[k.i]
		if home < 0 {
			return false
		}
		tri = home / 3
	}
	return math.Abs(f.cloth.facing(tri, h.t).Dot(h.away)) > 0.5*h.distance
}

// outward returns the direction from the sheet's point of a pair to the obstacle's, which are apart.
func (k *pair) outward(h *touch) r3.Vec {
	n := h.away.Scale(1 / h.away.Norm())
	if k.edges {
		return n.Neg() // away leads to the sheet
	}
	return n
}

// Closed reports whether a skin of the step is prescribed and a closed mesh, which has an inside.
func (f *Finder) Closed(skin int) bool { return f.targets[skin] != nil && f.targets[skin].closed }
