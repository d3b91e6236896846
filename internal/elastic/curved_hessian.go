package elastic

import "github.com/toile-sim/toile/r3"

// Force returns the force of triangle e on its k-th node [N].
func (c *Curved) Force(e, k int) r3.Vec {
	t := &c.tri[e]
	return t.pull(&t.s, &t.edge, &c.bow[int(c.first[e])+k], k)
}

// pull returns the force of tensions s on node k, of coefficients a; edge is M⁻ᵀ s.
func (t *curvedTriangle) pull(s *Tension, edge, a *r3.Vec, k int) r3.Vec {
	f := t.z[0].Scale(-edge.X*a.X).AddScaled(-edge.Y*a.Y, t.z[1]).AddScaled(-edge.Z*a.Z, t.z[2])
	if k < 3 {
		b := t.gradient(k)
		f = f.AddScaled(-(s.Warp*b.X+s.Shear*b.Y), t.f0).AddScaled(-(s.Shear*b.X + s.Weft*b.Y), t.f1)
	}
	return f
}

// AddRow adds row k of the Hessian of triangle e.
func (c *Curved) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	t, bow := &c.tri[e], c.bow[c.first[e]:c.first[e+1]]
	q := t.straining(&bow[k], k, material)
	// What a_e of the other node is multiplied by, for each edge.
	m := &t.inverse
	by0 := r3.Outer(q[0].Scale(m[0].X).AddScaled(m[1].X, q[1]).AddScaled(m[2].X, q[2]), t.z[0])
	by1 := r3.Outer(q[0].Scale(m[0].Y).AddScaled(m[1].Y, q[1]).AddScaled(m[2].Y, q[2]), t.z[1])
	by2 := r3.Outer(q[0].Scale(m[0].Z).AddScaled(m[1].Z, q[1]).AddScaled(m[2].Z, q[2]), t.z[2])
	stiff := r3.Vec{
		X: geometric * t.stiff.X * bow[k].X,
		Y: geometric * t.stiff.Y * bow[k].Y,
		Z: geometric * t.stiff.Z * bow[k].Z,
	}
	var gx, gy float64
	if k < 3 {
		b := t.gradient(k)
		gx = geometric * (t.geo.Warp*b.X + t.geo.Shear*b.Y)
		gy = geometric * (t.geo.Shear*b.X + t.geo.Weft*b.Y)
	}
	for l, i := range at[:len(bow)] {
		if i < 0 {
			continue
		}
		a, h := &bow[l], &val[i]
		h.AddScaled(a.X, &by0)
		h.AddScaled(a.Y, &by1)
		h.AddScaled(a.Z, &by2)
		diagonal := stiff.Dot(*a)
		if l < 3 {
			d := t.gradient(l)
			h.AddOuter(1, q[0].Scale(d.X).AddScaled(d.Y, q[2]), t.f0)
			h.AddOuter(1, q[1].Scale(d.Y).AddScaled(d.X, q[2]), t.f1)
			diagonal += gx*d.X + gy*d.Y
		}
		h.AddDiagonal(diagonal)
	}
}

// Turn implements Turner: the tensions of the geometric part turn along.
func (c *Curved) Turn(e, k int, spin r3.Vec) r3.Vec {
	if c.clamp != nil && c.heldFirst[e] < c.heldFirst[e+1] {
		return r3.Vec{}
	}
	t := &c.tri[e]
	return t.pull(&t.geo, &t.stiff, &c.bow[int(c.first[e])+k], k).Cross(spin)
}

