package report

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/axis"
	"github.com/toile-sim/toile/internal/words"
)

// Sweep is what the report of a sweep shows.
type Sweep struct {
	Title     string
	Axes      []SweepAxis
	Outcomes  []SweepOutcome
	Status    []string // of each run: done, failed or missing
	Failures  []SweepFailure
	Sheet     []byte // pictures, as PNG; may be nil
	SheetText string // which runs they are of
	Facts     []SweepFact
	Again     string // the command that made it
}

// SweepAxis is an axis, with a value for each run.
type SweepAxis struct {
	Name    string
	Unit    string
	Numeric bool // Numbers says more than Words
	Log     bool // numbers are shown on a logarithmic axis
	Random  bool // values are not shared by runs, so that no lines join their means
	Numbers []float64
	Words   []string
}

// SweepOutcome is an outcome, with a value for each run; NaN where there is none.
type SweepOutcome struct {
	Name   string
	Unit   string
	Values []float64
}

// SweepFailure is a run that failed.
type SweepFailure struct {
	Run          int
	Values, Text string
}

// SweepFact is a row of the last table.
type SweepFact = fact

// doneStatus is that of a run that is complete.
const doneStatus = "done"

// mostRows is how many runs the table on the page has.
const mostRows = 500

var (
	//go:embed sweep.html
	sweepText string

	sweepPage = newPage("sweep", sweepText)
)

// HTML writes the page. Like that of a run it is one file that loads nothing.
func (s *Sweep) HTML(w io.Writer) error { return sweepPage.Execute(w, s) }

// Style returns the style sheet of the page.
func (s *Sweep) Style() template.CSS { return template.CSS(styleText) }

// Source returns the pictures as a data URI.
func (s *Sweep) Source() template.URL {
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(s.Sheet))
}

func (s *Sweep) count(status string) int {
	n := 0
	for _, x := range s.Status {
		if x == status {
			n++
		}
	}
	return n
}

// State returns how the page calls the whole.
func (s *Sweep) State() string {
	switch done := s.count(doneStatus); {
	case done == len(s.Status):
		return "finished"
	case len(s.Failures) > 0:
		return "failed"
	}
	return "unfinished"
}

// Verdict says in a sentence what came of the runs.
func (s *Sweep) Verdict() string {
	done := s.count(doneStatus)
	if done == len(s.Status) {
		return fmt.Sprintf("All %s are complete.", words.Count(done, "run"))
	}
	text := fmt.Sprintf("%s of %s are complete", words.Thousands(done), words.Count(len(s.Status), "run"))
	if n := len(s.Failures); n > 0 {
		text += fmt.Sprintf(", %s failed", words.Thousands(n))
	}
	return text + "."
}

// TableText says which runs the table has.
func (s *Sweep) TableText() string {
	if len(s.Status) > mostRows {
		return fmt.Sprintf("The first %d of %s; table.csv and table.parquet have all.", mostRows, words.Count(len(s.Status), "run"))
	}
	return "table.csv and table.parquet have the same with all digits, and the keys and states of the runs."
}

// sweepRow is a row of the table on the page.
type sweepRow struct {
	Run      int
	Values   []sweepCell
	Done     bool
	Status   string
	Outcomes []string
}

type sweepCell struct {
	Text    string
	Numeric bool
}

// Rows returns the table.
func (s *Sweep) Rows() []sweepRow {
	out := make([]sweepRow, min(len(s.Status), mostRows))
	for i := range out {
		out[i] = sweepRow{Run: i, Status: s.Status[i], Done: s.Status[i] == doneStatus}
		for k := range s.Axes {
			out[i].Values = append(out[i].Values, sweepCell{s.Axes[k].text(i), s.Axes[k].Numeric})
		}
		for _, o := range s.Outcomes {
			cell := ""
			if !math.IsNaN(o.Values[i]) {
				cell = strconv.FormatFloat(o.Values[i], 'g', 6, 64)
			}
			out[i].Outcomes = append(out[i].Outcomes, cell)
		}
	}
	return out
}

// text is the value of a run, without a unit that the heading has.
func (a *SweepAxis) text(run int) string {
	if a.Numeric {
		return tidy(a.Numbers[run])
	}
	return a.Words[run]
}

// mostColours is how many values of an axis are told apart by colours.
const mostColours = 6

