package contact

// feature returns the name of a feature of a side.
func (s *scene) feature(of *side, kind Kind, i int32) Feature {
	if of.led != None {
		return Feature{s.skins[of.led].Surface, kind, int64(i)}
	}
	v := i
	switch kind {
	case Face:
		v = s.moving.prim[i][0]
	case Edge:
		v = s.moving.edge[i][0]
	}
	o := &s.origin[s.skinOf[v]]
	switch kind {
	case Face:
		i -= o.tri
	case Edge:
		i -= o.edge
	default:
		i -= o.vertex
	}
	return Feature{o.surface, kind, int64(i)}
}

// primitive returns the name of a triangle or a free edge of moving skins.
func (s *scene) primitive(i int32) Feature {
	if int(i) < s.moving.faces {
		return s.feature(&s.moving, Face, i)
	}
	return s.feature(&s.moving, Edge, s.moving.primEdge[i][2])
}

// name returns the id of a pair, and whether side A is the second of it. Side A is that of the skin; between
// skins that of the lower surface; within one the vertex, or the first edge.
func (s *scene) name(k *pair) (id ID, swapped bool) {
	kindP, kindQ := Vertex, Face
	j := k.j
	switch {
	case k.edges:
		kindP, kindQ = Edge, Edge
	case int(j) >= k.q.extended:
		kindQ, j = Vertex, k.q.prim[j][0]
	case int(j) >= k.q.faces:
		kindQ, j = Edge, k.q.primEdge[j][2]
	}
	p, q := s.feature(k.p, kindP, k.i), s.feature(k.q, kindQ, j)
	if k.p.led != None || k.q.led == None && q.Compare(p) < 0 {
		return ID{q, p}, true
	}
	return ID{p, q}, false
}
