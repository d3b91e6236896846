package glb

import (
	"maps"
	"slices"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// places walks the scene and returns its meshes in order, with their transforms.
func (r *reader) places() ([]placed, *model.Error) {
	// nodes to start from
	roots, path, err := r.roots()
	if err != nil {
		return nil, err
	}
	type visit struct {
		node   int
		parent affine
		path   jsonPath
	}
	var out []placed
	var stack []visit // the next to visit is last
	push := func(nodes []int, parent affine, path jsonPath) {
		for i := len(nodes) - 1; i >= 0; i-- {
			stack = append(stack, visit{nodes[i], parent, path.with(i)})
		}
	}
	push(roots, affine{a: r3.Identity()}, path)
	seen := make([]bool, len(r.doc.Nodes))
	// nodes in the order of the file, each once
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.node < 0 || v.node >= len(seen) {
			return nil, r.fail(v.path, "there is no node %d; the file has %d", v.node, len(seen))
		}
		if seen[v.node] {
			return nil, r.fail(v.path, "node %d is reached twice; nodes must form a tree", v.node)
		}
		seen[v.node] = true
		node := &r.doc.Nodes[v.node]
		// map of the node, after those of its parents
		path := jsonPath{"nodes", v.node}
		local, err := r.transform(node, path)
		if err != nil {
			return nil, err
		}
		at := v.parent.after(local)
		// its mesh
		if node.Mesh != nil {
			if *node.Mesh < 0 || *node.Mesh >= len(r.doc.Meshes) {
				return nil, r.fail(
					path.with("mesh"),
					"there is no mesh %d; the file has %d",
					*node.Mesh,
					len(r.doc.Meshes),
				)
			}
			if node.Skin != nil {
				r.note("skins were left out: the mesh is in its rest position")
			}
			name := node.Name
			if name == "" {
				name = r.doc.Meshes[*node.Mesh].Name
			}
			out = append(out, placed{*node.Mesh, name, at})
		}
		// children with their places
		push(node.Children, at, path.with("children"))
	}
	return out, nil
}

// roots returns the nodes to start from and where the file names them. Without a scene these are
// the nodes that are nobody's children.
func (r *reader) roots() ([]int, jsonPath, *model.Error) {
	// scene that the file wants shown, or the first
	d := &r.doc
	scene := 0
	if d.Scene != nil {
		scene = *d.Scene
		if scene < 0 || scene >= len(d.Scenes) {
			return nil, nil, r.fail(jsonPath{"scene"}, "there is no scene %d; the file has %d", scene, len(d.Scenes))
		}
	}
	if len(d.Scenes) > 0 {
		return d.Scenes[scene].Nodes, jsonPath{"scenes", scene, "nodes"}, nil
	}
	// nodes that are children
	child := make([]bool, len(d.Nodes))
	for _, n := range d.Nodes {
		for _, c := range n.Children {
			if c >= 0 && c < len(child) {
				child[c] = true
			}
		}
	}
	// all others
	var roots []int
	for i := range d.Nodes {
		if !child[i] {
			roots = append(roots, i)
		}
	}
	return roots, jsonPath{"nodes"}, nil
}

// transform returns the node's own map: its matrix, column by column, or translation · rotation ·
// scale.
func (r *reader) transform(n *gltf.Node, path jsonPath) (affine, *model.Error) {
	// as many numbers as there should be
	for _, p := range [...]struct {
		name string
		x    []float64
		want int
	}{{"matrix", n.Matrix, 16}, {"translation", n.Translation, 3}, {"rotation", n.Rotation, 4}, {"scale", n.Scale, 3}} {
		if p.x != nil && len(p.x) != p.want {
			return affine{}, r.fail(path.with(p.name), "%d numbers instead of %d", len(p.x), p.want)
		}
	}
	// matrix, written in full
	if m := n.Matrix; m != nil {
		if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
			return affine{}, r.fail(path.with("matrix"), "the last row is not 0 0 0 1")
		}
		return affine{
			r3.Columns(r3.V(m[0], m[1], m[2]), r3.V(m[4], m[5], m[6]), r3.V(m[8], m[9], m[10])),
			r3.V(m[12], m[13], m[14]),
		}, nil
	}
	// rotation, scale and translation
	at := affine{a: r3.Identity()}
	if q := n.Rotation; q != nil {
		at.a = r3.Quat{W: q[3], X: q[0], Y: q[1], Z: q[2]}.Unit().Mat()
	}
	if s := n.Scale; s != nil {
		diagonal := r3.Mat{XX: s[0], YY: s[1], ZZ: s[2]}
		at.a = at.a.Mul(&diagonal)
	}
	if t := n.Translation; t != nil {
		at.t = r3.V(t[0], t[1], t[2])
	}
	return at, nil
}

