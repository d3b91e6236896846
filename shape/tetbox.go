package shape

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// sixTets are the six tets of a cell around its diagonal, by corners of which bit 0, 1 and 2 are x, y and z.
var sixTets = [6][4]int{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}

// TetBox returns a box from the origin to size [m] in nx by ny by nz cells of six tets, the vertices of its skin first.
// Cells are mirror images of their neighbours, so that even numbers of them prefer no direction. They bend more softly
// than the five tets of Block, whose angles are better.
func TetBox(size r3.Vec, nx, ny, nz int) *mesh.Tets {
	if nx < 1 || ny < 1 || nz < 1 {
		panic(fmt.Sprintf("shape: a box of %d by %d by %d cells", nx, ny, nz))
	}
	m := &mesh.Tets{}
	for k := range nz + 1 {
		for j := range ny + 1 {
			for i := range nx + 1 {
				x, y, z := float64(i)/float64(nx), float64(j)/float64(ny), float64(k)/float64(nz)
				m.X = append(m.X, r3.V(x*size.X, y*size.Y, z*size.Z))
			}
		}
	}
	m.Tet = sixTetCells(nx, ny, nz, func(i, j, k int) int32 { return int32((k*(ny+1)+j)*(nx+1) + i) })
	sorted, _, _ := m.SkinFirst()
	return sorted
}

// Ring returns what is between two cylinders around the Z axis with the radii inner and outer [m] and of the given
// length, in cells of six tets: so many of them around, from the inside out, and along. It panics if outer is not
// beyond inner and that not beyond 0, or if there are not at least four cells around, an even number, and one the other
// ways.
func Ring(inner, outer, length float64, around, layers, along int) *mesh.Tets {
	checkSolid("ring", min(layers, along), 1, inner, outer-inner, length)
	if around < 4 || around&1 == 1 {
		panic(fmt.Sprintf("shape: a ring with %d cells around", around))
	}
	m := &mesh.Tets{}
	for k := range along + 1 {
		z := length * (float64(k)/float64(along) - 0.5)
		for j := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(around))
			for i := range layers + 1 {
				r := inner + (outer-inner)*float64(i)/float64(layers)
				m.X = append(m.X, r3.V(r*cos, r*sin, z))
			}
		}
	}
	m.Tet = sixTetCells(layers, around, along, func(i, j, k int) int32 {
		return int32((k*around+j%around)*(layers+1) + i)
	})
	return m
}

// sixTetCells returns the tets of nx by ny by nz cells, which are mirror images of their neighbours.
func sixTetCells(nx, ny, nz int, vertex func(i, j, k int) int32) (tets [][4]int32) {
	for k := range nz {
		for j := range ny {
			for i := range nx {
				flip := i&1 | j&1<<1 | k&1<<2
				for _, corners := range sixTets {
					var tet [4]int32
					for a, c := range corners {
						c ^= flip
						tet[a] = vertex(i+c&1, j+c>>1&1, k+c>>2)
					}
					if (i+j+k)&1 == 1 {
						tet[0], tet[1] = tet[1], tet[0]
					}
					tets = append(tets, tet)
				}
			}
		}
	}
	return tets
}
