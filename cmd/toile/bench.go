package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/run"
	"github.com/toile-sim/toile/scene"
)

// benchFlags are the flags of toile bench.
type benchFlags struct {
	sets    []string
	steps   int
	warmup  int
	workers []int
	grow    bool
	sizes   []int
}

func newBenchCommand(t *term) *cobra.Command {
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
and print the exponent p of time ~ vertices^p.`,
		Example: `  toile bench
  toile bench scene.yaml --steps 50 --workers 1,2,8
  toile bench --grow`,
		RunE: func(cmd *cobra.Command, args []string) error { return bench(cmd.Context(), t, args, &f) },

		ValidArgsFunction: complete(cobra.ShellCompDirectiveFilterFileExt, sceneEndings...),
	}
	cmd.Flags().StringArrayVarP(&f.sets, "set", "s", nil, "replace a value of the scenes: `path=value`; may be repeated")
	cmd.Flags().IntVarP(&f.steps, "steps", "n", 0, "`steps` to time (default 100, or 10 with --grow)")
	cmd.Flags().IntVar(&f.warmup, "warmup", 20, "`steps` before that are not timed")
	cmd.Flags().IntSliceVarP(&f.workers, "workers", "w", []int{0}, "`cores` to use, one or more numbers with commas; 0 means all")
	cmd.Flags().BoolVar(&f.grow, "grow", false, "measure how time grows with size")
	cmd.Flags().IntSliceVar(&f.sizes, "sizes", []int{5_000, 20_000, 80_000, 320_000}, "with --grow, about how many `vertices`")
	addJSON(cmd, t)
	return cmd
}

func bench(ctx context.Context, t *term, paths []string, f *benchFlags) error {
	if f.steps == 0 {
		f.steps = 100
		if f.grow {
			f.steps = 10
		}
	}
	if f.steps < 1 || f.warmup < 0 {
		return badUsage("--steps %d, --warmup %d: write how many, at least 1 and 0", f.steps, f.warmup)
	}
	for _, n := range f.workers {
		if err := checkWorkers(n); err != nil {
			return err
		}
	}
	ctx, stop := untilInterrupt(ctx, func() {})
	defer stop()
	if f.grow {
		if len(paths) > 0 {
			return badUsage("--grow measures sheets of its own; leave out %s", paths[0])
		}
		return benchGrowth(ctx, t, f)
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

func benchScenes(paths, sets []string) ([]*scene.Scene, error) {
	if len(paths) == 0 {
		s, err := hangingSheet(1, 141, sets)
		return []*scene.Scene{s}, badInput(err)
	}
	scenes := make([]*scene.Scene, len(paths))
	for i, path := range paths {
		var err error
		if scenes[i], err = loadScene(path, sets); err != nil {
			return nil, err
		}
	}
	return scenes, nil
}

// hangingSheet returns the scene of a square sheet that hangs from two corners.
func hangingSheet(size float64, cells int, sets []string) (*scene.Scene, error) {
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
	return scene.Parse("sheet.yaml", []byte(text), nil, sets)
}

// timing is what a few steps of a world took.
type timing struct {
	vertices, workers, steps int

	step    time.Duration // median of whole steps
	fastest time.Duration // of them; a busy machine disturbs it least
	phases  toile.Laps    // medians by phase
	linear  int           // median of iterations of the linear solver
	allocs  uint64        // median of allocations; the Go runtime allocates now and then on its own
	hash    toile.Hash    // of the state at the end
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
		"bench", name, b.vertices, b.workers, b.steps, b.step.Seconds(), b.fastest.Seconds(), l.Pose.Seconds(), l.Assemble.Seconds(),
		l.Solve.Seconds(), l.Integrate.Seconds(), l.Check.Seconds(), b.linear, b.allocs, b.hash.String(),
	}
}

// measure times steps of a scene, in its own step size.
func measure(ctx context.Context, s *scene.Scene, workers, warmup, steps int) (*timing, error) {
	job, err := run.FromScene(s, workers)
	if err != nil {
		return nil, badInput(err)
	}
	w, h := job.World, 1/(s.Time.FPS*float64(s.Time.StepsPerFrame()))
	took, stats, allocs := make([]time.Duration, 0, steps), make([]toile.Stats, 0, steps), make([]uint64, 0, steps)
	var before, after runtime.MemStats
	for i := range warmup + steps {
		if ctx.Err() != nil {
			return nil, &interruptedError{fmt.Errorf("stopped after %s", count(i, "step"))}
		}
		runtime.ReadMemStats(&before)
		start := time.Now()
		one, err := w.Step(h)
		if err != nil {
			return nil, err
		}
		spent := time.Since(start)
		runtime.ReadMemStats(&after)
		if i >= warmup {
			took, stats, allocs = append(took, spent), append(stats, one), append(allocs, after.Mallocs-before.Mallocs)
		}
	}
	lap := func(of func(*toile.Stats) time.Duration) time.Duration { return median(stats, of) }
	return &timing{
		vertices: stats[0].Vertices, workers: workersUsed(workers), steps: steps,
		step: median(took, func(d *time.Duration) time.Duration { return *d }), fastest: slices.Min(took),
		phases: toile.Laps{
			Pose:      lap(func(s *toile.Stats) time.Duration { return s.Laps.Pose }),
			Assemble:  lap(func(s *toile.Stats) time.Duration { return s.Laps.Assemble }),
			Solve:     lap(func(s *toile.Stats) time.Duration { return s.Laps.Solve }),
			Integrate: lap(func(s *toile.Stats) time.Duration { return s.Laps.Integrate }),
			Check:     lap(func(s *toile.Stats) time.Duration { return s.Laps.Check }),
		},
		linear: median(stats, func(s *toile.Stats) int { return s.Linear }),
		allocs: median(allocs, func(n *uint64) uint64 { return *n }),
		hash:   w.Snapshot().Hash(),
	}, nil
}

// median returns the middle value of a quantity.
func median[T any, V cmp.Ordered](items []T, of func(*T) V) V {
	values := make([]V, len(items))
	for i := range items {
		values[i] = of(&items[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// benchScene times one scene with every number of workers.
func benchScene(ctx context.Context, t *term, s *scene.Scene, f *benchFlags) error {
	t.say("%s: %s after %d that are not timed; medians", t.paint(bold, s.Title()), count(f.steps, "step"), f.warmup)
	rows := &table{right: []bool{true, true, true, true, true, true, true, true, true, true, true}}
	rows.add("cores", "vertices", "step", "fastest", "pose", "assemble", "solve", "integrate", "check", "iterations", "allocations", "state")
	var hashes []string
	for _, workers := range f.workers {
		busy := newSpinner(t, s.Title())
		b, err := measure(ctx, s, workers, f.warmup, f.steps)
		busy.close()
		if err != nil {
			return err
		}
		t.emit(b.event(s.Title()))
		l := &b.phases
		rows.add(fmt.Sprint(b.workers), thousands(b.vertices), duration(b.step), duration(b.fastest), duration(l.Pose), duration(l.Assemble),
			duration(l.Solve), duration(l.Integrate), duration(l.Check), fmt.Sprint(b.linear), fmt.Sprint(b.allocs), b.hash.String())
		hashes = append(hashes, b.hash.String())
	}
	for i, line := range rows.lines() {
		if i == 0 {
			line = t.paint(dim, line)
		}
		t.say("  %s", line)
	}
	slices.Sort(hashes)
	if hashes = slices.Compact(hashes); len(hashes) > 1 {
		return fmt.Errorf("the number of cores changed the result: states %s", strings.Join(hashes, ", "))
	}
	return nil
}
