// Package sweep has the command toile sweep, which plays many runs of a scene.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/sweep"
	"github.com/toile-sim/toile/internal/words"
)

// sweepFlags are the flags of toile sweep.
type sweepFlags struct {
	dir        string
	jobs       int
	workers    int
	checkpoint time.Duration
	retry      bool
	dry        bool
	only       string
	collect    bool
	openjd     string
	slurm      string
}

// Command returns toile sweep.
func Command(t *cli.Term) *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep SWEEP",
		Short: "Play many runs of a scene that differ in some values",
		Long: `Play many runs of a scene that differ in some values, as a sweep file says; docs/sweeps.md
tells how to write one. Each run is a process of its own. The folder gets a run folder for
each under runs, and at the end table.csv and table.parquet with the outcomes, sheet.png
with a picture of every run, and report.html with outcomes drawn against values.

Whatever ends it, the same command goes on with what is not complete. Runs that come to
the same scene are played once. Ctrl-C has all runs write a checkpoint. Runs that failed
are listed, and played again with --retry only.

For farms: --openjd writes an Open Job Description template and --slurm a script for an
array of jobs; their tasks are toile sweep SWEEP --only N, into one folder that all
machines see, and last toile sweep SWEEP --collect.

Exit codes: 0 all runs are complete, 1 some are not, 2 bad usage or input,
130 interrupted.`,
		Example: `  toile sweep ramp-sweep.yaml --dry-run
  toile sweep ramp-sweep.yaml -j 4
  toile sweep ramp-sweep.yaml --retry
  toile sweep ramp-sweep.yaml --only 12
  toile sweep ramp-sweep.yaml --slurm job.sh && sbatch job.sh`,
		Args: cli.NeedArgs("SWEEP"),
		RunE: func(cmd *cobra.Command, args []string) error { return runSweep(cmd.Context(), t, args[0], &f) },

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterFileExt, cli.SceneEndings...),
	}
	// where to, and how many runs at a time
	cmd.Flags().StringVarP(
		&f.dir, "output", "o", "", "`folder` of the sweep (default: its name with .sweep, beside it)",
	)
	cmd.Flags().IntVarP(&f.jobs, "jobs", "j", 0, "`runs` at a time; 0 means one for each core")
	cmd.Flags().IntVarP(&f.workers, "workers", "w", 1, "`cores` that each run uses. Results do not depend on it")
	cmd.Flags().DurationVar(&f.checkpoint, "checkpoint", 30*time.Second, "longest `time` between checkpoints of a run")
	// which runs are played
	cmd.Flags().BoolVar(&f.retry, "retry", false, "play runs that failed before again")
	cmd.Flags().BoolVar(&f.dry, "dry-run", false, "say how many runs there are and what they would take, and play none")
	cmd.Flags().StringVar(&f.only, "only", "", "play one `run`, by its number, or several: 10-19")
	cmd.Flags().BoolVar(
		&f.collect, "collect", false, "play nothing; make table, pictures and report of what is complete",
	)
	// files for farms
	cmd.Flags().StringVar(
		&f.openjd, "openjd", "", "write an Open Job Description template to a `file`, and play nothing",
	)
	cmd.Flags().StringVar(&f.slurm, "slurm", "", "write a script for sbatch to a `file`, and play nothing")
	cli.AddJSON(cmd, t)
	return cmd
}

// sweepFolder is where a sweep is played by default.
func sweepFolder(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".sweep"
}

func runSweep(ctx context.Context, t *cli.Term, path string, f *sweepFlags) error {
	// the sweep and its folder
	if err := f.check(); err != nil {
		return err
	}
	s, err := sweep.Load(path)
	if err != nil {
		return sweepFault(err)
	}
	s.Workers = f.workers
	if f.dir == "" {
		f.dir = sweepFolder(path)
	}
	// files for farms, or some runs alone
	if f.openjd != "" || f.slurm != "" {
		return writeTemplates(t, s, f)
	}
	if f.only != "" {
		return playOnly(ctx, t, s, f)
	}
	// all runs, planned or played
	began := time.Now()
	runs, err := s.Runs()
	if err != nil {
		return sweepFault(err)
	}
	if f.dry {
		return drySweep(ctx, t, s, runs, f)
	}
	return playSweep(ctx, t, s, runs, began, f)
}

func (f *sweepFlags) check() error {
	if f.jobs < 0 {
		return cli.BadUsage("--jobs %d: write 0 for one on each core, or how many", f.jobs)
	}
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	if f.checkpoint < 0 {
		return cli.BadUsage("--checkpoint %v: write a time such as 30s", f.checkpoint)
	}
	var ways []string
	for name, on := range map[string]bool{
		"--dry-run": f.dry, "--only": f.only != "", "--collect": f.collect, "--openjd": f.openjd != "",
		"--slurm": f.slurm != "",
	} {
		if on {
			ways = append(ways, name)
		}
	}
	if len(ways) > 1 {
		return cli.BadUsage("--dry-run, --only, --collect, --openjd and --slurm do different things; write one of them")
	}
	if f.jobs == 0 {
		f.jobs = max(1, runtime.GOMAXPROCS(0)/cli.WorkersUsed(f.workers))
	}
	return nil
}

