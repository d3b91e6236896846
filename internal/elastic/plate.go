package elastic

// A rotation-free Kirchhoff plate on triangles.
//
// The second derivatives of the map x from material to space, constant over a triangle T of area A,
// are the means that Gauss's theorem gives from first derivatives on its edges e (length l, outward
// normal ν, direction τ, from vertex a to b):
//
//	X_ij = 1/A ∫_T ∂_ij x = 1/A Σ_e sym( l g_e ν ⊗ ν + (x_b - x_a) τ ⊗ ν )_ij
//
// where g_e, the derivative across the edge, is one linear combination of vertices near the edge for
// both of its triangles, exact for quadratic x (plate_slope.go). Two things follow. X is exact for
// quadratic x, so a state of constant curvature has the right energy on every mesh. And Σ_T A X
// telescopes to the boundary, so constant moments are in balance at every vertex inside. Operators
// with only one of the two properties (a quadratic fit to the six vertices around a triangle has the
// first, averaged normals of triangles [Grinspun06] have the second on all and the first on
// few meshes) are wrong by tens of percent on some meshes, however fine. The relative of this element
// in the literature is [Flores05].
//
// With X = (X_00, X_11, 2 X_01), rest curvature κ⁰ in the same order and n the unit normal of T,
//
//	E = Q (1 + Q/(3D)),   Q = A/2 Σ_ij D_ij Y_i·Y_j,   Y_i = X_i - κ⁰_i n.
//
// For a sheet that bends without stretching X_i = κ_i n, and this is Kirchhoff's plate. The part of
// X in the plane of T, gradients of strain, is penalized too: it adds B/(k s²) to a membrane
// stiffness k where strain varies over a length s, which for cloth is some 1e-4 at s = 1 cm. What it
// buys: for a flat rest shape Q is quadratic in positions [Bergou06], and E a convex function with a
// positive semi-definite Hessian that needs no normal, so nothing degenerates; and the energy of a
// fold grows up to 180°, where that of n·X would fall again beyond 90°.
//
// The factor after Q counts angles in place of chords. On a grid of side h, where a triangle has area
// h²/2, a fold by θ between columns has |X| h = 2 sin(θ/2), and Q (1 + Q/(3D)) is D θ²/4 to sixth
// order. Without it curvature κ is 1 + (κh)²/24 times too small, which is the larger part of the
// error where a sheet is bent sharply. D is the greater of both rigidities. Next to a clamp half an
// element is bent, and the factor is 1 + Q/(12D).
//
// The Hessian is split so that its material part, that of κ_i = n·X_i, vanishes on rigid velocities:
// ∂κ_i/∂x_k = (c_ik - X_i·∇N_k) n with X_i = Σ_k c_ik x_k and ∇N_k the surface gradient of the
// linear shape function (zero unless k is a corner of T). The geometric part is all the rest.
//
// What remains is not of the plate: flat triangles between points of a curved surface are shorter than
// the surface, by (κh)²/24, unequally in different directions. Where a stiff membrane cannot follow,
// it makes the sheet too stiff or its facets too sharp, on irregular meshes and for κh above some 0.3.
//
// Invariants: c sums to zero over the nodes of a triangle; the first three nodes are its corners.

