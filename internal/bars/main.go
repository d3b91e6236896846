// Bars writes the table of all rows of quick verifications: the bar, what was measured, by how much the
// bar is above it, and where it comes from.
//
//	toile verify -o DIR && go run ./internal/bars -o docs/bars.md DIR
//	go run ./internal/bars -check docs/bars.md DIR
//
// Cases that DIR does not hold keep the lines that the table has. With -check nothing is written: rows of its cases
// that the table does not have fail, and so do rows of the table whose bar is wide and does not say why.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/all"
)

func main() {
	out := flag.String("o", "", "write the table to `file`")
	check := flag.String("check", "", "compare with the table in `file`")
	flag.Parse()
	if err := run(*out, *check, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out, check, dir string) error {
	found, err := results(dir)
	if err != nil {
		return err
	}
	if check != "" {
		data, err := os.ReadFile(check)
		if err != nil {
			return err
		}
		return compare(string(data), found)
	}
	if out == "" {
		return fmt.Errorf("name the table with -o or -check")
	}
	before, err := os.ReadFile(out)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.WriteFile(out, page(string(before), found), 0o666)
}

// results reads what toile verify -o has written, also in folders of the folder, by case.
func results(dir string) (map[string]*verify.Result, error) {
	found := map[string]*verify.Result{}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".result.json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var kept struct{ Result verify.Result }
		if err := json.Unmarshal(data, &kept); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		found[kept.Result.ID] = &kept.Result
		return nil
	})
	return found, err
}

const head = `# Bars of quick verifications

` + "`toile verify -o DIR && go run ./internal/bars -o docs/bars.md DIR`" + ` writes this page. Room is how many times the bar is what was measured;
∞ where that is nothing, 1 where the bar is zero. A bar that leaves room for more than %d times says where it comes from.
*Asked* is the bar of the issue where this one is lower.

%s

| case | row | asked | bar | measured | room | where the bar comes from |
|---|---|---|---|---|---|---|
`

// page returns the table, with the lines of the old one for cases that are not found.
func page(before string, found map[string]*verify.Result) []byte {
	// lines as they were
	old := lines(before)
	var body bytes.Buffer
	rows, wide, hundred, missing := 0, 0, 0, []string{}
	// lines of cases that were run, and of others as before
	for _, c := range all.All() {
		of := old[c.ID]
		if r := found[c.ID]; r != nil {
			of = nil
			for _, row := range r.Rows {
				of = append(of, line(c.ID, row))
			}
		}
		if len(of) == 0 {
			missing = append(missing, c.ID)
		}
		// rows with more room than is wanted
		for _, l := range of {
			body.WriteString(l + "\n")
			rows++
			if room := roomOf(l); room > verify.Wide {
				wide++
				if room > 100 {
					hundred++
				}
			}
		}
	}
	// sum over all
	sum := fmt.Sprintf("Of %d rows %d have more than %d times the room, %d more than 100 times.", rows, wide, verify.Wide, hundred)
	if len(missing) > 0 {
		sum += " Not run: " + strings.Join(missing, ", ") + "."
	}
	return append(fmt.Appendf(nil, head, verify.Wide, sum), body.Bytes()...)
}

func line(id string, r verify.Row) string {
	clean := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	quantity := r.Quantity
	if r.Unit != "" {
		quantity += " [" + r.Unit + "]"
	}
	room := "∞"
	if x := r.Room(); !math.IsInf(x, 1) {
		room = fmt.Sprintf("%.2g", x)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %.6g | %s | %s |",
		id, clean(quantity), clean(r.Asked), clean(r.Allowed()), r.Measured, room, clean(r.From))
}

// lines returns the lines of a table by case.
func lines(table string) map[string][]string {
	out := map[string][]string{}
	for l := range strings.Lines(table) {
		if c := cells(l); len(c) == columns && c[0] != "case" && !strings.HasPrefix(c[0], "-") {
			out[c[0]] = append(out[c[0]], strings.TrimRight(l, "\n"))
		}
	}
	return out
}

const columns = 7 // of the table

func cells(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 4 || line[0] != '|' {
		return nil
	}
	var out []string
	for _, c := range bar.Split(line[1:len(line)-1], -1) {
		out = append(out, strings.TrimSpace(c))
	}
	return out
}

var (
	bar     = regexp.MustCompile(` \|(?: |$)`)
	figures = regexp.MustCompile(`[0-9][-+.0-9e]*`)
)

// roomOf returns the room of a line.
func roomOf(line string) float64 {
	text := cells(line)[5]
	if text == "∞" {
		return math.Inf(1)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// compare reports rows that the table does not have, and rows of the table that do not say why they are wide.
func compare(table string, found map[string]*verify.Result) error {
	var bad []string
	old := lines(table)
	for _, of := range old {
		for _, l := range of {
			if room := roomOf(l); !(room <= verify.Wide) && cells(l)[6] == "" {
				bad = append(bad, "wide without a reason: "+l)
			}
		}
	}
	for id, r := range found {
		if old[id] == nil {
			continue // the page says that it is missing
		}
		known := map[string]bool{}
		for _, l := range old[id] {
			known[figures.ReplaceAllString(cells(l)[1], "#")] = true
		}
		for _, row := range r.Rows {
			if name := cells(line(id, row))[1]; !known[figures.ReplaceAllString(name, "#")] {
				bad = append(bad, fmt.Sprintf("%s is not in the table: %s; write it with go run ./internal/bars -o docs/bars.md DIR", id, name))
			}
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("%s", strings.Join(bad, "\n"))
	}
	return nil
}
