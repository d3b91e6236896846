package geom

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Arithmetic on expansions [Shewchuk97]: an exact number kept as a sum of doubles that do not overlap, least
// first, zeros left out. Its sign is that of its last part.
//
//	a + b = s + e     with s the rounded sum: [Knuth97] theorem B of section 4.2.2
//	a b   = p + e     with p the rounded product and e one fused multiply-add
//	merging two expansions by magnitude and summing upwards gives an expansion of their sum [Shewchuk97] thm 13
//	multiplying the parts upwards with carries gives an expansion of a product with a double, thm 19
//
// Every product and sum here must be rounded by itself. The language lets a compiler fuse a product into a later
// sum, even across statements and inlined calls; only the explicit conversion in twoProduct forbids it.

// twoSum returns the rounded sum of a and b and its error.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	part := sum - a
	return sum, (a - (sum - part)) + (b - part)
}

// twoProduct returns the rounded product of a and b and its error.
func twoProduct(a, b float64) (product, rest float64) {
	product = float64(a * b)
	return product, math.FMA(a, b, -product)
}

// difference is the exact value of a subtraction: hi + lo.
type difference struct{ hi, lo float64 }

func exactDifference(a, b float64) difference {
	hi, lo := twoSum(a, -b)
	return difference{hi, lo}
}

// addExpansions writes the sum of e and f to out and returns the part used.
func addExpansions(out, e, f []float64) []float64 {
	n, i, j := 0, 0, 0
	carry := 0.0
	for i < len(e) || j < len(f) {
		var next float64
		if j == len(f) || i < len(e) && math.Abs(e[i]) < math.Abs(f[j]) {
			next = e[i]
			i++
		} else {
			next = f[j]
			j++
		}
		var rest float64
		carry, rest = twoSum(carry, next)
		if rest != 0 {
			out[n] = rest
			n++
		}
	}
	if carry != 0 {
		out[n] = carry
		n++
	}
	return out[:n]
}

// scaleExpansion writes the product of e and b to out and returns the part used.
func scaleExpansion(out, e []float64, b float64) []float64 {
	n := 0
	carry := 0.0
	if b == 0 {
		return out[:0]
	}
	for _, part := range e {
		product, low := twoProduct(part, b)
		middle, rest := twoSum(carry, low)
		if rest != 0 {
			out[n] = rest
			n++
		}
		carry, rest = twoSum(product, middle)
		if rest != 0 {
			out[n] = rest
			n++
		}
	}
	if carry != 0 {
		out[n] = carry
		n++
	}
	return out[:n]
}

// multiply writes the product of e, of at most 16 parts, and d to out.
func multiply(out, e []float64, d difference) []float64 {
	var low, high [32]float64
	return addExpansions(out, scaleExpansion(low[:], e, d.lo), scaleExpansion(high[:], e, d.hi))
}

// minor writes ad - bc to out, which needs 16 places.
func minor(out []float64, a, b, c, d difference) []float64 {
	var first, second [8]float64
	ad := multiply(first[:], parts(&[2]float64{}, a), d)
	bc := multiply(second[:], parts(&[2]float64{}, b), c)
	for i := range bc {
		bc[i] = -bc[i]
	}
	return addExpansions(out, ad, bc)
}

// parts writes d as an expansion.
func parts(out *[2]float64, d difference) []float64 {
	n := 0
	if d.lo != 0 {
		out[n] = d.lo
		n++
	}
	if d.hi != 0 {
		out[n] = d.hi
		n++
	}
	return out[:n]
}

func signOf(e []float64) int {
	if len(e) == 0 {
		return 0
	}
	if e[len(e)-1] > 0 {
		return 1
	}
	return -1
}

func orient3Expansion(a, b, c, d r3.Vec) int {
	ux, uy, uz := exactDifference(b.X, a.X), exactDifference(b.Y, a.Y), exactDifference(b.Z, a.Z)
	vx, vy, vz := exactDifference(c.X, a.X), exactDifference(c.Y, a.Y), exactDifference(c.Z, a.Z)
	wx, wy, wz := exactDifference(d.X, a.X), exactDifference(d.Y, a.Y), exactDifference(d.Z, a.Z)
	var m [16]float64
	var x, y, z [64]float64
	var xy [128]float64
	var sum [192]float64
	inX := multiply(x[:], minor(m[:], uy, uz, vy, vz), wx)
	inY := multiply(y[:], minor(m[:], uz, ux, vz, vx), wy)
	inZ := multiply(z[:], minor(m[:], ux, uy, vx, vy), wz)
	return signOf(addExpansions(sum[:], addExpansions(xy[:], inX, inY), inZ))
}

func orient2Expansion(a, b, c r3.Vec2) int {
	var m [16]float64
	return signOf(minor(m[:],
		exactDifference(b.X, a.X), exactDifference(b.Y, a.Y),
		exactDifference(c.X, a.X), exactDifference(c.Y, a.Y)))
}