// sweepFault marks what is wrong with a sweep file, or with the scene that it leads to, as bad input.
func sweepFault(err error) error { return cli.BadInput(err) }

// pool returns what plays the runs.
func (f *sweepFlags) pool(s *sweep.Sweep) (*sweep.Pool, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return &sweep.Pool{
		Sweep: s, Dir: f.dir, Program: program, Children: f.jobs, Retry: f.retry, Look: f.collect,
		More: []string{"--checkpoint", f.checkpoint.String()},
	}, nil
}

// parseOnly reads the numbers of the first and the last run.
func parseOnly(text string, count int) (first, last int, err error) {
	a, b, several := strings.Cut(text, "-")
	if !several {
		b = a
	}
	first, errA := strconv.Atoi(a)
	last, errB := strconv.Atoi(b)
	switch {
	case errA != nil || errB != nil || first > last:
		return 0, 0, cli.BadUsage(
			"--only %s: write the number of a run, or of the first and the last, such as 10-19", text,
		)
	case first < 0 || last >= count:
		return 0, 0, cli.BadUsage("--only %s: there are runs 0 to %d", text, count-1)
	}
	return first, last, nil
}

// playOnly plays some runs and makes no table.
func playOnly(ctx context.Context, t *cli.Term, s *sweep.Sweep, f *sweepFlags) error {
	first, last, err := parseOnly(f.only, s.Count())
	if err != nil {
		return err
	}
	var runs []sweep.Run
	for i := first; i <= last; i++ {
		r, err := s.Run(i)
		if err != nil {
			return sweepFault(err)
		}
		runs = append(runs, r)
	}
	rows, _, err := play(ctx, t, s, runs, f)
	if err != nil {
		return err
	}
	return sayMissing(rows)
}

// playSweep plays all runs and tells what came of them.
func playSweep(
	ctx context.Context, t *cli.Term, s *sweep.Sweep, runs []sweep.Run, began time.Time, f *sweepFlags,
) error {
	t.Say("%s: %s, into %s", t.Paint(cli.Bold, s.Name()), runsWords(runs), f.dir)
	rows, played, err := play(ctx, t, s, runs, f)
	if err != nil {
		return err
	}
	played.took = time.Since(began)
	if err := writeSweep(t, s, rows, played, f); err != nil {
		return err
	}
	return sayMissing(rows)
}

// runsWords says how many runs there are.
func runsWords(runs []sweep.Run) string {
	text, same := words.Count(len(runs), "run"), 0
	for i := range runs {
		if runs[i].Same != runs[i].Index {
			same++
		}
	}
	if same > 0 {
		text += fmt.Sprintf(", %s of them the same as others", words.Thousands(same))
	}
	return text
}

// play plays runs until they are complete or somebody interrupts.
func play(
	ctx context.Context, t *cli.Term, s *sweep.Sweep, runs []sweep.Run, f *sweepFlags,
) ([]sweep.Row, *session, error) {
	pool, err := f.pool(s)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {
		t.Note("all runs finish their steps and write checkpoints; Ctrl-C again does not wait for them")
	})
	defer stop()
	show := newSweepProgress(t)
	pool.Progress = show.update
	rows, err := pool.Play(ctx, runs)
	show.close()
	if errors.Is(err, sweep.ErrInterrupted) {
		done := show.now.Done
		return nil, nil, cli.Interrupted(fmt.Errorf("stopped with %s of %s complete. To go on, "+
			"run the same command again:\n%s",
			words.Thousands(done), words.Count(show.now.Runs, "run"), cli.SameCommand()))
	}
	return rows, &session{now: show.now, failures: show.failures}, err
}

// sayMissing fails if runs are not complete.
func sayMissing(rows []sweep.Row) error {
	failed, missing := 0, 0
	for i := range rows {
		switch rows[i].Status {
		case sweep.Failed:
			failed++
		case sweep.Missing:
			missing++
		}
	}
	switch {
	case failed > 0 && missing > 0:
		return fmt.Errorf("%s failed and %s not complete; --retry plays those that failed again",
			words.Count(failed, "run"), words.Count(missing, "run"))
	case failed > 0:
		return fmt.Errorf("%s failed; --retry plays them again", words.Count(failed, "run"))
	case missing > 0:
		return fmt.Errorf("%s not complete", words.Count(missing, "run"))
	}
	return nil
}
