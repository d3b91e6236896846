// Package portable has the functions of package math that give other bits on other processors: math.Exp is written in
// the assembly of each, and on amd64 it asks whether there is a fused multiply-add. What is computed into a state calls
// these instead (decision 42). They give the bits that math gives on amd64 with FMA, where Toile's hashes are from.
package portable

import "math"

// The method and the constants are those of Go's exp_amd64.s, after N. Shibata, ISC'10: e^x = 2^k e^r, a Taylor series
// of degree 8 in r/16, and four times (1 + s)² = 1 + s (s + 2).
const (
	log2e    = 1.4426950408889634073599246810018920                  // 1/ln 2
	ln2Upper = 0.69314718055966295651160180568695068359375           // so short that k times it is exact
	ln2Lower = 0.28235290563031577122588448175013436025525412068e-12 // the rest of ln 2
	overflow = 7.09782712893384e+02
)

// taylor are the coefficients of the series, from r^7 down to r^0 after the leading one.
var taylor = [...]float64{
	1.9841269841269841270e-4,
	1.3888888888888888889e-3,
	8.3333333333333333333e-3,
	4.1666666666666666667e-2,
	1.6666666666666666667e-1,
	0.5,
	1,
}

// Exp returns e^x. Conversions keep the compiler from fusing what is rounded twice.
func Exp(x float64) float64 {
	// what has no exponent of its own
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x > overflow:
		return math.Inf(1)
	case x < -1000:
		return 0
	}
	// x = k ln 2 + 16 r
	k := math.RoundToEven(log2e * x)
	r := math.FMA(-k, ln2Lower, math.FMA(-k, ln2Upper, x)) * 0.0625
	// s = e^r - 1 from the series, squared up to e^16r - 1
	y := 2.4801587301587301587e-5
	for _, c := range taylor {
		y = math.FMA(r, y, c)
	}
	s := float64(r * y)
	for range 3 {
		s = float64(s * (s + 2))
	}
	return scaled(math.FMA(s+2, s, 1), int(k))
}

// scaled returns x 2^k. Results below the normal numbers take two steps, as on amd64.
func scaled(x float64, k int) float64 {
	const bias, mantissa = 0x3ff, 52
	power := func(biased int) float64 { return math.Float64frombits(uint64(biased) << mantissa) }
	switch biased := k + bias; {
	case biased >= 0x7ff:
		return math.Inf(1)
	case biased > 0:
		return x * power(biased)
	case biased < -mantissa:
		return 0
	default:
		return float64(x*power(biased+bias-1)) * power(1)
	}
}

// Pow returns x^y as math.Pow does: whole powers by squaring, and what is left of y by Exp and math.Log.
func Pow(x, y float64) float64 {
	whole, rest := math.Modf(math.Abs(y))
	if rest == 0 || rest == 0.5 && whole == 0 || !(x > 0) || math.IsInf(x, 1) || !(whole <= math.MaxInt32) {
		return math.Pow(x, y) // which needs no Exp for these
	}
	// by the part after the point
	if rest > 0.5 {
		rest--
		whole++
	}
	power, exponent := Exp(rest*math.Log(x)), 0
	// by the whole part, bit for bit of it; exponents apart, so that nothing overflows on the way
	square, twos := math.Frexp(x)
	for i := int64(whole); i != 0; i >>= 1 {
		if twos < -1<<12 || 1<<12 < twos {
			exponent += twos
			break
		}
		if i&1 == 1 {
			power *= square
			exponent += twos
		}
		square *= square
		twos <<= 1
		if square < 0.5 {
			square += square
			twos--
		}
	}
	if y < 0 {
		return math.Ldexp(1/power, -exponent)
	}
	return math.Ldexp(power, exponent)
}

// Fuses reports whether this program was compiled so that a*b+c is rounded once: then states have other bits than
// those on record. See decision 42.
func Fuses() bool {
	// The product needs more digits than there are, and is 1 when it is rounded.
	return sum(1+0x1p-30, 1-0x1p-30, -1) != 0
}

// sum returns a*b+c. It is not inlined, so that the compiler has three registers and computes nothing ahead.
//
//go:noinline
func sum(a, b, c float64) float64 { return a*b + c }
