package remesh

// reached are the vertices of a sheet within some way along edges, with their distances.
type reached struct {
	vert []int32
	dist []float64
	star []int32
}

// within reports whether triangles t and u are within a distance of each other along the edges of the sheet, lengths taken in the material.
func (l *look) within(t, u int32, limit float64) bool {
	l.vert, l.dist = l.vert[:0], l.dist[:0]
	for _, v := range l.sheet.Tri[t] {
		l.vert, l.dist = append(l.vert, v), append(l.dist, 0)
	}
	target := l.sheet.Tri[u]
	for i := 0; i < len(l.vert); i++ {
		v := l.vert[i]
		if v == target[0] || v == target[1] || v == target[2] {
			return true
		}
		l.star = l.edit.Star(v, l.star)
		for _, c := range l.star {
			m, k := c/3, c%3
			for _, to := range [2]int32{(k + 1) % 3, (k + 2) % 3} {
				p, q := l.sheet.Material[l.sheet.Corner[m][k]], l.sheet.Material[l.sheet.Corner[m][to]]
				l.step(l.sheet.Tri[m][to], l.dist[i]+p.Sub(q).Norm(), limit)
			}
		}
	}
	return false
}

// step notes that a vertex is reached; one that was reached on a longer way is followed again.
func (r *reached) step(v int32, d, limit float64) {
	if d > limit {
		return
	}
	for i, w := range r.vert {
		if w == v && r.dist[i] <= d {
			return
		}
	}
	r.vert, r.dist = append(r.vert, v), append(r.dist, d)
}
