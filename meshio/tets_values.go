package meshio

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// values gives the numbers of a file one by one, whether they are text or binary.
type values struct {
	text
	order  binary.ByteOrder // nil in text
	free   bool             // in text, numbers go on over the ends of lines
	binary bool             // parts of the file are binary, so that lines cannot be counted
}

// fail returns an error at the last word or number.
func (v *values) fail(format string, args ...any) *Error {
	if v.binary {
		return &Error{Offset: int64(v.word), Msg: fmt.Sprintf(format, args...)}
	}
	return v.text.fail(format, args...)
}

// begin moves to the next line that has something on it, past comments. In binary data there are no lines.
func (v *values) begin() *Error {
	if v.order != nil {
		return nil
	}
	return v.beginText()
}

func (v *values) beginText() *Error {
	for v.pos < len(v.data) {
		before := v.text
		if w := v.next(); w != nil && w[0] != '#' {
			v.text = before
			return nil
		}
		v.skipLine()
	}
	v.word = v.pos
	return v.fail("the file ends early")
}

// end sees to it that nothing but a comment is left on the line.
func (v *values) end() *Error {
	if v.order != nil || v.free {
		return nil
	}
	if w := v.next(); w != nil && w[0] != '#' {
		return v.fail("%q is more than belongs on the line", clip(w))
	}
	v.skipLine()
	return nil
}

// number returns the next word of text.
func (v *values) number() ([]byte, *Error) {
	w := v.next()
	for w == nil && v.free && v.pos < len(v.data) {
		v.skipLine()
		w = v.next()
	}
	if w == nil {
		if v.pos >= len(v.data) {
			return nil, v.fail("the file ends early")
		}
		return nil, v.fail("the line ends early")
	}
	return w, nil
}

// bytes returns the next bytes of binary data.
func (v *values) bytes(n int) ([]byte, *Error) {
	v.word = v.pos
	if len(v.data)-v.pos < n {
		return nil, v.fail("the file ends early")
	}
	v.pos += n
	return v.data[v.word:v.pos], nil
}

// integer reads a whole number, of 1, 4 or 8 bytes in binary data.
func (v *values) integer(size int) (int64, *Error) {
	if v.order != nil {
		b, err := v.bytes(size)
		switch {
		case err != nil:
			return 0, err
		case size == 1:
			return int64(b[0]), nil
		case size == 4:
			return int64(int32(v.order.Uint32(b))), nil
		}
		return int64(v.order.Uint64(b)), nil
	}
	w, err := v.number()
	if err != nil {
		return 0, err
	}
	n, parseErr := strconv.ParseInt(string(w), 10, 64)
	if parseErr != nil {
		return 0, v.fail("%q is not a whole number", clip(w))
	}
	return n, nil
}

// real reads a finite number, of 4 or 8 bytes in binary data.
func (v *values) real(size int) (float64, *Error) {
	if v.order != nil {
		b, err := v.bytes(size)
		if err != nil {
			return 0, err
		}
		var x float64
		if size == 4 {
			x = float64(math.Float32frombits(v.order.Uint32(b)))
		} else {
			x = math.Float64frombits(v.order.Uint64(b))
		}
		if !finite64(x) {
			return 0, v.fail("%v is not a finite number", x)
		}
		return x, nil
	}
	w, err := v.number()
	if err != nil {
		return 0, err
	}
	x, ok := parseNumber(w)
	if !ok {
		return 0, v.fail("%q is not a finite number", clip(w))
	}
	return x, nil
}

// skip passes over numbers, of the given size in binary data.
func (v *values) skip(n, size int) *Error {
	if v.order != nil {
		_, err := v.bytes(n * size)
		return err
	}
	for range n {
		if _, err := v.number(); err != nil {
			return err
		}
	}
	return nil
}
