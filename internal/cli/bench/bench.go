// Package bench has the command toile bench and those below it, which time what Toile does.
package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
)

// benchFlags are the flags of toile bench.
type benchFlags struct {
	sets    []string
	steps   int
	warmup  int
	workers []int
	grow    bool
	sizes   []int
	drape   bool
	tiles   []int
	kernels bool
	suite   suiteFlags
}

// Command returns toile bench.
func Command(t *cli.Term) *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench [SCENE...]",
		Short: "Time the steps of a scene by phase, with the hash of the result",
		Long: `Time the steps of scenes, by default of a sheet of 1 m and 20,164 vertices that hangs
from two corners: the median of every phase, allocations, and the hash of the final
state. Several numbers of workers are timed one after the other; their hashes must
be equal.

With --grow, measure how the time of a step grows with the number of vertices, for
a sheet of 1 m that is refined and for one that is enlarged at the same edge length,
and print the exponent p of time ~ vertices^p.

With --drape, time contact: a sheet of 1 m and 6,561 vertices falls on a ball of
0.152 m and drapes it. Times are means over the steps that are timed, on the wall and
of all cores together, with contacts, iterations, residuals and crossings.

With --tiles, measure how the time of detection and of the solve grows: patches of
50 x 50 vertices side by side, as one sheet that starts on as many balls; 1,2,4,8 are
2,500 to 160,000 vertices.

With --suite, time the cases of the suite, each a state of a scene: drapes, crumpled and
folded cloth, garments, stacks, cards, and sheets of up to 160,000 vertices. States are
made at the first time, which takes a while, and kept in a folder. Every measurement is
a process of its own; --repeats takes all of them in turn again, and medians count. With
--against, another toile takes turns with this one on the same states.

With --kernels, time products, triangular solves and factors of the contact problem of
a case, and compare them with the time in which their bytes can be moved: by memory, and
by caches that hold as much.`,
		Example: `  toile bench
  toile bench scene.yaml --steps 50 --workers 1,2,8
  toile bench --grow
  toile bench --drape --steps 500 --workers 1,2
  toile bench --tiles 1,2,4,8 --workers 1
  toile bench --suite --list
  toile bench --suite --cases drape,cards --repeats 5
  toile bench --suite --cases drape --against ../old/toile --repeats 7 --workers 1
  toile bench --kernels --cases drape-200`,
		RunE: func(cmd *cobra.Command, args []string) error { return runBench(cmd.Context(), t, cmd, args, &f) },

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterFileExt, cli.SceneEndings...),
	}
	// scenes, steps and cores
	cmd.Flags().StringArrayVarP(
		&f.sets, "set", "s", nil, "replace a value of the scenes: `path=value`; may be repeated",
	)
	cmd.Flags().IntVarP(
		&f.steps, "steps", "n", 0,
		"`steps` to time (default 100; 10 with --grow, 500 with --drape, 20 with --tiles, "+
			"those of the case with --suite and --kernels)",
	)
	cmd.Flags().IntVar(&f.warmup, "warmup", 20, "`steps` before that are not timed; 2 with --suite and --kernels")
	cmd.Flags().IntSliceVarP(
		&f.workers, "workers", "w", []int{0},
		"`cores` to use, one or more numbers with commas; 0 means all; 1,2 with --suite and --kernels",
	)
	// what to measure instead of the phases of a scene
	cmd.Flags().BoolVar(&f.grow, "grow", false, "measure how time grows with size")
	cmd.Flags().IntSliceVar(
		&f.sizes, "sizes", []int{5_000, 20_000, 80_000, 320_000}, "with --grow, about how many `vertices`",
	)
	cmd.Flags().BoolVar(&f.drape, "drape", false, "time the drape of a ball")
	cmd.Flags().IntSliceVar(
		&f.tiles, "tiles", nil, "measure how contact grows: `patches` along each side, such as 1,2,4,8",
	)
	cmd.Flags().BoolVar(&f.kernels, "kernels", false, "time the kernels of the contact solver in cases of the suite")
	f.suite.add(cmd)
	cli.AddJSON(cmd, t)
	// measurements that are commands of their own
	cmd.AddCommand(
		newProblemsCommand(t), newBodiesCommand(t), newSolidsCommand(t), newYarnsCommand(t), newBenchDressingCommand(t),
		newEstimatesCommand(t),
	)
	return cmd
}

