package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/words"
)

// suiteFlags are the flags of toile bench --suite.
type suiteFlags struct {
	on      bool
	list    bool
	cases   []string
	repeats int
	cache   string
	make    bool
	against string
	profile string

	one, state string // of a process that takes one measurement: the folder of the case and the file of its state
}

func (f *suiteFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.on, "suite", false, "time the cases of the suite")
	flags.BoolVar(&f.list, "list", false, "with --suite, list the cases and whether their states are made")
	flags.StringSliceVar(&f.cases, "cases", nil, "with --suite or --kernels, only cases whose `names` begin with one of these")
	flags.IntVar(&f.repeats, "repeats", 1, "with --suite or --kernels, how many `times` every measurement is taken, in turn; 6 with --kernels")
	flags.StringVar(&f.cache, "cache", "", "with --suite or --kernels, the `folder` of states (default: toile/bench among the user's caches)")
	flags.BoolVar(&f.make, "make", false, "with --suite, make the states and time nothing")
	flags.StringVar(&f.against, "against", "", "with --suite, another `toile` to compare with")
	flags.StringVar(&f.profile, "cpuprofile", "", "with --suite, a `file` for a CPU profile of the timed steps")
	flags.StringVar(&f.one, "one", "", "")
	flags.StringVar(&f.state, "state", "", "")
	for _, name := range []string{"one", "state"} {
		if err := flags.MarkHidden(name); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// misplaced returns the name of a flag that was given without --suite and belongs to it; kernels share some of them.
func (f *suiteFlags) misplaced(cmd *cobra.Command, kernels bool) string {
	names := []string{"list", "make", "against", "cpuprofile", "state"}
	if !kernels {
		names = append(names, "cases", "repeats", "cache")
	}
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// timeOne takes one measurement in this process, for the one that started it.
func timeOne(ctx context.Context, t *term, f *benchFlags) error {
	r, err := bench.Time(ctx, &bench.Order{
		Folder: f.suite.one, State: f.suite.state, Workers: f.workers[0], Warmup: f.warmup, Steps: f.steps, Profile: f.suite.profile,
	})
	if ctx.Err() != nil {
		return &interruptedError{errors.New("stopped")}
	}
	if err != nil {
		return badInput(err)
	}
	t.emit(r)
	return nil
}

// machineEvent is where a suite was timed.
type machineEvent struct {
	Event     string      `json:"event"`
	Cores     int         `json:"cores"`
	Procs     int         `json:"gomaxprocs"`
	Build     cache.Build `json:"build"`
	Bandwidth []flow      `json:"bandwidth"`
}

// flow is what so many workers move between cores and memory [bytes/s].
type flow struct {
	Workers int     `json:"workers"`
	Bytes   float64 `json:"bytes_per_second"`
}

// measuredEvent is one measurement.
type measuredEvent struct {
	Event  string `json:"event"`
	Case   string `json:"case"`
	Build  string `json:"build"` // new, which is this one, or old
	Repeat int    `json:"repeat"`
	*bench.Result
}

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

// geomeanEvent is the geometric mean of the ratios of all cases.
type geomeanEvent struct {
	Event   string     `json:"event"`
	Workers int        `json:"workers"` // 0 is all
	Cases   int        `json:"cases"`
	Ratio   bench.Real `json:"ratio"`
}

// suite is a run of the suite.
type suite struct {
	t      *term
	f      *benchFlags
	store  *bench.Store
	cases  []bench.Case
	states []string   // of the cases
	rows   []suiteRow // for each case, for each number of workers
	faults int
}

// suiteRow is what was measured of a case with a number of workers.
type suiteRow struct {
	name     string
	state    string
	steps    int
	workers  int
	new, old []*bench.Result // by repeat, nil where it failed
}

func benchSuite(ctx context.Context, t *term, f *benchFlags) error {
	s := &suite{t: t, f: f}
	if err := s.prepare(); err != nil {
		return err
	}
	if f.suite.list {
		return s.list()
	}
	if err := s.make(ctx); err != nil || f.suite.make {
		return err
	}
	s.machine([]int{1, 2})
	err := s.measure(ctx)
	s.report()
	if err != nil {
		return err
	}
	return s.verdict()
}

func (s *suite) prepare() error {
	f := &s.f.suite
	if f.repeats < 1 {
		return badUsage("--repeats %d: write how many, at least 1", f.repeats)
	}
	if slices.Contains(s.f.workers, 0) {
		return badUsage("--workers 0: cases want numbers, such as 1,2")
	}
	if f.against != "" {
		path, err := exec.LookPath(f.against)
		if err != nil {
			return badUsage("--against %s: %v", f.against, err)
		}
		if f.against, err = filepath.Abs(path); err != nil {
			return badInput(err)
		}
	}
	dir := f.cache
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return badUsage("there is no folder for caches (%v); name one with --cache", err)
		}
		dir = filepath.Join(caches, "toile", "bench")
	}
	s.store = &bench.Store{Dir: dir, Every: 20 * time.Second, Dressing: (&dressingTeller{t: s.t}).tell}
	var err error
	if s.cases, err = bench.Select(f.cases); err != nil {
		return badUsage("--cases: %v", err)
	}
	return nil
}

