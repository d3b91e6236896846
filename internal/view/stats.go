package view

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"sort"
	"strconv"

	"github.com/toile-sim/toile/internal/runfolder"
)

const (
	maxColumns = 64
	maxBuckets = 10_000
	buckets    = 2_000
	maxWorst   = 1_000
)

// numbers is a row of numbers in JSON, which has neither NaN nor infinity: they become null.
type numbers []float64

// MarshalJSON writes numbers with all their digits.
func (ns numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range ns {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, x, 'g', -1, 64)
		}
	}
	return append(b, ']'), nil
}

// findColumn returns the place of a column, named with or without its unit.
func findColumn(t *runfolder.Table, name string) (int, error) {
	for i, header := range t.Columns {
		if bare, _ := runfolder.SplitHeader(header); header == name || bare == name {
			return i, nil
		}
	}
	if len(t.Columns) == 0 {
		return 0, faulty(http.StatusNotFound, "The run has no statistics yet.")
	}
	return 0, faulty(http.StatusBadRequest, "There is no column %q; /api/stats/columns lists them.", name)
}

// table returns the statistics as they are now.
func (s *Server) table() (runfolder.Table, error) {
	t, err := s.live.table()
	if err != nil {
		return t, s.live.absent(err)
	}
	return t, nil
}

type columnFacts struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Unit  string `json:"unit"`
	Clock bool   `json:"clock"` // tells time on the wall
}

// columns answers with the columns of the statistics.
func (s *Server) columns(w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	t, err := s.table()
	if err != nil {
		return err
	}
	out := struct {
		Rows    int           `json:"rows"`
		Columns []columnFacts `json:"columns"`
	}{t.Rows(), []columnFacts{}}
	for _, header := range t.Columns {
		name, unit := runfolder.SplitHeader(header)
		out.Columns = append(out.Columns, columnFacts{name, header, unit, runfolder.IsClock(header)})
	}
	answerJSON(w, http.StatusOK, &out)
	return nil
}

// series is a column in buckets of rows.
type series struct {
	Min  numbers `json:"min"`
	Max  numbers `json:"max"`
	Last numbers `json:"last"`
}

type unitFacts struct {
	Unit string `json:"unit"`
}

type statsAnswer struct {
	Rows    int                  `json:"rows"` // in the file, by now
	From    int                  `json:"from"`
	Buckets int                  `json:"buckets"`
	Columns map[string]unitFacts `json:"columns"`
	Step    numbers              `json:"step"` // of the last row of each bucket
	Time    numbers              `json:"time"` // [s]
	Series  map[string]series    `json:"series"`
}

// stats answers with columns of the statistics, in so many buckets that a plot has use for.
func (s *Server) stats(w http.ResponseWriter, r *http.Request) error {
	// what is asked for
	q, err := query(r, "columns", "max", "from")
	if err != nil {
		return err
	}
	names, err := listed(q, "columns", maxColumns)
	if err != nil {
		return err
	}
	most, err := number(q, "max", buckets, 1, maxBuckets)
	if err != nil {
		return err
	}
	from, err := number(q, "from", 0, 0, math.MaxInt32)
	if err != nil {
		return err
	}
	// rows from there on, in so many buckets
	t, err := s.table()
	if err != nil {
		return err
	}
	from = min(from, t.Rows())
	n := min(most, t.Rows()-from)
	out := statsAnswer{
		Rows:    t.Rows(),
		From:    from,
		Buckets: n,
		Columns: map[string]unitFacts{},
		Series:  map[string]series{},
	}
	out.Step, out.Time = numbers{}, numbers{}
	// columns
	for _, name := range names {
		c, err := findColumn(&t, name)
		if err != nil {
			return err
		}
		bare, unit := runfolder.SplitHeader(t.Columns[c])
		out.Columns[bare] = unitFacts{unit}
		out.Series[bare] = decimate(t.Values[c][from:], n)
	}
	// steps and times of the buckets
	if n > 0 {
		out.Step = decimate(t.Column("step")[from:], n).Last
		out.Time = decimate(t.Column("time")[from:], n).Last
	}
	answerJSON(w, http.StatusOK, &out)
	return nil
}

