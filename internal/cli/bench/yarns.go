package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/knits"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// yarnsFlags are the flags of toile bench yarns.
type yarnsFlags struct {
	scenes     []string
	modes      []string
	tolerances []float64
	at         []time.Duration
	cache      string
	make       bool
	steps      int
	errors     bool
	pictures   string
	share      float64
	friction   float64
	workers    int
}

// yarnModes are the ways to compute contact, by name.
var yarnModes = map[string]yarn.ContactMode{
	"exact": yarn.ContactSets, "linear": yarn.ContactLinear, "pairs": yarn.ContactPairs,
	"hierarchy": yarn.ContactHierarchy,
	longMode:    yarn.ContactSets,
}

// longMode is exact contact in steps as long as yarns allow.
const longMode = "long"

func newYarnsCommand(t *cli.Term) *cobra.Command {
	var f yarnsFlags
	cmd := &cobra.Command{
		Use:   "yarns",
		Short: "Time the steps of knits of thousands of loops, with all ways to compute contact",
		Long: `Time steps of 1/16200 s of knits: a scarf that falls on a floor, a sack that catches
balls, a blanket that falls on a ball, and a sweater on a body that walks. Sizes are those
of table 2 of Kaldor 2010; --share makes them smaller.

Each scene is first brought to the times --at, with exact contact in steps as long as its
yarns allow. These states are kept, and when this is interrupted the same command goes on.
From each state all ways to compute contact are timed:

  exact      contact sets, forces computed anew in every step
  linear     contact sets with linear models, built anew when they have deformed
  pairs      pairs of segments that a schedule finds, without contact sets
  hierarchy  pairs found by a hierarchy of boxes in every step, as a reference
  long       as exact, in steps as long as yarns allow, for the same simulated time

Times are CPU seconds of a step, of all cores together: medians. Those of its phases are
shares of it.`,
		Example: `  toile bench yarns --scenes scarf --at 200ms
  toile bench yarns --scenes sweater --at 100ms,200ms --make --workers 1
  toile bench yarns --scenes sweater --at 100ms,200ms --modes exact,pairs,hierarchy --steps 20 --workers 1
  toile bench yarns --scenes scarf --at 1s --modes linear --tolerance 0.004,0.04,0.1,0.3 --errors`,
		Args: cli.NeedArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return benchYarns(cmd.Context(), t, &f) },
	}
	flags := cmd.Flags()
	// what is timed
	flags.StringSliceVar(&f.scenes, "scenes", []string{"scarf"}, "`scenes` to time: scarf, sack, afghan, sweater")
	flags.StringSliceVar(
		&f.modes, "modes", []string{"exact", "linear", "pairs", "hierarchy"}, "`ways` to compute contact",
	)
	flags.Float64SliceVar(
		&f.tolerances, "tolerance", []float64{0.04}, "`metrics` at which a linear model is built anew",
	)
	flags.DurationSliceVar(
		&f.at, "at", []time.Duration{100 * time.Millisecond}, "simulated `times` from which steps are timed",
	)
	// states from which it is timed
	flags.StringVar(&f.cache, "cache", "", "the `folder` of states (default: toile/bench among the user's caches)")
	flags.BoolVar(&f.make, "make", false, "make the states and time nothing")
	// steps, and what else is measured
	flags.IntVarP(&f.steps, "steps", "n", 40, "`steps` to time")
	flags.BoolVar(&f.errors, "errors", false, "compare the forces of linear models after the last step with exact ones")
	flags.StringVar(&f.pictures, "pictures", "", "a `folder` for pictures of the states")
	// size and friction of the scenes
	flags.Float64Var(&f.share, "share", 1, "`share` of the paper's loops along each side")
	flags.Float64Var(&f.friction, "friction", 0, "`coefficient` of friction between yarns")
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// yarnStateEvent is a state that a scene has come to.
type yarnStateEvent struct {
	Event string `json:"event"`
	Scene string `json:"scene"`
	*knits.State
}

// yarnsEvent is what steps of one scene took with one mode. Times are medians of a step [s].
type yarnsEvent struct {
	Event     string   `json:"event"`
	Scene     string   `json:"scene"`
	Mode      string   `json:"mode"`
	Tolerance float64  `json:"tolerance,omitempty"`
	Loops     int      `json:"loops"`
	Segments  int      `json:"segments"`
	Start     float64  `json:"start"`           // simulated time [s]
	Error     cli.Real `json:"error,omitempty"` // of the forces of linear models, rms, over that of contact
	Heap      uint64   `json:"heap"`
	Hash      string   `json:"hash"`
	*knits.Measured
}

// name is the mode with its tolerance.
func (e *yarnsEvent) name() string {
	if e.Mode == "linear" {
		return fmt.Sprintf("linear %g", e.Tolerance)
	}
	return e.Mode
}

