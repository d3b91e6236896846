package flow

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// scripted are activities that do as a test says, and count.
type scripted struct {
	mutex      sync.Mutex
	places     int
	tries      map[int][]int // by place
	now, most  int
	eachPlay   func(ctx context.Context, t Task) error
	sizesAsked []string
}

func (s *scripted) lookup(_ context.Context, _ string, batch int) (Plan, error) {
	p := Plan{Known: 3}
	for i := range s.places {
		if i%4 == 0 {
			p.Large = append(p.Large, i)
		} else {
			p.Small = append(p.Small, i)
		}
	}
	return p, nil
}

func (s *scripted) play(ctx context.Context, t Task) (string, error) {
	s.mutex.Lock()
	s.tries[t.Place] = append(s.tries[t.Place], t.Try)
	s.now++
	s.most = max(s.most, s.now)
	s.sizesAsked = append(s.sizesAsked, activity.GetInfo(ctx).TaskQueue)
	s.mutex.Unlock()
	time.Sleep(time.Millisecond)
	var err error
	if s.eachPlay != nil {
		err = s.eachPlay(ctx, t)
	}
	s.mutex.Lock()
	s.now--
	s.mutex.Unlock()
	return "hash", err
}

func newEnvironment(t *testing.T, s *scripted) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(time.Minute)
	env.RegisterWorkflowWithOptions(Lane, workflow.RegisterOptions{Name: LaneName})
	env.RegisterActivityWithOptions(s.lookup, activity.RegisterOptions{Name: LookupName})
	env.RegisterActivityWithOptions(s.play, activity.RegisterOptions{Name: PlayName})
	t.Cleanup(func() { env.AssertExpectations(t) })
	return env
}

func TestFailuresOfRunsAndOfWorkers(t *testing.T) {
	const failing, badInput, unlucky, recovering = 3, 4, 5, 6
	deaths := 0
	s := &scripted{places: 40, tries: map[int][]int{}, eachPlay: func(_ context.Context, t Task) error {
		switch {
		case t.Place == failing, t.Place == recovering && t.Try < Tries:
			return temporal.NewNonRetryableApplicationError("failed", failedType, nil)
		case t.Place == badInput:
			return temporal.NewNonRetryableApplicationError("bad", inputType, nil)
		case t.Place == unlucky && deaths < 6:
			deaths++
			return errors.New("the worker or the store failed")
		}
		return nil
	}}
	env := newEnvironment(t, s)
	env.ExecuteWorkflow(LaneName, Order{Sweep: "s", Stamp: "b", Batches: 1, Stride: 1, InFlight: 7, Heartbeat: time.Minute})
	var counts Counts
	if err := env.GetWorkflowResult(&counts); err != nil {
		t.Fatal(err)
	}
	if want := (Counts{Known: 3, Played: 38, Failed: 2}); counts != want {
		t.Errorf("counted %+v; want %+v", counts, want)
	}
	for place, want := range map[int][]int{failing: {1, 2, 3}, recovering: {1, 2, 3}, badInput: {1}, unlucky: slices.Repeat([]int{1}, 7), 0: {1}} {
		if !slices.Equal(s.tries[place], want) {
			t.Errorf("place %d was played with tries %v; want %v", place, s.tries[place], want)
		}
	}
	if s.most > 7 || s.most < 2 {
		t.Errorf("%d runs were in flight; 7 are allowed", s.most)
	}
	for _, queue := range []string{RunQueue("b", Small), RunQueue("b", Large)} {
		if !slices.Contains(s.sizesAsked, queue) {
			t.Errorf("nothing went to %s", queue)
		}
	}
}

func TestALaneGoesOnWithItsNextBatch(t *testing.T) {
	s := &scripted{places: 5, tries: map[int][]int{}}
	env := newEnvironment(t, s)
	env.ExecuteWorkflow(LaneName, Order{Sweep: "s", Stamp: "b", Batch: 1, Stride: 2, Batches: 6, InFlight: 2, Heartbeat: time.Minute})
	var next *workflow.ContinueAsNewError
	if !errors.As(env.GetWorkflowError(), &next) {
		t.Fatal(env.GetWorkflowError())
	}
	var order Order
	if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &order); err != nil {
		t.Fatal(err)
	}
	if order.Batch != 3 || order.Done != (Counts{Known: 3, Played: 5}) {
		t.Errorf("it goes on with %+v", order)
	}
}

func TestCancelEndsALane(t *testing.T) {
	s := &scripted{places: 9, tries: map[int][]int{}, eachPlay: func(ctx context.Context, _ Task) error {
		select {
		case <-ctx.Done():
		case <-t.Context().Done():
		}
		return temporal.NewCanceledError()
	}}
	env := newEnvironment(t, s)
	env.RegisterDelayedCallback(env.CancelWorkflow, time.Second)
	env.ExecuteWorkflow(LaneName, Order{Sweep: "s", Stamp: "b", Batches: 2, Stride: 1, InFlight: 4, Heartbeat: time.Minute})
	if err := env.GetWorkflowError(); !temporal.IsCanceledError(errors.Unwrap(err)) {
		t.Errorf("it ended with %v", err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.tries) != 4 {
		t.Errorf("%d runs were started; 4 are allowed in flight", len(s.tries))
	}
}

func TestLanesShareWhatIsInFlight(t *testing.T) {
	for _, c := range []struct{ inFlight, batches, lanes int }{
		{1, 10, 1}, {2, 10, 2}, {200, 1, 1}, {200, 10, 2}, {5000, 100, 10}, {5000, 3, 3},
	} {
		if got := Lanes(c.inFlight, c.batches); got != c.lanes {
			t.Errorf("%d in flight of %d batches: %d lanes; want %d", c.inFlight, c.batches, got, c.lanes)
		}
	}
}

// TestRecordedHistories replays what servers recorded under this version of the workflow: code that decides otherwise
// than it did would strand the workflows that run.
func TestRecordedHistories(t *testing.T) {
	files, err := filepath.Glob("testdata/history-*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no histories", err)
	}
	for _, file := range files {
		r := worker.NewWorkflowReplayer()
		r.RegisterWorkflowWithOptions(Lane, workflow.RegisterOptions{Name: LaneName})
		if err := r.ReplayWorkflowHistoryFromJSONFile(nil, file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		other := worker.NewWorkflowReplayer()
		other.RegisterWorkflowWithOptions(func(ctx workflow.Context, order Order) (Counts, error) {
			return order.Done, workflow.Sleep(ctx, time.Hour)
		}, workflow.RegisterOptions{Name: LaneName})
		if err := other.ReplayWorkflowHistoryFromJSONFile(nil, file); err == nil {
			t.Errorf("%s: another workflow replays it too", file)
		} else if !strings.Contains(err.Error(), "nondeterministic") && !strings.Contains(err.Error(), "TMPRL1100") {
			t.Logf("%s: %v", file, err)
		}
	}
}
