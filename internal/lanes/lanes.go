// Package lanes has the inner loops of dense parts of factors, four numbers at a time where the processor can (AVX),
// one at a time elsewhere or with the tag purego. Both add up in the same order and fuse nothing, so that they give the
// same bits of all numbers; those of a NaN may differ. The assembly is made by tools/lanes.
package lanes

//go:generate sh -c "cd ../../tools/lanes && go run . -out ../../internal/lanes/lanes_amd64.s -stubs ../../internal/lanes/lanes_amd64.go -pkg lanes"

// Width is how many columns Sums takes at most.
const Width = 12

// Sums sets s[Width r + c] to Σ xt[p ls + r] lt[p ls + c] over p < n, for r < 3 and c < cols <= Width. It may set other
// sums too, with what it finds beside these columns, so that lt is to go on for Width from where its last row begins.
func Sums(s *[3 * Width]float64, xt, lt []float64, ls, n, cols int) {
	if n == 0 {
		clear(s[:])
		return
	}
	if !wide {
		plainSums(s, xt, lt, ls, n, cols)
		return
	}
	wideSums(s, xt, lt, ls, n, cols)
}

// Columns solves the block column n/3 of a panel, which is stored by columns of length ls, for rows <= Width rows: of
// what is in xt it takes Σ xt[p] l[p] over the columns p < n, with the three rows of l, then with l₁₀, l₂₀ and l₂₁ of
// pivot what these columns take from each other. What remains is left in xt, and times the other three of pivot in lt.
// It may change other rows too, so that columns are to be Width long from where they begin.
func Columns(xt, lt []float64, ls int, l []float64, stride, n, rows int, pivot *[6]float64) {
	if !wide {
		plainColumns(xt, lt, ls, l, stride, n, rows, pivot)
		return
	}
	wideColumns(xt, lt, ls, l, stride, n, rows, pivot)
}

// Forward subtracts from y[r] the products of l[r stride:] with v, in blocks of three: y -= (l₀ v₀ + l₁ v₁) + l₂ v₂.
func Forward(y *[4]float64, l []float64, stride int, v []float64) {
	if !wide {
		plainForward(y, l, stride, v)
		return
	}
	wideForward(y, l, stride, v)
}

// Back subtracts from v[q] the products with three rows, (l[q] y₀ + l[stride+q] y₁) + l[2 stride+q] y₂.
func Back(v, l []float64, stride int, y *[3]float64) {
	if !wide {
		plainBack(v, l, stride, y)
		return
	}
	wideBack(v, l, stride, y)
}

// Add adds from to the beginning of to.
func Add(to, from []float64) {
	if !wide {
		plainAdd(to, from)
		return
	}
	wideAdd(to, from)
}