// suiteCaseEvent is a case as --list shows it.
type suiteCaseEvent struct {
	Event string `json:"event"`
	Case  string `json:"case"`
	About string `json:"about"`
	Step  int    `json:"step"`
	Timed int    `json:"timed"`
	State string `json:"state"`
	Made  bool   `json:"made"`
}

func (s *suite) list() error {
	cases := s.cases
	if len(s.f.suite.cases) == 0 {
		cases = bench.Cases() // also those that are timed only when asked for
	}
	rows := &table{right: []bool{false, true, true}}
	rows.add("case", "step", "timed", "state", "what")
	for i := range cases {
		c := &cases[i]
		path, made, err := s.store.State(c)
		if err != nil {
			return err
		}
		state := "not made"
		if made {
			state = "made"
		}
		if c.Slow {
			state += ", slow"
		}
		s.t.emit(suiteCaseEvent{"case", c.Name, c.About, c.Step, c.Timed, path, made})
		rows.add(c.Name, fmt.Sprint(c.Step), fmt.Sprint(c.Timed), state, c.About)
	}
	s.say(rows)
	return nil
}

func (s *suite) say(rows *table) {
	for i, line := range rows.lines() {
		if i == 0 {
			line = s.t.paint(dim, line)
		}
		s.t.say("  %s", line)
	}
}

// make makes the states that are missing. Of one scene the last goes first: the others are on its way.
func (s *suite) make(ctx context.Context) error {
	order := slices.Clone(s.cases)
	slices.SortStableFunc(order, func(a, b bench.Case) int {
		if a.Scene != b.Scene {
			return 0
		}
		return b.Step - a.Step
	})
	for i := range order {
		if err := s.makeOne(ctx, &order[i]); err != nil {
			return err
		}
	}
	for i := range s.cases {
		c := &s.cases[i]
		path, _, err := s.store.State(c)
		if err != nil {
			return err
		}
		s.states = append(s.states, path)
		steps := c.Timed
		if s.f.steps > 0 {
			steps = s.f.steps
		}
		for _, workers := range s.f.workers {
			s.rows = append(s.rows, suiteRow{name: c.Name, state: path, steps: steps, workers: workers})
		}
	}
	return nil
}

func (s *suite) makeOne(ctx context.Context, c *bench.Case) error {
	path, made, err := s.store.State(c)
	if err != nil || made {
		return err
	}
	s.t.note("Making the state of %s: %s of %q. It is kept in %s.", c.Name, words.Count(c.Step, "step"), c.Scene, filepath.Dir(path))
	var shown *counter
	err = s.store.Make(ctx, c, 0, func(done int) {
		if shown == nil {
			what := "making " + c.Name + ", step"
			if done > 0 {
				what = fmt.Sprintf("making %s from step %d on, step", c.Name, done)
			}
			shown = newCounter(s.t, what, c.Step-done)
		}
		if shown.done < shown.total {
			shown.next()
		}
	})
	if shown != nil {
		shown.close()
	}
	if ctx.Err() != nil {
		return &interruptedError{fmt.Errorf("stopped while making the state of %s; the same command goes on", c.Name)}
	}
	if err != nil {
		return err
	}
	s.t.emit(wroteEvent{"wrote", path})
	return nil
}

