package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// VerificationIndex is the page with a line for each verification.
const VerificationIndex = "README.md"

const indexHead = `# Verification

What %s finds. *Expected* comes from a closed form, a conservation law, a paper or an exact referee, never from Toile.
*Bar* says what passes; where it is lower than what was asked for, *asked* has that. Of each verification one row is
here: the first that fails, else of those with an expected value the one that is nearest to its bar. All rows, notes and
plots are on the pages of families:

%s
%d verifications, %s. Newest run: %s.

| id | claim | quantity | expected | measured | bar | asked | verdict |
|---|---|---|---:|---:|---|---|---|
`

// Pages returns the folder of verifications in Markdown, by the names of its files: VerificationIndex, and a page with
// all rows for each family, with plots as files beside it. before returns what a file of the folder has had, or nothing:
// lines and sections of verifications that are not among the cases are kept, and so is what stands below the table.
func (v *Verifications) Pages(before func(name string) string) map[string]string {
	// what the index has: lines of cases that were not run, and what follows below
	lines := linesOf(before(VerificationIndex))
	_, below, kept := strings.Cut(before(VerificationIndex), "\n## ")
	// results by id
	cases := map[string]*Verification{}
	for i := range v.Cases {
		cases[v.Cases[i].ID] = &v.Cases[i]
	}
	pages := map[string]string{}
	var list, table strings.Builder
	count, failed := 0, []string{}
	// a page for each family, with new sections where there are results
	for _, f := range v.Families {
		file := f.Name + ".md"
		sections := sectionsOf(before(file))
		var page strings.Builder
		for _, id := range f.IDs {
			line, section := lines[id], sections[id]
			if c := cases[id]; c != nil {
				line, section = c.line(file), c.section(v.Full)
			}
			page.WriteString(section)
			table.WriteString(line)
			if line == "" {
				continue
			}
			count++
			if strings.HasSuffix(line, "| FAIL |\n") {
				failed = append(failed, id)
			}
		}
		// a family without sections has no page
		if page.Len() > 0 {
			top := fmt.Sprintf("# %s\n\n[All verifications](%s)\n", f.Title, VerificationIndex)
			pages[file] = top + page.String()
			fmt.Fprintf(&list, "- [%s](%s)\n", f.Title, file)
		}
	}
	// the index
	pass := "all of which pass"
	if len(failed) > 0 {
		pass = fmt.Sprintf("%d of which fail: %s", len(failed), strings.Join(failed, ", "))
	}
	index := fmt.Sprintf(indexHead, "`toile verify`", list.String(), count, pass, v.Program()) + table.String()
	if kept {
		index += "\n## " + below
	}
	pages[VerificationIndex] = index
	return pages
}

// linesOf returns the lines of a table whose first cells link to verifications, by id.
func linesOf(index string) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(index) {
		if rest, ok := strings.CutPrefix(line, "| ["); ok {
			id, _, _ := strings.Cut(rest, "]")
			lines[id] = line
		}
	}
	return lines
}

// sectionsOf returns the sections of a page, by the first words of their headings.
func sectionsOf(page string) map[string]string {
	sections := map[string]string{}
	for i, section := range strings.Split(page, "\n## ") {
		if id, _, ok := strings.Cut(section, " "); ok && i > 0 {
			sections[id] = "\n## " + strings.TrimRight(section, "\n") + "\n"
		}
	}
	return sections
}

// told returns the row that the index has, and how many rows fail.
func (v *Verification) told() (told VerificationRow, failed int) {
	nearest := func(a, b VerificationRow) int { return cmp.Compare(cmp.Or(a.Room, inf), cmp.Or(b.Room, inf)) }
	if len(v.Rows) > 0 {
		told = slices.MinFunc(v.Rows, nearest)
	}
	for _, r := range slices.Backward(v.Rows) {
		if !r.Pass {
			failed++
			told = r
		}
	}
	return told, failed
}

// inf is more room than any row has.
const inf = 1e300

// line returns the line of the index, with a link to the page that has the section.
func (v *Verification) line(file string) string {
	row, failed := v.told()
	verdict := "pass"
	if !v.Pass() {
		verdict = "FAIL"
	}
	switch {
	case v.Err != "":
		row = VerificationRow{Quantity: "not finished: " + v.Err}
	case failed > 1:
		row.Quantity += fmt.Sprintf(" (and %d more)", failed-1)
	}
	cells := escapeCells([]string{v.Title, row.Quantity, row.Expected, row.Measured, row.Allowed, row.Asked, verdict})
	return fmt.Sprintf("| [%s](%s#%s) | %s |\n", v.ID, file, anchor(v.ID+" "+v.Title), strings.Join(cells, " | "))
}

// section returns the heading, the table, the notes and the plots.
func (v *Verification) section(full bool) string {
	// heading: how it was run, and where expected values come from
	var b strings.Builder
	mode := "Quick run"
	if full {
		mode = "Full run"
	}
	if v.Commit != "" {
		mode += " at " + v.Commit
	}
	fmt.Fprintf(&b, "\n## %s %s\n\n%s, %.1f s of processors.", v.ID, v.Title, mode, cmp.Or(v.CPU, v.Seconds))
	if v.Source != "" {
		fmt.Fprintf(&b, " Expected values: %s.", strings.TrimSuffix(v.Source, "."))
	}
	// rows of the table
	b.WriteString("\n\n| quantity | expected | measured | asked | bar | verdict |\n|---|---:|---:|---|---|---|\n")
	for _, r := range v.Rows {
		cells := []string{r.Quantity, r.Expected, r.Measured, r.Asked, r.Allowed, r.Verdict()}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(escapeCells(cells), " | "))
	}
	if v.Err != "" {
		fmt.Fprintf(&b, "| not finished: %s | | | | | FAIL |\n", escapeCells([]string{v.Err})[0])
	}
	// notes and plots
	if len(v.Notes) > 0 {
		b.WriteString("\n")
		for _, note := range v.Notes {
			fmt.Fprintf(&b, "- %s\n", note)
		}
	}
	for _, p := range v.Plots {
		fmt.Fprintf(&b, "\n![%s](%s.png)\n", p.Name, p.Name)
	}
	return b.String()
}

// anchor returns the name that a heading gets on a page.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}
