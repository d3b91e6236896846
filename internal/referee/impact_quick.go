package referee

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// The quick referee: the question of the exact one, asked in double-double numbers with error bounds. It answers
// yes, no, or undecided; the exact referee is asked only then.
//
// The cubic whose roots are the coplanar moments, and the polynomials of the inside tests, are bounded on an
// interval m ± r by their Taylor coefficients at m. Intervals without a root, or with an inside test that is
// negative throughout, are dropped; one with a change of sign of the cubic and all tests positive settles it;
// others are halved.

// twoSum returns the rounded sum of a and b and its error.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	part := sum - a
	return sum, (a - (sum - part)) + (b - part)
}

// twoProduct returns the rounded product of a and b and its error. The conversion keeps it from being fused.
func twoProduct(a, b float64) (product, rest float64) {
	product = float64(a * b)
	return product, math.FMA(a, b, -product)
}

// ball is the set of numbers within err of hi + lo.
type ball struct{ hi, lo, err float64 }

// ballError is above the relative error of a sum or product of two double-double numbers, of some 2⁻¹⁰³ and
// 2⁻¹⁰¹ of the magnitudes involved, and covers the rounding of the bounds themselves.
const ballError = 0x1p-98

func (a ball) plus(b ball) ball {
	s, e := twoSum(a.hi, b.hi)
	t, f := twoSum(a.lo, b.lo)
	s, e = twoSum(s, e+t)
	s, e = twoSum(s, e+f)
	err := (a.err + b.err) * (1 + 0x1p-40)
	return ball{s, e, err + ballError*(math.Abs(a.hi)+math.Abs(b.hi))}
}

func (a ball) neg() ball { return ball{-a.hi, -a.lo, a.err} }

func (a ball) times(b ball) ball {
	p, e := twoProduct(a.hi, b.hi)
	e += a.hi*b.lo + a.lo*b.hi
	p, e = twoSum(p, e)
	x, y := math.Abs(a.hi)*(1+0x1p-40)+a.err, math.Abs(b.hi)*(1+0x1p-40)+b.err
	return ball{p, e, (x*b.err+y*a.err)*(1+0x1p-40) + ballError*x*y}
}

// curve is a polynomial of degree at most four with coefficients in balls, lowest first.
type curve [5]ball

func (f curve) plus(g curve) curve {
	for i := range f {
		f[i] = f[i].plus(g[i])
	}
	return f
}

func (f curve) neg() curve {
	for i := range f {
		f[i] = f[i].neg()
	}
	return f
}

// times multiplies curves; terms beyond degree four must vanish.
func (f curve) times(g curve, degF, degG int) curve {
	var out curve
	for i := range degF + 1 {
		for j := range degG + 1 {
			out[i+j] = out[i+j].plus(f[i].times(g[j]))
		}
	}
	return out
}

type curveVec [3]curve

func (a curveVec) dot(b curveVec, degA, degB int) curve {
	return a[0].times(b[0], degA, degB).plus(a[1].times(b[1], degA, degB)).plus(a[2].times(b[2], degA, degB))
}

// cross multiplies two vectors that are linear in time.
func (a curveVec) cross(b curveVec) curveVec {
	var out curveVec
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		out[i] = a[j].times(b[k], 1, 1).plus(a[k].times(b[j], 1, 1).neg())
	}
	return out
}

func (a curveVec) plus(b curveVec) curveVec {
	return curveVec{a[0].plus(b[0]), a[1].plus(b[1]), a[2].plus(b[2])}
}

func (a curveVec) neg() curveVec { return curveVec{a[0].neg(), a[1].neg(), a[2].neg()} }

// between is the exact motion of corner i seen from corner j.
func (c *Pair) between(i, j int) curveVec {
	line := func(a0, a1, b0, b1 float64) curve {
		hi0, lo0 := twoSum(a0, -b0)
		hi1, lo1 := twoSum(a1, -b1)
		start := ball{hi0, lo0, 0}
		return curve{start, ball{hi1, lo1, 0}.plus(start.neg())}
	}
	a0, a1, b0, b1 := c.X0[i], c.X1[i], c.X0[j], c.X1[j]
	return curveVec{line(a0.X, a1.X, b0.X, b1.X), line(a0.Y, a1.Y, b0.Y, b1.Y), line(a0.Z, a1.Z, b0.Z, b1.Z)}
}

