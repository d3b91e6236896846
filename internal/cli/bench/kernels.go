package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/words"
)

const (
	kernelRounds = 6
	makeHint     = "toile bench --suite --make --cases "
)

// kernelCases are those whose kernels are timed if nobody says which.
var kernelCases = []string{"drape-200", "cone-crumpled"}

// kernelEvent is what a kernel took. A bound is the time in which its bytes can be moved.
type kernelEvent struct {
	Event    string     `json:"event"`
	Case     string     `json:"case"`
	Workers  int        `json:"workers"`
	Kernel   string     `json:"kernel"`
	Rows     int        `json:"rows"`
	Blocks   int        `json:"blocks"`
	Bytes    int        `json:"bytes"` // moved
	Data     int        `json:"data"`  // bytes of its arrays
	Flops    int        `json:"flops"`
	Repeats  int        `json:"repeats"`
	Best     float64    `json:"best"` // [s]
	Median   float64    `json:"median"`
	CPU      bench.Real `json:"cpu"`             // of all cores together, mean [s]
	Cache    float64    `json:"cache_bandwidth"` // of a triad over as many bytes as data [bytes/s]
	OfMemory float64    `json:"of_memory_bound"` // best over the bound by the bandwidth of memory
	OfCache  float64    `json:"of_cache_bound"`  // and by that of the triad
}

// iterationsEvent is how much of a step its linear iterations are.
type iterationsEvent struct {
	Event     string     `json:"event"`
	Case      string     `json:"case"`
	Workers   int        `json:"workers"`
	Steps     int        `json:"steps"`
	Linear    float64    `json:"linear"`    // iterations of a step
	Iteration bench.Real `json:"iteration"` // CPU time of one [s]
	Step      bench.Real `json:"step"`      // and of a step, means
	Share     bench.Real `json:"share"`
}

func benchKernels(ctx context.Context, t *cli.Term, f *benchFlags) error {
	// without --cases, the usual ones
	asked := len(f.suite.cases) > 0
	if !asked {
		f.suite.cases = kernelCases
	}
	s := &suite{t: t, f: f}
	if err := s.prepare(); err != nil {
		return err
	}
	// states that are made; one that was asked for must be
	var cases []bench.Case
	for i := range s.cases {
		path, made, err := s.store.State(&s.cases[i])
		if err != nil {
			return err
		}
		if !made && asked {
			return cli.BadUsage(
				"the state of %s is not made; make it with %s%s", s.cases[i].Name, makeHint, s.cases[i].Name,
			)
		}
		if made {
			cases, s.states = append(cases, s.cases[i]), append(s.states, path)
		}
	}
	if len(cases) == 0 {
		return cli.BadUsage("no state is made; make one with %s%s", makeHint, kernelCases[0])
	}
	// each case, compared with what memory can move
	memory := s.machine(f.workers)
	for i := range cases {
		err := s.kernels(ctx, &cases[i], s.states[i], memory)
		if ctx.Err() != nil {
			return cli.Interrupted(errors.New("stopped; what was measured is above"))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// kernels times those of a case. memory is the bandwidth for each number of workers [bytes/s].
func (s *suite) kernels(ctx context.Context, c *bench.Case, state string, memory []float64) error {
	// the contact problem of the step to time
	order := bench.Order{Folder: filepath.Dir(state), State: state, Workers: 1, Warmup: s.f.warmup, Steps: c.Timed}
	if s.f.steps > 0 {
		order.Steps = s.f.steps
	}
	p, err := bench.Problem(ctx, &order)
	if err != nil {
		return cli.BadInput(err)
	}
	// its kernels, and the head of the table
	all := bench.Kernels(p)
	s.t.Say("%s: step %d has %s and %s", s.t.Paint(cli.Bold, c.Name), c.Step+1, words.Count(p.A.N, "block"),
		words.Count(p.Set.Len(), "contact"))
	rows := &cli.Table{Right: append([]bool{false}, slices.Repeat([]bool{true}, 10)...)}
	rows.Add(
		"kernel", "cores", "rows", "blocks a row", "moved", "best", "median", "GB/s", "GFlop/s", "of memory bound",
		"of cache bound",
	)
	// times by kernel and number of workers
	watches, err := s.rounds(ctx, c.Name, all)
	if err != nil {
		return err
	}
	iterations := make([]bench.Real, len(s.f.workers))
	// a row for each
	for i := range all {
		for w, workers := range s.f.workers {
			times := watches[i][w].Times()
			e := newKernelEvent(c.Name, workers, &all[i], times, memory[w])
			s.t.Emit(e)
			rows.Add(e.cells()...)
			if e.Kernel == bench.Iteration {
				iterations[w] = times.CPU
			}
		}
	}
	s.say(rows)
	return s.iterations(ctx, c, order, iterations)
}

// rounds goes through all kernels and numbers of workers several times, so that none of them has a bad moment alone.
func (s *suite) rounds(ctx context.Context, name string, all []bench.Kernel) ([][]*bench.KernelWatch, error) {
	watches := make([][]*bench.KernelWatch, len(all))
	for i := range all {
		for _, workers := range s.f.workers {
			watches[i] = append(watches[i], all[i].Watch(workers))
		}
	}
	shown := cli.NewCounter(s.t, name+", round", s.f.suite.repeats)
	defer shown.Close()
	for range s.f.suite.repeats {
		shown.Next()
		for i := range watches {
			for _, w := range watches[i] {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				w.Round()
			}
		}
	}
	return watches, nil
}

func newKernelEvent(name string, workers int, k *bench.Kernel, t *bench.KernelTimes, memory float64) *kernelEvent {
	bytes := float64(k.Bytes)
	return &kernelEvent{
		"kernel", name, workers, k.Name, k.Rows, k.Blocks, k.Bytes, k.Data, k.Flops, t.Repeats, t.Best, t.Median, t.CPU,
		t.Cache,
		t.Best * memory / bytes, t.Best * t.Cache / bytes,
	}
}

func (e *kernelEvent) cells() []string {
	blocks := ""
	if e.Blocks > 0 {
		blocks = fmt.Sprintf("%.1f", float64(e.Blocks)/float64(e.Rows))
	}
	return []string{
		e.Kernel, fmt.Sprint(e.Workers), words.Thousands(e.Rows), blocks, words.Bytes(float64(e.Bytes)),
		words.Seconds(e.Best), words.Seconds(e.Median),
		fmt.Sprintf("%.1f", float64(e.Bytes)/e.Best/1e9), fmt.Sprintf("%.2f", float64(e.Flops)/e.Best/1e9),
		fmt.Sprintf("%.2f", e.OfMemory), fmt.Sprintf("%.2f", e.OfCache),
	}
}

// iterations tells how much of a step its linear iterations are, of which one takes so much CPU time with each number
// of workers.
func (s *suite) iterations(ctx context.Context, c *bench.Case, order bench.Order, each []bench.Real) error {
	for w, workers := range s.f.workers {
		order.Workers = workers
		runtime.GC()
		r, err := bench.Time(ctx, &order)
		if err != nil {
			return err
		}
		share := bench.Real(r.Linear) * each[w] / r.CPU.Mean
		s.t.Emit(iterationsEvent{"iterations", c.Name, workers, r.Steps, r.Linear, each[w], r.CPU.Mean, share})
		s.t.Say("  a step takes %s of CPU with %s; %.0f linear iterations of %s each are %s of that",
			words.Seconds(float64(r.CPU.Mean)), words.Count(workers, "worker"), r.Linear,
			words.Seconds(float64(each[w])),
			words.Share(float64(share), 0))
	}
	return nil
}
