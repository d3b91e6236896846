package shape_test

import (
	"fmt"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A point beside a capsule that stands between two points.
func ExamplePlaced() {
	a, b := r3.V(0, 0, 0), r3.V(2, 0, 0)
	arm := shape.Placed{Shape: shape.Capsule{Radius: 0.25, Half: 1}, Pose: shape.Along(a, b)}
	d, n := arm.Distance(r3.V(1, 0, 0.75))
	fmt.Printf("%.2f m away, the normal rises by %.2f\n", d, n.Z)
	// Output: 0.50 m away, the normal rises by 1.00
}
