package meshio

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/r3"
)

// placed is a mesh at a node of the scene.
type placed struct {
	mesh int
	name string // of the node, or of the mesh
	at   affine
}

// affine is the map x ↦ A x + t.
type affine struct {
	a r3.Mat
	t r3.Vec
}

// glbReader gathers the primitives of a scene into one mesh.
type glbReader struct {
	*glbFile
	m     *Mesh
	to    []int32 // index of each vertex after joining
	next  int32   // vertices after joining, so far
	parts []glbPart
	sets  []glbSet

	members int // of the groups in extras

	allNormals, anyNormals, anyUV bool
	noted                         map[string]bool
}

// glbPart is the attributes of one primitive.
type glbPart struct {
	first, count int
	names        []string
	widths       []int
	data         [][]float32
}

// glbSet is a range of vertices before joining, or a list of vertices after it, that belongs
// to a group.
type glbSet struct {
	name         string
	first, count int
	joined       []int32
	path         jsonPath
}

func readGLB(data []byte, weldAll bool) (*Mesh, error) {
	g, err := openGLB(data)
	if err != nil {
		return nil, err
	}
	r := &glbReader{glbFile: g, m: &Mesh{}, allNormals: true, noted: map[string]bool{}}
	places, err := r.places()
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if err := r.instance(p, weldAll, len(places) > 1); err != nil {
			return nil, err
		}
	}
	if len(r.m.Triangles) == 0 && r.noted[looseNote] {
		return nil, r.fail(jsonPath{"meshes"}, "no triangles in the scene, only points or lines: yarns, which cannot be checked or drawn as a mesh")
	}
	if len(r.m.Triangles) == 0 {
		return nil, r.fail(jsonPath{"meshes"}, "no triangles in the scene")
	}
	if len(places) == 1 {
		r.m.Name = clean(places[0].name)
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	return r.m, nil
}

func (r *glbReader) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if !r.noted[s] {
		r.noted[s] = true
		r.m.Notes = append(r.m.Notes, s)
	}
}

// instance adds one placed mesh.
func (r *glbReader) instance(p placed, weldAll, named bool) *Error {
	mesh := &r.doc.Meshes[p.mesh]
	path := jsonPath{"meshes", p.mesh}
	base := len(r.m.Positions)
	var ids []float32
	for i := range mesh.Primitives {
		id, err := r.primitive(&mesh.Primitives[i], path.with("primitives", i), p.at)
		if err != nil {
			return err
		}
		ids = append(ids, id...)
	}
	count := len(r.m.Positions) - base
	if count == 0 {
		return nil
	}
	if named && p.name != "" {
		r.sets = append(r.sets, glbSet{name: p.name, first: base, count: count, path: path})
	}
	before := r.next
	switch {
	case len(ids) == count && dense(ids):
		for _, id := range ids {
			r.to = append(r.to, before+int32(id))
			r.next = max(r.next, before+int32(id)+1)
		}
		if err := r.checkJoined(base, before, path); err != nil {
			return err
		}
		return r.groupsOf(mesh, path, before)
	case weldAll:
		r.to, r.next = weld(r.m.Positions[base:], r.next, r.to)
		if joined := count - int(r.next-before); joined > 0 {
			r.note("%d vertices of %q were joined to others at the same position", joined, p.name)
		}
	default:
		if len(ids) > 0 {
			r.note("the attribute %s does not number the vertices and was left out", idAttribute)
		}
		for range count {
			r.to = append(r.to, r.next)
			r.next++
		}
	}
	return nil
}

// dense reports whether ids are the numbers from 0 to some largest, all of them.
func dense(ids []float32) bool {
	seen := make([]bool, len(ids))
	top, distinct := -1, 0
	for _, id := range ids {
		i := int(id)
		if !(id >= 0 && id < float32(len(ids))) || float32(i) != id || i >= len(seen) {
			return false
		}
		top = max(top, i)
		if !seen[i] {
			seen[i] = true
			distinct++
		}
	}
	return top+1 == distinct
}

// checkJoined makes sure that vertices of one number are at one place.
func (r *glbReader) checkJoined(base int, before int32, path jsonPath) *Error {
	place := make([]int, r.next-before) // one more than the index of the first, 0 for none
	for v := base; v < len(r.m.Positions); v++ {
		k := r.to[v] - before
		switch first := place[k]; {
		case first == 0:
			place[k] = v + 1
		case r.m.Positions[first-1] != r.m.Positions[v]:
			return r.fail(path, "vertices with the same %s %d are at different places", idAttribute, k)
		}
	}
	return nil
}

