package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/report"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/all"
)

const (
	reportPageName = "verification.html"
	// resultName ends the names of files that keep finished results, so that a run that was cut can
	// go on.
	resultName = ".result.json"
)

// Size of a plot in a report [pixel].
const (
	plotWidth  = 960
	plotHeight = 600
)

// verifyReport is a folder with the table and the plots of verifications. A nil one keeps nothing.
type verifyReport struct {
	dir     string
	full    bool
	resume  bool
	build   runfolder.Build
	program string                   // SHA-256 of the running program
	results map[string]verify.Result // by id
}

// keptResult is a finished verification as it is kept in a file.
type keptResult struct {
	Program string
	Result  verify.Result
}

// openReport opens a folder for a report, made if need be, with what it holds if resume is set.
func openReport(dir string, full, resume bool) (*verifyReport, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, cli.BadInput(err)
	}
	program, err := runfolder.Program()
	if err != nil {
		return nil, err
	}
	r := &verifyReport{
		dir:     dir,
		full:    full,
		resume:  resume,
		build:   runfolder.ThisBuild(),
		program: program,
		results: map[string]verify.Result{},
	}
	for _, c := range all.All() {
		path := filepath.Join(dir, c.ID+resultName)
		if !resume {
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				return nil, err
			}
			continue
		}
		data, err := os.ReadFile(path)
		var kept keptResult
		// What cannot be read or comes from another program is simply run again.
		if err == nil && json.Unmarshal(data, &kept) == nil && kept.Program == program && kept.Result.ID == c.ID &&
			kept.Result.Full == full {
			r.results[c.ID] = kept.Result
		}
	}
	return r, nil
}

// kept returns the result of a verification that was finished before.
func (r *verifyReport) kept(id string) (verify.Result, bool) {
	if r == nil {
		return verify.Result{}, false
	}
	result, ok := r.results[id]
	return result, ok
}

// add puts a finished verification into the report.
func (r *verifyReport) add(result *verify.Result) error {
	if r == nil {
		return nil
	}
	r.results[result.ID] = *result
	for _, p := range result.Plots {
		var b bytes.Buffer
		if err := p.PNG(&b, plotWidth, plotHeight); err != nil {
			return fmt.Errorf("plot %s: %w", p.Name, err)
		}
		if err := r.write(p.Name+".png", b.Bytes()); err != nil {
			return err
		}
	}
	// Curves are in the pictures; what is kept is the rows. A value that JSON has no word for, such as
	// NaN, belongs to a result that failed and is better run again.
	kept := *result
	kept.Plots = nil
	for _, p := range result.Plots {
		kept.Plots = append(kept.Plots, verify.Figure{Name: p.Name})
	}
	if data, err := json.MarshalIndent(keptResult{r.program, kept}, "", "  "); err == nil && result.Err == "" {
		if err := r.write(result.ID+resultName, append(data, '\n')); err != nil {
			return err
		}
	}
	done := r.verifications()
	for name, text := range done.Pages(r.before) {
		if err := r.write(name, []byte(text)); err != nil {
			return err
		}
	}
	var page bytes.Buffer
	if err := done.HTML(&page); err != nil {
		return err
	}
	return r.write(reportPageName, page.Bytes())
}

// before returns what a page of the folder has, if that is to be kept.
func (r *verifyReport) before(name string) string {
	if !r.resume {
		return ""
	}
	data, _ := os.ReadFile(filepath.Join(r.dir, name)) // none is nothing to keep
	return string(data)
}

// write replaces a file of the report in one go.
func (r *verifyReport) write(name string, data []byte) error {
	path := filepath.Join(r.dir, name)
	if err := os.WriteFile(path+".part", data, 0o666); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// verifications returns what is finished so far. Plots of earlier runs are in files only.
func (r *verifyReport) verifications() *report.Verifications {
	done := &report.Verifications{Full: r.full, Build: r.build}
	for _, f := range all.Families() {
		family := report.VerificationFamily{Name: f.Name, Title: f.Title}
		for _, c := range f.Cases {
			family.IDs = append(family.IDs, c.ID)
		}
		done.Families = append(done.Families, family)
	}
	for _, c := range all.All() {
		result, ok := r.results[c.ID]
		if !ok {
			continue
		}
		v := report.Verification{
			ID:      c.ID,
			Title:   c.Title,
			Source:  c.Source,
			Notes:   result.Notes,
			Seconds: result.Seconds,
			CPU:     result.CPU,
			Commit:  result.Commit,
			Err:     result.Err,
		}
		for _, row := range result.Rows {
			if row.Asked != "" {
				v.Notes = append(v.Notes, askedText(row))
			}
		}
		for i, row := range resultTable(&result).Rows[1:] {
			v.Rows = append(v.Rows, report.VerificationRow{
				Quantity: row[0],
				Expected: row[1],
				Measured: row[2],
				Asked:    result.Rows[i].Asked,
				Allowed:  row[3],
				Pass:     result.Rows[i].Pass(),
				Room:     roomAround(result.Rows[i]),
			})
		}
		for _, p := range result.Plots {
			// A plot that somebody removed is missing on the page, as it is in the table.
			data, _ := os.ReadFile(filepath.Join(r.dir, p.Name+".png"))
			v.Plots = append(v.Plots, report.VerificationPlot{Name: p.Name, PNG: data})
		}
		done.Cases = append(done.Cases, v)
	}
	return done
}

// roomAround returns how many times the bar is what was measured, of rows with an expected value; of others 0.
func roomAround(r verify.Row) float64 {
	if r.Bar == verify.AtMost || r.Bar == verify.AtLeast {
		return 0
	}
	return r.Room()
}
