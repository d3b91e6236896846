// Curves as SVG that follows the page's colours.
//
// Lines and text take their colours from the style sheet, so that a plot is right in light, in dark and on paper, which
// a picture or a plot with colours of its own is not. A curve of many steps is decimated: each column of the plot keeps
// its first, least, largest and last value, so that no peak is lost and the file does not grow with the run.

package report

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toile-sim/toile/internal/axis"
)

// Size of a plot in its own units, and its margins.
const (
	plotWidth  = 640
	plotHeight = 240
	marginL    = 62
	marginR    = 14
	marginT    = 10
	marginB    = 34

	// ticksUp and ticksAcross are about how many labels there is room for.
	ticksUp, ticksAcross = 5, 7

	// columns is how many parts a long curve is cut into.
	columns = 400
)

// curve is one line of a plot.
type curve struct {
	name string
	y    []float64
	look int // number of its colour and dashes, from 1; 0 is the colour of text
	step bool
}

// chart is curves over time.
type chart struct {
	x      []float64 // rising [s]
	curves []curve
	log    bool
	level  float64 // a line across, if it is positive
	zero   bool    // the axis begins at 0
	counts bool    // values are whole
}

// plot is a chart on the page.
type plot struct {
	ID, Title, Unit, Text string
	Alt                   string
	Legend                []legend
	SVG                   template.HTML
}

type legend struct {
	Name string
	Look int
}

// shows reports whether the vertical axis can show a value.
func (c *chart) shows(y float64) bool { return y-y == 0 && (!c.log || y > 0) }

// span returns the vertical axis, and false if there is nothing to show.
func (c *chart) span() (axis.Axis, bool) {
	// values that are shown
	low, high, ok := math.Inf(1), math.Inf(-1), false
	for i := range c.curves {
		for _, y := range c.curves[i].y {
			if c.shows(y) {
				low, high, ok = min(low, y), max(high, y), true
			}
		}
	}
	if !ok {
		return axis.Axis{}, false
	}
	// a level belongs to the picture, and zero may
	if c.level > 0 {
		low, high = min(low, c.level), max(high, c.level)
	}
	if c.zero {
		low, high = min(low, 0), max(high, 0)
	}
	// a range that is not empty, of whole ticks
	if low == high && !c.log {
		pad := max(math.Abs(low)*0.1, 1e-12)
		low, high = low-pad, high+pad
	}
	return axis.Axis{Low: low, Top: high, Log: c.log, Counts: c.counts}.Whole(ticksUp), true
}