// straining returns scale C ∂g̃/∂x_k, for k of coefficients a.
func (t *curvedTriangle) straining(a *r3.Vec, k int, scale float64) (q [3]r3.Vec) {
	z0, z1, z2 := t.z[0].Scale(scale*a.X), t.z[1].Scale(scale*a.Y), t.z[2].Scale(scale*a.Z)
	var u [3]r3.Vec
	for i := range u {
		m := &t.inverse[i]
		u[i] = z0.Scale(m.X).AddScaled(m.Y, z1).AddScaled(m.Z, z2)
	}
	if k < 3 {
		b := t.gradient(k).Scale(scale)
		u[0] = u[0].AddScaled(b.X, t.f0)
		u[1] = u[1].AddScaled(b.Y, t.f1)
		u[2] = u[2].AddScaled(b.Y, t.f0).AddScaled(b.X, t.f1)
	}
	c := &t.c
	q[0] = u[0].Scale(c.C00).AddScaled(c.C01, u[1]).AddScaled(c.C02, u[2])
	q[1] = u[0].Scale(c.C01).AddScaled(c.C11, u[1]).AddScaled(c.C12, u[2])
	q[2] = u[0].Scale(c.C02).AddScaled(c.C12, u[1]).AddScaled(c.C22, u[2])
	return q
}

// MaterialForce returns the rate of the force of triangle e on its k-th node due to the strain rate of
// velocities v [N/s].
func (c *Curved) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	t := &c.tri[e]
	s := t.c.times(c.rate(e, v))
	edge := t.alongEdges(&s)
	return t.pull(&s, &edge, &c.bow[int(c.first[e])+k], k)
}

// Start implements Viscous.
func (c *Curved) Start(lo, hi int) {
	for e := lo; e < hi; e++ {
		t := &c.tri[e]
		t.start, t.before, t.zBefore = t.s, [2]r3.Vec{t.f0, t.f1}, t.z
	}
}

// ViscousForce implements Viscous.
func (c *Curved) ViscousForce(e, k int) r3.Vec {
	t := &c.tri[e]
	s := t.s.plus(-1, t.start)
	edge := t.alongEdges(&s)
	return t.pull(&s, &edge, &c.bow[int(c.first[e])+k], k)
}

// Tauten implements Tense.
func (c *Curved) Tauten(_ []r3.Vec, damping Damping, detail Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		t := &c.tri[e]
		s := t.s.plus(-1, t.c.times(t.bowed()))
		s = s.plus(damping.Share(e), s.plus(-1, t.start))
		t.before, t.zBefore = [2]r3.Vec{t.f0, t.f1}, t.z
		t.geo, t.stiff = s, t.alongEdges(&s)
		if detail == Projected {
			t.geo, t.stiff = s.positive(), t.stiff.Max(r3.Vec{})
		}
	}
}

// bowed returns the strain by the squares of the changes of F and z.
func (t *curvedTriangle) bowed() Strain {
	var d [3]r3.Vec
	for k := range d {
		d[k] = t.z[k].Sub(t.zBefore[k])
	}
	g, zeta := t.membraneTriangle.bowed(), r3.V(d[0].Norm2(), d[1].Norm2(), d[2].Norm2()).Scale(0.5)
	return Strain{
		Warp: g.Warp + t.inverse[0].Dot(zeta), Weft: g.Weft + t.inverse[1].Dot(zeta), Shear: g.Shear + t.inverse[2].Dot(zeta),
	}
}

// rate returns the rate of the strain of triangle e at velocities v.
func (c *Curved) rate(e int, v []r3.Vec) Strain {
	lo, hi := c.first[e], c.first[e+1]
	node, bow, t := c.node[lo:hi], c.bow[lo:hi], &c.tri[e]
	v0, g := v[node[0]], t.membraneTriangle.rate(v)
	var zeta r3.Vec // half its rate
	for l := 1; l < len(node); l++ {
		d, a := v[node[l]].Sub(v0), &bow[l]
		zeta.X += a.X * d.Dot(t.z[0])
		zeta.Y += a.Y * d.Dot(t.z[1])
		zeta.Z += a.Z * d.Dot(t.z[2])
	}
	return Strain{
		Warp: g.Warp + t.inverse[0].Dot(zeta), Weft: g.Weft + t.inverse[1].Dot(zeta), Shear: g.Shear + t.inverse[2].Dot(zeta),
	}
}
