package flow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/toile-sim/toile/farm/play"
	"github.com/toile-sim/toile/farm/store"
)

// Names of the workflow and its activities in histories.
const (
	LaneName   = "Lane"
	LookupName = "Lookup"
	PlayName   = "Play"
)

// Words in the arguments of a run that stand for folders of the worker.
const (
	InputFolder = "{input}" // where the sweep's files are
	RunFolder   = "{run}"   // where the run goes
)

// Activities are what workers do. Make them with NewActivities.
type Activities struct {
	engine Engine // nil: nobody listens
	store  *store.Store
	player *play.Player
	log    *slog.Logger

	mutex   sync.Mutex
	sweeps  map[string]*submitted
	batches map[string][]store.Entry
}

// submitted is a sweep whose files are on this worker.
type submitted struct {
	once   sync.Once
	folder string
	err    error
	used   time.Time
	users  int
}

// NewActivities returns the activities of a worker that plays runs with player, and tells the engine that it does.
func NewActivities(engine Engine, player *play.Player) *Activities {
	return &Activities{
		engine: engine, store: player.Store, player: player, log: player.Log,
		sweeps: map[string]*submitted{}, batches: map[string][]store.Entry{},
	}
}

// Lookup says what is left to do of a batch. All runs are looked up at once.
func (a *Activities) Lookup(ctx context.Context, sweep string, batch int) (Plan, error) {
	entries, err := a.store.Batch(ctx, sweep, batch)
	if errors.Is(err, store.ErrNotFound) {
		return Plan{}, temporal.NewNonRetryableApplicationError("the sweep is not in the store", inputType, nil)
	}
	if err != nil {
		return Plan{}, plainly(err)
	}
	keys := make([]string, len(entries))
	for i := range entries {
		keys[i] = entries[i].Key
	}
	states, err := a.store.States(ctx, keys)
	if err != nil {
		return Plan{}, plainly(err)
	}
	var plan Plan
	for i, s := range states {
		switch {
		case s != store.Unknown:
			plan.Known++
		case entries[i].Size == Large:
			plan.Large = append(plan.Large, i)
		default:
			plan.Small = append(plan.Small, i)
		}
	}
	return plan, nil
}

// beat is how often a running simulation says that it is alive, by the clock; so soon it hears of being cancelled.
const beat = time.Second

// Engine is what activities need of the engine's client.
type Engine interface {
	RecordActivityHeartbeat(ctx context.Context, taskToken []byte, details ...any) error
}

var (
	errCancelled = errors.New("the sweep was cancelled")
	errLost      = errors.New("the engine has given the run to somebody else")
)

// stayAlive tells the engine by the clock that a run is alive, until ctx ends, and stops the run if the engine says so.
// (The SDK's own heartbeats cancel an activity when the engine does not answer for one interval. An engine that is
// started again in time must not cost an attempt.)
func (a *Activities) stayAlive(ctx context.Context, stop context.CancelCauseFunc) {
	token := activity.GetInfo(ctx).TaskToken
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		asking, done := context.WithTimeout(ctx, answerTime)
		err := a.engine.RecordActivityHeartbeat(asking, token)
		done()
		var gone *serviceerror.NotFound
		switch {
		case temporal.IsCanceledError(err) && ctx.Err() == nil:
			stop(errCancelled)
		case errors.As(err, &gone):
			stop(errLost)
		}
	}
}

// answerTime is how long the engine may take to answer.
const answerTime = 5 * time.Second

// Play plays one run, or goes on with it, and returns the hash of its manifest.
func (a *Activities) Play(ctx context.Context, task Task) (string, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if a.engine != nil {
		go a.stayAlive(ctx, stop)
	}
	entry, err := a.entry(ctx, task)
	if err != nil {
		return "", a.classify(ctx, err, task, entry.Key)
	}
	input, release, err := a.open(ctx, task.Sweep)
	if err != nil {
		return "", a.classify(ctx, err, task, entry.Key)
	}
	defer release()
	job := play.Job{Key: entry.Key, Read: []string{input}, Args: func(folder string) []string {
		words := strings.NewReplacer(InputFolder, input, RunFolder, folder)
		args := []string{}
		for _, arg := range entry.Args {
			args = append(args, words.Replace(arg))
		}
		return append(args, "--checkpoint", a.player.Checkpoint.String())
	}}
	hash, err := a.player.Play(playing, activity.GetWorkerStopChannel(ctx), job)
	if cause := context.Cause(playing); errors.Is(err, play.ErrStopped) && cause != nil {
		err = cause
	}
	if err != nil {
		return "", a.classify(ctx, err, task, entry.Key)
	}
	return hash, nil
}

