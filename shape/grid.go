// Package shape makes meshes from a few numbers: grids, strips, tubes and other cloth, the surfaces
// of simple solids, and solids cut into tets.
package shape

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Grid returns a rectangle of sizeX by sizeY [m] in the xy plane, with its lower left corner at the
// origin, divided into cellsX by cellsY cells that are cut from their lower left to their upper right
// corner. Vertices are numbered row by row: vertex i of row j is j (cellsX + 1) + i. Material points
// are the positions. It panics if a size or a number of cells is not positive.
func Grid(sizeX, sizeY float64, cellsX, cellsY int) (*mesh.Mesh, []r3.Vec) {
	checkGrid(sizeX, sizeY, cellsX, cellsY)
	row := cellsX + 1
	verts := row * (cellsY + 1)
	material := make([]r3.Vec2, 0, verts)
	for j := range cellsY + 1 {
		for i := range row {
			// The quotient first, so that the last point is exactly at the size.
			material = append(material, r3.Vec2{
				X: sizeX * (float64(i) / float64(cellsX)),
				Y: sizeY * (float64(j) / float64(cellsY)),
			})
		}
	}
	tri := make([][3]int32, 0, 2*cellsX*cellsY)
	for j := range cellsY {
		for i := range cellsX {
			a := int32(j*row + i)
			b, c, d := a+1, a+1+int32(row), a+int32(row)
			tri = append(tri, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	m, err := mesh.New(verts, tri, material, nil)
	if err != nil {
		panic("shape: grid with cells too long for their width: " + err.Error())
	}
	return m, InPlane(material)
}

// GridOf is Grid with the cells cut by a pattern. Patterns that have no cells (Equilateral, Random) get
// triangles of about the size of the cells, and about 15 % more vertices; cells that are not square
// stretch them. The seed matters to Random only.
func GridOf(p Pattern, sizeX, sizeY float64, cellsX, cellsY int, seed uint64) (*mesh.Mesh, []r3.Vec) {
	if p == Right {
		return Grid(sizeX, sizeY, cellsX, cellsY)
	}
	checkGrid(sizeX, sizeY, cellsX, cellsY)
	unit, at := Strip(p, float64(cellsX), float64(cellsY), 1, 0, seed)
	material := make([]r3.Vec2, len(at))
	for i, q := range at {
		material[i] = r3.Vec2{X: sizeX * (q.X / float64(cellsX)), Y: sizeY * (q.Y / float64(cellsY))}
	}
	m, err := mesh.New(unit.Verts, unit.Tri, material, nil)
	if err != nil {
		panic("shape: grid with cells too long for their width: " + err.Error())
	}
	return m, InPlane(material)
}

func checkGrid(sizeX, sizeY float64, cellsX, cellsY int) {
	if !(sizeX > 0 && sizeY > 0) || math.IsInf(sizeX, 1) || math.IsInf(sizeY, 1) || cellsX < 1 || cellsY < 1 {
		panic(fmt.Sprintf("shape: grid of %g x %g m and %d x %d cells", sizeX, sizeY, cellsX, cellsY))
	}
}

// InPlane returns points of the material as points of the plane z = 0.
func InPlane(material []r3.Vec2) []r3.Vec {
	x := make([]r3.Vec, len(material))
	for i, p := range material {
		x[i] = r3.V(p.X, p.Y, 0)
	}
	return x
}

// Boundary returns the vertices at the boundary of a mesh, ascending.
func Boundary(m *mesh.Mesh) []int32 {
	on := onBoundary(m)
	var out []int32
	for v, yes := range on {
		if yes {
			out = append(out, int32(v))
		}
	}
	return out
}

func onBoundary(m *mesh.Mesh) []bool {
	on := make([]bool, m.Verts)
	for i := range m.Edges {
		if e := &m.Edges[i]; e.Boundary() {
			on[e.V[0]], on[e.V[1]] = true, true
		}
	}
	return on
}

// cornerAngle is the rest angle of cloth at a boundary vertex below which the vertex is a corner
// [rad]: half-way between straight and square.
const cornerAngle = 0.75 * math.Pi

// Corners returns the vertices where the boundary of a mesh turns sharply outwards, ascending: those
// at which the triangles take up less than 135 degrees of their rest shape. A rectangle has four.
func Corners(m *mesh.Mesh) []int32 {
	angle := make([]float64, m.Verts)
	for t, v := range m.Tri {
		a, b, c := m.RestTriangle(int32(t))
		angle[v[0]] += angleAt(a, b, c)
		angle[v[1]] += angleAt(b, c, a)
		angle[v[2]] += angleAt(c, a, b)
	}
	var out []int32
	for v, yes := range onBoundary(m) {
		if yes && angle[v] < cornerAngle {
			out = append(out, int32(v))
		}
	}
	return out
}

// angleAt returns the angle of triangle abc at a [rad].
func angleAt(a, b, c r3.Vec2) float64 {
	p, q := b.Sub(a), c.Sub(a)
	return math.Atan2(math.Abs(p.Cross(q)), p.Dot(q))
}
