package draw

import (
	"image/color"

	"github.com/toile-sim/toile/r3"
)

// Surface is a triangle mesh to draw. Triangles with an index that does not exist, with a position
// that is not finite or without area are left out of the picture.
type Surface struct {
	// Name is what messages and callers call the surface; it is not drawn.
	Name string
	// Positions are the vertices [m].
	Positions []r3.Vec
	// Triangles index Positions; the front is where they run counter-clockwise.
	Triangles [][3]int32
	// Color is the colour of the front. With alpha 0 the surface takes the house colour of its
	// place in the list. Alpha has no other meaning: surfaces are opaque.
	Color color.RGBA
	// Back is the colour of the back. With alpha 0 it is a muted, darker Color, so that folds read.
	Back color.RGBA
	// Scalar, if there is one value for each vertex, colours the surface through the colour map of
	// Options.Scale. A value that is not a number is drawn grey.
	Scalar []float64
	// Flat shades every triangle with its own normal, for boxes and other sharp shapes.
	Flat bool
	// Edges draws the triangle edges as thin lines that fade where triangles are only a few pixels
	// high.
	Edges bool
	// Marks are vertices to mark with a dot, such as pins.
	Marks []int32
}

// Bounds returns the box of all finite positions of the surfaces; it is empty if there are none.
func Bounds(surfaces []Surface) r3.Box {
	box := r3.EmptyBox()
	for i := range surfaces {
		for _, p := range surfaces[i].Positions {
			if p.Finite() {
				box = box.With(p)
			}
		}
	}
	return box
}
