package report

import (
	"fmt"
	"strings"

	"github.com/toile-sim/toile/internal/words"
)

// slips is how often yarns passed through each other.
type slips struct {
	known bool // the run is one of yarns, and counts them
	sum   int
	in    []stepSpan
}

func (s *series) countSlips() slips {
	out := slips{known: s.columns["slips"] != nil}
	for row := range s.rows {
		if n := int(s.at("slips", row)); n > 0 {
			out.sum, out.in = out.sum+n, joined(out.in, s.spanOf(row))
		}
	}
	return out
}

// How many spans of steps are named at the top of the page and under the figure.
const (
	fewSpans  = 4
	manySpans = 40
)

// verdict is the end of the sentence that says how many steps were taken.
func (p *slips) verdict() string {
	switch {
	case !p.known:
		return "."
	case p.sum == 0:
		return ", and no yarn passed through another."
	}
	return fmt.Sprintf(". Yarns passed through each other %s, in steps %s.", words.Count(p.sum, "time"), someSpans(p.in, fewSpans))
}

func (p *slips) tile() tile {
	detail := "no yarn passed through another"
	if p.sum > 0 {
		detail = "in steps " + someSpans(p.in, fewSpans)
	}
	return tile{Label: "Slips", Value: words.Thousands(p.sum), Detail: detail, Bad: p.sum > 0}
}

func (p *slips) caption() string {
	return fmt.Sprintf("Yarns passed through each other %s in all, in steps %s.", words.Count(p.sum, "time"), someSpans(p.in, manySpans))
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
