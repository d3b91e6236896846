package cli

import (
	"math"
	"testing"
)

func TestParseLength(t *testing.T) {
	for text, want := range map[string]float64{"0.1mm": 1e-4, "2 cm": 0.02, "1in": 0.0254, "3e-4": 3e-4, "0.5m": 0.5} {
		if got, err := ParseLength("--merge", text); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %g, %v, want %g", text, got, err, want)
		}
	}
	for _, text := range []string{"", "mm", "-1mm", "NaN", "1e400", "inf"} {
		if got, err := ParseLength("--merge", text); err == nil {
			t.Errorf("%s: %g without an error", text, got)
		}
	}
}
