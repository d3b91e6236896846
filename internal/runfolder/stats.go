package runfolder

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/engine"
)

// clockPrefix begins the names of the columns that tell time on the wall. They come last and differ
// from run to run; nothing that compares runs may look at them.
const clockPrefix = "clock "

// statsColumns is the header of stats.csv of a world of cloths and bodies: quantities with their units. Whoever changes
// it, or the kinds of energy, raises Format.
var statsColumns = slices.Concat(leadingColumns, []string{
	"h [s]",
	"vertices",
	"triangles",
	"flips",
	"splits",
	"collapses",
	"contacts",
	"sticking",
	"sliding",
	"infeasible",
	"jammed",
	"worst gap [m]",
	"push work [J]",
	"crossings before",
	"crossings",
	"inside [m]",
	"smooth contacts",
	"smooth deep",
	"smooth crossings",
	"smooth off [m]",
	"untangled",
	"halvings",
	"failsafe",
	"failsafe blocks",
	"unavoidable",
	"failsafe taken [1]",
	"rounds",
	"newton",
	"sweeps",
	"contact newton",
	"linear",
	"residual [m/s]",
	"rounding [m/s]",
	"nonlinear [m/s]",
	"ahead mean [m]",
	"ahead worst [m]",
}, lossColumns[:], []string{
	"converged",
	"contradicted",
	"joint gap [m]",
	"joint angle [rad]",
	"max speed [m/s]",
}, energyColumns(), []string{
	"total [J]",
	clockPrefix + "remesh [s]",
	clockPrefix + "pose [s]",
	clockPrefix + "detect [s]",
	clockPrefix + "assemble [s]",
	clockPrefix + "solve [s]",
	clockPrefix + "integrate [s]",
	clockPrefix + "check [s]",
	clockPrefix + "untangle [s]",
	clockPrefix + "refused [s]",
})

// leadingColumns are those that stats.csv has first, of whatever is simulated.
var leadingColumns = []string{"step", "frame", "time [s]"}

// energyColumns has one for each kind of energy.
func energyColumns() []string {
	names := make([]string, len(engine.Energy{}))
	for kind := range names {
		names[kind] = engine.EnergyKind(kind).String() + " [J]"
	}
	return names
}

// appendStats appends the row of one step, on the way to the given frame. Numbers are as short as they
// can be without losing a bit. Without contacts that count for it there is no worst gap, and its cell is empty, as are
// those of steps that were not looked at for what one more linearization would do, and of what cannot be known of
// losses.
func appendStats(b []byte, frame int, s *engine.Stats) []byte {
	count := func(n ...int) {
		for _, n := range n {
			b = append(strconv.AppendInt(b, int64(n), 10), ',')
		}
	}
	real := func(x ...float64) {
		for _, x := range x {
			b = append(strconv.AppendFloat(b, x, 'g', -1, 64), ',')
		}
	}
	count(s.Step, frame)
	real(s.Time, s.H)
	count(
		s.Vertices,
		s.Triangles,
		s.Remesh.Flips,
		s.Remesh.Splits,
		s.Remesh.Collapses,
		s.Contacts,
		s.Sticking,
		s.Sliding,
		s.Infeasible,
		s.Jammed,
	)
	if s.Contacts > 0 && !math.IsInf(s.WorstGap, 1) {
		real(s.WorstGap)
	} else {
		b = append(b, ',')
	}
	real(s.PushWork)
	count(s.CrossingsBefore, s.Crossings)
	real(s.Depth)
	count(s.Smooth.Contacts, s.Smooth.Deep, s.Smooth.Crossings)
	real(s.Smooth.Off)
	count(
		s.Untangling.Blocks,
		s.Halvings,
		s.Failsafe.Rounds,
		s.Failsafe.Blocks,
		s.Failsafe.Left,
	)
	real(s.Failsafe.Taken)
	count(
		s.Rounds,
		s.Newton,
		s.Sweeps,
		s.ContactNewton,
		s.Linear,
	)
	real(s.Residual, s.Floor, s.Nonlinear)
	if a := &s.Ahead; a.Known {
		real(a.Mean, a.Worst)
	} else {
		b = append(b, ",,"...)
	}
	if k := &s.Loss; k.Known {
		real(k.Spin, k.SpinLost, k.EnergyLost, k.Damped)
	} else {
		b = append(b, ",,,,"...)
	}
	for _, yes := range [...]bool{s.Converged, s.Contradicted} {
		if yes {
			count(1)
		} else {
			count(0)
		}
	}
	e, l := &s.Energy, &s.Laps
	real(s.JointGap, s.JointAngle, s.MaxSpeed)
	real(e[:]...)
	real(e.Total())
	for _, lap := range [...]time.Duration{
		l.Remesh, l.Pose, l.Detect, l.Assemble, l.Solve, l.Integrate, l.Guard + l.Check, l.Untangle, l.Refused,
	} {
		b = append(strconv.AppendFloat(b, lap.Seconds(), 'g', 6, 64), ',')
	}
	b[len(b)-1] = '\n'
	return b
}

