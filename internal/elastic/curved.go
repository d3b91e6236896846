package elastic

// A membrane that measures lengths along arcs.
//
// The vertices of a sheet that bends without stretching lie on a curved surface, and the edges of
// its triangles are chords. A chord under an arc of length l and curvature κ is shorter by κ²l³/24.
// Membrane takes that for strain. It differs from edge to edge, on most meshes no place of the vertices makes
// it vanish, and a stiff membrane resists bending instead: it locks.
//
// Here lengths are those of a map with second derivatives. Along an edge with material vector e from
// vertex a to b, and with the second derivatives X of x, the mean of the squared rate of x is
//
//	L_e = ∫₀¹ |∂x/∂s|² ds = |x_b - x_a|² + |z_e|²,   z_e = (X_00 e_0² + X_11 e_1² + 2 X_01 e_0 e_1)/√12
//
// which is exact for quadratic x. X is the mean of those that Plate has for the two triangles at the
// edge, so an edge has one length. (With X of each triangle for itself both see different lengths where
// curvature varies, and lock again: the heavy cantilever at Γ = 1000 with 40 elements on a right grid is
// 13 % off, instead of 1 %.) The strain of a triangle is the one that gives its three edges these lengths,
// e·(I + 2G̃)e = L_e: an assumed strain, sampled along edges as in [Dvorkin84]. [Flores05] too take the
// membrane strain of a rotation-free triangle from its neighbours. With g, F, b, s and C as for Membrane,
//
//	g̃ = g + ½ M⁻¹ ζ,   ζ_e = |z_e|² - ζ⁰_e,   row e of M = (e_0², e_1², e_0 e_1)
//
// with ζ⁰ of the rest shape, zero if that is flat, and the energy is A W(g̃). z is linear in positions,
// z_e = Σ_k a_ek x_k. So no normal is needed, nothing degenerates, and with σ = M⁻ᵀ s, the tension along
// each edge over its squared length,
//
//	force on node k     that of Membrane, and -A Σ_e σ_e a_ek z_e
//	∂g̃/∂x_k             that of Membrane, and M⁻¹ (a_ek z_e)_e
//	material Hessian    A Σ_cd C_cd ∂g̃_c/∂x_k (∂g̃_d/∂x_l)ᵀ
//	geometric Hessian   that of Membrane, and A Σ_e σ_e a_ek a_el I
//
// In the Projected mode C and S are replaced by their positive semi-definite parts and σ by its
// positive one.
//
// The plate has to know. Where all chords have length h it counts a fold by θ as |X| h = 2 sin(θ/2).
// Chords of arcs of length h have length h sin(θ/2)/(θ/2), so |X| h = 2 (1 - cos θ)/θ, and the factor of its
// energy is 1 + 2Q/(3D); next to a clamp |X|² h² = θ² - θ⁴/18 and the factor is 1 + 2Q/(9D).
//
// Invariants: a sums to zero over the nodes of a triangle; the first three nodes are its corners; where
// X = 0 everything is as in Membrane.

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Curved is the in-plane elasticity of a sheet with strain measured along arcs, a triangle an element, in
// the order of the mesh. It implements Elements.
type Curved struct {
	// Scale multiplies the law of each triangle; nil means 1. It takes effect at the next Update.
	Scale []float64

	law   MembraneLaw
	local []material.Stretch // by triangle instead of law, or nil
	first []int32            // the nodes of triangle t are node[first[t]:first[t+1]]
	node  []int32
	bow   []r3.Vec // a of each node of each triangle, by edge
	tri   []curvedTriangle

	// What clamps of the plate add to z; nil without clamps.
	clamp     *clampSet
	held      []curvedHold
	heldFirst []int32
}

var _ Elements = (*Curved)(nil)

// curvedTriangle is the rest shape and the state of a triangle. Edges are counted by the corner opposite.
type curvedTriangle struct {
	membraneTriangle
	inverse [3]r3.Vec // M⁻¹: rows warp, weft, shear; columns edges [1/m²]
	rest    r3.Vec    // ζ⁰ [m²]

	strain Strain    // g̃
	z      [3]r3.Vec // [m]
	edge   r3.Vec    // A σ [N/m]
	stiff  r3.Vec    // A σ, or its positive part in the Projected mode [N/m]

	zBefore [3]r3.Vec // z of the last Tauten, or Start
}

// curvedHold is what one clamped triangle adds to z of an edge: its bias times weight.
type curvedHold struct {
	slot   int32
	edge   int32
	weight r3.Vec // [m²]
}

