package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/knits"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/yarn"
)

// yarnsFlags are the flags of toile bench yarns.
type yarnsFlags struct {
	scenes    []string
	modes     []string
	tolerance float64
	develop   time.Duration
	steps     int
	share     float64
	friction  float64
	workers   int
}

// yarnModes are the ways to compute contact, by name.
var yarnModes = map[string]yarn.ContactMode{
	"exact": yarn.ContactSets, "linear": yarn.ContactLinear, "pairs": yarn.ContactPairs, "hierarchy": yarn.ContactHierarchy,
}

func newYarnsCommand(t *term) *cobra.Command {
	var f yarnsFlags
	cmd := &cobra.Command{
		Use:   "yarns",
		Short: "Time the steps of knits of thousands of loops, with all ways to compute contact",
		Long: `Time steps of 1/16200 s of knits: a scarf that falls on a floor, a knit that catches
balls, a blanket that falls on a ball, and tubes on a body that walks. Sizes are those of
table 2 of Kaldor 2010; --share makes them smaller. Each is first led on for a while,
with longer steps, in the mode that is timed:

  exact      contact sets, forces computed anew in every step
  linear     contact sets with linear models, built anew when they have deformed
  pairs      pairs of segments that a schedule finds, without contact sets
  hierarchy  pairs found by a hierarchy of boxes in every step, as a reference

Times are CPU seconds of a step, of all cores together.`,
		Example: `  toile bench yarns --scenes scarf
  toile bench yarns --scenes sweater,afghan --modes exact --steps 20 --workers 1
  toile bench yarns --share 0.2 --develop 50ms`,
		Args: needArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return benchYarns(cmd.Context(), t, &f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.scenes, "scenes", []string{"scarf"}, "`scenes` to time: scarf, sling, afghan, sweater")
	flags.StringSliceVar(&f.modes, "modes", []string{"exact", "linear", "pairs", "hierarchy"}, "`ways` to compute contact")
	flags.Float64Var(&f.tolerance, "tolerance", 0.04, "`metric` at which a linear model is built anew")
	flags.DurationVar(&f.develop, "develop", 100*time.Millisecond, "simulated `time` before steps are timed")
	flags.IntVarP(&f.steps, "steps", "n", 40, "`steps` to time")
	flags.Float64Var(&f.share, "share", 1, "`share` of the paper's loops along each side")
	flags.Float64Var(&f.friction, "friction", 0, "`coefficient` of friction between yarns")
	addWorkers(cmd, &f.workers)
	addJSON(cmd, t)
	return cmd
}

// yarnsEvent is what steps of one scene took with one mode. Times are means of a step [s].
type yarnsEvent struct {
	Event     string  `json:"event"`
	Scene     string  `json:"scene"`
	Mode      string  `json:"mode"`
	Loops     int     `json:"loops"`
	Segments  int     `json:"segments"`
	Start     float64 `json:"start"` // simulated time [s]
	Steps     int     `json:"steps"`
	Contacts  int     `json:"contacts"` // sets; 0 in modes without
	Updates   real    `json:"updates"`  // models built, as a share of the sets
	Tracked   int     `json:"tracked"`
	Examined  int     `json:"examined"`
	Processed int     `json:"processed"`
	Closest   real    `json:"closest"`
	Slips     int     `json:"slips"`
	CPU       real    `json:"cpu"`
	Step      real    `json:"step"`
	Contact   real    `json:"contact"`
	Spline    real    `json:"spline"`
	Schedule  real    `json:"schedule"`
	Sets      real    `json:"sets"`
	Force     real    `json:"force"`
	Gather    real    `json:"gather"`
	Heap      uint64  `json:"heap"`
	Hash      string  `json:"hash"`
}

func benchYarns(ctx context.Context, t *term, f *yarnsFlags) error {
	if err := checkWorkers(f.workers); err != nil {
		return err
	}
	if f.steps < 1 || f.develop < 0 || !(f.share > 0 && f.share <= 1) {
		return badUsage("--steps %d, --develop %v, --share %g: steps must be positive, and the share above 0 and at most 1", f.steps, f.develop, f.share)
	}
	all := knits.Scenes()
	for _, name := range f.scenes {
		if !slices.ContainsFunc(all, func(s knits.Scene) bool { return s.Name == name }) {
			return badUsage("--scenes: there is no %q; write scarf, sling, afghan or sweater", name)
		}
	}
	for _, name := range f.modes {
		if _, ok := yarnModes[name]; !ok {
			return badUsage("--modes: there is no %q; write exact, linear, pairs or hierarchy", name)
		}
	}
	ctx, stop := untilInterrupt(ctx, func() {})
	defer stop()
	for i := range all {
		if slices.Contains(f.scenes, all[i].Name) {
			if err := benchYarnScene(ctx, t, &all[i], f); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchYarnScene times one scene with all modes.
func benchYarnScene(ctx context.Context, t *term, s *knits.Scene, f *yarnsFlags) error {
	rows := &table{right: slices.Repeat([]bool{true}, 14)}
	rows.right[0] = false
	rows.add("mode", "contacts", "updates", "tracked", "examined", "processed", "CPU", "contact", "schedule", "sets", "force", "step", "closest", "heap")
	var head string
	for _, mode := range f.modes {
		runtime.GC()
		busy := newSpinner(t, fmt.Sprintf("%s, %s", s.Name, mode))
		e, err := timeYarns(ctx, s, mode, f)
		busy.close()
		if ctx.Err() != nil {
			return &interruptedError{errors.New("stopped")}
		}
		if err != nil {
			return err
		}
		t.emit(*e)
		head = fmt.Sprintf("%s: %s; %s, %s, from t = %.3g s; means of %d steps of 1/16200 s, %s", t.paint(bold, s.Name), s.Shows,
			words.Count(e.Loops, "loop"), words.Count(e.Segments, "segment"), e.Start, e.Steps, words.Count(workersUsed(f.workers), "core"))
		rows.add(mode, words.Thousands(e.Contacts), percent(float64(e.Updates)), words.Thousands(e.Tracked), words.Thousands(e.Examined),
			words.Thousands(e.Processed), inTime(float64(e.CPU)), seconds(float64(e.Contact)), seconds(float64(e.Schedule)),
			seconds(float64(e.Sets)), seconds(float64(e.Force)), seconds(float64(e.Step)), fmt.Sprintf("%.2f", float64(e.Closest)), bytesize(float64(e.Heap)))
	}
	t.say("%s", head)
	for i, line := range rows.lines() {
		if i == 0 {
			line = t.paint(dim, line)
		}
		t.say("  %s", line)
	}
	return nil
}

// timeYarns leads a scene on and times its steps with a mode.
func timeYarns(ctx context.Context, s *knits.Scene, mode string, f *yarnsFlags) (*yarnsEvent, error) {
	m := yarn.Kaldor()
	m.Friction = f.friction
	options := yarn.Options{
		Material: m, Gravity: r3.V(0, 0, -9.81), Workers: f.workers, Mode: yarnModes[mode], Tolerance: f.tolerance,
	}
	w, err := s.Build(options, f.share)
	if err != nil {
		return nil, err
	}
	const pieces = 100
	for range pieces {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := w.Advance(f.develop.Seconds()/pieces, yarn.Pace{Most: 1.0 / 4000}, nil); err != nil {
			return nil, err
		}
	}
	e := &yarnsEvent{Event: "yarns", Scene: s.Name, Mode: mode, Loops: w.Loops, Segments: w.Segments, Start: w.Time(), Closest: 1}
	began, worked := time.Now(), bench.CPUTime()
	var times yarn.ContactTimes
	for e.Steps < f.steps && ctx.Err() == nil {
		stats, err := w.Step(1.0 / 16200)
		if err != nil {
			return nil, err
		}
		e.Steps++
		e.add(&stats.Contact, &times)
		e.Slips += len(stats.Slips)
	}
	n := float64(e.Steps)
	mean := func(d time.Duration) real { return real(d.Seconds() / n) }
	e.CPU, e.Step = mean(bench.CPUTime()-worked), mean(time.Since(began))
	e.Spline, e.Schedule, e.Sets = mean(times.Spline), mean(times.Schedule), mean(times.Sets)
	e.Force, e.Gather = mean(times.Force), mean(times.Gather)
	e.Contact = e.Spline + e.Schedule + e.Sets + e.Force + e.Gather
	e.Updates /= real(n * float64(max(1, e.Contacts)))
	e.Tracked, e.Examined, e.Processed = e.Tracked/e.Steps, e.Examined/e.Steps, e.Processed/e.Steps
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	e.Heap = memory.HeapInuse
	e.Hash = strings.ToLower(fmt.Sprintf("%x", w.Hash()))
	return e, nil
}

// add counts one step.
func (e *yarnsEvent) add(c *yarn.ContactStats, times *yarn.ContactTimes) {
	e.Contacts = c.Sets
	e.Updates += real(c.Updates)
	e.Tracked += c.Tracked
	e.Examined += c.Examined
	e.Processed += c.Processed
	e.Closest = min(e.Closest, real(c.Closest))
	times.Spline += c.Time.Spline
	times.Schedule += c.Time.Schedule
	times.Sets += c.Time.Sets
	times.Force += c.Time.Force
	times.Gather += c.Time.Gather
}
