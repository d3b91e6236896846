package render

import (
	"slices"
	"testing"
)

// The pictures of a film are evenly spaced in time, whatever its pace.
func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		n          int
		rate, pace float64
		want       []int
	}{
		{4, 30, 30, []int{0, 1, 2, 3}},
		{4, 30, 60, []int{0, 0, 1, 1, 2, 2, 3, 3}},
		{6, 60, 20, []int{0, 3}},
		{1, 30, 30, []int{0}},
		{5, 100, 40, []int{0, 2}},
	} {
		if got := schedule(c.n, c.rate, c.pace); !slices.Equal(got, c.want) {
			t.Errorf("%d frames, %g a second, at %g: %v, want %v", c.n, c.rate, c.pace, got, c.want)
		}
	}
	// A rate that is no binary fraction loses no frame to rounding.
	for _, rate := range []float64{29.97, 23.976, 30, 24, 1.0 / 3} {
		if got := schedule(10_000, rate, rate); len(got) != 10_000 || got[9999] != 9999 {
			t.Errorf("at %g a second 10000 frames make %d pictures", rate, len(got))
		}
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
