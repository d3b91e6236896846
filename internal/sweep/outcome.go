package sweep

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/toile-sim/toile/internal/runfolder"
)

// ErrUnfinished says that a run is not complete.
var ErrUnfinished = errors.New("the run is not complete")

// Row is what came of a run.
type Row struct {
	Run
	Status   Status
	State    string    // hash of the last state, in hex; empty unless done
	Frames   int       // with frame 0
	Time     float64   // reached [s]
	Stopped  string    // the condition that ended it early; empty if none did
	Outcomes []float64 // in the order of Sweep.Outcomes; NaN where there is nothing to tell
	Units    []string  // of the outcomes; empty for counts, and unless done
	// Seconds is the time that steps took, on the wall. It is not in tables: it differs from run to run.
	Seconds float64
}

// Status is how a run stands.
type Status string

const (
	Done    Status = "done"
	Failed  Status = "failed"
	Missing Status = "missing" // not played yet, or not to its end
)

// Unfinished returns the row of a run without a result.
func (s *Sweep) Unfinished(r Run, status Status) Row {
	n := len(s.file.Outcomes)
	row := Row{Run: r, Status: status, Outcomes: make([]float64, n), Units: make([]string, n), Time: math.NaN()}
	for i := range row.Outcomes {
		row.Outcomes[i] = math.NaN()
	}
	return row
}

// Outcome returns what came of a run from its folder. If the run is not complete, the error wraps ErrUnfinished or
// runfolder.ErrNoRun.
func (s *Sweep) Outcome(r Run, folder string) (Row, error) {
	// a folder of this run
	row := s.Unfinished(r, Missing)
	f, err := runfolder.Open(folder)
	if err != nil {
		return row, err
	}
	if f.Manifest.Key != r.Key {
		return row, fmt.Errorf(
			"%s: %w, of key %.16s and not %.16s", folder, runfolder.ErrOtherRun, f.Manifest.Key, r.Key,
		)
	}
	// it is complete
	end, err := f.End()
	if err != nil {
		return row, err
	}
	if end == nil {
		return row, fmt.Errorf("%s: %w", folder, ErrUnfinished)
	}
	// how far it came, and why it ended
	row.Status, row.State, row.Frames = Done, hex.EncodeToString(end.Hash[:]), end.Frame+1
	row.Time = float64(end.Frame) / f.Manifest.Time.FPS
	met, err := f.Stopped()
	if err != nil {
		return row, err
	}
	if met != nil {
		row.Stopped = met.String()
	}
	// its statistics, and outcomes of them
	table, err := f.Stats()
	if err != nil {
		return row, err
	}
	row.Seconds = clockTime(table)
	for i := range s.file.Outcomes {
		if row.Outcomes[i], err = s.file.Outcomes[i].of(table); err != nil {
			return row, fmt.Errorf("%s: %w", filepath.Join(folder, runfolder.StatsName), err)
		}
		row.Units[i] = s.file.Outcomes[i].unit(table)
	}
	return row, nil
}

// clockTime returns the time that all steps took [s].
func clockTime(t *runfolder.Table) float64 {
	sum := 0.0
	for c, name := range t.Columns {
		if runfolder.IsClock(name) {
			for _, x := range t.Values[c] {
				sum += x
			}
		}
	}
	return sum
}

// of collects the outcome from statistics. Cells that are empty do not count.
func (o *Outcome) of(t *runfolder.Table) (float64, error) {
	// columns of the outcome
	cells, times := t.Column(o.column()), t.Column("time")
	if cells == nil || times == nil {
		return 0, fmt.Errorf("there is no column %q for the outcome %s", o.column(), o.label())
	}
	// first, last, least and largest value, and the integral over time
	first, last, sum, span, before := math.NaN(), math.NaN(), 0.0, 0.0, 0.0
	least, largest := math.NaN(), math.NaN()
	for i, x := range cells {
		h := times[i] - before
		before = times[i]
		if math.IsNaN(x) {
			continue
		}
		if math.IsNaN(first) {
			first, least, largest = x, x, x
		}
		last, least, largest = x, min(least, x), max(largest, x)
		sum, span = sum+h*x, span+h
	}
	// the one that is asked for
	switch o.way() {
	case "largest":
		return largest, nil
	case "least":
		return least, nil
	case "mean":
		return sum / span, nil
	case "change":
		return last - first, nil
	}
	return last, nil
}

// unit is that of the outcome's column; counts have none.
func (o *Outcome) unit(t *runfolder.Table) string {
	for _, c := range t.Columns {
		if bare, unit := runfolder.SplitHeader(c); c == o.column() || bare == o.column() {
			return unit
		}
	}
	return ""
}