import (
	"fmt"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Plate is the bending resistance of a sheet, one element for each triangle. It implements Elements.
type Plate struct {
	first []int32 // the nodes of triangle t are node[first[t]:first[t+1]]
	node  []int32
	coef  []r3.Vec   // c of each node of each triangle: (00, 11, twice 01) [1/m²]
	law   []rigidity // rigidity times area
	area  []float64  // of the rest shape [m²]
	fold  []float64  // 1/(3D), or 1/(12D) next to a clamp [1/J]
	state []plateState
	frame []plateFrame
	rest  []r3.Vec    // κ⁰ (00, 11, twice 01) [1/m]; nil for a flat rest shape
	bend  []plateTurn // only with rest
	clamp clampSet
}

// rigidity is D times area, [N m³].
type rigidity struct{ warp, weft, cross, twist float64 }

func (d *rigidity) mul(c r3.Vec) r3.Vec {
	return r3.Vec{X: d.warp*c.X + d.cross*c.Y, Y: d.cross*c.X + d.weft*c.Y, Z: d.twist * c.Z}
}

// plateState is what force needs: the moments ∂E/∂Y [N m²].
type plateState struct {
	m0, m1, m2 r3.Vec
	energy     float64
	factor     float64 // ∂E/∂Q
	second     float64 // ∂²E/∂Q² over (∂E/∂Q)² for Exact, else 0 [1/J]
}

// plateFrame is what the material part of the Hessian needs.
type plateFrame struct {
	n     r3.Vec
	slide [3]r3.Vec // X_i·∇N_k for corner k, in the order of coef
}

// plateTurn is how the normal turns with the corners, for a curved rest shape.
type plateTurn struct {
	n     r3.Vec
	grad  [3]r3.Vec  // ∇N_k [1/m]
	pull  [3]float64 // Σ_i κ⁰_i m_i·∇N_k
	along r3.Vec     // Σ_i κ⁰_i m_i
}

// NewPlate returns the plate of a sheet with a flat rest shape. scale multiplies the rigidity of each
// triangle and may be nil. It fails on a law that is not positive definite, on a scale that is not
// above zero and on clamps that are not at the boundary.
func NewPlate(m *mesh.Mesh, law func(t int32) PlateLaw, scale []float64, clamps []Clamp) (*Plate, error) {
	// one scale for each triangle
	n := len(m.Tri)
	if scale != nil && len(scale) != n {
		return nil, fmt.Errorf("plate has %d scales for %d triangles", len(scale), n)
	}
	p := &Plate{
		law:   make([]rigidity, n),
		area:  make([]float64, n),
		fold:  make([]float64, n),
		state: make([]plateState, n),
		frame: make([]plateFrame, n),
	}
	// rigidities and areas
	for t := range int32(n) {
		l, s := law(t), m.RestArea(t)
		p.area[t] = s
		stiffest := max(l.Warp, l.Weft)
		if err := l.Validate(); err != nil {
			return nil, fmt.Errorf("bending law of triangle %d: %w", t, err)
		}
		if scale != nil {
			if !(scale[t] > 0) {
				return nil, fmt.Errorf("bending scale of triangle %d is %g; write a number above 0", t, scale[t])
			}
			s *= scale[t]
			stiffest *= scale[t]
		}
		// what makes the energy of large folds right, by the stiffest direction
		p.fold[t] = 1 / (3 * stiffest)
		p.law[t] = rigidity{warp: s * l.Warp, weft: s * l.Weft, cross: s * l.cross(), twist: s * l.Twist}
	}
	// clamps, beside which it is another
	if err := p.clamp.init(m, clamps); err != nil {
		return nil, err
	}
	for _, t := range p.clamp.tri {
		p.fold[t] = 1 / (12 * max(law(t).Warp, law(t).Weft))
		if scale != nil {
			p.fold[t] /= scale[t]
		}
	}
	// second derivatives as sums over nodes
	p.first, p.node, p.coef = secondDerivatives(m, &p.clamp)
	return p, nil
}

// SetClamp turns clamp i, counted as given to NewPlate, so that the sheet leaves it along dir.
func (p *Plate) SetClamp(i int, dir r3.Vec) { p.clamp.set(i, dir) }

// RestFrom makes the shape x the one without moments: its curvature becomes the rest curvature, and
// what the derivatives of x have in the plane of each triangle is no longer counted.
func (p *Plate) RestFrom(x []r3.Vec) {
	p.needRest()
	for t := range p.state {
		y := p.derivatives(x, t)
		n, grad := p.corners(x, t)
		p.rest[t] = r3.V(n.Dot(y[0]), n.Dot(y[1]), n.Dot(y[2]))
		c := p.coef[p.first[t] : p.first[t]+3]
		for k := range c {
			c[k] = c[k].Sub(dots(&y, grad[k]))
		}
	}
}

// SetRest sets the rest curvature of triangle t [1/m]: along warp, along weft, and twice the twist.
func (p *Plate) SetRest(t int32, curvature r3.Vec) {
	p.needRest()
	p.rest[t] = curvature
}

func (p *Plate) needRest() {
	if p.rest == nil {
		p.rest, p.bend = make([]r3.Vec, len(p.state)), make([]plateTurn, len(p.state))
	}
}

// Curvature returns the normal part of the second derivatives of triangle t at positions x [1/m]:
// along warp, along weft, and twice the twist.
func (p *Plate) Curvature(x []r3.Vec, t int32) r3.Vec {
	y := p.derivatives(x, int(t))
	n, _ := p.corners(x, int(t))
	return dots(&y, n)
}

// Len implements Elements.
func (p *Plate) Len() int { return len(p.state) }

// Nodes implements Elements: the corners of the triangle come first.
func (p *Plate) Nodes(e int) []int32 { return p.node[p.first[e]:p.first[e+1]] }

// derivatives returns X.
func (p *Plate) derivatives(x []r3.Vec, e int) [3]r3.Vec {
	lo, hi := p.first[e], p.first[e+1]
	node, coef := p.node[lo:hi], p.coef[lo:hi]
	// Differences to the first node make translations exact.
	x0 := x[node[0]]
	var y0, y1, y2 r3.Vec
	for k := 1; k < len(node) && k < len(coef); k++ {
		d, c := x[node[k]].Sub(x0), &coef[k]
		y0 = y0.AddScaled(c.X, d)
		y1 = y1.AddScaled(c.Y, d)
		y2 = y2.AddScaled(c.Z, d)
	}
	y := [3]r3.Vec{y0, y1, y2}
	if p.clamp.any() {
		p.clamp.add(e, &y)
	}
	return y
}

// Update implements Elements.
func (p *Plate) Update(x []r3.Vec, detail Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		y := p.derivatives(x, e)
		if detail >= WithRate || p.rest != nil {
			p.updateFrame(x, e, &y)
		}
		d, s := &p.law[e], &p.state[e]
		y0, y1, y2 := y[0], y[1], y[2]
		m0 := y0.Scale(d.warp).AddScaled(d.cross, y1)
		m1 := y0.Scale(d.cross).AddScaled(d.weft, y1)
		m2 := y2.Scale(d.twist)
		q := (m0.Dot(y0) + m1.Dot(y1) + m2.Dot(y2)) / 2
		s.energy = q * (1 + q*p.fold[e])
		s.factor = 1 + 2*q*p.fold[e]
		s.second = 0
		if detail == Exact {
			s.second = 2 * p.fold[e] / (s.factor * s.factor)
		}
		s.m0, s.m1, s.m2 = m0.Scale(s.factor), m1.Scale(s.factor), m2.Scale(s.factor)
		if p.rest != nil {
			p.updateTurn(e, detail)
		}
	}
}

