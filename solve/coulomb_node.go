package solve

// Several contacts on one node: 3 unknowns, p cones.
//
// Find v and impulses r_k with
//
//	A v + b = Σ E_kᵀ r_k,   u_k = E_k v + f_k,   (r_k, u_k) ∈ C(μ_k),
//
// E_k being the rotation of space into the frame of contact k, normal first. The methods, in order:
//
//   - Sweeps. With the other impulses held, contact k is a one-contact problem with W = E_k A E_kᵀ and
//     b_k = E_k (b - Σ_{l≠k} E_lᵀ r_l) - W f_k. A few sweeps solve most nodes.
//   - Augmented Lagrangian. With a_k = r_k - ρ u_k(v), the projection
//     P(a) = (a_N⁺, a_T cut to length μ a_N⁺) turns the law into r_k = P(a_k) [AlartCurnier91]. For held
//     r_k, A v + b = Σ E_kᵀ P(a_k(v)) is three equations for v, solved by semi-smooth Newton steps that
//     are halved until they help; then r_k ← P(a_k). There are 3 unknowns for any p, and impulses that
//     are not unique do no harm.
//   - The same along a path from no friction, where the problem is convex, to all of it. Wedged nodes
//     on which the others run in circles are mostly solved by this.
//
// Normals that exclude each other are found by Farkas' lemma: no v has all n_k·v + f_kN ≥ 0 iff some
// weights λ_k ≥ 0 have Σ λ_k n_k = 0 and Σ λ_k f_kN < 0, and four contacts are enough for that.
//
// Where nothing helps, the answer is the one for r_k = 0 held: springs of stiffness ρ in place of
// the contacts, so that v is a compromise and impulses are bounded by the violation.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Cone is one of several contacts on a node.
type Cone struct {
	E     r3.Mat // rows: normal and two tangents, orthonormal
	F     r3.Vec // velocity of the node against the other side is E v + F [m/s]
	Mu    float64
	R     r3.Vec // in: a guess, zero will do; out: the impulse in the frame of E [N s]
	State State  // out

	law Coulomb
}

// ConeStatus says how SolveCones ended.
type ConeStatus uint8

// Ways for SolveCones to end.
const (
	ConesSolved     ConeStatus = iota
	ConesUnsolved              // the residual stays above the tolerance; the best velocity is returned
	ConesInfeasible            // the contacts exclude each other; a compromise with bounded impulses is returned
)

const (
	coneSweeps = 12 // sweeps before the augmented Lagrangian
	coneOuter  = 60 // its updates of the impulses
	coneInner  = 30 // its Newton steps for one velocity
	coneHalves = 12 // halvings of one of them
	conePath   = 20 // steps of the path
	// coneFlat is the sine below which normals count as parallel or coplanar. Escaping between such
	// normals would take a velocity a million times the one at which they close.
	coneFlat = 1e-6
	// ρ s with friction, and on the way to it: large values need few updates, small ones spoil fewer
	// Newton steps. Without friction all is convex and large is best.
	coneStiff, coneSoft, coneRigid = 100, 10, 1e3
)

// SolveCones solves the contacts of one node together, to the given residual [m/s], and returns the
// velocity of the node [m/s] and the residual: the largest CoulombResidual with s = 3/tr a, or s times
// what is left of the balance of momentum if that is more. Unless it is ConesSolved, the impulses are
// those of springs, and R is a poor guess for the next call.
func SolveCones(a *r3.Mat, b r3.Vec, cones []Cone, tolerance float64) (v r3.Vec, residual float64, status ConeStatus) {
	n := node{a: a, b: b, s: 3 / a.Trace(), cones: cones, stiffness: coneStiff, friction: 1}
	if !n.prepare() {
		return r3.Vec{}, math.Inf(1), ConesUnsolved
	}
	if v, residual = n.sweeps(v, tolerance); residual <= tolerance {
		return v, residual, ConesSolved
	}
	status = ConesInfeasible
	if n.feasible() {
		status = ConesUnsolved
		if v, residual = n.augment(v, tolerance); residual <= tolerance {
			status = ConesSolved
		}
		for _, stiffness := range [...]float64{coneStiff, coneSoft} {
			if status == ConesSolved {
				break
			}
			if v, residual = n.follow(stiffness, tolerance); residual <= tolerance {
				status = ConesSolved
			}
		}
	}
	if status != ConesSolved {
		n.forget()
		n.stiffness = coneStiff
		v = n.balance(r3.Vec{})
		n.project(v)
		residual = n.residual(v)
	}
	n.label(v)
	return v, residual, status
}

