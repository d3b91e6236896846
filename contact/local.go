package contact

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Thickness and friction that differ from place to place.
//
// A sheet may have a thickness and a coefficient of friction at each vertex, linear in between; an obstacle may have
// friction. At a contact of points with the weights w_i, with t_i and μ_i of the vertices of a surface,
//
//	h_c = Σ w_i t_i                 of a sheet and an obstacle,
//	h_c = ½ (Σ w_i t_i + Σ w_j t_j) of two sheets, so that two of thickness t keep t apart,
//	μ   = Σ w_i μ_i                 where one of the surfaces has its own friction,
//	μ   = the smaller of both       where both have: a slippery place is slippery whatever lies on it,
//
// and the coefficient of the pair of surfaces where neither has, or where Listed says so.
//
// Search stays on the safe side: boxes are inflated for the thickest vertex of all (most), and whether a pair is near
// or meets is decided for the thickest vertex of each of its sides (mostOf). Only the gap that a contact keeps is that
// of its place. Without VertexThickness all of these are Thickness, bit for bit: a candidate holds what its h_c has
// more than that, which is then zero.
//
// Invariant: h_c of a contact ≤ mostOf its pair ≤ most.

// localize gives a candidate the thickness and the friction of its place, from the vertices of both sides and their
// weights. A side that is an obstacle has none.
func (f *Finder) localize(c *candidate, one, two []Share) {
	if f.VertexThickness != nil {
		p, q := f.blend(f.VertexThickness, one), f.blend(f.VertexThickness, two)
		switch {
		case len(two) == 0:
			c.extra = p - f.Thickness
		case len(one) == 0:
			c.extra = q - f.Thickness
		default:
			c.extra = (p+q)/2 - f.Thickness
		}
	}
	if f.VertexFriction == nil {
		return
	}
	for _, side := range [2][]Share{one, two} {
		if len(side) > 0 && f.VertexFriction[side[0].Point] >= 0 {
			c.rub(f.blend(f.VertexFriction, side))
		}
	}
}

// rub gives a candidate a coefficient of friction, if it has no smaller one.
func (c *candidate) rub(mu float64) {
	if !c.mapped || mu < c.mu {
		c.mapped, c.mu = true, mu
	}
}

// rubAgainst gives a candidate the friction of its obstacle, if that has one.
func (c *candidate) rubAgainst(o *Skin, at foot) {
	switch {
	case o.Friction == nil:
	case o.Field != nil:
		c.rub(o.Friction[0])
	default:
		v := at.v
		c.rub(at.w.Dot(r3.V(o.Friction[v[0]], o.Friction[v[1]], o.Friction[v[2]])))
	}
}

func (f *Finder) blend(field []float64, shares []Share) float64 {
	sum := 0.0
	for _, s := range shares {
		sum += s.W * field[s.Point]
	}
	return sum
}

// localizePair is localize for a touch of two features.
func (f *Finder) localizePair(c *candidate, k *pair, h *touch) {
	if f.VertexThickness == nil && f.VertexFriction == nil {
		return
	}
	one, two := k.shares(h)
	p, q := one[:], two[:]
	if k.p.target != nil {
		p = nil
	}
	if k.q.target != nil {
		q = nil
	}
	f.localize(c, p, q)
}

// localizeNode is localize for one vertex of a sheet against an obstacle.
func (f *Finder) localizeNode(c *candidate, point int32) {
	if f.VertexThickness == nil && f.VertexFriction == nil {
		return
	}
	one := [1]Share{{point, 1}}
	f.localize(c, one[:], nil)
}

// mostOf returns the greatest thickness that a contact of a pair can have.
func (f *Finder) mostOf(k *pair) float64 {
	if f.VertexThickness == nil {
		return f.Thickness
	}
	switch {
	case k.p.target != nil:
		return f.thickestOfSecond(k)
	case k.q.target != nil:
		return f.thickestOfFirst(k)
	}
	return (f.thickestOfFirst(k) + f.thickestOfSecond(k)) / 2
}

func (f *Finder) thickestOfFirst(k *pair) float64 {
	t := f.VertexThickness
	if k.edges {
		e := k.p.edge[k.i]
		return max(t[e[0]], t[e[1]])
	}
	return t[k.i]
}

func (f *Finder) thickestOfSecond(k *pair) float64 {
	t := f.VertexThickness
	if k.edges {
		e := k.q.edge[k.j]
		return max(t[e[0]], t[e[1]])
	}
	v := k.q.prim[k.j]
	return max(t[v[0]], t[v[1]], t[v[2]])
}

// thicknessAt returns the thickness of a vertex of a sheet against an obstacle.
func (f *Finder) thicknessAt(point int32) float64 {
	if f.VertexThickness == nil {
		return f.Thickness
	}
	return f.VertexThickness[point]
}

// thicknessOf returns the thickness of a contact with the given row.
func (f *Finder) thicknessOf(row []Term) float64 {
	if f.VertexThickness == nil {
		return f.Thickness
	}
	sum, sides := 0.0, 0.0
	for _, t := range row {
		if int(t.Block) < len(f.skinOf) && f.skinOf[t.Block] != None { // no press, and no block that carries points
			sum += math.Abs(t.W) * f.VertexThickness[t.Block]
			sides += math.Abs(t.W)
		}
	}
	if sides == 0 {
		return f.Thickness
	}
	return sum / sides
}

// findMost finds the greatest thickness of all.
func (f *Finder) findMost() {
	f.most = f.Thickness
	if f.VertexThickness == nil {
		return
	}
	for _, b := range f.points {
		f.most = max(f.most, f.VertexThickness[b])
	}
}

// muOf returns the coefficient of friction of a candidate.
func (f *Finder) muOf(c *candidate) float64 {
	a, b := c.id.A.Surface, c.id.B.Surface
	if c.mapped && (f.Listed == nil || !f.Listed(a, b)) {
		return c.mu
	}
	if f.Friction == nil {
		return 0
	}
	return f.Friction(a, b)
}
