package remesh

import "math"

// reached are the vertices of a sheet within some way along edges, with their distances.
type reached struct {
	been []int32
	dist []float64
	star []int32
}

// measureSeams fills seam, as far as limit.
func (n *finder) measureSeams(limit float64) {
	n.seam = resize(n.seam, n.sheet.Verts)
	for v := range n.seam {
		n.seam[v] = math.Inf(1)
	}
	var queue []int32
	for i := range n.sheet.Edges {
		if n.sheet.Seam(int32(i)) {
			for _, v := range n.sheet.Edges[i].V {
				if n.seam[v] > 0 {
					n.seam[v] = 0
					queue = append(queue, v)
				}
			}
		}
	}
	var star []int32
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		star = n.edit.Star(v, star)
		for _, c := range star {
			t, k := c/3, c%3
			for _, to := range [2]int32{(k + 1) % 3, (k + 2) % 3} {
				w := n.edit.Tri[t][to]
				if d := n.seam[v] + n.sideLength(t, k, to); d < n.seam[w] && d <= limit {
					n.seam[w] = d
					queue = append(queue, w)
				}
			}
		}
	}
}

// sideLength returns the length in the material between two corners of a triangle [m].
func (n *finder) sideLength(t, k, l int32) float64 {
	c := &n.edit.Corner[t]
	return n.edit.Material[c[k]].Sub(n.edit.Material[c[l]]).Norm()
}

// seamWay returns how far a triangle's nearest corner is from a seam [m].
func (n *finder) seamWay(t int32) float64 {
	v := &n.sheet.Tri[t]
	return min(n.seam[v[0]], n.seam[v[1]], n.seam[v[2]])
}

// linked reports whether the triangle at hand and triangle u are within a distance of each other along the edges of the sheet, lengths taken in the material.
func (l *look) linked(u int32, limit float64) bool {
	l.been, l.dist = l.been[:0], l.dist[:0]
	for _, v := range l.vert {
		l.been, l.dist = append(l.been, v), append(l.dist, 0)
	}
	target := l.sheet.Tri[u]
	for i := 0; i < len(l.been); i++ {
		v := l.been[i]
		if v == target[0] || v == target[1] || v == target[2] {
			return true
		}
		l.star = l.edit.Star(v, l.star)
		for _, c := range l.star {
			m, k := c/3, c%3
			for _, to := range [2]int32{(k + 1) % 3, (k + 2) % 3} {
				l.step(l.edit.Tri[m][to], l.dist[i]+l.sideLength(m, k, to), limit)
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
	for i, w := range r.been {
		if w == v && r.dist[i] <= d {
			return
		}
	}
	r.been, r.dist = append(r.been, v), append(r.dist, d)
}
