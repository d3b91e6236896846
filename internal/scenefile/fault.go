package scenefile

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
)

// OneLine brings several joined errors onto one line of a message.
func OneLine(err error) string {
	lines := strings.Split(err.Error(), "\n")
	const most = 5
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("and %d more faults", len(lines)-most))
	}
	return strings.Join(lines, "; ")
}

func ShowVec(v r3.Vec) string { return fmt.Sprintf("[%.4g, %.4g, %.4g]", v.X, v.Y, v.Z) }

// Fault is one thing wrong with a scene, and where.
type Fault struct {
	File string // name of the scene file, or "--set" for an override
	Line int    // counted from 1; for overrides the number of the override
	Col  int    // counted from 1, in characters
	Msg  string // what is wrong and what to write instead
	Text string // the line of the file
}

// Error formats the fault as file:line:column: message, and the line with a caret below the column.
func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: %s", f.File, f.Line, f.Col, f.Msg)
	if f.Text == "" {
		return b.String()
	}
	text, caret := excerpt(f.Text, f.Col)
	fmt.Fprintf(&b, "\n%5d | %s\n      | %s^", f.Line, text, caret)
	return b.String()
}

// excerptWidth is how many characters of a long line are shown around the fault.
const excerptWidth = 100

// excerpt cuts a long line to the surroundings of column col, and returns it with the white space
// that brings a caret below that column.
func excerpt(text string, col int) (line, indent string) {
	runes := []rune(text)
	at := min(max(col-1, 0), len(runes))
	if from := at - excerptWidth*2/3; from > 0 && len(runes) > excerptWidth {
		runes, at = append([]rune("..."), runes[from:]...), at-from+3
	}
	if len(runes) > excerptWidth {
		runes = append(runes[:excerptWidth:excerptWidth], []rune("...")...)
	}
	for i, r := range runes {
		if r != '\t' && r < ' ' || r == utf8.RuneError {
			runes[i] = '?'
		}
	}
	spaces := make([]rune, at)
	for i := range spaces {
		spaces[i] = ' '
		if runes[i] == '\t' {
			spaces[i] = '\t'
		}
	}
	return string(runes), string(spaces)
}

// Faults is everything wrong with a scene, in the order of the file.
type Faults []*Fault

// keptFaults is how many faults are looked for; nobody reads more.
const keptFaults = 500

// maxFaults is how many faults are printed before the rest is only counted.
const maxFaults = 20

// Error lists the faults, one after the other.
func (f Faults) Error() string {
	var b strings.Builder
	for i, x := range f {
		if i == maxFaults {
			fmt.Fprintf(&b, "\nand %d more", len(f)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(x.Error())
	}
	return b.String()
}

// Unwrap gives errors.As the single faults.
func (f Faults) Unwrap() []error {
	errs := make([]error, len(f))
	for i, x := range f {
		errs[i] = x
	}
	return errs
}

// faultList collects faults while a scene is read.
type faultList struct{ list Faults }

// add records a fault at a place.
func (l *faultList) add(at place, format string, args ...any) { l.keep(faultAt(at, format, args...)) }

func faultAt(at place, format string, args ...any) *Fault {
	f := &Fault{Line: max(at.line, 1), Col: max(at.col, 1), Msg: fmt.Sprintf(format, args...)}
	if at.src != nil {
		f.File, f.Text = at.src.name, at.src.line(f.Line)
	}
	return f
}

// keep records a fault, once.
func (l *faultList) keep(f *Fault) {
	if len(l.list) == keptFaults {
		return
	}
	for _, g := range l.list {
		if *g == *f {
			return
		}
	}
	l.list = append(l.list, f)
}

// err returns the faults found so far in the order of the file, or nil.
func (l *faultList) err() error {
	if len(l.list) == 0 {
		return nil
	}
	sorted := slices.Clone(l.list)
	slices.SortStableFunc(sorted, func(a, b *Fault) int {
		if c := strings.Compare(b.File, a.File); c != 0 { // the scene before "--set"
			return c
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return sorted
}

// Found collects what is found to be wrong with a scene after it was read.
type Found struct{ list faultList }

// Add records a fault.
func (f *Found) Add(fault *Fault) { f.list.keep(fault) }

// Err returns the faults found so far as Faults, or nil.
func (f *Found) Err() error { return f.list.err() }

// source is a text that places point into.
type source struct {
	name  string
	lines []string
}

func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return s.lines[n-1]
}

// place is a point of a source.
type place struct {
	src       *source
	line, col int
}

// in returns the place of a line and a column, in bytes and from 1, of a text that begins at p or, as a block does, in
// the lines below. It is false if the file has the text in another form, as between quotes.
func (p place) in(text string, line, column int) (place, bool) {
	if p.src == nil {
		return p, false
	}
	rows := strings.Split(text, "\n")
	if line < 1 || line > len(rows) {
		return p, false
	}
	row := rows[line-1]
	if same := []rune(p.src.line(p.line)); line == 1 && p.col <= len(same) && strings.HasPrefix(string(same[p.col-1:]), row) {
		p.col += utf8.RuneCountInString(row[:min(column-1, len(row))])
		return p, true
	}
	p.line++
	for p.line < len(p.src.lines) && strings.TrimSpace(p.src.line(p.line)) == "" {
		p.line++ // above the text
	}
	p.line += line - 1
	indent, ok := strings.CutSuffix(strings.TrimRight(p.src.line(p.line), " "), strings.TrimRight(row, " "))
	p.col = utf8.RuneCountInString(indent) + 1 + utf8.RuneCountInString(row[:min(column-1, len(row))])
	return p, ok && strings.TrimSpace(indent) == ""
}

// nearest returns the candidate a writer of word most likely meant, or "".
func nearest(word string, candidates []string) string {
	best, bestDistance := "", max(2, utf8.RuneCountInString(word)/2)+1
	lower := strings.ToLower(word)
	if utf8.RuneCountInString(word) <= 2 {
		bestDistance = 2
	}
	for _, c := range candidates {
		if d := words.Distance(lower, strings.ToLower(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// suggestion phrases the nearest candidate as the end of a message, or lists the candidates if none
// is near and they are few.
func suggestion(word string, candidates []string) string {
	if c := nearest(word, candidates); c != "" {
		return fmt.Sprintf("; did you mean %q?", c)
	}
	if len(candidates) == 0 || len(candidates) > 24 {
		return ""
	}
	return "; there is " + strings.Join(candidates, ", ")
}

func suggestionOnly(word string, candidates []string) string {
	if w := nearest(word, candidates); w != "" {
		return fmt.Sprintf("; did you mean %q?", w)
	}
	return ""
}

func andList(words []string) string {
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
