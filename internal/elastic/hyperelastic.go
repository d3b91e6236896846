package elastic

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Tets for large deformation. The energy is one of the sum of squares and of the product of the principal stretches,
//
//	W = g(I) + f(J),   I = |F|²,   J = det F,      F, b_k, V, μ, λ as in tet.go,
//
// of which there are two:
//
//	neo-Hookean  g = μ/2 (I-3),                          f = -μ ln J + λ/2 (ln J)²
//	stable       g = μ'/2 (I-3) - μ'/2 ln((I+1)/4),      f = λ'/2 ((J-a)² - (1-a)²)                     [Smith18]
//	             μ' = 4/3 μ,  λ' = λ + 5/6 μ,  a = 1 + 3/4 μ'/λ'
//
// Both are linear elasticity with μ and λ near the rest shape. The first is infinite for a tet that is pressed flat, so
// that none is ever inverted: Reach says how far a motion may go. Its J-part is that for J ≥ 0.01 only. Below, its
// parabola at 0.01 is taken, which is finite and no less steep, so that a solid that was inverted from outside, such as
// by the fail-safe, has forces that bring it back. The second is finite everywhere and survives inversion.
//
// With the matrix of cofactors C = ∂J/∂F, which is a polynomial of F, nothing is divided by what may be zero:
//
//	P     = 2 g' F + f' C
//	dP    = 2 g' dF + 4 g″ (F:dF) F + f″ (C:dF) C + f' dC
//
// Since C (p x q) = F p x F q, the derivative of C b_k by x_l is [F (b_l x b_k)], the matrix of a cross product, and
// the block (k, l) of the Hessian is
//
//	V ( 2g' (b_k·b_l) 1 + 4g″ (F b_k)(F b_l)ᵀ + f″ (C b_k)(C b_l)ᵀ + f' [F (b_l x b_k)] )
//
// Eigenpairs of ∂²W/∂F² [Smith19], with F = Σ σ_i u_i v_iᵀ of polar.go (σ3 has the sign of J):
//
//	2g' + f' σ_k   on  (u_i v_jᵀ - u_j v_iᵀ)/√2,   twists
//	2g' - f' σ_k   on  (u_i v_jᵀ + u_j v_iᵀ)/√2,   flips
//	those of the 3x3 matrix ∂²W/∂σ_i∂σ_j on Σ e_i u_i v_iᵀ,   scalings
//
// The Projected mode adds -ε q qᵀ for every pair (ε, q) with a negative ε, and is exact where there is none.
//
// Times a rotation, dF = [ω] F, the exact Hessian is the turned force, -V P b_k x ω: energy knows no rotation. P has
// the principal stresses p_k = 2g' σ_k + f' σ_i σ_j, P = Σ p_k u_k v_kᵀ, and Turn leaves out those that press, p_k σ_k
// < 0. What the Projected mode adds is large there, and turned along it kept steps from converging.

// Hyperelastic is the elasticity of a solid whose tets are deformed much, in the order of the mesh.
type Hyperelastic struct {
	viscosity
	law     stretchLaw
	barrier bool // tets must not be inverted
	tet     []hyperelasticTet
}

var (
	_ Tets    = (*Hyperelastic)(nil)
	_ Barrier = (*Hyperelastic)(nil)
	_ Turner  = (*Hyperelastic)(nil)
)

// hyperelasticTet is the rest shape and the state of a tet.
type hyperelasticTet struct {
	tetRest

	energy float64 // [J]
	f, c   r3.Mat
	p      r3.Mat // V P

	shear, square, bulk, press float64 // V times 2g', 4g″, f″ and f'

	negative int       // eigenvalues
	mode     [6]r3.Mat // √(-V ε) q of each: of a twist and a flip only one is

	pull r3.Mat // V P of the principal stresses that pull, or of all of them with Exact

	brake
}

// stretchLaw is W. Both methods return a function and its first two derivatives.
type stretchLaw interface {
	ofSquares(i float64) (g, first, second float64)
	ofVolume(j float64) (f, first, second float64)
}

