package scan

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/toile-sim/toile/internal/format/model"
)

// AppendFloat writes x in single precision.
func AppendFloat(b []byte, order binary.AppendByteOrder, x float64) []byte {
	return order.AppendUint32(b, math.Float32bits(float32(x)))
}

// ParseNumber reads a finite decimal number.
func ParseNumber(w []byte) (float64, bool) {
	for _, c := range w {
		// ParseFloat also takes "inf", "nan", hexadecimal and underscores.
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(w), 64)
	return x, err == nil && model.Finite64(x)
}

// AppendNumber writes the shortest decimal that reads back as x.
func AppendNumber(b []byte, x float64) []byte { return strconv.AppendFloat(b, x, 'g', -1, 64) }

// AppendNumber32 writes the shortest decimal that reads back as x in single precision.
func AppendNumber32(b []byte, x float32) []byte {
	return strconv.AppendFloat(b, float64(x), 'g', -1, 32)
}
