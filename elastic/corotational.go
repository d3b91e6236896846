package elastic

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Co-rotational tets: linear elasticity, seen from axes that turn with each of them. For constant strain, the warped
// stiffness of [Muller04] is the gradient of this energy.
//
//	X0 to X3, x0 to x3   corners at rest and in space [m]
//	F     = [x1-x0 x2-x0 x3-x0] [X1-X0 X2-X0 X3-X0]⁻¹
//	b_k   gradient of the shape function of corner k at rest [1/m]; b0 = -b1 - b2 - b3
//	R     the rotation of F = R S (see polar.go); S = RᵀF
//	V     rest volume [m³];  μ, λ of Lamé [Pa]
//
//	W     = μ |F-R|² + λ/2 tr(S-1)²
//	P     = ∂W/∂F = 2μ (F-R) + λ tr(S-1) R,  force on corner k: -V P b_k
//	dP    = 2μ dF + λ (R:dF) R + c dR,  c = λ tr(S-1) - 2μ
//
// The derivative of R is dR = [ω] R, with [ω] the matrix of the cross product. Along each of the three axes u_t of
// polar.go ω_t = (twist of dF Rᵀ)_t/(σi+σj), where the twist of a rᵀ is r x a, and σi+σj is the sum of singular values
// across u_t. With r_k = R b_k, the block (k, l) of the Hessian is
//
//	V ( 2μ (b_k·b_l) 1 + λ r_k r_lᵀ + [r_k] Θ [r_l]ᵀ ),  Θ = Σ_t c/(σi+σj) u_t u_tᵀ
//
// ∂²W/∂F² has the eigenvalue 2μ + 2c/(σi+σj) on the twist about u_t, 2μ + 3λ on R, and 2μ on all else [Smith19]. Only
// twists can be negative: the Projected mode takes 0 in place of those that are, which makes their term of Θ -μ, and is
// exact where none is. With -μ for all three it would be the turned matrix of linear elasticity.
//
// The material part is, for damping, that of a viscosity on the rate of Green strain Ė = (FᵀḞ + ḞᵀF)/2, which is zero
// in rigid motions, with the tension F (λ tr(Ė) 1 + 2μ Ė):
//
//	V ( λ (F b_k)(F b_l)ᵀ + μ (b_k·b_l) F Fᵀ + μ (F b_l)(F b_k)ᵀ )
//
// The geometric part is what is left of the Hessian. By itself it can be negative, also in the Projected mode; together
// with as much of the material part, or more, it is not.
//
// The energy is finite for every F, so that a solid comes back from being inverted. In compression to less than about
// half it is softer than real materials are.

// Corotational is the elasticity of a solid, a tet an element, in the order of the mesh.
type Corotational struct {
	mu, lambda float64
	tet        []corotationalTet
}

var _ Elements = (*Corotational)(nil)

// corotationalTet is the rest shape and the state of a tet.
type corotationalTet struct {
	node   [4]int32
	b      [4]r3.Vec
	volume float64

	energy float64 // [J]
	f, r   r3.Mat
	p      r3.Mat // V P
	theta  r3.Mat // V Θ
}

// leastSum is the least sum of singular values by which Θ is divided. Below, the rotation changes so fast with F that
// its derivative tells nothing of the next step.
const leastSum = 1e-6

// NewCorotational returns the elements of a solid.
func NewCorotational(m *mesh.Tets, law Isotropic) (*Corotational, error) {
	if err := law.Validate(); err != nil {
		return nil, err
	}
	c := &Corotational{tet: make([]corotationalTet, len(m.Tet))}
	c.mu, c.lambda = law.Lame()
	for i, node := range m.Tet {
		x0 := m.X[node[0]]
		d1, d2, d3 := m.X[node[1]].Sub(x0), m.X[node[2]].Sub(x0), m.X[node[3]].Sub(x0)
		det := d1.Dot(d2.Cross(d3))
		if !(det > 0) {
			return nil, fmt.Errorf("tet %d has a volume of %g m³ at rest, which is not positive", i, det/6)
		}
		t := &c.tet[i]
		t.node, t.volume = node, det/6
		t.b[1], t.b[2], t.b[3] = d2.Cross(d3).Scale(1/det), d3.Cross(d1).Scale(1/det), d1.Cross(d2).Scale(1/det)
		t.b[0] = t.b[1].Add(t.b[2]).Add(t.b[3]).Neg()
	}
	return c, nil
}

// Len returns the number of tets.
func (c *Corotational) Len() int { return len(c.tet) }

