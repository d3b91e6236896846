package elastic

import (
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Co-rotational tets: linear elasticity, seen from axes that turn with each of them. For constant strain, the warped
// stiffness of [Muller04] is the gradient of this energy.
//
//	F, b_k, V, μ, λ   as in tet.go
//	R     the rotation of F = R S (see polar.go); S = RᵀF
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
// The energy is finite for every F, so that a solid comes back from being inverted. In compression to less than about
// half it is softer than real materials are.

// Corotational is the elasticity of a solid, a tet an element, in the order of the mesh.
type Corotational struct {
	viscosity
	tet []corotationalTet
}

var (
	_ Tets  = (*Corotational)(nil)
	_ Tense = (*Corotational)(nil)
)

// corotationalTet is the rest shape and the state of a tet.
type corotationalTet struct {
	tetRest

	energy float64 // [J]
	f, r   r3.Mat
	p      r3.Mat // V P
	theta  r3.Mat // V Θ
	excess r3.Mat // of it over the exact one

	brake
}

// leastSum is the least sum of singular values by which Θ is divided. Below, the rotation changes so fast with F that
// its derivative tells nothing of the next step.
const leastSum = 1e-6

// NewCorotational returns the elements of a solid.
func NewCorotational(m *mesh.Tets, law material.Isotropic) (*Corotational, error) {
	if err := law.Validate(); err != nil {
		return nil, err
	}
	rest, err := restTets(m)
	if err != nil {
		return nil, err
	}
	c := &Corotational{tet: make([]corotationalTet, len(rest))}
	c.mu, c.lambda = law.Lame()
	for i := range rest {
		c.tet[i].tetRest = rest[i]
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
			t.theta, t.excess, t.taut = r3.Mat{}, r3.Mat{}, false
			twist := c.lambda*trace - 2*c.mu
			for i, u := range p.axis {
				exact := twist / max(p.sum[i], leastSum)
				theta := exact
				if detail == Projected {
					theta = max(exact, -c.mu)
				}
				t.theta.AddOuter(t.volume*theta, u, u)
				t.excess.AddOuter(t.volume*(theta-exact), u, u)
			}
		}
	}
}

// Energy returns the energy of tet e [J].
func (c *Corotational) Energy(e int) float64 { return c.tet[e].energy }

// Force returns the force of tet e on its k-th corner [N].
func (c *Corotational) Force(e, k int) r3.Vec { return c.tet[e].p.MulVec(c.tet[e].b[k]).Neg() }

// Stress returns P of tet e, the force over the area at rest [Pa].
func (c *Corotational) Stress(e int) r3.Mat { return c.tet[e].p.Scale(1 / c.tet[e].volume) }

// Stretch returns the largest principal stretch of tet e; 1 is unstretched.
func (c *Corotational) Stretch(e int) float64 { return largestStretch(&c.tet[e].f) }

// Bulk returns the volume of tet e over that at rest.
func (c *Corotational) Bulk(e int) float64 { return c.tet[e].f.Det() }

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
		h.AddDiagonal(stretch*bk.Dot(t.b[l]) + geometric*t.between(bk, t.b[l]))
		h.AddOuter(bulk, rk, rl)
		across := r3.Cross(rl.Neg()) // [r_l]ᵀ
		across = turn.Mul(&across)
		h.AddScaled(geometric, &across)
	}
	if material != geometric {
		c.addRow(&t.tetRest, &t.f, k, at, val, material-geometric)
	}
}

// Turn implements Turner. With dF = [ω] F the term of λ is zero, because R:dF is the product of an antisymmetric and a
// symmetric matrix, and Σ r_l x (ω x x_l) = (tr(F Rᵀ) 1 - F Rᵀ) ω.
func (c *Corotational) Turn(e, k int, spin r3.Vec) r3.Vec {
	t := &c.tet[e]
	stretched := t.f.MulVec(t.r.MulVecT(spin)) // F Rᵀ ω
	twist := spin.Scale(inner(&t.f, &t.r)).Sub(stretched)
	turned := spin.Cross(t.f.MulVec(t.b[k])).Scale(2 * c.mu * t.volume)
	return turned.Sub(t.r.MulVec(t.b[k]).Cross(t.theta.MulVec(twist)))
}

// Tauten implements Tense.
func (c *Corotational) Tauten(v []r3.Vec, damping Damping, detail Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		t := &c.tet[e]
		if detail == Exact {
			t.theta.AddScaled(-1, &t.excess)
			t.excess = r3.Mat{}
		}
		t.brake.of(c.viscosity, &t.tetRest, &t.f, v, damping.Of(e), detail)
	}
}

// MaterialForce returns the rate of the force of tet e on its k-th corner due to the strain rate of velocities v
// [N/s].
func (c *Corotational) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	return c.force(&c.tet[e].tetRest, &c.tet[e].f, k, v)
}
