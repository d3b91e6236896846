package draw

import (
	"errors"
	"fmt"
	"image/color"

	"github.com/toile-sim/toile/r3"
)

// Ground is a level floor that receives shadows.
type Ground struct {
	// Show draws the ground, if the eye is above it.
	Show bool
	// Height is the z of the ground [m].
	Height float64
	// Cell is the distance between grid lines [m]; no lines are drawn if it is not positive.
	Cell float64
}

// Arrow is a vector drawn at a point.
type Arrow struct {
	At    r3.Vec // its foot [m]
	Along r3.Vec // in the unit of Options.ArrowUnit

	// EitherWay: Along is a line without a sense; the arrow is drawn to the side of the eye.
	EitherWay bool
}

// Options say how a picture is made.
type Options struct {
	// Width and Height are the size of the picture [pixels], 0 to 16384. An empty picture is valid.
	Width, Height int
	// Samples is the number of samples along each side of a pixel, 1 to 4. Two give smooth
	// silhouettes at four times the work of one. A picture has at most 2²⁸ samples, 2 GB.
	Samples int
	// Workers is the number of workers; less than one means one for each core. It does not change a
	// pixel.
	Workers int
	// Top and Bottom are the ends of the background gradient.
	Top, Bottom color.RGBA
	// Ground is the floor.
	Ground Ground
	// Shadows lets the key light cast shadows.
	Shadows bool
	// Occlusion darkens folds and places close to other surfaces.
	Occlusion bool
	// Axes draws the directions of x, y and z in the lower left corner.
	Axes bool
	// Scale is the range of the scalars and its legend. Nil means the range of the data, without a
	// label.
	Scale *Scale
	// Arrows are drawn over the surfaces, where their feet are seen, ArrowScale metres long for each unit of
	// theirs, to the side of the surface that is seen.
	Arrows     []Arrow
	ArrowScale float64
	// ArrowKey is the value of the arrow beside the axes that tells what lengths mean, if it is positive, and
	// ArrowUnit its unit.
	ArrowKey  float64
	ArrowUnit string
}

// DefaultOptions returns the options of a 1280 x 720 picture with shadows, on a light background
// that suits both screens and paper.
func DefaultOptions() Options {
	return Options{
		Width: 1280, Height: 720, Samples: 2,
		Top: color.RGBA{0xf7, 0xf8, 0xfa, 0xff}, Bottom: color.RGBA{0xd9, 0xde, 0xe5, 0xff},
		Shadows: true, Occlusion: true,
	}
}

const (
	maxSide    = 16384   // largest width or height of a picture [pixels]
	maxSamples = 1 << 28 // of a picture; not less than maxSide²
)

// Validate lists everything in the options that Render would have to bend.
func (o Options) Validate() error {
	var faults []error
	if o.Width < 0 || o.Width > maxSide {
		faults = append(faults, fmt.Errorf("width is %d pixels, want 0 to %d", o.Width, maxSide))
	}
	if o.Height < 0 || o.Height > maxSide {
		faults = append(faults, fmt.Errorf("height is %d pixels, want 0 to %d", o.Height, maxSide))
	}
	if o.Samples < 1 || o.Samples > 4 {
		faults = append(faults, fmt.Errorf("samples is %d, want 1 to 4", o.Samples))
	}
	if n := o.Width * o.Height * o.Samples * o.Samples; len(faults) == 0 && n > maxSamples {
		faults = append(
			faults,
			fmt.Errorf("picture has %d samples, want at most %d: lower samples or size", n, maxSamples),
		)
	}
	if s := o.Scale; s != nil && !(s.Min <= s.Max) {
		faults = append(faults, fmt.Errorf("scale runs from %g to %g, want min <= max", s.Min, s.Max))
	}
	if g := o.Ground; g.Show && !(r3.Vec{X: g.Height, Y: g.Cell}).Finite() {
		faults = append(faults, fmt.Errorf("ground has height %g and cell %g, want finite numbers", g.Height, g.Cell))
	}
	return errors.Join(faults...)
}

// GroundUnder returns a ground at the lowest point of the box, with grid cells of a round length:
// 1, 2 or 5 times a power of ten, about a quarter of the box.
func GroundUnder(box r3.Box) Ground {
	if box.Empty() {
		return Ground{}
	}
	size := box.Size()
	return Ground{Show: true, Height: box.Min.Z, Cell: roundLength(max(size.X, size.Y, size.Z) / 4)}
}
