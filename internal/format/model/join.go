package model

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// WeldMesh joins all vertices at exactly the same position.
func WeldMesh(m *Mesh) {
	to, n := Weld(m.Positions, 0, nil)
	if joined := len(m.Positions) - int(n); joined > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("%d vertices were joined to others at the same position", joined))
		Join(m, to, int(n))
	}
}

// Weld appends to `to` the number of each position, counted from next in order of appearance, with
// the same number for equal positions. It returns the next number free.
func Weld(positions []r3.Vec, next int32, to []int32) ([]int32, int32) {
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

// Join makes vertex to[v] of every vertex v; the n new vertices must all be met. Position and
// attributes are those of the first that is met, the normal is their mean, and UVs stay those
// of the corners.
func Join(m *Mesh, to []int32, n int) {
	// first of the vertices that become one
	old := len(m.Positions)
	first := make([]int32, n)
	for v := old - 1; v >= 0; v-- {
		first[to[v]] = int32(v)
	}
	// UVs stay with corners
	if len(m.UV) > 0 && len(m.CornerUV) == 0 {
		m.CornerUV = slices.Clone(m.Triangles)
	}
	// triangles, positions and attributes
	for i, t := range m.Triangles {
		m.Triangles[i] = [3]int32{to[t[0]], to[t[1]], to[t[2]]}
	}
	m.Positions = pick(m.Positions, first, 1)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		a.Data = pick(a.Data, first, a.Width)
	}
	// mean of normals
	if len(m.Normals) > 0 {
		joinNormals(m, to, first)
	}
	// groups, each vertex once
	for i := range m.Groups {
		g := m.Groups[i].Vertices
		for k, v := range g {
			g[k] = to[v]
		}
		m.Groups[i].Vertices = SortedSet(g)
	}
	SimplifyUV(m)
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

// SimplifyUV drops CornerUV where it says no more than Triangles.
func SimplifyUV(m *Mesh) {
	if len(m.CornerUV) > 0 && len(m.UV) == len(m.Positions) && slices.Equal(m.CornerUV, m.Triangles) {
		m.CornerUV = nil
	}
}

// SortedSet sorts and takes out repetitions.
func SortedSet(vs []int32) []int32 {
	slices.Sort(vs)
	return slices.Compact(vs)
}
