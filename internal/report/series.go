package report

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
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
	spent       int   // of these, rows of steps whose budget was spent
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
		if s.at("spent", row) > 0 {
			s.spent++
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

// onlyPhase returns the one phase that has a clock; empty if there are others.
func (s *series) onlyPhase() string {
	if len(s.clocks) == 1 {
		return s.clocks[0]
	}
	return ""
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

// stepsOf returns how many steps a row stands for: one, or as many as its column steps says.
func (s *series) stepsOf(row int) int {
	if n := s.at("steps", row); n > 1 {
		return int(n)
	}
	return 1
}

// spanOf returns the steps that a row stands for.
func (s *series) spanOf(row int) stepSpan {
	last := int(s.at("step", row))
	return stepSpan{last - s.stepsOf(row) + 1, last}
}

func (s *series) countSlips() slips {
	out := slips{known: s.columns["slips"] != nil}
	for row := range s.rows {
		if n := int(s.at("slips", row)); n > 0 {
			out.sum, out.in = out.sum+n, joined(out.in, s.spanOf(row))
		}
	}
	return out
}