// Nodes returns the corners of tet e.
func (c *Corotational) Nodes(e int) []int32 { return c.tet[e].node[:] }

// Update computes the state of tets lo to hi.
func (c *Corotational) Update(x []r3.Vec, detail Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		t := &c.tet[e]
		t.f = t.gradient(x)
		p := polarOf(&t.f)
		t.r = p.r
		strain := t.f // F-R
		strain.AddScaled(-1, &p.r)
		s := p.r.T()
		s = s.Mul(&strain) // S-1
		trace := s.Trace()
		t.energy = t.volume * (c.mu*strain.Norm2() + 0.5*c.lambda*trace*trace)
		if detail >= WithForce {
			t.p = strain.Scale(2 * c.mu * t.volume)
			t.p.AddScaled(c.lambda*trace*t.volume, &p.r)
		}
		if detail >= Projected {
			t.theta = r3.Mat{}
			twist := c.lambda*trace - 2*c.mu
			for i, u := range p.axis {
				theta := twist / max(p.sum[i], leastSum)
				if detail == Projected {
					theta = max(theta, -c.mu)
				}
				t.theta.AddOuter(t.volume*theta, u, u)
			}
		}
	}
}

// gradient returns the derivative in the rest shape of a field that is x at the corners.
func (t *corotationalTet) gradient(x []r3.Vec) r3.Mat {
	x0 := x[t.node[0]]
	var f r3.Mat
	for k := 1; k < 4; k++ {
		f.AddOuter(1, x[t.node[k]].Sub(x0), t.b[k])
	}
	return f
}

// Energy returns the energy of tet e [J].
func (c *Corotational) Energy(e int) float64 { return c.tet[e].energy }

// Force returns the force of tet e on its k-th corner [N].
func (c *Corotational) Force(e, k int) r3.Vec { return c.tet[e].p.MulVec(c.tet[e].b[k]).Neg() }

// Stress returns P of tet e, the force over the area at rest [Pa].
func (c *Corotational) Stress(e int) r3.Mat { return c.tet[e].p.Scale(1 / c.tet[e].volume) }

// Stretch returns the largest principal stretch of tet e; 1 is unstretched.
func (c *Corotational) Stretch(e int) float64 {
	f := &c.tet[e].f
	transposed := f.T()
	square := transposed.Mul(f)
	square = square.Scale(-1)
	return math.Sqrt(max(0, -square.LeastEigenvalue()))
}

// AddRow adds row k of the Hessian of tet e.
func (c *Corotational) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	t := &c.tet[e]
	bk := t.b[k]
	rk := t.r.MulVec(bk)
	turn := r3.Cross(rk)
	turn = turn.Mul(&t.theta) // [r_k] Θ
	stretch, bulk := 2*c.mu*t.volume*geometric, c.lambda*t.volume*geometric
	for l, i := range at {
		if i < 0 {
			continue
		}
		rl := t.r.MulVec(t.b[l])
		h := &val[i]
		h.AddDiagonal(stretch * bk.Dot(t.b[l]))
		h.AddOuter(bulk, rk, rl)
		across := r3.Cross(rl.Neg()) // [r_l]ᵀ
		across = turn.Mul(&across)
		h.AddScaled(geometric, &across)
	}
	if material != geometric {
		c.addViscous(t, k, at, val, material-geometric)
	}
}

// addViscous adds row k of the material part of the Hessian, times scale.
func (c *Corotational) addViscous(t *corotationalTet, k int, at []int32, val []r3.Mat, scale float64) {
	mu, lambda := scale*t.volume*c.mu, scale*t.volume*c.lambda
	square := t.f.T()
	square = t.f.Mul(&square) // F Fᵀ
	fk := t.f.MulVec(t.b[k])
	for l, i := range at {
		if i < 0 {
			continue
		}
		fl := t.f.MulVec(t.b[l])
		val[i].AddOuter(lambda, fk, fl)
		val[i].AddScaled(mu*t.b[k].Dot(t.b[l]), &square)
		val[i].AddOuter(mu, fl, fk)
	}
}

// MaterialForce returns the rate of the force of tet e on its k-th corner due to the strain rate of velocities v
// [N/s].
func (c *Corotational) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	t := &c.tet[e]
	rate := t.gradient(v)
	strain := t.f.T()
	strain = strain.Mul(&rate) // FᵀḞ, twice whose symmetric part is 2Ė
	b := t.b[k]
	s := strain.MulVec(b).Add(strain.MulVecT(b)).Scale(c.mu).AddScaled(c.lambda*strain.Trace(), b)
	return t.f.MulVec(s).Scale(-t.volume)
}
