package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/engine"
)

// Real is a number of a result. JSON has no infinity and no NaN: they become null, which is read as NaN.
type Real float64

// MarshalJSON writes the number with all its digits.
func (r Real) MarshalJSON() ([]byte, error) {
	if x := float64(r); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return json.Marshal(x)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Real) UnmarshalJSON(data []byte) error {
	x := math.NaN()
	if string(data) != "null" {
		if err := json.Unmarshal(data, &x); err != nil {
			return err
		}
	}
	*r = Real(x)
	return nil
}

// Times are of single steps [s]; null where the system does not tell.
type Times struct {
	Median Real `json:"median"`
	Mean   Real `json:"mean"`
	P99    Real `json:"p99"`
}

// Phases are means of what the parts of a step took on the wall [s].
type Phases struct {
	Remesh    float64 `json:"remesh"`
	Pose      float64 `json:"pose"`
	Detect    float64 `json:"detect"`
	Assemble  float64 `json:"assemble"`
	Solve     float64 `json:"solve"`
	Integrate float64 `json:"integrate"`
	Guard     float64 `json:"guard"`
	Untangle  float64 `json:"untangle"`
	Check     float64 `json:"check"`
	Refused   float64 `json:"refused"`
	Refine    float64 `json:"refine"` // of detect and solve, what came after the first contacts were added
}

// Result is what timed steps took and did.
type Result struct {
	Vertices     int     `json:"vertices"`
	Workers      int     `json:"workers"`
	Steps        int     `json:"steps"`
	Start        string  `json:"start"` // hash of the state
	Hash         string  `json:"hash"`  // and of that at the end
	Wall         Times   `json:"wall"`
	CPU          Times   `json:"cpu"` // of all cores together
	Phases       Phases  `json:"phases"`
	Contacts     float64 `json:"contacts"` // means
	MostContacts int     `json:"most_contacts"`
	Rounds       float64 `json:"rounds"`
	Sweeps       float64 `json:"sweeps"`
	Newton       float64 `json:"newton"` // of the contact solver
	Linear       float64 `json:"linear"`
	Residual     Real    `json:"residual"`  // the largest [m/s]
	Converged    float64 `json:"converged"` // share of steps
	Halved       int     `json:"halved"`    // steps that had to be halved
	Crossings    int     `json:"crossings"` // the most in a step
	Heap         uint64  `json:"heap"`      // the most in use [bytes]
	Sys          uint64  `json:"sys"`       // the most taken from the system [bytes]
	Allocs       uint64  `json:"allocs"`    // median of a step
	AllocBytes   uint64  `json:"alloc_bytes"`
}

// Order is what is to be timed.
type Order struct {
	Folder  string // with the scene
	State   string // file
	Workers int    // 0 means all cores
	Warmup  int
	Steps   int
	Profile string // where a CPU profile of the timed steps goes; may be empty
	// Longest ends the timed steps after the one in which it has passed [wall clock]; 0: there is no limit.
	Longest time.Duration
}

// subject is what is timed.
type subject interface {
	step(w *watch) error // takes one step, which it has the watch clock, and notes what it did
	hash() string
	close()
}

// Time takes the steps of an order.
func Time(ctx context.Context, o *Order) (*Result, error) {
	s, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return o.time(ctx, s)
}

// TimeWorld takes the steps of an order, each of h seconds, in a world at hand.
func TimeWorld(ctx context.Context, w *engine.World, h float64, o *Order) (*Result, error) {
	w.SetWorkers(o.Workers)
	return o.time(ctx, &play{world: w, h: h})
}

func (o *Order) time(ctx context.Context, s subject) (*Result, error) {
	start := s.hash()
	// steps that do not count
	for range o.Warmup {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := s.step(&watch{}); err != nil {
			return nil, err
		}
	}
	// what is measured, with a profile if asked for
	w := watch{result: Result{Workers: o.Workers, Start: start}}
	if w.result.Workers == 0 {
		w.result.Workers = runtime.GOMAXPROCS(0)
	}
	stop, err := Profile(o.Profile)
	if err != nil {
		return nil, err
	}
	// steps that count, unless they take too long
	begun := time.Now()
	for range o.Steps {
		if err = ctx.Err(); err == nil {
			err = s.step(&w)
		}
		if err != nil || o.Longest > 0 && time.Since(begun) > o.Longest {
			break
		}
	}
	// end of the profile, and the state that was reached
	if err := errors.Join(err, stop()); err != nil {
		return nil, err
	}
	w.result.Hash = s.hash()
	return w.finish(), nil
}

