package report

import (
	"fmt"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// stepsOf returns how many steps a row stands for: one, or as many as its column steps says.
func (s *series) stepsOf(row int) int {
	if n := s.at("steps", row); n > 1 {
		return int(n)
	}
	return 1
}

// stepSpan is steps that follow each other.
type stepSpan struct{ first, last int }

// spanOf returns the steps that a row stands for.
func (s *series) spanOf(row int) stepSpan {
	last := int(s.at("step", row))
	return stepSpan{last - s.stepsOf(row) + 1, last}
}

func (p stepSpan) words() string {
	if p.first == p.last {
		return words.Thousands(p.last)
	}
	return words.Thousands(p.first) + " to " + words.Thousands(p.last)
}

// paceWords says how many steps a frame has, and of what size.
func (s *series) paceWords(t *runfolder.Timing) string {
	if s.grouped {
		return s.stepSizes()
	}
	return fmt.Sprintf("%s a frame, of %s", words.Thousands(t.Substeps), words.FineSeconds(t.Step))
}

// mostWords says of what a largest value is the largest. A row of several steps has that of its last one.
func (s *series) mostWords() string {
	if s.grouped {
		return "most in a row of stats.csv"
	}
	return "most in a step"
}

// stepSizes says how long steps are: from the shortest to the longest if a run chooses them as it goes, else empty.
func (s *series) stepSizes() string {
	shortest, longest := s.columns["shortest step"], s.columns["longest step"]
	if len(shortest) == 0 || len(longest) == 0 {
		return ""
	}
	low, high := words.FineSeconds(least(shortest)), words.FineSeconds(most(longest))
	if low == high {
		return "of " + low
	}
	return "of " + low + " to " + high
}

// least returns the smallest of some values, whatever is not a number among them.
func least(values []float64) float64 {
	low := values[0]
	for _, x := range values {
		if x < low || low != low {
			low = x
		}
	}
	return low
}

// most returns the largest of some values, whatever is not a number among them.
func most(values []float64) float64 {
	high := values[0]
	for _, x := range values {
		if x > high || high != high {
			high = x
		}
	}
	return high
}
