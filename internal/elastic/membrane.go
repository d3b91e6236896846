package elastic

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// The membrane is the constant-strain triangle with a law W(G) of the Green strain.
//
//	X0, X1, X2   material points of the corners [m];  x0, x1, x2  their places in space [m]
//	F            = [x1-x0  x2-x0] [X1-X0  X2-X0]⁻¹, 3x2, with columns f0 (warp) and f1 (weft)
//	b_k          gradient of the shape function of corner k in the material [1/m]; b0 = -b1 - b2
//	G            = (FᵀF - I)/2,  g = (G00, G11, 2 G01)
//	s = ∂W/∂g    second Piola-Kirchhoff tension, S = [s0 s2; s2 s1] [N/m];  C = ∂²W/∂g²
//	A            rest area times the multiplier of the triangle [m²]
//
// Energy A W; force on corner k: -A (f0 (S b_k)_0 + f1 (S b_k)_1); Hessian block (k, l):
//
//	material   A Σ_ij D_ij f_i f_jᵀ,  D = M_k C M_lᵀ,  M_k = [b_k0  0  b_k1;  0  b_k1  b_k0]
//	geometric  A (b_kᵀ S b_l) I
//
// so that a block costs two outer products and no 3x9 matrix is ever built. In the Projected mode C
// is replaced by its positive semi-definite part and S by its own, S⁺: both parts are then positive
// semi-definite, and the geometric stiffness of directions in tension is kept whole.
//
// Invariants: the energy depends on FᵀF only, so it does not see rigid motions, nor the side from
// which the material is looked at: a mirrored material triangle (negative signed area) has the
// signed inverse above and the absolute value of its area, and gives the same as its mirror image.
// Nothing is divided by a length in space, so triangles may collapse to a line or a point.

// Strain is the Green strain of a membrane along its material axes.
type Strain struct {
	Warp, Weft float64 // G00 and G11
	Shear      float64 // 2 G01, near rest the change of the angle between the axes [rad]
}

// Tension is the second Piola-Kirchhoff stress of a membrane, conjugate to Strain [N/m].
type Tension struct{ Warp, Weft, Shear float64 }

// Tangent is the symmetric derivative of Tension by Strain [N/m], rows and columns in their order.
type Tangent struct{ C00, C01, C02, C11, C12, C22 float64 }

// MembraneLaw is the energy of a sheet stretched in its plane.
type MembraneLaw interface {
	// Eval returns the energy per rest area [J/m²] at strain g, and as far as detail asks for them
	// its first and second derivatives by g. They are exact; the caller projects.
	Eval(g Strain, detail Detail) (float64, Tension, Tangent)
	// Validate says what is wrong with the constants of the law.
	Validate() error
}

// Membrane is the in-plane elasticity of a sheet, a triangle an element, in the order of the mesh.
type Membrane struct {
	// Scale multiplies the law of each triangle; nil means 1. It takes effect at the next Update.
	Scale []float64

	law   MembraneLaw
	local []material.Stretch // by triangle instead of law, or nil
	tri   []membraneTriangle
}

var _ Elements = (*Membrane)(nil)

// membraneTriangle is the rest shape and the state of a triangle, side by side because they are
// always used together (232 bytes).
type membraneTriangle struct {
	node   [3]int32
	b1, b2 r3.Vec2 // gradients of the shape functions of corners 1 and 2 [1/m]
	area   float64 // [m²]

	energy float64 // [J]
	f0, f1 r3.Vec  // columns of F
	// The following are times the area and the multiplier.
	s   Tension
	geo Tension // S, or S⁺ in the Projected mode
	c   Tangent

	start  Tension   // s at the start of the step
	before [2]r3.Vec // columns of F before: of the last Tauten, or Start
}

// NewMembrane returns the membrane of a mesh. It panics on a law that is not valid.
func NewMembrane(m *mesh.Mesh, law MembraneLaw) *Membrane {
	if err := law.Validate(); err != nil {
		panic(fmt.Sprintf("elastic: membrane law: %v", err))
	}
	t := &Membrane{law: law, tri: make([]membraneTriangle, len(m.Tri))}
	for i := range t.tri {
		a, b, c := m.RestTriangle(int32(i))
		d1, d2 := b.Sub(a), c.Sub(a)
		det := d1.Cross(d2)
		t.tri[i] = membraneTriangle{
			node: m.Tri[i],
			b1:   r3.Vec2{X: d2.Y / det, Y: -d2.X / det},
			b2:   r3.Vec2{X: -d1.Y / det, Y: d1.X / det},
			area: math.Abs(det) / 2,
		}
	}
	return t
}

// Vary gives each triangle a law of its own, in the order of the mesh. It panics on a law that is not valid.
func (m *Membrane) Vary(laws []material.Stretch) {
	checkLaws(laws, len(m.tri))
	m.local = laws
}

