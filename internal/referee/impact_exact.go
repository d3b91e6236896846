package referee

import (
	"math"
	"math/big"

	"github.com/toile-sim/toile/r3"
)

// The exact referee: whether a point and a triangle, or two edges, whose corners move along straight lines,
// ever meet, decided in whole numbers.
//
// Coordinates are scaled by one power of two to integers, so that all quantities are polynomials in t with
// integer coefficients. Two features that meet are coplanar: t is a root of a cubic, isolated by Sturm chains.
// There the inside test is the sign of other polynomials at that root: zero if the greatest common divisor
// has the root too, and otherwise the sign on an interval made so short that it holds no root of theirs.
// Where the cubic vanishes everywhere (all in one plane at all times), the first meeting is at t = 0 or when
// a corner comes to lie on an edge, which are roots of quadratics.

// poly is a polynomial with integer coefficients, lowest first, without leading zeros; nil is zero.
type poly []*big.Int

func (f poly) trim() poly {
	for len(f) > 0 && f[len(f)-1].Sign() == 0 {
		f = f[:len(f)-1]
	}
	return f
}

func (f poly) plus(g poly, sign int64) poly {
	out := make(poly, max(len(f), len(g)))
	s := big.NewInt(sign)
	for i := range out {
		out[i] = new(big.Int)
		if i < len(g) {
			out[i].Mul(g[i], s)
		}
		if i < len(f) {
			out[i].Add(out[i], f[i])
		}
	}
	return out.trim()
}

func (f poly) times(g poly) poly {
	if len(f) == 0 || len(g) == 0 {
		return nil
	}
	out := make(poly, len(f)+len(g)-1)
	for i := range out {
		out[i] = new(big.Int)
	}
	var m big.Int
	for i := range f {
		for j := range g {
			out[i+j].Add(out[i+j], m.Mul(f[i], g[j]))
		}
	}
	return out.trim()
}

func (f poly) derivative() poly {
	if len(f) < 2 {
		return nil
	}
	out := make(poly, len(f)-1)
	for i := range out {
		out[i] = new(big.Int).Mul(f[i+1], big.NewInt(int64(i+1)))
	}
	return out
}

// primitive divides out a common factor, keeping signs: powers of two always, others only from long numbers,
// because finding them takes longer than carrying them.
func (f poly) primitive() poly {
	zeros, bits := uint(math.MaxUint), 0
	for _, c := range f {
		if c.Sign() != 0 {
			zeros = min(zeros, c.TrailingZeroBits())
		}
		bits = max(bits, c.BitLen())
	}
	if bits == 0 {
		return f
	}
	g := new(big.Int).Lsh(big.NewInt(1), zeros)
	if bits > 2000 {
		g = new(big.Int)
		for _, c := range f {
			g.GCD(nil, nil, g, new(big.Int).Abs(c))
		}
	}
	out := make(poly, len(f))
	for i, c := range f {
		out[i] = new(big.Int).Quo(c, g)
	}
	return out
}

// mod returns a positive multiple of the remainder of f by g.
func (f poly) mod(g poly) poly {
	lead := g[len(g)-1]
	square := new(big.Int).Mul(lead, lead)
	for len(f) >= len(g) {
		shift := len(f) - len(g)
		factor := new(big.Int).Mul(f[len(f)-1], lead)
		out := make(poly, len(f))
		for i := range out {
			out[i] = new(big.Int).Mul(f[i], square)
			if i >= shift {
				out[i].Sub(out[i], new(big.Int).Mul(factor, g[i-shift]))
			}
		}
		f = out.trim().primitive()
	}
	return f
}

func commonDivisor(f, g poly) poly {
	for len(g) > 0 {
		f, g = g, f.mod(g)
	}
	return f.primitive()
}

// dyadic is num / 2^shift.
type dyadic struct {
	num   *big.Int
	shift uint
}

func (f poly) signAt(x dyadic) int {
	var sum big.Int
	for i := len(f) - 1; i >= 0; i-- {
		sum.Mul(&sum, x.num)
		sum.Add(&sum, new(big.Int).Lsh(f[i], x.shift*uint(len(f)-1-i)))
	}
	return sum.Sign()
}

func middle(a, b dyadic) dyadic {
	shift := max(a.shift, b.shift)
	sum := new(big.Int).Lsh(a.num, shift-a.shift)
	sum.Add(sum, new(big.Int).Lsh(b.num, shift-b.shift))
	return dyadic{sum, shift + 1}
}

// sturm is the chain of a polynomial; count gives its distinct roots in (lo, hi].
type sturm []poly

func chain(f poly) sturm {
	s := sturm{f}
	for g := f.derivative(); len(g) > 0; {
		s = append(s, g)
		r := f.mod(g)
		for i := range r {
			r[i] = new(big.Int).Neg(r[i])
		}
		f, g = g, r
	}
	return s
}

