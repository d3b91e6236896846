package knit

// The language of charts. A text is the name of a pattern, or rows of stitches, one a line, the last course on top:
//
//	chart  = pattern | row { newline row }
//	row    = item { item }
//	item   = stitch [ number ] | cable | [ number ] "(" item { item } ")"
//	stitch = "k" | "|" | "p" | "-" | "."
//	cable  = "c" number ( "f" | "b" )
//
// Space between items is free; a number stands directly behind its stitch. "#" begins a comment that ends with its
// line. Lines without stitches are skipped. All rows must have the same length.

import (
	"fmt"
	"strings"
)

const (
	maxStitches = 1 << 20 // of a chart
	maxDepth    = 16      // of brackets in brackets
	maxCable    = 6       // stitches
	maxErrors   = 20      // told of a chart
)

// Error is a fault in a chart, with its place in the text.
type Error struct {
	Line, Column int // from 1; columns in bytes
	Msg          string
}

// Error returns "chart, line 2, column 5: message".
func (e *Error) Error() string {
	return fmt.Sprintf("chart, line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// Errors are faults of a chart, in the order of its lines: the first of each row, and no more than 20.
type Errors []*Error

// Error lists the faults, one a line.
func (e Errors) Error() string {
	var b strings.Builder
	for i, fault := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(fault.Error())
	}
	return b.String()
}

// Unwrap gives errors.As the single faults.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, fault := range e {
		errs[i] = fault
	}
	return errs
}

