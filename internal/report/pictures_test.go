package report

import "testing"

// No more is kept than is meant to be, whatever the size of a knit; large ones keep nothing and are drawn coarser.
func TestTubesInMemory(t *testing.T) {
	for _, c := range []struct{ points, kept, each int }{
		{0, 0, 0},
		{1, 256, 32},
		{3_000, 768_000, 96_000},
		{31_250, 1_000_000, 1_000_000},
		{31_251, 0, 1_000_032},
		{80_000, 0, 1_440_000},
		{436_157, 0, 3_489_256},
	} {
		if kept, each := TubesInMemory(c.points); kept != c.kept || each != c.each {
			t.Errorf("%d points: %d vertices kept, %d in a picture; want %d and %d", c.points, kept, each, c.kept, c.each)
		}
	}
}
