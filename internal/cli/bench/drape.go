package bench

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
)

// ballDrape returns the scene of a square sheet above a ball.
func ballDrape(sets []string) (*scenefile.Scene, error) {
	return scenefile.Parse("drape.yaml", []byte(bench.BallDrape()), nil, sets)
}

// tiledDrape returns the scene of a sheet of n x n patches that starts on as many balls.
func tiledDrape(n int, sets []string) (*scenefile.Scene, error) {
	return scenefile.Parse("tiles.yaml", []byte(bench.TiledDrape(n)), nil, sets)
}

// contactTiming sums up steps with contacts. Times are means [s].
type contactTiming struct {
	Event        string   `json:"event"`
	Scene        string   `json:"scene"`
	Vertices     int      `json:"vertices"`
	Workers      int      `json:"workers"`
	Steps        int      `json:"steps"`
	Step         float64  `json:"step"` // on the wall
	P99          float64  `json:"p99"`  // of it
	CPU          cli.Real `json:"cpu"`  // of all cores together, null where unknown
	Pose         float64  `json:"pose"`
	Detect       float64  `json:"detect"`
	Assemble     float64  `json:"assemble"`
	Solve        float64  `json:"solve"`
	Integrate    float64  `json:"integrate"`
	Check        float64  `json:"check"`
	Contacts     float64  `json:"contacts"` // mean
	MostContacts int      `json:"most_contacts"`
	Rounds       float64  `json:"rounds"` // means
	Sweeps       float64  `json:"sweeps"`
	MostSweeps   int      `json:"most_sweeps"`
	Newton       float64  `json:"newton"` // of the contact solver
	Linear       float64  `json:"linear"`
	Residual     cli.Real `json:"residual"`  // the largest [m/s]
	Converged    float64  `json:"converged"` // share of steps
	Unconverged  int      `json:"unconverged"`
	Infeasible   int      `json:"infeasible"` // steps with contacts that contradict others
	Crossings    int      `json:"crossings"`  // the most in a step
	Allocs       uint64   `json:"allocs"`     // median
	Hash         string   `json:"hash"`
}

func (p *played) contactTiming(name string, workers int) *contactTiming {
	// means over the steps, and the most of some
	b := &contactTiming{
		Event:        "contact",
		Scene:        name,
		Vertices:     p.stats[0].Vertices,
		Workers:      cli.WorkersUsed(workers),
		Steps:        len(p.stats),
		Step:         mean(p.took, inSeconds),
		CPU:          cli.Real(math.NaN()),
		Pose:         mean(p.stats, func(s *engine.Stats) float64 { return s.Laps.Pose.Seconds() }),
		Detect:       mean(p.stats, func(s *engine.Stats) float64 { return s.Laps.Detect.Seconds() }),
		Assemble:     mean(p.stats, func(s *engine.Stats) float64 { return s.Laps.Assemble.Seconds() }),
		Solve:        mean(p.stats, func(s *engine.Stats) float64 { return s.Laps.Solve.Seconds() }),
		Integrate:    mean(p.stats, func(s *engine.Stats) float64 { return s.Laps.Integrate.Seconds() }),
		Check:        mean(p.stats, func(s *engine.Stats) float64 { return (s.Laps.Guard + s.Laps.Check).Seconds() }),
		Contacts:     mean(p.stats, func(s *engine.Stats) float64 { return float64(s.Contacts) }),
		MostContacts: most(p.stats, func(s *engine.Stats) int { return s.Contacts }),
		Rounds:       mean(p.stats, func(s *engine.Stats) float64 { return float64(s.Rounds) }),
		Sweeps:       mean(p.stats, func(s *engine.Stats) float64 { return float64(s.Sweeps) }),
		MostSweeps:   most(p.stats, func(s *engine.Stats) int { return s.Sweeps }),
		Newton:       mean(p.stats, func(s *engine.Stats) float64 { return float64(s.ContactNewton) }),
		Linear:       mean(p.stats, func(s *engine.Stats) float64 { return float64(s.Linear) }),
		Crossings:    most(p.stats, func(s *engine.Stats) int { return s.Crossings }),
		Allocs:       median(p.allocs, func(n *uint64) uint64 { return *n }),
		Hash:         p.hash.String(),
	}
	// CPU time, where it was measured
	if p.cpu != nil {
		b.CPU = cli.Real(mean(p.cpu, inSeconds))
	}
	// 99th percentile of a step
	sorted := slices.Sorted(slices.Values(p.took))
	b.P99 = sorted[(len(sorted)-1)*99/100].Seconds()
	// worst residual, and steps that did not converge or have conflicts
	for i := range p.stats {
		s := &p.stats[i]
		b.Residual = max(b.Residual, cli.Real(s.Residual))
		if !s.Converged && !s.Contradicted {
			b.Unconverged++
		}
		if s.Infeasible > 0 {
			b.Infeasible++
		}
	}
	b.Converged = 1 - float64(b.Unconverged)/float64(b.Steps)
	return b
}

