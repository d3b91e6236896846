package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/runfolder"
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
	flags.StringSliceVar(
		&f.cases, "cases", nil, "with --suite or --kernels, only cases whose `names` begin with one of these",
	)
	flags.IntVar(
		&f.repeats, "repeats", 1,
		"with --suite or --kernels, how many `times` every measurement is taken, in turn; 6 with --kernels",
	)
	flags.StringVar(
		&f.cache, "cache", "",
		"with --suite or --kernels, the `folder` of states (default: toile/bench among the user's caches)",
	)
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
func timeOne(ctx context.Context, t *cli.Term, f *benchFlags) error {
	r, err := bench.Time(ctx, &bench.Order{
		Folder: f.suite.one, State: f.suite.state, Workers: f.workers[0], Warmup: f.warmup, Steps: f.steps,
		Profile: f.suite.profile,
	})
	if ctx.Err() != nil {
		return cli.Interrupted(errors.New("stopped"))
	}
	if err != nil {
		return cli.BadInput(err)
	}
	t.Emit(r)
	return nil
}

// machineEvent is where a suite was timed.
type machineEvent struct {
	Event     string          `json:"event"`
	Cores     int             `json:"cores"`
	Procs     int             `json:"gomaxprocs"`
	Build     runfolder.Build `json:"build"`
	Bandwidth []flow          `json:"bandwidth"`
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

// geomeanEvent is the geometric mean of the ratios of all cases.
type geomeanEvent struct {
	Event   string     `json:"event"`
	Workers int        `json:"workers"` // 0 is all
	Cases   int        `json:"cases"`
	Ratio   bench.Real `json:"ratio"`
}

// suite is a run of the suite.
type suite struct {
	t      *cli.Term
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

func benchSuite(ctx context.Context, t *cli.Term, f *benchFlags) error {
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
	// what the user named wrongly
	if f.repeats < 1 {
		return cli.BadUsage("--repeats %d: write how many, at least 1", f.repeats)
	}
	if slices.Contains(s.f.workers, 0) {
		return cli.BadUsage("--workers 0: cases want numbers, such as 1,2")
	}
	// another toile, found from any folder
	if f.against != "" {
		path, err := exec.LookPath(f.against)
		if err != nil {
			return cli.BadUsage("--against %s: %v", f.against, err)
		}
		if f.against, err = filepath.Abs(path); err != nil {
			return cli.BadInput(err)
		}
	}
	// folder of states
	dir := f.cache
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return cli.BadUsage("there is no folder for caches (%v); name one with --cache", err)
		}
		dir = filepath.Join(caches, "toile", "bench")
	}
	s.store = &bench.Store{Dir: dir, Every: 20 * time.Second, Dressing: cli.TellDressing(s.t)}
	// cases that were asked for
	var err error
	if s.cases, err = bench.Select(f.cases); err != nil {
		return cli.BadUsage("--cases: %v", err)
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
	rows := &cli.Table{Right: []bool{false, true, true}}
	rows.Add("case", "step", "timed", "state", "what")
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
		s.t.Emit(suiteCaseEvent{"case", c.Name, c.About, c.Step, c.Timed, path, made})
		rows.Add(c.Name, fmt.Sprint(c.Step), fmt.Sprint(c.Timed), state, c.About)
	}
	s.say(rows)
	return nil
}

// make makes the states that are missing. Of one scene the last goes first: the others are on its way.
func (s *suite) make(ctx context.Context) error {
	// the latest state of a scene first; those before it are made on its way
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
	// a row for each case and number of workers
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
	// nothing to do if it is made
	path, made, err := s.store.State(c)
	if err != nil || made {
		return err
	}
	s.t.Note(
		"Making the state of %s: %s of %q. It is kept in %s.", c.Name, words.Count(c.Step, "step"), c.Scene,
		filepath.Dir(path),
	)
	// a counter, which opens when it is known from where it goes on
	var shown *cli.Counter
	err = s.store.Make(ctx, c, 0, func(done int) {
		if shown == nil {
			what := "making " + c.Name + ", step"
			if done > 0 {
				what = fmt.Sprintf("making %s from step %d on, step", c.Name, done)
			}
			shown = cli.NewCounter(s.t, what, c.Step-done)
		}
		if shown.More() {
			shown.Next()
		}
	})
	if shown != nil {
		shown.Close()
	}
	// interrupted, failed or made
	if ctx.Err() != nil {
		return cli.Interrupted(fmt.Errorf("stopped while making the state of %s; the same command goes on", c.Name))
	}
	if err != nil {
		return err
	}
	s.t.Wrote(path)
	return nil
}

// machine says where the suite is timed, and returns what each number of workers moves between cores and memory
// [bytes/s].
func (s *suite) machine(workers []int) []float64 {
	e := machineEvent{"machine", runtime.NumCPU(), runtime.GOMAXPROCS(0), runfolder.ThisBuild(), nil}
	bandwidth := bench.Bandwidth(workers)
	var said []string
	for i, bytes := range bandwidth {
		e.Bandwidth = append(e.Bandwidth, flow{workers[i], bytes})
		said = append(said, fmt.Sprintf("%s/s with %s", words.Bytes(bytes), words.Count(workers[i], "worker")))
	}
	runtime.GC() // its arrays
	s.t.Emit(e)
	revision := e.Build.Version
	if e.Build.Revision != "" {
		revision += " " + e.Build.Revision[:min(12, len(e.Build.Revision))]
	}
	s.t.Say(
		"%s, GOMAXPROCS %d, %s %s %s, toile %s", words.Count(e.Cores, "core"), e.Procs, e.Build.Go, e.Build.Arch,
		e.Build.Level, revision,
	)
	s.t.Say("memory moves %s", strings.Join(said, ", "))
	return bandwidth
}

// measure takes all measurements in turn.
func (s *suite) measure(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	total := s.f.suite.repeats * len(s.rows)
	shown := cli.NewCounter(s.t, "measurement", total)
	defer shown.Close()
	for repeat := range s.f.suite.repeats {
		for i := range s.rows {
			r := &s.rows[i]
			shown.Next()
			s.pair(ctx, self, r, repeat)
			if ctx.Err() != nil {
				return cli.Interrupted(errors.New("stopped; what was measured is above"))
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
	// a toile of its own that measures one row
	args := []string{
		"toile", "bench", "--json", "--one", filepath.Dir(r.state), "--state", r.state, "--workers",
		fmt.Sprint(r.workers),
		"--warmup", fmt.Sprint(s.f.warmup), "--steps", fmt.Sprint(r.steps),
	}
	// profile of the first repeat alone
	if path := s.f.suite.profile; path != "" && repeat == 0 {
		args = append(args, "--cpuprofile", s.profileOf(path, build, r))
	}
	// what it measured
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
	// a fault is told, and the others go on
	if err != nil {
		s.faults++
		said := strings.TrimSpace(log.String())
		s.t.Note("%s with %s, %s build: %v: %s", r.name, words.Count(r.workers, "worker"), build, err, said)
		return nil
	}
	s.t.Emit(measuredEvent{"measured", r.name, build, repeat + 1, &result})
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

// short is how many digits of a hash tables show.
const short = 8
