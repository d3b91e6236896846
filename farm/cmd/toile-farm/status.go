package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/toile-sim/toile/farm/flow"
	"github.com/toile-sim/toile/farm/store"
)

func newStatusCommand(c *connection) *cobra.Command {
	return &cobra.Command{
		Use:   "status [SWEEP]",
		Short: "Say how far a sweep is, or which there are",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			kept, err := c.openStore(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { _ = kept.Close() }()
			if len(args) == 0 {
				return listSweeps(cmd.Context(), kept)
			}
			return status(cmd.Context(), c, kept, args[0])
		},
	}
}

func listSweeps(ctx context.Context, kept *store.Store) error {
	ids, err := kept.Sweeps(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		s, err := kept.Sweep(ctx, id)
		if err != nil {
			return err
		}
		fmt.Printf("%s  %s  %7d runs  %s\n", id, s.Made.Format("2006-01-02 15:04"), s.Runs, s.Name)
	}
	return nil
}

// eachState calls visit for every run of a sweep that is not a repetition of another.
func eachState(ctx context.Context, kept *store.Store, id string, visit func(store.Entry, store.State) error) error {
	s, err := kept.Sweep(ctx, id)
	if err != nil {
		return err
	}
	for batch := range s.Batches {
		entries, err := kept.Batch(ctx, id, batch)
		if err != nil {
			return err
		}
		keys := make([]string, len(entries))
		for i := range entries {
			keys[i] = entries[i].Key
		}
		states, err := kept.States(ctx, keys)
		if err != nil {
			return err
		}
		for i := range entries {
			if err := visit(entries[i], states[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// status says what the store has of a sweep and what the engine does about the rest. It needs no worker.
func status(ctx context.Context, c *connection, kept *store.Store, id string) error {
	var counts [3]int
	err := eachState(ctx, kept, id, func(e store.Entry, state store.State) error {
		counts[state]++
		if state != store.Failed {
			return nil
		}
		failure, err := kept.Failure(ctx, e.Key)
		if err != nil {
			return err
		}
		last := failure.Messages[strings.LastIndex(strings.TrimSpace(failure.Messages), "\n")+1:]
		fmt.Printf("failed  run %d  %.16s  %s\n", e.Index, e.Key, strings.TrimSpace(last))
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("done %d, failed %d, to do %d\n", counts[store.Done], counts[store.Failed], counts[store.Unknown])
	engine, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	return describe(ctx, engine, id)
}

// describe says what the engine does for a sweep.
func describe(ctx context.Context, engine client.Client, id string) error {
	playing, waiting, again := 0, 0, 0
	states := map[string]int{}
	err := eachLane(ctx, engine, id, func(lane string) error {
		d, err := engine.DescribeWorkflowExecution(ctx, lane, "")
		if err != nil {
			return err
		}
		states[strings.ToLower(d.WorkflowExecutionInfo.Status.String())]++
		for _, a := range d.PendingActivities {
			if a.State == enums.PENDING_ACTIVITY_STATE_STARTED {
				playing++
			} else {
				waiting++
			}
			if a.Attempt > 1 {
				again++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for state, n := range states {
		fmt.Printf("%d lanes %s\n", n, state)
	}
	fmt.Printf("played now %d, waiting %d; %d of these not for the first time\n", playing, waiting, again)
	return nil
}

// eachLane calls visit for every lane of a sweep that the engine knows.
func eachLane(ctx context.Context, engine client.Client, id string, visit func(lane string) error) error {
	for lane := 0; ; lane++ {
		err := visit(flow.LaneID(id, lane))
		var unknown *serviceerror.NotFound
		if errors.As(err, &unknown) {
			if lane == 0 {
				return fmt.Errorf("the engine does not know %s: it was not submitted, or long ago", id)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func newCancelCommand(c *connection) *cobra.Command {
	return &cobra.Command{
		Use:   "cancel SWEEP",
		Short: "Stop a sweep; its runs leave checkpoints, from which submit goes on",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			engine, err := c.dial(cmd.Context())
			if err != nil {
				return err
			}
			defer engine.Close()
			return cancel(cmd.Context(), engine, args[0])
		},
	}
}

// cancelling is how long cancel waits for runs to leave their checkpoints.
const cancelling = time.Minute

// cancel stops the lanes of a sweep and waits until they have ended: one that is submitted again before would find them
// still there.
func cancel(ctx context.Context, engine client.Client, id string) error {
	var lanes []string
	err := eachLane(ctx, engine, id, func(lane string) error {
		err := engine.CancelWorkflow(ctx, lane, "")
		var ended *serviceerror.NotFound
		if errors.As(err, &ended) {
			_, err = engine.DescribeWorkflowExecution(ctx, lane, "") // ended, or not known at all
		}
		if err == nil {
			lanes = append(lanes, lane)
		}
		return err
	})
	if err != nil {
		return err
	}
	waiting, done := context.WithTimeout(ctx, cancelling)
	defer done()
	for _, lane := range lanes {
		_ = engine.GetWorkflow(waiting, lane, "").Get(waiting, nil) // it ends with an error: that it was cancelled
	}
	if waiting.Err() != nil {
		return fmt.Errorf("the sweep is told to stop, but has not ended in %v: is there a worker?", cancelling)
	}
	return nil
}
