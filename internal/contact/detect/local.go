package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Thickness and friction that differ from place to place.
//
// A skin may have a thickness and a coefficient of friction at each vertex, linear in between; an obstacle may have
// friction. At a contact of points with the weights w_i, with t_i and μ_i of the vertices of a surface,
//
//	h_c = Σ w_i t_i                 of a skin and an obstacle,
//	h_c = ½ (Σ w_i t_i + Σ w_j t_j) of two skins, so that two of thickness t keep t apart,
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
func (o *Options) localize(c *candidate, one, two []contact.Share) {
	if o.VertexThickness != nil {
		p, q := o.blend(o.VertexThickness, one), o.blend(o.VertexThickness, two)
		switch {
		case len(two) == 0:
			c.extra = p - o.Thickness
		case len(one) == 0:
			c.extra = q - o.Thickness
		default:
			c.extra = (p+q)/2 - o.Thickness
		}
	}
	if o.VertexFriction == nil {
		return
	}
	for _, side := range [2][]contact.Share{one, two} {
		if len(side) > 0 && o.VertexFriction[side[0].Point] >= 0 {
			c.rub(o.blend(o.VertexFriction, side))
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
func (c *candidate) rubAgainst(o *contact.Skin, at foot) {
	switch {
	case o.Friction == nil:
	case o.Field != nil:
		c.rub(o.Friction[0])
	default:
		v := at.v
		c.rub(at.w.Dot(r3.V(o.Friction[v[0]], o.Friction[v[1]], o.Friction[v[2]])))
	}
}

func (o *Options) blend(field []float64, shares []contact.Share) float64 {
	sum := 0.0
	for _, s := range shares {
		sum += s.W * field[s.Point]
	}
	return sum
}

// localizePair is localize for a meeting of two features.
func (o *Options) localizePair(c *candidate, k *pair, h *meeting) {
	if o.VertexThickness == nil && o.VertexFriction == nil {
		return
	}
	one, two := k.shares(h)
	p, q := one[:], two[:]
	if k.p.led != contact.None {
		p = nil
	}
	if k.q.led != contact.None {
		q = nil
	}
	o.localize(c, p, q)
}

// localizeNode is localize for one vertex of a skin against an obstacle.
func (o *Options) localizeNode(c *candidate, point int32) {
	if o.VertexThickness == nil && o.VertexFriction == nil {
		return
	}
	one := [1]contact.Share{{Point: point, W: 1}}
	o.localize(c, one[:], nil)
}

// mostOf returns the greatest thickness that a contact of a pair can have.
func (o *Options) mostOf(k *pair) float64 {
	if o.VertexThickness == nil {
		return o.Thickness
	}
	switch {
	case k.p.led != contact.None:
		return o.thickestOfSecond(k)
	case k.q.led != contact.None:
		return o.thickestOfFirst(k)
	}
	return (o.thickestOfFirst(k) + o.thickestOfSecond(k)) / 2
}

func (o *Options) thickestOfFirst(k *pair) float64 {
	t := o.VertexThickness
	if k.edges {
		e := k.p.edge[k.i]
		return max(t[e[0]], t[e[1]])
	}
	return t[k.i]
}

func (o *Options) thickestOfSecond(k *pair) float64 {
	t := o.VertexThickness
	if k.edges {
		e := k.q.edge[k.j]
		return max(t[e[0]], t[e[1]])
	}
	v := k.q.prim[k.j]
	return max(t[v[0]], t[v[1]], t[v[2]])
}

// thicknessAt returns the thickness of a vertex of a skin against an obstacle.
func (o *Options) thicknessAt(point int32) float64 {
	if o.VertexThickness == nil {
		return o.Thickness
	}
	return o.VertexThickness[point]
}

// muOf returns the coefficient of friction of a candidate.
func (o *Options) muOf(c *candidate) float64 {
	a, b := c.id.A.Surface, c.id.B.Surface
	if c.mapped && (o.HasFriction == nil || !o.HasFriction(a, b)) {
		return c.mu
	}
	if o.Friction == nil {
		return 0
	}
	return o.Friction(a, b)
}
