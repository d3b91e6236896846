package draw

import (
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/axis"
)

// naturalWidth is the width at which text and lines have their nominal size [pixels], if the height is five eighths of
// it at least; lower pictures have smaller ones.
const naturalWidth = 800

// Sizes of text [points at the natural width].
const (
	titleSize  = 13
	axisSize   = 11
	legendSize = 10
	tickSize   = 9.5
)

// figure is where everything of a plot is, in pixels from the upper left.
type figure struct {
	unit                     float64   // a point
	x, y                     axis.Axis // what the axes show
	left, top, right, bottom float64   // the area of the curves, on whole pixels
	xTicks, yTicks           []axis.Tick
	labels                   []label
	signs                    []sign
}

// label is a line of text that begins at (x, y) on its baseline, and runs upwards if it is upright.
type label struct {
	text    string
	x, y    float64
	size    float64
	bold    bool
	upright bool
}

// sign is what stands before the name of a series in the legend.
type sign struct {
	stroke stroke
	x, y   float64 // middle of its left end
}

// layout finds a place for everything. For axes of the same scale, the one with room to spare is made longer.
func (p Plot) layout(width, height int) *figure {
	x, y := p.axes()
	f := p.layoutOf(x, y, width, height)
	// other ticks may have wider labels, so that it takes a few rounds
	for range 3 {
		if !p.Equal || x.Log || y.Log {
			break
		}
		across, up := (x.Top-x.Low)/(f.right-f.left), (y.Top-y.Low)/(f.bottom-f.top)
		f = p.layoutOf(longer(x, up/across), longer(y, across/up), width, height)
	}
	return f
}

// longer returns an axis with the same middle, so many times as long if that is more than once.
func longer(a axis.Axis, times float64) axis.Axis {
	if grow := (a.Top - a.Low) * (times - 1) / 2; grow > 0 {
		a.Low, a.Top = a.Low-grow, a.Top+grow
	}
	return a
}

// layoutOf finds a place for everything around axes that show what is given: title and legend at the top, labels of the
// axes at the left and below, and the curves in what is left.
func (p Plot) layoutOf(x, y axis.Axis, width, height int) *figure {
	f := &figure{unit: min(float64(width), 1.6*float64(height)) / naturalWidth * 96 / 72, x: x, y: y}
	u := f.unit
	left, right := 12*u, float64(width)-14*u
	// title and legend
	at := 10 * u
	for _, line := range wrap(p.Title, right-left, titleSize*u, true) {
		at += 1.25 * titleSize * u
		title := label{text: line, x: left, y: at - 0.3*titleSize*u, size: titleSize * u, bold: true}
		f.labels = append(f.labels, title)
	}
	if p.Title != "" {
		at += 4 * u
	}
	f.top = math.Round(f.legend(p.strokes(), left, right, at) + 8*u)
	// heights, from which the ticks at the left follow
	foot := float64(height) - 10*u
	below := wrap(p.X, 0.8*(right-left), axisSize*u, false)
	f.bottom = foot - 1.25*axisSize*u*float64(len(below)) - 2.1*tickSize*u
	f.bottom = math.Round(max(f.bottom, f.top+1))
	f.yTicks = f.y.Ticks(fitting((f.bottom - f.top) / (4.2 * tickSize * u)))
	beside := wrap(p.Y, max(f.bottom-f.top, 0.3*float64(height)), axisSize*u, false)
	// widths, from which the ticks below follow
	f.left = left + 1.35*axisSize*u*float64(len(beside)) + f.widest(f.yTicks) + 8*u
	f.left = math.Round(min(f.left, right-1))
	f.placeBelow(right)
	f.tickLabels()
	f.names(below, beside, left, foot)
	return f
}

// fitting returns a number of ticks that there is room for, of which there are two at least and eight at most.
func fitting(room float64) int { return int(min(max(room, 2), 8)) }