// classify tells the engine what to do about an error of a run, and records one that is given up. Messages go to the
// store, not into histories.
func (a *Activities) classify(ctx context.Context, err error, task Task, key string) error {
	var (
		failed *play.FailedError
		input  *play.InputError
	)
	record := store.Failure{Key: key, Stamp: a.player.Stamp, Tries: task.Try}
	kind := failedType
	switch {
	case errors.Is(err, errCancelled):
		return temporal.NewCanceledError()
	case errors.Is(err, play.ErrStopped):
		return temporal.NewApplicationErrorWithOptions("the worker was told to stop", "Preempted",
			temporal.ApplicationErrorOptions{NextRetryDelay: 100 * time.Millisecond})
	case errors.As(err, &input):
		kind, record.Input, record.Messages = inputType, true, input.Messages
	case errors.As(err, &failed):
		record.Messages = failed.Messages
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrPoisoned):
		kind, record.Input, record.Messages = inputType, true, err.Error()
	default:
		a.log.Error("run not played", "run", key, "why", err)
		return plainly(err)
	}
	a.log.Warn("run failed", "run", key, "try", task.Try, "input", record.Input, "why", record.Messages)
	if key != "" && (kind == inputType || task.Try >= Tries) {
		if err := a.store.PutFailure(ctx, &record); err != nil {
			return plainly(err)
		}
	}
	return temporal.NewNonRetryableApplicationError("the run failed; its messages are in the store", kind, nil)
}

// plainly reduces an error of the machine or the store to one that may stand in a history: addresses and answers of
// servers stay in the worker's log.
func plainly(err error) error {
	word := "the worker or the store failed"
	for _, known := range []error{store.ErrNotFound, store.ErrPoisoned, context.DeadlineExceeded, os.ErrPermission} {
		if errors.Is(err, known) {
			word += ": " + known.Error()
		}
	}
	return errors.New(word)
}

// entry returns the run that a task names, from the batch, which is kept for the next ones.
func (a *Activities) entry(ctx context.Context, task Task) (store.Entry, error) {
	name := fmt.Sprintf("%s.%d", task.Sweep, task.Batch)
	a.mutex.Lock()
	entries, ok := a.batches[name]
	a.mutex.Unlock()
	if !ok {
		err := play.Persist(ctx, func() (err error) {
			entries, err = a.store.Batch(ctx, task.Sweep, task.Batch)
			return err
		})
		if err != nil {
			return store.Entry{}, err
		}
		a.mutex.Lock()
		if len(a.batches) >= keptBatches {
			clear(a.batches)
		}
		a.batches[name] = entries
		a.mutex.Unlock()
	}
	if task.Place < 0 || task.Place >= len(entries) {
		return store.Entry{}, fmt.Errorf("%w: the batch has no run %d", store.ErrPoisoned, task.Place)
	}
	e := entries[task.Place]
	if len(e.Args) == 0 || e.Args[0] != "run" {
		return e, fmt.Errorf("%w: entry %d of the batch is no run", store.ErrPoisoned, task.Place)
	}
	return e, nil
}

// How many batches and sweeps a worker keeps at hand.
const (
	keptBatches = 4
	keptSweeps  = 8
)

// open brings the files of a sweep to this worker, unless they are here, and returns their folder.
func (a *Activities) open(ctx context.Context, id string) (folder string, release func(), err error) {
	a.mutex.Lock()
	s, ok := a.sweeps[id]
	if !ok {
		a.forgetOldest()
		s = &submitted{folder: filepath.Join(a.player.Work.Path(), "input-"+id)}
		a.sweeps[id] = s
	}
	s.users++
	s.used = time.Now()
	a.mutex.Unlock()
	s.once.Do(func() { s.err = a.bring(ctx, id, s.folder) })
	release = func() {
		a.mutex.Lock()
		s.users--
		a.mutex.Unlock()
	}
	if s.err != nil {
		release()
		a.mutex.Lock()
		if a.sweeps[id] == s {
			delete(a.sweeps, id) // the next one tries again
		}
		a.mutex.Unlock()
		return "", nil, s.err
	}
	return s.folder, release, nil
}

func (a *Activities) bring(ctx context.Context, id, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return play.Persist(ctx, func() error {
		sweep, err := a.store.Sweep(ctx, id)
		if err != nil {
			return err
		}
		for _, f := range sweep.Files {
			if err := a.store.GetFile(ctx, f, folder); err != nil {
				return err
			}
		}
		return nil
	})
}

// forgetOldest removes the files of a sweep that has not been played for longest, if there are many.
func (a *Activities) forgetOldest() {
	var oldest string
	for id, s := range a.sweeps {
		if s.users == 0 && (oldest == "" || s.used.Before(a.sweeps[oldest].used)) {
			oldest = id
		}
	}
	if len(a.sweeps) >= keptSweeps && oldest != "" {
		_ = os.RemoveAll(a.sweeps[oldest].folder) // what stays is removed with the worker's folder
		delete(a.sweeps, oldest)
	}
}
