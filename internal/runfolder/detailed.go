package runfolder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// idAttribute is the index of a vertex in its frame. It is float32, the widest type that glTF has for vertices.
const (
	idAttribute = "_ID"
	maxID       = 1 << 24
)

// detailed adds a mesh with all that is known of its vertices and returns its number.
func (b *builder) detailed(m *meshio.Mesh) (int, error) {
	// only meshes whose vertices can be numbered
	if err := m.Validate(); err != nil {
		return 0, err
	}
	n := len(m.Positions)
	if n > maxID {
		return 0, fmt.Errorf("it has %d vertices; a frame can number %d", n, maxID)
	}
	// entries: vertices, then copies of those at seams
	s := splitAtSeams(m)
	p := gltf.Primitive{Attributes: map[string]int{}}
	// positions, normals, UVs and numbers of entries
	var err error
	if p.Attributes["POSITION"], err = b.vectors(m.Positions, s.copies, true); err != nil {
		return 0, fmt.Errorf("position of %w", err)
	}
	if len(m.Normals) > 0 {
		if p.Attributes["NORMAL"], err = b.vectors(m.Normals, s.copies, false); err != nil {
			return 0, fmt.Errorf("normal of %w", err)
		}
	}
	if len(s.uv) > 0 {
		p.Attributes["TEXCOORD_0"] = b.points(s.uv)
	}
	p.Attributes[idAttribute] = b.ids(n, s.copies)
	// attributes of the solver
	if err := b.attributes(m.Attributes, s.copies, &p); err != nil {
		return 0, err
	}
	// triangles, and the mesh
	indices := b.indices(s.tri)
	p.Indices = &indices
	return b.mesh(meshOf(m.Name, p, &meshFacts{Vertices: n})), nil
}

// attributes adds the quantities at vertices, then those of the copies.
func (b *builder) attributes(all []meshio.Attribute, copies []int32, p *gltf.Primitive) error {
	for i := range all {
		a := &all[i]
		switch a.Width {
		case 1:
			p.Attributes[a.Name] = b.numbers(a.Data, copies)
		case 3:
			p.Attributes[a.Name] = b.triples(a.Data, copies)
		default:
			return fmt.Errorf(
				"attribute %s has %d numbers for each vertex; a frame keeps one, or a vector of three",
				a.Name,
				a.Width,
			)
		}
	}
	return nil
}

// split is a mesh with one UV for each vertex.
type split struct {
	copies []int32    // vertices to be repeated after the others
	uv     []r3.Vec2  // empty, or one for each vertex and copy
	tri    [][3]int32 // indices with copies
}

// splitAtSeams repeats the vertices that have more than one UV. The first UV met, in the order of
// triangles, stays with the vertex.
func splitAtSeams(m *meshio.Mesh) split {
	if len(m.CornerUV) == 0 {
		return split{uv: m.UV, tri: m.Triangles}
	}
	const none = -1
	n := len(m.Positions)
	s := split{uv: make([]r3.Vec2, n), tri: make([][3]int32, len(m.Triangles))}
	corner := make([]int32, n) // UV of each entry
	next := make([]int32, n)   // another entry of the same vertex
	used := make([]bool, n)
	for i := range next {
		next[i] = none
	}
	for t, tri := range m.Triangles {
		for k, v := range tri {
			uv := m.CornerUV[t][k]
			e := v
			for used[v] && corner[e] != uv && next[e] != none {
				e = next[e]
			}
			switch {
			case !used[v]:
				used[v], corner[v] = true, uv
			case corner[e] != uv:
				last := e
				e = int32(n + len(s.copies))
				next[last] = e
				s.copies = append(s.copies, v)
				s.uv = append(s.uv, r3.Vec2{})
				corner, next = append(corner, uv), append(next, none)
			}
			if uv >= 0 {
				s.uv[e] = m.UV[uv]
			}
			s.tri[t][k] = e
		}
	}
	return s
}

