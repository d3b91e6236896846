package lanes

// Conversions keep compilers from fusing a product with a sum.

func plainSums(s *[3 * Width]float64, xt, lt []float64, ls, n, cols int) {
	// three columns at a time, so that their sums stay in registers; beyond cols there are some to read
	for c := 0; c < cols; c += 3 {
		var a0, a1, a2, b0, b1, b2, c0, c1, c2 float64
		for p, at := 0, 0; p < n; p, at = p+1, at+ls {
			x, l := (*[3]float64)(xt[at:]), (*[3]float64)(lt[at+c:])
			l0, l1, l2, a := l[0], l[1], l[2], x[0]
			a0 += float64(a * l0)
			a1 += float64(a * l1)
			a2 += float64(a * l2)
			a = x[1]
			b0 += float64(a * l0)
			b1 += float64(a * l1)
			b2 += float64(a * l2)
			a = x[2]
			c0 += float64(a * l0)
			c1 += float64(a * l1)
			c2 += float64(a * l2)
		}
		s[c], s[c+1], s[c+2] = a0, a1, a2
		s[Width+c], s[Width+c+1], s[Width+c+2] = b0, b1, b2
		s[2*Width+c], s[2*Width+c+1], s[2*Width+c+2] = c0, c1, c2
	}
}

func plainColumns(xt, lt []float64, ls int, l []float64, stride, n, rows int, pivot *[6]float64) {
	l0, l1, l2 := l[:n], l[stride:][:n], l[2*stride:][:n]
	for q := 0; q < rows; q += 3 {
		// what columns before take, of three rows
		var a0, a1, a2, b0, b1, b2, c0, c1, c2 float64
		for p, a := range l0 {
			x := (*[3]float64)(xt[p*ls+q:])
			x0, x1, x2 := x[0], x[1], x[2]
			a0 += float64(a * x0)
			a1 += float64(a * x1)
			a2 += float64(a * x2)
			a = l1[p]
			b0 += float64(a * x0)
			b1 += float64(a * x1)
			b2 += float64(a * x2)
			a = l2[p]
			c0 += float64(a * x0)
			c1 += float64(a * x1)
			c2 += float64(a * x2)
		}
		// what these columns take from each other
		x0, x1, x2 := xt[n*ls+q:][:3], xt[(n+1)*ls+q:][:3], xt[(n+2)*ls+q:][:3]
		t0, t1, t2 := lt[n*ls+q:][:3], lt[(n+1)*ls+q:][:3], lt[(n+2)*ls+q:][:3]
		for r, s := range [3][3]float64{{a0, b0, c0}, {a1, b1, c1}, {a2, b2, c2}} {
			a := x0[r] - s[0]
			b := x1[r] - s[1] - float64(a*pivot[0])
			c := x2[r] - s[2] - float64(a*pivot[1]) - float64(b*pivot[2])
			x0[r], x1[r], x2[r] = a, b, c
			t0[r], t1[r], t2[r] = a*pivot[3], b*pivot[4], c*pivot[5]
		}
	}
}

func plainForward(y *[4]float64, l []float64, stride int, v []float64) {
	for r := range y {
		row, sum := l[r*stride:][:len(v)], y[r]
		for j := 0; j+2 < len(v); j += 3 {
			sum -= float64(float64(row[j]*v[j])+float64(row[j+1]*v[j+1])) + float64(row[j+2]*v[j+2])
		}
		y[r] = sum
	}
}

func plainBack(v, l []float64, stride int, y *[3]float64) {
	l0, l1, l2 := l[:len(v)], l[stride:][:len(v)], l[2*stride:][:len(v)]
	for q := range v {
		v[q] -= float64(float64(l0[q]*y[0])+float64(l1[q]*y[1])) + float64(l2[q]*y[2])
	}
}

func plainAdd(to, from []float64) {
	to = to[:len(from)]
	for i, a := range from {
		to[i] += a
	}
}
