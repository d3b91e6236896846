package remesh

// What operations sweep over: small things there would come to the other side of the sheet, and cross it neither before
// nor after.

import (
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// core is a point inside of a shape.
type core struct {
	field int
	at    r3.Vec
}

// findCores finds the middles of the boxes around convex shapes, as far as they are inside of these: boxes need not be
// the smallest.
func (g *guard) findCores() {
	g.cores = g.cores[:0]
	for i, f := range g.fields {
		box := f.Bounds()
		if !shape.IsConvex(f) || !box.Min.Finite() || !box.Max.Finite() {
			continue
		}
		at := box.Center()
		if d, _ := f.Distance(at); d <= 0 {
			g.cores = append(g.cores, core{i, at})
		}
	}
}

// passes reports whether the tets of the new faces with an apex have something inside that was clear of the old faces:
// a point of a mesh around, or a shape.
func (g *guard) passes(apex r3.Vec) bool {
	box := patchBox(g.news, 0).With(apex)
	for i := range g.around {
		s := &g.around[i]
		g.near = s.tree.Overlapping(box, g.near)
		for _, u := range g.near {
			other := patchFace{p: s.corners(u), v: [3]int32{-2, -3, -4}}
			for _, p := range other.p {
				if g.sweeps(&box, apex, p) && !crossesAny(g.olds, &other) {
					return true
				}
			}
		}
	}
	for _, c := range g.cores {
		if g.sweeps(&box, apex, c.at) && g.deepest(g.fields[c.field], g.olds) >= 0 {
			return true
		}
	}
	return false
}

// sweeps reports whether a point is in one of the tets, their borders included, all of which are in a box.
func (g *guard) sweeps(box *r3.Box, apex, p r3.Vec) bool {
	if !box.Contains(p) {
		return false
	}
	for i := range g.news {
		f := &g.news[i].p
		side := geom.Orient3(f[0], f[1], f[2], apex)
		within := func(a, b, c, d r3.Vec) bool { return geom.Orient3(a, b, c, d)*side >= 0 }
		if side != 0 && within(f[0], f[1], f[2], p) && within(f[0], f[1], p, apex) && within(f[0], p, f[2], apex) &&
			within(p, f[1], f[2], apex) {
			return true
		}
	}
	return false
}
