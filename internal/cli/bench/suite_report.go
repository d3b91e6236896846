package bench

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/words"
)

// againstEvent compares two builds in one case, by the CPU time of a step.
type againstEvent struct {
	Event   string     `json:"event"`
	Case    string     `json:"case"`
	Workers int        `json:"workers"`
	Old     bench.Real `json:"old"` // medians [s]
	New     bench.Real `json:"new"`
	Ratio   bench.Real `json:"ratio"` // new/old, median of those of neighbours
	Least   bench.Real `json:"least"` // of them
	Most    bench.Real `json:"most"`
	Same    bool       `json:"same"` // hashes
}

func (s *suite) say(rows *cli.Table) {
	for i, line := range rows.Lines() {
		if i == 0 {
			line = s.t.Paint(cli.Dim, line)
		}
		s.t.Say("  %s", line)
	}
}

// usable returns the measurements that succeeded.
func usable(results []*bench.Result) []*bench.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r *bench.Result) bool { return r == nil })
}

// report prints what was measured.
func (s *suite) report() {
	s.times()
	s.work()
	if s.f.suite.against != "" {
		s.compare()
	}
}

func (s *suite) times() {
	// columns
	rows := &cli.Table{Right: append([]bool{false}, slices.Repeat([]bool{true}, 17)...)}
	rows.Add("case", "cores", "steps", "CPU", "mean", "p99", "wall", "mean", "p99", "remesh", "detect", "assemble",
		"solve",
		"guard", "other", "heap", "from system", "allocations", "state")
	// a row for each case that was measured
	for i := range s.rows {
		row := &s.rows[i]
		all := usable(row.new)
		if len(all) == 0 {
			continue
		}
		// medians over repeats, in words
		of := func(f func(r *bench.Result) bench.Real) string {
			return words.Seconds(medianOf(all, func(r *bench.Result) float64 { return float64(f(r)) }))
		}
		phase := func(f func(p *bench.Phases) float64) string {
			return words.Seconds(medianOf(all, func(r *bench.Result) float64 { return f(&r.Phases) }))
		}
		memory := func(f func(r *bench.Result) uint64) string {
			return words.Bytes(medianOf(all, func(r *bench.Result) float64 { return float64(f(r)) }))
		}
		rows.Add(row.name, fmt.Sprint(row.workers), fmt.Sprint(all[0].Steps),
			of(func(r *bench.Result) bench.Real { return r.CPU.Median }),
			of(func(r *bench.Result) bench.Real { return r.CPU.Mean }),
			of(func(r *bench.Result) bench.Real { return r.CPU.P99 }),
			of(func(r *bench.Result) bench.Real { return r.Wall.Median }),
			of(func(r *bench.Result) bench.Real { return r.Wall.Mean }),
			of(func(r *bench.Result) bench.Real { return r.Wall.P99 }),
			phase(func(p *bench.Phases) float64 { return p.Remesh }),
			phase(func(p *bench.Phases) float64 { return p.Detect }),
			phase(func(p *bench.Phases) float64 { return p.Assemble }),
			phase(func(p *bench.Phases) float64 { return p.Solve }),
			phase(func(p *bench.Phases) float64 { return p.Guard }),
			phase(func(p *bench.Phases) float64 { return p.Pose + p.Integrate + p.Untangle + p.Check + p.Refused }),
			memory(func(r *bench.Result) uint64 { return r.Heap }),
			memory(func(r *bench.Result) uint64 { return r.Sys }),
			fmt.Sprintf("%.0f", medianOf(all, func(r *bench.Result) float64 { return float64(r.Allocs) })),
			all[0].Hash[:short])
	}
	// the table under its heading
	s.t.Say(
		"%s: medians, means and the 99th percentile of a step; phases are means on the wall",
		s.t.Paint(cli.Bold, "Times"),
	)
	s.say(rows)
}

// work prints what the steps did, which is the same with any number of workers.
func (s *suite) work() {
	rows := &cli.Table{Right: append([]bool{false}, slices.Repeat([]bool{true}, 12)...)}
	rows.Add("case", "vertices", "contacts", "most", "rounds", "sweeps", "Newton", "linear", "worst residual",
		"converged",
		"halved", "crossings")
	for i := range s.rows {
		all := usable(s.rows[i].new)
		if len(all) == 0 || i > 0 && s.rows[i-1].name == s.rows[i].name {
			continue
		}
		r := all[0]
		rows.Add(s.rows[i].name, words.Thousands(r.Vertices), words.Thousands(int(math.Round(r.Contacts))),
			words.Thousands(r.MostContacts), fmt.Sprintf("%.1f", r.Rounds), fmt.Sprintf("%.1f", r.Sweeps),
			fmt.Sprintf("%.1f", r.Newton), fmt.Sprintf("%.0f", r.Linear), fmt.Sprintf("%.1e", float64(r.Residual)),
			words.Percent(r.Converged), fmt.Sprint(r.Halved), fmt.Sprint(r.Crossings))
	}
	s.t.Say("%s: means of a step", s.t.Paint(cli.Bold, "Work"))
	s.say(rows)
}

