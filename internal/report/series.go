package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// series is the statistics of a run, as the report needs them.
type series struct {
	columns   map[string][]float64 // by name without unit
	headers   []string             // names of the columns with units
	solves    bool                 // steps have a residual and a tolerance, as those of cloths and bodies have
	clocks    []string             // phases of a step that have clocks, in their order
	rows      int
	steps     int  // that rows stand for
	grouped   bool // a row stands for several steps
	time      []float64
	tolerance float64 // of residuals [m/s]; 0 if it is not known
	step      float64 // the size asked for [s]

	unconverged []int // rows, without those that are contradicted
	contradicts int   // rows that reached the tolerance but for contacts that are proven to contradict each other
	residual    float64
	residualAt  int // step
	ahead       runfolder.Ahead
	losses      []runfolder.Loss
	contacts    int
	gap         float64
	crossings   int
	crossed     int     // steps
	frozen      int     // steps in a row in which the fail-safe took too much from a body
	depth       float64 // of cloth inside shapes [m]
	rounded     int     // steps whose residual rounding keeps above the tolerance
	infeasible  int     // steps
	halved      int     // steps
	slips       slips
	clock       float64
}

func newSeries(f *runfolder.Folder, table *runfolder.Table) *series {
	s := &series{
		columns: map[string][]float64{}, headers: table.Columns, rows: table.Rows(), step: f.Manifest.Time.Step,
		gap: math.Inf(1),
	}
	for i, name := range table.Columns {
		bare, _ := runfolder.SplitHeader(name)
		s.columns[bare] = table.Values[i]
		if runfolder.IsClock(name) {
			s.clocks = append(s.clocks, strings.TrimPrefix(bare, "clock "))
		}
	}
	s.solves = s.columns["residual"] != nil || s.rows == 0
	s.time, s.grouped = s.columns["time"], s.columns["steps"] != nil
	var options struct {
		World struct {
			Contact struct{ Tolerance float64 }
		} `json:"world"`
	}
	if json.Unmarshal(f.Manifest.Options, &options) == nil {
		s.tolerance = options.World.Contact.Tolerance
	}
	for row := range s.rows {
		s.steps += s.stepsOf(row)
		if s.at("contradicted", row) > 0 {
			s.contradicts++
		} else if s.solves && s.at("converged", row) == 0 {
			s.unconverged = append(s.unconverged, row)
		}
		// A residual that is not a number is the worst there is.
		if r := s.at("residual", row); r > s.residual || math.IsNaN(r) {
			s.residual, s.residualAt = r, int(s.at("step", row))
		}
		s.contacts = max(s.contacts, int(s.at("contacts", row)))
		if g := s.at("worst gap", row); s.solves && s.at("contacts", row) > 0 && g < s.gap {
			s.gap = g
		}
		if n := int(s.at("crossings", row)); n > 0 {
			s.crossed++
			s.crossings = max(s.crossings, n)
		}
		s.depth = max(s.depth, s.at("inside", row))
		if s.at("converged", row) == 0 && s.at("rounding", row) > s.tolerance {
			s.rounded++
		}
		if s.at("infeasible", row) > 0 {
			s.infeasible++
		}
		if s.at("halvings", row) > 0 {
			s.halved++
		}
		s.clock += s.clockOf(row)
	}
	s.ahead, s.losses = table.Ahead(), table.Losses()
	_, s.frozen = runfolder.Frozen(s.columns["failsafe taken"])
	s.slips = s.countSlips()
	return s
}

// at returns a value, 0 if the run is of a version that had no such column.
func (s *series) at(column string, row int) float64 {
	if c := s.columns[column]; c != nil {
		return c[row]
	}
	return 0
}

// converged returns the share of steps that reached the tolerance.
func (s *series) converged() float64 {
	if s.rows == 0 {
		return 1
	}
	return 1 - float64(len(s.unconverged)+s.contradicts)/float64(s.rows)
}