func (f *yarnsFlags) check() error {
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	if f.steps < 1 || !(f.share > 0 && f.share <= 1) {
		return cli.BadUsage(
			"--steps %d, --share %g: steps must be positive, and the share above 0 and at most 1", f.steps, f.share,
		)
	}
	for _, at := range f.at {
		if at < 0 {
			return cli.BadUsage("--at %v: a time before the start", at)
		}
	}
	all := knits.Scenes()
	for _, name := range f.scenes {
		if !slices.ContainsFunc(all, func(s knits.Scene) bool { return s.Name == name }) {
			return cli.BadUsage("--scenes: there is no %q; write scarf, sack, afghan or sweater", name)
		}
	}
	for _, name := range f.modes {
		if _, ok := yarnModes[name]; !ok {
			return cli.BadUsage("--modes: there is no %q; write exact, linear, pairs, hierarchy or long", name)
		}
	}
	return nil
}

func benchYarns(ctx context.Context, t *cli.Term, f *yarnsFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	// folder of states
	store := &knits.Store{Dir: f.cache, CPU: bench.CPUTime}
	if f.cache == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return cli.BadUsage("there is no folder for caches (%v); name one with --cache", err)
		}
		store.Dir = filepath.Join(caches, "toile", "bench")
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	// scenes that were asked for, from each of the times
	all := knits.Scenes()
	slices.Sort(f.at)
	for i := range all {
		for _, at := range f.at {
			if !slices.Contains(f.scenes, all[i].Name) {
				continue
			}
			b := &yarnBench{t: t, f: f, scene: &all[i]}
			err := b.run(ctx, store, at.Seconds())
			if ctx.Err() != nil {
				return cli.Interrupted(fmt.Errorf("stopped. To go on with it:\n%s", cli.SameCommand()))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// yarnBench times a scene from one state.
type yarnBench struct {
	t     *cli.Term
	f     *yarnsFlags
	scene *knits.Scene
	state *knits.State
}

// build makes the scene.
func (b *yarnBench) build(mode yarn.ContactMode, tolerance float64) (*knits.World, error) {
	m := yarn.Kaldor()
	m.Friction = b.f.friction
	return b.scene.Build(yarn.Options{
		Material: m, Gravity: r3.V(0, 0, -9.81), Workers: b.f.workers, Mode: mode, Tolerance: tolerance,
	}, b.f.share)
}

// restore makes the scene and brings it to the state.
func (b *yarnBench) restore(mode yarn.ContactMode, tolerance float64, state []byte) (*knits.World, error) {
	w, err := b.build(mode, tolerance)
	if err != nil {
		return nil, err
	}
	return w, w.Restore(state)
}

// run brings the scene to a time and times it with all modes.
func (b *yarnBench) run(ctx context.Context, store *knits.Store, at float64) error {
	if err := b.reach(ctx, store, at); err != nil || b.f.make {
		return err
	}
	var rows []*yarnsEvent
	for _, mode := range b.f.modes {
		tolerances := []float64{0}
		if mode == "linear" {
			tolerances = b.f.tolerances
		}
		for _, tolerance := range tolerances {
			runtime.GC()
			busy := cli.NewSpinner(b.t, fmt.Sprintf("%s, %s", b.scene.Name, mode))
			e, err := b.time(ctx, mode, tolerance)
			busy.Close()
			if err != nil {
				return err
			}
			b.t.Emit(*e)
			rows = append(rows, e)
		}
	}
	b.show(rows)
	return nil
}

// reach brings the scene to a time, and draws it if asked to.
func (b *yarnBench) reach(ctx context.Context, store *knits.Store, at float64) error {
	w, err := b.build(yarn.ContactSets, 0)
	if err != nil {
		return err
	}
	told := time.Now()
	store.Tell = func(s *knits.State) {
		if time.Since(told) > time.Minute {
			told = time.Now()
			b.t.Note("%s: %.4f of %g s, %s, %s CPU, closest %.2f, %.2g m/s, %s", b.scene.Name, s.Time, at,
				words.Count(s.Steps, "step"),
				words.Seconds(s.CPU), s.Closest, s.Speed, words.Count(s.Slips, "slip"))
		}
	}
	if b.state, err = store.Reach(ctx, w, at); err != nil {
		return err
	}
	b.t.Emit(yarnStateEvent{"state", b.scene.Name, b.state})
	if b.f.pictures == "" {
		return nil
	}
	return drawYarns(w, b.f.pictures, fmt.Sprintf("%s-%gms", b.scene.Name, math.Round(1e4*w.Time())/10))
}

// show prints what was measured.
func (b *yarnBench) show(rows []*yarnsEvent) {
	if len(rows) == 0 {
		return
	}
	// what was timed, and from where
	e, t, s := rows[0], b.t, b.state
	t.Say("%s: %s; %s, %s, from t = %.4g s; medians of %d steps of 1/16200 s, %s", t.Paint(cli.Bold, b.scene.Name),
		b.scene.Shows,
		words.Count(e.Loops, "loop"), words.Count(e.Segments, "segment"), s.Time, e.Steps,
		words.Count(cli.WorkersUsed(b.f.workers), "core"))
	t.Say("  reached in %s and %s CPU, yarns as near as %.2f of their diameter, %s", words.Count(s.Steps, "step"),
		words.Seconds(s.CPU), s.Closest,
		words.Count(s.Slips, "slip"))
	// a row for each way to compute contact
	list := &cli.Table{Right: slices.Repeat([]bool{true}, 16)}
	list.Right[0] = false
	list.Add("mode", "contacts", "updates", "tracked", "examined", "processed", "CPU", "contact", "spline", "schedule",
		"sets", "force", "error",
		"closest", "s/h", "heap")
	for _, e := range rows {
		list.Add(e.name(), words.Thousands(int(e.Contacts)), words.Percent(e.Updates), words.Thousands(int(e.Tracked)),
			words.Thousands(int(e.Examined)),
			words.Thousands(int(e.Processed)), words.Seconds(e.CPU), words.Seconds(e.Contact), words.Seconds(e.Spline),
			words.Seconds(e.Schedule),
			words.Seconds(e.Sets), words.Seconds(e.Force), fmt.Sprintf("%.3g", float64(e.Error)),
			fmt.Sprintf("%.2f", e.Closest),
			fmt.Sprintf("%.3g", 3600*e.Duration/e.Total), words.Bytes(float64(e.Heap)))
	}
	cli.SayTable(t, list)
	// how much faster contact sets are than the references
	for _, reference := range rows {
		if reference.Mode != "pairs" && reference.Mode != "hierarchy" {
			continue
		}
		for _, e := range rows {
			if e.Mode == "exact" || e.Mode == "linear" {
				t.Say(
					"  %s is %.2f times as fast as %s, its contact %.2f times", e.name(), reference.CPU/e.CPU,
					reference.Mode, reference.Contact/e.Contact,
				)
			}
		}
	}
}

// time times steps from the state with a mode.
func (b *yarnBench) time(ctx context.Context, mode string, tolerance float64) (*yarnsEvent, error) {
	w, err := b.restore(yarnModes[mode], tolerance, b.state.Snapshot)
	if err != nil {
		return nil, err
	}
	e := &yarnsEvent{
		Event: "yarns", Scene: b.scene.Name, Mode: mode, Tolerance: tolerance, Loops: w.Loops, Segments: w.Segments,
		Start: w.Time(),
	}
	if e.Measured, err = w.Measure(ctx, b.f.steps, mode == longMode, bench.CPUTime); err != nil {
		return nil, err
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	e.Heap = memory.HeapInuse
	e.Hash = strings.ToLower(fmt.Sprintf("%x", w.Hash()))
	if b.f.errors && mode == "linear" {
		e.Error, err = b.forceError(w)
	}
	return e, err
}

// forceError returns how far the forces of a world with linear models are from exact ones where it is, rms over control
// points, over the rms of what contact alone exerts on them.
func (b *yarnBench) forceError(w *knits.World) (cli.Real, error) {
	// Models are built anew wherever yarns have moved at all: a state with models fits no other mode.
	const always = 1e-300
	exact, err := b.restore(yarn.ContactLinear, always, w.Snapshot())
	if err != nil {
		return 0, err
	}
	alone, err := contactAlone(w, b.f.workers)
	if err != nil {
		return 0, err
	}
	for _, k := range []*yarn.World{w.World, exact.World, alone} {
		if _, err := k.Step(knits.PaperStep); err != nil {
			return 0, err
		}
	}
	off, force := 0.0, 0.0
	for i := range w.Positions() {
		off += w.Force(i).Sub(exact.Force(i)).Norm2()
		force += alone.Force(i).Norm2()
	}
	return cli.Real(math.Sqrt(off / force)), nil
}

// contactAlone returns yarns where those of a world are, that feel contact and nothing else.
func contactAlone(w *knits.World, workers int) (*yarn.World, error) {
	k := yarn.Kaldor()
	alone, err := yarn.New(yarn.Options{
		Material: yarn.Material{Radius: k.Radius, Density: k.Density, Contact: k.Contact}, Workers: workers,
		Strain: math.Inf(1),
	})
	if err != nil {
		return nil, err
	}
	for y := range w.Yarns() {
		first, end, closed := w.Range(y)
		if _, err := alone.AddYarn(
			yarn.Yarn{Points: slices.Clone(w.Positions()[first:end]), Closed: closed},
		); err != nil {
			return nil, err
		}
	}
	return alone, nil
}
