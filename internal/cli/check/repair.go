package check

import (
	"slices"

	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// repair does to m what is safe, in place, and says what it did: it removes triangles without area,
// triangles that are there twice and vertices that are not used, and turns triangles so that
// neighbours face the same way. With a positive merge [m] it first joins vertices that are that near.
func repair(m *meshio.Mesh, merge float64) []string {
	var done []string
	say := func(what string, n int) {
		if n > 0 {
			done = append(done, what+": "+words.Thousands(n))
		}
	}
	if merge > 0 {
		say("vertices merged with others within "+words.Length(merge), mergeVertices(m, merge))
	}
	say("triangles without area removed", removeTriangles(m, func(t int) bool {
		return !(height(m.Positions, m.Triangles[t]) > flatTriangle)
	}))
	double := make([]bool, len(m.Triangles))
	for _, t := range duplicates(m.Triangles) {
		double[t] = true
	}
	say("repeated triangles removed", removeTriangles(m, func(t int) bool { return double[t] }))
	turned := 0
	if turn, ok := newTopology(m, nil).sidedness(); ok {
		for t := range m.Triangles {
			if turn[t] {
				turnTriangle(m, t)
				turned++
			}
		}
	}
	say("triangles turned to face like their neighbours", turned)
	say("unused vertices removed", removeUnused(m))
	if len(done) > 0 {
		m.Normals = nil // they are those of the old surface
	}
	return done
}

// mergeVertices makes triangles use one of several vertices that are near each other. The others stay,
// unused.
func mergeVertices(m *meshio.Mesh, tol float64) int {
	onto := coincident(m.Positions, tol)
	merged := 0
	for i, j := range onto {
		if int(j) != i {
			merged++
		}
	}
	if merged == 0 {
		return 0
	}
	if len(m.UV) > 0 && len(m.CornerUV) == 0 { // each vertex keeps its own pattern point
		m.CornerUV = slices.Clone(m.Triangles)
	}
	for t := range m.Triangles {
		for k, v := range m.Triangles[t] {
			m.Triangles[t][k] = onto[v]
		}
	}
	for g := range m.Groups {
		vertices := m.Groups[g].Vertices
		for i, v := range vertices {
			vertices[i] = onto[v]
		}
		slices.Sort(vertices)
		m.Groups[g].Vertices = slices.Compact(vertices)
	}
	return merged
}

// removeTriangles removes the triangles that are bad and returns how many there were.
func removeTriangles(m *meshio.Mesh, bad func(t int) bool) int {
	kept := 0
	for t := range m.Triangles {
		if bad(t) {
			continue
		}
		m.Triangles[kept] = m.Triangles[t]
		if len(m.CornerUV) > 0 {
			m.CornerUV[kept] = m.CornerUV[t]
		}
		kept++
	}
	removed := len(m.Triangles) - kept
	m.Triangles = m.Triangles[:kept]
	if len(m.CornerUV) > 0 {
		m.CornerUV = m.CornerUV[:kept]
	}
	return removed
}

func turnTriangle(m *meshio.Mesh, t int) {
	v := &m.Triangles[t]
	v[1], v[2] = v[2], v[1]
	if len(m.CornerUV) > 0 {
		c := &m.CornerUV[t]
		c[1], c[2] = c[2], c[1]
	}
}

// removeUnused removes the vertices that no triangle uses, with all that belongs to them.
func removeUnused(m *meshio.Mesh) int {
	// vertices that triangles use
	number := make([]int32, len(m.Positions))
	for _, t := range m.Triangles {
		for _, v := range t {
			number[v] = 1
		}
	}
	// their new numbers
	kept := int32(0)
	for v, used := range number {
		number[v] = -1
		if used == 1 {
			number[v] = kept
			kept++
		}
	}
	removed := len(m.Positions) - int(kept)
	if removed == 0 {
		return 0
	}
	// triangles
	for t := range m.Triangles {
		for k, v := range m.Triangles[t] {
			m.Triangles[t][k] = number[v]
		}
	}
	// values by vertex
	m.Positions = compact(m.Positions, number, 1)
	if len(m.UV) > 0 && len(m.CornerUV) == 0 {
		m.UV = compact[r3.Vec2](m.UV, number, 1)
	}
	for a := range m.Attributes {
		m.Attributes[a].Data = compact(m.Attributes[a].Data, number, m.Attributes[a].Width)
	}
	// groups of vertices
	for g := range m.Groups {
		vertices := m.Groups[g].Vertices[:0]
		for _, v := range m.Groups[g].Vertices {
			if number[v] >= 0 {
				vertices = append(vertices, number[v])
			}
		}
		m.Groups[g].Vertices = vertices
	}
	return removed
}

// compact keeps the values of the vertices that have a number, width values for each.
func compact[T any](values []T, number []int32, width int) []T {
	out := values[:0]
	for v, n := range number {
		if n >= 0 {
			out = append(out, values[v*width:(v+1)*width]...)
		}
	}
	return out
}
