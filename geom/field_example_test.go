package geom_test

import (
	"fmt"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// A point beside a capsule that stands between two points.
func ExamplePlaced() {
	a, b := r3.V(0, 0, 0), r3.V(2, 0, 0)
	arm := geom.Placed{Shape: geom.Capsule{Radius: 0.25, Half: 1}, Pose: geom.Along(a, b)}
	d, n := arm.Distance(r3.V(1, 0, 0.75))
	fmt.Printf("%.2f m away, the normal rises by %.2f\n", d, n.Z)
	// Output: 0.50 m away, the normal rises by 1.00
}

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
