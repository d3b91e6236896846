//go:build !purego

package lanes

// wide reports whether processor and system have vectors of four numbers.
var wide = hasAVX()

func hasAVX() bool {
	const (
		osxsave = 1 << 27
		avx     = 1 << 28
		vectors = 1<<1 | 1<<2 // of two and of four, kept by the system
	)
	if most, _, _, _ := cpuid(0, 0); most < 1 {
		return false
	}
	_, _, c, _ := cpuid(1, 0)
	return c&osxsave != 0 && c&avx != 0 && xgetbv()&vectors == vectors
}

func wideSums(s *[3 * Width]float64, xt, lt []float64, ls, n, cols int) {
	_, _ = xt[(n-1)*ls+2], lt[(n-1)*ls+Width-1] // what is read
	switch {
	case cols <= 4:
		sums4(s, &xt[0], &lt[0], ls, n)
	case cols <= 8:
		sums8(s, &xt[0], &lt[0], ls, n)
	default:
		sums12(s, &xt[0], &lt[0], ls, n)
	}
}

func wideColumns(xt, lt []float64, ls int, l []float64, stride, n, rows int, pivot *[6]float64) {
	_, _, _ = xt[(n+2)*ls+Width-1], lt[(n+2)*ls+Width-1], l[2*stride+n] // what is read and written
	switch {
	case rows <= 4:
		columns4(&xt[0], &lt[0], ls, &l[0], stride, n, pivot)
	case rows <= 8:
		columns8(&xt[0], &lt[0], ls, &l[0], stride, n, pivot)
	default:
		columns12(&xt[0], &lt[0], ls, &l[0], stride, n, pivot)
	}
}

func wideForward(y *[4]float64, l []float64, stride int, v []float64) {
	if len(v) < 3 {
		return
	}
	_ = l[3*stride+len(v)-1]
	forward(y, &l[0], stride, &v[0], len(v)/3)
}

func wideBack(v, l []float64, stride int, y *[3]float64) {
	if len(v) == 0 {
		return
	}
	_ = l[2*stride+len(v)-1]
	back(&v[0], len(v), &l[0], stride, y)
}

func wideAdd(to, from []float64) {
	if len(from) == 0 {
		return
	}
	_ = to[len(from)-1]
	add(&to[0], &from[0], len(from))
}