// detailed reads mesh i back.
func (d *glbData) detailed(i int) (*meshio.Mesh, error) {
	// the primitive, and what the mesh says of itself
	g := &d.doc.Meshes[i]
	p, err := g.primitive(gltf.Triangles)
	if err != nil {
		return nil, err
	}
	if g.Extras == nil {
		return nil, fmt.Errorf("mesh %d does not say its number of vertices", i)
	}
	m := &meshio.Mesh{Name: g.Name}
	// positions of all entries, of which vertices come first
	pos, ok := p.Attributes["POSITION"]
	if !ok {
		return nil, fmt.Errorf("mesh %d has no positions", i)
	}
	if m.Positions, err = d.vectors(pos); err != nil {
		return nil, err
	}
	n, all := g.Extras.Vertices, len(m.Positions)
	if n < 0 || n > all {
		return nil, fmt.Errorf("mesh %d announces %d of %d vertices", i, n, all)
	}
	// normals and UVs, if there are any
	if at, ok := p.Attributes["NORMAL"]; ok {
		if m.Normals, err = d.vectors(at); err != nil {
			return nil, err
		}
	}
	if at, ok := p.Attributes["TEXCOORD_0"]; ok {
		if m.UV, err = d.points(at); err != nil {
			return nil, err
		}
	}
	// numbers of the vertices that entries stand for
	var ids []float32
	if at, ok := p.Attributes[idAttribute]; ok {
		if ids, err = d.numbers(at); err != nil {
			return nil, err
		}
	}
	// attributes and triangles
	if m.Attributes, err = d.attributes(p); err != nil {
		return nil, err
	}
	if m.Triangles, err = d.indices(gltf.OrZero(p.Indices)); err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("mesh %d: %w", i, err)
	}
	return m, joinAtSeams(m, n, ids)
}

// attributes reads the quantities at the vertices of a primitive back.
func (d *glbData) attributes(p *gltf.Primitive) (all []meshio.Attribute, err error) {
	for _, name := range sortedKeys(p.Attributes) {
		if !strings.HasPrefix(name, "_") || name == idAttribute {
			continue
		}
		a := meshio.Attribute{Name: name, Width: d.width(p.Attributes[name])}
		if a.Width == 3 {
			a.Data, err = d.triples(p.Attributes[name])
		} else {
			a.Data, err = d.numbers(p.Attributes[name])
		}
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// joinAtSeams undoes splitAtSeams: m keeps its first n vertices. ids are those of all entries.
func joinAtSeams(m *meshio.Mesh, n int, ids []float32) error {
	// every entry names a vertex, and the first ones name themselves
	all := len(m.Positions)
	if len(ids) != all {
		return fmt.Errorf("%q has %d entries and %d of %s", m.Name, all, len(ids), idAttribute)
	}
	for e, id := range ids {
		if !(id >= 0 && id < float32(n)) || e < n && id != float32(e) {
			return fmt.Errorf("%q: %s of entry %d is %v", m.Name, idAttribute, e, id)
		}
	}
	// without seams entries are vertices
	if n == all {
		return nil
	}
	// UVs keep the entries of corners, triangles take their vertices
	m.CornerUV = slices.Clone(m.Triangles)
	for t := range m.Triangles {
		for k, e := range m.Triangles[t] {
			m.Triangles[t][k] = int32(ids[e])
		}
	}
	// what vertices have, without copies
	m.Positions = m.Positions[:n]
	if len(m.Normals) > 0 {
		m.Normals = m.Normals[:n]
	}
	for i := range m.Attributes {
		m.Attributes[i].Data = m.Attributes[i].Data[:n*m.Attributes[i].Width]
	}
	return nil
}

// plain adds positions, normals and triangles and returns the number of the mesh.
func (b *builder) plain(m *meshio.Mesh) (int, error) {
	if err := m.Validate(); err != nil {
		return 0, err
	}
	p := gltf.Primitive{Attributes: map[string]int{}}
	var err error
	if p.Attributes["POSITION"], err = b.vectors(m.Positions, nil, true); err != nil {
		return 0, fmt.Errorf("position of %w", err)
	}
	if len(m.Normals) > 0 {
		if p.Attributes["NORMAL"], err = b.vectors(m.Normals, nil, false); err != nil {
			return 0, fmt.Errorf("normal of %w", err)
		}
	}
	indices := b.indices(m.Triangles)
	p.Indices = &indices
	return b.mesh(meshOf(m.Name, p, nil)), nil
}

// plain reads positions, normals and triangles back.
func (d *glbData) plain(g *frameMesh) (*meshio.Mesh, error) {
	p, err := g.primitive(gltf.Triangles)
	if err != nil {
		return nil, err
	}
	m := &meshio.Mesh{Name: g.Name}
	at, ok := p.Attributes["POSITION"]
	if !ok {
		return nil, fmt.Errorf("mesh %q has no positions", g.Name)
	}
	if m.Positions, err = d.vectors(at); err != nil {
		return nil, err
	}
	if at, ok := p.Attributes["NORMAL"]; ok {
		if m.Normals, err = d.vectors(at); err != nil {
			return nil, err
		}
	}
	if m.Triangles, err = d.indices(gltf.OrZero(p.Indices)); err != nil {
		return nil, err
	}
	return m, m.Validate()
}
