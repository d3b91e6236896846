package dumps

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/bench"
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
	// what the first method solved
	s := &Summary{Methods: methods}
	first := map[string]*Result{}
	for _, r := range results {
		if r.Method == methods[0] && r.Outcome == Solved {
			first[r.Problem] = r
		}
	}
	// outcomes of a method
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
			// times against those of the first
			if best := first[r.Problem]; best != nil && r.Outcome == Solved {
				row.Both++
				logs += math.Log(r.Seconds / best.Seconds)
				if r.Seconds < best.Seconds {
					row.Faster++
				}
			}
			// how far answers are apart
			if r.Apart != nil {
				row.Velocity, row.Impulse = max(row.Velocity, r.Apart.Velocity), max(row.Impulse, r.Apart.Impulse)
			}
		}
		// mean ratio of times
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

// Markdown returns the standings, by family too, every problem with the time of every method, and what is left where
// one failed.
func (s *Summary) Markdown(set *Set, results []*Result) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s\n", strings.Join(s.Lines(), "\n"))
	s.families(line, set, results)
	s.each(line, set, results)
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

// row returns the results of a problem by method; nil if some are missing.
func (s *Summary) row(results []*Result, problem string) []*Result {
	var row []*Result
	for _, method := range s.Methods {
		i := slices.IndexFunc(results, func(r *Result) bool { return r.Problem == problem && r.Method == method })
		if i < 0 {
			return nil
		}
		row = append(row, results[i])
	}
	return row
}

// each writes a table of all problems.
func (s *Summary) each(line func(string, ...any), set *Set, results []*Result) {
	line("Seconds where the residual is at most %g m/s, else the residual in brackets.\n", Tolerance)
	line("| problem | blocks | contacts | redundancy | %s |", strings.Join(s.Methods, " | "))
	line("|---|%s", strings.Repeat("---|", 3+len(s.Methods)))
	for _, p := range set.Problems {
		var cells []string
		for _, r := range s.row(results, p.Name) {
			cells = append(cells, r.cell())
		}
		if cells != nil {
			line("| %s | %d | %d | %.2f | %s |", p.Name, p.Blocks, p.Contacts, p.Redundancy, strings.Join(cells, " | "))
		}
	}
}

// families writes a table of problems whose names begin with the same word: how many each method solved, and how long a
// solved one takes in the median.
func (s *Summary) families(line func(string, ...any), set *Set, results []*Result) {
	// head of the table
	line("| family | problems | contacts | %s |", strings.Join(s.Methods, " | "))
	line("|---|%s", strings.Repeat("---|", 2+len(s.Methods)))
	// problems by the first word of their names
	var names []string
	members := map[string][]Problem{}
	for _, p := range set.Problems {
		if s.row(results, p.Name) == nil {
			continue
		}
		name, _, _ := strings.Cut(p.Name, "-")
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], p)
	}
	// contacts of a family, and times of what each method solved
	for _, name := range names {
		least, most := math.MaxInt, 0
		times := make([][]float64, len(s.Methods))
		for _, p := range members[name] {
			least, most = min(least, p.Contacts), max(most, p.Contacts)
			for i, r := range s.row(results, p.Name) {
				if r.Outcome == Solved {
					times[i] = append(times[i], r.Seconds)
				}
			}
		}
		// medians
		var cells []string
		for _, t := range times {
			cell := fmt.Sprint(len(t))
			if len(t) > 0 {
				cell = fmt.Sprintf("%d in %.2g s", len(t), bench.Median(t))
			}
			cells = append(cells, cell)
		}
		line("| %s | %d | %d to %d | %s |", name, len(members[name]), least, most, strings.Join(cells, " | "))
	}
	line("")
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