// bounds encloses f on m ± r, by its Taylor coefficients at m.
func (f curve) bounds(m, r float64) (lo, hi float64) {
	at := ball{hi: m}
	for i := range f {
		for j := len(f) - 2; j >= i; j-- {
			f[j] = f[j].plus(f[j+1].times(at))
		}
	}
	slack := f[0].err
	for i, power := 1, r; i < len(f); i, power = i+1, power*r {
		slack += (math.Abs(f[i].hi)*(1+0x1p-40) + f[i].err) * power
	}
	slack *= 1 + 0x1p-40
	lo, hi = f[0].hi-slack, f[0].hi+slack
	return lo - math.Abs(lo)*0x1p-40 - math.Abs(f[0].lo), hi + math.Abs(hi)*0x1p-40 + math.Abs(f[0].lo)
}

func (f curve) signAt(t float64) int {
	switch lo, hi := f.bounds(t, 0); {
	case lo > 0:
		return 1
	case hi < 0:
		return -1
	}
	return 0
}

// vanishes reports whether f may be zero everywhere.
func (f *curve) vanishes() bool {
	for _, b := range f {
		if math.Abs(b.hi+b.lo) > b.err {
			return false
		}
	}
	return true
}

// Verdict is the answer of the quick referee.
type Verdict int

// The verdicts.
const (
	Undecided Verdict = iota
	Apart
	Meeting
)

// MeetsQuickly decides whether the features meet in [0, until] if numbers that are not exact can tell.
func (c *Pair) MeetsQuickly(until float64) Verdict {
	var coplanar curve
	var tests []curve
	if c.Edges {
		u, v, w := c.between(1, 0), c.between(3, 2), c.between(2, 0)
		n := u.cross(v)
		coplanar = n.dot(w, 2, 1)
		n2, s, t := n.dot(n, 2, 2), w.cross(v).dot(n, 2, 2), w.cross(u).dot(n, 2, 2)
		tests = []curve{n2, s, t, n2.plus(s.neg()), n2.plus(t.neg())}
	} else {
		pa, pb, pc := c.between(1, 0), c.between(2, 0), c.between(3, 0)
		n := pb.plus(pa.neg()).cross(pc.plus(pa.neg()))
		coplanar = n.dot(pa, 2, 1)
		tests = []curve{n.dot(n, 2, 2), pa.cross(pb).dot(n, 2, 2), pb.cross(pc).dot(n, 2, 2), pc.cross(pa).dot(n, 2, 2)}
	}
	if coplanar.vanishes() {
		return Undecided
	}
	budget := 140
	return judge(&coplanar, tests, 0, until, &budget)
}

func judge(coplanar *curve, tests []curve, t0, t1 float64, budget *int) Verdict {
	if *budget--; *budget < 0 {
		return Undecided
	}
	m := t0 + (t1-t0)/2 // may round to an end of a short interval
	r := max(m-t0, t1-m) * (1 + 0x1p-40)
	if lo, hi := coplanar.bounds(m, r); lo > 0 || hi < 0 {
		return Apart
	}
	inside := true
	for i := range tests {
		lo, hi := tests[i].bounds(m, r)
		if hi < 0 {
			return Apart
		}
		inside = inside && lo > 0
	}
	if inside && coplanar.signAt(t0)*coplanar.signAt(t1) < 0 {
		return Meeting
	}
	if !(t0 < m && m < t1) {
		return Undecided
	}
	first := judge(coplanar, tests, t0, m, budget)
	if first == Meeting || first == Undecided && *budget < 0 {
		return first
	}
	second := judge(coplanar, tests, m, t1, budget)
	if second == Meeting || first == Apart {
		return second
	}
	return Undecided
}

// reachOf is the largest magnitude of a coordinate.
func reachOf(x *[4]r3.Vec) float64 {
	return max(x[0].MaxAbs(), x[1].MaxAbs(), x[2].MaxAbs(), x[3].MaxAbs())
}

// Meets reports whether the features touch at some t in [0, until], or in [0, until) when open. It asks the quick
// referee, and the exact one if it is undecided; it also reports whether it had to.
func (c *Pair) Meets(until float64, open bool) (meets, exact bool) {
	if until > 0 && min(reachOf(&c.X0), reachOf(&c.X1)) > 1e-30 {
		switch c.MeetsQuickly(until) {
		case Apart:
			return false, false
		case Meeting:
			return true, false
		}
	}
	return c.MeetsExactly(until, open), true
}
