package yarn

// leastPivot is the smallest pivot, as a share of the diagonal. A straight yarn with both ends held makes the matrix
// singular: equal pulls on all edges cancel. Then any of them will do, but it must be a number.
const leastPivot = 1e-14

// solveTridiagonal solves a symmetric positive tridiagonal system in place: x is the right-hand side, then the
// solution; next[i] couples i and i+1. In a cyclic one the last couples with the first. The matrix is overwritten.
func solveTridiagonal(diagonal, next, x []float64, cyclic bool) {
	n := len(x)
	if cyclic && n > 2 && next[n-1] != 0 {
		solveCyclic(diagonal, next, x)
		return
	}
	for i := 1; i < n; i++ {
		m := next[i-1] / diagonal[i-1]
		diagonal[i] = max(diagonal[i]-m*next[i-1], leastPivot*diagonal[i])
		x[i] -= m * x[i-1]
	}
	for i := n - 1; i >= 0; i-- {
		if i+1 < n {
			x[i] -= next[i] * x[i+1]
		}
		x[i] /= diagonal[i]
	}
}

// solveCyclic splits off the last unknown: with A the matrix of the others and c their coupling to the last, which only
// the first and the last of them have, x = A⁻¹(b - c x_n). Elimination carries c along with b.
func solveCyclic(diagonal, next, x []float64) {
	n := len(x) - 1 // of the others
	last := next[n] // couples the last with the first
	border := last  // c of row i, as elimination has it
	corner, rhs := diagonal[n], x[n]
	for i := range n {
		c := border
		if i == n-1 {
			c += next[i]
		}
		// Row i is eliminated from row i+1 and from the last row.
		f := c / diagonal[i]
		corner -= f * c
		rhs -= f * x[i]
		if i+1 < n {
			m := next[i] / diagonal[i]
			diagonal[i+1] = max(diagonal[i+1]-m*next[i], leastPivot*diagonal[i+1])
			x[i+1] -= m * x[i]
			border = -m * c
		}
		if i == n-1 {
			next[i] = c
		}
	}
	x[n] = rhs / max(corner, leastPivot*diagonal[n])
	// Back: row i has x[i], the coupling to x[i+1] and its part of the border. The borders come again from the front
	// by the same recursion, so the solution is that of two plain systems.
	backCyclic(diagonal, next, x, last)
}

// backCyclic takes the border off and substitutes back. diagonal holds the pivots.
func backCyclic(diagonal, next, x []float64, last float64) {
	n := len(x) - 1
	border := last
	for i := range n {
		c := border
		if i == n-1 {
			c = next[i] // with the coupling to the last in it
		}
		x[i] -= c * x[n]
		if i+1 < n {
			border = -next[i] / diagonal[i] * c
		}
	}
	for i := n - 1; i >= 0; i-- {
		if i+1 < n {
			x[i] -= next[i] * x[i+1]
		}
		x[i] /= diagonal[i]
	}
}
