// Package model has what files of meshes and curves hold, whatever their format, and the faults that readers find.
package model

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/toile-sim/toile/r3"
)

// Mesh is what a file holds: plain arrays, nothing derived.
type Mesh struct {
	Name      string
	Positions []r3.Vec   // [m], Z-up
	Triangles [][3]int32 // indices into Positions; may be degenerate, never out of range

	// UV are texture or pattern points, v upwards. With CornerUV empty, UV is empty or has one
	// point for each vertex, index for index. Otherwise CornerUV has one triple for each
	// triangle, indices into UV, and -1 for a corner that has none.
	UV       []r3.Vec2
	CornerUV [][3]int32

	Normals    []r3.Vec          // empty, or one for each vertex
	Attributes []Attribute       // named numbers at the vertices
	Groups     []Group           // named sets of vertices
	Extra      map[string]string // small facts about the mesh, such as a state hash
	Notes      []string          // what a reader changed or left out, for people; never written
}

// Attribute is a named quantity at the vertices. It is stored as it is, neither turned to the
// file's axes nor scaled to its unit. "COLOR_0" is the vertex colour, of width 3 or 4, in 0..1.
type Attribute struct {
	Name  string
	Width int       // numbers for each vertex, 1 to 4
	Data  []float32 // Width numbers for each vertex, finite
}

// Group is a named set of vertices: what an OBJ file calls an object, group or material, and a
// glTF file a node or material.
type Group struct {
	Name     string
	Vertices []int32 // ascending, without repetition
}

// IDAttribute names the attribute that holds a vertex's index before splitting.
const IDAttribute = "_ID"

// MaxVertices is the largest vertex count, so that every index, and every count of three
// times as many triangle corners, fits an int32.
const MaxVertices = 1 << 28

// MaxGroupShare bounds the members of all groups together to this many for each vertex. Without
// it a few bytes of a hostile file could name every vertex thousands of times.
const MaxGroupShare = 64

// Colour is the one attribute that every format knows.
const Colour = "COLOR_0"

// Validate lists what would keep m from being written. Degenerate triangles, unused vertices and
// the like are not faults here.
func (m *Mesh) Validate() error {
	var faults []string
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	// vertices
	n := len(m.Positions)
	if n == 0 {
		add("no vertices")
	}
	if n > MaxVertices {
		add("%d vertices, more than %d", n, MaxVertices)
	}
	if i := FirstNotFinite(m.Positions); i >= 0 {
		add("vertex %d is at %v, not a finite position", i, m.Positions[i])
	}
	// triangles and their UVs
	if len(m.Triangles) == 0 {
		add("no triangles")
	}
	if i := FirstOutside(m.Triangles, 0, n); i >= 0 {
		add("triangle %d has vertices %v, but there are %d", i, m.Triangles[i], n)
	}
	m.uvFaults(add)
	// normals
	if len(m.Normals) != 0 && len(m.Normals) != n {
		add("%d normals for %d vertices", len(m.Normals), n)
	}
	if i := FirstNotFinite(m.Normals); i >= 0 {
		add("normal %d is %v, not finite", i, m.Normals[i])
	}
	// attributes, groups, and texts that are not UTF-8
	attributeFaults(m.Attributes, n, add)
	m.groupFaults(add)
	if !utf8.ValidString(m.Name) {
		add("the name %q is not UTF-8", m.Name)
	}
	for _, k := range slices.Sorted(maps.Keys(m.Extra)) {
		if k == "" || !utf8.ValidString(k) || !utf8.ValidString(m.Extra[k]) {
			add("extra %q=%q is not named or not UTF-8", k, m.Extra[k])
		}
	}
	return JoinFaults("mesh", faults)
}

func (m *Mesh) uvFaults(add func(string, ...any)) {
	for i, p := range m.UV {
		if !p.Finite() {
			add("UV %d is %v, not finite", i, p)
			break
		}
	}
	if len(m.CornerUV) == 0 {
		if len(m.UV) != 0 && len(m.UV) != len(m.Positions) {
			add("%d UVs for %d vertices and no CornerUV", len(m.UV), len(m.Positions))
		}
		return
	}
	if len(m.CornerUV) != len(m.Triangles) {
		add("CornerUV has %d triangles instead of %d", len(m.CornerUV), len(m.Triangles))
	}
	if i := FirstOutside(m.CornerUV, -1, len(m.UV)); i >= 0 {
		add("triangle %d has UVs %v, but there are %d", i, m.CornerUV[i], len(m.UV))
	}
}

// attributeFaults tells what is wrong with attributes of n vertices.
func attributeFaults(attributes []Attribute, n int, add func(string, ...any)) {
	seen := map[string]bool{}
	for _, a := range attributes {
		switch {
		case a.Name == "" || !utf8.ValidString(a.Name):
			add("attribute %q has no name or none in UTF-8", a.Name)
		case a.Name == IDAttribute:
			add("attribute %s is reserved for the vertex index", a.Name)
		case seen[a.Name]:
			add("attribute %s is there twice", a.Name)
		}
		seen[a.Name] = true
		if a.Width < 1 || a.Width > 4 || a.Name == Colour && a.Width < 3 {
			add("attribute %s has width %d", a.Name, a.Width)
			continue
		}
		if len(a.Data) != a.Width*n {
			add("attribute %s has %d numbers instead of %d", a.Name, len(a.Data), a.Width*n)
		}
		for i, x := range a.Data {
			if !Finite32(x) {
				add("attribute %s is %v at vertex %d, not finite", a.Name, x, i/a.Width)
				break
			}
		}
	}
}

func (m *Mesh) groupFaults(add func(string, ...any)) {
	seen := map[string]bool{}
	members := 0
	for _, g := range m.Groups {
		// names, each once
		switch {
		case g.Name == "" || !utf8.ValidString(g.Name):
			add("group %q has no name or none in UTF-8", g.Name)
		case seen[g.Name]:
			add("group %s is there twice", g.Name)
		}
		seen[g.Name] = true
		members += len(g.Vertices)
		// members in ascending order
		last := int32(-1)
		for _, v := range g.Vertices {
			if v <= last || int(v) >= len(m.Positions) {
				add(
					"group %s has vertex %d after %d of %d; members must ascend and exist",
					g.Name,
					v,
					last,
					len(m.Positions),
				)
				break
			}
			last = v
		}
	}
	// limit that readers have, too
	if members > MaxGroupShare*len(m.Positions) {
		add("the groups have %d members, more than %d for each vertex", members, MaxGroupShare)
	}
}

// NotePolygons tells how many polygons were not triangles.
func NotePolygons(m *Mesh, n int) {
	if n > 0 {
		m.Notes = append(
			m.Notes,
			fmt.Sprintf("%d polygons of more than 3 corners were cut into fans, which is right for convex ones", n),
		)
	}
}

// SetExtra sets a fact that has a name.
func SetExtra(m *Mesh, key, value string) {
	if key == "" {
		return
	}
	if m.Extra == nil {
		m.Extra = map[string]string{}
	}
	m.Extra[key] = value
}