// times and work are the two tables of contactTiming.
func (b *contactTiming) times() []string {
	return []string{
		fmt.Sprint(
			b.Workers,
		),
		words.Thousands(b.Vertices),
		words.Seconds(b.Step),
		words.Seconds(b.P99),
		words.Seconds(float64(b.CPU)),
		words.Seconds(b.Pose),
		words.Seconds(b.Detect),
		words.Seconds(b.Assemble),
		words.Seconds(b.Solve),
		words.Seconds(b.Integrate),
		words.Seconds(b.Check),
		fmt.Sprint(b.Allocs),
		b.Hash,
	}
}

func (b *contactTiming) work() []string {
	return []string{
		fmt.Sprint(
			b.Workers,
		),
		words.Thousands(b.Vertices),
		words.Thousands(int(math.Round(b.Contacts))),
		words.Thousands(b.MostContacts),
		fmt.Sprintf("%.1f", b.Rounds),
		fmt.Sprintf(
			"%.1f",
			b.Sweeps,
		),
		words.Thousands(b.MostSweeps),
		fmt.Sprintf("%.1f", b.Newton),
		fmt.Sprintf("%.0f", b.Linear),
		fmt.Sprintf("%.1e", float64(b.Residual)),
		words.Percent(b.Converged),
		words.Thousands(b.Crossings),
	}
}

// sayContacts prints timings: times first, then what was done in them.
func sayContacts(t *cli.Term, timings []*contactTiming) {
	if len(timings) == 0 {
		return
	}
	// times by phase
	times := &cli.Table{Right: slices.Repeat([]bool{true}, 12)}
	times.Add(
		"cores",
		"vertices",
		"step",
		"p99",
		"CPU",
		"pose",
		"detect",
		"assemble",
		"solve",
		"integrate",
		"check",
		"allocations",
		"state",
	)
	// what contact had to do
	work := &cli.Table{Right: slices.Repeat([]bool{true}, 12)}
	work.Add(
		"cores",
		"vertices",
		"contacts",
		"most",
		"rounds",
		"sweeps",
		"most",
		"Newton",
		"linear",
		"worst residual",
		"converged",
		"crossings",
	)
	// a row of both for each timing
	for _, b := range timings {
		times.Add(b.times()...)
		work.Add(b.work()...)
	}
	// both tables, their heads dimmed
	for _, rows := range []*cli.Table{times, work} {
		for i, line := range rows.Lines() {
			if i == 0 {
				line = t.Paint(cli.Dim, line)
			}
			t.Say("  %s", line)
		}
	}
}

// benchDrape times the drape of a ball with every number of workers.
func benchDrape(ctx context.Context, t *cli.Term, f *benchFlags) error {
	s, err := ballDrape(f.sets)
	if err != nil {
		return cli.BadInput(err)
	}
	t.Say(
		"%s: %s after %d that are not timed; means", t.Paint(cli.Bold, s.Title()), words.Count(f.steps, "step"),
		f.warmup,
	)
	var timings []*contactTiming
	var hashes []string
	for _, workers := range f.workers {
		b, err := timeContact(ctx, t, s, workers, f)
		if b != nil {
			timings = append(timings, b)
		}
		if err != nil {
			sayContacts(t, timings)
			return err
		}
		hashes = append(hashes, b.Hash)
	}
	sayContacts(t, timings)
	return sameHashes(hashes)
}

