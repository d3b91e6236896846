package draw

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/axis"
)

// stroke is a series with its colour, its looks, and what of it the axes can show.
type stroke struct {
	Series
	color color.RGBA
	form  form   // of its points
	round int    // how often the palette was used before
	runs  [][]xy // unbroken stretches
}

// xy is a place along both axes; that of a band goes from low to y.
type xy struct{ x, y, low float64 }

// form is the outline of a point: a polygon of so many sides, 0 for a circle, with its first corner at an angle.
type form struct {
	sides int
	turn  float64
}

// forms are those of the series of points of a plot, in turn: circle, square, diamond, triangles.
var forms = []form{{}, {4, math.Pi / 4}, {4, 0}, {3, -math.Pi / 2}, {3, math.Pi / 2}}

// strokes returns the series with what the axes can show of them. A band has the colour of the series after it.
func (p Plot) strokes() []stroke {
	_, y := p.axes()
	var out []stroke
	next, points := 0, 0
	for _, s := range p.Series {
		if s.Same && next > 0 {
			next--
		}
		k := stroke{Series: s, color: Palette[next%len(Palette)], round: next / len(Palette), runs: p.runs(s, y.Low)}
		if s.Style != Band {
			next++
		}
		if s.Style == Points {
			k.form = forms[points%len(forms)]
			points++
		}
		out = append(out, k)
	}
	return out
}

// axes returns the ranges of the data and a margin. Where all points have whole numbers, ticks do too.
func (p Plot) axes() (horizontal, vertical axis.Axis) {
	x, y := axis.Range{Log: p.LogX}, axis.Range{Log: p.LogY}
	points, wholeX, wholeY := false, true, true
	broken := func(v float64) bool { return v != math.Trunc(v) }
	for _, s := range p.Series {
		if s.Style == Points {
			points = true
			wholeX = wholeX && !slices.ContainsFunc(s.X, broken)
			wholeY = wholeY && !slices.ContainsFunc(s.Y, broken)
		}
		for i := range s.X {
			if x.Shows(s.X[i]) && (y.Shows(s.Y[i]) || s.Style == Band && y.Shows(s.Upper[i])) {
				x.Add(s.X[i])
				y.Add(s.Y[i])
				if s.Style == Band {
					y.Add(s.Upper[i])
				}
			}
		}
	}
	horizontal, vertical = x.Axis(0.02), y.Axis(0.06)
	horizontal.Counts, vertical.Counts = points && wholeX, points && wholeY
	return horizontal, vertical
}

// runs returns the unbroken stretches of a series that the axes can show. Where the lower edge of a band leaves a
// logarithmic axis it is held at its end.
func (p Plot) runs(s Series, bottom float64) (runs [][]xy) {
	x, y := axis.Range{Log: p.LogX}, axis.Range{Log: p.LogY}
	var run []xy
	for i := range s.X {
		at := xy{s.X[i], s.Y[i], s.Y[i]}
		if s.Style == Band {
			at.y = s.Upper[i]
			if y.Shows(at.y) {
				at.low = max(at.low, bottom) // NaN stays NaN
			}
		}
		if x.Shows(at.x) && y.Shows(at.y) && y.Shows(at.low) {
			run = append(run, at)
		} else if run != nil {
			runs, run = append(runs, run), nil
		}
	}
	if run != nil {
		runs = append(runs, run)
	}
	return runs
}

// drawSeries draws what the axes can show of a series.
func (f *figure) drawSeries(img *image.RGBA, s stroke) {
	for _, run := range s.runs {
		upper, lower := make([][2]float64, len(run)), make([][2]float64, len(run))
		for i, q := range run {
			upper[i] = [2]float64{f.atX(q.x), f.atY(q.y)}
			lower[i] = [2]float64{upper[i][0], f.atY(q.low)}
		}
		f.paint(img, &s, upper, lower)
	}
}

