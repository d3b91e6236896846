// Dense partial LDLᵀ of a front. Rows of L are stored one after the other. While the front is factored, X and L are stored
// by columns as well, so that a block row is multiplied with four others at once (internal/lanes).
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

	"github.com/toile-sim/toile/internal/lanes"
)

// front is a supernode being factored.
type front struct {
	k, m  int          // blocks: columns to eliminate, rows
	panel []float64    // 3m x 3k
	xt    []float64    // 3k x ls, X by columns
	lt    []float64    // 3k x ls, L by columns
	ls    int          // the length of these columns
	u     []float64    // 3(m-k) x 3(m-k), lower blocks
	d     []float64    // 3k pivots
	inv   []float64    // 3k, their inverses
	floor []float64    // 3k, magnitude below which a pivot counts as zero
	heads [][6]float64 // l₁₀, l₂₀, l₂₁ and the inverse pivots of every block column
	runs  []run        // of the child that is added
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
	f.heads = f.heads[:0]
	for i := range f.k {
		f.solveRow(i)
		f.factorBlock(i, first)
	}
}

// grouped is how many block columns are taken together.
const grouped = lanes.Width / 3

// solveRow computes X and L of block row i of the head, left of the diagonal.
func (f *front) solveRow(i int) {
	w, ls := 3*f.k, f.ls
	l := f.panel[3*i*w:]
	var s [3 * lanes.Width]float64
	for group := 0; group < i; group += grouped {
		last := min(group+grouped, i)
		lanes.Sums(&s, f.xt[3*i:], f.lt[3*group:], ls, 3*group, 3*(last-group))
		for j := group; j < last; j++ {
			// what columns of the same group add to the sums
			at := 3 * (j - group)
			for p := 3 * group; p < 3*j; p++ {
				x, row := f.xt[p*ls+3*i:][:3], f.lt[p*ls+3*j:][:3]
				for r, a := range x {
					sum := s[lanes.Width*r+at:][:3]
					sum[0] += float64(a * row[0])
					sum[1] += float64(a * row[1])
					sum[2] += float64(a * row[2])
				}
			}
			// the block of column j
			d := &f.heads[j]
			x0, x1, x2 := f.xt[3*j*ls+3*i:][:3], f.xt[(3*j+1)*ls+3*i:][:3], f.xt[(3*j+2)*ls+3*i:][:3]
			t0, t1, t2 := f.lt[3*j*ls+3*i:][:3], f.lt[(3*j+1)*ls+3*i:][:3], f.lt[(3*j+2)*ls+3*i:][:3]
			for r := range 3 {
				sum, to := s[lanes.Width*r+at:][:3], l[r*w+3*j:][:3]
				a := to[0] - sum[0]
				b := to[1] - sum[1] - float64(a*d[0])
				c := to[2] - sum[2] - float64(a*d[1]) - float64(b*d[2])
				x0[r], x1[r], x2[r] = a, b, c
				to[0], to[1], to[2] = a*d[3], b*d[4], c*d[5]
				t0[r], t1[r], t2[r] = to[0], to[1], to[2]
			}
		}
	}
}

// factorBlock factors the diagonal block of block row i, whose X and L are known.
func (f *front) factorBlock(i, first int) {
	w := 3 * f.k
	var s [3 * lanes.Width]float64
	lanes.Sums(&s, f.xt[3*i:], f.lt[3*i:], f.ls, 3*i, 3)
	const y, z = lanes.Width, 2 * lanes.Width
	p := f.panel[3*i*w+3*i:]
	d0 := f.pivot(3*i, first, p[0]-s[0])
	a10, a20 := p[w]-s[y], p[2*w]-s[z]
	l10, l20 := a10/d0, a20/d0
	d1 := f.pivot(3*i+1, first, p[w+1]-s[y+1]-float64(l10*a10))
	a21 := p[2*w+1] - s[z+1] - float64(l20*a10)
	l21 := a21 / d1
	f.pivot(3*i+2, first, p[2*w+2]-s[z+2]-float64(l20*a20)-float64(l21*a21))
	p[w], p[2*w], p[2*w+1] = l10, l20, l21
	f.heads = append(f.heads, [6]float64{l10, l20, l21, f.inv[3*i], f.inv[3*i+1], f.inv[3*i+2]})
}

// solveBelow computes X and L of the block rows [lo, hi), counted from the first below the head. lo is a multiple of
// grouped.
func (f *front) solveBelow(lo, hi int) {
	w := 3 * f.k
	for ; lo < hi; lo += grouped {
		// some rows of the panel, by columns
		first, rows := 3*(f.k+lo), 3*min(grouped, hi-lo)
		panel, xt, lt := f.panel[first*w:][:rows*w], f.xt[first:], f.lt[first:]
		for p := range w {
			column := xt[p*f.ls:][:rows]
			for r := range column {
				column[r] = panel[r*w+p]
			}
		}
		// one block column after the other
		for j := range f.k {
			lanes.Columns(xt, lt, f.ls, f.panel[3*j*w:], w, 3*j, rows, &f.heads[j])
		}
		// and back
		for r := range rows {
			row := panel[r*w:][:w]
			for p := range row {
				row[p] = lt[p*f.ls+r]
			}
		}
	}
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
	n := 3 * (f.m - f.k)
	var s [3 * lanes.Width]float64
	for i := lo; i < hi; i++ {
		x := f.xt[3*(f.k+i):]
		for c := 0; c < 3*(i+1); c += lanes.Width {
			cols := min(lanes.Width, 3*(i+1)-c)
			lanes.Sums(&s, x, f.lt[3*f.k+c:], f.ls, 3*f.k, cols)
			for r := range 3 {
				u := f.u[(3*i+r)*n+c:][:cols]
				for q, sum := range s[lanes.Width*r:][:cols] {
					u[q] -= sum
				}
			}
		}
	}
}
