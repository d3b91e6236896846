package tets

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
)

// Values gives the numbers of a file one by one, whether they are text or binary.
type Values struct {
	scan.Text
	Order  binary.ByteOrder // nil in text
	Free   bool             // in text, numbers go on over the ends of lines
	Binary bool             // parts of the file are binary, so that lines cannot be counted
}

// Fail returns an error at the last word or number.
func (v *Values) Fail(format string, args ...any) *model.Error {
	if v.Binary {
		return &model.Error{Offset: int64(v.Word), Msg: fmt.Sprintf(format, args...)}
	}
	return v.Text.Fail(format, args...)
}

// Begin moves to the next line that has something on it, past comments. In binary data there are no lines.
func (v *Values) Begin() *model.Error {
	if v.Order != nil {
		return nil
	}
	return v.BeginText()
}

// BeginText is Begin of what is text, whatever the file is.
func (v *Values) BeginText() *model.Error {
	for v.Pos < len(v.Data) {
		before := v.Text
		if w := v.Next(); w != nil && w[0] != '#' {
			v.Text = before
			return nil
		}
		v.SkipLine()
	}
	v.Word = v.Pos
	return v.Fail("the file ends early")
}

// End sees to it that nothing but a comment is left on the line.
func (v *Values) End() *model.Error {
	if v.Order != nil || v.Free {
		return nil
	}
	if w := v.Next(); w != nil && w[0] != '#' {
		return v.Fail("%q is more than belongs on the line", scan.Clip(w))
	}
	v.SkipLine()
	return nil
}

// nextWord returns the next word of text.
func (v *Values) nextWord() ([]byte, *model.Error) {
	w := v.Next()
	for w == nil && v.Free && v.Pos < len(v.Data) {
		v.SkipLine()
		w = v.Next()
	}
	if w == nil {
		if v.Pos >= len(v.Data) {
			return nil, v.Fail("the file ends early")
		}
		return nil, v.Fail("the line ends early")
	}
	return w, nil
}

// raw returns the next bytes of binary data.
func (v *Values) raw(n int) ([]byte, *model.Error) {
	v.Word = v.Pos
	if len(v.Data)-v.Pos < n {
		return nil, v.Fail("the file ends early")
	}
	v.Pos += n
	return v.Data[v.Word:v.Pos], nil
}

// Integer reads a whole number, of 1, 4 or 8 bytes in binary data.
func (v *Values) Integer(size int) (int64, *model.Error) {
	if v.Order != nil {
		b, err := v.raw(size)
		switch {
		case err != nil:
			return 0, err
		case size == 1:
			return int64(b[0]), nil
		case size == 4:
			return int64(int32(v.Order.Uint32(b))), nil
		}
		return int64(v.Order.Uint64(b)), nil
	}
	w, err := v.nextWord()
	if err != nil {
		return 0, err
	}
	n, parseErr := strconv.ParseInt(string(w), 10, 64)
	if parseErr != nil {
		return 0, v.Fail("%q is not a whole number", scan.Clip(w))
	}
	return n, nil
}

// Real reads a finite number, of 4 or 8 bytes in binary data.
func (v *Values) Real(size int) (float64, *model.Error) {
	if v.Order != nil {
		b, err := v.raw(size)
		if err != nil {
			return 0, err
		}
		var x float64
		if size == 4 {
			x = float64(math.Float32frombits(v.Order.Uint32(b)))
		} else {
			x = math.Float64frombits(v.Order.Uint64(b))
		}
		if !model.Finite64(x) {
			return 0, v.Fail("%v is not a finite number", x)
		}
		return x, nil
	}
	w, err := v.nextWord()
	if err != nil {
		return 0, err
	}
	x, ok := scan.ParseNumber(w)
	if !ok {
		return 0, v.Fail("%q is not a finite number", scan.Clip(w))
	}
	return x, nil
}

// Skip passes over numbers, of the given size in binary data.
func (v *Values) Skip(n, size int) *model.Error {
	if v.Order != nil {
		_, err := v.raw(n * size)
		return err
	}
	for range n {
		if _, err := v.nextWord(); err != nil {
			return err
		}
	}
	return nil
}
