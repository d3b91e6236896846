// Package run has the commands toile run, which plays a scene into a run folder, and toile key, which says its key.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cli/sewn"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
)

// Command returns toile run.
func Command(t *cli.Term) *cobra.Command { return runCommand(t, &Flags{}) }

// runCommand returns toile run, which reads its command line into f.
func runCommand(t *cli.Term, f *Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run SCENE",
		Short: "Simulate a scene into a run folder",
		Long: `Simulate a scene into a run folder: frames as .glb, statistics of every step as .csv,
checkpoints, run.json with everything needed to repeat the run, and at the end
report.html, which tells in pictures and plots how it went.

If the folder holds an unfinished run of the same scene, it goes on from there, to
the same bits as if it had never stopped. So does a finished one if the scene now
ends later. Ctrl-C writes a checkpoint and stops, as do SIGTERM and SIGHUP; a second
Ctrl-C stops at once.

With --json there is an event "step" for every step: its statistics under the names
of stats.csv, and under "pairs" the net force [N] and the torque about the origin
[N m] of each pair of bodies that touch, on the first of the two, mean over the step.
--contacts adds every contact under "points": the surfaces a and b, the vertices that
feel it, point [m], normal from b to a, impulse on a [N s], slip of a relative to b
[m/s], gap [m], mu and state.

` + cli.RunExitCodes,
		Example: `  toile run scene.yaml
  toile run scene.yaml -o take2 --set cloths.sheet.material.density=0.2
  toile run scene.yaml --set time.end='10 s' --workers 4
  toile run scene.yaml --json --contacts > contacts.jsonl`,
		Args: cli.NeedArgs("SCENE"),
		RunE: func(cmd *cobra.Command, args []string) error { return runScene(cmd.Context(), t, args[0], f) },

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterFileExt, cli.SceneEndings...),
	}
	// folder, values of the scene and checkpoints
	cmd.Flags().StringVarP(&f.Dir, "output", "o", "", "run `folder` (default: the scene's name with .run, beside it)")
	cli.AddSets(cmd, &f.sets)
	cmd.Flags().BoolVarP(&f.force, "force", "f", false, "replace what the folder holds instead of going on with it")
	cmd.Flags().DurationVar(&f.Checkpoint, "checkpoint", 30*time.Second, "longest `time` between checkpoints")
	// what else is written
	cmd.Flags().BoolVar(&f.contacts, "contacts", false, "with --json, every contact of every step")
	cmd.Flags().IntSliceVar(
		&f.dump, "dump-step", nil, "`steps` whose contact problem is written to the folder, for toile solve",
	)
	sewn.AddFlag(cmd, &f.sewn)
	cmd.Flags().BoolVar(&f.Report, "report", true, "make report.html at the end")
	// when it stops
	f.rules.add(cmd)
	cmd.Flags().BoolVar(
		&f.tethered, "tethered", false,
		"stop, with a checkpoint, when standard input ends: when the program that started this one is gone",
	)
	cli.AddWorkers(cmd, &f.Workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// startEvent is the first event of a run.
type startEvent struct {
	Event    string `json:"event"`
	Scene    string `json:"scene"`
	Dir      string `json:"dir"`
	Vertices int    `json:"vertices"`
	Rigids   int    `json:"rigids,omitempty"` // rigid bodies
	Loops    int    `json:"loops,omitempty"`  // of yarns
	Points   int    `json:"points,omitempty"` // of yarns
	Frames   int    `json:"frames"`
	Steps    int    `json:"steps"`
}

func runScene(ctx context.Context, t *cli.Term, path string, f *Flags) error {
	if err := cli.CheckWorkers(f.Workers); err != nil {
		return err
	}
	if f.Checkpoint < 0 {
		return cli.BadUsage("--checkpoint %v: write a time such as 30s", f.Checkpoint)
	}
	if f.contacts && !t.JSON {
		return cli.BadUsage("--contacts adds to the events of --json; write both")
	}
	for _, n := range f.dump {
		if n < 1 {
			return cli.BadUsage("--dump-step %d: steps are numbered from 1", n)
		}
	}
	go func() { _, _ = runfolder.Program() }() // reading all of the program takes a while, like reading the scene
	s, err := cli.LoadScene(path, f.sets)
	if err != nil {
		return err
	}
	if s.HasYarns() && (f.contacts || len(f.dump) > 0) {
		return cli.BadUsage("--contacts and --dump-step are for scenes of cloths and bodies")
	}
	if f.Dir == "" {
		f.Dir = cli.RunFolder(path)
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {
		t.Note("writing a checkpoint; Ctrl-C again stops at once")
	})
	defer stop()
	if f.tethered {
		ctx = untilEnd(ctx, os.Stdin)
	}
	return Play(ctx, t, s, path, f)
}

// untilEnd returns a context that ends when there is no more to read.
func untilEnd(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in) // an error is an end as well
		cancel()
	}()
	return ctx
}

