package main

import (
	"math"
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
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