func (s sturm) variations(x dyadic) int {
	n, last := 0, 0
	for _, f := range s {
		if sign := f.signAt(x); sign != 0 {
			if sign == -last {
				n++
			}
			last = sign
		}
	}
	return n
}

func (s sturm) count(lo, hi dyadic) int { return s.variations(lo) - s.variations(hi) }

// squarefree divides f by its common factor with its derivative (up to a positive constant).
func squarefree(f poly) poly {
	g := commonDivisor(f, f.derivative())
	if len(g) <= 1 {
		return f
	}
	return quotient(f, g)
}

// quotient divides f by g, which must divide it up to constants.
func quotient(f, g poly) poly {
	lead := g[len(g)-1]
	out := make(poly, len(f)-len(g)+1)
	for i := range out {
		out[i] = new(big.Int)
	}
	for len(f) >= len(g) {
		shift := len(f) - len(g)
		factor := new(big.Int).Set(f[len(f)-1])
		rest := make(poly, len(f))
		for i := range rest {
			rest[i] = new(big.Int).Mul(f[i], lead)
			if i >= shift {
				rest[i].Sub(rest[i], new(big.Int).Mul(factor, g[i-shift]))
			}
		}
		for i := range out {
			out[i].Mul(out[i], lead)
		}
		out[shift].Add(out[shift], factor)
		f = rest.trim()
	}
	return out.primitive()
}

// instant is a root of f alone in (lo, hi], or the number lo when f is nil.
type instant struct {
	f      poly
	s      sturm
	lo, hi dyadic
}

func (m *instant) signOf(q poly) int {
	if m.f == nil || len(q) <= 1 {
		return q.signAt(m.lo)
	}
	if g := commonDivisor(m.f, q); len(g) > 1 && chain(g).count(m.lo, m.hi) > 0 {
		return 0
	}
	roots := chain(squarefree(q))
	for q.signAt(m.hi) == 0 || roots.count(m.lo, m.hi) > 0 {
		m.halve()
	}
	return q.signAt(m.hi)
}

func (m *instant) halve() {
	mid := middle(m.lo, m.hi)
	if m.s.count(m.lo, mid) > 0 {
		m.hi = mid
	} else {
		m.lo = mid
	}
}

// rootsOf appends the roots of f in (lo, hi] to list.
func rootsOf(list []instant, f poly, lo, hi dyadic) []instant {
	if len(f) <= 1 {
		return list
	}
	f = squarefree(f.primitive())
	s := chain(f)
	var split func(lo, hi dyadic)
	split = func(lo, hi dyadic) {
		switch s.count(lo, hi) {
		case 0:
		case 1:
			list = append(list, instant{f, s, lo, hi})
		default:
			mid := middle(lo, hi)
			split(lo, mid)
			split(mid, hi)
		}
	}
	split(lo, hi)
	return list
}

type polyVec [3]poly

func (a polyVec) minus(b polyVec) polyVec {
	return polyVec{a[0].plus(b[0], -1), a[1].plus(b[1], -1), a[2].plus(b[2], -1)}
}

func (a polyVec) dot(b polyVec) poly {
	return a[0].times(b[0]).plus(a[1].times(b[1]), 1).plus(a[2].times(b[2]), 1)
}

func (a polyVec) cross(b polyVec) polyVec {
	return polyVec{
		a[1].times(b[2]).plus(a[2].times(b[1]), -1),
		a[2].times(b[0]).plus(a[0].times(b[2]), -1),
		a[0].times(b[1]).plus(a[1].times(b[0]), -1),
	}
}

// Pair is two features whose corners move along straight lines: a point p and a triangle a, b, c, or the edges ab
// and cd, at the start and at the end.
type Pair struct {
	X0, X1 [4]r3.Vec
	Edges  bool
}

func dyadicOf(x float64) dyadic {
	frac, exp := math.Frexp(x)
	num, shift := big.NewInt(int64(frac*(1<<53))), 53-exp
	if shift < 0 {
		return dyadic{num.Lsh(num, uint(-shift)), 0}
	}
	return dyadic{num, uint(shift)}
}

