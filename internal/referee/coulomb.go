package referee

// All solutions of the one-contact problem in 240-bit arithmetic.
//
// Sliding velocities are u_T = -(H + λ)⁻¹b_T for the roots λ ≥ 0 with q(λ) ≥ 0 of the quartic
//
//	λ² ‖p + λ b_T‖² - μ² q(λ)² = 0        (H, b_T: tangential part; p = adj(H) b_T, q = δ times the normal impulse; δ, τ: determinant and trace of H)
//
// whose roots are found between those of its derivative, and so on down to degree 1. That the list
// is complete is tested against a scan of the sliding angle (TestReferenceFindsEverySlide).

import (
	"math"
	"math/big"

	"github.com/toile-sim/toile/r3"
)

const referenceBits = 240

// Case is one of the three cases of Coulomb's law.
type Case uint8

// The cases.
const (
	TakeOff Case = iota
	Stick
	Slide
)

// Solution is one way in which the law can hold.
type Solution struct {
	U    r3.Vec // [m/s]
	Case Case
	// Gain bounds the change of u by a change of the data: ‖∂(law)/∂u⁻¹‖ [1/kg].
	Gain float64
}

type number = *big.Float

func num(x float64) number { return new(big.Float).SetPrec(referenceBits).SetFloat64(x) }

func add(terms ...number) number {
	t := num(0)
	for _, x := range terms {
		t.Add(t, x)
	}
	return t
}

func prod(factors ...number) number {
	t := num(1)
	for _, x := range factors {
		t.Mul(t, x)
	}
	return t
}

func sub(a, b number) number         { return num(0).Sub(a, b) }
func quo(a, b number) number         { return num(0).Quo(a, b) }
func float(a number) float64         { x, _ := a.Float64(); return x }
func cross(a, b, c, d number) number { return sub(prod(a, b), prod(c, d)) }

// Enumeration lists all solutions, with the distance of the data from where a case begins or ends,
// relative to the data.
type Enumeration struct {
	Solutions []Solution // stick, take-off, slides by growing ‖u_T‖
	StickBand float64
	LiftBand  float64
}

// Coulomb returns all solutions of the problem of one contact: r = w u + b, (r, u) ∈ C(mu).
func Coulomb(w *r3.Mat, b r3.Vec, mu float64) Enumeration {
	var out Enumeration
	a, c1, c2 := num(w.XX), num(w.XY), num(w.XZ)
	h11, h12, h22 := num(w.YY), num(w.YZ), num(w.ZZ)
	bn, b1, b2, m := num(b.X), num(b.Y), num(b.Z), num(mu)
	bt2 := add(prod(b1, b1), prod(b2, b2))

	delta, tau := cross(h11, h22, h12, h12), add(h11, h22)
	n1, n2 := cross(h22, c1, h12, c2), cross(h11, c2, h12, c1) // δ H⁻¹c
	det := sub(prod(a, delta), add(prod(c1, n1), prod(c2, n2)))
	// The trace of W⁻¹ bounds its norm.
	gain := float(quo(add(delta, cross(a, h22, c2, c2), cross(a, h11, c1, c1)), det))

	norm := num(0).Sqrt(bt2)
	margin := sub(prod(m, bn), norm)
	out.StickBand = math.Abs(float(margin)) / ((1 + mu) * b.Norm())
	if bn.Sign() >= 0 && margin.Sign() >= 0 {
		out.Solutions = append(out.Solutions, Solution{Case: Stick, Gain: gain})
	}

	p1, p2 := cross(h22, b1, h12, b2), cross(h11, b2, h12, b1)
	q0 := sub(prod(bn, delta), add(prod(c1, p1), prod(c2, p2)))
	k := math.Hypot(float(quo(n1, delta)), float(quo(n2, delta)))
	x0, y0 := quo(num(0).Neg(p1), delta), quo(num(0).Neg(p2), delta)
	out.LiftBand = math.Abs(float(quo(q0, delta))) / ((1 + k) * (b.Norm() + w.Trace()*math.Hypot(float(x0), float(y0))))
	if q0.Sign() <= 0 {
		n := num(0).Neg(quo(q0, det))
		x := sub(x0, prod(n, quo(n1, delta)))
		y := sub(y0, prod(n, quo(n2, delta)))
		out.Solutions = append(out.Solutions, Solution{r3.V(float(n), float(x), float(y)), TakeOff, gain})
	}
	if mu == 0 {
		if q0.Sign() > 0 && bt2.Sign() > 0 {
			out.Solutions = append(
				out.Solutions,
				Solution{r3.V(0, float(x0), float(y0)), Slide, slideGain(w, float(x0), float(y0), 0, 0)},
			)
		}
		return out
	}

	q1 := sub(prod(bn, tau), add(prod(c1, b1), prod(c2, b2)))
	pp, pb := add(prod(p1, p1), prod(p2, p2)), add(prod(p1, b1), prod(p2, b2))
	two, m2 := num(2), prod(m, m)
	quartic := []number{
		num(0).Neg(prod(m2, q0, q0)),
		num(0).Neg(prod(two, m2, q0, q1)),
		sub(pp, prod(m2, add(prod(q1, q1), prod(two, q0, bn)))),
		sub(prod(two, pb), prod(two, m2, q1, bn)),
		sub(bt2, prod(m2, bn, bn)),
	}
	roots := positiveRoots(quartic)
	for i := len(roots) - 1; i >= 0; i-- {
		l := roots[i]
		if add(q0, prod(q1, l), prod(bn, l, l)).Sign() < 0 {
			continue
		}
		d := num(0).Neg(add(prod(l, l), prod(tau, l), delta))
		x, y := float(quo(add(p1, prod(l, b1)), d)), float(quo(add(p2, prod(l, b2)), d))
		out.Solutions = append(out.Solutions, Solution{r3.V(0, x, y), Slide, slideGain(w, x, y, mu, float(l))})
	}
	return out
}

