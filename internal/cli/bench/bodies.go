package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/dumps"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/words"
)

// bodiesFlags are the flags of toile bench bodies.
type bodiesFlags struct {
	blocks  []int
	covered []int
	piles   []int
	steps   int
	workers int
	longest time.Duration
	profile string
}

func newBodiesCommand(t *cli.Term) *cobra.Command {
	var f bodiesFlags
	cmd := &cobra.Command{
		Use:   "bodies",
		Short: "Measure how the time of a step grows with tets and with rigid bodies",
		Long: `Time steps of a soft block of more and more tets that falls on a floor, of one on which a
cloth falls, and of a pile of more and more rigid cubes in a bin as wide as the pile is
high, while it lands and when it lies. Print times by phase, memory, residuals and
crossings, and the exponents p of time ~ size^p of whole steps and of every phase.`,
		Example: `  toile bench bodies
  toile bench bodies --tets 5000,20000 --covered 5000 --cubes 20,64 --steps 5 --workers 1`,
		Args: cli.NeedArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return benchBodies(cmd.Context(), t, &f) },
	}
	// sizes of blocks and piles
	flags := cmd.Flags()
	flags.IntSliceVar(&f.blocks, "tets", []int{5_000, 20_000, 88_000, 500_000}, "about how many `tets` blocks have")
	flags.IntSliceVar(
		&f.covered, "covered", []int{5_000, 20_000, 88_000}, "about how many `tets` blocks under a cloth have",
	)
	flags.IntSliceVar(&f.piles, "cubes", []int{20, 64, 164, 400, 1000}, "how many `cubes` piles have")
	// how much is timed
	flags.IntVarP(&f.steps, "steps", "n", 20, "`steps` to time")
	flags.DurationVar(&f.longest, "longest", 5*time.Minute, "a `time` after which no more steps of a world are timed")
	flags.StringVar(
		&f.profile, "cpuprofile", "",
		"the beginning of the `names` of files for CPU profiles of the largest block and piles",
	)
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// bodiesEvent is what steps of one size took.
type bodiesEvent struct {
	Event string `json:"event"`
	World string `json:"world"`
	Size  int    `json:"size"` // tets or cubes
	*bench.Result
}

// bodiesGrowth is how times grow: exponents p of time ~ size^p.
type bodiesGrowth struct {
	Event    string   `json:"event"`
	World    string   `json:"world"`
	CPU      cli.Real `json:"cpu"`
	Step     cli.Real `json:"step"`
	Detect   cli.Real `json:"detect"`
	Assemble cli.Real `json:"assemble"`
	Solve    cli.Real `json:"solve"`
	Guard    cli.Real `json:"guard"`
	Check    cli.Real `json:"check"`
	Heap     cli.Real `json:"heap"`
}

// bodyWorld is a world of which there are several sizes.
type bodyWorld struct {
	key    string // in names of files
	name   string
	unit   string
	sizes  []int
	warmup func(size int) int // steps that are not timed
	build  func(size, workers int) (*engine.World, error)
}

const (
	bodyStep     = 2e-3 // [s]
	bodyFriction = 0.5
)

// pileAcross is how many cubes a layer of a pile has along each side: about as many as there are layers.
func pileAcross(cubes int) int { return max(2, int(math.Round(math.Cbrt(float64(cubes))))) }

// pileLands is the step in which half of the layers of a pile have landed: layers are 0.06 m apart, and the lowest is
// 0.05 m above the floor.
func pileLands(cubes int) int {
	layers := math.Ceil(float64(cubes) / float64(pileAcross(cubes)*pileAcross(cubes)))
	return int(math.Sqrt(2*(0.05+0.06*layers/2)/9.81) / bodyStep)
}

func bodyWorlds(f *bodiesFlags) []bodyWorld {
	pile := func(cubes, workers int) (*engine.World, error) {
		return dumps.Pile(cubes, pileAcross(cubes), bodyFriction, workers)
	}
	return []bodyWorld{
		{
			"block", "a soft block falls on a floor", "tet", f.blocks, func(int) int { return 0 },
			func(tets, workers int) (*engine.World, error) {
				return dumps.SoftBlock(tets, bodyFriction, workers)
			},
		},
		{
			"covered", "a soft block falls on a floor, and a cloth on it", "tet", f.covered, func(int) int { return 0 },
			func(tets, workers int) (*engine.World, error) {
				return dumps.CoveredBlock(tets, bodyFriction, workers)
			},
		},
		{"landing", "a pile of rigid cubes lands", "cube", f.piles, pileLands, pile},
		{
			"lying", "a pile of rigid cubes lies", "cube", f.piles, func(cubes int) int { return 2 * pileLands(cubes) },
			pile,
		},
	}
}

