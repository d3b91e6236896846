// Package scan reads and writes words and numbers of text files.
package scan

import (
	"fmt"

	"github.com/toile-sim/toile/internal/format/model"
)

// Text walks through a text file word by word and line by line, and knows where it is.
type Text struct {
	Data      []byte
	Pos       int
	Line      int // of pos, from 1
	lineStart int
	Word      int  // where the last word began
	Continues bool // a backslash at the end of a line joins the next to it
}

// Next returns the next word of the current line, or nil at its end.
func (t *Text) Next() []byte {
	for t.Pos < len(t.Data) {
		switch c := t.Data[t.Pos]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			t.Pos++
		case c == '\n':
			t.Word = t.Pos
			return nil
		case c == '\\' && t.Continues && t.atLineEnd(t.Pos+1):
			t.SkipLine()
		default:
			t.Word = t.Pos
			for t.Pos < len(t.Data) && t.Data[t.Pos] > ' ' {
				if t.Data[t.Pos] == '\\' && t.Continues && t.atLineEnd(t.Pos+1) {
					break
				}
				t.Pos++
			}
			if t.Pos == t.Word { // a control character is a word of its own
				t.Pos++
			}
			return t.Data[t.Word:t.Pos]
		}
	}
	t.Word = t.Pos
	return nil
}

func (t *Text) atLineEnd(i int) bool {
	for i < len(t.Data) && t.Data[i] == '\r' {
		i++
	}
	return i == len(t.Data) || t.Data[i] == '\n'
}

// Rest returns what is left of the current line without white space around it.
func (t *Text) Rest() []byte {
	first := t.Next()
	if first == nil {
		return nil
	}
	start, end := t.Word, t.Pos
	for t.Next() != nil {
		end = t.Pos
	}
	t.Word = start
	return t.Data[start:end]
}

// SkipLine moves to the start of the next line.
func (t *Text) SkipLine() {
	for t.Pos < len(t.Data) && t.Data[t.Pos] != '\n' {
		t.Pos++
	}
	if t.Pos < len(t.Data) {
		t.Pos++
		t.Line++
		t.lineStart = t.Pos
	}
}

// Fail returns an error at the last word.
func (t *Text) Fail(format string, args ...any) *model.Error {
	return &model.Error{Line: t.Line, Column: max(1, t.Word-t.lineStart+1), Msg: fmt.Sprintf(format, args...)}
}

// Number reads the next word as a finite number.
func (t *Text) Number(what string) (float64, *model.Error) {
	w := t.Next()
	if w == nil {
		return 0, t.Fail("%s is missing", what)
	}
	x, ok := ParseNumber(w)
	if !ok {
		return 0, t.Fail("%s is %q, not a finite number", what, Clip(w))
	}
	return x, nil
}

// Clip shortens a word for a message.
func Clip(w []byte) string {
	if len(w) > 40 {
		return string(w[:40]) + "..."
	}
	return string(w)
}
