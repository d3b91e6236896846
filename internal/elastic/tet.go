package elastic

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// What tets of all laws have in common: their rest shape, and damping.
//
//	X0 to X3, x0 to x3   corners at rest and in space [m]
//	F     = [x1-x0 x2-x0 x3-x0] [X1-X0 X2-X0 X3-X0]⁻¹
//	b_k   gradient of the shape function of corner k at rest [1/m]; b0 = -b1 - b2 - b3
//	V     rest volume [m³];  μ, λ of Lamé [Pa]
//
// The material part of the Hessian is, for damping, that of a viscosity on the rate of Green strain Ė = (FᵀḞ + ḞᵀF)/2,
// which is zero in rigid motions, with the tension F (λ tr(Ė) 1 + 2μ Ė):
//
//	V ( λ (F b_k)(F b_l)ᵀ + μ (b_k·b_l) F Fᵀ + μ (F b_l)(F b_k)ᵀ )
//
// The geometric part is what is left of the Hessian. By itself it can be negative, also in the Projected mode; together
// with as much of the material part, or more, it is not.

// Tets is the elasticity of a solid, a tet an element.
type Tets interface {
	Elements
	// Stress returns ∂W/∂F of tet e, the force over the area at rest [Pa].
	Stress(e int) r3.Mat
	// Stretch returns the largest principal stretch of tet e; 1 is unstretched.
	Stretch(e int) float64
	// Bulk returns the volume of tet e over that at rest; it is negative where the tet is inverted.
	Bulk(e int) float64
}

// TetLaw is how the energy of tets grows with their deformation.
type TetLaw int

// The laws of tets. All are linear elasticity where strains are small.
const (
	// CorotationalLaw is linear in axes that turn along: for strains of some per cent. See Corotational.
	CorotationalLaw TetLaw = iota
	// NeoHookeanLaw is that of rubber, and infinite for what is pressed flat. See Hyperelastic.
	NeoHookeanLaw
	// StableLaw is much like it, and finite where tets are flat or inverted. See Hyperelastic.
	StableLaw
)

// NewTets returns the elements of a solid.
func NewTets(m *mesh.Tets, law TetLaw, material material.Isotropic) (Tets, error) {
	switch law {
	case CorotationalLaw:
		return NewCorotational(m, material)
	case NeoHookeanLaw:
		return NewNeoHookean(m, material)
	case StableLaw:
		return NewStableNeoHookean(m, material)
	}
	return nil, fmt.Errorf("there is no law %d of tets", law)
}

// tetRest is a tet at rest.
type tetRest struct {
	node   [4]int32
	b      [4]r3.Vec
	volume float64
}

// restTets returns the tets of a mesh.
func restTets(m *mesh.Tets) ([]tetRest, error) {
	rest := make([]tetRest, len(m.Tet))
	for i, node := range m.Tet {
		x0 := m.X[node[0]]
		d1, d2, d3 := m.X[node[1]].Sub(x0), m.X[node[2]].Sub(x0), m.X[node[3]].Sub(x0)
		det := d1.Dot(d2.Cross(d3))
		if !(det > 0) {
			return nil, fmt.Errorf("tet %d has a volume of %g m³ at rest, which is not positive", i, det/6)
		}
		t := &rest[i]
		t.node, t.volume = node, det/6
		t.b[1], t.b[2], t.b[3] = d2.Cross(d3).Scale(1/det), d3.Cross(d1).Scale(1/det), d1.Cross(d2).Scale(1/det)
		t.b[0] = t.b[1].Add(t.b[2]).Add(t.b[3]).Neg()
	}
	return rest, nil
}

// gradient returns the derivative in the rest shape of a field that is x at the corners.
func (t *tetRest) gradient(x []r3.Vec) r3.Mat {
	x0 := x[t.node[0]]
	var f r3.Mat
	for k := 1; k < 4; k++ {
		f.AddOuter(1, x[t.node[k]].Sub(x0), t.b[k])
	}
	return f
}

// largestStretch returns the largest singular value of F.
func largestStretch(f *r3.Mat) float64 {
	transposed := f.T()
	square := transposed.Mul(f)
	square = square.Scale(-1)
	return math.Sqrt(max(0, -square.LeastEigenvalue()))
}

// viscosity is what resists straining, per second of damping.
type viscosity struct{ mu, lambda float64 }

// addRow adds row k of the material part of the Hessian at F, times scale.
func (c viscosity) addRow(t *tetRest, f *r3.Mat, k int, at []int32, val []r3.Mat, scale float64) {
	mu, lambda := scale*t.volume*c.mu, scale*t.volume*c.lambda
	square := f.T()
	square = f.Mul(&square) // F Fᵀ
	fk := f.MulVec(t.b[k])
	for l, i := range at {
		if i < 0 {
			continue
		}
		fl := f.MulVec(t.b[l])
		val[i].AddOuter(lambda, fk, fl)
		val[i].AddScaled(mu*t.b[k].Dot(t.b[l]), &square)
		val[i].AddOuter(mu, fl, fk)
	}
}

// force returns the rate of the force on the k-th corner due to the strain rate of velocities v at F [N/s].
func (c viscosity) force(t *tetRest, f *r3.Mat, k int, v []r3.Vec) r3.Vec {
	rate := t.gradient(v)
	strain := f.T()
	strain = strain.Mul(&rate) // FᵀḞ, twice whose symmetric part is 2Ė
	b := t.b[k]
	s := strain.MulVec(b).Add(strain.MulVecT(b)).Scale(c.mu).AddScaled(c.lambda*strain.Trace(), b)
	return f.MulVec(s).Scale(-t.volume)
}

// stress returns 2μĖ + λ tr(Ė) 1 at velocities v and F [Pa/s].
func (c viscosity) stress(t *tetRest, f *r3.Mat, v []r3.Vec) r3.Mat {
	rate := t.gradient(v)
	strain := f.T()
	strain = strain.Mul(&rate)
	s := strain.T()
	s.AddScaled(1, &strain)
	s = s.Scale(c.mu)
	s.AddDiagonal(c.lambda * strain.Trace())
	return s
}

// brake is the stress by which a tet resists straining, where that is counted.
type brake struct {
	taut  bool
	extra r3.Mat // V times the second Piola-Kirchhoff stress
}

// of makes the brake that of damping at velocities v and F.
func (k *brake) of(c viscosity, t *tetRest, f *r3.Mat, v []r3.Vec, damping float64, detail Detail) {
	if k.taut = damping != 0; !k.taut {
		return
	}
	k.extra = c.stress(t, f, v)
	k.extra = k.extra.Scale(damping * t.volume)
	if detail == Projected {
		k.extra = positivePart(&k.extra)
	}
}

// between returns what the brake adds to the diagonal of the block of two corners, with their gradients. The block (k,
// l) of a stress S on top of that of the law is V (b_kᵀ S b_l) 1.
func (k *brake) between(bk, bl r3.Vec) float64 {
	if !k.taut {
		return 0
	}
	return k.extra.MulVec(bl).Dot(bk)
}

// positivePart returns the positive semi-definite part of the symmetric matrix s.
func positivePart(s *r3.Mat) r3.Mat {
	a := [3][3]float64{{s.XX, s.XY, s.XZ}, {s.YX, s.YY, s.YZ}, {s.ZX, s.ZY, s.ZZ}}
	e := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	r3.Diagonalize(&a, &e)
	var positive r3.Mat
	for k := range a {
		axis := r3.V(e[0][k], e[1][k], e[2][k])
		positive.AddOuter(max(0, a[k][k]), axis, axis)
	}
	return positive
}