// NewNeoHookean returns neo-Hookean elements, which cannot be inverted.
func NewNeoHookean(m *mesh.Tets, law material.Isotropic) (*Hyperelastic, error) {
	if law.Poisson < 0 { // λ < 0: nothing would keep J from becoming zero
		return nil, fmt.Errorf("ratio of Poisson is %g: the neo-Hookean law needs 0 or more; the stable one does not", law.Poisson)
	}
	h, err := newHyperelastic(m, law)
	if err != nil {
		return nil, err
	}
	h.law, h.barrier = newNeoHookean(h.mu, h.lambda), true
	return h, nil
}

// NewStableNeoHookean returns elements that survive being inverted.
func NewStableNeoHookean(m *mesh.Tets, law material.Isotropic) (*Hyperelastic, error) {
	h, err := newHyperelastic(m, law)
	if err != nil {
		return nil, err
	}
	h.law = newStable(h.mu, h.lambda)
	return h, nil
}

func newHyperelastic(m *mesh.Tets, law material.Isotropic) (*Hyperelastic, error) {
	if err := law.Validate(); err != nil {
		return nil, err
	}
	rest, err := restTets(m)
	if err != nil {
		return nil, err
	}
	h := &Hyperelastic{tet: make([]hyperelasticTet, len(rest))}
	h.mu, h.lambda = law.Lame()
	for i := range rest {
		h.tet[i].tetRest = rest[i]
	}
	return h, nil
}

// neoHookean is the classic law.
type neoHookean struct {
	mu, lambda float64
	f, f1, f2  float64 // the J-part at thinnest
}

// thinnest is the J below which the J-part of the neo-Hookean law is a parabola.
const thinnest = 0.01

func newNeoHookean(mu, lambda float64) *neoHookean {
	n := &neoHookean{mu: mu, lambda: lambda}
	n.f, n.f1, n.f2 = n.ofVolume(thinnest)
	return n
}

func (n *neoHookean) ofSquares(i float64) (g, first, second float64) {
	return n.mu / 2 * (i - 3), n.mu / 2, 0
}

func (n *neoHookean) ofVolume(j float64) (f, first, second float64) {
	if j < thinnest {
		d := j - thinnest
		return n.f + d*(n.f1+d*n.f2/2), n.f1 + d*n.f2, n.f2
	}
	log := math.Log(j)
	return log * (n.lambda/2*log - n.mu), (n.lambda*log - n.mu) / j, (n.mu + n.lambda*(1-log)) / (j * j)
}

// stable is the law of [Smith18] with its constants for Lamé's.
type stable struct{ mu, lambda, a float64 }

func newStable(mu, lambda float64) *stable {
	s := &stable{mu: 4.0 / 3 * mu, lambda: lambda + 5.0/6*mu}
	s.a = 1 + 0.75*s.mu/s.lambda
	return s
}

func (s *stable) ofSquares(i float64) (g, first, second float64) {
	return s.mu / 2 * (i - 3 - math.Log1p((i-3)/4)), s.mu / 2 * (1 - 1/(i+1)), s.mu / 2 / ((i + 1) * (i + 1))
}

func (s *stable) ofVolume(j float64) (f, first, second float64) {
	return s.lambda / 2 * (j - 1) * (j + 1 - 2*s.a), s.lambda * (j - s.a), s.lambda
}

// Len returns the number of tets.
func (h *Hyperelastic) Len() int { return len(h.tet) }

// Nodes returns the corners of tet e.
func (h *Hyperelastic) Nodes(e int) []int32 { return h.tet[e].node[:] }

// Update computes the state of tets lo to hi.
func (h *Hyperelastic) Update(x []r3.Vec, detail Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		t := &h.tet[e]
		t.f = t.gradient(x)
		g, g1, g2 := h.law.ofSquares(t.f.Norm2())
		f, f1, f2 := h.law.ofVolume(t.f.Det())
		t.energy = t.volume * (g + f)
		if detail < WithForce {
			continue
		}
		t.shear, t.square, t.bulk, t.press = 2*g1*t.volume, 4*g2*t.volume, f2*t.volume, f1*t.volume
		t.c = cofactors(&t.f)
		t.p = t.f.Scale(t.shear)
		t.p.AddScaled(t.press, &t.c)
		t.negative, t.taut, t.pull = 0, false, t.p
		if detail == Projected {
			t.findNegative()
		}
	}
}