// Parse reads a chart, or the name of a pattern such as "rib 2x2". What is wrong with it is told as Errors.
func Parse(text string) (*Chart, error) {
	// name of a pattern
	if c, err := parsePattern(text); err != nil {
		return nil, Errors{err}
	} else if c != nil {
		return c, nil
	}
	// rows of stitches, and what is wrong in them
	var rows [][]cell
	var faults Errors
	line, total := 0, 0
	for source := range strings.Lines(text) {
		if line++; len(faults) == maxErrors {
			break
		}
		p := parser{text: stripComment(source), line: line, room: maxStitches - total}
		row, err := p.row()
		switch {
		case err != nil:
			faults = append(faults, err)
			continue
		case len(row) == 0:
			continue
		case len(rows) > 0 && len(row) != len(rows[0]):
			faults = append(faults, p.fail(len(p.text), "this row has %d stitches and the one on top has %d; make them equal",
				len(row), len(rows[0])))
		}
		rows = append(rows, row)
		total += len(row)
	}
	// faults, or none and no stitch
	if len(rows) == 0 && len(faults) == 0 {
		faults = Errors{{Line: 1, Column: 1, Msg: "the chart has no stitches; write rows of k and p, or a name such as rib 2x2"}}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	// from the bottom up
	return newChart(len(rows[0]), len(rows), func(wale, course int) cell { return rows[len(rows)-1-course][wale] }), nil
}

func stripComment(line string) string {
	line, _, _ = strings.Cut(line, "#")
	return strings.TrimRight(line, " \t\r\n")
}

// parser reads one row.
type parser struct {
	text string
	line int
	at   int // [byte]
	room int // how many more stitches there may be
}

func (p *parser) fail(at int, format string, args ...any) *Error {
	return &Error{Line: p.line, Column: at + 1, Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) row() ([]cell, *Error) {
	row, err := p.items(0)
	if err == nil && p.at < len(p.text) {
		err = p.fail(p.at, "a bracket is closed that was not opened")
	}
	return row, err
}

// items reads up to the end of the text or of the bracket.
func (p *parser) items(depth int) ([]cell, *Error) {
	var out []cell
	for {
		p.space()
		if p.at == len(p.text) || p.text[p.at] == ')' {
			return out, nil
		}
		some, err := p.item(depth)
		if err != nil {
			return nil, err
		}
		if out = append(out, some...); len(out) > p.room {
			return nil, p.fail(p.at, "the chart has more than %d stitches", maxStitches)
		}
	}
}

// item reads a stitch with its number, or a bracket with its number.
func (p *parser) item(depth int) ([]cell, *Error) {
	// stitch with its number
	start := p.at
	if stitch, ok := stitchOf(p.text[p.at]); ok {
		p.at++
		n, err := p.number()
		if err != nil {
			return nil, err
		}
		return p.repeated([]cell{{stitch: stitch}}, n, start)
	}
	// cable
	if c := p.text[p.at]; c == 'c' || c == 'C' {
		return p.cable()
	}
	// bracket with its number
	n, err := p.number()
	if err != nil {
		return nil, err
	}
	counted := p.at > start
	p.space()
	if p.at < len(p.text) && p.text[p.at] == '(' {
		return p.bracket(n, depth)
	}
	// number at a wrong place
	if !counted {
		return nil, p.noStitch()
	}
	if p.at < len(p.text) {
		if _, ok := stitchOf(p.text[p.at]); ok {
			return nil, p.fail(start, "the number stands behind its stitch: write %c%d", p.text[p.at], n)
		}
	}
	return nil, p.fail(start, "a number must stand directly behind a stitch, as in k2, or before a bracket, as in 2(k p)")
}

// shaping are the beginnings of what knitters write for increases and decreases, after k2 or p2 the rest of it.
var shaping = []string{"yo", "tog", "ssk", "ssp", "skp", "m1", "inc", "dec"}

// noStitch says what can be written instead of what comes next.
func (p *parser) noStitch() *Error {
	rest := p.text[p.at:]
	for _, word := range shaping {
		if strings.HasPrefix(strings.ToLower(rest), word) {
			return p.fail(p.at, "increases and decreases, such as %s, are not there yet; all rows have the same stitches", word)
		}
	}
	return p.fail(p.at, "%q is no stitch; write k or |, p, - or ., a cable such as c4f or c4b, or a number before a bracket",
		[]rune(rest)[0])
}

// cable reads a cable, as in c4f.
func (p *parser) cable() ([]cell, *Error) {
	start := p.at
	p.at++
	n, err := p.number()
	if err != nil {
		return nil, err
	}
	side := byte(0)
	if p.at < len(p.text) {
		side = p.text[p.at] | 0x20 // in lower case
		p.at++
	}
	if n%2 == 1 || n > maxCable || side != 'f' && side != 'b' {
		return nil, p.fail(start, "a cable is c, an even number of stitches up to %d, and f or b, as in c4f", maxCable)
	}
	if n > p.room {
		return nil, p.fail(start, "the chart has more than %d stitches", maxStitches)
	}
	out := make([]cell, n)
	for i := range out {
		out[i] = cell{Knit, int8(n), int8(i), side == 'b'}
	}
	return out, nil
}

func (p *parser) bracket(n, depth int) ([]cell, *Error) {
	start := p.at
	if depth == maxDepth {
		return nil, p.fail(start, "more than %d brackets in each other", maxDepth)
	}
	p.at++
	inside, err := p.items(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.at == len(p.text) {
		return nil, p.fail(start, "this bracket is not closed in its row")
	}
	p.at++
	if len(inside) == 0 {
		return nil, p.fail(start, "there is nothing in this bracket")
	}
	return p.repeated(inside, n, start)
}

func (p *parser) repeated(some []cell, n, at int) ([]cell, *Error) {
	if n > p.room/len(some) {
		return nil, p.fail(at, "the chart has more than %d stitches", maxStitches)
	}
	out := make([]cell, 0, n*len(some))
	for range n {
		out = append(out, some...)
	}
	return out, nil
}

// number reads digits, and returns 1 if there are none.
func (p *parser) number() (int, *Error) {
	start, n := p.at, 0
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		n = min(10*n+int(p.text[p.at]-'0'), maxStitches+1)
		p.at++
	}
	switch {
	case p.at == start:
		return 1, nil
	case n == 0:
		return 0, p.fail(start, "a number of stitches must be at least 1")
	}
	return n, nil
}

func (p *parser) space() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

func stitchOf(c byte) (Stitch, bool) {
	switch c {
	case 'k', 'K', '|':
		return Knit, true
	case 'p', 'P', '-', '.':
		return Purl, true
	}
	return 0, false
}

// place returns line and column of a byte of the text.
func place(text string, at int) (line, column int) {
	before := text[:at]
	return 1 + strings.Count(before, "\n"), at - strings.LastIndexByte(before, '\n')
}