// compare prints old and new side by side.
func (s *suite) compare() {
	// columns
	rows := &cli.Table{Right: append([]bool{false}, slices.Repeat([]bool{true}, 6)...)}
	rows.Add("case", "cores", "old", "new", "new/old", "least", "most", "hashes")
	// logarithms of ratios, for geometric means
	logs := map[int][]float64{}
	var every []float64
	// rows that can be compared
	for i := range s.rows {
		row := &s.rows[i]
		e := row.compare()
		if e == nil {
			continue
		}
		s.t.Emit(e)
		logs[row.workers] = append(logs[row.workers], math.Log(float64(e.Ratio)))
		every = append(every, math.Log(float64(e.Ratio)))
		agree := "equal"
		if !e.Same {
			agree = "differ"
		}
		rows.Add(e.Case, fmt.Sprint(e.Workers), words.Seconds(float64(e.Old)), words.Seconds(float64(e.New)),
			fmt.Sprintf("%.3f", e.Ratio),
			fmt.Sprintf("%.3f", e.Least), fmt.Sprintf("%.3f", e.Most), agree)
	}
	// the table under its heading
	s.t.Say(
		"%s: CPU time of a step, mean over the steps, median over repeats",
		s.t.Paint(cli.Bold, "Against "+s.f.suite.against),
	)
	s.say(rows)
	// means by number of workers, and over all
	for _, workers := range s.f.workers {
		if l := logs[workers]; len(l) > 0 && len(s.f.workers) > 1 {
			s.geomean(workers, l)
		}
	}
	if len(every) > 0 {
		s.geomean(0, every)
	}
}

func (s *suite) geomean(workers int, logs []float64) {
	ratio := math.Exp(mean(logs, func(l *float64) float64 { return *l }))
	s.t.Emit(geomeanEvent{"geomean", workers, len(logs), bench.Real(ratio)})
	with := ""
	if workers > 0 {
		with = " with " + words.Count(workers, "worker")
	}
	s.t.Say("  geometric mean of new/old over %s%s: %.3f", words.Count(len(logs), "row"), with, ratio)
}

// compare sums up the pairs of a row; nil if there is none.
func (r *suiteRow) compare() *againstEvent {
	var ratios []float64
	same := true
	for i := range min(len(r.new), len(r.old)) {
		a, b := r.new[i], r.old[i]
		if a == nil || b == nil {
			continue
		}
		ratios = append(ratios, cost(a)/cost(b))
		same = same && a.Hash == b.Hash
	}
	if len(ratios) == 0 {
		return nil
	}
	return &againstEvent{
		"against", r.name, r.workers,
		bench.Real(medianOf(usable(r.old), cost)), bench.Real(medianOf(usable(r.new), cost)),
		bench.Real(bench.Median(ratios)), bench.Real(slices.Min(ratios)), bench.Real(slices.Max(ratios)), same,
	}
}

// cost is what builds are compared by: the mean CPU time of a step, or that on the wall where the system does not tell.
func cost(r *bench.Result) float64 {
	if cpu := float64(r.CPU.Mean); !math.IsNaN(cpu) {
		return cpu
	}
	return float64(r.Wall.Mean)
}

// verdict fails if something went wrong, or if the number of workers or a repeat changed a result.
func (s *suite) verdict() error {
	hashes := map[string]string{}
	for i := range s.rows {
		row := &s.rows[i]
		for build, results := range map[string][]*bench.Result{"new": row.new, "old": row.old} {
			for _, r := range usable(results) {
				key := row.name + ", " + build
				if was, ok := hashes[key]; ok && was != r.Hash {
					return fmt.Errorf(
						"%s build: the number of workers or a repeat changed the result: states %s and %s", key, was,
						r.Hash,
					)
				}
				hashes[key] = r.Hash
			}
		}
	}
	if s.faults > 0 {
		return fmt.Errorf("%s failed", words.Count(s.faults, "measurement"))
	}
	return nil
}