// phaseLooks are the numbers of their colours: those that take longest have the strongest.
var phaseLooks = map[string]int{
	"solve":     1,
	"detect":    2,
	"assemble":  3,
	"check":     4,
	"pose":      5,
	"integrate": 6,
	"refused":   7,
	"remesh":    8,
	"untangle":  0,
}

// look returns the number of the colour of a phase.
func (s *series) look(clock int) int {
	if look, ok := phaseLooks[s.clocks[clock]]; ok {
		return look
	}
	return clock % len(phaseLooks)
}

// phaseWords say what the phases do.
var phaseWords = map[string]string{
	"remesh":    "bring meshes that change to their sizes",
	"pose":      "bring obstacles and pins to their places",
	"detect":    "find what touches or is about to",
	"assemble":  "masses, forces and stiffness",
	"solve":     "velocities and impulses",
	"integrate": "move",
	"check":     "look for crossings",
	"untangle":  "undo what is crossed",
	"refused":   "attempts that had to be halved",
	"contact":   "find where yarns touch each other, and with what force",
}

// phases is where the time went.
type phases struct {
	Rows []phase // none if there is only one
	Text string
	SVG  template.HTML
}

type phase struct {
	Name, What, Time, Share, Step string
	Look                          int
	Width                         string // of its part of the bar [%]
}

// maxBars is how many bars show the time of steps in the course of the run.
const maxBars = 64

func (s *series) phases() *phases {
	if s.rows == 0 || !(s.clock > 0) {
		return nil
	}
	p := &phases{Text: s.timeWords() + " " + s.slowest(), SVG: s.bars()}
	if s.onlyPhase() != "" {
		return p
	}
	for i, name := range s.clocks {
		sum := sumOf(s.columns["clock "+name])
		if name == "remesh" && sum == 0 {
			continue // no mesh changes
		}
		share := sum / s.clock
		p.Rows = append(p.Rows, phase{
			name, phaseWords[name], words.FineSeconds(sum), percent(share), words.FineSeconds(sum / float64(s.steps)), s.look(i),
			fmt.Sprintf("%.2f", 100*share),
		})
	}
	return p
}

// onlyPhase returns the one phase that has a clock; empty if there are others.
func (s *series) onlyPhase() string {
	if len(s.clocks) == 1 {
		return s.clocks[0]
	}
	return ""
}

// timeWords says how long steps took, or what is known of it.
func (s *series) timeWords() string {
	all, each := words.FineSeconds(s.clock), words.FineSeconds(s.clock/float64(s.steps))
	only := s.onlyPhase()
	if only == "" {
		return fmt.Sprintf("The steps took %s on the wall, %s each.", all, each)
	}
	what := only
	if does := phaseWords[only]; does != "" {
		what += " (" + does + ")"
	}
	return fmt.Sprintf("Of a step only %s has a clock. It took %s on the wall, %s a step.", what, all, each)
}

// timed says what the clocks time of a step.
func (s *series) timed() string {
	if only := s.onlyPhase(); only != "" {
		return only + " in a step"
	}
	return "a step"
}

// clockOf returns the time on the wall of a row [s].
func (s *series) clockOf(row int) float64 {
	sum := 0.0
	for _, name := range s.clocks {
		sum += s.at("clock "+name, row)
	}
	return sum
}

// slowest says which steps took longest.
func (s *series) slowest() string {
	slow, at := 0.0, 0
	for row := range s.rows {
		if mean := s.clockOf(row) / float64(s.stepsOf(row)); mean > slow {
			slow, at = mean, row
		}
	}
	span := s.spanOf(at)
	if span.first == span.last {
		return fmt.Sprintf("The slowest step is %s, with %s.", span.words(), words.FineSeconds(slow))
	}
	return fmt.Sprintf("The slowest steps are %s, with %s each.", span.words(), words.FineSeconds(slow))
}

