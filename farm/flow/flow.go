// Package flow is how a farm plays sweeps: the workflow that hands out runs, and the activities that look them up and
// play them. What a run is and what came of it is in the store; histories hold numbers and hashes only.
//
// A sweep is split into batches of about 1,000 runs, and the batches are dealt to lanes. A lane is a workflow that
// plays one batch and then goes on as a new workflow with its next one; in one batch each run is one activity. Lanes
// share the sweep's in-flight runs evenly, so that while one drains the end of its batch the others still keep the
// workers busy.
package flow

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/toile-sim/toile/farm/store"
)

// Version is that of the workflow's code. It names the queue, so that a workflow stays with workers of the version that
// started it: whoever changes what Lane does raises it, and testdata keeps a history of each version that was released.
const Version = 1

// Queue is where workers of this version take workflows and lookups.
func Queue() string { return fmt.Sprintf("toile-flow-%d", Version) }

// RunQueue is where workers with a build take runs of a size.
func RunQueue(stamp, size string) string { return "toile-" + stamp + "-" + size }

// Sizes of jobs.
const (
	Small = "small" // played on one core
	Large = "large" // played on several
)

// BatchSize is how many runs a workflow plays: some 6,000 of the 51,200 events that the engine allows.
const BatchSize = 1000

// laneShare is the most runs in flight in one lane; the engine allows 2,000.
const laneShare = 500

// Lanes returns how many lanes a sweep has.
func Lanes(inFlight, batches int) int {
	lanes := max(2, (inFlight+laneShare-1)/laneShare)
	return max(1, min(lanes, inFlight, batches))
}

// Order is what a lane is asked to do.
type Order struct {
	Sweep     string
	Stamp     string
	Batch     int // the one to play now
	Stride    int // from there to the next one of this lane
	Batches   int // of the sweep
	InFlight  int // of this lane
	Heartbeat time.Duration
	Done      Counts // in earlier batches
}

// Counts is what became of runs.
type Counts struct {
	Known  int // were in the store, finished or given up
	Played int
	Failed int // were given up
}

// LaneID is the name of a lane's workflow.
func LaneID(sweep string, lane int) string { return fmt.Sprintf("%s.%d", sweep, lane) }

// Task names one run.
type Task struct {
	Sweep string
	Batch int
	Place int // in the batch
	Try   int // from 1; counts failures of the run itself, not of workers
}

// Tries is how often a run that fails by itself is tried.
const Tries = 3

// Plan is what is left to do of a batch: places by size of job.
type Plan struct {
	Known int
	Small []int `json:",omitempty"`
	Large []int `json:",omitempty"`
}

// Types of errors that end an activity for good. All others are of the machine, and the engine tries again.
const (
	failedType = "RunFailed"
	inputType  = "BadInput"
)

// longestRun is how long one attempt may take; workers have limits of their own.
const longestRun = 30 * 24 * time.Hour

// Lane plays one batch, and goes on with the next one of its lane.
func Lane(ctx workflow.Context, order Order) (Counts, error) {
	var plan Plan
	looking := workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue: Queue(), StartToCloseTimeout: 10 * time.Minute,
		RetryPolicy: &temporal.RetryPolicy{InitialInterval: time.Second, MaximumInterval: time.Minute},
	})
	if err := workflow.ExecuteActivity(looking, LookupName, order.Sweep, order.Batch).Get(ctx, &plan); err != nil {
		return order.Done, err
	}
	counts := order.Done
	counts.Known += plan.Known
	free := workflow.NewSemaphore(ctx, int64(order.InFlight))
	group := workflow.NewWaitGroup(ctx)
	play := func(size string, places []int) error {
		for _, place := range places {
			if err := free.Acquire(ctx, 1); err != nil {
				return err
			}
			group.Add(1)
			workflow.Go(ctx, func(ctx workflow.Context) {
				defer group.Done()
				defer free.Release(1)
				switch err := playRun(ctx, order, size, place); {
				case err == nil:
					counts.Played++
				case !temporal.IsCanceledError(err):
					counts.Failed++
				}
			})
		}
		return nil
	}
	err := play(Small, plan.Small)
	if err == nil {
		err = play(Large, plan.Large)
	}
	// Runs that were told to stop leave a checkpoint; they are waited for.
	waiting, _ := workflow.NewDisconnectedContext(ctx)
	group.Wait(waiting)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return counts, err
	}
	order.Done = counts
	if order.Batch += order.Stride; order.Batch < order.Batches {
		return counts, workflow.NewContinueAsNewError(ctx, LaneName, order)
	}
	return counts, nil
}

// playRun plays one run, and once more if it failed by itself. Deaths of workers are the engine's to repeat, without
// end.
func playRun(ctx workflow.Context, order Order, size string, place int) error {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           RunQueue(order.Stamp, size),
		StartToCloseTimeout: longestRun,
		HeartbeatTimeout:    order.Heartbeat,
		WaitForCancellation: true,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 1.5, MaximumInterval: 30 * time.Second,
		},
		Priority: temporal.Priority{FairnessKey: order.Sweep},
	})
	for try := 1; ; try++ {
		var manifest string // its hash, for the history
		err := workflow.ExecuteActivity(ctx, PlayName, Task{order.Sweep, order.Batch, place, try}).Get(ctx, &manifest)
		var failure *temporal.ApplicationError
		if err == nil || try == Tries || !errors.As(err, &failure) || failure.Type() != failedType {
			return err
		}
	}
}

// Stamp shortens a description of a build to a word for queues and manifests.
func Stamp(build []byte) string {
	hash := sha256.Sum256(build)
	return hex.EncodeToString(hash[:8])
}

// Split makes batches of entries.
func Split(entries []store.Entry) [][]store.Entry {
	var batches [][]store.Entry
	for len(entries) > BatchSize {
		batches = append(batches, entries[:BatchSize])
		entries = entries[BatchSize:]
	}
	if len(entries) > 0 {
		batches = append(batches, entries)
	}
	return batches
}
