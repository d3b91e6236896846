// Package draw turns a frame into pixels and numbers into plots, without a browser.
//
// Render draws shaded surfaces with a z-buffer, Sheet puts pictures side by side with captions,
// and Plot writes curves as PNG or SVG. Scenes are Z-up and in metres. Nothing here needs a
// display, and the same input gives the same pixels for any number of workers.
package draw

import (
	"image"

	"github.com/toile-sim/toile/internal/par"
)

// Render draws the surfaces as the camera sees them. Options out of range are brought into it; see
// Options.Validate.
func Render(surfaces []Surface, cam Camera, opt Options) *image.RGBA {
	// sizes that can be drawn
	opt.Width, opt.Height = min(max(opt.Width, 0), maxSide), min(max(opt.Height, 0), maxSide)
	opt.Samples = min(max(opt.Samples, 1), 4)
	for opt.Width*opt.Height*opt.Samples*opt.Samples > maxSamples {
		opt.Samples--
	}
	img := image.NewRGBA(image.Rect(0, 0, opt.Width, opt.Height))
	if opt.Width == 0 || opt.Height == 0 {
		return img
	}
	// workers
	team := par.New(opt.Workers)
	team.Enter()
	defer team.Leave()

	// what is seen at each sample, and what is in shadow
	s := newStage(surfaces, cam, opt, team)
	s.frame = rasterize(s.lens, s.meshes, team)
	if opt.Shadows {
		s.shadow = newShadow(s.meshes, s.box, s.key, team)
	}
	// surfaces, row by row
	team.For(opt.Height, 4, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			s.shadeRow(img, y)
		}
	})
	// what is drawn on top
	s.drawMarks(img)
	s.drawArrows(img)
	if opt.Axes {
		s.drawAxes(img)
	}
	if s.scaled {
		drawLegend(img, s.scale)
	}
	return img
}
