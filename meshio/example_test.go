package meshio_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/toile-sim/toile/meshio"
)

func Example() {
	const obj = `v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
g hem
f 1 2 3 4
`
	m, err := meshio.Read(strings.NewReader(obj), meshio.OBJ, meshio.DefaultReadOptions())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(m.Positions), "vertices,", len(m.Triangles), "triangles, group", m.Groups[0].Name)
	fmt.Println(m.Notes[0])

	if err := meshio.Write(os.Stdout, meshio.PLYASCII, m, meshio.DefaultWriteOptions()); err != nil {
		log.Fatal(err)
	}
	_, err = meshio.Read(bytes.NewBufferString("v 0 0 0\nf 1 2 3\n"), meshio.OBJ, meshio.DefaultReadOptions())
	fmt.Println(err)
	// Output:
	// 4 vertices, 2 triangles, group hem
	// 1 polygons of more than 3 corners were cut into fans, which is right for convex ones
	// ply
	// format ascii 1.0
	// element vertex 4
	// property float x
	// property float y
	// property float z
	// property uchar group:hem
	// element face 2
	// property list uchar int vertex_indices
	// end_header
	// 0 0 0 1
	// 1 0 0 1
	// 1 1 0 1
	// 0 1 0 1
	// 3 0 1 2
	// 3 0 2 3
	// mesh:2:7: vertex index 3, but the file has 1
}
