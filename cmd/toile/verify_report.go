package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/verify"
)

const (
	reportName = "verification.md"
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
	build   cache.Build
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
		return nil, badInput(err)
	}
	program, err := programHash()
	if err != nil {
		return nil, err
	}
	r := &verifyReport{dir: dir, full: full, build: cache.ThisBuild(), program: program, results: map[string]verify.Result{}}
	for _, c := range verify.All() {
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
		if err == nil && json.Unmarshal(data, &kept) == nil && kept.Program == program && kept.Result.ID == c.ID && kept.Result.Full == full {
			r.results[c.ID] = kept.Result
		}
	}
	return r, nil
}

// programHash returns the SHA-256 of the running program. Versions do not tell programs apart while they
// are being worked on.
func programHash() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
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
		if err := p.Plot.PNG(&b, plotWidth, plotHeight); err != nil {
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
	return r.write(reportName, []byte(r.markdown()))
}

// write replaces a file of the report in one go.
func (r *verifyReport) write(name string, data []byte) error {
	path := filepath.Join(r.dir, name)
	if err := os.WriteFile(path+".part", data, 0o666); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// markdown returns the whole report.
func (r *verifyReport) markdown() string {
	var b strings.Builder
	mode := "Quick"
	if r.full {
		mode = "Full"
	}
	fmt.Fprintf(&b, "# Verification\n\n%s run of Toile %s", mode, r.build.Version)
	if r.build.Revision != "" {
		fmt.Fprintf(&b, ", revision %.12s", r.build.Revision)
		if r.build.Modified {
			b.WriteString(" with changes")
		}
	}
	fmt.Fprintf(&b, ", %s, %s %s.\n\n", r.build.Go, r.build.Arch, r.build.Level)
	b.WriteString("| id | quantity | expected | measured | allowed | verdict | time [s] |\n|---|---|---:|---:|---|---|---:|\n")
	for _, c := range verify.All() {
		result, ok := r.results[c.ID]
		if !ok {
			continue
		}
		for i, row := range resultTable(&result).rows[1:] {
			seconds := ""
			if i == 0 {
				seconds = fmt.Sprintf("%.1f", result.Seconds)
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", c.ID, strings.Join(escapeCells(row), " | "), seconds)
		}
		if result.Err != "" {
			fmt.Fprintf(&b, "| %s | not finished: %s | | | | FAIL | %.1f |\n", c.ID, escapeCells([]string{result.Err})[0], result.Seconds)
		}
	}
	for _, c := range verify.All() {
		if result, ok := r.results[c.ID]; ok {
			writeSection(&b, &c, &result)
		}
	}
	return b.String()
}

func writeSection(b *strings.Builder, c *verify.Case, r *verify.Result) {
	fmt.Fprintf(b, "\n## %s %s\n", c.ID, c.Title)
	if c.Source != "" {
		fmt.Fprintf(b, "\nExpected values: %s.\n", strings.TrimSuffix(c.Source, "."))
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n")
		for _, note := range r.Notes {
			fmt.Fprintf(b, "- %s\n", note)
		}
	}
	for _, p := range r.Plots {
		fmt.Fprintf(b, "\n![%s](%s.png)\n", p.Name, p.Name)
	}
}

func escapeCells(cells []string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(c)
	}
	return out
}
