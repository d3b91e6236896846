// Curves on axes, as a picture.
//
// What an axis shows is decided in internal/axis. All else is arithmetic in float64 and fixed point, so that the
// bytes of a picture do not depend on the machine.

package draw

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
)

// Style says how a series is drawn.
type Style int

const (
	// Line joins the points by a line.
	Line Style = iota
	// Dashed joins the points by a dashed line.
	Dashed
	// Points draws a ring or another outline at each point, for what was measured; a dot where there are many.
	Points
	// Band fills the space between Y and Upper. It takes the colour of the series after it.
	Band
)

// Series is one curve. Where a value is not finite, beyond ±10¹⁵⁰, or not positive on a logarithmic
// axis, the curve has a gap.
type Series struct {
	// Name is written in the legend; a series without one is not listed.
	Name string
	// X and Y are the points, as many of one as of the other.
	X, Y []float64
	// Upper is the upper edge of a Band, Y being the lower; other styles have none.
	Upper []float64
	// Style is how the points are drawn.
	Style Style
	// Same gives the series the colour of the one before it, of which it is another view.
	Same bool
}

// Plot is a figure with curves on two axes.
type Plot struct {
	// Title stands above the figure.
	Title string
	// X and Y label the axes, with units: "time [s]".
	X, Y string
	// Series are drawn in order, later over earlier.
	Series []Series
	// LogX and LogY make an axis logarithmic.
	LogX, LogY bool
	// Equal gives both axes the same scale, so that shapes are as they are.
	Equal bool
}

// Palette holds the six colours of curves, which remain apart for every kind of colour blindness
// ([Okabe08], without its yellow and sky blue, which are weak on white).
var Palette = [6]color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x33, 0x3b, 0x46, 0xff}, // near black
}

// Tolerance returns the band around a series within which values agree with it, to the relative
// tolerance rel or the absolute tolerance abs, whichever allows more.
func Tolerance(expected Series, name string, rel, abs float64) Series {
	band := Series{Name: name, X: expected.X, Style: Band}
	for _, y := range expected.Y {
		slack := max(rel*math.Abs(y), abs)
		band.Y = append(band.Y, y-slack)
		band.Upper = append(band.Upper, y+slack)
	}
	return band
}

// Validate lists everything that keeps the plot from being drawn.
func (p Plot) Validate() error {
	var faults []error
	for i, s := range p.Series {
		name := s.Name
		if name == "" {
			name = fmt.Sprintf("number %d", i+1)
		}
		if s.Style < Line || s.Style > Band {
			faults = append(
				faults,
				fmt.Errorf("series %s has style %d, want Line, Dashed, Points or Band", name, s.Style),
			)
		}
		if len(s.X) != len(s.Y) {
			faults = append(
				faults,
				fmt.Errorf("series %s has %d x and %d y, want as many of both", name, len(s.X), len(s.Y)),
			)
		}
		if want := len(s.Y); s.Style == Band && len(s.Upper) != want {
			faults = append(faults, fmt.Errorf("band %s has %d upper values, want %d", name, len(s.Upper), want))
		}
	}
	return errors.Join(faults...)
}

// PNG writes the plot as a picture of width x height pixels. Text and lines grow with the width; 800
// is their natural size.
func (p Plot) PNG(w io.Writer, width, height int) error {
	if err := p.check(width, height); err != nil {
		return err
	}
	if err := png.Encode(w, p.picture(width, height)); err != nil {
		return fmt.Errorf("write plot as PNG: %w", err)
	}
	return nil
}

const minPlot = 64 // least side of a plot [pixels]

func (p Plot) check(width, height int) error {
	var size error
	if min(width, height) < minPlot || max(width, height) > maxSide {
		size = fmt.Errorf("plot is %d x %d pixels, want %d to %d", width, height, minPlot, maxSide)
	}
	return errors.Join(size, p.Validate())
}

// picture draws the plot: what is around the curves, then these in order.
func (p Plot) picture(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	f := p.layout(width, height)
	f.drawFrame(img)
	for _, c := range p.strokes() {
		f.drawSeries(img, c)
	}
	return img
}
