package detect

import "github.com/toile-sim/toile/internal/contact"

// feature returns the name of a feature of a side.
func (s *scene) feature(of *side, kind contact.Kind, i int32) contact.Feature {
	if of.led != contact.None {
		return contact.Feature{Surface: s.skins[of.led].Surface, Kind: kind, ID: int64(i)}
	}
	v := i
	switch kind {
	case contact.Face:
		v = s.moving.prim[i][0]
	case contact.Edge:
		v = s.moving.edge[i][0]
	}
	o := &s.origin[s.skinOf[v]]
	switch kind {
	case contact.Face:
		i -= o.tri
	case contact.Edge:
		i -= o.edge
	default:
		i -= o.vertex
	}
	return contact.Feature{Surface: o.surface, Kind: kind, ID: int64(i)}
}

// primitive returns the name of a triangle or a free edge of moving skins.
func (s *scene) primitive(i int32) contact.Feature {
	if int(i) < s.moving.faces {
		return s.feature(&s.moving, contact.Face, i)
	}
	return s.feature(&s.moving, contact.Edge, s.moving.primEdge[i][2])
}

// name returns the id of a pair, and whether side A is the second of it. Side A is that of the skin; between
// skins that of the lower surface; within one the vertex, or the first edge.
func (s *scene) name(k *pair) (id contact.ID, swapped bool) {
	kindP, kindQ := contact.Vertex, contact.Face
	j := k.j
	switch {
	case k.edges:
		kindP, kindQ = contact.Edge, contact.Edge
	case int(j) >= k.q.extended:
		kindQ, j = contact.Vertex, k.q.prim[j][0]
	case int(j) >= k.q.faces:
		kindQ, j = contact.Edge, k.q.primEdge[j][2]
	}
	p, q := s.feature(k.p, kindP, k.i), s.feature(k.q, kindQ, j)
	if k.p.led != contact.None || k.q.led == contact.None && q.Compare(p) < 0 {
		return contact.ID{A: q, B: p}, true
	}
	return contact.ID{A: p, B: q}, false
}
