package verify

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/toile-sim/toile/internal/engine"
)

// Trial is a case being run.
type Trial struct {
	Options
	Result
	ctx   context.Context
	Steps StepTally // of worlds with contacts
	words sync.Map  // by world: *float64, what the referee finds in its last step [m/s]
	told  time.Time // when Tell heard something last
	// Solver is the contact solver of worlds; empty: that of their options.
	Solver string
}

// NewTrial returns a trial of no case.
func NewTrial(ctx context.Context, opt Options) *Trial {
	return &Trial{ctx: ctx, Options: opt, told: time.Now()}
}

// Context is what a case ends with.
func (t *Trial) Context() context.Context { return t.ctx }

type stopped struct{ err error }

// Stop ends the case.
func Stop(err error) { panic(stopped{err}) }

// Must ends the case if err is not nil or the context has ended.
func (t *Trial) Must(err error) {
	if err == nil {
		err = t.ctx.Err()
	}
	if err != nil {
		Stop(err)
	}
}

// World returns an empty world that ends with the context.
func (t *Trial) World(opt engine.Options) *engine.World {
	if t.Solver != "" {
		opt.Contact.Solver = t.Solver
	}
	if t.Spoil != nil && t.Spoil.World != nil {
		t.Spoil.World(&opt)
	}
	w, err := engine.New(opt)
	t.Must(err)
	w.SetContext(t.ctx)
	t.Watch(w)
	return w
}

func (t *Trial) Row(r Row) {
	t.Rows = append(t.Rows, r)
	if t.Each != nil {
		t.Each(r)
	}
}

// Shortened returns a row with what a full run was asked for where it does less.
func (t *Trial) Shortened(r Row, asked string) Row {
	if t.Options.Full {
		r.Asked, r.Why = asked, "Full runs of all cases together are to end within four hours of processor time."
	}
	return r
}

// At says how far a part of the case is that ends at the given time [s], and ends the case if the context has ended.
func (t *Trial) At(part string, now, end float64) {
	t.Must(nil)
	if t.Tell != nil && time.Since(t.told) > time.Minute {
		t.told = time.Now()
		t.Tell(fmt.Sprintf("%s, %.3f of %g s", part, now, end))
	}
}

func (t *Trial) Note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// Parallel calls body for 0 to n-1 on all cores that the options allow. It must not end the case.
func (t *Trial) Parallel(n int, body func(i int)) {
	workers := t.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(workers, n) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				body(i)
			}
		})
	}
	wait.Wait()
}