// Play runs a scene, named by path, into the folder of the flags until ctx ends, and says how it went.
func Play(ctx context.Context, t *cli.Term, s *scenefile.Scene, path string, f *Flags) error {
	job, err := player.FromScene(s, f.Workers)
	if err != nil {
		return cli.BadInput(err)
	}
	defer func() { _ = job.Close() }() // read only
	if err := f.rules.apply(&job); err != nil {
		return err
	}
	cost := s.Cost()
	t.Emit(
		startEvent{"start", path, f.Dir, cost.Vertices, cost.Rigids, cost.Loops, cost.Points, cost.Frames, cost.Steps},
	)
	t.Say("%s: %s, %s in %s, into %s", t.Paint(cli.Bold, job.Name), sizeWords(s.HasYarns(), &cost),
		words.Count(cost.Frames, "frame"), words.Count(cost.Steps, "step"), f.Dir)
	if job.Settle != nil {
		t.Say("Finding equilibrium before the first frame.")
	}
	var columns []string
	if job.Simulation != nil {
		columns = job.Simulation.Columns()
	}
	show := newProgress(t, columns)
	opt := player.DefaultOptions(f.Dir)
	opt.Force, opt.Every, opt.Progress, opt.Dump = f.force, f.Checkpoint, outdated(f.Dir, show.update), f.dump
	opt.Dressing, opt.Sewn = cli.TellDressing(t), sewn.Folder(f.sewn)
	if t.JSON {
		opt.EachStep = (&stepPrinter{t: t, columns: columns, points: f.contacts}).tell
	}
	summary, err := player.Play(ctx, job, opt)
	show.close()
	for _, note := range summary.Notes {
		t.Note("%s", note)
	}
	if err != nil {
		if f.Report {
			reportFailure(t, f, err, summary)
		}
		return runError(t, err, f, summary)
	}
	return finishRun(t, f, summary)
}

// sizeWords says how large a scene is, in what it has.
func sizeWords(yarns bool, c *scenefile.Cost) string {
	if yarns {
		return words.Count(c.Loops, "loop") + ", " + words.Count(c.Points, "control point")
	}
	var parts []string
	if c.Vertices > 0 || c.Rigids == 0 {
		parts = append(parts, words.Count(c.Vertices, "vertex"))
	}
	if c.Rigids > 0 {
		parts = append(parts, words.Count(c.Rigids, "rigid body"))
	}
	return strings.Join(parts, ", ")
}

// runError says what a run that ended early leaves behind and how to go on.
func runError(t *cli.Term, err error, f *Flags, s player.Summary) error {
	switch {
	case errors.Is(err, player.ErrInterrupted):
		t.Emit(struct {
			Event string  `json:"event"`
			Dir   string  `json:"dir"`
			Frame int     `json:"frame"`
			Time  float64 `json:"time"`
		}{"interrupted", f.Dir, s.Frames - 1, s.Time})
		return cli.Interrupted(
			fmt.Errorf("stopped %s, with %s in %s. To go on from there, run the same command again:\n%s",
				where(s), words.Count(s.Frames, "frame"), f.Dir, cli.SameCommand()),
		)
	case errors.Is(err, runfolder.ErrOtherRun), errors.Is(err, runfolder.ErrLocked):
		return cli.BadInput(err)
	}
	return err
}

// where says where a run was stopped.
func where(s player.Summary) string {
	if s.Frames == 0 {
		return "before the first frame"
	}
	return fmt.Sprintf("at t = %.4g s", s.Time)
}