// primitive appends one primitive and returns its vertex numbers, if it has any.
func (r *reader) primitive(p *gltf.Primitive, path jsonPath, at affine) ([]float32, *model.Error) {
	// triangles only
	mode := gltf.Triangles
	if p.Mode != nil {
		mode = *p.Mode
	}
	switch {
	case mode < 0 || mode > gltf.Fan:
		return nil, r.fail(path.with("mode"), "unknown mode %d", mode)
	case mode < gltf.Triangles:
		r.note(looseNote)
		return nil, nil
	}
	if len(p.Targets) > 0 {
		r.note("morph targets were left out")
	}
	// share of the budget, however empty the primitive
	if err := r.spend(256, path); err != nil {
		return nil, err
	}
	// positions
	base := len(r.m.Positions)
	attributes := path.with("attributes")
	index, ok := p.Attributes["POSITION"]
	if !ok {
		return nil, r.fail(attributes, "the primitive has no POSITION")
	}
	count, err := r.positions(index, attributes.with("POSITION"), at)
	if err != nil {
		return nil, err
	}
	// normals, UVs and other attributes
	if err := r.normals(p, attributes, at, count); err != nil {
		return nil, err
	}
	if err := r.uvs(p, attributes, count); err != nil {
		return nil, err
	}
	ids, err := r.ownAttributes(p, attributes, base, count)
	if err != nil {
		return nil, err
	}
	// group of what has a material in common
	if p.Material != nil {
		if *p.Material < 0 || *p.Material >= len(r.doc.Materials) {
			return nil, r.fail(
				path.with("material"),
				"there is no material %d; the file has %d",
				*p.Material,
				len(r.doc.Materials),
			)
		}
		if name := r.doc.Materials[*p.Material].Name; name != "" {
			r.sets = append(r.sets, set{name: name, first: base, count: count, path: path})
		}
	}
	return ids, r.triangles(p, path, mode, base, count, at.a.Det() < 0)
}

// sized reads an accessor that must have the given width, and count elements unless count is 0.
func (r *reader) sized(index int, path jsonPath, width, count int) ([]float32, *model.Error) {
	x, w, err := r.floats(index, path)
	if err != nil {
		return nil, err
	}
	if w != width {
		return nil, r.fail(path, "accessor %d is a %s instead of a %s", index, gltf.Types[w], gltf.Types[width])
	}
	if count > 0 && len(x) != count*width {
		return nil, r.fail(path, "accessor %d has %d elements for %d vertices", index, len(x)/width, count)
	}
	return x, nil
}

func (r *reader) positions(index int, path jsonPath, at affine) (int, *model.Error) {
	x, err := r.sized(index, path, 3, 0)
	if err != nil {
		return 0, err
	}
	if len(r.m.Positions)+len(x)/3 > model.MaxVertices {
		return 0, r.fail(path, "more than %d vertices", model.MaxVertices)
	}
	still := at.still()
	for k := 0; k < len(x); k += 3 {
		p := r3.V(float64(x[k]), float64(x[k+1]), float64(x[k+2]))
		if !still {
			p = at.a.MulVec(p).Add(at.t)
		}
		if !p.Finite() {
			return 0, r.fail(path, "vertex %d leaves the range of numbers through the transforms of its nodes", k/3)
		}
		r.m.Positions = append(r.m.Positions, p)
	}
	return len(x) / 3, nil
}

// normals appends the normals of a primitive. They turn with the cofactors of the map, which is
// the inverse transpose but for a factor, and defined for flattening maps too.
func (r *reader) normals(p *gltf.Primitive, path jsonPath, at affine, count int) *model.Error {
	// normals are kept only if all parts have them
	index, ok := p.Attributes["NORMAL"]
	if !ok || !r.allNormals {
		r.allNormals = false
		r.anyNormals = r.anyNormals || ok
		return nil
	}
	r.anyNormals = true
	x, err := r.sized(index, path.with("NORMAL"), 3, count)
	if err != nil {
		return err
	}
	// cofactors, with the sign that keeps normals outside where the map mirrors
	still := at.still()
	a := at.a
	c0, c1, c2 := r3.V(a.XX, a.YX, a.ZX), r3.V(a.XY, a.YY, a.ZY), r3.V(a.XZ, a.YZ, a.ZZ)
	cofactor := r3.Columns(c1.Cross(c2), c2.Cross(c0), c0.Cross(c1))
	if a.Det() < 0 {
		cofactor = cofactor.Scale(-1)
	}
	// turned, but for those that lose their direction
	for k := 0; k < len(x); k += 3 {
		n := r3.V(float64(x[k]), float64(x[k+1]), float64(x[k+2]))
		if !still {
			n = cofactor.MulVec(n).Unit()
			if !n.Finite() {
				n = r3.Vec{}
			}
		}
		r.m.Normals = append(r.m.Normals, n)
	}
	return nil
}

