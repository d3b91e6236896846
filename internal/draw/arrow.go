package draw

import (
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/axis"
)

var (
	arrowInk  = color.RGBA{0xb8, 0x1d, 0x5b, 0xff}
	arrowHalo = color.NRGBA{0xff, 0xff, 0xff, 0xc0}
)

// drawArrows draws the arrows whose feet are seen, far ones first, and a key for their length.
func (s *stage) drawArrows(img *image.RGBA) {
	if len(s.opt.Arrows) == 0 || !(s.opt.ArrowScale > 0) {
		return
	}
	// where arrows are in the picture
	type seen struct {
		x0, y0, x1, y1, z float64
	}
	var all []seen
	n := float64(s.opt.Samples)
	for _, a := range s.opt.Arrows {
		// feet that the camera sees
		foot := s.lens.local(a.At)
		if !a.At.Finite() || !a.Along.Finite() || foot.Z <= s.lens.near || s.hidden(foot) {
			continue
		}
		// those that go either way point to the camera
		along := a.Along
		if a.EitherWay && along.Dot(a.At.Sub(s.lens.eye)) > 0 {
			along = along.Neg()
		}
		tip := s.lens.local(a.At.AddScaled(s.opt.ArrowScale, along))
		if tip.Z <= s.lens.near {
			continue
		}
		x0, y0 := s.lens.sample(foot)
		x1, y1 := s.lens.sample(tip)
		all = append(all, seen{(x0 + 0.5) / n, (y0 + 0.5) / n, (x1 + 0.5) / n, (y1 + 0.5) / n, foot.Z})
	}
	// far ones first
	slices.SortStableFunc(all, func(a, b seen) int {
		switch {
		case a.z > b.z:
			return -1
		case a.z < b.z:
			return 1
		}
		return 0
	})
	// arrows, and what their length means
	p := pen{img: img}
	width := max(1.1, float64(s.opt.Height)/500)
	for _, a := range all {
		p.arrow(a.x0, a.y0, a.x1, a.y1, width)
	}
	s.arrowKey(&p, img, width)
}

// arrow draws an arrow with a light rim, its head no longer than itself. What is shorter than its own width is
// not drawn.
func (p *pen) arrow(x0, y0, x1, y1, width float64) {
	length := math.Hypot(x1-x0, y1-y0)
	if !(length > width) {
		return
	}
	dx, dy := (x1-x0)/length, (y1-y0)/length
	head := min(5*width, length)
	outline := func(grow float64) [][2]float64 {
		half, wing := width/2+grow, 0.42*head+grow
		at := func(along, across float64) [2]float64 {
			return [2]float64{x0 + dx*along - dy*across, y0 + dy*along + dx*across}
		}
		neck := length - head
		return [][2]float64{
			at(-grow, half), at(neck, half), at(neck-grow, wing), at(length+1.5*grow, 0),
			at(neck-grow, -wing), at(neck, -half), at(-grow, -half),
		}
	}
	p.fill(outline(0.35*width), arrowHalo)
	p.fill(outline(0), arrowInk)
}

// arrowKey draws an arrow beside the axes and what its length means in the middle of the scene.
func (s *stage) arrowKey(p *pen, img *image.RGBA, width float64) {
	middle := s.lens.local(s.box.Center())
	if !(s.opt.ArrowKey > 0) || s.box.Empty() || middle.Z <= s.lens.near {
		return
	}
	size := textSize(img)
	length := s.opt.ArrowKey * s.opt.ArrowScale * s.lens.perUnit / middle.Z / float64(s.opt.Samples)
	x, y := 7.5*size, float64(s.opt.Height)-1.6*size
	p.arrow(x, y-0.35*size, x+length, y-0.35*size, width)
	text := axis.Number(s.opt.ArrowKey)
	if s.opt.ArrowUnit != "" {
		text += " " + s.opt.ArrowUnit
	}
	write(img, text, x+length+0.7*size, y, size, false, ink)
}
