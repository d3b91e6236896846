package r3_test

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// A quarter turn about the vertical, then a step up.
func ExamplePose() {
	p := r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), math.Pi/2), T: r3.V(0, 0, 1)}
	fmt.Printf("%.1f\n", p.Apply(r3.V(2, 0, 0)))
	// Output: {0.0 2.0 1.0}
}