// uvs appends the UVs of a primitive, zeros if it has none.
func (r *reader) uvs(p *gltf.Primitive, path jsonPath, count int) *model.Error {
	index, ok := p.Attributes["TEXCOORD_0"]
	if !ok {
		r.m.UV = append(r.m.UV, make([]r3.Vec2, count)...)
		return nil
	}
	r.anyUV = true
	x, err := r.sized(index, path.with("TEXCOORD_0"), 2, count)
	if err != nil {
		return err
	}
	for k := 0; k < len(x); k += 2 {
		r.m.UV = append(r.m.UV, r3.Vec2{X: float64(x[k]), Y: 1 - float64(x[k+1])})
	}
	return nil
}

// ownAttributes reads the colour and all attributes that begin with an underscore.
func (r *reader) ownAttributes(p *gltf.Primitive, path jsonPath, base, count int) (ids []float32, err *model.Error) {
	part := part{first: base, count: count}
	// attributes in the order of their names
	for _, name := range slices.Sorted(maps.Keys(p.Attributes)) {
		at := path.with(name)
		index := p.Attributes[name]
		// numbers of vertices
		if name == model.IDAttribute {
			if ids, err = r.sized(index, at, 1, count); err != nil {
				return nil, err
			}
		}
		// all others that are kept
		if !keepAttribute(name) {
			continue
		}
		x, width, err := r.floats(index, at)
		if err != nil {
			return nil, err
		}
		if len(x) != count*width {
			return nil, r.fail(at, "accessor %d has %d elements for %d vertices", index, len(x)/width, count)
		}
		if name == model.Colour && width < 3 {
			return nil, r.fail(at, "a colour must be a VEC3 or VEC4")
		}
		// as part of this primitive, until all have been read
		part.names = append(part.names, scan.Clean(name))
		part.widths = append(part.widths, width)
		part.data = append(part.data, x)
	}
	r.parts = append(r.parts, part)
	return ids, nil
}

// triangles appends the triangles of a primitive; a mirroring map turns them over.
func (r *reader) triangles(p *gltf.Primitive, path jsonPath, mode, base, count int, mirrored bool) *model.Error {
	// corners
	corners, err := r.indices(p, path, count)
	if err != nil {
		return err
	}
	if mode == gltf.Triangles && len(corners)%3 != 0 {
		return r.fail(path, "%d corners are not a whole number of triangles", len(corners))
	}
	// one triangle, with the sense it has after the map
	add := func(i, j, k int) {
		t := [3]int32{int32(base) + int32(corners[i]), int32(base) + int32(corners[j]), int32(base) + int32(corners[k])}
		// Strips are often sewn together by triangles without area.
		if mode == gltf.Strip && (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
			return
		}
		if mirrored {
			t[1], t[2] = t[2], t[1]
		}
		r.m.Triangles = append(r.m.Triangles, t)
	}
	// each mode in its own order
	switch mode {
	case gltf.Triangles:
		for i := 0; i+2 < len(corners); i += 3 {
			add(i, i+1, i+2)
		}
	case gltf.Strip:
		for i := 0; i+2 < len(corners); i++ {
			add(i, i+1+i%2, i+2-i%2)
		}
	case gltf.Fan:
		for i := 0; i+2 < len(corners); i++ {
			add(i+1, i+2, 0)
		}
	}
	return nil
}

// indices returns the corners of a primitive, checked; without indices these are its vertices.
func (r *reader) indices(p *gltf.Primitive, path jsonPath, count int) ([]uint32, *model.Error) {
	if p.Indices == nil {
		corners := make([]uint32, count)
		for i := range corners {
			corners[i] = uint32(i)
		}
		return corners, nil
	}
	a, at, _, width, err := r.accessor(*p.Indices, path.with("indices"))
	if err != nil {
		return nil, err
	}
	if width != 1 || a.Sparse != nil {
		return nil, r.fail(at, "indices must be SCALAR and not sparse")
	}
	corners, err := r.integers(a.BufferView, a.ByteOffset, a.ComponentType, a.Count, at)
	if err != nil {
		return nil, err
	}
	for k, i := range corners {
		if int64(i) >= int64(count) {
			return nil, r.fail(at, "index %d is %d, but the primitive has %d vertices", k, i, count)
		}
	}
	return corners, nil
}
