package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/toile-sim/toile/farm/flow"
	"github.com/toile-sim/toile/farm/store"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/sweep"
)

// submitFlags are the flags of toile-farm submit.
type submitFlags struct {
	toile     string
	inFlight  int
	heartbeat time.Duration
	retry     bool
	wait      bool
}

func newSubmitCommand(c *connection) *cobra.Command {
	var f submitFlags
	cmd := &cobra.Command{
		Use:   "submit SWEEP.yaml",
		Short: "Give a sweep to the farm",
		Long: `Give a sweep to the farm. Its files go to the store, and workers with the very same
program toile play its runs. Runs that the store knows are not played again; submitting the same
sweep twice, or again after cancel, goes on with what is missing. The last line of the
output is the name of the sweep for the other commands.`,
		Example: `  toile-farm submit ramp.yaml --in-flight 200
  toile-farm submit ramp.yaml --retry-failed`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return submit(cmd.Context(), c, &f, args[0]) },
	}
	cmd.Flags().StringVar(&f.toile, "toile", "toile", "the `program` whose build shall play the runs")
	cmd.Flags().IntVar(&f.inFlight, "in-flight", 200, "most runs of this sweep that are queued or played at a time")
	cmd.Flags().DurationVar(&f.heartbeat, "heartbeat", 15*time.Second, "`time` after which a worker that says nothing is taken for dead")
	cmd.Flags().BoolVar(&f.retry, "retry-failed", false, "try runs again that were given up")
	cmd.Flags().BoolVar(&f.wait, "wait", false, "return when the sweep has ended")
	return cmd
}

func submit(ctx context.Context, c *connection, f *submitFlags, file string) error {
	if f.inFlight < 1 || f.heartbeat < 5*time.Second {
		return errors.New("--in-flight needs a number from 1 on and --heartbeat a time of at least 5s")
	}
	toile, err := findToile(f.toile)
	if err != nil {
		return err
	}
	kept, err := c.openStore(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = kept.Close() }()
	engine, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	order, err := prepare(ctx, kept, toile, file)
	if err != nil {
		return err
	}
	if f.retry {
		if err := forgive(ctx, kept, order.Sweep); err != nil {
			return err
		}
	}
	order.Heartbeat = f.heartbeat
	lanes, err := start(ctx, engine, *order, f.inFlight)
	if err != nil {
		return err
	}
	fmt.Println(order.Sweep)
	warnUnheard(ctx, c, engine, order.Stamp)
	if !f.wait {
		return nil
	}
	for _, lane := range lanes {
		if err := lane.Get(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// warnUnheard says so if no worker with this build listens: the sweep then waits for one.
func warnUnheard(ctx context.Context, c *connection, engine client.Client, stamp string) {
	for _, size := range []string{flow.Small, flow.Large} {
		queue, err := engine.DescribeTaskQueue(ctx, flow.RunQueue(stamp, size), enums.TASK_QUEUE_TYPE_ACTIVITY)
		if err == nil && len(queue.Pollers) > 0 {
			return
		}
	}
	c.log.Warn("no worker with this build of toile listens; the sweep waits for one", "build", stamp)
}

// prepare puts a sweep into the store: its files, its batches, and last what names them.
func prepare(ctx context.Context, kept *store.Store, toile, file string) (*flow.Order, error) {
	build, stamp, err := askBuild(toile)
	if err != nil {
		return nil, err
	}
	s, err := sweep.Load(file)
	if err != nil {
		return nil, err
	}
	s.Build = build
	s.Keys = func(runs [][]string) ([]string, error) { return askKeys(ctx, toile, runs) }
	entries, inputs, err := expand(s)
	if err != nil {
		return nil, err
	}
	root := filepath.Dir(file)
	record := &store.Sweep{
		Name: s.Name(), Stamp: stamp, Build: build, Main: filepath.Base(file), Runs: s.Count(), Made: time.Now().UTC(),
	}
	for _, name := range append([]string{record.Main}, inputs...) {
		f, err := kept.PutFile(ctx, filepath.Join(root, filepath.FromSlash(name)), name)
		if err != nil {
			return nil, err
		}
		record.Files = append(record.Files, f)
	}
	if record.ID, err = identify(record, entries); err != nil {
		return nil, err
	}
	batches := flow.Split(entries)
	if err := kept.PutSweep(ctx, record, batches); err != nil {
		return nil, err
	}
	return &flow.Order{Sweep: record.ID, Stamp: stamp, Batches: len(batches)}, nil
}

// identify names a sweep by its contents, so that the same one has the same name.
func identify(record *store.Sweep, entries []store.Entry) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, record.Stamp)
	for i := range record.Files {
		fmt.Fprintln(hash, record.Files[i].Name, record.Files[i].Hash)
	}
	if err := json.NewEncoder(hash).Encode(entries); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil))[:24], nil
}

