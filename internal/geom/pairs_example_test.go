package geom_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// Which of four boxes in a row meet.
func ExamplePairFinder() {
	var boxes []r3.Box
	for i := range 4 {
		x := float64(i)
		boxes = append(boxes, r3.Box{Min: r3.V(x, 0, 0), Max: r3.V(x+1, 1, 1)})
	}
	var finder geom.PairFinder
	fmt.Println(finder.Self(nil, geom.NewTree(boxes), nil, nil))
	// Output: [[0 1] [1 2] [2 3]]
}
