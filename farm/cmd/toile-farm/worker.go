package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/toile-sim/toile/farm/flow"
	"github.com/toile-sim/toile/farm/play"
	"github.com/toile-sim/toile/farm/sandbox"
)

// workerFlags are the flags of toile-farm worker.
type workerFlags struct {
	toile        string
	work         string
	small, large int
	checkpoint   time.Duration
	untrusted    bool
	megabytes    struct{ memory, file, disk int64 }
	limits       play.Limits
}

func newWorkerCommand(c *connection) *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Play runs on this machine until told to stop",
		Long: `Play runs on this machine until told to stop. It takes runs of the build of its toile
program only; a machine may have several workers, with several builds.

SIGTERM, as a machine that is taken away gives, stops the simulations, uploads their
checkpoints, and leaves them to others. A worker that is killed loses what it did since
the last checkpoint. Each run is a process of its own, in a sandbox, as far as this
machine has what that needs; with --untrusted the worker refuses to start otherwise.`,
		Example: `  toile-farm worker --store s3://farm?prefix=studio/ --small 8
  toile-farm worker --toile ./toile-1.2 --small 0 --large 1 --untrusted`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return work(cmd.Context(), c, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.toile, "toile", "toile", "the `program` that simulates")
	flags.StringVar(&f.work, "work", filepath.Join(os.TempDir(), "toile-farm"), "`folder` for runs under way; those of dead workers are removed from it")
	flags.IntVar(&f.small, "small", runtime.NumCPU(), "small runs at a time, of one core each")
	flags.IntVar(&f.large, "large", 0, "large runs at a time, of four cores each")
	flags.DurationVar(&f.checkpoint, "checkpoint", 30*time.Second, "longest `time` between checkpoints")
	flags.BoolVar(&f.untrusted, "untrusted", false, "scenes come from strangers: refuse to work without a whole sandbox")
	flags.Int64Var(&f.megabytes.memory, "memory", 4096, "memory of a run [`MB`]; 0 is no limit")
	flags.Int64Var(&f.megabytes.file, "file", 4096, "size of one file of a run [`MB`]; 0 is no limit")
	flags.Int64Var(&f.megabytes.disk, "disk", 16384, "size of the folder of a run [`MB`]; 0 is no limit")
	flags.IntVar(&f.limits.Files, "files", 256, "open files of a run; 0 is no limit")
	flags.DurationVar(&f.limits.CPU, "cpu", 0, "processor `time` of a run; 0 is no limit")
	flags.DurationVar(&f.limits.Time, "time", 24*time.Hour, "`time` of a run by the clock; 0 is no limit")
	return cmd
}

func work(ctx context.Context, c *connection, f *workerFlags) error {
	if f.small < 0 || f.large < 0 || f.small+f.large == 0 {
		return errors.New("a worker needs a place for runs: write --small or --large with a number above 0")
	}
	if f.checkpoint < time.Second {
		return fmt.Errorf("--checkpoint %v: write a time of at least 1s", f.checkpoint)
	}
	if missing := sandbox.Missing(); missing != nil {
		if f.untrusted {
			return fmt.Errorf("this machine cannot close runs of strangers in: %w", missing)
		}
		c.log.Warn("runs are not wholly closed in on this machine; take scenes of people you trust only", "missing", missing)
	}
	const megabyte = 1 << 20
	f.limits.Memory, f.limits.File, f.limits.Disk = f.megabytes.memory*megabyte, f.megabytes.file*megabyte, f.megabytes.disk*megabyte
	toile, err := findToile(f.toile)
	if err != nil {
		return err
	}
	_, stamp, err := askBuild(toile)
	if err != nil {
		return err
	}
	kept, err := c.openStore(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = kept.Close() }()
	folder, err := play.ClaimFolder(f.work)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Release() }()
	engine, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	player := &play.Player{
		Store: kept, Toile: toile, Stamp: stamp, Work: folder, Limits: f.limits,
		Checkpoint: f.checkpoint, Untrusted: f.untrusted, Log: c.log,
	}
	c.log.Info("working", "build", stamp, "small", f.small, "large", f.large)
	return serve(ctx, engine, flow.NewActivities(engine, player), stamp, f)
}

const (
	stopping  = 30 * time.Second // for runs of a worker that was told to stop, to leave checkpoints
	lookupsAt = 4                // at a time
)

// serve takes work until ctx ends.
func serve(ctx context.Context, engine client.Client, acts *flow.Activities, stamp string, f *workerFlags) error {
	failed := make(chan error, 3)
	options := worker.Options{
		WorkerStopTimeout:                  stopping,
		MaxConcurrentActivityExecutionSize: lookupsAt,
		OnFatalError:                       func(err error) { failed <- err },
	}
	workers := []worker.Worker{worker.New(engine, flow.Queue(), options)}
	workers[0].RegisterWorkflowWithOptions(flow.Lane, workflow.RegisterOptions{Name: flow.LaneName})
	workers[0].RegisterActivityWithOptions(acts.Lookup, activity.RegisterOptions{Name: flow.LookupName})
	for _, queue := range []struct {
		size  string
		slots int
	}{{flow.Small, f.small}, {flow.Large, f.large}} {
		if queue.slots == 0 {
			continue
		}
		options.MaxConcurrentActivityExecutionSize = queue.slots
		options.MaxConcurrentActivityTaskPollers = min(queue.slots, 4)
		options.DisableWorkflowWorker = true
		w := worker.New(engine, flow.RunQueue(stamp, queue.size), options)
		w.RegisterActivityWithOptions(acts.Play, activity.RegisterOptions{Name: flow.PlayName})
		workers = append(workers, w)
	}
	defer func() { stopAll(workers) }()
	for _, w := range workers {
		if err := w.Start(); err != nil {
			return err
		}
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}

// stopAll stops all workers at the same time.
func stopAll(workers []worker.Worker) {
	done := make(chan struct{})
	for _, w := range workers {
		go func() {
			w.Stop()
			done <- struct{}{}
		}()
	}
	for range workers {
		<-done
	}
}