// largeVertices is how many vertices make a run large: from there on several cores help it.
const largeVertices = 20_000

// coresOfLarge is how many cores a large run uses.
const coresOfLarge = 4

// expand lists the runs of a sweep, each key once, and the files that they read, relative to the sweep's folder.
func expand(s *sweep.Sweep) ([]store.Entry, []string, error) {
	runs, err := s.Runs()
	if err != nil {
		return nil, nil, err
	}
	root := filepath.Dir(s.Path)
	sceneName, err := filepath.Rel(root, s.ScenePath())
	if err != nil {
		return nil, nil, err
	}
	sceneName = filepath.ToSlash(sceneName)
	seen := map[string]bool{sceneName: true}
	var entries []store.Entry
	place := map[int]int{} // of a run's entry
	for i := range runs {
		r := &runs[i]
		if r.Same != r.Index {
			first := &entries[place[r.Same]]
			first.Same = append(first.Same, r.Index)
			continue
		}
		place[r.Index] = len(entries)
		read, err := scenefile.Load(s.ScenePath(), r.Set)
		if err != nil {
			return nil, nil, err
		}
		for _, in := range read.Inputs()[1:] { // the first is the scene itself
			seen[path.Join(path.Dir(sceneName), in.Path)] = true
		}
		size := flow.Small
		s.Workers = 1
		if r.Cost.Vertices >= largeVertices {
			size, s.Workers = flow.Large, coresOfLarge
		}
		args := s.Args(*r, flow.RunFolder)
		args[slices.Index(args, s.ScenePath())] = flow.InputFolder + "/" + sceneName
		entries = append(entries, store.Entry{Index: r.Index, Key: r.Key, Size: size, Args: args})
	}
	var inputs []string
	for name := range seen {
		inputs = append(inputs, name)
	}
	slices.Sort(inputs)
	return entries, inputs, nil
}

// forgive lets runs of a sweep that were given up be tried again.
func forgive(ctx context.Context, kept *store.Store, id string) error {
	return eachState(ctx, kept, id, func(e store.Entry, state store.State) error {
		if state != store.Failed {
			return nil
		}
		return kept.Forgive(ctx, e.Key)
	})
}

// start starts the lanes of a sweep that do not run yet.
func start(ctx context.Context, engine client.Client, order flow.Order, inFlight int) ([]client.WorkflowRun, error) {
	lanes := flow.Lanes(inFlight, order.Batches)
	order.Stride = lanes
	var started []client.WorkflowRun
	for lane := range lanes {
		order.Batch = lane
		order.InFlight = (inFlight + lane) / lanes
		run, err := engine.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
			ID: flow.LaneID(order.Sweep, lane), TaskQueue: flow.Queue(),
			WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
			WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
			Memo:                     map[string]any{"lanes": lanes},
		}, flow.LaneName, order)
		if err != nil {
			return nil, fmt.Errorf("the engine did not take the sweep: %w", err)
		}
		started = append(started, run)
	}
	return started, nil
}
