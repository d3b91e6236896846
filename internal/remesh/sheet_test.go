package remesh_test

import "github.com/toile-sim/toile/mesh"

// longest returns the longest edge of a mesh in the material [m].
func longest(m *mesh.Mesh) float64 {
	most := 0.0
	for t := range m.Tri {
		a, b, c := m.RestTriangle(int32(t))
		most = max(most, b.Sub(a).Norm(), c.Sub(b).Norm(), a.Sub(c).Norm())
	}
	return most
}
