package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/words"
)

// duration writes a time on the wall with two digits that matter.
func duration(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 0:
		return "unknown"
	case s < 0.9995e-3:
		return fmt.Sprintf("%.3g µs", s*1e6)
	case s < 0.9995:
		return fmt.Sprintf("%.3g ms", s*1e3)
	case s < 9.95:
		return fmt.Sprintf("%.1f s", s)
	case s < 99.5:
		return fmt.Sprintf("%.0f s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", int(s)/60, int(s)%60)
	case s < 48*3600:
		return fmt.Sprintf("%d h %d min", int(s)/3600, int(s)/60%60)
	default:
		return fmt.Sprintf("%.1f days", s/86400)
	}
}

// timeLeft writes an estimate of a time on the wall, in whole seconds.
func timeLeft(d time.Duration) string {
	if s := d.Seconds(); s < 99.5 {
		return fmt.Sprintf("%d s", int(math.Ceil(s)))
	}
	return duration(d)
}

// bytesize writes a number of bytes.
func bytesize(n float64) string {
	for _, unit := range []string{"bytes", "kB", "MB", "GB"} {
		if n < 999.5 {
			return fmt.Sprintf("%.3g %s", n, unit)
		}
		n /= 1000
	}
	return fmt.Sprintf("%.3g TB", n)
}

// length writes a length [m] in the unit that suits it.
func length(m float64) string {
	switch a := math.Abs(m); {
	case a == 0:
		return "0 m"
	case a < 0.9995e-3:
		return fmt.Sprintf("%.3g µm", m*1e6)
	case a < 0.09995:
		return fmt.Sprintf("%.3g mm", m*1e3)
	case a >= 100 && a < 1e9:
		return words.Thousands(int(math.Round(m))) + " m"
	default: // also what is not a number
		return fmt.Sprintf("%.3g m", m)
	}
}

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

// quote writes a path as one word of a shell command.
func quote(path string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '.' || r == '-' || r == '_' || r == '=' || r == ',' || r == ':' || r == '\\' ||
			'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