// NewCurved returns the membrane of the mesh that the plate was made of. From then on the plate
// counts angles for chords of arcs. It panics on a law that is not valid and on a plate of another mesh
// or with a rest curvature, which is to be set afterwards.
func NewCurved(m *mesh.Mesh, law MembraneLaw, plate *Plate) *Curved {
	if plate.Len() != len(m.Tri) || plate.rest != nil {
		panic(fmt.Sprintf("elastic: a membrane of %d triangles needs the plate of its mesh, flat at rest", len(m.Tri)))
	}
	c := &Curved{law: law, first: make([]int32, 1, len(m.Tri)+1), tri: make([]curvedTriangle, len(m.Tri))}
	if plate.clamp.any() {
		c.clamp, c.heldFirst = &plate.clamp, make([]int32, 1, len(m.Tri)+1)
	}
	flat := NewMembrane(m, law)
	for i := range c.tri {
		t := &c.tri[i]
		t.membraneTriangle = flat.tri[i]
		rows := edgeSquares(m, int32(i))
		squares := r3.Rows(rows[0], rows[1], rows[2])
		// The determinant is the cube of twice the area, and the mesh has no triangle without one.
		inverse, _ := squares.Inverse()
		t.inverse = [3]r3.Vec{
			{X: inverse.XX, Y: inverse.XY, Z: inverse.XZ},
			{X: inverse.YX, Y: inverse.YY, Z: inverse.YZ},
			{X: inverse.ZX, Y: inverse.ZY, Z: inverse.ZZ},
		}
		c.layStencil(m, plate, int32(i))
	}
	plate.countArcs()
	return c
}

// edgeSquares returns the rows of M of triangle t.
func edgeSquares(m *mesh.Mesh, t int32) (rows [3]r3.Vec) {
	var p [3]r3.Vec2
	p[0], p[1], p[2] = m.RestTriangle(t)
	for k := range rows {
		e := p[(k+2)%3].Sub(p[(k+1)%3])
		rows[k] = r3.V(e.X*e.X, e.Y*e.Y, e.X*e.Y)
	}
	return rows
}

// layStencil appends nodes, coefficients and clamps of triangle t.
func (c *Curved) layStencil(m *mesh.Mesh, plate *Plate, t int32) {
	// the corners come first, then nodes as they are found
	start := len(c.node)
	c.node = append(c.node, m.Tri[t][:]...)
	c.bow = append(c.bow, r3.Vec{}, r3.Vec{}, r3.Vec{})
	find := func(v int32) int {
		for j, w := range c.node[start:] {
			if w == v {
				return start + j
			}
		}
		c.node, c.bow = append(c.node, v), append(c.bow, r3.Vec{})
		return len(c.node) - 1
	}
	// each edge, from the triangles on both sides
	for k := range int32(3) {
		edge := &m.Edges[m.TriEdge[t][k]]
		share := 0.5 / math.Sqrt(12)
		if edge.Boundary() {
			share *= 2
		}
		for side, other := range edge.Tri {
			if other == mesh.None {
				continue
			}
			w := edgeSquares(m, other)[edge.Opp[side]].Scale(share)
			// what positions add to z
			for j := plate.first[other]; j < plate.first[other+1]; j++ {
				a := &c.bow[find(plate.node[j])]
				*[]*float64{&a.X, &a.Y, &a.Z}[k] += w.Dot(plate.coef[j])
			}
			// what a clamp adds
			if c.clamp != nil && c.clamp.slot[other] >= 0 {
				c.held = append(c.held, curvedHold{c.clamp.slot[other], k, w})
			}
		}
	}
	// the end of the stencil
	if len(c.node) > math.MaxInt32 {
		panic("elastic: mesh is too large for a curved membrane")
	}
	c.first = append(c.first, int32(len(c.node)))
	if c.clamp != nil {
		c.heldFirst = append(c.heldFirst, int32(len(c.held)))
	}
}

// countArcs makes the energy count angles for chords of arcs.
func (p *Plate) countArcs() {
	rigidity := func(t int32) float64 { return max(p.law[t].warp, p.law[t].weft) / p.area[t] }
	for t := range p.fold {
		p.fold[t] = 2 / (3 * rigidity(int32(t)))
	}
	for _, t := range p.clamp.tri {
		p.fold[t] = 2 / (9 * rigidity(t))
	}
}