// bars draws the mean time of a step in the course of the run, by phase.
func (s *series) bars() template.HTML {
	n := min(s.rows, maxBars)
	stacks := make([][]float64, n)
	top := 0.0
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
	unit, scale := "s", 1.0
	if top < 1 {
		unit, scale = "ms", 1e3
	}
	const width, height, bottom = 2 * plotWidth, plotHeight, plotHeight - marginB
	ticks := linearTicks(0, top*scale, 4)
	high := max(ticks[len(ticks)-1], top*scale)
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg viewBox="0 0 %d %d" role="img" aria-label="Mean time of %s in the course of the run, by phase; the largest is %s">`,
		width,
		height,
		template.HTMLEscapeString(s.timed()),
		words.FineSeconds(top),
	)
	for _, t := range ticks {
		y := bottom - t/high*(bottom-marginT)
		fmt.Fprintf(
			&b,
			`<path class="grid" d="M%d %sH%d"/><text class="yt" x="%d" y="%s">%s</text>`,
			marginL,
			coord(y),
			width-marginR,
			marginL-7,
			coord(y+4),
			tidy(t),
		)
	}
	room := float64(width-marginL-marginR) / float64(n)
	for k, stack := range stacks {
		lo, hi := k*s.rows/n, (k+1)*s.rows/n-1
		x, y, total := marginL+(float64(k)+0.08)*room, float64(bottom), 0.0
		b.WriteString("<g>")
		for i, t := range stack {
			total += t
			h := t * scale / high * (bottom - marginT)
			if h < 0.05 {
				continue
			}
			y -= h
			fmt.Fprintf(
				&b,
				`<rect class="f%d" x="%s" y="%.2f" width="%s" height="%.2f"/>`,
				s.look(i),
				coord(x),
				y,
				coord(0.84*room),
				h,
			)
		}
		fmt.Fprintf(
			&b,
			"<title>steps %s to %s: %s a step</title></g>",
			words.Thousands(s.spanOf(lo).first),
			words.Thousands(int(s.at("step", hi))),
			words.FineSeconds(total),
		)
	}
	for _, k := range []int{0, n / 2, n - 1} {
		row := k * s.rows / n
		if k == n-1 {
			row = s.rows - 1
		}
		fmt.Fprintf(
			&b,
			`<text class="xt" x="%s" y="%d">%s</text>`,
			coord(marginL+(float64(k)+0.5)*room),
			bottom+16,
			words.Thousands(int(s.at("step", row))),
		)
	}
	fmt.Fprintf(
		&b,
		`<text class="xt" x="%d" y="%d">step; mean time of %s [%s]</text></svg>`,
		width/2,
		height-3,
		template.HTMLEscapeString(s.timed()),
		unit,
	)
	return template.HTML(b.String())
}

// worstStep is a row of the table of worst steps.
type worstStep struct {
	Step, Time, Frame, Residual, Contacts, Crossings, Halvings, Clock string
	Above                                                             bool
}

const (
	worstSteps = 10
	ranking    = "Steps above the tolerance come first, then those with the most crossings, then those with the largest residual."
)

func (s *series) worst() []worstStep {
	if !s.solves {
		return nil
	}
	rows := make([]int, s.rows)
	for i := range rows {
		rows[i] = i
	}
	residual := func(row int) float64 {
		if r := s.at("residual", row); r == r {
			return r
		}
		return math.Inf(1)
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.at("converged", a), s.at("converged", b)),
			cmp.Compare(s.at("crossings", b), s.at("crossings", a)), cmp.Compare(residual(b), residual(a)))
	})
	var out []worstStep
	for _, row := range rows[:min(worstSteps, len(rows))] {
		whole := func(column string) string { return words.Thousands(int(s.at(column, row))) }
		out = append(out, worstStep{
			Step: whole(
				"step",
			),
			Time:      fmt.Sprintf("%.4f", s.at("time", row)),
			Frame:     fmt.Sprint(int(s.at("frame", row))),
			Residual:  short(s.at("residual", row)),
			Contacts:  whole("contacts"),
			Crossings: whole("crossings"),
			Halvings:  whole("halvings"),
			Clock:     words.FineSeconds(s.clockOf(row)),
			Above:     s.at("converged", row) == 0,
		})
	}
	return out
}
