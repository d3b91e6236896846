package draw

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

var (
	ink     = color.RGBA{0x22, 0x2a, 0x35, 0xff}
	faint   = color.RGBA{0x6b, 0x75, 0x83, 0xff}
	paper   = color.RGBA{0xff, 0xff, 0xff, 0xff}
	pinDot  = color.RGBA{0xc0, 0x2f, 0x3a, 0xff}
	axisInk = [3]color.RGBA{{0xc0, 0x2f, 0x3a, 0xff}, {0x2e, 0x8b, 0x57, 0xff}, {0x2b, 0x62, 0xb8, 0xff}}
)

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