// cofactors returns ∂(det F)/∂F.
func cofactors(f *r3.Mat) r3.Mat {
	a, b, c := r3.V(f.XX, f.XY, f.XZ), r3.V(f.YX, f.YY, f.YZ), r3.V(f.ZX, f.ZY, f.ZZ)
	return r3.Rows(b.Cross(c), c.Cross(a), a.Cross(b))
}

// findNegative finds the modes with a negative eigenvalue, and what pulls.
func (t *hyperelasticTet) findNegative() {
	p := polarOf(&t.f)
	sum := (p.sum[0] + p.sum[1] + p.sum[2]) / 2
	var sigma [3]float64
	var v [3]r3.Vec
	for k := range sigma {
		sigma[k], v[k] = sum-p.sum[k], p.r.MulVecT(p.axis[k])
	}
	var a [3][3]float64 // ∂²W/∂σ_i∂σ_j
	t.pull = r3.Mat{}
	for k := range a {
		i, j := (k+1)%3, (k+2)%3
		s, c := sigma[k], sigma[i]*sigma[j]
		if stress := t.shear*s + t.press*c; stress*s > 0 {
			t.pull.AddOuter(stress, p.axis[k], v[k])
		}
		a[k][k] = t.shear + t.square*s*s + t.bulk*c*c
		a[i][j] = t.square*sigma[i]*sigma[j] + t.bulk*sigma[j]*s*s*sigma[i] + t.press*s
		a[j][i] = a[i][j]
		mirror := 1.0 // a flip
		epsilon := t.shear - math.Abs(t.press*s)
		if t.press*s < 0 {
			mirror = -1 // a twist
		}
		if epsilon < 0 {
			q := r3.Outer(p.axis[i], v[j])
			q.AddOuter(mirror, p.axis[j], v[i])
			t.add(q, -epsilon/2)
		}
	}
	e := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	r3.Diagonalize(&a, &e)
	for k := range a {
		if a[k][k] < 0 {
			var q r3.Mat
			for i := range e {
				q.AddOuter(e[i][k], p.axis[i], v[i])
			}
			t.add(q, -a[k][k])
		}
	}
}

// add notes a mode.
func (t *hyperelasticTet) add(q r3.Mat, weight float64) {
	t.mode[t.negative] = q.Scale(math.Sqrt(weight))
	t.negative++
}

// Energy returns the energy of tet e [J].
func (h *Hyperelastic) Energy(e int) float64 { return h.tet[e].energy }

// Force returns the force of tet e on its k-th corner [N].
func (h *Hyperelastic) Force(e, k int) r3.Vec { return h.tet[e].p.MulVec(h.tet[e].b[k]).Neg() }

// Stress returns P of tet e, the force over the area at rest [Pa].
func (h *Hyperelastic) Stress(e int) r3.Mat { return h.tet[e].p.Scale(1 / h.tet[e].volume) }

// Stretch returns the largest principal stretch of tet e; 1 is unstretched.
func (h *Hyperelastic) Stretch(e int) float64 { return largestStretch(&h.tet[e].f) }

// Bulk returns the volume of tet e over that at rest.
func (h *Hyperelastic) Bulk(e int) float64 { return h.tet[e].f.Det() }

