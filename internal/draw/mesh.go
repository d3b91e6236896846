package draw

import (
	"image/color"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// houseColors are for surfaces without a colour of their own.
var houseColors = [...]color.RGBA{
	{0x4f, 0x86, 0xc6, 0xff},
	{0xb4, 0xac, 0x9e, 0xff},
	{0xd9, 0x8a, 0x4e, 0xff},
	{0x5f, 0xa8, 0x8d, 0xff},
	{0xb5, 0x6b, 0x86, 0xff},
	{0x8a, 0x79, 0xb8, 0xff},
}

// mesh is a surface made ready for drawing.
type mesh struct {
	Surface
	first       int      // index of its first triangle among those of all meshes
	normals     []r3.Vec // unit vertex normals, nil for flat shading
	front, back linear
	scalars     bool
}

// paint chooses the colours of both sides.
func (m *mesh) paint(place int) {
	if m.Color.A == 0 {
		m.Color = houseColors[place%len(houseColors)]
	}
	m.front = fromRGBA(m.Color)
	if m.Back.A != 0 {
		m.back = fromRGBA(m.Back)
		return
	}
	grey := m.front.luminance()
	m.back = m.front.mix(linear{grey, grey, grey}, 0.30).mul(linear{0.86, 0.80, 0.78})
}

// usable reports whether the triangle's corners exist and are finite.
func (m *mesh) usable(t int) bool {
	for _, v := range m.Triangles[t] {
		if v < 0 || int(v) >= len(m.Positions) || !m.Positions[v].Finite() {
			return false
		}
	}
	return true
}

// vertexNormals returns the area-weighted unit normals of the vertices, summed in triangle order.
func vertexNormals(m *mesh, team *par.Team) []r3.Vec {
	normals := make([]r3.Vec, len(m.Positions))
	for t, tri := range m.Triangles {
		if !m.usable(t) {
			continue
		}
		a, b, c := m.Positions[tri[0]], m.Positions[tri[1]], m.Positions[tri[2]]
		n := b.Sub(a).Cross(c.Sub(a))
		for _, v := range tri {
			normals[v] = normals[v].Add(n)
		}
	}
	team.For(len(normals), 1024, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			normals[v] = normals[v].Unit()
		}
	})
	return normals
}
