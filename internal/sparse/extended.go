package sparse

import "slices"

// Extended returns a zero matrix with the pattern of a and the given pairs of rows, each with its transpose.
func Extended(a *BSR, pairs [][2]int32) *BSR {
	// the same pattern
	if len(pairs) == 0 {
		m := NewLike(a)
		m.origin, m.extra = a.origin, a.extra
		return m
	}
	// pairs by row, both ways
	more, first := a.listExtra(pairs)
	start, diag := make([]int32, a.N+1), make([]int32, a.N)
	col := make([]int32, 0, len(a.Col)+len(more))
	// rows of both, sorted and without doubles
	for i := range a.N {
		s := len(col)
		extra := more[first[i]:first[i+1]]
		col = append(col, a.Col[a.Start[i]:a.Start[i+1]]...)
		if len(extra) > 0 {
			col = append(col, extra...)
			slices.Sort(col[s:])
			col = col[:s+len(slices.Compact(col[s:]))]
		}
		k, _ := slices.BinarySearch(col[s:], int32(i))
		diag[i], start[i+1] = int32(s+k), int32(len(col))
	}
	// the matrix, which knows what it comes from
	col = slices.Clip(col)
	m := newBSR(a.N, start, col, diag, transposes(start, col, diag))
	m.origin, m.extra = a.origin, slices.Clone(pairs)
	if m.origin == nil {
		m.origin = a
	}
	return m
}

// listExtra lists the columns that pairs add to row i as more[first[i]:first[i+1]].
func (a *BSR) listExtra(pairs [][2]int32) (more, first []int32) {
	first = make([]int32, a.N+1)
	for _, p := range pairs {
		first[p[0]+1]++
		first[p[1]+1]++
	}
	for i := range a.N {
		first[i+1] += first[i]
	}
	more, next := make([]int32, 2*len(pairs)), slices.Clone(first)
	for _, p := range pairs {
		more[next[p[0]]] = p[1]
		next[p[0]]++
		more[next[p[1]]] = p[0]
		next[p[1]]++
	}
	return more, first
}
