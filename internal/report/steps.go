package report

import (
	"fmt"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

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
