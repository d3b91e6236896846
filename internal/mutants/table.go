package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// page holds the table of what caught which fault, below tableHead.
const (
	page      = "docs/formulas.md"
	tableHead = "| fault | caught by the unit test | and by the verification | on | at |\n|---|---|---|---|---|\n"
)

// record is a line of the table. Cells without an answer hold a dash, and that of the verification is empty where a
// fault is not of physics.
type record struct {
	unit, quick, date, commit string
}

// complete reports whether all who must notice f did.
func (r *record) complete(f *fault) bool {
	return r.unit != "" && r.unit != none && (f.verify == "" || r.quick != "" && r.quick != none)
}

const none = "-"

// readTable returns the lines of the table by the names of faults, and the page before them.
func readTable(path string) (before string, lines map[string]record, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	before, rest, found := strings.Cut(string(data), tableHead)
	if !found {
		return "", nil, errors.New(path + " has no table of faults")
	}
	lines = map[string]record{}
	for line := range strings.Lines(rest) {
		cells := strings.Split(strings.Trim(line, "|\n "), "|")
		if len(cells) != 5 {
			return "", nil, fmt.Errorf("%s: %q has %d cells, not 5", path, line, len(cells))
		}
		for i, c := range cells {
			cells[i] = strings.TrimSpace(c)
		}
		lines[cells[0]] = record{cells[1], cells[2], cells[3], cells[4]}
	}
	return before, lines, nil
}

// writeTable writes the page with its table, in the order of the faults. Lines of faults that are no more are left out.
func writeTable(path, before string, lines map[string]record) error {
	var b strings.Builder
	b.WriteString(before)
	b.WriteString(tableHead)
	for _, f := range faults {
		r, has := lines[f.name]
		if !has {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.name, r.unit, r.quick, r.date, r.commit)
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

// keep writes what came of one fault into the table.
func keep(path string, f *fault, unit, quick, commit string) error {
	before, lines, err := readTable(path)
	if err != nil {
		return err
	}
	r := record{orNone(unit), orNone(quick), time.Now().UTC().Format(time.DateOnly), commit}
	if f.verify == "" {
		r.quick = ""
	}
	lines[f.name] = r
	return writeTable(path, before, lines)
}

// missing returns those of a list that the table does not show as caught.
func missing(path string, list []fault) ([]fault, error) {
	_, lines, err := readTable(path)
	if err != nil {
		return nil, err
	}
	var out []fault
	for _, f := range list {
		if r, has := lines[f.name]; !has || !r.complete(&f) {
			out = append(out, f)
		}
	}
	return out, nil
}

// commitNow returns the commit that is checked out, with a plus if files differ from it.
func commitNow() (string, error) {
	out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "", err
	}
	commit := strings.TrimSpace(string(out))
	changed, err := exec.Command("git", "status", "--porcelain", "--", ".", ":!"+page).Output()
	if err != nil {
		return "", err
	}
	if len(changed) > 0 {
		commit += "+"
	}
	return commit, nil
}

func orNone(s string) string {
	if s == "" {
		return none
	}
	return s
}