func checkLaws(laws []material.Stretch, triangles int) {
	if len(laws) != triangles {
		panic(fmt.Sprintf("elastic: %d membrane laws for %d triangles", len(laws), triangles))
	}
	for t := range laws {
		if err := laws[t].Validate(); err != nil {
			panic(fmt.Sprintf("elastic: membrane law of triangle %d: %v", t, err))
		}
	}
}

// Len returns the number of triangles.
func (m *Membrane) Len() int { return len(m.tri) }

// Nodes returns the corners of triangle e.
func (m *Membrane) Nodes(e int) []int32 { return m.tri[e].node[:] }

// Update computes the state of triangles lo to hi.
func (m *Membrane) Update(x []r3.Vec, detail Detail, lo, hi int) {
	constant, isConstant := m.law.(StVK)
	for e := lo; e < hi; e++ {
		t := &m.tri[e]
		if m.local != nil {
			constant, isConstant = StVK(m.local[e]), true
		}
		a := t.area
		if m.Scale != nil {
			a *= m.Scale[e]
		}
		g := t.deform(x)
		var w float64
		if isConstant {
			// The default law, without the price of a call through an interface. Its tangent is
			// positive definite as it is.
			w, t.s = constant.tension(g)
			if detail >= WithRate {
				t.c = constant.tangent(a)
			}
		} else {
			w, t.s, t.c = m.law.Eval(g, detail)
			if detail == WithRate || detail == Projected {
				t.c.project()
			}
			t.c.scale(a)
		}
		t.energy = a * w
		t.s = Tension{a * t.s.Warp, a * t.s.Weft, a * t.s.Shear}
		switch detail {
		case Projected:
			t.geo = t.s.positive()
		case Exact:
			t.geo = t.s
		}
	}
}

// deform sets F and returns the strain.
func (t *membraneTriangle) deform(x []r3.Vec) Strain {
	x0 := x[t.node[0]]
	d1, d2 := x[t.node[1]].Sub(x0), x[t.node[2]].Sub(x0)
	f0 := d1.Scale(t.b1.X).AddScaled(t.b2.X, d2)
	f1 := d1.Scale(t.b1.Y).AddScaled(t.b2.Y, d2)
	t.f0, t.f1 = f0, f1
	return Strain{0.5 * (f0.Norm2() - 1), 0.5 * (f1.Norm2() - 1), f0.Dot(f1)}
}

// gradient returns b_k.
func (t *membraneTriangle) gradient(k int) r3.Vec2 {
	switch k {
	case 1:
		return t.b1
	case 2:
		return t.b2
	}
	return r3.Vec2{X: -t.b1.X - t.b2.X, Y: -t.b1.Y - t.b2.Y}
}

// Energy returns the energy of triangle e [J].
func (m *Membrane) Energy(e int) float64 { return m.tri[e].energy }

// EnergyDensity returns the energy of triangle e per rest area [J/m²].
func (m *Membrane) EnergyDensity(e int) float64 { return m.tri[e].energy / m.tri[e].area }

// Force returns the force of triangle e on its k-th corner [N].
func (m *Membrane) Force(e, k int) r3.Vec { return m.tri[e].pull(&m.tri[e].s, k) }

// pull returns the force of a tension on corner k.
func (t *membraneTriangle) pull(s *Tension, k int) r3.Vec {
	b := t.gradient(k)
	return t.f0.Scale(-(s.Warp*b.X + s.Shear*b.Y)).AddScaled(-(s.Shear*b.X + s.Weft*b.Y), t.f1)
}

// Turn implements Turner: the tension of the geometric part turns along.
func (m *Membrane) Turn(e, k int, spin r3.Vec) r3.Vec {
	return m.tri[e].pull(&m.tri[e].geo, k).Cross(spin)
}

// AddRow adds row k of the Hessian of triangle e.
func (m *Membrane) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	t := &m.tri[e]
	b, c := t.gradient(k), &t.c
	bx, by := material*b.X, material*b.Y
	// The rows of M_k C.
	p0, p1, p2 := bx*c.C00+by*c.C02, bx*c.C01+by*c.C12, bx*c.C02+by*c.C22
	q0, q1, q2 := by*c.C01+bx*c.C02, by*c.C11+bx*c.C12, by*c.C12+bx*c.C22
	gx := geometric * (t.geo.Warp*b.X + t.geo.Shear*b.Y)
	gy := geometric * (t.geo.Shear*b.X + t.geo.Weft*b.Y)
	f0, f1 := t.f0, t.f1
	for l, i := range at {
		if i < 0 {
			continue
		}
		d := t.gradient(l)
		u := f0.Scale(p0*d.X+p2*d.Y).AddScaled(p1*d.Y+p2*d.X, f1)
		v := f0.Scale(q0*d.X+q2*d.Y).AddScaled(q1*d.Y+q2*d.X, f1)
		diagonal := gx*d.X + gy*d.Y
		h := &val[i]
		h.XX += f0.X*u.X + f1.X*v.X + diagonal
		h.XY += f0.X*u.Y + f1.X*v.Y
		h.XZ += f0.X*u.Z + f1.X*v.Z
		h.YX += f0.Y*u.X + f1.Y*v.X
		h.YY += f0.Y*u.Y + f1.Y*v.Y + diagonal
		h.YZ += f0.Y*u.Z + f1.Y*v.Z
		h.ZX += f0.Z*u.X + f1.Z*v.X
		h.ZY += f0.Z*u.Y + f1.Z*v.Y
		h.ZZ += f0.Z*u.Z + f1.Z*v.Z + diagonal
	}
}