// RestFrom makes the bends of the shape x those of the rest shape, whose edges are then chords too: there
// the strain is that of Membrane.
func (c *Curved) RestFrom(x []r3.Vec) {
	for e := range c.tri {
		t := &c.tri[e]
		c.bend(x, e)
		t.rest = t.bows()
	}
}

// Vary gives each triangle a law of its own, in the order of the mesh. It panics on a law that is not valid.
func (c *Curved) Vary(laws []material.Stretch) {
	checkLaws(laws, len(c.tri))
	c.local = laws
}

// Len returns the number of triangles.
func (c *Curved) Len() int { return len(c.tri) }

// Nodes returns the nodes of triangle e: the corners come first.
func (c *Curved) Nodes(e int) []int32 { return c.node[c.first[e]:c.first[e+1]] }

// bend sets z.
func (c *Curved) bend(x []r3.Vec, e int) {
	lo, hi := c.first[e], c.first[e+1]
	node, bow, t := c.node[lo:hi], c.bow[lo:hi], &c.tri[e]
	// Differences to the first node make translations exact.
	x0 := x[node[0]]
	var z0, z1, z2 r3.Vec
	for k := 1; k < len(node) && k < len(bow); k++ {
		d, a := x[node[k]].Sub(x0), &bow[k]
		z0 = z0.AddScaled(a.X, d)
		z1 = z1.AddScaled(a.Y, d)
		z2 = z2.AddScaled(a.Z, d)
	}
	t.z = [3]r3.Vec{z0, z1, z2}
	if c.clamp == nil {
		return
	}
	for _, h := range c.held[c.heldFirst[e]:c.heldFirst[e+1]] {
		b := &c.clamp.bias[h.slot]
		t.z[h.edge] = t.z[h.edge].AddScaled(h.weight.X, b[0]).AddScaled(h.weight.Y, b[1]).AddScaled(h.weight.Z, b[2])
	}
}

// bows returns |z|² of each edge.
func (t *curvedTriangle) bows() r3.Vec {
	return r3.Vec{X: t.z[0].Norm2(), Y: t.z[1].Norm2(), Z: t.z[2].Norm2()}
}

// alongEdges returns M⁻ᵀ s.
func (t *curvedTriangle) alongEdges(s *Tension) r3.Vec {
	m := &t.inverse
	return m[0].Scale(s.Warp).AddScaled(s.Weft, m[1]).AddScaled(s.Shear, m[2])
}

// Update computes the state of triangles lo to hi.
func (c *Curved) Update(x []r3.Vec, detail Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		// area, with the scale of the triangle
		t := &c.tri[e]
		area := t.area
		if c.Scale != nil {
			area *= c.Scale[e]
		}
		// strain of the chords, and what arcs add to it
		g := t.deform(x)
		c.bend(x, e)
		zeta := t.bows().Sub(t.rest).Scale(0.5)
		g.Warp += t.inverse[0].Dot(zeta)
		g.Weft += t.inverse[1].Dot(zeta)
		g.Shear += t.inverse[2].Dot(zeta)
		t.strain = g
		// energy, tension and tangent of the law
		var w float64
		if c.local != nil {
			w, t.s, t.c = StVK(c.local[e]).Eval(g, detail)
		} else {
			w, t.s, t.c = c.law.Eval(g, detail)
		}
		// its positive part
		if detail == WithRate || detail == Projected {
			t.c.project()
		}
		// times area; tension along the edges too
		t.c.scale(area)
		t.energy = area * w
		t.s = Tension{area * t.s.Warp, area * t.s.Weft, area * t.s.Shear}
		t.edge = t.alongEdges(&t.s)
		// what the geometric part of the Hessian takes
		switch detail {
		case Projected:
			t.geo, t.stiff = t.s.positive(), t.edge.Max(r3.Vec{})
		case Exact:
			t.geo, t.stiff = t.s, t.edge
		}
	}
}

// Energy returns the energy of triangle e [J].
func (c *Curved) Energy(e int) float64 { return c.tri[e].energy }

// Stretch returns the principal stretches of triangle e along arcs: 1 at rest.
func (c *Curved) Stretch(e int) (major, minor float64) {
	g := &c.tri[e].strain
	mean, radius := 1+g.Warp+g.Weft, math.Hypot(g.Warp-g.Weft, g.Shear)
	// Three lengths that make no triangle have a negative minor square.
	return math.Sqrt(max(0, mean+radius)), math.Sqrt(max(0, mean-radius))
}
