// Dense partial LDLᵀ of a front. Rows are stored one after the other, so that every inner loop is a
// scalar product of two rows; all products go through dots, which computes a 3x3 block of them and
// keeps the nine sums in registers.
//
// With X = L D the equations for block row i and block column j < k of a front are
//
//	X_ij = (F_ij - Σ_{p<j} X_ip L_jpᵀ) L_jj⁻ᵀ,   L_ij = X_ij D_j⁻¹,
//	F_ii - Σ_{p<i} X_ip L_ipᵀ = L_ii D_i L_iiᵀ,   U_ij -= Σ_p X_ip L_jpᵀ   (i, j >= k)
//
// There is no pivoting: pivots may be negative, and the factor of an indefinite matrix is as
// accurate as its smallest pivot allows.

package sparse

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// front is a supernode being factored.
type front struct {
	k, m  int       // blocks: columns to eliminate, rows
	panel []float64 // 3m x 3k
	x     []float64 // 3m x 3k, unscaled
	u     []float64 // 3(m-k) x 3(m-k), lower blocks
	d     []float64 // 3k pivots
	inv   []float64 // 3k, their inverses
	floor []float64 // 3k, magnitude below which a pivot counts as zero
	pivots
}

// pivots is what went wrong in a part of the factorization.
type pivots struct {
	negative int     // pivots below zero
	zero     int     // pivots that are zero to rounding or not finite, and were replaced
	bad      int     // first scalar column of a pivot that is not positive, -1 if none
	value    float64 // that pivot
}

func (p *pivots) add(q *pivots) {
	p.negative += q.negative
	p.zero += q.zero
	if q.bad >= 0 && (p.bad < 0 || q.bad < p.bad) {
		p.bad, p.value = q.bad, q.value
	}
}

// eliminate factors the k x k head of the panel. first is the scalar column it begins with.
func (f *front) eliminate(first int) {
	for i := range f.k {
		f.solveRow(i, i)
		f.factorBlock(i, first)
	}
}

// solveRow computes X and L of block row i, block columns below end.
func (f *front) solveRow(i, end int) {
	w := 3 * f.k
	x, l := f.x[3*i*w:], f.panel[3*i*w:]
	var s r3.Mat
	for j := range end {
		dots(x, f.panel[3*j*w:], w, 3*j, &s)
		jj := f.panel[3*j*w+3*j:]
		l10, l20, l21 := jj[w], jj[2*w], jj[2*w+1]
		i0, i1, i2 := f.inv[3*j], f.inv[3*j+1], f.inv[3*j+2]
		for r, sum := range [3]r3.Vec{{X: s.XX, Y: s.XY, Z: s.XZ}, {X: s.YX, Y: s.YY, Z: s.YZ}, {X: s.ZX, Y: s.ZY, Z: s.ZZ}} {
			to, xo := l[r*w+3*j:][:3], x[r*w+3*j:][:3]
			a := to[0] - sum.X
			b := to[1] - sum.Y - a*l10
			c := to[2] - sum.Z - a*l20 - b*l21
			xo[0], xo[1], xo[2] = a, b, c
			to[0], to[1], to[2] = a*i0, b*i1, c*i2
		}
	}
}

// factorBlock factors the diagonal block of block row i, whose X and L are known.
func (f *front) factorBlock(i, first int) {
	w := 3 * f.k
	var s r3.Mat
	dots(f.x[3*i*w:], f.panel[3*i*w:], w, 3*i, &s)
	p := f.panel[3*i*w+3*i:]
	d0 := f.pivot(3*i, first, p[0]-s.XX)
	a10, a20 := p[w]-s.YX, p[2*w]-s.ZX
	l10, l20 := a10/d0, a20/d0
	d1 := f.pivot(3*i+1, first, p[w+1]-s.YY-l10*a10)
	a21 := p[2*w+1] - s.ZY - l20*a10
	l21 := a21 / d1
	f.pivot(3*i+2, first, p[2*w+2]-s.ZZ-l20*a20-l21*a21)
	p[w], p[2*w], p[2*w+1] = l10, l20, l21
}

// pivot notes the pivot of scalar column c of the front and returns what to divide by.
func (f *front) pivot(c, first int, v float64) float64 {
	if !(v > f.floor[c]) || math.IsInf(v, 1) {
		if f.bad < 0 {
			f.bad, f.value = first+c, v
		}
		if v < -f.floor[c] && !math.IsInf(v, -1) {
			f.negative++
		} else {
			f.zero++
			v = f.floor[c]
		}
	}
	f.d[c], f.inv[c] = v, 1/v
	return v
}

// subtract computes the rows [lo, hi) of U, counted in blocks from the first row below the head.
func (f *front) subtract(lo, hi int) {
	w, n := 3*f.k, 3*(f.m-f.k)
	var s r3.Mat
	for i := lo; i < hi; i++ {
		x := f.x[3*(f.k+i)*w:]
		u := f.u[3*i*n:]
		for j := 0; j <= i; j++ {
			dots(x, f.panel[3*(f.k+j)*w:], w, w, &s)
			r0, r1, r2 := u[3*j:][:3], u[n+3*j:][:3], u[2*n+3*j:][:3]
			r0[0] -= s.XX
			r0[1] -= s.XY
			r0[2] -= s.XZ
			r1[0] -= s.YX
			r1[1] -= s.YY
			r1[2] -= s.YZ
			r2[0] -= s.ZX
			r2[1] -= s.ZY
			r2[2] -= s.ZZ
		}
	}
}

// dots sets s to the scalar products of the first n entries of three rows of x with three rows of l;
// both have rows of length stride.
func dots(x, l []float64, stride, n int, s *r3.Mat) {
	var xx, xy, xz, yx, yy, yz, zx, zy, zz float64
	x0, x1, x2 := x[:n], x[stride:][:n], x[2*stride:][:n]
	l0, l1, l2 := l[:n], l[stride:][:n], l[2*stride:][:n]
	for p, a := range x0 {
		b0, b1, b2 := l0[p], l1[p], l2[p]
		xx += a * b0
		xy += a * b1
		xz += a * b2
		a = x1[p]
		yx += a * b0
		yy += a * b1
		yz += a * b2
		a = x2[p]
		zx += a * b0
		zy += a * b1
		zz += a * b2
	}
	s.XX, s.XY, s.XZ = xx, xy, xz
	s.YX, s.YY, s.YZ = yx, yy, yz
	s.ZX, s.ZY, s.ZZ = zx, zy, zz
}
