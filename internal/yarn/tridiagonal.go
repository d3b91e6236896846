package yarn

// solveTridiagonal solves a symmetric tridiagonal system in place: x is the right-hand side, then the solution; next[i]
// couples i and i+1. In a cyclic one the last couples with the first. The matrix is overwritten. A pivot that is less
// than the share least of the diagonal becomes that, if least is above 0: for matrices that are positive or singular.
func solveTridiagonal(diagonal, next, x []float64, cyclic bool, least float64) {
	n := len(x)
	if cyclic && n > 2 && next[n-1] != 0 {
		solveCyclic(diagonal, next, x, least)
		return
	}
	for i := 1; i < n; i++ {
		m := next[i-1] / diagonal[i-1]
		diagonal[i] = raised(diagonal[i]-m*next[i-1], diagonal[i], least)
		x[i] -= m * x[i-1]
	}
	for i := n - 1; i >= 0; i-- {
		if i+1 < n {
			x[i] -= next[i] * x[i+1]
		}
		x[i] /= diagonal[i]
	}
}

// raised returns a pivot, or the share least of the diagonal if that is above 0 and above the pivot.
func raised(pivot, diagonal, least float64) float64 {
	if least == 0 || pivot > least*diagonal {
		return pivot
	}
	return least * diagonal
}

// solveCyclic splits off the last unknown: with A the matrix of the others and c their coupling to the last, which only
// the first and the last of them have, x = A⁻¹(b - c x_n). Elimination carries c along with b.
func solveCyclic(diagonal, next, x []float64, least float64) {
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
			diagonal[i+1] = raised(diagonal[i+1]-m*next[i], diagonal[i+1], least)
			x[i+1] -= m * x[i]
			border = -m * c
		}
		if i == n-1 {
			next[i] = c
		}
	}
	x[n] = rhs / raised(corner, diagonal[n], least)
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
