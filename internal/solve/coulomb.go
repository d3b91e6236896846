package solve

// One contact with Coulomb friction, solved for the relative velocity.
//
// Find u and r = W u + b that obey the law C(μ), [Li18] eq. (11), with u = (u_N, u_T) the relative
// velocity [m/s], r the impulse [N s] and W symmetric positive definite [kg]. The law has three cases:
//
//	stick     u = 0,    ‖r_T‖ ≤ μ r_N                        possible iff μ b_N ≥ ‖b_T‖
//	take-off  r = 0,    u_N ≥ 0                              possible iff r₀ ≤ 0
//	slide     u_N = 0,  r_T = -μ r_N u_T/‖u_T‖,  r_N ≥ 0
//
// where W = [a cᵀ; c H] and r₀ = b_N - cᵀH⁻¹b_T is the normal impulse of a slide without friction.
// More than one case can hold. The rule is: stick, then take-off, then the slide with the smallest ‖u_T‖.
//
// # Sliding
//
// Where [Li18] §4.3 runs Newton's method on the Fischer-Burmeister function and [Daviet11] solves a
// quartic, this file solves for one positive number, λ = μ r_N/‖u_T‖. The tangential part of the law
// is (H + λ) u_T = -b_T, so that, with p = adj(H) b_T, τ = tr H, δ = det H and D = λ² + τλ + δ,
//
//	D u_T = -(p + λ b_T),   D r_N = q(λ) = b_N λ² + (b_N τ - c·b_T) λ + δ r₀,
//	g(λ) = λ ‖p + λ b_T‖ - μ q(λ) = 0.
//
// Neither stick nor take-off means g(0) = -μ δ r₀ < 0 and g(∞) > 0: a root exists. ‖u_T‖ falls as λ
// grows, so that the rule asks for the largest root. For any unit vector e the quadratic
//
//	m_e(λ) = λ e·(p + λ b_T) - μ q(λ) ≤ g(λ)     on λ ≥ 0, with m_e(0) = g(0) < 0,
//
// belongs to a slide whose friction has the given direction e. Two facts follow.
//   - If e·b_T > μ b_N then m_e has one positive root and no root of g lies beyond it.
//   - If no root of g lies beyond λ, and e is the direction of p + λ b_T, then m_e(λ) = g(λ) ≥ 0, and
//     the root of m_e in (0, λ] is again beyond no root of g. It is a step of Newton's method, since
//     m_e and g touch at λ.
//
// So the iteration that takes e from λ and λ from e falls to the largest root, whatever the direction
// it starts from, quadratically unless the root is double. The first e is the direction of the
// guess, or b_T/‖b_T‖, which always qualifies. No bracket, no damping and no other method is needed.
//
// Cramer's rule, which the iteration uses, loses digits when H is nearly singular. At the end u_T is
// computed with the factors of H + λ, and λ is corrected by Newton's method on λ‖u_T‖ - μ r_N.
//
// # Invariants
//
// u = 0 exactly in stick and u_N = 0 exactly in slide. The answer is homogeneous in b. W is scaled to
// trace 3 first, so that impulses are velocities inside [m/s]. Every loop is bounded.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// State says which case of Coulomb's law holds at a contact.
type State uint8

// The three cases of the law.
const (
	TakeOff State = iota // no impulse, the surfaces part
	Stick                // no relative velocity
	Slide                // the impulse is on the boundary of the cone, against the motion
)

// String returns the word for s.
func (s State) String() string {
	switch s {
	case TakeOff:
		return "take-off"
	case Stick:
		return "stick"
	case Slide:
		return "slide"
	}
	return "unknown"
}

const (
	// pivotFloor replaces pivots of the scaled W (trace 3) that rounding made smaller.
	pivotFloor = 1e-16
	// slideSteps bounds the falling iteration; near a double root it halves its distance at each step,
	// down to rounding.
	slideSteps = 100
	// slideTolerance is the relative error in λ at which the falling iteration stops.
	slideTolerance = 1e-15
	// polishSteps bounds the corrections of λ with the factors of H + λ.
	polishSteps = 3
	// polishTolerance is the error in the law, relative to its terms, that needs no correction.
	polishTolerance = 2e-15
	// tame is the range [1/tame, tame] of ‖b‖ [m/s] that can be squared twice without overflow.
	tame = 1e60
)

// Coulomb is the one-contact problem with what does not depend on b prepared; Gauss-Seidel solves it
// again in every sweep. All of it is for W scaled by s = 3/tr W.
type Coulomb struct {
	mu, s         float64
	a, c1, c2     float64 // first row of W: normal, normal with tangents
	h11, h12, h22 float64 // tangential block H
	d1, d2, l     float64 // H = [1 0; l 1] diag(d1, d2) [1 l; 0 1]
	m1, m2, d     float64 // c = [1 0; l 1] diag(d1, d2) (m1, m2), d = a - cᵀH⁻¹c
	valid         bool
}

