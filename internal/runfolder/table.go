package runfolder

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Table is the statistics of a run: a row a step.
type Table struct {
	Columns []string    // names with units, such as "residual [m/s]"
	Values  [][]float64 // Values[column][row]; NaN where a cell is empty
	Checked int         // rows that the newest checkpoint vouches for; later ones may still be cut off
}

// Rows returns the number of rows.
func (t *Table) Rows() int {
	if len(t.Values) == 0 {
		return 0
	}
	return len(t.Values[0])
}

// Column returns the values of a column, named with or without its unit; nil if there is none.
func (t *Table) Column(name string) []float64 {
	if i := columnAt(t.Columns, name); i >= 0 {
		return t.Values[i]
	}
	return nil
}

// Took returns how long every step took [s], by the clock on the wall.
func (t *Table) Took() []float64 {
	took := make([]float64, t.Rows())
	for c, name := range t.Columns {
		if !IsClock(name) {
			continue
		}
		for row, x := range t.Values[c] {
			took[row] += x
		}
	}
	return took
}

// parseStats reads a stats.csv that goes on after some rows, the last of which was of a step. A last row without its
// end of line is one that is being written, and is left out; any other row that does not fit the header, or is not of a
// later step than the one before, is an error that names its line.
func parseStats(path string, data []byte, before int, step float64) (*Table, error) {
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	header, rest, _ := bytes.Cut(data, []byte{'\n'})
	t := &Table{}
	if len(header) == 0 {
		return t, nil // killed before the header was written
	}
	t.Columns = strings.Split(string(header), ",")
	t.Values = make([][]float64, len(t.Columns))
	rows := bytes.Count(rest, []byte{'\n'})
	for c := range t.Values {
		t.Values[c] = make([]float64, rows)
	}
	cells := make([]float64, len(t.Columns))
	cells[0] = step
	for row := range rows {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if err := parseStep(path, before+row, line, t.Columns, cells); err != nil {
			return nil, err
		}
		for c, x := range cells {
			t.Values[c][row] = x
		}
	}
	return t, nil
}

// parseStep reads a row after others as parseRow does. cells are those of the row before, or zero. Cloth has a row for
// every step, yarns one for several.
func parseStep(path string, before int, line []byte, columns []string, cells []float64) error {
	number := before + 2 // of the line, after the header
	last := cells[0]
	if err := parseRow(path, number, line, columns, cells); err != nil {
		return err
	}
	if columns[0] == leadingColumns[0] && !(cells[0] > last) {
		return fmt.Errorf("%s:%d: it has step %v after step %v", path, number, cells[0], last)
	}
	return nil
}

// parseRow reads a line of a table, without its end, into cells; NaN where one is empty.
func parseRow(path string, number int, line []byte, columns []string, cells []float64) error {
	if n := bytes.Count(line, []byte{','}) + 1; n != len(columns) {
		return fmt.Errorf("%s:%d: %d values in a table of %d columns", path, number, n, len(columns))
	}
	for c := range cells {
		var field []byte
		field, line, _ = bytes.Cut(line, []byte{','})
		if len(field) == 0 && len(columns) > 1 {
			cells[c] = math.NaN()
			continue
		}
		x, err := strconv.ParseFloat(string(field), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("%s:%d: column %q: %q is not a number", path, number, columns[c], field)
		}
		cells[c] = x
	}
	return nil
}

// A body that the fail-safe takes more than frozenShare of its weight times time from, in frozenSteps steps in a row,
// does not move as contacts allow.
const (
	frozenShare = 0.01
	frozenSteps = 10
)

// Frozen returns the rows of the longest time in which the fail-safe took too much from some body in every step, by the
// column "failsafe taken"; none if it is too short to matter.
func Frozen(taken []float64) (first, rows int) {
	run := 0
	for row, share := range taken {
		if run++; !(share > frozenShare) {
			run = 0
		}
		if run >= frozenSteps && run > rows {
			first, rows = row+1-run, run
		}
	}
	return first, rows
}

// Ahead is what stats.csv has of how far one more linearization of a step would have moved points.
type Ahead struct {
	Mean  float64 // over the steps that were looked at [m]
	Worst float64 // of any point in any of them [m]
	Step  int     // in which that was
	Steps int     // how many were looked at; without any there is nothing to tell
}

// Ahead sums up the columns of what one more linearization would do.
func (t *Table) Ahead() (a Ahead) {
	steps, mean, worst := t.Column("step"), t.Column("ahead mean"), t.Column("ahead worst")
	if mean == nil || worst == nil {
		return a // a run of an earlier version, or of yarns
	}
	for row := range mean {
		if math.IsNaN(mean[row]) {
			continue
		}
		a.Steps++
		a.Mean += (mean[row] - a.Mean) / float64(a.Steps)
		if worst[row] >= a.Worst {
			a.Worst, a.Step = worst[row], int(steps[row])
		}
	}
	return a
}
