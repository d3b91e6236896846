package sparse

import (
	"math"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/r3"
)

// randomSPD draws a matrix M Mᵀ-like on a random pattern: Σ over random elements of w wᵀ, plus a
// diagonal that keeps the condition number below some 1e4.
func randomSPD(t *rapid.T) (*BSR, []bool) {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	number := rapid.Float64Range(-1, 1)
	elements := rapid.SliceOfN(rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 1, 4), 0, 3*n).Draw(t, "elements")
	b := NewPattern(n)
	for _, e := range elements {
		b.Add(e...)
	}
	a := b.Build()
	for i := range n {
		a.Val[a.Diag[i]] = r3.Diagonal(0.01)
	}
	for _, e := range elements {
		w := make([]r3.Vec, len(e))
		for k := range e {
			w[k] = r3.V(number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z"))
		}
		for p, i := range e {
			for q, j := range e {
				if j >= i {
					a.Val[a.Index(i, j)].AddOuter(1, w[p], w[q])
				}
			}
		}
	}
	a.Mirror(nil)
	fixed := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "fixed")
	return a, fixed
}

func randomVectors(t *rapid.T, n int) []r3.Vec {
	number := rapid.Float64Range(-1, 1)
	v := make([]r3.Vec, n)
	for i := range v {
		v[i] = r3.V(number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z"))
	}
	return v
}

// dense returns the matrix over all unknowns, with the rows and columns of fixed ones replaced by
// those of the unit matrix.
func dense(a *BSR, fixed []bool) [][]float64 {
	d := make([][]float64, 3*a.N)
	for i := range d {
		d[i] = make([]float64, 3*a.N)
	}
	for i := range a.N {
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			j := int(a.Col[p])
			m := a.Val[p]
			if fixed != nil && (fixed[i] || fixed[j]) {
				m = r3.Mat{}
				if i == j {
					m = r3.Identity()
				}
			}
			for r, row := range [3][3]float64{{m.XX, m.XY, m.XZ}, {m.YX, m.YY, m.YZ}, {m.ZX, m.ZY, m.ZZ}} {
				copy(d[3*i+r][3*j:], row[:])
			}
		}
	}
	return d
}

// denseSolve solves by Gaussian elimination with partial pivoting; rhs at fixed unknowns counts as 0.
func denseSolve(a *BSR, fixed []bool, rhs []r3.Vec) []r3.Vec {
	d := dense(a, fixed)
	n := len(d)
	x := make([]float64, n)
	for i, v := range rhs {
		if fixed == nil || !fixed[i] {
			x[3*i], x[3*i+1], x[3*i+2] = v.X, v.Y, v.Z
		}
	}
	for k := range n {
		best := k
		for i := k; i < n; i++ {
			if math.Abs(d[i][k]) > math.Abs(d[best][k]) {
				best = i
			}
		}
		d[k], d[best] = d[best], d[k]
		x[k], x[best] = x[best], x[k]
		for i := k + 1; i < n; i++ {
			f := d[i][k] / d[k][k]
			for j := k; j < n; j++ {
				d[i][j] -= f * d[k][j]
			}
			x[i] -= f * x[k]
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			x[k] -= d[k][j] * x[j]
		}
		x[k] /= d[k][k]
	}
	out := make([]r3.Vec, a.N)
	for i := range out {
		out[i] = r3.V(x[3*i], x[3*i+1], x[3*i+2])
	}
	return out
}

// distance returns |a - b| / max(1, |b|) in the maximum norm.
func distance(a, b []r3.Vec) float64 {
	d, s := 0.0, 1.0
	for i := range a {
		d = max(d, a[i].Sub(b[i]).MaxAbs())
		s = max(s, b[i].MaxAbs())
	}
	return d / s
}
