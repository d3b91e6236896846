package draw

import (
	"image"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/axis"
	"github.com/toile-sim/toile/r3"
)

// drawMarks draws a dot at every marked vertex that the camera sees.
func (s *stage) drawMarks(img *image.RGBA) {
	p := pen{img: img}
	n := float64(s.opt.Samples)
	radius := max(2.5, float64(s.opt.Height)/170)
	for i := range s.meshes {
		m := &s.meshes[i]
		for _, v := range m.Marks {
			if v < 0 || int(v) >= len(m.Positions) || !m.Positions[v].Finite() {
				continue
			}
			local := s.lens.local(m.Positions[v])
			if local.Z <= s.lens.near || s.hidden(local) {
				continue
			}
			x, y := s.lens.sample(local)
			x, y = (x+0.5)/n, (y+0.5)/n
			p.disc(x, y, radius*1.45, paper)
			p.disc(x, y, radius, pinDot)
		}
	}
}

// hidden reports whether a point in lens coordinates is behind all samples next to it, by more than
// the depth that its own surface may have there.
func (s *stage) hidden(local r3.Vec) bool {
	ci, cj := s.lens.sample(local)
	slack := 0.01 * s.reach
	for dj := -2; dj <= 2; dj++ {
		for di := -2; di <= 2; di++ {
			i, j := math.Round(ci)+float64(di), math.Round(cj)+float64(dj)
			if !(i >= 0 && i < float64(s.lens.width) && j >= 0 && j < float64(s.lens.height)) {
				continue
			}
			if q := float64(s.frame.q[int(j)*s.lens.width+int(i)]); q == 0 || 1/q >= local.Z-slack {
				return false
			}
		}
	}
	return true
}

// drawAxes draws the directions of x, y and z in the lower left corner.
func (s *stage) drawAxes(img *image.RGBA) {
	size := textSize(img)
	length := 2.2 * size
	x, y := 3.4*size, float64(s.opt.Height)-3.4*size
	p := pen{img: img}
	axes := [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	// Far axes first, so that near ones lie over them.
	order := [3]int{0, 1, 2}
	for i := range order {
		for j := i + 1; j < len(order); j++ {
			if axes[order[j]].Dot(s.lens.forward) > axes[order[i]].Dot(s.lens.forward) {
				order[i], order[j] = order[j], order[i]
			}
		}
	}
	for _, a := range order {
		dx, dy := axes[a].Dot(s.lens.right), -axes[a].Dot(s.lens.up)
		p.line(x, y, x+length*dx, y+length*dy, max(1.5, size/8), axisInk[a])
		label := "xyz"[a : a+1]
		write(
			img,
			label,
			x+(length+0.6*size)*dx-0.25*size,
			y+(length+0.6*size)*dy+0.3*size,
			0.9*size,
			false,
			axisInk[a],
		)
	}
}

// drawClasses draws the names of the classes of a scale in the lower right corner.
func drawClasses(img *image.RGBA, s Scale) {
	size := textSize(img)
	bounds := img.Bounds()
	width := textWidth(s.Label, size, false)
	for _, c := range s.Classes {
		width = max(width, 1.5*size+textWidth(c.Name, size, false))
	}
	p := pen{img: img}
	x := float64(bounds.Max.X) - 1.6*size - width
	y := float64(bounds.Max.Y) - 1.6*size - 1.45*size*float64(len(s.Classes)-1)
	write(img, s.Label, x, y-1.7*size, size, false, ink)
	for _, c := range s.Classes {
		p.rectangle(x, y-0.8*size, x+size, y+0.1*size, c.Color)
		write(img, c.Name, x+1.5*size, y, size, false, ink)
		y += 1.45 * size
	}
}

// drawLegend draws the colour bar of a scale in the lower right corner.
func drawLegend(img *image.RGBA, s Scale) {
	// classes have a legend of their own
	if len(s.Classes) > 0 {
		drawClasses(img, s)
		return
	}
	// place of the bar, at the bottom right
	size := textSize(img)
	bounds := img.Bounds()
	width := min(15*size, 0.45*float64(bounds.Dx()))
	x1, y1 := float64(bounds.Max.X)-1.6*size, float64(bounds.Max.Y)-2.4*size
	x0, y0 := x1-width, y1-0.85*size
	// the bar
	p := pen{img: img}
	for x := math.Floor(x0); x < x1; x++ {
		t := (x + 0.5 - x0) / width
		p.rectangle(max(x, x0), y0, min(x+1, x1), y1, MapColor(t))
	}
	// quantity and unit
	label := s.Label
	if s.Unit != "" {
		label = strings.TrimSpace(label + " [" + s.Unit + "]")
	}
	write(img, label, x0, y0-0.5*size, size, false, ink)
	// ends and middle
	low, high := axis.Number(s.Min), axis.Number(s.Max)
	if s.Beyond {
		high = "≥ " + high
	}
	write(img, low, x0, y1+1.15*size, 0.9*size, false, ink)
	write(img, high, x1-textWidth(high, 0.9*size, false), y1+1.15*size, 0.9*size, false, ink)
	if middle := axis.Number((s.Min + s.Max) / 2); s.Max > s.Min {
		write(img, middle, x0+width/2-textWidth(middle, 0.9*size, false)/2, y1+1.15*size, 0.9*size, false, faint)
	}
}

// Label writes a line of text in the upper left corner of a picture.
func Label(img *image.RGBA, text string) {
	size := textSize(img)
	write(img, text, 1.4*size, 2*size, size, false, ink)
}