// appendRow appends the row of one step of another simulation, with the given columns after the leading ones. Those
// without a unit are whole numbers. A cell that is not a number is empty.
func appendRow(b []byte, frame, step int, time float64, columns []string, cells []float64) []byte {
	b = append(strconv.AppendInt(b, int64(step), 10), ',')
	b = append(strconv.AppendInt(b, int64(frame), 10), ',')
	b = strconv.AppendFloat(b, time, 'g', -1, 64)
	for c, x := range cells {
		b = append(b, ',')
		switch {
		case math.IsNaN(x):
		case IsClock(columns[c]):
			b = strconv.AppendFloat(b, x, 'g', 6, 64)
		case !strings.HasSuffix(columns[c], "]"):
			b = strconv.AppendInt(b, int64(x), 10)
		default:
			b = strconv.AppendFloat(b, x, 'g', -1, 64)
		}
	}
	return append(b, '\n')
}

// statsLog appends rows to stats.csv and knows the SHA-256 of all that is in it.
type statsLog struct {
	file *os.File
	buf  *bufio.Writer
	hash hash.Hash
	size int64
	row  []byte
}

// openStats opens stats.csv cut back to the mark, or new with the given columns if the mark is zero.
func openStats(path string, mark StatsMark, columns []string) (*statsLog, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, explain(err)
	}
	l := &statsLog{file: f, buf: bufio.NewWriterSize(f, 1<<16), hash: sha256.New()}
	if err := l.cut(path, mark); err != nil {
		_ = f.Close()
		return nil, err
	}
	if mark.Size == 0 {
		l.write([]byte(strings.Join(columns, ",") + "\n"))
	}
	return l, nil
}

func (l *statsLog) cut(path string, mark StatsMark) error {
	n, err := io.CopyN(l.hash, l.file, mark.Size)
	if err == io.EOF {
		return damaged(
			path,
			"it has %d bytes, and the checkpoint was made at %d; put it back, or start over with --force",
			n,
			mark.Size,
		)
	}
	if err != nil {
		return err
	}
	if mark.Size > 0 && [sha256.Size]byte(l.hash.Sum(nil)) != mark.Sum {
		return damaged(path, "it was changed after it was written; put it back, or start over with --force")
	}
	l.size = mark.Size
	return l.file.Truncate(mark.Size)
}

// write buffers b. An error stays with the buffer and is returned by sync.
func (l *statsLog) write(b []byte) {
	_, _ = l.buf.Write(b)
	l.hash.Write(b)
	l.size += int64(len(b))
}

// flush hands all rows to the system, for readers.
func (l *statsLog) flush() error { return explain(l.buf.Flush()) }

// sync makes all rows last and returns where the file is now.
func (l *statsLog) sync() (StatsMark, error) {
	if err := l.flush(); err != nil {
		return StatsMark{}, err
	}
	if err := l.file.Sync(); err != nil {
		return StatsMark{}, explain(err)
	}
	return StatsMark{Size: l.size, Sum: [sha256.Size]byte(l.hash.Sum(nil))}, nil
}

func (l *statsLog) close() error { return errors.Join(l.flush(), l.file.Close()) }

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

// IsClock reports whether a column tells time on the wall, which differs from run to run.
func IsClock(column string) bool { return strings.HasPrefix(column, clockPrefix) }

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
