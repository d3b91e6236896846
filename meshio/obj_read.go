package meshio

// Wavefront OBJ, as in Appendix B1 of the Advanced Visualizer manual, restricted to polygons.
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

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// objLists are the indexed things of an OBJ file, by their place in a face corner.
const (
	objVertex = iota
	objUV
	objNormal
)

var objListNames = [3]string{"vertex", "texture vertex", "normal"}

// objReader is the state of reading one OBJ file.
type objReader struct {
	text
	m       *Mesh
	colours []float32 // three for each vertex, once one has a colour

	uvs     [][3]int32 // for each triangle, -1 for none
	normals [][3]int32
	vns     []r3.Vec

	// The farthest index of each list and where it was, to be checked at the end.
	farthest [3]int32
	place    [3]Error

	object, material string
	groups           []string
	objects          []string // the first two names given by o
	segments         []objSegment
	uses             []int32 // vertices of all faces, lines and points, in order

	face     [][3]int32 // corners of the face being read
	polygons int
}

// objSegment is a run of elements under the same object, groups and material.
type objSegment struct {
	object, material string
	groups           []string // shared between segments
	start            int      // in uses
}

func readOBJ(data []byte) (*Mesh, error) {
	r := &objReader{text: text{data: data, line: 1, continues: true}, m: &Mesh{}}
	r.farthest = [3]int32{-1, -1, -1}
	for r.pos < len(r.data) {
		if err := r.statement(); err != nil {
			return nil, err
		}
		for r.next() != nil { // a skipped statement may be continued on the next line
		}
		r.skipLine()
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	return r.m, nil
}

// statement reads one line, or as much of it as matters.
func (r *objReader) statement() error {
	var err *Error
	switch w := r.next(); string(w) {
	case "v":
		err = r.vertex()
	case "vt":
		err = r.uv()
	case "vn":
		err = r.normal()
	case "f", "fo":
		err = r.polygon()
	case "l", "p":
		err = r.loose()
	case "o":
		r.object = unescape(string(r.rest()))
		// Two are enough to know that objects are groups.
		if r.object != "" && len(r.objects) < 2 && !slices.Contains(r.objects, r.object) {
			r.objects = append(r.objects, r.object)
		}
		r.segment()
	case "g":
		r.groups = nil
		for name := r.next(); name != nil; name = r.next() {
			if n := unescape(string(name)); n != "" && !slices.Contains(r.groups, n) {
				r.groups = append(r.groups, n)
			}
			if len(r.groups) > maxGroupShare {
				err = r.fail("more than %d groups at once", maxGroupShare)
				break
			}
		}
		r.segment()
	case "usemtl":
		r.material = unescape(string(r.rest()))
		r.segment()
	case "#":
		if string(r.next()) == "toile" {
			key, value, ok := strings.Cut(string(r.next()), "=")
			if ok && key != "" {
				r.m.setExtra(unescape(key), unescape(value))
			}
		}
	}
	if err != nil {
		return err
	}
	return nil
}

// notePolygons tells how many polygons were not triangles.
func (m *Mesh) notePolygons(n int) {
	if n > 0 {
		m.Notes = append(
			m.Notes,
			fmt.Sprintf("%d polygons of more than 3 corners were cut into fans, which is right for convex ones", n),
		)
	}
}

// setExtra sets a fact that has a name.
func (m *Mesh) setExtra(key, value string) {
	if key == "" {
		return
	}
	if m.Extra == nil {
		m.Extra = map[string]string{}
	}
	m.Extra[key] = value
}

func (r *objReader) vertex() *Error {
	var x [8]float64
	n := 0
	for w := r.next(); w != nil; w = r.next() {
		if n == len(x) {
			return r.fail("a vertex has at most 7 numbers")
		}
		v, ok := parseNumber(w)
		if !ok {
			return r.fail("%q is not a finite number", clip(w))
		}
		x[n] = v
		n++
	}
	if n != 3 && n != 4 && n != 6 && n != 7 {
		return r.fail("a vertex has %d numbers; write 3 coordinates, then nothing, a weight or a colour", n)
	}
	if len(r.m.Positions) == maxVertices {
		return r.fail("more than %d vertices", maxVertices)
	}
	r.m.Positions = append(r.m.Positions, r3.V(x[0], x[1], x[2]))
	if n >= 6 || r.colours != nil {
		for len(r.colours) < 3*len(r.m.Positions)-3 {
			r.colours = append(r.colours, 1)
		}
		rgb := [3]float64{1, 1, 1}
		if n >= 6 {
			rgb = [3]float64(x[n-3 : n])
		}
		for _, c := range rgb {
			if !finite32(float32(c)) {
				return r.fail("colour %v is too large", c)
			}
			r.colours = append(r.colours, float32(c))
		}
	}
	return nil
}

func (r *objReader) uv() *Error {
	u, err := r.number("the first texture coordinate")
	if err != nil {
		return err
	}
	var v float64
	if w := r.next(); w != nil {
		var ok bool
		if v, ok = parseNumber(w); !ok {
			return r.fail("%q is not a finite number", clip(w))
		}
	}
	r.m.UV = append(r.m.UV, r3.Vec2{X: u, Y: v})
	return nil
}

func (r *objReader) normal() *Error {
	var x [3]float64
	for i := range x {
		var err *Error
		if x[i], err = r.number("a normal's coordinate"); err != nil {
			return err
		}
	}
	r.vns = append(r.vns, r3.V(x[0], x[1], x[2]))
	return nil
}

// index resolves one index of a corner.
func (r *objReader) index(list int, w []byte) (int32, *Error) {
	count := [3]int{len(r.m.Positions), len(r.m.UV), len(r.vns)}[list]
	i, err := strconv.ParseInt(string(w), 10, 32)
	switch {
	case err != nil:
		return 0, r.fail("%q is not a %s index", clip(w), objListNames[list])
	case i == 0:
		return 0, r.fail("%s index 0: indices start at 1", objListNames[list])
	case i < -int64(count):
		return 0, r.fail("%s index %d reaches back past the first of the %d so far", objListNames[list], i, count)
	case i < 0:
		return int32(count) + int32(i), nil
	}
	k := int32(i - 1)
	if k > r.farthest[list] {
		r.farthest[list] = k
		r.place[list] = *r.fail("")
	}
	return k, nil
}

// corner reads "a", "a/b", "a//c" or "a/b/c".
func (r *objReader) corner(w []byte) ([3]int32, *Error) {
	c := [3]int32{-1, -1, -1}
	for list := 0; ; list++ {
		if list == 3 {
			return c, r.fail("a corner has at most vertex/texture/normal")
		}
		end := slices.Index(w, '/')
		part := w
		if end >= 0 {
			part = w[:end]
		}
		if len(part) > 0 || list == objVertex {
			var err *Error
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

func (r *objReader) polygon() *Error {
	r.face = r.face[:0]
	for w := r.next(); w != nil; w = r.next() {
		c, err := r.corner(w)
		if err != nil {
			return err
		}
		r.face = append(r.face, c)
		r.uses = append(r.uses, c[objVertex])
	}
	if len(r.face) < 3 {
		return r.fail("a face has %d corners; it needs 3 or more", len(r.face))
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
func (r *objReader) loose() *Error {
	for w := r.next(); w != nil; w = r.next() {
		c, err := r.corner(w)
		if err != nil {
			return err
		}
		r.uses = append(r.uses, c[objVertex])
	}
	return nil
}

// segment begins a new run of elements after a change of object, group or material.
func (r *objReader) segment() {
	s := objSegment{object: r.object, material: r.material, groups: r.groups, start: len(r.uses)}
	if k := len(r.segments) - 1; k >= 0 && r.segments[k].start == s.start {
		r.segments[k] = s
		return
	}
	r.segments = append(r.segments, s)
}

// finish checks what could not be checked on the way and makes the mesh of it.
func (r *objReader) finish() *Error {
	m := r.m
	for list, count := range [3]int{len(m.Positions), len(m.UV), len(r.vns)} {
		if int(r.farthest[list]) >= count {
			e := r.place[list]
			e.Msg = fmt.Sprintf("%s index %d, but the file has %d", objListNames[list], r.farthest[list]+1, count)
			return &e
		}
	}
	r.word = r.pos
	if len(m.Positions) == 0 {
		return r.fail("no vertices (lines with v)")
	}
	if len(m.Triangles) == 0 {
		return r.fail("no faces (lines with f)")
	}
	if r.colours != nil {
		m.Attributes = []Attribute{{Name: colour, Width: 3, Data: r.colours}}
	}
	r.finishUV()
	r.finishNormals()
	m.notePolygons(r.polygons)
	return r.finishGroups()
}

func (r *objReader) finishUV() {
	m := r.m
	if !slices.ContainsFunc(r.uvs, func(t [3]int32) bool { return max(t[0], t[1], t[2]) >= 0 }) {
		m.UV = nil
		return
	}
	m.CornerUV = r.uvs
	simplifyUV(m)
}

// finishNormals keeps the normals if every vertex has one.
func (r *objReader) finishNormals() {
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

func (r *objReader) finishGroups() *Error {
	m := r.m
	if len(r.objects) > 0 {
		m.Name = r.objects[0]
	}
	g := newGrouper(len(m.Positions))
	crowded := func() *Error { return r.fail("the groups have more than %d members for each vertex", maxGroupShare) }
	for i, s := range r.segments {
		end := len(r.uses)
		if i+1 < len(r.segments) {
			end = r.segments[i+1].start
		}
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
		vertices := sortedSet(slices.Clone(r.uses[s.start:end]))
		for _, name := range names {
			if !g.add(name, vertices) {
				return crowded()
			}
		}
	}
	if !g.settle() {
		return crowded()
	}
	m.Groups = g.groups
	return nil
}
