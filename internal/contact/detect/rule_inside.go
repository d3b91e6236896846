package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// The inside of closed obstacle meshes.
//
// A vertex of a skin that is inside, not deeper than some thicknesses, is pushed out to the nearest point of the
// mesh, and makes no other contact with it. Points of edges and faces of skins that are near an edge or a vertex
// of the mesh, and inside, are pushed out in the same way. Deeper vertices are left alone.
//
// Asking for the nearest point of every vertex in every step is dear. A vertex that was found outside at a
// distance D stays outside while it and the mesh have together moved by less than D, so that it need not be asked
// again: the answer would be the same, whether it is or not.

// depth bounds how far inside a vertex is still pushed out, in thicknesses.
const depth = 50

// enter looks for points inside, before pairs are asked about.
func (r *rules) enter(o *obstacle, l *loops) {
	if o.closed {
		r.inside = insideLoop{r, o}
		r.take(l.run(r.Team, len(r.points), pointGrain, &r.inside))
	}
}

func (l *insideLoop) work(c *chunk, lo, hi int) {
	o := l.o
	bounds := o.mesh.Bounds()
	for _, p := range l.points[lo:hi] {
		x := l.motion.X0[p]
		// points out of bounds, or of which the smooth surface is asked
		o.inside[p] = false
		if !bounds.Contains(x) || l.smoothOf[o.skin] != nil && l.radius(p) == 0 {
			continue
		}
		// points that were farther outside than they and the mesh have moved since
		last := &o.clearance[p]
		if last.distance > x.Sub(last.x).Norm()+(o.drift-last.drift) {
			continue
		}
		// nearest point of the mesh: the normal there tells the side
		near, ok := o.mesh.Nearest(x, math.Inf(1))
		*last = clearance{x, near.Distance, o.drift}
		n := o.mesh.Pseudonormal(near)
		if away := x.Sub(near.Point); !ok || !(away.Dot(n) < 0) {
			continue
		}
		// inside, but not too deep: out to the nearest face
		last.distance = 0
		if near.Distance > depth*l.Thickness {
			continue
		}
		o.inside[p] = true
		id := contact.ID{A: l.feature(&l.moving, contact.Vertex, p), B: l.feature(&o.side, contact.Face, near.Triangle)}
		l.emitInside(c, o, id, p, x, near)
	}
}

// emitInside writes a candidate for a point x of a skin, inside t and nearest to p, that moves to the node.
func (r *rules) emitInside(c *chunk, t *obstacle, id contact.ID, node int32, x r3.Vec, p geom.MeshPoint) {
	n := unitOr(p.Point.Sub(x), degenerate*r.Thickness, t.mesh.Pseudonormal(p))
	found := candidate{
		id: id, a: node, z: -p.Distance - r.radius(node), normal: n, radii: [2]float64{r.radius(node)},
	}
	found.point = found.surface(x).Lerp(p.Point, 0.5)
	r.against(t, &found, t.footOf(p), found.surface(r.motion.X0[node]))
	r.localizeNode(&found, node)
	r.predict(&found)
	r.add(c, &found)
}

// fromInside settles near pairs of a skin and a closed mesh of which the skin's point is not outside, and
// reports whether it did.
func (r *rules) fromInside(c *chunk, k *pair, h *meeting) bool {
	t := r.obstacle(k)
	if !k.edges && k.q.led != contact.None {
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
	if point.Sub(outer).Dot(t.mesh.Pseudonormal(onMesh)) >= 0 {
		return false
	}
	p, ok := t.mesh.Nearest(point, r.Reach*r.mostOf(k))
	if !ok || point.Sub(p.Point).Dot(t.mesh.Pseudonormal(p)) >= 0 {
		return false
	}
	id, _ := r.name(k)
	a, pierced := r.node(k, h, id), r.pierced(k, h)
	if !pierced && r.carriers(a) == nil {
		r.emitInside(c, t, id, a, point, p)
		return true
	}
	found := candidate{id: id, z: -h.distance, point: point.Lerp(outer, 0.5)}
	at := k.foot(h)
	if pierced {
		found.normal = k.outward(h)
	} else {
		found.z, found.point, at = -p.Distance, point.Lerp(p.Point, 0.5), t.footOf(p)
		found.normal = unitOr(p.Point.Sub(point), degenerate*r.Thickness, t.mesh.Pseudonormal(p))
	}
	found.radii[0] = r.bothRadii(k)
	found.z -= found.radii[0]
	r.stand(&found, k, h, t, at)
	r.localizePair(&found, k, h)
	r.predict(&found)
	if found.terms > 0 {
		end, other := k.points(h, 1)
		if !k.edges {
			end = other
		}
		r.atPlace(&found, end.Sub(point))
	}
	r.add(c, &found)
	return true
}

// pierced reports whether an edge or a corner of an obstacle, of which the skin's point is inside, has come
// through the skin: the difference of the two is then more along the skin's normal than in its plane. The way
// out is back through the skin, which is not always the shortest way to the surface of the obstacle.
func (r *rules) pierced(k *pair, h *meeting) bool {
	if !(h.distance > degenerate*r.Thickness) {
		return false
	}
	tri := k.j
	if k.edges {
		home := r.moving.home[k.i]
		if home < 0 {
			return false
		}
		tri = home / 3
	}
	return math.Abs(r.moving.facing(tri, h.t).Dot(h.away)) > 0.5*h.distance
}
