package meshio

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// weldMesh joins all vertices at exactly the same position.
func weldMesh(m *Mesh) {
	to, n := weld(m.Positions, 0, nil)
	if joined := len(m.Positions) - int(n); joined > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("%d vertices were joined to others at the same position", joined))
		join(m, to, int(n))
	}
}

// weld appends to `to` the number of each position, counted from next in order of appearance, with
// the same number for equal positions. It returns the next number free.
func weld(positions []r3.Vec, next int32, to []int32) ([]int32, int32) {
	seen := make(map[r3.Vec]int32, len(positions))
	for _, p := range positions {
		k, ok := seen[p]
		if !ok {
			k = next
			seen[p] = k
			next++
		}
		to = append(to, k)
	}
	return to, next
}

// join makes vertex to[v] of every vertex v; the n new vertices must all be met. Position and
// attributes are those of the first that is met, the normal is their mean, and UVs stay those
// of the corners.
func join(m *Mesh, to []int32, n int) {
	old := len(m.Positions)
	first := make([]int32, n)
	for v := old - 1; v >= 0; v-- {
		first[to[v]] = int32(v)
	}
	if len(m.UV) > 0 && len(m.CornerUV) == 0 {
		m.CornerUV = slices.Clone(m.Triangles)
	}
	for i, t := range m.Triangles {
		m.Triangles[i] = [3]int32{to[t[0]], to[t[1]], to[t[2]]}
	}
	m.Positions = pick(m.Positions, first, 1)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		a.Data = pick(a.Data, first, a.Width)
	}
	if len(m.Normals) > 0 {
		joinNormals(m, to, first)
	}
	for i := range m.Groups {
		g := m.Groups[i].Vertices
		for k, v := range g {
			g[k] = to[v]
		}
		m.Groups[i].Vertices = sortedSet(g)
	}
	simplifyUV(m)
}

func pick[T any](from []T, first []int32, width int) []T {
	out := make([]T, 0, len(first)*width)
	for _, v := range first {
		out = append(out, from[int(v)*width:int(v+1)*width]...)
	}
	return out
}

func joinNormals(m *Mesh, to, first []int32) {
	normals := pick(m.Normals, first, 1)
	sum := make([]r3.Vec, len(normals))
	differ := make([]bool, len(normals))
	for v, k := range to {
		sum[k] = sum[k].Add(m.Normals[v])
		differ[k] = differ[k] || m.Normals[v] != normals[k]
	}
	for k := range normals {
		if differ[k] {
			normals[k] = sum[k].Unit()
		}
	}
	m.Normals = normals
}

// simplifyUV drops CornerUV where it says no more than Triangles.
func simplifyUV(m *Mesh) {
	if len(m.CornerUV) > 0 && len(m.UV) == len(m.Positions) && slices.Equal(m.CornerUV, m.Triangles) {
		m.CornerUV = nil
	}
}

func sortedSet(vs []int32) []int32 {
	slices.Sort(vs)
	return slices.Compact(vs)
}

// grouper collects named groups in order of appearance, and refuses when their members together
// outnumber the vertices by more than maxGroupShare.
type grouper struct {
	groups  []Group
	byName  map[string]int
	members int // with repetitions since the last settle
	limit   int
}

func newGrouper(vertices int) *grouper {
	return &grouper{byName: map[string]int{}, limit: maxGroupShare * vertices}
}

// add puts vertices into the named group and reports whether there was room.
func (g *grouper) add(name string, vertices []int32) bool {
	if len(vertices) == 0 {
		return true
	}
	// Faces that alternate between two groups repeat their vertices. Settling at twice the limit
	// leaves room for as many again, so that it stays rare.
	if g.members += len(vertices); g.members > 2*g.limit && !g.settle() {
		return false
	}
	k, ok := g.byName[name]
	if !ok {
		k = len(g.groups)
		g.byName[name] = k
		g.groups = append(g.groups, Group{Name: name})
	}
	g.groups[k].Vertices = append(g.groups[k].Vertices, vertices...)
	return true
}

// settle sorts each group, takes out repetitions and reports whether the rest is within the limit.
func (g *grouper) settle() bool {
	g.members = 0
	for i := range g.groups {
		g.groups[i].Vertices = sortedSet(g.groups[i].Vertices)
		g.members += len(g.groups[i].Vertices)
	}
	return g.members <= g.limit
}