// timeContact times steps of a scene. If it is interrupted, it returns what it has of them, if anything, with the
// error.
func timeContact(
	ctx context.Context, t *cli.Term, s *scenefile.Scene, workers int, f *benchFlags,
) (*contactTiming, error) {
	busy := cli.NewSpinner(t, fmt.Sprintf("%s, %s", s.Title(), words.Count(cli.WorkersUsed(workers), "core")))
	p, err := playSteps(ctx, s, workers, f.warmup, f.steps)
	busy.Close()
	if p == nil || len(p.stats) == 0 {
		return nil, err
	}
	b := p.contactTiming(s.Title(), workers)
	t.Emit(b)
	return b, err
}

// tilesEvent is how the time of contact grows: exponents p of time ~ vertices^p.
type tilesEvent struct {
	Event    string   `json:"event"`
	Workers  int      `json:"workers"`
	Step     cli.Real `json:"step"`
	CPU      cli.Real `json:"cpu"`
	Detect   cli.Real `json:"detect"`
	Assemble cli.Real `json:"assemble"`
	Solve    cli.Real `json:"solve"`
}

// benchTiles measures how the time of contact grows with the size of a sheet.
func benchTiles(ctx context.Context, t *cli.Term, f *benchFlags) error {
	// at least two sizes, none too large
	if len(f.tiles) < 2 {
		return cli.BadUsage("--tiles: write at least two numbers of patches along a side, such as 1,2,4")
	}
	for _, n := range f.tiles {
		if n < 1 || n > 40 {
			return cli.BadUsage("--tiles %d: write numbers from 1 to 40", n)
		}
	}
	// each number of workers has exponents of its own
	for _, workers := range f.workers {
		t.Say(
			"%s, %s after %d that are not timed; means",
			t.Paint(cli.Bold, "patches of 2,500 vertices on balls"),
			words.Count(f.steps, "step"),
			f.warmup,
		)
		// times of all sizes; if one fails, those before it are told
		var timings []*contactTiming
		for _, n := range f.tiles {
			s, err := tiledDrape(n, f.sets)
			if err != nil {
				return cli.BadInput(err)
			}
			b, err := timeContact(ctx, t, s, workers, f)
			if b != nil {
				timings = append(timings, b)
			}
			if err != nil {
				sayContacts(t, timings)
				return err
			}
		}
		sayContacts(t, timings)
		// exponents p of time ~ vertices^p
		grows := func(of func(*contactTiming) float64) float64 {
			var x, y []float64
			for _, b := range timings {
				x, y = append(x, float64(b.Vertices)), append(y, of(b))
			}
			return exponent(x, y)
		}
		step, detect := grows(
			func(b *contactTiming) float64 { return b.Step },
		), grows(
			func(b *contactTiming) float64 { return b.Detect },
		)
		assemble, solve := grows(
			func(b *contactTiming) float64 { return b.Assemble },
		), grows(
			func(b *contactTiming) float64 { return b.Solve },
		)
		cpu := grows(func(b *contactTiming) float64 { return float64(b.CPU) })
		// for programs and for people
		t.Emit(
			tilesEvent{
				"tiles", cli.WorkersUsed(workers), cli.Real(step), cli.Real(cpu), cli.Real(detect), cli.Real(assemble),
				cli.Real(solve),
			},
		)
		t.Say(
			"  detection ~ vertices^%.2f, solve ~ vertices^%.2f, assembly ~ vertices^%.2f, step ~ vertices^%.2f, "+
				"its CPU ~ vertices^%.2f",
			detect,
			solve,
			assemble,
			step,
			cpu,
		)
	}
	return nil
}