// decimate sums up values in n buckets of about equal size. A bucket without a number has NaN.
func decimate(values []float64, n int) series {
	s := series{make(numbers, n), make(numbers, n), make(numbers, n)}
	for b := range n {
		part := values[b*len(values)/n : (b+1)*len(values)/n]
		lo, hi := math.NaN(), math.NaN()
		for _, x := range part {
			if !(x >= lo) && !math.IsNaN(x) { // also the first
				lo = x
			}
			if !(x <= hi) && !math.IsNaN(x) {
				hi = x
			}
		}
		s.Min[b], s.Max[b], s.Last[b] = lo, hi, part[len(part)-1]
	}
	return s
}

// smallIsBad are the columns whose worst values are the smallest.
var smallIsBad = []string{"worst gap", "converged", "closest", "shortest step"}

type worstStep struct {
	Step  int     `json:"step"`
	Time  float64 `json:"time"` // [s]
	Value float64 `json:"value"`
	Frame int     `json:"frame"` // the one that the step leads to, or the nearest there is; -1 without any
}

// worst answers with the steps where a column is worst.
func (s *Server) worst(w http.ResponseWriter, r *http.Request) error {
	// what is asked for
	q, err := query(r, "column", "count")
	if err != nil {
		return err
	}
	count, err := number(q, "count", 10, 1, maxWorst)
	if err != nil {
		return err
	}
	if q["column"] == "" {
		return faulty(http.StatusBadRequest, "column is missing; write one of those that /api/stats/columns lists.")
	}
	// statistics, and the frames that there are
	t, err := s.table()
	if err != nil {
		return err
	}
	c, err := findColumn(&t, q["column"])
	if err != nil {
		return err
	}
	current, err := s.live.look()
	if err != nil {
		return s.live.absent(err)
	}
	// the worst steps of the column, with the frame that is nearest
	name, _ := runfolder.SplitHeader(t.Columns[c])
	out := []worstStep{}
	for _, row := range worstRows(t.Values[c], count, slices.Contains(smallIsBad, name)) {
		step := worstStep{int(at(&t, "step", row)), at(&t, "time", row), t.Values[c][row], -1}
		if len(current.frames) > 0 {
			step.Frame = current.nearest(int(at(&t, "frame", row)))
		}
		out = append(out, step)
	}
	answerJSON(w, http.StatusOK, out)
	return nil
}

// at returns a value, or 0 where there is none.
func at(t *runfolder.Table, column string, row int) float64 {
	c := t.Column(column)
	if c == nil || math.IsNaN(c[row]) || math.IsInf(c[row], 0) {
		return 0
	}
	return c[row]
}

// worstRows returns the rows of the count largest or smallest finite values, the worst first, earlier ones before
// equals.
func worstRows(values []float64, count int, small bool) []int {
	var rows []int
	for i, x := range values {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		if small {
			return cmp.Compare(values[a], values[b])
		}
		return cmp.Compare(values[b], values[a])
	})
	return rows[:min(count, len(rows))]
}

// frameAt answers with the frame nearest to a step or a time.
func (s *Server) frameAt(w http.ResponseWriter, r *http.Request) error {
	// what is asked for
	q, err := query(r, "step", "time")
	if err != nil {
		return err
	}
	if len(q) != 1 {
		return faulty(http.StatusBadRequest, "Write either step=N or time=SECONDS.")
	}
	// frames that there are
	current, err := s.live.look()
	if err != nil {
		return s.live.absent(err)
	}
	if len(current.frames) == 0 {
		return absentFrame(current, 0)
	}
	// the time of it, or of the step
	var time float64
	if text, ok := q["time"]; ok {
		if time, err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(time) || math.IsInf(time, 0) {
			return faulty(http.StatusBadRequest, "time=%s: write seconds, such as 1.5.", text)
		}
	} else {
		step, err := number(q, "step", 0, 0, math.MaxInt32)
		if err != nil {
			return err
		}
		t, err := s.table()
		if err != nil {
			return err
		}
		time = timeOf(&t, step)
	}
	// the frame that is nearest to it
	last := current.frames[len(current.frames)-1]
	frame := math.Round(time * current.folder.Manifest.Time.FPS)
	answerJSON(w, http.StatusOK, struct {
		Frame int `json:"frame"`
	}{current.nearest(int(max(0, min(frame, float64(last)))))})
	return nil
}

// timeOf returns the time at the end of a step [s], or of the last one before it that is known.
func timeOf(t *runfolder.Table, step int) float64 {
	steps := t.Column("step")
	i := sort.Search(len(steps), func(i int) bool { return steps[i] > float64(step) })
	if i == 0 {
		return 0
	}
	return at(t, "time", i-1)
}
