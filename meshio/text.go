package meshio

import (
	"fmt"
	"strconv"
)

// text walks through a text file word by word and line by line, and knows where it is.
type text struct {
	data      []byte
	pos       int
	line      int // of pos, from 1
	lineStart int
	word      int  // where the last word began
	continues bool // a backslash at the end of a line joins the next to it
}

// next returns the next word of the current line, or nil at its end.
func (t *text) next() []byte {
	for t.pos < len(t.data) {
		switch c := t.data[t.pos]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			t.pos++
		case c == '\n':
			t.word = t.pos
			return nil
		case c == '\\' && t.continues && t.atLineEnd(t.pos+1):
			t.skipLine()
		default:
			t.word = t.pos
			for t.pos < len(t.data) && t.data[t.pos] > ' ' {
				if t.data[t.pos] == '\\' && t.continues && t.atLineEnd(t.pos+1) {
					break
				}
				t.pos++
			}
			if t.pos == t.word { // a control character is a word of its own
				t.pos++
			}
			return t.data[t.word:t.pos]
		}
	}
	t.word = t.pos
	return nil
}

func (t *text) atLineEnd(i int) bool {
	for i < len(t.data) && t.data[i] == '\r' {
		i++
	}
	return i == len(t.data) || t.data[i] == '\n'
}

// rest returns what is left of the current line without white space around it.
func (t *text) rest() []byte {
	first := t.next()
	if first == nil {
		return nil
	}
	start, end := t.word, t.pos
	for t.next() != nil {
		end = t.pos
	}
	t.word = start
	return t.data[start:end]
}

// skipLine moves to the start of the next line.
func (t *text) skipLine() {
	for t.pos < len(t.data) && t.data[t.pos] != '\n' {
		t.pos++
	}
	if t.pos < len(t.data) {
		t.pos++
		t.line++
		t.lineStart = t.pos
	}
}

// fail returns an error at the last word.
func (t *text) fail(format string, args ...any) *Error {
	return &Error{Line: t.line, Column: max(1, t.word-t.lineStart+1), Msg: fmt.Sprintf(format, args...)}
}

// number reads the next word as a finite number.
func (t *text) number(what string) (float64, *Error) {
	w := t.next()
	if w == nil {
		return 0, t.fail("%s is missing", what)
	}
	x, ok := parseNumber(w)
	if !ok {
		return 0, t.fail("%s is %q, not a finite number", what, clip(w))
	}
	return x, nil
}

// parseNumber reads a finite decimal number.
func parseNumber(w []byte) (float64, bool) {
	for _, c := range w {
		// ParseFloat also takes "inf", "nan", hexadecimal and underscores.
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(w), 64)
	return x, err == nil && finite64(x)
}

// clip shortens a word for a message.
func clip(w []byte) string {
	if len(w) > 40 {
		return string(w[:40]) + "..."
	}
	return string(w)
}

// appendNumber writes the shortest decimal that reads back as x.
func appendNumber(b []byte, x float64) []byte { return strconv.AppendFloat(b, x, 'g', -1, 64) }

// appendNumber32 writes the shortest decimal that reads back as x in single precision.
func appendNumber32(b []byte, x float32) []byte {
	return strconv.AppendFloat(b, float64(x), 'g', -1, 32)
}