func benchBodies(ctx context.Context, t *cli.Term, f *bodiesFlags) error {
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	if f.steps < 1 || f.longest <= 0 {
		return cli.BadUsage("--steps %d, --longest %v: both must be positive", f.steps, f.longest)
	}
	for _, n := range slices.Concat(f.blocks, f.covered, f.piles) {
		if n < 1 || n > 10_000_000 {
			return cli.BadUsage("--tets, --covered and --cubes: write numbers from 1 to 10,000,000, not %d", n)
		}
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	for _, w := range bodyWorlds(f) {
		if err := growBodies(ctx, t, &w, f); err != nil {
			return err
		}
	}
	return nil
}

// growBodies times a world in all its sizes.
func growBodies(ctx context.Context, t *cli.Term, w *bodyWorld, f *bodiesFlags) error {
	rows := &cli.Table{Right: slices.Repeat([]bool{true}, 15)}
	rows.Add(w.unit+"s", "steps", "contacts", "CPU", "step", "p99", "detect", "assemble", "solve", "guard", "check",
		"heap",
		"worst residual", "converged", "crossings")
	var sizes []float64
	var results []*bench.Result
	for i, size := range w.sizes {
		runtime.GC() // what was before
		busy := cli.NewSpinner(t, fmt.Sprintf("%s: %s", w.name, words.Count(size, w.unit)))
		world, err := w.build(size, f.workers)
		if err != nil {
			return err
		}
		order := &bench.Order{Workers: f.workers, Warmup: w.warmup(size), Steps: f.steps, Longest: f.longest}
		if i == len(w.sizes)-1 && f.profile != "" {
			order.Profile = f.profile + "." + w.key
		}
		r, err := bench.TimeWorld(ctx, world, bodyStep, order)
		busy.Close()
		if ctx.Err() != nil {
			return cli.Interrupted(errors.New("stopped"))
		}
		if err != nil {
			return err
		}
		t.Emit(bodiesEvent{"bodies", w.name, size, r})
		sizes, results = append(sizes, float64(size)), append(results, r)
		p := &r.Phases
		rows.Add(words.Thousands(size), fmt.Sprint(r.Steps), words.Thousands(int(math.Round(r.Contacts))),
			words.Seconds(float64(r.CPU.Mean)), words.Seconds(float64(r.Wall.Mean)), words.Seconds(float64(r.Wall.P99)),
			words.Seconds(p.Detect), words.Seconds(p.Assemble), words.Seconds(p.Solve),
			words.Seconds(p.Guard), words.Seconds(p.Check), words.Bytes(float64(r.Heap)),
			fmt.Sprintf("%.1e", float64(r.Residual)),
			words.Percent(r.Converged), fmt.Sprint(r.Crossings))
	}
	t.Say("%s; means of a step, %s", t.Paint(cli.Bold, w.name), words.Count(cli.WorkersUsed(f.workers), "core"))
	cli.SayTable(t, rows)
	if len(sizes) > 1 {
		sayExponents(t, w, sizes, results)
	}
	return nil
}

func sayExponents(t *cli.Term, w *bodyWorld, sizes []float64, results []*bench.Result) {
	grows := func(of func(*bench.Result) float64) cli.Real {
		var y []float64
		for _, r := range results {
			y = append(y, of(r))
		}
		return cli.Real(exponent(sizes, y))
	}
	e := bodiesGrowth{
		"bodies_growth", w.name,
		grows(func(r *bench.Result) float64 { return float64(r.CPU.Mean) }),
		grows(func(r *bench.Result) float64 { return float64(r.Wall.Mean) }),
		grows(func(r *bench.Result) float64 { return r.Phases.Detect }),
		grows(func(r *bench.Result) float64 { return r.Phases.Assemble }),
		grows(func(r *bench.Result) float64 { return r.Phases.Solve }),
		grows(func(r *bench.Result) float64 { return r.Phases.Guard }),
		grows(func(r *bench.Result) float64 { return r.Phases.Check }),
		grows(func(r *bench.Result) float64 { return float64(r.Heap) }),
	}
	t.Emit(e)
	t.Say("  time of a step ~ %ss^%.2f, its CPU %.2f: detect %.2f, assemble %.2f, solve %.2f, guard %.2f, check %.2f; "+
		"heap %.2f",
		w.unit, e.Step, e.CPU, e.Detect, e.Assemble, e.Solve, e.Guard, e.Check, e.Heap)
}
