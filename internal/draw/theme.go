package draw

import (
	"image/color"
	"math"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// theme is the look of plots: the Go fonts, a light grid, thin axes, curves that stand out.
type theme struct {
	scale   float64 // 1 at the natural width
	handler text.Handler
}

// naturalWidth is the width at which text and lines have their nominal size [pixels].
const naturalWidth = 800

func newTheme(width int) theme {
	collection := font.Collection{
		{Font: font.Font{Typeface: "Go"}, Face: fonts().regular},
		{Font: font.Font{Typeface: "Go", Weight: xfont.WeightBold}, Face: fonts().bold},
	}
	return theme{float64(width) / naturalWidth, text.Plain{Fonts: font.NewCache(collection)}}
}

// length returns a length given in points at the natural width.
func (t theme) length(points float64) vg.Length { return vg.Points(points * t.scale) }

// text returns a style for text of a size in points at the natural width, hung from its top left.
func (t theme) text(size float64, bold bool, c color.Color) text.Style {
	f := font.Font{Typeface: "Go", Size: t.length(size)}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return text.Style{Color: c, Font: f, XAlign: text.XLeft, YAlign: text.YTop, Handler: t.handler}
}

// dress applies the theme to an axis.
func (t theme) dress(axis *plot.Axis) {
	axis.Padding = 0
	axis.Width, axis.Color = t.length(0.75), faint
	// The axis takes a space of its label's font between ticks and their labels.
	axis.Label.TextStyle = t.text(11, false, ink)
	align := axis.Tick.Label
	axis.Tick.Label = t.text(9.5, false, ink)
	axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = align.XAlign, align.YAlign
	axis.Tick.Length = t.length(4)
	axis.Tick.Width, axis.Tick.Color = t.length(0.75), faint
}

// grid returns light lines at the labelled ticks.
func (t theme) grid() *plotter.Grid {
	style := vgdraw.LineStyle{Color: color.RGBA{0xe3, 0xe7, 0xec, 0xff}, Width: t.length(0.75)}
	return &plotter.Grid{Vertical: style, Horizontal: style}
}

// line returns a curve.
func (t theme) line(run plotter.XYs, c color.Color, dashed bool) (*plotter.Line, error) {
	l, err := plotter.NewLine(run)
	if err != nil {
		return nil, err
	}
	l.Color, l.Width = c, t.length(1.6)
	if dashed {
		l.Dashes = []vg.Length{t.length(5), t.length(3)}
	}
	return l, nil
}

// points returns rings on white, which can be told apart where they overlap.
func (t theme) points(run plotter.XYs, c color.Color) (*plotter.Scatter, error) {
	s, err := plotter.NewScatter(run)
	if err != nil {
		return nil, err
	}
	s.GlyphStyle = vgdraw.GlyphStyle{Color: c, Radius: t.length(2.8), Shape: ring{t.length(1.5)}}
	return s, nil
}

// band returns a pale area without an outline.
func (t theme) band(outline plotter.XYs, c color.RGBA) (*plotter.Polygon, error) {
	p, err := plotter.NewPolygon(outline)
	if err != nil {
		return nil, err
	}
	p.Color = color.NRGBA{c.R, c.G, c.B, 0x2e}
	p.Width = 0
	return p, nil
}

// ring is a circle with a white middle.
type ring struct{ width vg.Length }

// DrawGlyph draws the ring; it makes ring a vgdraw.GlyphDrawer.
func (r ring) DrawGlyph(c *vgdraw.Canvas, style vgdraw.GlyphStyle, at vg.Point) {
	var p vg.Path
	p.Move(vg.Point{X: at.X + style.Radius, Y: at.Y})
	p.Arc(at, style.Radius, 0, 2*math.Pi)
	p.Close()
	c.SetColor(color.White)
	c.Fill(p)
	c.SetLineStyle(vgdraw.LineStyle{Color: style.Color, Width: r.width})
	c.Stroke(p)
}

// legend writes the names of the curves in rows along the top of the canvas, from x = left, and
// returns the height used.
func (t theme) legend(c vgdraw.Canvas, keys []key, left vg.Length) vg.Length {
	if len(keys) == 0 {
		return t.length(4)
	}
	style := t.text(10, false, ink)
	style.YAlign = text.YCenter
	sign, gap, row := t.length(20), t.length(18), t.length(17)
	x, y := left, c.Max.Y-row/2
	for _, k := range keys {
		width := sign + t.length(6) + style.Width(k.name)
		if x > left && x+width > c.Max.X {
			x, y = left, y-row
		}
		box := vgdraw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - t.length(5)}, Max: vg.Point{X: x + sign, Y: y + t.length(3)},
		}}
		for _, thumb := range k.thumbs {
			thumb.Thumbnail(&box)
		}
		c.FillText(style, vg.Point{X: x + sign + t.length(6), Y: y}, k.name)
		x += width + gap
	}
	return c.Max.Y - (y - row/2) + t.length(8)
}

// key is an entry of the legend.
type key struct {
	name   string
	thumbs []plot.Thumbnailer
}
