package setup

import (
	"github.com/toile-sim/toile/material"
)

const CardStep = 2e-3

// CardFabric is paper with its stretch a hundredth and its bending a hundred times, as in [Li18]: it hardly bends or
// buckles.
func CardFabric() material.Fabric {
	return SheetFabric{Density: 0.1, Stretch: 5e3, Bend: 0.04}.Fabric()
}
