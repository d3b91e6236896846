package untangle

import (
	"fmt"

	"github.com/toile-sim/toile/r3"
)

// LimitChange holds the displacements of a frame near those of the frame before: no vertex changes by more than limit
// [m]. It returns the largest change that there was, before the limit, and how many vertices it held back.
func LimitChange(before, u []r3.Vec, limit float64) (largest float64, held int) {
	if len(before) != len(u) {
		panic(fmt.Sprintf("untangle: %d displacements and %d before", len(u), len(before)))
	}
	for i := range u {
		d := u[i].Sub(before[i])
		size := d.Norm()
		largest = max(largest, size)
		if size > limit {
			u[i] = before[i].AddScaled(limit/size, d)
			held++
		}
	}
	return largest, held
}