// machine says where the suite is timed, and returns what each number of workers moves between cores and memory
// [bytes/s].
func (s *suite) machine(workers []int) []float64 {
	e := machineEvent{"machine", runtime.NumCPU(), runtime.GOMAXPROCS(0), cache.ThisBuild(), nil}
	bandwidth := bench.Bandwidth(workers)
	var said []string
	for i, bytes := range bandwidth {
		e.Bandwidth = append(e.Bandwidth, flow{workers[i], bytes})
		said = append(said, fmt.Sprintf("%s/s with %s", bytesize(bytes), words.Count(workers[i], "worker")))
	}
	runtime.GC() // its arrays
	s.t.emit(e)
	revision := e.Build.Version
	if e.Build.Revision != "" {
		revision += " " + e.Build.Revision[:min(12, len(e.Build.Revision))]
	}
	s.t.say("%s, GOMAXPROCS %d, %s %s %s, toile %s", words.Count(e.Cores, "core"), e.Procs, e.Build.Go, e.Build.Arch, e.Build.Level, revision)
	s.t.say("memory moves %s", strings.Join(said, ", "))
	return bandwidth
}

// measure takes all measurements in turn.
func (s *suite) measure(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	total := s.f.suite.repeats * len(s.rows)
	shown := newCounter(s.t, "measurement", total)
	defer shown.close()
	for repeat := range s.f.suite.repeats {
		for i := range s.rows {
			r := &s.rows[i]
			shown.next()
			s.pair(ctx, self, r, repeat)
			if ctx.Err() != nil {
				return &interruptedError{errors.New("stopped; what was measured is above")}
			}
		}
	}
	return nil
}

// pair measures a row with this build and the other, if there is one. Who goes first changes from repeat to repeat, so
// that neither gains from it.
func (s *suite) pair(ctx context.Context, self string, r *suiteRow, repeat int) {
	ours := func() { r.new = append(r.new, s.child(ctx, self, "new", r, repeat)) }
	theirs := func() { r.old = append(r.old, s.child(ctx, s.f.suite.against, "old", r, repeat)) }
	switch {
	case s.f.suite.against == "":
		ours()
	case repeat%2 == 0:
		ours()
		theirs()
	default:
		theirs()
		ours()
	}
}

// child takes one measurement in a process of its own; nil if it failed, which is said.
func (s *suite) child(ctx context.Context, program, build string, r *suiteRow, repeat int) *bench.Result {
	if ctx.Err() != nil {
		return nil
	}
	args := []string{
		"toile", "bench", "--json", "--one", filepath.Dir(r.state), "--state", r.state, "--workers", fmt.Sprint(r.workers),
		"--warmup", fmt.Sprint(s.f.warmup), "--steps", fmt.Sprint(r.steps),
	}
	if path := s.f.suite.profile; path != "" && repeat == 0 {
		args = append(args, "--cpuprofile", s.profileOf(path, build, r))
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Args = args
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil
	}
	var result bench.Result
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &result)
	}
	if err != nil {
		s.faults++
		said := strings.TrimSpace(log.String())
		s.t.note("%s with %s, %s build: %v: %s", r.name, words.Count(r.workers, "worker"), build, err, said)
		return nil
	}
	s.t.emit(measuredEvent{"measured", r.name, build, repeat + 1, &result})
	return &result
}

// profileOf returns where the profile of a row goes: the file that was asked for if there is one row only, and else one
// beside it that is named by the row.
func (s *suite) profileOf(path, build string, r *suiteRow) string {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	if len(s.rows) > 1 {
		stem += "-" + r.name
	}
	if len(s.f.workers) > 1 {
		stem += fmt.Sprintf("-%d", r.workers)
	}
	if build == "old" {
		stem += "-old"
	}
	return stem + ext
}

// usable returns the measurements that succeeded.
func usable(results []*bench.Result) []*bench.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r *bench.Result) bool { return r == nil })
}

// middle returns the median of a quantity over repeats.
func middle(results []*bench.Result, of func(*bench.Result) float64) float64 {
	if len(results) == 0 {
		return math.NaN()
	}
	var values []float64
	for _, r := range results {
		values = append(values, of(r))
	}
	return bench.Median(values)
}

func inTime(s float64) string {
	if math.IsNaN(s) {
		return "unknown"
	}
	return seconds(s)
}

// report prints what was measured.
func (s *suite) report() {
	s.times()
	s.work()
	if s.f.suite.against != "" {
		s.compare()
	}
}

// short is how many digits of a hash tables show.
const short = 8

