package pattern

import (
	"fmt"
	"strings"
)

// ReadOutlines reads the outlines of a drawing, in the format that its name ends with: .svg or .dxf. Unit is the length
// of one unit of the drawing [m]; 0 takes what the drawing says.
func ReadOutlines(name string, data []byte, unit float64) ([]Outline, error) {
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".svg"):
		return ReadSVG(data, unit)
	case strings.HasSuffix(lower, ".dxf"):
		return ReadDXF(data, unit)
	}
	return nil, fmt.Errorf("%s: outlines are read from .svg and .dxf files", name)
}