// placeBelow chooses the ticks of the horizontal axis, as many as do not touch each other, and the right end, so that
// the last label is not cut.
func (f *figure) placeBelow(right float64) {
	for n := fitting((right - f.left) / (7 * tickSize * f.unit)); ; n-- {
		// right end
		f.xTicks, f.right = f.x.Ticks(n), right
		for _, t := range f.xTicks {
			if t.Label != "" {
				place, half := f.x.Place(t.Value), f.textWidth(t)/2
				if f.left+place*(f.right-f.left)+half > right+8*f.unit && place > 0.5 {
					f.right = f.left + (right+8*f.unit-half-f.left)/place
				}
			}
		}
		f.right = math.Floor(max(f.right, f.left+1))
		// room between neighbours
		end, free := math.Inf(-1), true
		for _, t := range f.xTicks {
			if t.Label != "" {
				x, half := f.atX(t.Value), f.textWidth(t)/2
				free = free && x-half > end
				end = x + half + 0.7*tickSize*f.unit
			}
		}
		if free || n <= 1 {
			return
		}
	}
}

// tickLabels adds the labels of both axes. Those at the left that would touch the one below are left out, which only
// pictures too small for two of them have.
func (f *figure) tickLabels() {
	size := tickSize * f.unit
	for _, t := range f.xTicks {
		if t.Label != "" {
			x := f.atX(t.Value) - f.textWidth(t)/2
			f.labels = append(f.labels, label{text: t.Label, x: x, y: f.bottom + 1.55*size, size: size})
		}
	}
	free := math.Inf(1)
	for _, t := range f.yTicks {
		if y := f.atY(t.Value) + 0.36*size; t.Label != "" && y < free {
			f.labels = append(f.labels, label{text: t.Label, x: f.left - 7*f.unit - f.textWidth(t), y: y, size: size})
			free = y - 1.1*size
		}
	}
}

// names adds what the axes show, in lines below and beside the curves.
func (f *figure) names(below, beside []string, left, foot float64) {
	size := axisSize * f.unit
	for i, line := range below {
		x := (f.left+f.right)/2 - textWidth(line, size, false)/2
		y := foot - 0.3*size - 1.25*size*float64(len(below)-1-i)
		f.labels = append(f.labels, label{text: line, x: max(x, left), y: y, size: size})
	}
	for i, line := range beside {
		y := (f.top+f.bottom)/2 + textWidth(line, size, false)/2
		f.labels = append(
			f.labels,
			label{text: line, x: left + 0.8*size + 1.25*size*float64(i), y: min(y, foot), size: size, upright: true},
		)
	}
}

// legend puts the names of the series in rows that begin at the given height, and returns where they end.
func (f *figure) legend(strokes []stroke, left, right, y float64) float64 {
	size, gap, row := legendSize*f.unit, 18*f.unit, 17*f.unit
	x, any := left, false
	for _, s := range strokes {
		// only what has a name and can be seen
		if s.Name == "" || len(s.runs) == 0 {
			continue
		}
		before := s.signWidth() * f.unit
		name := shorten(s.Name, right-left-before-6*f.unit, size, false)
		width := before + 6*f.unit + textWidth(name, size, false)
		if any && x+width > right {
			x, y = left, y+row
		}
		any = true
		f.signs = append(f.signs, sign{s, x, y + row/2})
		f.labels = append(f.labels, label{text: name, x: x + before + 6*f.unit, y: y + row/2 + 0.36*size, size: size})
		x += width + gap
	}
	if any {
		y += row
	}
	return y
}

// atX and atY return where a value is in the picture, to a 64th of a pixel.
func (f *figure) atX(v float64) float64 { return snap(f.left + float64(f.x.Place(v)*(f.right-f.left))) }

func (f *figure) atY(v float64) float64 {
	return snap(f.bottom - float64(f.y.Place(v)*(f.bottom-f.top)))
}

// snap rounds to what fixed-point text can be placed at.
func snap(x float64) float64 { return math.Round(x*64) / 64 }

func (f *figure) textWidth(t axis.Tick) float64 { return textWidth(t.Label, tickSize*f.unit, false) }

