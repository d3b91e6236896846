package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/run"
)

// runFlags are the flags of toile run.
type runFlags struct {
	dir        string
	sets       []string
	workers    int
	force      bool
	checkpoint time.Duration
	contacts   bool
	dump       []int
	sewn       string
	report     bool
	rules      runRules
	tethered   bool
	shown      bool // a viewer has it open already
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
	cmd.Flags().
		StringArrayVar(
			&r.stop, "stop", nil,
			"`condition` that ends the run early, such as 'max speed < 1e-4 for 0.2 s'; may be repeated",
		)
	cmd.Flags().
		StringArrayVar(
			&r.probes, "probe", nil,
			"`vector` to add to the statistics: 'centroid BODY', 'vertex BODY NUMBER', 'force BODY BODY' or 'pin "+
				"BODY NUMBER'; may be repeated",
		)
	completeFlag(cmd, "keep", "all", "last", "stats", "every:")
}

// apply sets the rules of a job.
func (r *runRules) apply(job *run.Job) (err error) {
	if r.keep != "" {
		if job.Keep, err = cache.ParseKeep(r.keep); err != nil {
			return badUsage("--keep: %v", err)
		}
	}
	for _, text := range r.stop {
		c, err := cache.ParseCondition(text)
		if err != nil {
			return badUsage("--stop: %v", err)
		}
		job.Stop = append(job.Stop, c)
	}
	for _, text := range r.probes {
		p, err := cache.ParseProbe(text)
		if err != nil {
			return badUsage("--probe: %v", err)
		}
		job.Probes = append(job.Probes, p)
	}
	return nil
}
