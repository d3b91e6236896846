package detect

import "math"

// Rest distances along a skin.
//
// A fine mesh has pairs of features that are near because they are neighbours. A pair of one skin is told to be
// two layers by its rest distance: that of the shortest path along edges, in material lengths, between its two
// points, with straight legs from the points to the corners of their own primitives. It is too long by the detour
// over corners, half as much again at most on usual meshes, which does not matter beside a ratio of 0.1. The
// search ends at the distance that is asked about; where edges are longer than that nothing is searched.

// restLimit bounds the vertices visited. A mesh with more of them within reach is so fine that what it reaches is
// a neighbour.
const restLimit = 512

// restPoint is a point of a skin as seen from the vertices around it.
type restPoint struct {
	vertex [3]int32
	leg    [3]float64 // rest distance to each [m]
	count  int
}

// restSearch is the scratch of a search.
type restSearch struct {
	vertex []int32
	length []float64
	done   []bool
}

// beyond reports whether the rest distance of two points of one skin, which share no vertex, is greater than radius.
func (m *rests) beyond(r *restSearch, p, q *restPoint, radius float64) bool {
	// nothing is searched where all edges are longer
	if radius < m.shortest {
		return true
	}
	// paths start at the corners of the primitive of p
	r.vertex, r.length, r.done = r.vertex[:0], r.length[:0], r.done[:0]
	for k := range p.count {
		r.reach(p.vertex[k], p.leg[k], radius)
	}
	for {
		// nearest vertex that is not done
		next, least := -1, math.Inf(1)
		for i, l := range r.length {
			if !r.done[i] && l < least {
				next, least = i, l
			}
		}
		if next < 0 {
			return true
		}
		r.done[next] = true
		v := r.vertex[next]
		// a path to q within the radius
		for k := range q.count {
			if q.vertex[k] == v && least+q.leg[k] <= radius {
				return false
			}
		}
		// on to the neighbours; in so fine a mesh that many vertices are within reach, q counts as near
		for _, e := range m.surface.around.Of(v) {
			r.reach(m.surface.other(e, v), least+m.length[e], radius)
		}
		if len(r.vertex) > restLimit {
			return false
		}
	}
}

// reach notes that a vertex can be reached by a path of the given length.
func (r *restSearch) reach(v int32, length, radius float64) {
	if length > radius {
		return
	}
	for i, w := range r.vertex {
		if w == v {
			r.length[i] = min(r.length[i], length)
			return
		}
	}
	r.vertex, r.length, r.done = append(r.vertex, v), append(r.length, length), append(r.done, false)
}

// atVertex, onEdge and onFace return points of the skins.
func atVertex(v int32) restPoint { return restPoint{vertex: [3]int32{v}, count: 1} }

func (m *rests) onEdge(e int32, s float64) restPoint {
	l := m.length[e]
	ends := m.surface.edge[e]
	return restPoint{vertex: [3]int32{ends[0], ends[1]}, leg: [3]float64{s * l, (1 - s) * l}, count: 2}
}

func (m *rests) onFace(tri int32, w [3]float64) restPoint {
	// |p − m_k|² from the sides: with weights w, Σ_i w_i |m_i − m_k|² − Σ_{i<j} w_i w_j |m_i − m_j|².
	p := restPoint{vertex: m.surface.prim[tri], count: 3}
	var side2 [3]float64 // opposite to each corner
	for k, e := range m.surface.primEdge[tri] {
		side2[k] = m.length[e] * m.length[e]
	}
	spread := w[1]*w[2]*side2[0] + w[2]*w[0]*side2[1] + w[0]*w[1]*side2[2]
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		p.leg[k] = math.Sqrt(max(0, w[i]*side2[j]+w[j]*side2[i]-spread))
	}
	return p
}
