package sweep

import (
	"io"

	"github.com/toile-sim/toile/internal/runfolder"
)

// fixedColumns are those that every table has, beside one for each axis and each outcome.
var fixedColumns = []string{"run", "key", "status", "state", "frames", "time", "stopped"}

// WriteCSV writes a table of rows, which are of all runs in order. The same rows give the same bytes.
func (s *Sweep) WriteCSV(w io.Writer, rows []Row) error {
	return runfolder.WriteCSV(w, s.columns(rows))
}

// WriteParquet writes the table of WriteCSV as Apache Parquet. The same rows give the same bytes.
func (s *Sweep) WriteParquet(w io.Writer, rows []Row) error {
	return runfolder.WriteParquet(w, s.columns(rows), map[string]string{"sweep": s.Name()})
}

// columns turns rows into a table.
func (s *Sweep) columns(rows []Row) []runfolder.Column {
	// columns of words and of numbers
	words := func(name string, of func(*Row) string) runfolder.Column {
		c := runfolder.Column{Name: name, Words: make([]string, len(rows))}
		for i := range rows {
			c.Words[i] = of(&rows[i])
		}
		return c
	}
	numbers := func(name, unit string, whole bool, of func(*Row) float64) runfolder.Column {
		c := runfolder.Column{Name: name, Unit: unit, Whole: whole, Numbers: make([]float64, len(rows))}
		for i := range rows {
			c.Numbers[i] = of(&rows[i])
		}
		return c
	}
	// what the run is
	out := []runfolder.Column{
		numbers("run", "", true, func(r *Row) float64 { return float64(r.Index) }),
		words("key", func(r *Row) string { return r.Key }),
	}
	// values of axes: numbers if they have one unit, else words
	for i, name := range s.Axes() {
		if unit, ok := commonUnit(rows, i); ok {
			out = append(out, numbers(name, unit, false, func(r *Row) float64 { return r.Values[i].Number }))
		} else {
			out = append(out, words(name, func(r *Row) string { return r.Values[i].Text }))
		}
	}
	// how it ended
	out = append(out,
		words("status", func(r *Row) string { return string(r.Status) }),
		words("state", func(r *Row) string { return r.State }),
		numbers("frames", "", true, func(r *Row) float64 { return float64(r.Frames) }),
		numbers("time", "s", false, func(r *Row) float64 { return r.Time }),
		words("stopped", func(r *Row) string { return r.Stopped }),
	)
	// outcomes
	for i, name := range s.Outcomes() {
		out = append(out, numbers(name, outcomeUnit(rows, i), false, func(r *Row) float64 { return r.Outcomes[i] }))
	}
	return out
}

// commonUnit returns the unit of an axis whose values are all numbers with the same unit.
func commonUnit(rows []Row, axis int) (unit string, ok bool) {
	for i := range rows {
		v := &rows[i].Values[axis]
		if !v.Numeric || i > 0 && v.Unit != unit {
			return "", false
		}
		unit = v.Unit
	}
	return unit, len(rows) > 0
}

// outcomeUnit returns the unit of an outcome, as far as a run that is done tells it.
func outcomeUnit(rows []Row, outcome int) string {
	for i := range rows {
		if rows[i].Status == Done {
			return rows[i].Units[outcome]
		}
	}
	return ""
}
