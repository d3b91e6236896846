// Package obj reads and writes meshes, and writes curves, as Wavefront OBJ: as in Appendix B1 of the Advanced
// Visualizer manual, restricted to polygons.
//
//   - v x y z [w] or v x y z r g b: the weight w belongs to rational curves and is left out, a
//     colour becomes the attribute COLOR_0.
//   - f, with any of a, a/b, a//c and a/b/c; indices from 1, or relative and negative. A positive
//     index may be ahead of its vertex, as some exporters write all faces first.
//   - o, g and usemtl all make groups of the vertices of the faces, lines and points under them.
//     A single o is the name of the mesh and no group. A material and a group of the same name
//     are one group.
//   - p and l make no geometry, but put their vertices into the groups; this is how a set of
//     vertices that fills no face is written.
//   - Polygons are cut into fans from their first corner, which is right for convex ones.
//   - Everything else (curves, smoothing, libraries) is skipped. No other file is opened.
//
// Vertices keep their order and index.
package obj

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// The indexed things of an OBJ file, by their place in a face corner.
const (
	vertexList = iota
	uvList
	normalList
)

var listNames = [3]string{"vertex", "texture vertex", "normal"}

// reader is the state of reading one OBJ file.
type reader struct {
	scan.Text
	m       *model.Mesh
	colours []float32 // three for each vertex, once one has a colour

	uvs     [][3]int32 // for each triangle, -1 for none
	normals [][3]int32
	vns     []r3.Vec

	// The farthest index of each list and where it was, to be checked at the end.
	farthest [3]int32
	place    [3]model.Error

	object, material string
	groups           []string
	objects          []string // the first two names given by o
	segments         []segment
	uses             []int32 // vertices of all faces, lines and points, in order

	face     [][3]int32 // corners of the face being read
	polygons int
}

// segment is a run of elements under the same object, groups and material.
type segment struct {
	object, material string
	groups           []string // shared between segments
	start            int      // in uses
}