// updateFrame computes the normal and what depends on it, and turns X into Y.
func (p *Plate) updateFrame(x []r3.Vec, e int, y *[3]r3.Vec) {
	n, grad := p.corners(x, e)
	f := &p.frame[e]
	f.n = n
	for k := range 3 {
		f.slide[k] = dots(y, grad[k])
	}
	if p.rest == nil {
		return
	}
	r := p.rest[e]
	y[0] = y[0].AddScaled(-r.X, n)
	y[1] = y[1].AddScaled(-r.Y, n)
	y[2] = y[2].AddScaled(-r.Z, n)
	b := &p.bend[e]
	b.n, b.grad = n, grad
}

// updateTurn computes the forces that come from the rest curvature turning with the triangle.
func (p *Plate) updateTurn(e int, detail Detail) {
	s, b, r := &p.state[e], &p.bend[e], p.rest[e]
	b.along = s.m0.Scale(r.X).AddScaled(r.Y, s.m1).AddScaled(r.Z, s.m2)
	for k := range 3 {
		b.pull[k] = b.along.Dot(b.grad[k])
	}
	if detail < Exact {
		// Without this vector AddRow leaves out the second derivatives of the normal.
		b.along = r3.Vec{}
	}
}

// leastArea is the area of a triangle, relative to its rest shape, below which gradients on it are
// no longer let grow.
const leastArea = 1e-4

