package glb

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
)

// placed is a mesh at a node of the scene.
type placed struct {
	mesh int
	name string // of the node, or of the mesh
	at   affine
}

// Read reads all meshes of a scene as one. With weldAll, vertices of one node at exactly the same position are joined.
func Read(data []byte, weldAll bool) (*model.Mesh, error) {
	// container, and meshes at their places in the scene
	g, err := open(data)
	if err != nil {
		return nil, err
	}
	r := &reader{file: g, m: &model.Mesh{}, allNormals: true, noted: map[string]bool{}}
	places, err := r.places()
	if err != nil {
		return nil, err
	}
	// all into one mesh
	for _, p := range places {
		if err := r.instance(p, weldAll, len(places) > 1); err != nil {
			return nil, err
		}
	}
	// scenes without triangles
	if len(r.m.Triangles) == 0 && r.noted[looseNote] {
		return nil, r.fail(jsonPath{"meshes"},
			"no triangles in the scene, only points or lines: yarns, which cannot be checked or drawn as a mesh")
	}
	if len(r.m.Triangles) == 0 {
		return nil, r.fail(jsonPath{"meshes"}, "no triangles in the scene")
	}
	// name, if there is one mesh only
	if len(places) == 1 {
		r.m.Name = scan.Clean(places[0].name)
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	return r.m, nil
}

// instance adds one placed mesh.
func (r *reader) instance(p placed, weldAll, named bool) *model.Error {
	mesh := &r.doc.Meshes[p.mesh]
	path := jsonPath{"meshes", p.mesh}
	// primitives, one after the other
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
	// group of what comes from this node
	if named && p.name != "" {
		r.sets = append(r.sets, set{name: p.name, first: base, count: count, path: path})
	}
	// joined by their numbers, where these are sound
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
	// joined where positions are the same
	case weldAll:
		r.to, r.next = model.Weld(r.m.Positions[base:], r.next, r.to)
		if joined := count - int(r.next-before); joined > 0 {
			r.note("%d vertices of %q were joined to others at the same position", joined, p.name)
		}
	// left as they are
	default:
		if len(ids) > 0 {
			r.note("the attribute %s does not number the vertices and was left out", model.IDAttribute)
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
func (r *reader) checkJoined(base int, before int32, path jsonPath) *model.Error {
	place := make([]int, r.next-before) // one more than the index of the first, 0 for none
	for v := base; v < len(r.m.Positions); v++ {
		k := r.to[v] - before
		switch first := place[k]; {
		case first == 0:
			place[k] = v + 1
		case r.m.Positions[first-1] != r.m.Positions[v]:
			return r.fail(path, "vertices with the same %s %d are at different places", model.IDAttribute, k)
		}
	}
	return nil
}

// groupsOf reads the groups in the extras of a mesh.
func (r *reader) groupsOf(mesh *gltf.Mesh, path jsonPath, before int32) *model.Error {
	// extras are free in form; ours are objects
	if len(mesh.Extras) == 0 || mesh.Extras[0] != '{' {
		return nil
	}
	path = path.with("extras")
	var extras groupExtras
	if err := json.Unmarshal(mesh.Extras, &extras); err != nil {
		return r.fail(path, "toile_groups: %v", err)
	}
	// members as pairs of first and count
	for i, group := range extras.Groups {
		at := path.with("toile_groups", i)
		if len(group.Ranges)%2 != 0 {
			return r.fail(at, "ranges must be pairs of first and count")
		}
		set := set{name: group.Name, path: at}
		end := int32(0)
		for k := 0; k < len(group.Ranges); k += 2 {
			// ranges in ascending order, among the vertices of this mesh
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
			// no more members than a mesh may have
			if r.members += int(count); r.members > model.MaxGroupShare*int(r.next) {
				return r.fail(at, "the groups have more than %d members for each vertex", model.MaxGroupShare)
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
func (r *reader) finish() *model.Error {
	// attributes that only some parts have
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
	// groups of vertices, as they are numbered after joining
	g := model.NewGrouper(len(m.Positions))
	for _, s := range r.sets {
		vertices := s.joined
		if vertices == nil {
			if err := r.spend(s.count, s.path); err != nil {
				return err
			}
			vertices = model.SortedSet(append([]int32(nil), r.to[s.first:s.first+s.count]...))
		}
		if !g.Add(scan.Clean(s.name), vertices) {
			return r.fail(s.path, "the groups have more than %d members for each vertex", model.MaxGroupShare)
		}
	}
	// split vertices become one
	r.joinVertices()
	if !g.Settle() {
		return r.fail(jsonPath{"meshes"}, "the groups have more than %d members for each vertex", model.MaxGroupShare)
	}
	m.Groups = g.Groups
	// extras of the file
	var extras map[string]any
	if json.Unmarshal(r.doc.Asset.Extras, &extras) == nil {
		for _, k := range slices.Sorted(maps.Keys(extras)) {
			if s, ok := extras[k].(string); ok {
				model.SetExtra(m, k, s)
			}
		}
	}
	return nil
}

// joinVertices renumbers the vertices, unless every one has its number already.
func (r *reader) joinVertices() {
	moved := int(r.next) != len(r.to)
	for v, k := range r.to {
		moved = moved || int(k) != v
	}
	if moved {
		model.Join(r.m, r.to, int(r.next))
	}
}

// assemble makes one array of each attribute of the parts.
func (r *reader) assemble() *model.Error {
	m := r.m
	// names, with the largest width
	byName := map[string]int{}
	for _, p := range r.parts {
		for i, name := range p.names {
			k, ok := byName[name]
			if !ok {
				k = len(m.Attributes)
				byName[name] = k
				m.Attributes = append(m.Attributes, model.Attribute{Name: name})
			}
			m.Attributes[k].Width = max(m.Attributes[k].Width, p.widths[i])
		}
	}
	// room for all vertices
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if err := r.spend(a.Width*len(m.Positions), jsonPath{"meshes"}); err != nil {
			return err
		}
		a.Data = make([]float32, a.Width*len(m.Positions))
		if a.Name == model.Colour { // what has no colour is white and opaque
			for k := range a.Data {
				a.Data[k] = 1
			}
		}
	}
	// what the parts have
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
	return name == model.Colour || strings.HasPrefix(name, "_") && name != model.IDAttribute && name != "_"
}
