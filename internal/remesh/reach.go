package remesh

import "math"

// reached are the vertices of a sheet within some way of a triangle along edges, with their distances in the material.
// Distances are looked up only, so that the order of the map does not matter.
type reached struct {
	explored bool // of the triangle at hand
	dist     map[int32]float64
	queue    []int32
	star     []int32
}

// measureSeams fills seam, as far as limit.
func (n *finder) measureSeams(limit float64) {
	// seams are where distances begin
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
	// along sides, as long as a way is shorter than those before
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

// way returns how far triangle u is along the edges of the sheet [m], infinite if that is farther than matters.
func (l *look) way(u int32) float64 {
	if !l.explored {
		l.explored = true
		l.explore(l.opt.Reach / l.opt.Ratio)
	}
	least := math.Inf(1)
	for _, v := range l.sheet.Tri[u] {
		if d, ok := l.dist[v]; ok {
			least = min(least, d)
		}
	}
	return least
}

// explore finds the vertices within a limit of the triangle at hand.
func (l *look) explore(limit float64) {
	if l.dist == nil {
		l.dist = map[int32]float64{}
	}
	clear(l.dist)
	l.queue = append(l.queue[:0], l.vert[:]...)
	for _, v := range l.vert {
		l.dist[v] = 0
	}
	// A vertex that is reached again on a shorter way is followed again.
	for i := 0; i < len(l.queue); i++ {
		v := l.queue[i]
		here := l.dist[v]
		l.star = l.edit.Star(v, l.star)
		for _, c := range l.star {
			t, k := c/3, c%3
			for _, to := range [2]int32{(k + 1) % 3, (k + 2) % 3} {
				w, d := l.edit.Tri[t][to], here+l.sideLength(t, k, to)
				if last, ok := l.dist[w]; d <= limit && (!ok || d < last) {
					l.dist[w] = d
					l.queue = append(l.queue, w)
				}
			}
		}
	}
}