// MaterialForce returns the rate of the force of triangle e on its k-th corner due to the strain rate
// of velocities v [N/s].
func (m *Membrane) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	t := &m.tri[e]
	s := t.c.times(t.rate(v))
	return t.pull(&s, k)
}

// Start implements Viscous.
func (m *Membrane) Start(lo, hi int) {
	for e := lo; e < hi; e++ {
		t := &m.tri[e]
		t.start, t.before = t.s, [2]r3.Vec{t.f0, t.f1}
	}
}

// ViscousForce implements Viscous.
func (m *Membrane) ViscousForce(e, k int) r3.Vec {
	t := &m.tri[e]
	s := t.s.plus(-1, t.start)
	return t.pull(&s, k)
}

// Dissipation implements Dissipative.
func (m *Membrane) Dissipation(e int, v []r3.Vec) float64 {
	t := &m.tri[e]
	rate := t.rate(v)
	s := t.c.times(rate)
	return s.Warp*rate.Warp + s.Weft*rate.Weft + s.Shear*rate.Shear
}

// rate returns the rate of the strain at velocities v.
func (t *membraneTriangle) rate(v []r3.Vec) Strain {
	v0 := v[t.node[0]]
	d1, d2 := v[t.node[1]].Sub(v0), v[t.node[2]].Sub(v0)
	r0 := d1.Scale(t.b1.X).AddScaled(t.b2.X, d2)
	r1 := d1.Scale(t.b1.Y).AddScaled(t.b2.Y, d2)
	return Strain{t.f0.Dot(r0), t.f1.Dot(r1), t.f0.Dot(r1) + t.f1.Dot(r0)}
}

// Tauten implements Tense.
func (m *Membrane) Tauten(_ []r3.Vec, damping Damping, detail Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		t := &m.tri[e]
		t.geo = t.s.plus(-1, t.c.times(t.bowed()))
		t.geo = t.geo.plus(damping.Share(e), t.geo.plus(-1, t.start))
		t.before = [2]r3.Vec{t.f0, t.f1}
		if detail == Projected {
			t.geo = t.geo.positive()
		}
	}
}

// bowed returns the strain by the square of the change of F.
func (t *membraneTriangle) bowed() Strain {
	d0, d1 := t.f0.Sub(t.before[0]), t.f1.Sub(t.before[1])
	return Strain{0.5 * d0.Norm2(), 0.5 * d1.Norm2(), d0.Dot(d1)}
}

// Stretch returns the principal stretches of triangle e, the singular values of F: 1 at rest.
func (m *Membrane) Stretch(e int) (major, minor float64) {
	t := &m.tri[e]
	a, b, c := t.f0.Norm2(), t.f1.Norm2(), t.f0.Dot(t.f1)
	major = math.Sqrt(0.5*(a+b) + math.Hypot(0.5*(a-b), c))
	if major == 0 {
		return 0, 0
	}
	// The product of the two is the area ratio. The smaller root itself would cancel.
	return major, t.f0.Cross(t.f1).Norm() / major
}

// plus returns s and scale times r.
func (s Tension) plus(scale float64, r Tension) Tension {
	return Tension{s.Warp + scale*r.Warp, s.Weft + scale*r.Weft, s.Shear + scale*r.Shear}
}

// positive returns the positive semi-definite part of the 2x2 tensor s.
func (s Tension) positive() Tension {
	mean, half := 0.5*(s.Warp+s.Weft), 0.5*(s.Warp-s.Weft)
	radius := math.Sqrt(half*half + s.Shear*s.Shear)
	hi, lo := mean+radius, mean-radius
	switch {
	case lo >= 0:
		return s
	case hi <= 0:
		return Tension{}
	}
	// hi n nᵀ with n nᵀ = (S - lo I)/(hi - lo).
	f := hi / (hi - lo)
	return Tension{f * (s.Warp - lo), f * (s.Weft - lo), f * s.Shear}
}