func (s *suite) times() {
	rows := &table{right: append([]bool{false}, slices.Repeat([]bool{true}, 17)...)}
	rows.add("case", "cores", "steps", "CPU", "mean", "p99", "wall", "mean", "p99", "remesh", "detect", "assemble", "solve",
		"guard", "other", "heap", "from system", "allocations", "state")
	for i := range s.rows {
		row := &s.rows[i]
		all := usable(row.new)
		if len(all) == 0 {
			continue
		}
		of := func(f func(r *bench.Result) bench.Real) string {
			return inTime(middle(all, func(r *bench.Result) float64 { return float64(f(r)) }))
		}
		phase := func(f func(p *bench.Phases) float64) string {
			return inTime(middle(all, func(r *bench.Result) float64 { return f(&r.Phases) }))
		}
		memory := func(f func(r *bench.Result) uint64) string {
			return bytesize(middle(all, func(r *bench.Result) float64 { return float64(f(r)) }))
		}
		rows.add(row.name, fmt.Sprint(row.workers), fmt.Sprint(all[0].Steps),
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
			fmt.Sprintf("%.0f", middle(all, func(r *bench.Result) float64 { return float64(r.Allocs) })),
			all[0].Hash[:short])
	}
	s.t.say("%s: medians, means and the 99th percentile of a step; phases are means on the wall", s.t.paint(bold, "Times"))
	s.say(rows)
}

// work prints what the steps did, which is the same with any number of workers.
func (s *suite) work() {
	rows := &table{right: append([]bool{false}, slices.Repeat([]bool{true}, 12)...)}
	rows.add("case", "vertices", "contacts", "most", "rounds", "sweeps", "Newton", "linear", "worst residual", "converged",
		"halved", "crossings")
	for i := range s.rows {
		all := usable(s.rows[i].new)
		if len(all) == 0 || i > 0 && s.rows[i-1].name == s.rows[i].name {
			continue
		}
		r := all[0]
		rows.add(s.rows[i].name, words.Thousands(r.Vertices), words.Thousands(int(math.Round(r.Contacts))),
			words.Thousands(r.MostContacts), fmt.Sprintf("%.1f", r.Rounds), fmt.Sprintf("%.1f", r.Sweeps),
			fmt.Sprintf("%.1f", r.Newton), fmt.Sprintf("%.0f", r.Linear), fmt.Sprintf("%.1e", float64(r.Residual)),
			percent(r.Converged), fmt.Sprint(r.Halved), fmt.Sprint(r.Crossings))
	}
	s.t.say("%s: means of a step", s.t.paint(bold, "Work"))
	s.say(rows)
}

// compare prints old and new side by side.
func (s *suite) compare() {
	rows := &table{right: append([]bool{false}, slices.Repeat([]bool{true}, 6)...)}
	rows.add("case", "cores", "old", "new", "new/old", "least", "most", "hashes")
	logs := map[int][]float64{}
	var every []float64
	for i := range s.rows {
		row := &s.rows[i]
		e := row.compare()
		if e == nil {
			continue
		}
		s.t.emit(e)
		logs[row.workers] = append(logs[row.workers], math.Log(float64(e.Ratio)))
		every = append(every, math.Log(float64(e.Ratio)))
		agree := "equal"
		if !e.Same {
			agree = "differ"
		}
		rows.add(e.Case, fmt.Sprint(e.Workers), inTime(float64(e.Old)), inTime(float64(e.New)), fmt.Sprintf("%.3f", e.Ratio),
			fmt.Sprintf("%.3f", e.Least), fmt.Sprintf("%.3f", e.Most), agree)
	}
	s.t.say("%s: CPU time of a step, mean over the steps, median over repeats", s.t.paint(bold, "Against "+s.f.suite.against))
	s.say(rows)
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
	s.t.emit(geomeanEvent{"geomean", workers, len(logs), bench.Real(ratio)})
	with := ""
	if workers > 0 {
		with = " with " + words.Count(workers, "worker")
	}
	s.t.say("  geometric mean of new/old over %s%s: %.3f", words.Count(len(logs), "row"), with, ratio)
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
		"against", r.name, r.workers, bench.Real(middle(usable(r.old), cost)), bench.Real(middle(usable(r.new), cost)),
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
					return fmt.Errorf("%s build: the number of workers or a repeat changed the result: states %s and %s", key, was, r.Hash)
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
