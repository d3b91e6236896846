package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/words"
)

const (
	worstSteps = 10
	ranking    = "Steps above the tolerance come first, then those with the most crossings, then those with the largest residual."
)

func (s *series) worst() []worstStep {
	if !s.solves {
		return nil
	}
	// all steps
	rows := make([]int, s.rows)
	for i := range rows {
		rows[i] = i
	}
	// a residual that is no number is the worst
	residual := func(row int) float64 {
		if r := s.at("residual", row); r == r {
			return r
		}
		return math.Inf(1)
	}
	// unconverged first, then crossings, then residuals
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.at("converged", a), s.at("converged", b)),
			cmp.Compare(s.at("crossings", b), s.at("crossings", a)), cmp.Compare(residual(b), residual(a)))
	})
	// the first of them in words
	var out []worstStep
	for _, row := range rows[:min(worstSteps, len(rows))] {
		whole := func(column string) string { return words.Thousands(int(s.at(column, row))) }
		out = append(out, worstStep{
			Step: whole(
				"step",
			),
			Time:      fmt.Sprintf("%.4f", s.at("time", row)),
			Frame:     fmt.Sprint(int(s.at("frame", row))),
			Residual:  short(s.at("residual", row)),
			Contacts:  whole("contacts"),
			Crossings: whole("crossings"),
			Halvings:  whole("halvings"),
			Clock:     words.FineSeconds(s.clockOf(row)),
			Above:     s.at("converged", row) == 0,
		})
	}
	return out
}
