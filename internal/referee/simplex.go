package referee

import (
	"math"
	"slices"
)

// Linear programs, as the question whether there are x ≥ 0 with A x = b: by the first phase of the simplex method in a
// dense tableau, which drives the sum of what is missing in the equations down, with the rule of [Bland77], which does
// not cycle. Either answer comes with a proof that a caller can check.

// feasible is what is missing, as a part of the largest of b, that counts as nothing; pivots are as large as that.
const feasible = 1e-9

// Positive looks for x ≥ 0 with A x = b, A by rows. It returns x, or nil and y with yᵀA ≤ 0 and yᵀb > 0, which prove
// that there is none. It is for few equations: rounding of hundreds of exchanges would decide on larger ones.
func Positive(a [][]float64, b []float64) (x, y []float64) {
	m, n := len(b), len(a[0])
	t := tableau{basis: make([]int, m), row: make([][]float64, m+1), columns: n + m}
	size := 0.0
	for _, v := range b {
		size = max(size, math.Abs(v))
	}
	sum := make([]float64, n+m+1) // costs: reduced ones are these less the sum of all rows
	for i := range m {
		row := make([]float64, n+m+1)
		sign := 1.0
		if b[i] < 0 {
			sign = -1
		}
		for j, v := range a[i] {
			row[j] = sign * v
			sum[j] -= row[j]
		}
		row[n+i], row[n+m] = 1, sign*b[i]
		sum[n+m] -= row[n+m]
		t.row[i], t.basis[i] = row, n+i
	}
	t.row[m] = sum
	for t.pivot() {
	}
	if -t.row[m][n+m] <= feasible*size {
		x = make([]float64, n)
		for i, j := range t.basis {
			if j < n {
				x[j] = t.row[i][n+m]
			}
		}
		return x, nil
	}
	y = make([]float64, m)
	for i := range y {
		y[i] = 1 - t.row[m][n+i]
		if b[i] < 0 {
			y[i] = -y[i]
		}
	}
	return nil, y
}

// tableau holds the equations in terms of a basis, with the reduced costs in the last row and b in the last column.
type tableau struct {
	row     [][]float64
	basis   []int // by equation: its column
	columns int
}

// pivot exchanges one column of the basis, unless none makes the costs less.
func (t *tableau) pivot() bool {
	// first column that makes the costs less
	m := len(t.basis)
	costs := t.row[m]
	in := slices.IndexFunc(costs[:t.columns], func(c float64) bool { return c < -feasible })
	if in < 0 {
		return false
	}
	// row that limits it, the first of the basis where rows tie
	out := -1
	least := math.Inf(1)
	for i := range m {
		if t.row[i][in] <= feasible {
			continue
		}
		ratio := t.row[i][t.columns] / t.row[i][in]
		if ratio < least || ratio == least && t.basis[i] < t.basis[out] {
			out, least = i, ratio
		}
	}
	if out < 0 {
		return false
	}
	// exchange
	t.basis[out] = in
	pivot := t.row[out]
	scale := 1 / pivot[in]
	for j := range pivot {
		pivot[j] *= scale
	}
	// column out of all other rows
	for i, row := range t.row {
		if f := row[in]; i != out && f != 0 {
			for j := range row {
				row[j] -= f * pivot[j]
			}
			row[in] = 0
		}
	}
	return true
}
