package referee

import "fmt"

// quo returns a/b for numbers whose errors do not matter.
func (a ball) quo(b ball) ball {
	q := a.hi / b.hi
	rest := a.plus(b.times(ball{hi: -q}))
	q1 := rest.hi / b.hi
	rest = rest.plus(b.times(ball{hi: -q1}))
	return ball{hi: q}.plus(ball{hi: q1}).plus(ball{hi: rest.hi / b.hi})
}

// SolveSPD returns x with a x = b, for a symmetric positive definite matrix by rows, from factors L D Lᵀ in
// double-double numbers, some 30 digits, and two corrections. It fails where a pivot is not positive.
func SolveSPD(a [][]float64, b []float64) ([]float64, error) {
	n := len(a)
	l := make([][]ball, n) // D on the diagonal
	for i := range l {
		l[i] = make([]ball, i+1)
		for j := 0; j <= i; j++ {
			sum := ball{hi: a[i][j]}
			for k := range j {
				sum = sum.plus(l[i][k].times(l[j][k]).times(l[k][k]).neg())
			}
			l[i][j] = sum
			if i == j && !(sum.hi > 0) {
				return nil, fmt.Errorf("pivot %d is %g", i, sum.hi)
			} else if i != j {
				l[i][j] = sum.quo(l[j][j])
			}
		}
	}
	x, d := make([]ball, n), make([]ball, n)
	for range 3 {
		for i := range d {
			d[i] = ball{hi: b[i]}
			for j := range n {
				d[i] = d[i].plus(ball{hi: a[i][j]}.times(x[j]).neg())
			}
			for k := range i {
				d[i] = d[i].plus(l[i][k].times(d[k]).neg())
			}
		}
		for i := n - 1; i >= 0; i-- {
			d[i] = d[i].quo(l[i][i])
			for k := i + 1; k < n; k++ {
				d[i] = d[i].plus(l[k][i].times(d[k]).neg())
			}
			x[i] = x[i].plus(d[i])
		}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = x[i].hi + x[i].lo
	}
	return out, nil
}