// node is the problem of one call.
type node struct {
	a         *r3.Mat
	b         r3.Vec
	s         float64 // 3/tr a [1/kg]
	cones     []Cone
	stiffness float64 // ρ s
	friction  float64 // the part of each μ that counts now
}

// prepare reports whether all numbers make sense.
func (n *node) prepare() bool {
	ok := n.a.Finite() && n.b.Finite() && n.s > 0 && len(n.cones) > 0
	for k := range n.cones {
		c := &n.cones[k]
		t := c.E.T()
		w := c.E.Mul(n.a)
		w = w.Mul(&t)
		c.law = NewCoulomb(&w, c.Mu)
		ok = ok && c.law.valid && c.F.Finite()
		if !c.R.Finite() {
			c.R = r3.Vec{}
		}
	}
	return ok
}

// load returns b - Σ E_kᵀ r_k.
func (n *node) load() r3.Vec {
	f := n.b
	for k := range n.cones {
		c := &n.cones[k]
		f = f.Sub(c.E.MulVecT(c.R))
	}
	return f
}

// sweeps runs the first method.
func (n *node) sweeps(v r3.Vec, tolerance float64) (r3.Vec, float64) {
	residual := math.Inf(1)
	for range coneSweeps {
		v = n.sweep()
		if residual = n.residual(v); residual <= tolerance {
			break
		}
	}
	return v, residual
}

// follow runs the path from no friction to all of it.
func (n *node) follow(stiffness, tolerance float64) (v r3.Vec, residual float64) {
	n.forget()
	n.friction, n.stiffness = 0, coneRigid
	v, _ = n.augment(v, tolerance)
	n.stiffness = stiffness
	for i := range conePath {
		n.friction = float64(i+1) / conePath
		v, residual = n.augment(v, tolerance)
	}
	return v, residual
}

// sweep solves each contact once and returns the velocity of the last.
func (n *node) sweep() (v r3.Vec) {
	f := n.load()
	for k := range n.cones {
		c := &n.cones[k]
		f = f.Add(c.E.MulVecT(c.R))
		// W f_k = E A Eᵀ f_k.
		at := c.E.MulVecT(c.F)
		bk := c.E.MulVec(f.Sub(n.a.MulVec(at)))
		var u r3.Vec
		u, c.State = c.law.Solve(bk, r3.Vec{})
		c.R = c.law.Impulse(u, bk, c.State)
		v = c.E.MulVecT(u).Sub(at)
		f = f.Sub(c.E.MulVecT(c.R))
	}
	return v
}

// residual returns the worst breach of the balance and of the laws at v [m/s].
func (n *node) residual(v r3.Vec) float64 {
	worst := n.s * n.a.MulVec(v).Add(n.load()).Norm()
	for k := range n.cones {
		c := &n.cones[k]
		worst = max(worst, CoulombResidual(c.E.MulVec(v).Add(c.F), c.R, n.friction*c.Mu, n.s))
	}
	if !(worst <= math.MaxFloat64) {
		return math.Inf(1)
	}
	return worst
}

// augment runs the second method from the impulses that the cones hold.
func (n *node) augment(v r3.Vec, tolerance float64) (r3.Vec, float64) {
	residual := math.Inf(1)
	for range coneOuter {
		v = n.balance(v)
		n.project(v)
		if residual = n.residual(v); residual <= tolerance {
			break
		}
	}
	return v, residual
}

// forget drops all impulses.
func (n *node) forget() {
	for k := range n.cones {
		n.cones[k].R = r3.Vec{}
	}
}

// project replaces each impulse by P(r - ρ u(v)).
func (n *node) project(v r3.Vec) {
	for k := range n.cones {
		c := &n.cones[k]
		c.R, _ = c.reaction(v, n.stiffness/n.s, n.friction*c.Mu)
	}
}

// label sets the states from the impulses.
func (n *node) label(v r3.Vec) {
	for k := range n.cones {
		c := &n.cones[k]
		switch rho := n.stiffness / n.s; {
		case c.R.X <= 0:
			c.State = TakeOff
		case math.Hypot(c.R.Y, c.R.Z) < c.Mu*c.R.X*(1-1e-9):
			c.State = Stick
		default:
			a := c.R.AddScaled(-rho, c.E.MulVec(v).Add(c.F))
			c.State = Slide
			if math.Hypot(a.Y, a.Z) <= c.Mu*a.X {
				c.State = Stick
			}
		}
	}
}

// reaction returns P(a) with a = r - ρ u(v) for friction mu, and its derivative by a.
func (c *Cone) reaction(v r3.Vec, rho, mu float64) (p r3.Vec, d r3.Mat) {
	a := c.R.AddScaled(-rho, c.E.MulVec(v).Add(c.F))
	if !(a.X > 0) {
		return r3.Vec{}, r3.Mat{}
	}
	length, radius := math.Sqrt(a.Y*a.Y+a.Z*a.Z), mu*a.X
	if length <= radius {
		return a, r3.Identity()
	}
	t1, t2 := a.Y/length, a.Z/length
	turn := radius / length
	return r3.Vec{X: a.X, Y: radius * t1, Z: radius * t2}, r3.Mat{
		XX: 1,
		YX: mu * t1, YY: turn * t2 * t2, YZ: -turn * t1 * t2,
		ZX: mu * t2, ZY: -turn * t1 * t2, ZZ: turn * t1 * t1,
	}
}

// miss returns A v + b - Σ E_kᵀ P(a_k(v)) and, if asked for, its derivative by v.
func (n *node) miss(v r3.Vec, jacobian *r3.Mat) r3.Vec {
	rho := n.stiffness / n.s
	f := n.a.MulVec(v).Add(n.b)
	if jacobian != nil {
		*jacobian = *n.a
	}
	for k := range n.cones {
		c := &n.cones[k]
		p, d := c.reaction(v, rho, n.friction*c.Mu)
		f = f.Sub(c.E.MulVecT(p))
		if jacobian != nil {
			t := c.E.T()
			d = t.Mul(&d)
			d = d.Mul(&c.E)
			jacobian.AddScaled(rho, &d)
		}
	}
	return f
}

// balance solves for v with the impulses held, as far as Newton steps help.
func (n *node) balance(v r3.Vec) r3.Vec {
	var j r3.Mat
	size := n.b.Norm()
	for k := range n.cones {
		size += n.cones[k].R.Norm() + n.cones[k].F.Norm()*n.stiffness/n.s
	}
	for range coneInner {
		f := n.miss(v, &j)
		norm := f.Norm()
		if norm <= 1e-15*size {
			return v
		}
		inverse, ok := j.Inverse()
		if !ok {
			return v
		}
		step := inverse.MulVec(f).Neg()
		t := 1.0
		for range coneHalves {
			if n.miss(v.AddScaled(t, step), nil).Norm() < norm {
				break
			}
			t *= 0.5
		}
		next := v.AddScaled(t, step)
		if !(n.miss(next, nil).Norm() < norm) {
			return v
		}
		v = next
	}
	return v
}

// feasible reports whether some velocity parts all contacts.
func (n *node) feasible() bool {
	c := n.cones
	normal := func(i int) r3.Vec { return r3.Vec{X: c[i].E.XX, Y: c[i].E.XY, Z: c[i].E.XZ} }
	closes := func(w1, w2, w3, w4, f float64) bool {
		return f < 0 && w1 >= 0 && w2 >= 0 && w3 >= 0 && w4 >= 0
	}
	for i := range c {
		ni := normal(i)
		for j := range i {
			nj := normal(j)
			ij := ni.Cross(nj)
			flat := ij.Norm() < coneFlat
			if flat && ni.Dot(nj) < 0 && c[i].F.X+c[j].F.X < 0 {
				return false
			}
			for k := range j {
				nk := normal(k)
				jk, ki := nj.Cross(nk), nk.Cross(ni)
				det := ij.Dot(nk)
				// In a plane with normal ij the weights are the areas of the other two.
				if !flat && math.Abs(det) < coneFlat*ij.Norm() {
					wi, wj, wk := jk.Dot(ij), ki.Dot(ij), ij.Dot(ij)
					if closes(wi, wj, wk, 0, wi*c[i].F.X+wj*c[j].F.X+wk*c[k].F.X) {
						return false
					}
				}
				for l := range k {
					nl := normal(l)
					// Cramer's rule: det n_l = (jk·n_l) n_i + (ki·n_l) n_j + (ij·n_l) n_k.
					sign := math.Copysign(1, det)
					wi, wj, wk, wl := -sign*jk.Dot(nl), -sign*ki.Dot(nl), -sign*ij.Dot(nl), sign*det
					if closes(wi, wj, wk, wl, wi*c[i].F.X+wj*c[j].F.X+wk*c[k].F.X+wl*c[l].F.X) {
						return false
					}
				}
			}
		}
	}
	return true
}