// Plots draws every outcome against every axis with more than one value, coloured by another.
func (s *Sweep) Plots() []plot {
	var out []plot
	for o := range s.Outcomes {
		for a := range s.Axes {
			if len(s.Axes[a].levels()) < 2 {
				continue
			}
			by := s.colours(a)
			p := plot{
				ID: fmt.Sprintf("p%d-%d", o, a), Title: s.Outcomes[o].Name, Unit: s.Outcomes[o].Unit,
				Text: "against " + s.Axes[a].heading(),
			}
			if by >= 0 {
				p.Text += ", by " + s.Axes[by].heading()
				for i, name := range s.Axes[by].levels() {
					p.Legend = append(p.Legend, legend{name, i + 1})
				}
			}
			if p.SVG = s.scatter(o, a, by).svg(p.Title + " " + p.Text); p.SVG != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

func (a *SweepAxis) heading() string {
	if a.Unit == "" || !a.Numeric {
		return a.Name
	}
	return fmt.Sprintf("%s [%s]", a.Name, a.Unit)
}

// levels returns the different values of an axis, numbers in order, words in that of runs.
func (a *SweepAxis) levels() []string {
	order := make([]int, len(a.Words))
	for i := range order {
		order[i] = i
	}
	if a.Numeric {
		slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(a.Numbers[i], a.Numbers[k]) })
	}
	var out []string
	seen := map[string]bool{}
	for _, i := range order {
		if text := a.text(i); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// colours returns the axis other than a that has the fewest values from two on, and few enough; -1 if there is none.
// Words go before numbers.
func (s *Sweep) colours(a int) int {
	best, least := -1, math.MaxInt
	for i := range s.Axes {
		n := len(s.Axes[i].levels())
		if i == a || n < 2 || n > mostColours {
			continue
		}
		if s.Axes[i].Numeric {
			n += mostColours
		}
		if n < least {
			best, least = i, n
		}
	}
	return best
}

// scatter is the dots of a plot, and lines through their means.
type scatter struct {
	axis    *SweepAxis
	x, y    []float64
	look    []int    // from 1
	levels  []string // of words on the horizontal axis; nil of numbers
	looks   int
	heading string
}

// scatter returns the dots of an outcome against axis a, coloured by axis by, if it is not negative.
func (s *Sweep) scatter(o, a, by int) *scatter {
	c := &scatter{axis: &s.Axes[a], looks: 1, heading: s.Axes[a].heading()}
	if !c.axis.Numeric {
		c.levels = c.axis.levels()
	}
	var names []string
	if by >= 0 {
		names = s.Axes[by].levels()
		c.looks = len(names)
	}
	for i, y := range s.Outcomes[o].Values {
		x, look := 0.0, 1
		if c.axis.Numeric {
			x = c.axis.Numbers[i]
		} else {
			x = float64(slices.Index(c.levels, c.axis.text(i)))
		}
		if by >= 0 {
			look = slices.Index(names, s.Axes[by].text(i)) + 1
		}
		if !math.IsNaN(y) && !math.IsInf(y, 0) {
			c.x, c.y, c.look = append(c.x, x), append(c.y, y), append(c.look, look)
		}
	}
	return c
}

// span returns the horizontal axis.
func (c *scatter) span() axis.Axis {
	if c.levels != nil {
		return axis.Axis{Low: -0.5, Top: float64(len(c.levels)) - 0.5}
	}
	r := axis.Range{Log: c.axis.Log && slices.Min(c.x) > 0}
	for _, x := range c.x {
		r.Add(x)
	}
	return r.Axis(0.025)
}

// svg draws the plot; empty if there is nothing to show.
func (c *scatter) svg(alt string) template.HTML {
	if len(c.y) == 0 {
		return ""
	}
	vertical := chart{curves: []curve{{y: c.y}}}
	up, _ := vertical.span()
	across := c.span()
	px, py := acrossPlot(across), upPlot(up)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, plotWidth, plotHeight, template.HTMLEscapeString(alt))
	vertical.grid(&b, up)
	c.ticks(&b, across)
	fmt.Fprintf(&b, `<text class="xt" x="%d" y="%d">%s</text>`, (marginL+plotWidth-marginR)/2, plotHeight-3, template.HTMLEscapeString(c.heading))
	for look := 1; look <= c.looks && !c.axis.Random; look++ {
		fmt.Fprintf(&b, `<path class="line l%d" d="%s"/>`, look, c.means(look, px, py))
	}
	for i := range c.y {
		fmt.Fprintf(&b, `<circle class="dot f%d" cx="%s" cy="%s" r="2.6"/>`, c.look[i], coord(px(c.x[i])), coord(py(c.y[i])))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// mostLabels is how many words fit under a plot.
const mostLabels = 12

// ticks draws the labels of the horizontal axis.
func (c *scatter) ticks(b *strings.Builder, across axis.Axis) {
	px := acrossPlot(across)
	switch {
	case c.levels != nil:
		every := (len(c.levels) + mostLabels - 1) / mostLabels
		for i := 0; i < len(c.levels); i += every {
			tickBelow(b, px(float64(i)), c.levels[i])
		}
	case across.Log:
		for _, x := range evenValues(c.x, ticksAcross) {
			tickBelow(b, px(x), tidy(x))
		}
	default:
		for _, t := range across.Ticks(ticksAcross) {
			tickBelow(b, px(t.Value), t.Label)
		}
	}
}

// evenValues returns about n of the different values, in order.
func evenValues(values []float64, n int) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	every := (len(sorted) + n - 1) / n
	var out []float64
	for i := 0; i < len(sorted); i += every {
		out = append(out, sorted[i])
	}
	return out
}

// means returns the line through the means of the dots of one colour, one for each value of the axis.
func (c *scatter) means(look int, px, py func(float64) float64) string {
	sum, count := map[float64]float64{}, map[float64]int{}
	var at []float64
	for i, x := range c.x {
		if c.look[i] != look {
			continue
		}
		if count[x] == 0 {
			at = append(at, x)
		}
		sum[x] += c.y[i]
		count[x]++
	}
	slices.Sort(at)
	var b strings.Builder
	for i, x := range at {
		pen := "L"
		if i == 0 {
			pen = "M"
		}
		fmt.Fprintf(&b, "%s%s %s", pen, coord(px(x)), coord(py(sum[x]/float64(count[x]))))
	}
	return b.String()
}
