package mesh_test

import (
	"fmt"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Two triangles over a square of 10 cm.
func ExampleNew() {
	points := []r3.Vec2{{X: 0, Y: 0}, {X: 0.1, Y: 0}, {X: 0.1, Y: 0.1}, {X: 0, Y: 0.1}}
	m, err := mesh.New(4, [][3]int32{{0, 1, 2}, {0, 2, 3}}, points, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d triangles, %d edges, area of the first %.3f m²\n", len(m.Tri), len(m.Edges), m.RestArea(0))
	// Output: 2 triangles, 5 edges, area of the first 0.005 m²
}
