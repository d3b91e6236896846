package main

import (
	"fmt"
	"strings"
)

// row is what a build gave.
type row struct {
	build
	hashes map[string]string
}

// columns are the scenes: those of self-check first.
func columns() []string {
	names := []string{"bodies", "head", "yarns"}
	for _, s := range scenes {
		names = append(names, s.name)
	}
	return names
}

const head = "# The same bits on other processors\n\n" +
	"`go run ./internal/samebits -o docs/same-bits.md` writes this page: it builds toile for several processors and\n" +
	"systems, plays short scenes with each, and compares the hashes of where they end; the first three scenes are\n" +
	"those of `toile self-check`. Others than amd64 run in emulators.\n" +
	"[Decision 42](decisions/0042-same-bits.md) says why they differ and what releases do about it.\n\n" +
	"Last written on %s, with what commit %s had. Hashes are cut to 8 digits; **bold** is another one than in the\n" +
	"first line.\n\n"

// page is the table, with the first row as what is right.
func page(rows []row, date, commit string) string {
	// head
	var b strings.Builder
	names := columns()
	fmt.Fprintf(&b, head, date, commit)
	fmt.Fprintf(&b, "| build | flags | %s | the same |\n", strings.Join(names, " | "))
	fmt.Fprintf(&b, "|---|---|%s---|\n", strings.Repeat("---|", len(names)))
	// a line for each build
	for _, r := range rows {
		same, cells := 0, make([]string, len(names))
		for i, name := range names {
			got, want := r.hashes[name], rows[0].hashes[name]
			switch {
			case got == "":
				cells[i] = "not run"
			case got == want:
				same++
				cells[i] = got[:8]
			default:
				cells[i] = "**" + got[:8] + "**"
			}
		}
		flags := "none"
		if len(r.flags) > 0 {
			flags = "`" + strings.Join(r.flags, " ") + "`"
		}
		count := fmt.Sprintf("%d of %d", same, len(names))
		if len(r.hashes) == 0 {
			count = "not run"
		}
		env, all := strings.Join(r.env, " "), strings.Join(cells, " | ")
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", env, flags, all, count)
	}
	return b.String()
}
