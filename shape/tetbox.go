package shape

import (
	"fmt"

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
	for k := range nz {
		for j := range ny {
			for i := range nx {
				flip := i&1 | j&1<<1 | k&1<<2
				for _, corners := range sixTets {
					var tet [4]int32
					for a, c := range corners {
						c ^= flip
						tet[a] = int32(((k+c>>2)*(ny+1)+j+c>>1&1)*(nx+1) + i + c&1)
					}
					if (i+j+k)&1 == 1 {
						tet[0], tet[1] = tet[1], tet[0]
					}
					m.Tet = append(m.Tet, tet)
				}
			}
		}
	}
	sorted, _, _ := m.SkinFirst()
	return sorted
}
