package sweep

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/report"
	"github.com/toile-sim/toile/internal/words"
)

// The names of what is made of a sweep, in its folder.
const (
	CSVName     = "table.csv"
	ParquetName = "table.parquet"
	SheetName   = "sheet.png"
	ReportName  = "report.html"
)

// ResultOptions say how the results are made. The zero value is valid.
type ResultOptions struct {
	Failures map[string]string // why runs failed, by key
	Again    string            // the command that makes the report again
	Facts    [][2]string       // more for the last table of the report
}

// WriteResults writes the table, a sheet of pictures and the report of a sweep into its folder, and returns where they
// are. Tables are the same bit for bit whenever they are made and by whom. Without frames there are no pictures.
func (s *Sweep) WriteResults(dir string, rows []Row, opt ResultOptions) ([]string, error) {
	var written []string
	// files are noted when they are whole
	put := func(name string, write func(io.Writer) error) error {
		path := filepath.Join(dir, name)
		if err := disk.WriteFile(path, write); err != nil {
			return err
		}
		written = append(written, path)
		return nil
	}
	// tables
	if err := put(CSVName, func(w io.Writer) error { return s.WriteCSV(w, rows) }); err != nil {
		return written, err
	}
	if err := put(ParquetName, func(w io.Writer) error { return s.WriteParquet(w, rows) }); err != nil {
		return written, err
	}
	// pictures and report
	page := s.page(rows, opt)
	var err error
	if page.Sheet, page.SheetText, err = s.sheet(dir, rows); err != nil {
		return written, err
	}
	if page.Sheet != nil {
		if err := put(SheetName, func(w io.Writer) error { _, err := w.Write(page.Sheet); return err }); err != nil {
			return written, err
		}
	}
	return written, put(ReportName, page.HTML)
}

// page returns the report, still without pictures.
func (s *Sweep) page(rows []Row, opt ResultOptions) *report.Sweep {
	p := &report.Sweep{Title: s.Name(), Again: opt.Again}
	// axes
	number := 0
	for i := range s.axes {
		for k := range s.axes[i].parts {
			p.Axes = append(p.Axes, reportAxis(&s.axes[i].parts[k], rows, number))
			number++
		}
	}
	// outcomes
	for i, name := range s.Outcomes() {
		o := report.SweepOutcome{Name: name, Unit: outcomeUnit(rows, i)}
		for k := range rows {
			o.Values = append(o.Values, rows[k].Outcomes[i])
		}
		p.Outcomes = append(p.Outcomes, o)
	}
	// time of all steps, and what failed; equal runs count once
	steps := 0.0
	for i := range rows {
		r := &rows[i]
		p.Status = append(p.Status, string(r.Status))
		if r.Same == r.Index {
			steps += r.Seconds
		}
		if r.Status == Failed {
			p.Failures = append(p.Failures, report.SweepFailure{Run: r.Index, Values: r.Words(), Text: opt.Failures[r.Key]})
		}
	}
	// what was played, by what
	p.Facts = []report.SweepFact{
		{Label: "Sweep", Value: s.Path, Code: true},
		{Label: "Scene", Value: s.ScenePath(), Code: true},
		{Label: "Runs", Value: words.Thousands(len(rows))},
		{Label: "Frames kept", Value: s.keep.String()},
		{Label: "Time in steps", Value: time.Duration(steps * float64(time.Second)).Round(time.Millisecond).String()},
		{Label: "Program", Value: fmt.Sprintf("Toile %s %s, %s, %s %s",
			s.Build.Version, s.Build.Revision, s.Build.Go, s.Build.Arch, s.Build.Level)},
	}
	// rules of the run, and what the caller adds
	for _, c := range s.stop {
		p.Facts = append(p.Facts, report.SweepFact{Label: "Ends early", Value: c.String()})
	}
	for _, f := range opt.Facts {
		p.Facts = append(p.Facts, report.SweepFact{Label: f[0], Value: f[1]})
	}
	return p
}

// reportAxis returns the values of an axis, by its place among those of a run.
func reportAxis(p *part, rows []Row, number int) report.SweepAxis {
	a := report.SweepAxis{Name: p.name, Log: p.log, Random: p.random}
	a.Unit, a.Numeric = commonUnit(rows, number)
	for i := range rows {
		v := &rows[i].Values[number]
		a.Words, a.Numbers = append(a.Words, v.Text), append(a.Numbers, v.Number)
	}
	return a
}
