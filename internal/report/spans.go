package report

import (
	"strings"

	"github.com/toile-sim/toile/internal/words"
)

// stepSpan is steps that follow each other.
type stepSpan struct{ first, last int }

func (p stepSpan) words() string {
	if p.first == p.last {
		return words.Thousands(p.last)
	}
	return words.Thousands(p.first) + " to " + words.Thousands(p.last)
}

// joined appends a span, as part of the last one if it goes on from there.
func joined(spans []stepSpan, next stepSpan) []stepSpan {
	if n := len(spans); n > 0 && spans[n-1].last+1 == next.first {
		spans[n-1].last = next.last
		return spans
	}
	return append(spans, next)
}

// someSpans names the first few spans.
func someSpans(spans []stepSpan, most int) string {
	names := make([]string, 0, most+1)
	for _, p := range spans[:min(most, len(spans))] {
		names = append(names, p.words())
	}
	if len(spans) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}