// open returns what the folder of an order holds, in the state that it names.
func (o *Order) open(ctx context.Context) (subject, error) {
	if exists(filepath.Join(o.Folder, bodyFile)) {
		return openBody(o)
	}
	p, err := open(ctx, o.Folder, o.Workers, nil)
	if err != nil {
		return nil, err
	}
	state, err := readState(o.State)
	if err != nil {
		p.close()
		return nil, err
	}
	if err := p.world.Restore(state); err != nil {
		p.close()
		return nil, fmt.Errorf("%s: %w", filepath.Base(o.State), err)
	}
	return p, nil
}

// Profile begins a CPU profile, unless path is empty, and returns what ends it.
func Profile(path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		_ = f.Close() // the first error is the one to tell
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

// watch notes what steps take.
type watch struct {
	result     Result
	wall, cpu  []float64 // [s]
	allocs     []uint64
	allocBytes []uint64
	laps       engine.Laps // sums
	converged  int
}

// clock notes what work takes.
func (w *watch) clock(work func() error) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin, worked := time.Now(), CPUTime()
	err := work()
	wall, cpu := time.Since(begin), CPUTime()-worked
	runtime.ReadMemStats(&after)
	r := &w.result
	r.Heap, r.Sys = max(r.Heap, after.HeapInuse), max(r.Sys, after.Sys)
	w.wall = append(w.wall, wall.Seconds())
	if worked > 0 {
		w.cpu = append(w.cpu, cpu.Seconds())
	}
	w.allocs = append(w.allocs, after.Mallocs-before.Mallocs)
	w.allocBytes = append(w.allocBytes, after.TotalAlloc-before.TotalAlloc)
	return err
}

func (p *play) hash() string { return p.world.Snapshot().Hash().String() }

// step takes a step of the world. Where it is halved, all parts together are the step.
func (p *play) step(w *watch) error {
	// all parts of the step, timed together
	r := &w.result
	contacts, parts, converged := 0, 0, true
	err := w.clock(func() error {
		return p.world.Advance(p.h, p.h, func(s engine.Stats) {
			parts++
			contacts = max(contacts, s.Contacts)
			converged = converged && (s.Converged || s.Contradicted)
			r.Vertices = s.Vertices
			r.Rounds += float64(s.Rounds)
			r.Sweeps += float64(s.Sweeps)
			r.Newton += float64(s.ContactNewton)
			r.Linear += float64(s.Linear)
			if !(s.Residual <= float64(r.Residual)) {
				r.Residual = Real(s.Residual)
			}
			r.Crossings = max(r.Crossings, s.Crossings)
			w.add(&s.Laps)
		})
	})
	if err != nil {
		return err
	}
	// the step as a whole
	if parts > 1 {
		r.Halved++
	}
	if converged {
		w.converged++
	}
	r.Contacts += float64(contacts)
	r.MostContacts = max(r.MostContacts, contacts)
	return nil
}

func (w *watch) add(l *engine.Laps) {
	s := &w.laps
	s.Remesh += l.Remesh
	s.Pose += l.Pose
	s.Detect += l.Detect
	s.Assemble += l.Assemble
	s.Solve += l.Solve
	s.Integrate += l.Integrate
	s.Guard += l.Guard
	s.Untangle += l.Untangle
	s.Check += l.Check
	s.Refused += l.Refused
	s.Refine += l.Refine
}

// finish makes means of sums.
func (w *watch) finish() *Result {
	r := &w.result
	r.Steps = len(w.wall)
	n := float64(r.Steps)
	r.Wall, r.CPU = timesOf(w.wall), timesOf(w.cpu)
	for _, sum := range []*float64{&r.Contacts, &r.Rounds, &r.Sweeps, &r.Newton, &r.Linear} {
		*sum /= n
	}
	r.Converged = float64(w.converged) / n
	slices.Sort(w.allocs)
	slices.Sort(w.allocBytes)
	r.Allocs, r.AllocBytes = w.allocs[len(w.allocs)/2], w.allocBytes[len(w.allocBytes)/2]
	l := &w.laps
	share := func(d time.Duration) float64 { return d.Seconds() / n }
	r.Phases = Phases{
		share(l.Remesh), share(l.Pose), share(l.Detect), share(l.Assemble), share(l.Solve), share(l.Integrate),
		share(l.Guard), share(l.Untangle), share(l.Check), share(l.Refused), share(l.Refine),
	}
	return r
}

func timesOf(seconds []float64) Times {
	if len(seconds) == 0 {
		nan := Real(math.NaN())
		return Times{nan, nan, nan}
	}
	sum := 0.0
	for _, s := range seconds {
		sum += s
	}
	sorted := slices.Sorted(slices.Values(seconds))
	return Times{
		Median: Real(Median(sorted)),
		Mean:   Real(sum / float64(len(sorted))),
		P99:    Real(sorted[int(math.Ceil(0.99*float64(len(sorted))))-1]),
	}
}

// Median returns the middle value, or the mean of the two in the middle.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
