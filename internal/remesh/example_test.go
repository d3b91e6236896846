package remesh_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A square of two triangles is brought to edges of at most 0.4 m.
func Example() {
	m, x := shape.Grid(1, 1, 1, 1)
	s := &remesh.Sheet{
		Mesh: m, X: x, V: make([]r3.Vec, 4), UID: []int64{0, 1, 2, 3}, NextUID: 4,
		Keep: make([]bool, 4), Mass: []float64{0.1, 0.05, 0.05, 0.1}, Density: 0.3,
	}
	opt := remesh.DefaultOptions()
	opt.Max = 0.4
	var r remesh.Remesher
	r.Remesh(nil, s, &remesh.Surroundings{Thickness: 1e-3}, &opt)
	total := 0.0
	for _, mass := range s.Mass {
		total += mass
	}
	fmt.Printf("edges are at most 0.4 m: %v, mass %.3f kg\n", longest(s.Mesh) <= 0.4, total)
	// Output: edges are at most 0.4 m: true, mass 0.300 kg
}
