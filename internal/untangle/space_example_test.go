package untangle_test

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
)

// An elbow is bent until its halves go through each other, and gets a gap of 5 mm.
func ExampleSpace_Open() {
	limb := mannequin.Limb{Radius: 0.05, Bone: 0.2, Around: 16, Along: 12, Blend: 0.15}
	x, tri := limb.Bent(120 * math.Pi / 180)
	space, err := untangle.NewSpace(len(x), tri)
	if err != nil {
		fmt.Println(err)
		return
	}
	u := make([]r3.Vec, len(x))
	opt := untangle.DefaultSpaceOptions()
	opt.UntilClear = true
	stats := space.Open(x, u, opt)
	fmt.Println(stats.CrossingsBefore > 0, stats.CrossingsAfter)
	// Output: true 0
}