// AddRow adds row k of the Hessian of tet e.
func (h *Hyperelastic) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	// vectors of corner k
	t := &h.tet[e]
	bk := t.b[k]
	fk, ck := t.f.MulVec(bk).Scale(geometric*t.square), t.c.MulVec(bk).Scale(geometric*t.bulk)
	// negative modes
	var qk [6]r3.Vec
	for m := range t.negative {
		qk[m] = t.mode[m].MulVec(bk).Scale(geometric)
	}
	for l, i := range at {
		if i < 0 {
			continue
		}
		bl, row := t.b[l], &val[i]
		// first derivative of the part of squares, and what resists straining where the tet is taut
		row.AddDiagonal(geometric * (t.shear*bk.Dot(bl) + t.between(bk, bl)))
		// second derivatives
		row.AddOuter(1, fk, t.f.MulVec(bl))
		row.AddOuter(1, ck, t.c.MulVec(bl))
		// first derivative of the part of volume
		across := r3.Cross(t.f.MulVec(bl.Cross(bk)))
		row.AddScaled(geometric*t.press, &across)
		// negative modes, taken out
		for m := range t.negative {
			row.AddOuter(1, qk[m], t.mode[m].MulVec(bl))
		}
	}
	// damping, which resists straining
	if material != geometric {
		h.addRow(&t.tetRest, &t.f, k, at, val, material-geometric)
	}
}

// Turn implements Turner: the stress that pulls turns along.
func (h *Hyperelastic) Turn(e, k int, spin r3.Vec) r3.Vec {
	return spin.Cross(h.tet[e].pull.MulVec(h.tet[e].b[k]))
}

// MaterialForce returns the rate of the force of tet e on its k-th corner due to the strain rate of velocities v
// [N/s].
func (h *Hyperelastic) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	return h.force(&h.tet[e].tetRest, &h.tet[e].f, k, v)
}

// Tauten implements Tense.
func (h *Hyperelastic) Tauten(v []r3.Vec, damping Damping, detail Detail, lo, hi int) {
	for e := lo; e < hi; e++ {
		t := &h.tet[e]
		if detail == Exact {
			t.negative = 0
		}
		t.brake.of(h.viscosity, &t.tetRest, &t.f, v, damping.Of(e), detail)
	}
}

// Reach returns how much of the change dx of positions x tets lo to hi allow: 0.9 of what would press the first of them
// flat, which for each is where the cubic
//
//	det(F + s dF) = det F + s C:dF + s² F:C(dF) + s³ det dF
//
// first becomes zero. Tets that are inverted at x allow everything, and so does a law that survives it.
func (h *Hyperelastic) Reach(x, dx []r3.Vec, lo, hi int) float64 {
	const share = 0.9
	reach := 1.0
	if !h.barrier {
		return reach
	}
	for e := lo; e < hi; e++ {
		t := &h.tet[e]
		f, d := t.gradient(x), t.gradient(dx)
		j := f.Det()
		if !(j > 0) {
			continue
		}
		c, dc := cofactors(&f), cofactors(&d)
		if s := firstRoot(inner(&c, &d)/j, inner(&f, &dc)/j, d.Det()/j); s <= 1 {
			reach = min(reach, share*s)
		}
	}
	return reach
}

// inner returns A:B.
func inner(a, b *r3.Mat) float64 {
	return a.XX*b.XX + a.XY*b.XY + a.XZ*b.XZ + a.YX*b.YX + a.YY*b.YY + a.YZ*b.YZ + a.ZX*b.ZX + a.ZY*b.ZY + a.ZZ*b.ZZ
}

// firstRoot returns the least s in (0, 1] with 1 + a s + b s² + c s³ = 0, or 2 if there is none.
func firstRoot(a, b, c float64) float64 {
	at := func(s float64) float64 { return 1 + s*(a+s*(b+s*c)) }
	// Between the zeros of its derivative the cubic rises or falls.
	ends := [3]float64{1, 1, 1}
	if root := b*b - 3*a*c; root >= 0 {
		q := -(b + math.Copysign(math.Sqrt(root), b))
		for i, s := range [2]float64{q / (3 * c), a / q} {
			if s > 0 && s < 1 {
				ends[i] = s
			}
		}
	}
	lo := 0.0
	for _, hi := range [3]float64{min(ends[0], ends[1]), max(ends[0], ends[1]), 1} {
		if !(at(hi) <= 0) {
			lo = hi
			continue
		}
		for range 60 {
			middle := (lo + hi) / 2
			if at(middle) > 0 {
				lo = middle
			} else {
				hi = middle
			}
		}
		return hi
	}
	return 2
}
