package report

import (
	"fmt"

	"github.com/toile-sim/toile/internal/words"
)

// slips is how often yarns passed through each other.
type slips struct {
	known bool // the run is one of yarns, and counts them
	sum   int
	in    []stepSpan
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
