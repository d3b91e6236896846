package pattern

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/toile-sim/toile/r3"
)

// dxfGroup is a group code and its value.
type dxfGroup struct {
	line  int
	code  int
	value string
}

func (g *dxfGroup) number() float64 {
	v, err := strconv.ParseFloat(g.value, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func (g *dxfGroup) integer() int {
	v, err := strconv.Atoi(g.value)
	if err != nil {
		return 0
	}
	return v
}

func dxfGroups(data []byte) ([]dxfGroup, error) {
	// text alone is read
	if bytes.HasPrefix(data, []byte("AutoCAD Binary DXF")) {
		return nil, &DrawingError{1, "a binary DXF file; save it as text (ASCII DXF)"}
	}
	var out []dxfGroup
	line := 0
	// line by line
	next := func() (string, bool) {
		if len(data) == 0 {
			return "", false
		}
		text, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		line++
		return string(bytes.TrimSpace(text)), true
	}
	// a code and its value, until the file ends
	for {
		code, ok := next()
		if !ok || code == "" && len(bytes.TrimSpace(data)) == 0 {
			return out, nil
		}
		c, err := strconv.Atoi(code)
		if err != nil || c < -5 || c > 1071 {
			return nil, &DrawingError{line, fmt.Sprintf("%q is not a group code; is this a DXF file?", clipped(code))}
		}
		value, ok := next()
		if !ok {
			return nil, &DrawingError{line, "the file ends within a group"}
		}
		out = append(out, dxfGroup{line - 1, c, value})
	}
}

// field returns the first value of a code.
func field(body []dxfGroup, code int) string {
	for i := range body {
		if body[i].code == code {
			return body[i].value
		}
	}
	return ""
}

func numberField(body []dxfGroup, code int, other float64) float64 {
	for i := range body {
		if body[i].code == code {
			return body[i].number()
		}
	}
	return other
}

func pointField(body []dxfGroup, code int) r3.Vec2 {
	return r3.Vec2{X: numberField(body, code, 0), Y: numberField(body, code+10, 0)}
}
