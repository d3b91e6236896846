package main

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/words"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{words.Thousands(0), "0"},
		{words.Thousands(-1234567), "-1,234,567"},
		{words.Thousands(-123), "-123"},
		{words.Count(1, "vertex"), "1 vertex"},
		{words.Count(20164, "vertex"), "20,164 vertices"},
		{words.Count(0, "frame"), "0 frames"},
		{duration(-1), "unknown"},
		{duration(1500 * time.Nanosecond), "1.5 µs"},
		{duration(12 * time.Millisecond), "12 ms"},
		{duration(999600 * time.Microsecond), "1.0 s"},
		{duration(12 * time.Second), "12 s"},
		{duration(125 * time.Second), "2 min 5 s"},
		{duration(3*time.Hour + 5*time.Minute), "3 h 5 min"},
		{duration(72 * time.Hour), "3.0 days"},
		{timeLeft(1200 * time.Millisecond), "2 s"},
		{bytesize(12), "12 bytes"},
		{bytesize(1.5e9), "1.5 GB"},
		{bytesize(3e15), "3e+03 TB"},
		{length(0), "0 m"},
		{length(0.0016), "1.6 mm"},
		{length(0.00099999), "1 mm"},
		{length(0.00025), "250 µm"},
		{length(1.7), "1.7 m"},
		{length(1700), "1,700 m"},
		{quote("a/b-c.yaml"), "a/b-c.yaml"},
		{quote("my scene"), "'my scene'"},
		{quote("it's"), `'it'\''s'`},
		{quote(""), "''"},
		{likelyUnit(1700), "mm"},
		{likelyUnit(170), "cm"},
		{runFolder("a/b.c/scene.yaml"), "a/b.c/scene.run"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	rows := &table{right: []bool{false, true}}
	rows.add("name", "n", "µ")
	rows.add("ä", "10", "")
	if got, want := rows.lines(), []string{"name   n  µ", "ä     10"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEvenly(t *testing.T) {
	frames := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, c := range []struct {
		n    int
		want []int
	}{
		{1, []int{9}},
		{2, []int{0, 9}},
		{4, []int{0, 3, 6, 9}},
		{10, frames},
		{99, frames},
	} {
		if got := evenly(frames, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d of them: %v, want %v", c.n, got, c.want)
		}
	}
}

// TestExponent recovers the power of a power law.
func TestExponent(t *testing.T) {
	x := []float64{5e3, 2e4, 8e4, 3.2e5}
	y := make([]float64, len(x))
	for i := range x {
		y[i] = 3e-6 * math.Pow(x[i], 1.17)
	}
	if p := exponent(x, y); math.Abs(p-1.17) > 1e-12 {
		t.Errorf("exponent %g", p)
	}
}

func TestParseLength(t *testing.T) {
	for text, want := range map[string]float64{"0.1mm": 1e-4, "2 cm": 0.02, "1in": 0.0254, "3e-4": 3e-4, "0.5m": 0.5} {
		if got, err := parseLength("--merge", text); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %g, %v, want %g", text, got, err, want)
		}
	}
	for _, text := range []string{"", "mm", "-1mm", "NaN", "1e400", "inf"} {
		if got, err := parseLength("--merge", text); err == nil {
			t.Errorf("%s: %g without an error", text, got)
		}
	}
}