// groupsOf reads the groups in the extras of a mesh.
func (r *glbReader) groupsOf(mesh *gltf.Mesh, path jsonPath, before int32) *Error {
	if len(mesh.Extras) == 0 || mesh.Extras[0] != '{' {
		return nil
	}
	path = path.with("extras")
	var extras gltfGroups
	if err := json.Unmarshal(mesh.Extras, &extras); err != nil {
		return r.fail(path, "toile_groups: %v", err)
	}
	for i, group := range extras.Groups {
		at := path.with("toile_groups", i)
		if len(group.Ranges)%2 != 0 {
			return r.fail(at, "ranges must be pairs of first and count")
		}
		set := glbSet{name: group.Name, path: at}
		end := int32(0)
		for k := 0; k < len(group.Ranges); k += 2 {
			first, count := group.Ranges[k], group.Ranges[k+1]
			if first < end || count < 1 || first >= r.next-before || count > r.next-before-first {
				return r.fail(
					at,
					"range %d+%d of vertices; ranges must ascend and stay below %d",
					first,
					count,
					r.next-before,
				)
			}
			end = first + count
			if r.members += int(count); r.members > maxGroupShare*int(r.next) {
				return r.fail(at, "the groups have more than %d members for each vertex", maxGroupShare)
			}
			for v := first; v < end; v++ {
				set.joined = append(set.joined, before+v)
			}
		}
		if group.Name != "" {
			r.sets = append(r.sets, set)
		}
	}
	return nil
}

// finish joins split vertices and assembles attributes, groups and extras.
func (r *glbReader) finish() *Error {
	m := r.m
	if !r.allNormals {
		m.Normals = nil
		if r.anyNormals {
			r.note("the normals were left out: some parts have none")
		}
	}
	if !r.anyUV {
		m.UV = nil
	}
	if err := r.assemble(); err != nil {
		return err
	}
	g := newGrouper(len(m.Positions))
	for _, s := range r.sets {
		vertices := s.joined
		if vertices == nil {
			if err := r.spend(s.count, s.path); err != nil {
				return err
			}
			vertices = sortedSet(append([]int32(nil), r.to[s.first:s.first+s.count]...))
		}
		if !g.add(clean(s.name), vertices) {
			return r.fail(s.path, "the groups have more than %d members for each vertex", maxGroupShare)
		}
	}
	r.joinVertices()
	if !g.settle() {
		return r.fail(jsonPath{"meshes"}, "the groups have more than %d members for each vertex", maxGroupShare)
	}
	m.Groups = g.groups
	var extras map[string]any
	if json.Unmarshal(r.doc.Asset.Extras, &extras) == nil {
		for _, k := range sortedKeys(extras) {
			if s, ok := extras[k].(string); ok {
				m.setExtra(k, s)
			}
		}
	}
	return nil
}

// joinVertices renumbers the vertices, unless every one has its number already.
func (r *glbReader) joinVertices() {
	moved := int(r.next) != len(r.to)
	for v, k := range r.to {
		moved = moved || int(k) != v
	}
	if moved {
		join(r.m, r.to, int(r.next))
	}
}

// assemble makes one array of each attribute of the parts.
func (r *glbReader) assemble() *Error {
	m := r.m
	byName := map[string]int{}
	for _, p := range r.parts {
		for i, name := range p.names {
			k, ok := byName[name]
			if !ok {
				k = len(m.Attributes)
				byName[name] = k
				m.Attributes = append(m.Attributes, Attribute{Name: name})
			}
			m.Attributes[k].Width = max(m.Attributes[k].Width, p.widths[i])
		}
	}
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if err := r.spend(a.Width*len(m.Positions), jsonPath{"meshes"}); err != nil {
			return err
		}
		a.Data = make([]float32, a.Width*len(m.Positions))
		if a.Name == colour { // what has no colour is white and opaque
			for k := range a.Data {
				a.Data[k] = 1
			}
		}
	}
	for _, p := range r.parts {
		for i, name := range p.names {
			a := &m.Attributes[byName[name]]
			for v := 0; v < p.count; v++ {
				copy(a.Data[(p.first+v)*a.Width:], p.data[i][v*p.widths[i]:(v+1)*p.widths[i]])
			}
		}
	}
	return nil
}

// keepAttribute reports whether an attribute is one of the application's own or the colour.
func keepAttribute(name string) bool {
	return name == colour || strings.HasPrefix(name, "_") && name != idAttribute && name != "_"
}
