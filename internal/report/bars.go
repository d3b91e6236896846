package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/toile-sim/toile/internal/axis"
	"github.com/toile-sim/toile/internal/words"
)

// maxBars is how many bars show the time of steps in the course of the run.
const maxBars = 64

// stacks returns the mean time of a step in each of n parts of the run, by phase, and the largest of all phases
// together [s].
func (s *series) stacks(n int) (stacks [][]float64, top float64) {
	stacks = make([][]float64, n)
	for k := range n {
		lo, hi := k*s.rows/n, (k+1)*s.rows/n
		stacks[k] = make([]float64, len(s.clocks))
		total, steps := 0.0, 0
		for row := lo; row < hi; row++ {
			steps += s.stepsOf(row)
		}
		for i, name := range s.clocks {
			for row := lo; row < hi; row++ {
				stacks[k][i] += s.at("clock "+name, row) / float64(steps)
			}
			total += stacks[k][i]
		}
		top = max(top, total)
	}
	return stacks, top
}

// Size of the figure of bars in its own units.
const (
	barsWidth  = 2 * plotWidth
	barsBottom = plotHeight - marginB
)

// barChart is the figure of bars while it is drawn.
type barChart struct {
	strings.Builder
	s     *series
	scale float64 // from seconds to what the axis shows
	high  float64 // at the end of the axis
	room  float64 // for a bar
}

// bars draws the mean time of a step in the course of the run, by phase.
func (s *series) bars() template.HTML {
	// times in s or ms, whichever reads better
	n := min(s.rows, maxBars)
	stacks, top := s.stacks(n)
	unit, scale := "s", 1.0
	if top < 1 {
		unit, scale = "ms", 1e3
	}
	// scale of the axis
	times := axis.Axis{Top: top * scale}
	if !(top > 0) {
		times.Top = 1
	}
	times = times.Whole(4)
	b := &barChart{
		s: s, scale: scale, high: times.Top,
		room: float64(barsWidth-marginL-marginR) / float64(n),
	}
	fmt.Fprintf(
		b,
		`<svg viewBox="0 0 %d %d" role="img" aria-label="Mean time of %s in the course of the run, by phase; the largest is %s">`,
		barsWidth,
		plotHeight,
		template.HTMLEscapeString(s.timed()),
		words.FineSeconds(top),
	)
	// lines, bars and numbers
	b.lines(times.Ticks(4))
	for k, stack := range stacks {
		b.stack(k, stack, k*s.rows/n, (k+1)*s.rows/n-1)
	}
	b.numbers(n)
	fmt.Fprintf(
		b,
		`<text class="xt" x="%d" y="%d">step; mean time of %s [%s]</text></svg>`,
		barsWidth/2,
		plotHeight-3,
		template.HTMLEscapeString(s.timed()),
		unit,
	)
	return template.HTML(b.String())
}

// lines draws the grid.
func (b *barChart) lines(ticks []axis.Tick) {
	for _, t := range ticks {
		y := barsBottom - t.Value/b.high*(barsBottom-marginT)
		fmt.Fprintf(
			b,
			`<path class="grid" d="M%d %sH%d"/><text class="yt" x="%d" y="%s">%s</text>`,
			marginL,
			coord(y),
			barsWidth-marginR,
			marginL-7,
			coord(y+4),
			t.Label,
		)
	}
}

// stack draws bar k, of the rows from lo to hi.
func (b *barChart) stack(k int, stack []float64, lo, hi int) {
	// phases from the bottom up; what is too thin to be seen is left out
	x, y, total := marginL+(float64(k)+0.08)*b.room, float64(barsBottom), 0.0
	b.WriteString("<g>")
	for i, t := range stack {
		total += t
		h := t * b.scale / b.high * (barsBottom - marginT)
		if h < 0.05 {
			continue
		}
		y -= h
		fmt.Fprintf(
			b,
			`<rect class="f%d" x="%s" y="%.2f" width="%s" height="%.2f"/>`,
			b.s.look(i),
			coord(x),
			y,
			coord(0.84*b.room),
			h,
		)
	}
	// what the mouse shows
	fmt.Fprintf(
		b,
		"<title>steps %s to %s: %s a step</title></g>",
		words.Thousands(b.s.spanOf(lo).first),
		words.Thousands(int(b.s.at("step", hi))),
		words.FineSeconds(total),
	)
}

// numbers writes the steps of the first, the middle and the last of n bars.
func (b *barChart) numbers(n int) {
	for _, k := range []int{0, n / 2, n - 1} {
		row := k * b.s.rows / n
		if k == n-1 {
			row = b.s.rows - 1
		}
		fmt.Fprintf(
			b,
			`<text class="xt" x="%s" y="%d">%s</text>`,
			coord(marginL+(float64(k)+0.5)*b.room),
			barsBottom+16,
			words.Thousands(int(b.s.at("step", row))),
		)
	}
}