// NewCoulomb prepares the problem for the upper triangle of W, component X being the normal, and a
// coefficient of friction mu ≥ 0.
func NewCoulomb(w *r3.Mat, mu float64) Coulomb {
	s := 3 / w.Trace()
	p := Coulomb{
		mu: mu, s: s,
		a: s * w.XX, c1: s * w.XY, c2: s * w.XZ,
		h11: s * w.YY, h12: s * w.YZ, h22: s * w.ZZ,
	}
	p.d1 = max(p.h11, pivotFloor)
	p.l = p.h12 / p.d1
	p.d2 = max(p.h22-p.l*p.h12, pivotFloor)
	p.m1 = p.c1 / p.d1
	p.m2 = (p.c2 - p.l*p.c1) / p.d2
	p.d = max(p.a-p.m1*p.c1-p.m2*p.m2*p.d2, pivotFloor)
	sum := p.a + p.c1 + p.c2 + p.h11 + p.h12 + p.h22 + p.m1 + p.m2
	p.valid = s > 0 && sum-sum == 0 && mu >= 0 && mu-mu == 0
	return p
}

// Scale returns s = 3/tr W [1/kg], which turns an impulse at this contact into a velocity.
func (p *Coulomb) Scale() float64 { return p.s }

// SolveCoulomb solves one contact: the velocity u [m/s] with r = w u + b and (r, u) ∈ C(mu), the case
// that holds, and its residual (CoulombResidual with s = 3/tr w) [m/s]. Only the direction of
// guess matters, and only for speed; a velocity of the sweep before is best, zero will do.
//
// Where the answer is not unique, stick goes before take-off and take-off before the slide with
// the smallest ‖u_T‖. Arguments that are not finite, and a w or mu that is negative, give u = 0 with
// an infinite residual. A w that is singular to rounding gives a finite u and the residual that it has.
func SolveCoulomb(w *r3.Mat, b r3.Vec, mu float64, guess r3.Vec) (u r3.Vec, state State, residual float64) {
	p := NewCoulomb(w, mu)
	u, state = p.Solve(b, guess)
	return u, state, p.Residual(u, b)
}

// Solve is SolveCoulomb without the residual.
func (p *Coulomb) Solve(b, guess r3.Vec) (r3.Vec, State) {
	b = b.Scale(p.s)
	size := b.MaxAbs()
	if size > 1/tame && size < tame {
		return p.solve(b, guess)
	}
	if !p.valid || !b.Finite() {
		return r3.Vec{}, Stick
	}
	if size == 0 {
		return r3.Vec{}, Stick
	}
	u, state := p.solve(r3.V(b.X/size, b.Y/size, b.Z/size), guess)
	return u.Scale(size), state
}

// Residual returns how far u is from solving the problem [m/s]; it is infinite where p, u or b is
// not finite.
func (p *Coulomb) Residual(u, b r3.Vec) float64 {
	r := p.impulse(u, b.Scale(p.s))
	residual := CoulombResidual(u, r, p.mu, 1)
	if !p.valid || !(residual <= math.MaxFloat64) {
		return math.Inf(1)
	}
	return residual
}

// Impulse returns r = W u + b [N s], and exactly zero for a contact that takes off.
func (p *Coulomb) Impulse(u, b r3.Vec, state State) r3.Vec {
	if state == TakeOff {
		return r3.Vec{}
	}
	return p.impulse(u, b.Scale(p.s)).Scale(1 / p.s)
}

// impulse returns W u + b, everything scaled.
func (p *Coulomb) impulse(u, b r3.Vec) r3.Vec {
	return r3.Vec{
		X: p.a*u.X + p.c1*u.Y + p.c2*u.Z + b.X,
		Y: p.c1*u.X + p.h11*u.Y + p.h12*u.Z + b.Y,
		Z: p.c2*u.X + p.h12*u.Y + p.h22*u.Z + b.Z,
	}
}

// solve takes the cases in order, for a scaled b of tame size.
func (p *Coulomb) solve(b, guess r3.Vec) (r3.Vec, State) {
	if !p.valid {
		return r3.Vec{}, Stick
	}
	norm := math.Sqrt(b.Y*b.Y + b.Z*b.Z)
	if b.X >= 0 && p.mu*b.X >= norm {
		return r3.Vec{}, Stick
	}
	// Elimination with the normal last: forward for r₀, backward for u.
	f2 := b.Z - p.l*b.Y
	r0 := b.X - p.m1*b.Y - p.m2*f2
	if r0 > 0 && p.mu > 0 {
		x, y := p.slide(b, norm, r0, guess)
		return r3.Vec{Y: x, Z: y}, Slide
	}
	n, state := 0.0, Slide
	if r0 <= 0 {
		n, state = -r0/p.d, TakeOff
	}
	y := -f2/p.d2 - p.m2*n
	return r3.Vec{X: n, Y: -b.Y/p.d1 - p.l*y - p.m1*n, Z: y}, state
}

// slide returns the tangential velocity of the slide with the largest λ, for r0 > 0 and a b_T of
// length norm outside the cone.
func (p *Coulomb) slide(b r3.Vec, norm, r0 float64, guess r3.Vec) (x, y float64) {
	// g is divided by max(1, μ), so that no μ makes it overflow.
	f, mu := 1.0, p.mu
	if mu > 1 {
		f, mu = 1/mu, 1
	}
	px, py := p.h22*b.Y-p.h12*b.Z, p.h11*b.Z-p.h12*b.Y
	q0 := mu * p.d1 * p.d2 * r0
	q1 := mu * (b.X*(p.h11+p.h22) - p.c1*b.Y - p.c2*b.Z)
	q2 := mu * b.X

	ex, ey := b.Y/norm, b.Z/norm
	if n := math.Sqrt(guess.Y*guess.Y + guess.Z*guess.Z); n > 0 && n <= math.MaxFloat64 {
		gx, gy := -guess.Y/n, -guess.Z/n
		// A margin keeps a poor guess from sending λ to infinity.
		if f*(gx*b.Y+gy*b.Z)-q2 > 0.1*(f*norm-q2) {
			ex, ey = gx, gy
		}
	}
	lambda := fallTo(f*(ex*b.Y+ey*b.Z)-q2, f*(ex*px+ey*py)-q1, q0)
	before := lambda
	for range slideSteps {
		vx, vy := px+lambda*b.Y, py+lambda*b.Z
		i := f / math.Sqrt(vx*vx+vy*vy)
		next := fallTo(i*(vx*b.Y+vy*b.Z)-q2, i*(vx*px+vy*py)-q1, q0)
		fall := lambda - next
		if !(fall > 0) {
			break
		}
		lambda = next
		// A fall from quadratic convergence leaves an error of about fall²/before.
		if fall*fall <= slideTolerance*lambda*before {
			break
		}
		before = fall
	}
	return p.polish(b, lambda)
}

// fallTo returns the smallest positive root of a λ² + b λ - c for c > 0, or infinity if there is none.
func fallTo(a, b, c float64) float64 {
	root := math.Sqrt(max(b*b+4*a*c, 0))
	if b > 0 {
		return 2 * c / (b + root)
	}
	if a > 0 {
		return (root - b) / (2 * a)
	}
	return math.Inf(1)
}

// polish returns u_T = -(H + λ)⁻¹b_T for a λ near the given one, corrected until λ‖u_T‖ = μ r_N to
// rounding or no longer improved.
func (p *Coulomb) polish(b r3.Vec, lambda float64) (x, y float64) {
	x, y = p.shifted(lambda, b.Y, b.Z)
	norm := math.Sqrt(x*x + y*y)
	rn := p.c1*x + p.c2*y + b.X
	miss := lambda*norm - p.mu*rn
	size := polishTolerance * (lambda*norm + p.mu*(math.Abs(p.c1*x)+math.Abs(p.c2*y)+math.Abs(b.X)))
	for range polishSteps {
		if math.Abs(miss) <= size {
			break
		}
		dx, dy := p.shifted(lambda, x, y)
		slope := norm + lambda*(x*dx+y*dy)/norm - p.mu*(p.c1*dx+p.c2*dy)
		trial := lambda - miss/slope
		if !(trial > 0.5*lambda && trial < 2*lambda) {
			break
		}
		tx, ty := p.shifted(trial, b.Y, b.Z)
		tn := math.Sqrt(tx*tx + ty*ty)
		tm := trial*tn - p.mu*(p.c1*tx+p.c2*ty+b.X)
		if !(math.Abs(tm) < math.Abs(miss)) {
			break
		}
		lambda, x, y, norm, miss = trial, tx, ty, tn, tm
	}
	return x, y
}

// shifted returns -(H + λ)⁻¹(f, g) by elimination, which unlike Cramer's rule keeps the residual at
// rounding.
func (p *Coulomb) shifted(lambda, f, g float64) (x, y float64) {
	d := max(p.h11+lambda, pivotFloor)
	l := p.h12 / d
	y = (l*f - g) / max(p.h22+lambda-l*p.h12, pivotFloor)
	x = -f/d - l*y
	return x, y
}