// paths returns the motions of the corners as polynomials, times a power of two.
func (c *Pair) paths() [4]polyVec {
	// all coordinates, at begin and end
	var shift uint
	each := func(use func(k, axis int, x0, x1 float64)) {
		for k := range 4 {
			a, b := c.X0[k], c.X1[k]
			use(k, 0, a.X, b.X)
			use(k, 1, a.Y, b.Y)
			use(k, 2, a.Z, b.Z)
		}
	}
	// largest power of two in a denominator
	each(func(_, _ int, x0, x1 float64) {
		for _, x := range []float64{x0, x1} {
			if x != 0 {
				shift = max(shift, dyadicOf(x).shift)
			}
		}
	})
	// whole numbers, once multiplied by it
	whole := func(x float64) *big.Int {
		if x == 0 {
			return new(big.Int)
		}
		d := dyadicOf(x)
		return d.num.Lsh(d.num, shift-d.shift)
	}
	// polynomials of the corners
	var out [4]polyVec
	each(func(k, axis int, x0, x1 float64) {
		a, b := whole(x0), whole(x1)
		out[k][axis] = poly{a, b.Sub(b, a)}.trim()
	})
	return out
}

// MeetsExactly reports whether the features touch at some t in [0, until], or in [0, until) when open.
func (c *Pair) MeetsExactly(until float64, open bool) bool {
	// at the start
	if until == 0 && open {
		return false
	}
	x := c.paths()
	zero := dyadic{new(big.Int), 0}
	if c.touchesAt(&x, &instant{lo: zero, hi: zero}) {
		return true
	}
	if until == 0 {
		return false
	}
	// times among which is the first touch
	end := dyadicOf(until)
	var times []instant
	for _, f := range c.events(&x) {
		times = rootsOf(times, f, zero, end)
	}
	// whether they touch then, the end itself left out when open
	for i := range times {
		m := &times[i]
		if open && m.f.signAt(end) == 0 && m.s.count(m.lo, end) == 1 && sameTime(m, end) {
			continue
		}
		if c.touchesAt(&x, m) {
			return true
		}
	}
	return false
}

// sameTime reports whether the root m is the number x, given that x is a root of the same polynomial.
func sameTime(m *instant, x dyadic) bool {
	diff := poly{new(big.Int).Neg(x.num), new(big.Int).Lsh(big.NewInt(1), x.shift)}
	return m.signOf(diff) == 0
}

// events returns polynomials among whose roots is the first time after 0 at which the features touch.
func (c *Pair) events(x *[4]polyVec) []poly {
	coplanar := x[1].minus(x[0]).cross(x[2].minus(x[0])).dot(x[3].minus(x[0]))
	if len(coplanar) > 0 {
		return []poly{coplanar}
	}
	var list []poly
	for _, on := range c.cornersOnEdges() {
		u, v := x[on[0]].minus(x[on[1]]), x[on[0]].minus(x[on[2]])
		n := u.cross(v)
		list = append(list, n[0], n[1], n[2])
		if len(n[0])+len(n[1])+len(n[2]) == 0 {
			list = append(list, u.dot(v))
		}
	}
	return list
}

// cornersOnEdges lists the ways in which a corner of one feature can lie on an edge of the other.
func (c *Pair) cornersOnEdges() [][3]int {
	if c.Edges {
		return [][3]int{{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}}
	}
	return [][3]int{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}
}

func (c *Pair) touchesAt(x *[4]polyVec, m *instant) bool {
	if m.f == nil {
		coplanar := x[1].minus(x[0]).cross(x[2].minus(x[0])).dot(x[3].minus(x[0]))
		if m.signOf(coplanar) != 0 {
			return false
		}
	}
	inside := c.insideTests(x)
	if m.signOf(inside[0]) > 0 {
		for _, q := range inside[1:] {
			if m.signOf(q) < 0 {
				return false
			}
		}
		return true
	}
	for _, on := range c.cornersOnEdges() {
		u, v := x[on[0]].minus(x[on[1]]), x[on[0]].minus(x[on[2]])
		n := u.cross(v)
		if m.signOf(n[0]) == 0 && m.signOf(n[1]) == 0 && m.signOf(n[2]) == 0 && m.signOf(u.dot(v)) <= 0 {
			return true
		}
	}
	return false
}

// insideTests returns polynomials that decide whether features in one plane touch: where the first is positive
// they do if no other is negative, where it is zero the triangle has no area, or the edges are parallel.
func (c *Pair) insideTests(x *[4]polyVec) []poly {
	if c.Edges {
		u, v, w := x[1].minus(x[0]), x[3].minus(x[2]), x[2].minus(x[0])
		n := u.cross(v)
		n2, s, t := n.dot(n), w.cross(v).dot(n), w.cross(u).dot(n)
		return []poly{n2, s, t, n2.plus(s, -1), n2.plus(t, -1)}
	}
	p, a, b, d := x[0], x[1], x[2], x[3]
	n := b.minus(a).cross(d.minus(a))
	pa, pb, pd := a.minus(p), b.minus(p), d.minus(p)
	return []poly{n.dot(n), pa.cross(pb).dot(n), pb.cross(pd).dot(n), pd.cross(pa).dot(n)}
}
