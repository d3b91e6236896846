package run

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
)

// Flags are the flags of toile run.
type Flags struct {
	Dir        string
	sets       []string
	Workers    int
	force      bool
	Checkpoint time.Duration
	contacts   bool
	dump       []int
	sewn       string
	Report     bool
	rules      runRules
	tethered   bool
	Shown      bool // a viewer has it open already
}

// runRules are flags that say what is kept of a run and when it ends.
type runRules struct {
	keep   string
	stop   []string
	probes []string
}

// add gives a command the flags.
func (r *runRules) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.keep, "keep", "all", "`frames` to keep: all, last, stats (none) or every:N")
	cmd.Flags().StringArrayVar(
		&r.stop, "stop", nil,
		"`condition` that ends the run early, such as 'max speed < 1e-4 for 0.2 s'; may be repeated",
	)
	cmd.Flags().StringArrayVar(
		&r.probes, "probe", nil,
		"`vector` to add to the statistics: 'centroid BODY', 'vertex BODY NUMBER', 'force BODY BODY' or 'pin "+
			"BODY NUMBER'; may be repeated",
	)
	cli.CompleteFlag(cmd, "keep", "all", "last", "stats", "every:")
}

// apply sets the rules of a job.
func (r *runRules) apply(job *player.Job) (err error) {
	if r.keep != "" {
		if job.Keep, err = runfolder.ParseKeep(r.keep); err != nil {
			return cli.BadUsage("--keep: %v", err)
		}
	}
	for _, text := range r.stop {
		c, err := runfolder.ParseCondition(text)
		if err != nil {
			return cli.BadUsage("--stop: %v", err)
		}
		job.Stop = append(job.Stop, c)
	}
	for _, text := range r.probes {
		p, err := runfolder.ParseProbe(text)
		if err != nil {
			return cli.BadUsage("--probe: %v", err)
		}
		job.Probes = append(job.Probes, p)
	}
	return nil
}
