package draw

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Style says how a series is drawn.
type Style int

const (
	// Line joins the points by a line.
	Line Style = iota
	// Dashed joins the points by a dashed line.
	Dashed
	// Points draws a ring at each point, for what was measured.
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
	canvas := vgimg.NewWith(vgimg.UseWH(pixels(width), pixels(height)), vgimg.UseDPI(96))
	if err := p.draw(vgdraw.New(canvas), width); err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(w); err != nil {
		return fmt.Errorf("write plot as PNG: %w", err)
	}
	return nil
}

// SVG writes the plot as an SVG document of width x height CSS pixels. It names a common font instead
// of carrying one.
func (p Plot) SVG(w io.Writer, width, height int) error {
	if err := p.check(width, height); err != nil {
		return err
	}
	canvas := vgsvg.New(pixels(width), pixels(height))
	if err := p.draw(vgdraw.New(canvas), width); err != nil {
		return err
	}
	var doc bytes.Buffer
	if _, err := canvas.WriteTo(&doc); err != nil {
		return fmt.Errorf("write plot as SVG: %w", err)
	}
	named := bytes.ReplaceAll(
		doc.Bytes(),
		[]byte("font-family:Go;"),
		[]byte("font-family:Go,Helvetica,Arial,sans-serif;"),
	)
	if _, err := w.Write(named); err != nil {
		return fmt.Errorf("write plot as SVG: %w", err)
	}
	return nil
}

// pixels returns the length of CSS pixels, of which there are 96 in an inch.
func pixels(n int) vg.Length { return vg.Length(n) * vg.Inch / 96 }

const minPlot = 64 // least side of a plot [pixels]

func (p Plot) check(width, height int) error {
	var size error
	if min(width, height) < minPlot || max(width, height) > maxSide {
		size = fmt.Errorf("plot is %d x %d pixels, want %d to %d", width, height, minPlot, maxSide)
	}
	return errors.Join(size, p.Validate())
}

// draw lays the figure out on a canvas: title, legend, axes and curves, from the top.
func (p Plot) draw(c vgdraw.Canvas, width int) error {
	t := newTheme(width)
	g := plot.New()
	g.BackgroundColor = nil
	t.dress(&g.X)
	t.dress(&g.Y)
	g.TextHandler = t.handler
	p.axes(g)
	keys, err := p.curves(g, t)
	if err != nil {
		return err
	}
	c.SetColor(color.White)
	c.Fill(c.Path())
	c = vgdraw.Crop(c, t.length(12), -t.length(16), t.length(10), -t.length(12))
	left := c.Min.X + t.length(4)
	if p.Title != "" {
		c.FillText(t.text(13, true, ink), vg.Point{X: left, Y: c.Max.Y}, p.Title)
		c.Max.Y -= t.length(22)
	}
	c.Max.Y -= t.legend(c, keys, left)
	// The axes do not label themselves: on a logarithmic axis they would misplace the label.
	inner := vgdraw.Crop(c, t.length(20), 0, t.length(20), 0)
	g.Draw(inner)
	data := g.DataCanvas(inner)
	label := t.text(11, false, ink)
	label.XAlign, label.YAlign = text.XCenter, text.YBottom
	c.FillText(label, vg.Point{X: data.Center().X, Y: c.Min.Y}, p.X)
	label.Rotation, label.YAlign = math.Pi/2, text.YTop
	c.FillText(label, vg.Point{X: c.Min.X, Y: data.Center().Y}, p.Y)
	return nil
}

// axes sets the ranges of the axes to those of the data and a margin.
func (p Plot) axes(g *plot.Plot) {
	x, y := extent{log: p.LogX}, extent{log: p.LogY}
	for _, s := range p.Series {
		for i := range s.X {
			if x.shows(s.X[i]) && (y.shows(s.Y[i]) || s.Style == Band && y.shows(s.Upper[i])) {
				x.add(s.X[i])
				y.add(s.Y[i])
				if s.Style == Band {
					y.add(s.Upper[i])
				}
			}
		}
	}
	g.X.Min, g.X.Max = x.margin(0.02)
	g.Y.Min, g.Y.Max = y.margin(0.06)
	mark(&g.X, p.LogX)
	mark(&g.Y, p.LogY)
}

// mark sets the scale and the ticks of an axis.
func mark(axis *plot.Axis, log bool) {
	axis.Tick.Marker = plot.TickerFunc(linearTicks)
	if log {
		axis.Scale, axis.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
}

// curves adds the series to the figure, and a point to the legend for each that has a name.
func (p Plot) curves(g *plot.Plot, t theme) ([]key, error) {
	var keys []key
	g.Add(t.grid())
	next := 0
	for _, s := range p.Series {
		c := Palette[next%len(Palette)]
		if s.Style != Band {
			next++
		}
		thumb, err := p.curve(g, t, s, c)
		if err != nil {
			return nil, err
		}
		if s.Name != "" && thumb != nil {
			keys = append(keys, key{s.Name, []plot.Thumbnailer{thumb}})
		}
	}
	return keys, nil
}

// curve adds one series, run by run between its gaps, and returns its sign for the legend, or nil if
// nothing of it can be shown.
func (p Plot) curve(g *plot.Plot, t theme, s Series, c color.RGBA) (thumb plot.Thumbnailer, err error) {
	for _, run := range p.runs(s, g) {
		var part interface {
			plot.Plotter
			plot.Thumbnailer
		}
		switch s.Style {
		case Points:
			part, err = t.points(run, c)
		case Band:
			part, err = t.band(run, c)
		default:
			part, err = t.line(run, c, s.Style == Dashed)
		}
		if err != nil {
			return nil, fmt.Errorf("series %s: %w", s.Name, err)
		}
		g.Add(part)
		thumb = part
	}
	return thumb, nil
}

// runs returns the unbroken stretches of a series that the axes can show. A band becomes the outline
// of each stretch, with edges that leave a logarithmic axis held at its end.
func (p Plot) runs(s Series, g *plot.Plot) []plotter.XYs {
	x, y := extent{log: p.LogX}, extent{log: p.LogY}
	var runs []plotter.XYs
	var run, upper plotter.XYs
	end := func() {
		for i := len(upper) - 1; i >= 0; i-- {
			run = append(run, upper[i])
		}
		if len(run) > 0 {
			runs = append(runs, run)
		}
		run, upper = nil, nil
	}
	for i := range s.X {
		low := s.Y[i]
		if s.Style == Band && y.shows(s.Upper[i]) {
			low = max(low, g.Y.Min) // NaN stays NaN
		}
		if !x.shows(s.X[i]) || !y.shows(low) || s.Style == Band && !y.shows(s.Upper[i]) {
			end()
			continue
		}
		run = append(run, plotter.XY{X: s.X[i], Y: low})
		if s.Style == Band {
			upper = append(upper, plotter.XY{X: s.X[i], Y: s.Upper[i]})
		}
	}
	end()
	return runs
}