// Read reads a mesh, whose vertices it leaves as they are: not welded.
func Read(data []byte, _ bool) (*model.Mesh, error) {
	r := &reader{Text: scan.Text{Data: data, Line: 1, Continues: true}, m: &model.Mesh{}}
	r.farthest = [3]int32{-1, -1, -1}
	for r.Pos < len(r.Data) {
		if err := r.statement(); err != nil {
			return nil, err
		}
		for r.Next() != nil { // a skipped statement may be continued on the next line
		}
		r.SkipLine()
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	return r.m, nil
}

// statement reads one line, or as much of it as matters.
func (r *reader) statement() error {
	var err *model.Error
	switch w := r.Next(); string(w) {
	// vertices and what belongs to them
	case "v":
		err = r.vertex()
	case "vt":
		err = r.uv()
	case "vn":
		err = r.normal()
	// faces, and what is none
	case "f", "fo":
		err = r.polygon()
	case "l", "p":
		err = r.loose()
	case "o":
		r.object = scan.Unescape(string(r.Rest()))
		// Two are enough to know that objects are groups.
		if r.object != "" && len(r.objects) < 2 && !slices.Contains(r.objects, r.object) {
			r.objects = append(r.objects, r.object)
		}
		r.segment()
	// groups and materials, which hold from here on
	case "g":
		r.groups = nil
		for name := r.Next(); name != nil; name = r.Next() {
			if n := scan.Unescape(string(name)); n != "" && !slices.Contains(r.groups, n) {
				r.groups = append(r.groups, n)
			}
			if len(r.groups) > model.MaxGroupShare {
				err = r.Fail("more than %d groups at once", model.MaxGroupShare)
				break
			}
		}
		r.segment()
	case "usemtl":
		r.material = scan.Unescape(string(r.Rest()))
		r.segment()
	// extras, as we write them
	case "#":
		if string(r.Next()) == "toile" {
			key, value, ok := strings.Cut(string(r.Next()), "=")
			if ok && key != "" {
				model.SetExtra(r.m, scan.Unescape(key), scan.Unescape(value))
			}
		}
	}
	if err != nil {
		return err
	}
	return nil
}

func (r *reader) vertex() *model.Error {
	// all numbers of the line
	var x [8]float64
	n := 0
	for w := r.Next(); w != nil; w = r.Next() {
		if n == len(x) {
			return r.Fail("a vertex has at most 7 numbers")
		}
		v, ok := scan.ParseNumber(w)
		if !ok {
			return r.Fail("%q is not a finite number", scan.Clip(w))
		}
		x[n] = v
		n++
	}
	// coordinates, weight and colour
	if n != 3 && n != 4 && n != 6 && n != 7 {
		return r.Fail("a vertex has %d numbers; write 3 coordinates, then nothing, a weight or a colour", n)
	}
	if len(r.m.Positions) == model.MaxVertices {
		return r.Fail("more than %d vertices", model.MaxVertices)
	}
	r.m.Positions = append(r.m.Positions, r3.V(x[0], x[1], x[2]))
	// vertices without a colour are white if others have one
	if n >= 6 || r.colours != nil {
		for len(r.colours) < 3*len(r.m.Positions)-3 {
			r.colours = append(r.colours, 1)
		}
		rgb := [3]float64{1, 1, 1}
		if n >= 6 {
			rgb = [3]float64(x[n-3 : n])
		}
		for _, c := range rgb {
			if !model.Finite32(float32(c)) {
				return r.Fail("colour %v is too large", c)
			}
			r.colours = append(r.colours, float32(c))
		}
	}
	return nil
}

func (r *reader) uv() *model.Error {
	u, err := r.Number("the first texture coordinate")
	if err != nil {
		return err
	}
	var v float64
	if w := r.Next(); w != nil {
		var ok bool
		if v, ok = scan.ParseNumber(w); !ok {
			return r.Fail("%q is not a finite number", scan.Clip(w))
		}
	}
	r.m.UV = append(r.m.UV, r3.Vec2{X: u, Y: v})
	return nil
}

func (r *reader) normal() *model.Error {
	var x [3]float64
	for i := range x {
		var err *model.Error
		if x[i], err = r.Number("a normal's coordinate"); err != nil {
			return err
		}
	}
	r.vns = append(r.vns, r3.V(x[0], x[1], x[2]))
	return nil
}

// index resolves one index of a corner.
func (r *reader) index(list int, w []byte) (int32, *model.Error) {
	count := [3]int{len(r.m.Positions), len(r.m.UV), len(r.vns)}[list]
	i, err := strconv.ParseInt(string(w), 10, 32)
	switch {
	case err != nil:
		return 0, r.Fail("%q is not a %s index", scan.Clip(w), listNames[list])
	case i == 0:
		return 0, r.Fail("%s index 0: indices start at 1", listNames[list])
	case i < -int64(count):
		return 0, r.Fail("%s index %d reaches back past the first of the %d so far", listNames[list], i, count)
	case i < 0:
		return int32(count) + int32(i), nil
	}
	k := int32(i - 1)
	if k > r.farthest[list] {
		r.farthest[list] = k
		r.place[list] = *r.Fail("")
	}
	return k, nil
}

// corner reads "a", "a/b", "a//c" or "a/b/c".
func (r *reader) corner(w []byte) ([3]int32, *model.Error) {
	c := [3]int32{-1, -1, -1}
	for list := 0; ; list++ {
		if list == 3 {
			return c, r.Fail("a corner has at most vertex/texture/normal")
		}
		end := slices.Index(w, '/')
		part := w
		if end >= 0 {
			part = w[:end]
		}
		if len(part) > 0 || list == vertexList {
			var err *model.Error
			if c[list], err = r.index(list, part); err != nil {
				return c, err
			}
		}
		if end < 0 {
			return c, nil
		}
		w = w[end+1:]
	}
}

func (r *reader) polygon() *model.Error {
	r.face = r.face[:0]
	for w := r.Next(); w != nil; w = r.Next() {
		c, err := r.corner(w)
		if err != nil {
			return err
		}
		r.face = append(r.face, c)
		r.uses = append(r.uses, c[vertexList])
	}
	if len(r.face) < 3 {
		return r.Fail("a face has %d corners; it needs 3 or more", len(r.face))
	}
	if len(r.face) > 3 {
		r.polygons++
	}
	for k := 2; k < len(r.face); k++ {
		a, b, c := r.face[0], r.face[k-1], r.face[k]
		r.m.Triangles = append(r.m.Triangles, [3]int32{a[0], b[0], c[0]})
		r.uvs = append(r.uvs, [3]int32{a[1], b[1], c[1]})
		r.normals = append(r.normals, [3]int32{a[2], b[2], c[2]})
	}
	return nil
}

// loose reads the vertices of a point or line element.
func (r *reader) loose() *model.Error {
	for w := r.Next(); w != nil; w = r.Next() {
		c, err := r.corner(w)
		if err != nil {
			return err
		}
		r.uses = append(r.uses, c[vertexList])
	}
	return nil
}

// segment begins a new run of elements after a change of object, group or material.
func (r *reader) segment() {
	s := segment{object: r.object, material: r.material, groups: r.groups, start: len(r.uses)}
	if k := len(r.segments) - 1; k >= 0 && r.segments[k].start == s.start {
		r.segments[k] = s
		return
	}
	r.segments = append(r.segments, s)
}

// finish checks what could not be checked on the way and makes the mesh of it.
func (r *reader) finish() *model.Error {
	m := r.m
	for list, count := range [3]int{len(m.Positions), len(m.UV), len(r.vns)} {
		if int(r.farthest[list]) >= count {
			e := r.place[list]
			e.Msg = fmt.Sprintf("%s index %d, but the file has %d", listNames[list], r.farthest[list]+1, count)
			return &e
		}
	}
	r.Word = r.Pos
	if len(m.Positions) == 0 {
		return r.Fail("no vertices (lines with v)")
	}
	if len(m.Triangles) == 0 {
		return r.Fail("no faces (lines with f)")
	}
	if r.colours != nil {
		m.Attributes = []model.Attribute{{Name: model.Colour, Width: 3, Data: r.colours}}
	}
	r.finishUV()
	r.finishNormals()
	model.NotePolygons(m, r.polygons)
	return r.finishGroups()
}

func (r *reader) finishUV() {
	m := r.m
	if !slices.ContainsFunc(r.uvs, func(t [3]int32) bool { return max(t[0], t[1], t[2]) >= 0 }) {
		m.UV = nil
		return
	}
	m.CornerUV = r.uvs
	model.SimplifyUV(m)
}

// finishNormals keeps the normals if every vertex has one.
func (r *reader) finishNormals() {
	m := r.m
	if len(r.vns) == len(m.Positions) && slices.Equal(r.normals, m.Triangles) {
		m.Normals = r.vns
		return
	}
	normals := make([]r3.Vec, len(m.Positions))
	has := make([]bool, len(normals))
	for i, t := range r.normals {
		for k, n := range t {
			v := m.Triangles[i][k]
			if n < 0 || has[v] && normals[v] != r.vns[n] {
				if len(r.vns) > 0 {
					m.Notes = append(m.Notes, "the normals were left out: some vertices have none or several")
				}
				return
			}
			normals[v], has[v] = r.vns[n], true
		}
	}
	m.Normals = normals
}

func (r *reader) finishGroups() *model.Error {
	m := r.m
	// name of the mesh
	if len(r.objects) > 0 {
		m.Name = r.objects[0]
	}
	g := model.NewGrouper(len(m.Positions))
	crowded := func() *model.Error {
		return r.Fail("the groups have more than %d members for each vertex", model.MaxGroupShare)
	}
	// corners between two changes of group
	for i, s := range r.segments {
		end := len(r.uses)
		if i+1 < len(r.segments) {
			end = r.segments[i+1].start
		}
		// groups, material and object, each by its name
		names := slices.Clone(s.groups)
		if s.material != "" && s.material != "off" {
			names = append(names, s.material)
		}
		if s.object != "" && len(r.objects) > 1 {
			names = append(names, s.object)
		}
		if len(names) == 0 {
			continue
		}
		// members, as what was used there
		vertices := model.SortedSet(slices.Clone(r.uses[s.start:end]))
		for _, name := range names {
			if !g.Add(name, vertices) {
				return crowded()
			}
		}
	}
	// sorted, and within the limit
	if !g.Settle() {
		return crowded()
	}
	m.Groups = g.Groups
	return nil
}
