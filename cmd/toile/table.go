package main

import "strings"

// table lines up columns with two spaces between them. Columns of numbers are right-aligned.
type table struct {
	right []bool // by column
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// sayTable prints a table whose first row is its head.
func sayTable(t *term, rows *table) {
	for i, line := range rows.lines() {
		if i == 0 {
			line = t.paint(dim, line)
		}
		t.say("  %s", line)
	}
}

// lines returns the rows as text. Widths are counted in runes, so cells must be unstyled.
func (t *table) lines() []string {
	var width []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	out := make([]string, len(t.rows))
	for r, row := range t.rows {
		var b strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", width[i]-len([]rune(c)))
			if i > 0 {
				b.WriteString("  ")
			}
			if i < len(t.right) && t.right[i] {
				b.WriteString(pad + c)
			} else {
				b.WriteString(c + pad)
			}
		}
		out[r] = strings.TrimRight(b.String(), " ")
	}
	return out
}