// corners returns the unit normal of triangle e and the surface gradients of its shape functions.
func (p *Plate) corners(x []r3.Vec, e int) (n r3.Vec, grad [3]r3.Vec) {
	v := p.node[p.first[e] : p.first[e]+3]
	return surface(x[v[0]], x[v[1]], x[v[2]], p.area[e])
}

// surface returns the unit normal of a triangle and the gradients of its linear shape functions
// [1/m]. Both are zero for a triangle without area, and the gradients stay bounded near it.
func surface(a, b, c r3.Vec, restArea float64) (n r3.Vec, grad [3]r3.Vec) {
	ab, ac := b.Sub(a), c.Sub(a)
	n = ab.Cross(ac)
	double := n.Norm()
	if double == 0 {
		return n, grad
	}
	n = n.Scale(1 / double)
	s := 1 / max(double, 2*leastArea*restArea)
	grad[1] = ac.Cross(n).Scale(s)
	grad[2] = n.Cross(ab).Scale(s)
	grad[0] = grad[1].Add(grad[2]).Neg()
	return n, grad
}

func dots(y *[3]r3.Vec, v r3.Vec) r3.Vec {
	return r3.Vec{X: y[0].Dot(v), Y: y[1].Dot(v), Z: y[2].Dot(v)}
}

// Energy implements Elements.
func (p *Plate) Energy(e int) float64 { return p.state[e].energy }

// Force implements Elements.
func (p *Plate) Force(e, k int) r3.Vec {
	s, c := &p.state[e], &p.coef[int(p.first[e])+k]
	f := s.m0.Scale(-c.X).AddScaled(-c.Y, s.m1).AddScaled(-c.Z, s.m2)
	if p.rest != nil && k < 3 {
		b := &p.bend[e]
		f = f.AddScaled(-b.pull[k], b.n)
	}
	return f
}

// AddRow implements Elements. The sum of both parts is positive semi-definite if material is at
// least geometric (Projected).
func (p *Plate) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	lo, hi := p.first[e], p.first[e+1]
	coef, s := p.coef[lo:hi], &p.state[e]
	row := p.law[e].mul(coef[k]).Scale(s.factor * geometric)
	if geometric != 0 {
		for l, i := range at[:len(coef)] {
			if i >= 0 {
				val[i].AddDiagonal(row.Dot(coef[l]))
			}
		}
		if s.second != 0 {
			p.addSecond(e, k, at, val, geometric*s.second)
		}
		if p.rest != nil {
			p.addTurn(e, k, at, val, geometric, row)
		}
	}
	if extra := material - geometric; extra != 0 {
		p.addMaterial(e, k, at, val, extra)
	}
}

// addSecond adds the part of the Hessian that comes from E not being linear in Q:
// ∂²E = ∂E/∂Q ∂²Q + ∂²E/∂Q² ∂Q ∂Q, and forces are -∂E/∂Q ∂Q.
func (p *Plate) addSecond(e, k int, at []int32, val []r3.Mat, second float64) {
	f := p.Force(e, k).Scale(second)
	for l, i := range at {
		if i >= 0 {
			val[i].AddOuter(1, f, p.Force(e, l))
		}
	}
}

// addMaterial adds s times the material part.
func (p *Plate) addMaterial(e, k int, at []int32, val []r3.Mat, s float64) {
	lo, hi := p.first[e], p.first[e+1]
	coef, f := p.coef[lo:hi], &p.frame[e]
	c := coef[k]
	if k < 3 {
		c = c.Sub(f.slide[k])
	}
	row := p.law[e].mul(c).Scale(s * p.state[e].factor)
	nn := r3.Outer(f.n, f.n)
	for l, i := range at[:len(coef)] {
		if i < 0 {
			continue
		}
		c := coef[l]
		if l < 3 {
			c = c.Sub(f.slide[l])
		}
		val[i].AddScaled(row.Dot(c), &nn)
	}
}