// drawSign draws a short piece of a series for the legend.
func (f *figure) drawSign(img *image.RGBA, s sign) {
	w := s.stroke.signWidth() * f.unit
	at := func(x, y float64) [2]float64 { return [2]float64{snap(s.x + x), snap(s.y + y)} }
	switch s.stroke.Style {
	case Points:
		places := [][2]float64{at(w/2, 0)}
		if s.stroke.dots() {
			places = [][2]float64{at(w/6, 0), at(w/2, 0), at(5*w/6, 0)}
		}
		f.paint(img, &s.stroke, places, nil)
	case Band:
		h := 4.5 * f.unit
		f.paint(img, &s.stroke, [][2]float64{at(0, -h), at(w, -h)}, [][2]float64{at(0, h), at(w, h)})
	default:
		f.paint(img, &s.stroke, [][2]float64{at(0, 0), at(w, 0)}, nil)
	}
}

// signWidth returns the width of what stands in the legend [points].
func (s *stroke) signWidth() float64 {
	switch s.Style {
	case Points:
		if s.dots() {
			return 14
		}
		return 8
	case Band:
		return 16
	case Dashed:
		return 21 // three dashes
	}
	return 20
}

// paint draws one stretch of a series through places in the picture; lower is the other edge of a band.
func (f *figure) paint(img *image.RGBA, s *stroke, upper, lower [][2]float64) {
	if s.Style == Points {
		f.paintPoints(img, s, upper)
		return
	}
	c := newCoat(around(4*f.unit, upper, lower).Intersect(img.Rect))
	switch s.Style {
	case Band:
		c.band(upper, lower)
		c.paint(img, color.NRGBA{s.color.R, s.color.G, s.color.B, 0x2e})
		return
	case Dashed:
		for _, d := range dashes(upper, []float64{5 * f.unit, 3 * f.unit}) {
			c.line(d, 1.6*f.unit)
		}
	default:
		// when all colours are used, lines are told apart by dots
		if s.round > 0 {
			for _, d := range dashes(upper, []float64{9 * f.unit, 3 * f.unit, 1.6 * f.unit, 3 * f.unit}) {
				c.line(d, 1.6*f.unit)
			}
		} else {
			c.line(upper, 1.6*f.unit)
		}
	}
	c.paint(img, s.color)
}

// manyPoints is from how many on those of a series are dots.
const manyPoints = 60

// dots reports whether points are too many for outlines.
func (s *stroke) dots() bool { return len(s.X) >= manyPoints }

// paintPoints draws outlines on white, which can be told apart where they overlap, or dots if there are many.
func (f *figure) paintPoints(img *image.RGBA, s *stroke, at [][2]float64) {
	radius, width := 2.8*f.unit, 1.5*f.unit
	if s.dots() {
		radius, width = 0.8*f.unit, 1.6*f.unit
	}
	for _, q := range at {
		for _, part := range []struct {
			radius float64
			color  color.RGBA
		}{{radius + width/2, s.color}, {radius - width/2, paper}} {
			if part.radius <= 0 {
				continue // dots have no inside
			}
			reach := int(math.Ceil(2*part.radius)) + 1
			x, y := int(q[0]), int(q[1])
			c := newCoat(image.Rect(x-reach, y-reach, x+reach+1, y+reach+1))
			c.stamp(s.form, q, part.radius)
			c.paint(img, part.color)
		}
	}
}

// around returns the pixels that are within a distance of points.
func around(reach float64, lists ...[][2]float64) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, points := range lists {
		for _, q := range points {
			x0, y0, x1, y1 = min(x0, q[0]), min(y0, q[1]), max(x1, q[0]), max(y1, q[1])
		}
	}
	return image.Rect(int(x0-reach)-1, int(y0-reach)-1, int(x1+reach)+2, int(y1+reach)+2)
}

// overlay puts a picture with transparent parts over another, its upper left corner at (x, y).
func overlay(img, over *image.RGBA, x, y int) {
	draw.Draw(img, over.Rect.Add(image.Pt(x, y)), over, image.Point{}, draw.Over)
}
