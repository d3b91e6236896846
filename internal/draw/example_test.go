package draw_test

import (
	"fmt"
	"image"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/r3"
)

// A tetrahedron on the ground, from two sides, on one sheet.
func Example() {
	tet := draw.Surface{
		Name:      "tetrahedron",
		Positions: []r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
		Flat:      true,
	}
	surfaces := []draw.Surface{tet}
	box := draw.Bounds(surfaces)
	opt := draw.DefaultOptions()
	opt.Width, opt.Height = 160, 120
	opt.Ground = draw.GroundUnder(box)

	var cells []*image.RGBA
	for _, from := range []r3.Vec{r3.V(1, -2, 1), r3.V(2, 1, 1)} {
		cells = append(cells, draw.Render(surfaces, draw.Fit(box, from, 160.0/120), opt))
	}
	sheet := draw.Sheet(cells, []string{"front", "right"}, 2, "A tetrahedron")
	fmt.Println(len(cells), "cells on a sheet of", sheet.Bounds().Size())
	// Output: 2 cells on a sheet of (356,197)
}
