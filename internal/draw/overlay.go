package draw

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"

	"golang.org/x/image/vector"

	"github.com/toile-sim/toile/r3"
)

var (
	ink     = color.RGBA{0x22, 0x2a, 0x35, 0xff}
	faint   = color.RGBA{0x6b, 0x75, 0x83, 0xff}
	paper   = color.RGBA{0xff, 0xff, 0xff, 0xff}
	pinDot  = color.RGBA{0xc0, 0x2f, 0x3a, 0xff}
	axisInk = [3]color.RGBA{{0xc0, 0x2f, 0x3a, 0xff}, {0x2e, 0x8b, 0x57, 0xff}, {0x2b, 0x62, 0xb8, 0xff}}
)

// Scale is the range of a scalar and what to write beside its colours.
type Scale struct {
	// Label and Unit name the quantity, such as "speed" and "m/s"; the legend writes "speed [m/s]".
	Label, Unit string
	// Min and Max are the values of the first and last colour.
	Min, Max float64
	// Beyond says that there are values above Max, which have its colour.
	Beyond bool
	// Classes, if there are any, make the scalars names: a value is rounded to the number of its class,
	// and Min and Max are not looked at. Every point has the class of the nearest vertex.
	Classes []Class
}

// Class is one of a few things that a scalar can mean.
type Class struct {
	Name  string
	Color color.RGBA
}

// class returns the colour of the class of a value; that of no class is grey.
func (s *Scale) class(x float64) linear {
	if i := math.Round(x); i >= 0 && i < float64(len(s.Classes)) {
		return fromRGBA(s.Classes[int(i)].Color)
	}
	return mapped(math.NaN())
}

// ScaleOf returns the scale from the least to the largest finite scalar of the surfaces, 0 to 0 if
// there is none.
func ScaleOf(surfaces []Surface, label, unit string) Scale {
	s := Scale{Label: label, Unit: unit, Min: math.Inf(1), Max: math.Inf(-1)}
	for i := range surfaces {
		for _, x := range surfaces[i].Scalar {
			if x-x == 0 {
				s.Min, s.Max = min(s.Min, x), max(s.Max, x)
			}
		}
	}
	if s.Min > s.Max {
		s.Min, s.Max = 0, 0
	}
	return s
}

// place returns where a value is between Min (0) and Max (1); the middle if the range is empty.
func (s Scale) place(x float64) float64 {
	if x != x {
		return x
	}
	if !(s.Max > s.Min) {
		return 0.5
	}
	return (x - s.Min) / (s.Max - s.Min)
}

// roundLength returns the number among 1, 2 and 5 times powers of ten that is nearest below x, or 0 if
// x is not positive and finite.
func roundLength(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{5, 2} {
		if m*power <= x {
			return m * power
		}
	}
	return power
}

// pen fills shapes with smooth edges.
type pen struct {
	img    *image.RGBA
	raster vector.Rasterizer
}

// disc fills a circle.
func (p *pen) disc(x, y, radius float64, c color.Color) {
	const sides = 32
	points := make([][2]float64, sides)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		points[i] = [2]float64{x + radius*cos, y + radius*sin}
	}
	p.fill(points, c)
}

// line draws a straight line with round ends.
func (p *pen) line(x0, y0, x1, y1, width float64, c color.Color) {
	length := math.Hypot(x1-x0, y1-y0)
	if length > 0 {
		nx, ny := -(y1-y0)/length*width/2, (x1-x0)/length*width/2
		p.fill([][2]float64{{x0 + nx, y0 + ny}, {x1 + nx, y1 + ny}, {x1 - nx, y1 - ny}, {x0 - nx, y0 - ny}}, c)
	}
	p.disc(x0, y0, width/2, c)
	p.disc(x1, y1, width/2, c)
}

// rectangle fills an upright rectangle.
func (p *pen) rectangle(x0, y0, x1, y1 float64, c color.Color) {
	p.fill([][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, c)
}

// fill fills a polygon, cut at the edges of the picture.
func (p *pen) fill(points [][2]float64, c color.Color) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, q := range points {
		x0, y0, x1, y1 = min(x0, q[0]), min(y0, q[1]), max(x1, q[0]), max(y1, q[1])
	}
	bounds := p.img.Bounds()
	if !(x1 > float64(bounds.Min.X) && y1 > float64(bounds.Min.Y) && x0 < float64(bounds.Max.X) && y0 < float64(bounds.Max.Y)) {
		return
	}
	ox, oy := math.Floor(x0), math.Floor(y0)
	w, h := int(math.Ceil(x1)-ox), int(math.Ceil(y1)-oy)
	p.raster.Reset(w, h)
	for i, q := range points {
		x, y := float32(q[0]-ox), float32(q[1]-oy)
		if i == 0 {
			p.raster.MoveTo(x, y)
		} else {
			p.raster.LineTo(x, y)
		}
	}
	p.raster.ClosePath()
	// The rasterizer itself cannot draw beyond the picture: it fills a mask, which can be cut.
	mask := image.NewAlpha(image.Rect(0, 0, w, h))
	p.raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	at := image.Rect(int(ox), int(oy), int(ox)+w, int(oy)+h)
	draw.DrawMask(p.img, at, image.NewUniform(c), image.Point{}, mask, image.Point{}, draw.Over)
}

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
	if len(s.Classes) > 0 {
		drawClasses(img, s)
		return
	}
	size := textSize(img)
	bounds := img.Bounds()
	width := min(15*size, 0.45*float64(bounds.Dx()))
	x1, y1 := float64(bounds.Max.X)-1.6*size, float64(bounds.Max.Y)-2.4*size
	x0, y0 := x1-width, y1-0.85*size
	p := pen{img: img}
	for x := math.Floor(x0); x < x1; x++ {
		t := (x + 0.5 - x0) / width
		p.rectangle(max(x, x0), y0, min(x+1, x1), y1, MapColor(t))
	}
	label := s.Label
	if s.Unit != "" {
		label = strings.TrimSpace(label + " [" + s.Unit + "]")
	}
	write(img, label, x0, y0-0.5*size, size, false, ink)
	low, high := number(s.Min), number(s.Max)
	if s.Beyond {
		high = "≥ " + high
	}
	write(img, low, x0, y1+1.15*size, 0.9*size, false, ink)
	write(img, high, x1-textWidth(high, 0.9*size, false), y1+1.15*size, 0.9*size, false, ink)
	if middle := number((s.Min + s.Max) / 2); s.Max > s.Min {
		write(img, middle, x0+width/2-textWidth(middle, 0.9*size, false)/2, y1+1.15*size, 0.9*size, false, faint)
	}
}

// Label writes a line of text in the upper left corner of a picture.
func Label(img *image.RGBA, text string) {
	size := textSize(img)
	write(img, text, 1.4*size, 2*size, size, false, ink)
}