// svg draws the chart; empty if there is nothing to show.
func (c *chart) svg(alt string) template.HTML {
	// nothing to draw
	vertical, ok := c.span()
	if !ok || len(c.x) == 0 {
		return ""
	}
	// from times and values to places in the picture
	times := axis.Axis{Low: min(0, c.x[0]), Top: c.x[len(c.x)-1]}
	if !(times.Top > times.Low) {
		times.Top = times.Low + 1
	}
	px, py := acrossPlot(times), upPlot(vertical)

	// frame and axes
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg viewBox="0 0 %d %d" role="img" aria-label="%s">`,
		plotWidth,
		plotHeight,
		template.HTMLEscapeString(alt),
	)
	c.grid(&b, vertical)
	for _, t := range times.Ticks(ticksAcross) {
		tickBelow(&b, px(t.Value), t.Label)
	}
	fmt.Fprintf(&b, `<text class="xt" x="%d" y="%d">time [s]</text>`, (marginL+plotWidth-marginR)/2, plotHeight-3)
	// curves and level
	for i := range c.curves {
		u := &c.curves[i]
		fmt.Fprintf(&b, `<path class="line l%d" d="%s"/>`, u.look, c.path(u, px, py))
	}
	if c.level > 0 {
		y := coord(py(c.level))
		fmt.Fprintf(&b, `<path class="level" d="M%d %sH%d"/>`, marginL, y, plotWidth-marginR)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// acrossPlot and upPlot return where values of an axis are in a plot.
func acrossPlot(a axis.Axis) func(x float64) float64 {
	return func(x float64) float64 { return marginL + a.Place(x)*(plotWidth-marginL-marginR) }
}

func upPlot(a axis.Axis) func(y float64) float64 {
	return func(y float64) float64 { return plotHeight - marginB - a.Place(y)*(plotHeight-marginT-marginB) }
}

// tickBelow draws a tick and its label below a plot.
func tickBelow(b *strings.Builder, x float64, label string) {
	fmt.Fprintf(b, `<path class="tick" d="M%s %dv4"/><text class="xt" x="%s" y="%d">%s</text>`,
		coord(x), plotHeight-marginB, coord(x), plotHeight-marginB+16, template.HTMLEscapeString(label))
}

// grid draws the lines across and their labels.
func (c *chart) grid(b *strings.Builder, vertical axis.Axis) {
	py := upPlot(vertical)
	for _, t := range vertical.Ticks(ticksUp) {
		if t.Label == "" {
			continue
		}
		y := py(t.Value)
		fmt.Fprintf(b, `<path class="grid" d="M%d %sH%d"/>`, marginL, coord(y), plotWidth-marginR)
		fmt.Fprintf(b, `<text class="yt" x="%d" y="%s"%s>%s</text>`, marginL-7, coord(y+4), squeeze(t.Label), t.Label)
	}
}

// squeeze returns attributes that make a label fit beside a plot if it would be cut.
func squeeze(label string) string {
	if utf8.RuneCountInString(label) <= 9 {
		return ""
	}
	return fmt.Sprintf(` textLength="%d" lengthAdjust="spacingAndGlyphs"`, marginL-10)
}

// path returns the outline of a curve, with gaps where it cannot be shown.
func (c *chart) path(u *curve, px, py func(float64) float64) string {
	var b strings.Builder
	pen := false
	put := func(i int) {
		y := u.y[i]
		if !c.shows(y) {
			pen = false
			return
		}
		x, at := coord(px(c.x[i])), coord(py(y))
		switch {
		case !pen:
			b.WriteString("M" + x + " " + at)
		case u.step:
			b.WriteString("H" + x + "V" + at)
		default:
			b.WriteString("L" + x + " " + at)
		}
		if !pen {
			b.WriteString("h.01") // a point between two gaps is a dot
		}
		pen = true
	}
	n := min(len(u.y), len(c.x))
	if n <= 4*columns {
		for i := range n {
			put(i)
		}
		return b.String()
	}
	for k := range columns {
		lo, hi := k*n/columns, (k+1)*n/columns
		for _, i := range keep(u.y, lo, hi) {
			put(i)
		}
	}
	return b.String()
}

// keep returns the places of the first, least, largest and last value from lo to hi, in order, and of one that is not a
// number if there is any.
func keep(y []float64, lo, hi int) []int {
	least, most, gap := lo, lo, -1
	for i := lo; i < hi; i++ {
		if y[i] != y[i] {
			gap = i
			continue
		}
		if y[least] != y[least] || y[i] < y[least] {
			least = i
		}
		if y[most] != y[most] || y[i] > y[most] {
			most = i
		}
	}
	var out []int
	for i := lo; i < hi; i++ {
		if i == lo || i == least || i == most || i == gap || i == hi-1 {
			out = append(out, i)
		}
	}
	return out
}

// tidy writes a value: rounding errors are not part of it.
func tidy(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	y, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(y) < 1e-14 {
		return "0"
	}
	if a := math.Abs(y); a >= 1e-3 && a < 1e6 {
		return strings.ReplaceAll(strconv.FormatFloat(y, 'f', -1, 64), "-", "−")
	}
	return strings.ReplaceAll(strings.Replace(strconv.FormatFloat(y, 'g', -1, 64), "e-0", "e-", 1), "-", "−")
}

// coord writes a coordinate to a tenth.
func coord(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }
