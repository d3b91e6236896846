package storm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Tally is how the scenes of a family went.
type Tally struct {
	Family      string
	Scenes      int
	Steps       int
	Unconverged int
	Crossings   int // that the referee saw, one for each frame and pair of things
	Unreported  int // of them
	Panics      int
	NaN         int // frames
	Differ      int // frames of the folder that are not what was judged
	Frozen      int // bodies that did not move as theory says
	Ended       int // runs that ended with an error
	Cut         int // and that took too long
	Median, Max float64
	Slowest     int     // the seed of the largest
	Step        float64 // the slowest [s]
	Outliers    int     // scenes with a step that took more than it may
}

// Tallies returns a tally for each family that has outcomes, and one of all.
func Tallies(all []*Outcome) []Tally {
	var out []Tally
	for i := range Families {
		if t := tally(Families[i].Name, all); t.Scenes > 0 {
			out = append(out, t)
		}
	}
	return append(out, tally("", all))
}

// tally counts the outcomes of a family; of all if it has no name.
func tally(family string, all []*Outcome) Tally {
	t := Tally{Family: family}
	// sums
	var times []*Outcome
	for _, o := range all {
		if family != "" && o.Family != family {
			continue
		}
		times = append(times, o)
		t.Scenes++
		t.Steps += o.Steps
		t.Unconverged += o.Unconverged
		t.Crossings += len(o.Findings)
		t.Unreported += len(o.Unreported())
		t.NaN += o.NaN
		t.Differ += o.Differ
		t.Frozen += len(o.Frozen)
		t.Panics += one(o.Panic != "")
		t.Ended += one(o.Ended != "")
		t.Cut += one(o.Cut)
		t.Step = max(t.Step, o.Slowest)
		t.Outliers += one(o.hasOutlier())
	}
	// how long a scene takes
	if len(times) > 0 {
		slices.SortStableFunc(times, func(a, b *Outcome) int { return cmp.Compare(a.CPU, b.CPU) })
		last := times[len(times)-1]
		t.Median, t.Max, t.Slowest = times[(len(times)-1)/2].CPU, last.CPU, last.Seed
	}
	return t
}

// mostStep and mostUsual bound what a step may take: seconds, and medians of the scene's steps where it takes more than
// leastOutlier seconds.
const mostStep, mostUsual, leastOutlier = 10, 50, 0.5

// hasOutlier reports whether a step took more than it may.
func (o *Outcome) hasOutlier() bool {
	return o.Slowest > mostStep || o.Slowest > leastOutlier && o.Slowest > mostUsual*o.Usual
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Table returns the tallies as the lines of a table in Markdown.
func Table(tallies []Tally) []string {
	rows := [][]string{{
		"family", "scenes", "steps", "not converged", "crossings", "unreported", "frozen", "panics", "NaN", "ended", "cut",
		"CPU s median", "max", "seed", "slowest step s", "outliers",
	}}
	for _, t := range tallies {
		name := t.Family
		if name == "" {
			name = "all"
		}
		row := []string{name}
		for _, n := range []int{
			t.Scenes, t.Steps, t.Unconverged, t.Crossings, t.Unreported, t.Frozen, t.Panics, t.NaN, t.Ended, t.Cut,
		} {
			row = append(row, fmt.Sprint(n))
		}
		rows = append(rows, append(row, fmt.Sprintf("%.2f", t.Median), fmt.Sprintf("%.2f", t.Max), fmt.Sprint(t.Slowest),
			fmt.Sprintf("%.2f", t.Step), fmt.Sprint(t.Outliers)))
	}
	// A rule below the head, and all columns as wide as their widest cell.
	rule := make([]string, len(rows[0]))
	width := make([]int, len(rule))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for i := range rule {
		rule[i] = strings.Repeat("-", width[i]-1) + ":"
	}
	rule[0] = strings.Repeat("-", width[0])
	var lines []string
	for _, row := range slices.Insert(rows, 1, rule) {
		line := fmt.Sprintf("| %-*s |", width[0], row[0])
		for i, cell := range row[1:] {
			line += fmt.Sprintf(" %*s |", width[i+1], cell)
		}
		lines = append(lines, line)
	}
	return lines
}
