package untangle_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Two sheets go through each other; the second is to be on top.
func ExampleSeparate() {
	m, x := shape.Grid(0.2, 0.2, 10, 10)
	tilted := make([]r3.Vec, len(x))
	for i, p := range x {
		tilted[i] = r3.V(p.X, p.Y, 0.1*(p.X-0.09))
	}
	sheets := []untangle.Surface{
		{Tri: m.Tri, X: x, Layer: 1, Thickness: 1e-3},
		{Tri: m.Tri, X: tilted, Layer: 2, Thickness: 1e-3},
	}
	before := untangle.Count(sheets, nil, nil)
	untangle.Separate(sheets, nil, untangle.DefaultOptions())
	after := untangle.Count(sheets, nil, nil)
	fmt.Println(len(before) > 0, len(after) > 0)
	// Output: true false
}