// widest returns the width of the widest label.
func (f *figure) widest(ticks []axis.Tick) (w float64) {
	for _, t := range ticks {
		w = max(w, f.textWidth(t))
	}
	return w
}

var (
	gridInk   = color.RGBA{0xe1, 0xe5, 0xea, 0xff}
	paleInk   = color.RGBA{0xf1, 0xf3, 0xf6, 0xff} // between the lines of the grid
	originInk = color.RGBA{0xb4, 0xbc, 0xc6, 0xff} // at zero
)

// drawFrame draws what is around the curves and behind them.
func (f *figure) drawFrame(img *image.RGBA) {
	// grid: pale lines first, so that none crosses a darker one
	p := pen{img: img}
	w := max(1, math.Round(0.75*f.unit))
	across := func(x, y0, y1 float64, c color.Color) { p.rectangle(x, y0, x+w, y1, c) }
	along := func(y, x0, x1 float64, c color.Color) { p.rectangle(x0, y, x1, y+w, c) }
	for _, c := range []color.RGBA{paleInk, gridInk, originInk} {
		for _, t := range f.xTicks {
			if tickInk(f.x, t) == c {
				across(math.Floor(f.atX(t.Value)), f.top, f.bottom, c)
			}
		}
		for _, t := range f.yTicks {
			if tickInk(f.y, t) == c {
				along(math.Floor(f.atY(t.Value)), f.left, f.right, c)
			}
		}
	}
	// axes and ticks
	across(f.left-w, f.top, f.bottom+w, faint)
	along(f.bottom, f.left-w, f.right, faint)
	for _, t := range f.xTicks {
		across(math.Floor(f.atX(t.Value)), f.bottom, f.bottom+f.tickLength(t), faint)
	}
	for _, t := range f.yTicks {
		along(math.Floor(f.atY(t.Value)), f.left-f.tickLength(t), f.left, faint)
	}
	// names
	for _, s := range f.signs {
		f.drawSign(img, s)
	}
	for _, l := range f.labels {
		l.draw(img)
	}
}

// tickLength returns the length of a tick, whole pixels, shorter between labelled ones.
func (f *figure) tickLength(t axis.Tick) float64 {
	if t.Label == "" {
		return math.Round(2 * f.unit)
	}
	return math.Round(4 * f.unit)
}

// tickInk returns the colour of the line of the grid at a tick.
func tickInk(a axis.Axis, t axis.Tick) color.RGBA {
	switch {
	case t.Label == "":
		return paleInk
	case !a.Log && t.Value == 0 && math.Abs(a.Place(0)-0.5) < 0.42:
		return originInk // not beside an axis
	}
	return gridInk
}

// draw writes the label. Upright text is written from left to right first, and turned.
func (l *label) draw(img *image.RGBA) {
	if !l.upright {
		write(img, l.text, snap(l.x), snap(l.y), l.size, l.bold, ink)
		return
	}
	up := int(math.Ceil(1.2 * l.size))
	flat := image.NewRGBA(image.Rect(0, 0, int(textWidth(l.text, l.size, l.bold))+2, 2*up))
	write(flat, l.text, 1, float64(up), l.size, l.bold, ink)
	turned := image.NewRGBA(image.Rect(0, 0, flat.Rect.Dy(), flat.Rect.Dx()))
	for y := range flat.Rect.Dy() {
		for x := range flat.Rect.Dx() {
			turned.SetRGBA(y, flat.Rect.Dx()-1-x, flat.RGBAAt(x, y))
		}
	}
	overlay(img, turned, int(math.Round(l.x))-up, int(math.Round(l.y))-flat.Rect.Dx()+1)
}

// wrap breaks text into lines of at most a width [pixels], between words; a word that is too long is cut.
func wrap(text string, width, size float64, bold bool) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if longer := strings.TrimSpace(line + " " + word); textWidth(longer, size, bold) <= width {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = shorten(word, width, size, bold)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