func runBench(ctx context.Context, t *cli.Term, cmd *cobra.Command, paths []string, f *benchFlags) error {
	var own []string // benchmarks with scenes of their own
	usual := 100
	if f.grow {
		own, usual = append(own, "--grow"), 10
	}
	if f.drape {
		own, usual = append(own, "--drape"), 500
	}
	if f.tiles != nil {
		own, usual = append(own, "--tiles"), 20
	}
	if f.kernels {
		own = append(own, "--kernels")
	}
	if f.suite.on || f.suite.one != "" {
		own = append(own, "--suite")
	} else if name := f.suite.misplaced(cmd, f.kernels); name != "" {
		return cli.BadUsage("--%s belongs to --suite; write both", name)
	}
	if len(own) > 1 {
		return cli.BadUsage("%s are different benchmarks; write one of them", strings.Join(own, " and "))
	}
	cases := f.suite.on || f.kernels // which say how many steps
	if f.steps == 0 && !cases {
		f.steps = usual
	}
	if f.steps < 1 && !cases || f.steps < 0 || f.warmup < 0 {
		return cli.BadUsage("--steps %d, --warmup %d: write how many, at least 1 and 0", f.steps, f.warmup)
	}
	for _, n := range f.workers {
		if err := cli.CheckWorkers(n); err != nil {
			return err
		}
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	if len(own) > 0 && len(paths) > 0 {
		return cli.BadUsage("%s measures sheets of its own; leave out %s", own[0], paths[0])
	}
	if cases && !cmd.Flags().Changed("warmup") {
		f.warmup = bench.Warmup
	}
	if cases && !cmd.Flags().Changed("workers") {
		f.workers = []int{1, 2}
	}
	if f.kernels && !cmd.Flags().Changed("repeats") {
		f.suite.repeats = kernelRounds
	}
	switch {
	case f.suite.one != "":
		return timeOne(ctx, t, f)
	case f.suite.on:
		return benchSuite(ctx, t, f)
	case f.kernels:
		return benchKernels(ctx, t, f)
	case f.grow:
		return benchGrowth(ctx, t, f)
	case f.drape:
		return benchDrape(ctx, t, f)
	case f.tiles != nil:
		return benchTiles(ctx, t, f)
	}
	scenes, err := benchScenes(paths, f.sets)
	if err != nil {
		return err
	}
	for _, s := range scenes {
		if err := benchScene(ctx, t, s, f); err != nil {
			return err
		}
	}
	return nil
}

func benchScenes(paths, sets []string) ([]*scenefile.Scene, error) {
	if len(paths) == 0 {
		s, err := hangingSheet(1, 141, sets)
		return []*scenefile.Scene{s}, cli.BadInput(err)
	}
	scenes := make([]*scenefile.Scene, len(paths))
	for i, path := range paths {
		var err error
		if scenes[i], err = cli.LoadScene(path, sets); err != nil {
			return nil, err
		}
	}
	return scenes, nil
}

// hangingSheet returns the scene of a square sheet that hangs from two corners.
func hangingSheet(size float64, cells int, sets []string) (*scenefile.Scene, error) {
	text := fmt.Sprintf(`toile: 1
name: a sheet of %g m hangs from two corners
time: {end: 1 s, fps: 50, step: 2 ms}
cloths:
  - name: sheet
    shape: {grid: {size: [%g, %g], cells: [%d, %d]}}
    place: {translate: [0, 0, 2]}
    material: cotton-interlock
    pins:
      - {select: {near: [0, %g, 2]}}
      - {select: {near: [%g, %g, 2]}}
`, size, size, size, cells, cells, size, size, size)
	return scenefile.Parse("sheet.yaml", []byte(text), nil, sets)
}

// timing is what a few steps of a world took.
type timing struct {
	vertices, workers, steps int

	step    time.Duration // median of whole steps
	fastest time.Duration // of them; a busy machine disturbs it least
	phases  engine.Laps   // medians by phase
	linear  int           // median of iterations of the linear solver
	allocs  uint64        // median of allocations; the Go runtime allocates now and then on its own
	hash    engine.Hash   // of the state at the end
}

// benchEvent is a timing for programs. Times are medians [s].
type benchEvent struct {
	Event     string  `json:"event"`
	Scene     string  `json:"scene"`
	Vertices  int     `json:"vertices"`
	Workers   int     `json:"workers"`
	Steps     int     `json:"steps"`
	Step      float64 `json:"step"`
	Fastest   float64 `json:"fastest"`
	Pose      float64 `json:"pose"`
	Detect    float64 `json:"detect"`
	Assemble  float64 `json:"assemble"`
	Solve     float64 `json:"solve"`
	Integrate float64 `json:"integrate"`
	Check     float64 `json:"check"`
	Linear    int     `json:"linear"`
	Allocs    uint64  `json:"allocs"`
	Hash      string  `json:"hash"`
}

func (b *timing) event(name string) benchEvent {
	l := &b.phases
	return benchEvent{
		"bench",
		name,
		b.vertices,
		b.workers,
		b.steps,
		b.step.Seconds(),
		b.fastest.Seconds(),
		l.Pose.Seconds(),
		l.Detect.Seconds(),
		l.Assemble.Seconds(),
		l.Solve.Seconds(),
		l.Integrate.Seconds(),
		l.Check.Seconds(),
		b.linear,
		b.allocs,
		b.hash.String(),
	}
}

// played is what a few steps of a world took, step by step.
type played struct {
	stats  []engine.Stats
	took   []time.Duration // on the wall
	cpu    []time.Duration // of all cores together; nil where the system does not tell
	allocs []uint64
	hash   engine.Hash // of the state at the end
}

// playSteps takes steps of a scene, in its own step size. Those before the timed ones warm up. If it is interrupted, it
// returns what there is with the error.
func playSteps(ctx context.Context, s *scenefile.Scene, workers, warmup, steps int) (*played, error) {
	job, err := player.FromScene(s, workers)
	if err != nil {
		return nil, cli.BadInput(err)
	}
	defer func() { _ = job.Close() }() // read only
	if job.World == nil {
		return nil, cli.BadUsage(
			"only scenes of cloths and bodies can be timed like this; toile check times a scene of yarns",
		)
	}
	w, h := job.World, 1/(s.Time.FPS*float64(s.Time.StepsPerFrame()))
	p := &played{}
	var before, after runtime.MemStats
	for i := range warmup + steps {
		if ctx.Err() != nil {
			p.hash = w.Snapshot().Hash()
			return p, cli.Interrupted(fmt.Errorf("stopped after %s", words.Count(i, "step")))
		}
		runtime.ReadMemStats(&before)
		start, cpu := time.Now(), bench.CPUTime()
		one, err := w.Step(h)
		if err != nil {
			return nil, err
		}
		spent, worked := time.Since(start), bench.CPUTime()-cpu
		runtime.ReadMemStats(&after)
		if i < warmup {
			continue
		}
		p.took, p.stats, p.allocs = append(
			p.took,
			spent,
		), append(
			p.stats,
			one,
		), append(
			p.allocs,
			after.Mallocs-before.Mallocs,
		)
		if cpu > 0 {
			p.cpu = append(p.cpu, worked)
		}
	}
	p.hash = w.Snapshot().Hash()
	return p, nil
}

// measure times steps of a scene.
func measure(ctx context.Context, s *scenefile.Scene, workers, warmup, steps int) (*timing, error) {
	p, err := playSteps(ctx, s, workers, warmup, steps)
	if err != nil {
		return nil, err
	}
	lap := func(of func(*engine.Stats) time.Duration) time.Duration { return median(p.stats, of) }
	return &timing{
		vertices: p.stats[0].Vertices, workers: cli.WorkersUsed(workers), steps: steps,
		step: median(p.took, func(d *time.Duration) time.Duration { return *d }), fastest: slices.Min(p.took),
		phases: engine.Laps{
			Pose:      lap(func(s *engine.Stats) time.Duration { return s.Laps.Pose }),
			Detect:    lap(func(s *engine.Stats) time.Duration { return s.Laps.Detect }),
			Assemble:  lap(func(s *engine.Stats) time.Duration { return s.Laps.Assemble }),
			Solve:     lap(func(s *engine.Stats) time.Duration { return s.Laps.Solve }),
			Integrate: lap(func(s *engine.Stats) time.Duration { return s.Laps.Integrate }),
			Check:     lap(func(s *engine.Stats) time.Duration { return s.Laps.Guard + s.Laps.Check }),
		},
		linear: median(p.stats, func(s *engine.Stats) int { return s.Linear }),
		allocs: median(p.allocs, func(n *uint64) uint64 { return *n }),
		hash:   p.hash,
	}, nil
}

// benchScene times one scene with every number of workers.
func benchScene(ctx context.Context, t *cli.Term, s *scenefile.Scene, f *benchFlags) error {
	// what is timed, and the head of the table
	t.Say(
		"%s: %s after %d that are not timed; medians",
		t.Paint(cli.Bold, s.Title()),
		words.Count(f.steps, "step"),
		f.warmup,
	)
	rows := &cli.Table{Right: slices.Repeat([]bool{true}, 12)}
	rows.Add(
		"cores",
		"vertices",
		"step",
		"fastest",
		"pose",
		"detect",
		"assemble",
		"solve",
		"integrate",
		"check",
		"iterations",
		"allocations",
		"state",
	)
	var hashes []string
	// each number of workers in turn, with a row of its own
	for _, workers := range f.workers {
		busy := cli.NewSpinner(t, s.Title())
		b, err := measure(ctx, s, workers, f.warmup, f.steps)
		busy.Close()
		if err != nil {
			return err
		}
		t.Emit(b.event(s.Title()))
		l := &b.phases
		rows.Add(
			fmt.Sprint(b.workers),
			words.Thousands(b.vertices),
			words.Duration(b.step),
			words.Duration(b.fastest),
			words.Duration(l.Pose),
			words.Duration(l.Detect),
			words.Duration(l.Assemble),
			words.Duration(
				l.Solve,
			),
			words.Duration(l.Integrate),
			words.Duration(l.Check),
			fmt.Sprint(b.linear),
			fmt.Sprint(b.allocs),
			b.hash.String(),
		)
		hashes = append(hashes, b.hash.String())
	}
	// the state may not depend on how many worked
	cli.SayTable(t, rows)
	return sameHashes(hashes)
}

// sameHashes fails if the number of cores changed the result.
func sameHashes(hashes []string) error {
	slices.Sort(hashes)
	if hashes = slices.Compact(hashes); len(hashes) > 1 {
		return fmt.Errorf("the number of cores changed the result: states %s", strings.Join(hashes, ", "))
	}
	return nil
}
