package dumps

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Summary is how methods did on all problems.
type Summary struct {
	Methods []string
	Rows    []Standing // by method
}

// Standing is how one method did.
type Standing struct {
	Method                             string
	Solved, Unsolved, TooLong, Refused int
	Seconds                            float64 // of what it solved
	Ratio                              float64 // geometric mean of its time over that of the first method, where both solved
	Both                               int     // problems that this is a mean of
	Faster                             int     // of these, how often it took less time
	Velocity, Impulse                  float64 // the furthest from the first method [m/s], [1]
}

// Summarize counts.
func Summarize(methods []string, results []*Result) *Summary {
	s := &Summary{Methods: methods}
	first := map[string]*Result{}
	for _, r := range results {
		if r.Method == methods[0] && r.Outcome == Solved {
			first[r.Problem] = r
		}
	}
	for _, method := range methods {
		row := Standing{Method: method}
		logs := 0.0
		for _, r := range results {
			if r.Method != method {
				continue
			}
			switch r.Outcome {
			case Solved:
				row.Solved++
				row.Seconds += r.Seconds
			case Unsolved:
				row.Unsolved++
			case TooLong:
				row.TooLong++
			case Refused:
				row.Refused++
			}
			if best := first[r.Problem]; best != nil && r.Outcome == Solved {
				row.Both++
				logs += math.Log(r.Seconds / best.Seconds)
				if r.Seconds < best.Seconds {
					row.Faster++
				}
			}
			if r.Apart != nil {
				row.Velocity, row.Impulse = max(row.Velocity, r.Apart.Velocity), max(row.Impulse, r.Apart.Impulse)
			}
		}
		row.Ratio = math.Exp(logs / float64(max(1, row.Both)))
		s.Rows = append(s.Rows, row)
	}
	return s
}

// Lines returns the standings as a table.
func (s *Summary) Lines() []string {
	out := []string{
		"| method | solved | unsolved | too long | refused | time of the solved [s] | over " + s.Methods[0] +
			", geometric mean | faster | v apart, most [m/s] | r apart, most |",
		"|---|---|---|---|---|---|---|---|---|---|",
	}
	for _, r := range s.Rows {
		out = append(out, fmt.Sprintf("| %s | %d | %d | %d | %d | %.3g | %.3g on %d | %d | %.1e | %.1e |",
			r.Method, r.Solved, r.Unsolved, r.TooLong, r.Refused, r.Seconds, r.Ratio, r.Both, r.Faster, r.Velocity, r.Impulse))
	}
	return out
}

// Markdown returns the standings, every problem with the time of every method, and what is left where one failed.
func (s *Summary) Markdown(set *Set, results []*Result) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s\n", strings.Join(s.Lines(), "\n"))
	line("Seconds where the residual is at most %g m/s, else the residual in brackets.\n", Tolerance)
	line("| problem | blocks | contacts | redundancy | %s |", strings.Join(s.Methods, " | "))
	line("|---|%s", strings.Repeat("---|", 3+len(s.Methods)))
	for _, p := range set.Problems {
		cells := make([]string, 0, len(s.Methods))
		for _, method := range s.Methods {
			if i := slices.IndexFunc(results, func(r *Result) bool { return r.Problem == p.Name && r.Method == method }); i >= 0 {
				cells = append(cells, results[i].cell())
			}
		}
		if len(cells) == len(s.Methods) {
			line("| %s | %d | %d | %.2f | %s |", p.Name, p.Blocks, p.Contacts, p.Redundancy, strings.Join(cells, " | "))
		}
	}
	line("\nWhat is left where a method ended above it: parts of the residual, how many blocks and contacts are above it, and")
	line("of the contact that is furthest from its law the normal velocity, the slip, and the impulses as velocities [m/s].\n")
	line("| problem | method | momentum | law | blocks | contacts | u_N | slip | s r_N | s r_T |")
	line("|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range results {
		if r.Outcome == Unsolved {
			line("| %s | %s | %.1e | %.1e | %d | %d | %.1e | %.1e | %.1e | %.1e |",
				r.Problem, r.Method, r.Dynamics, r.Law, r.Blocks, r.Contacts, r.Normal, r.Slip, r.Push, r.Rub)
		}
	}
	return b.String()
}

func (r *Result) cell() string {
	switch r.Outcome {
	case Solved:
		return fmt.Sprintf("%.3g", r.Seconds)
	case Unsolved:
		return fmt.Sprintf("(%.0e)", r.Residual())
	}
	return string(r.Outcome)
}