// slideGain returns the norm of the inverse of H + λ(1 - d dᵀ) + μ d cᵀ, the derivative of
// r_T + μ r_N d by u_T with d the direction of u_T.
func slideGain(w *r3.Mat, x, y, mu, lambda float64) float64 {
	n := math.Hypot(x, y)
	dx, dy := x/n, y/n
	j11 := w.YY + lambda*dy*dy + mu*dx*w.XY
	j12 := w.YZ - lambda*dx*dy + mu*dx*w.XZ
	j21 := w.YZ - lambda*dx*dy + mu*dy*w.XY
	j22 := w.ZZ + lambda*dx*dx + mu*dy*w.XZ
	size := math.Sqrt(j11*j11 + j12*j12 + j21*j21 + j22*j22)
	return size / math.Abs(j11*j22-j12*j21)
}

// polynomial evaluates one with coefficients c, constant first, and its slope. It keeps its numbers: to make new ones
// would take most of the time.
type polynomial struct {
	c                     []number
	value, slope, product big.Float
}

func (p *polynomial) at(x number) (value, slope number) {
	p.value.SetPrec(referenceBits).SetFloat64(0)
	p.slope.SetPrec(referenceBits).SetFloat64(0)
	for i := len(p.c) - 1; i >= 0; i-- {
		p.slope.Add(p.product.Mul(&p.slope, x), &p.value)
		p.value.Add(p.product.Mul(&p.value, x), p.c[i])
	}
	return &p.value, &p.slope
}

// positiveRoots returns the simple positive roots of the polynomial with coefficients c, constant first, growing.
func positiveRoots(c []number) []number {
	// degree without zeros in front
	for len(c) > 1 && c[len(c)-1].Sign() == 0 {
		c = c[:len(c)-1]
	}
	if len(c) < 2 {
		return nil
	}
	// derivative, and a bound of all roots
	derivative := make([]number, len(c)-1)
	bound := num(0)
	for i := 1; i < len(c); i++ {
		derivative[i-1] = prod(num(float64(i)), c[i])
	}
	for _, x := range c {
		if r := num(0).Abs(quo(x, c[len(c)-1])); r.Cmp(bound) > 0 {
			bound = r
		}
	}
	// one root at most between its roots
	knots := append(positiveRoots(derivative), add(bound, num(1)))
	var roots []number
	p := polynomial{c: c}
	sign := func(x number) int { v, _ := p.at(x); return v.Sign() }
	lo := num(0)
	below := sign(lo)
	// where the sign changes
	for _, hi := range knots {
		above := sign(hi)
		if below*above < 0 {
			roots = append(roots, p.bracketed(lo, hi, below))
		}
		lo, below = hi, above
	}
	return roots
}

// bracketed returns the root between lo, where the sign is given, and hi.
func (p *polynomial) bracketed(lo, hi number, sign int) number {
	// half way at first
	x := halfway(lo, hi)
	last := sub(hi, lo)
	var move, twice, size big.Float
	// signs narrow the bracket
	for range 2000 {
		v, slope := p.at(x)
		if v.Sign() == 0 {
			return x
		}
		if v.Sign() == sign {
			lo = x
		} else {
			hi = x
		}
		// Newton's step where it stays within and is short enough
		var next number
		if slope.Sign() != 0 {
			newton := sub(x, move.Quo(v, slope))
			size.Abs(move.Sub(newton, x))
			if newton.Cmp(lo) >= 0 && newton.Cmp(hi) <= 0 && twice.Add(&size, &size).Cmp(last) < 0 {
				next = newton
			}
		}
		// or half way
		if next == nil {
			next = halfway(lo, hi)
		}
		// until nothing changes
		last.Abs(move.Sub(next, x))
		if last.Sign() == 0 || last.MantExp(nil) < x.MantExp(nil)-120 {
			return next
		}
		x = next
	}
	panic("root not found")
}

// halfway halves the number of binary places between lo and hi, or the distance if they are close.
func halfway(lo, hi number) number {
	top := hi.MantExp(nil)
	bottom := top - 400
	if lo.Sign() > 0 {
		bottom = lo.MantExp(nil)
	}
	if top-bottom > 2 {
		return num(0).SetMantExp(num(1), (top+bottom)>>1)
	}
	return prod(num(0.5), add(lo, hi))
}
