package cli

import "strings"

// Table lines up columns with two spaces between them. Columns of numbers are right-aligned.
type Table struct {
	Right []bool // by column
	Rows  [][]string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// SayTable prints a table whose first row is its head.
func SayTable(t *Term, rows *Table) {
	for i, line := range rows.Lines() {
		if i == 0 {
			line = t.Paint(Dim, line)
		}
		t.Say("  %s", line)
	}
}

// Lines returns the rows as text. Widths are counted in runes, so cells must be unstyled.
func (t *Table) Lines() []string {
	// widths of columns
	var width []int
	for _, row := range t.Rows {
		for i, c := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	// cells, padded to the left or to the right
	out := make([]string, len(t.Rows))
	for r, row := range t.Rows {
		var b strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", width[i]-len([]rune(c)))
			if i > 0 {
				b.WriteString("  ")
			}
			if i < len(t.Right) && t.Right[i] {
				b.WriteString(pad + c)
			} else {
				b.WriteString(c + pad)
			}
		}
		out[r] = strings.TrimRight(b.String(), " ")
	}
	return out
}