// addTurn adds s times the terms of the Hessian that come from a curved rest shape. With
// ∂Y_i/∂x_k = c_ik + κ⁰_i ∇N_k nᵀ and p = -Σ_i κ⁰_i m_i, they are, beyond Σ_ij c_ik D_ij c_jl,
//
//	(Dc_k·κ⁰) ∇N_l nᵀ + (Dc_l·κ⁰) n ∇N_kᵀ + (κ⁰·Dκ⁰) (∇N_k·∇N_l) n nᵀ
//
// and, from the second derivative of p·n (Exact only),
//
//	(p·∇N_k) ∇N_l nᵀ + (p·∇N_l) n ∇N_kᵀ - (p·n) (∇N_k·∇N_l) n nᵀ.
//
// row is s Dc_k.
func (p *Plate) addTurn(e, k int, at []int32, val []r3.Mat, s float64, row r3.Vec) {
	lo, hi := p.first[e], p.first[e+1]
	coef, b, r := p.coef[lo:hi], &p.bend[e], p.rest[e]
	moment := p.law[e].mul(r).Scale(p.state[e].factor)
	normal := r.Dot(moment) + b.along.Dot(b.n)
	for l, i := range at {
		if i < 0 {
			continue
		}
		if l < 3 {
			w := row.Dot(r)
			if k < 3 {
				w -= s * b.along.Dot(b.grad[k])
			}
			val[i].AddOuter(w, b.grad[l], b.n)
		}
		if k < 3 {
			w := moment.Dot(coef[l])
			if l < 3 {
				w -= b.along.Dot(b.grad[l])
				val[i].AddOuter(s*normal*b.grad[k].Dot(b.grad[l]), b.n, b.n)
			}
			val[i].AddOuter(s*w, b.n, b.grad[k])
		}
	}
}

// Turn implements Turner. With a flat rest shape the moments turn along; with a curved one Y does, of which the
// Projected mode keeps Σ_i (∂Y_i/∂x_k)ᵀ (ω x m_i).
func (p *Plate) Turn(e, k int, spin r3.Vec) r3.Vec {
	if p.clamp.any() && p.clamp.slot[e] >= 0 {
		return r3.Vec{}
	}
	if p.rest == nil || p.bend[e].along != (r3.Vec{}) { // or Exact
		return p.Force(e, k).Cross(spin)
	}
	s, c := &p.state[e], &p.coef[int(p.first[e])+k]
	turned := spin.Cross(s.m0.Scale(c.X).AddScaled(c.Y, s.m1).AddScaled(c.Z, s.m2))
	if k < 3 {
		b, r := &p.bend[e], p.rest[e]
		along := s.m0.Scale(r.X).AddScaled(r.Y, s.m1).AddScaled(r.Z, s.m2)
		turned = turned.AddScaled(b.grad[k].Dot(spin.Cross(along)), b.n)
	}
	return turned
}

// MaterialForce implements Elements.
func (p *Plate) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	f := &p.frame[e]
	c := p.coef[int(p.first[e])+k]
	if k < 3 {
		c = c.Sub(f.slide[k])
	}
	return f.n.Scale(-p.state[e].factor * p.law[e].mul(p.rate(e, v)).Dot(c))
}

// Dissipation implements Dissipative.
func (p *Plate) Dissipation(e int, v []r3.Vec) float64 {
	rate := p.rate(e, v)
	return p.state[e].factor * p.law[e].mul(rate).Dot(rate)
}

// rate returns the rate of the curvature at velocities v.
func (p *Plate) rate(e int, v []r3.Vec) (rate r3.Vec) {
	lo, hi := p.first[e], p.first[e+1]
	node, coef, f := p.node[lo:hi], p.coef[lo:hi], &p.frame[e]
	v0 := v[node[0]]
	for l := 1; l < len(node); l++ {
		c := coef[l]
		if l < 3 {
			c = c.Sub(f.slide[l])
		}
		rate = rate.AddScaled(f.n.Dot(v[node[l]].Sub(v0)), c)
	}
	return rate
}
