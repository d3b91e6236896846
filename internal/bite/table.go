package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/verify/all"
)

// bites are what trials did to a case.
type bites struct {
	rows []string          // as it is
	by   map[string]string // of those that failed: the first way
	ways []string          // that made another row fail
}

func (b *bites) done() bool { return len(b.left()) == 0 && len(b.rows) > 0 }

// left returns the rows that have not failed.
func (b *bites) left() []string {
	var out []string
	for _, name := range b.rows {
		if _, failed := b.by[name]; !failed {
			out = append(out, name)
		}
	}
	return out
}

func (j *journal) bites(id string) *bites {
	b := &bites{by: map[string]string{}}
	for i := range j.trials {
		t := &j.trials[i]
		if t.Case != id {
			continue
		}
		if t.Way == "" {
			for _, r := range t.Rows {
				b.rows = append(b.rows, r.Name)
			}
			continue
		}
		before := len(b.by)
		for _, r := range t.Rows {
			if _, failed := b.by[r.Name]; r.Failed && !failed && slices.Contains(b.rows, r.Name) {
				b.by[r.Name] = t.Way
			}
		}
		if len(b.by) > before {
			b.ways = append(b.ways, t.Way)
		}
	}
	return b
}

const head = `# Rows that were seen to fail

` + "`go run ./internal/bite -all -o docs/rows.md`" + ` writes this page. It runs quick verifications as they are, and again with what they
get from the engine falsified, until every row has failed once: velocities of steps, also of what is held, and of yarns,
forces, where ` + "`Settle`" + ` ends, answers of solvers, gravity, friction, stiffness and mass, and without contacts. With ` + "`-faults`" + ` what is left has the
faults of internal/mutants put into it that name the case. ` + "`#`" + ` stands for a figure. A trial may take a minute; cases stop
as soon as all rows have failed, so that more ways may make a row fail than the one that is listed.

`

// remainder says what the rows above wait for.
const remainder = `
What is held goes where it has to whatever a step answers: "handles lag behind" is the fault for it.
What is decided before the first step, as the panels hang or the space inside a body, needs faults of geometry. Cases with
trials that ran out of time may have rows here that a longer -limit makes fail.
`

// table returns the page.
func (j *journal) table() []byte {
	// counts, and lines of both tables
	var out, rest bytes.Buffer
	rows, never, untried := 0, 0, []string{}
	var left bytes.Buffer
	for _, c := range all.All() {
		b := j.bites(c.ID)
		if len(b.rows) == 0 {
			untried = append(untried, c.ID)
			continue
		}
		l := b.left()
		rows, never = rows+len(b.rows), never+len(l)
		fmt.Fprintf(&rest, "| %s | %d | %d | %s |\n", c.ID, len(b.rows), len(b.by), strings.Join(b.ways, ", "))
		for _, name := range l {
			fmt.Fprintf(&left, "| %s | %s |\n", c.ID, strings.ReplaceAll(name, "|", "\\|"))
		}
	}
	// sum
	out.WriteString(head)
	fmt.Fprintf(&out, "%d of %d rows were seen to fail.", rows-never, rows)
	if len(untried) > 0 {
		fmt.Fprintf(&out, " Not tried: %s.", strings.Join(untried, ", "))
	}
	// rows that never failed
	if never > 0 {
		out.WriteString("\n\n## Never seen to fail\n\n| case | row |\n|---|---|\n")
		out.Write(left.Bytes())
		out.WriteString(remainder)
	} else {
		out.WriteString("\n")
	}
	// all cases
	out.WriteString("\n## All cases\n\n| case | rows | seen to fail | by |\n|---|---|---|---|\n")
	out.Write(rest.Bytes())
	return out.Bytes()
}
