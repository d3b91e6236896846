package toile

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// heeded is the context that a world heeds; the zero value is none.
type heeded struct {
	ctx    context.Context
	stop   *atomic.Bool // set when ctx is done: loops ask often, and this is quick to look at
	forget func() bool
	begin  *Snapshot // of what is under way and has changed the world already; nil: nothing
}

// Heed has whatever takes long, such as Step, Advance and Settle, end soon after ctx is done, with an error that wraps
// its cause. The world is then as it was: Step and Settle leave it where they began, and Advance after the last of its
// steps that it did not have to halve. What is computed does not depend on it. The next call of Heed takes its place.
func (w *World) Heed(ctx context.Context) {
	if w.heeded.forget != nil {
		w.heeded.forget()
	}
	stop := new(atomic.Bool)
	stop.Store(ctx.Err() != nil)
	w.heeded = heeded{ctx: ctx, stop: stop, forget: context.AfterFunc(ctx, func() { stop.Store(true) })}
	w.team.Heed(w.heeded.stop)
}

// err returns why to stop; nil: no reason. It asks the context itself: stop is set by a goroutine that may not have had its
// turn yet.
func (h *heeded) err() error {
	if h.stop == nil || h.ctx.Err() == nil {
		return nil
	}
	h.stop.Store(true)
	return fmt.Errorf("stopped: %w", context.Cause(h.ctx))
}

// remember keeps the state in which something begins that takes several steps. Meshes are those of the last good step.
func (h *heeded) remember(w *World) {
	if h.ctx != nil && h.ctx.Done() != nil && h.begin == nil {
		w.revert()
		h.begin = w.Snapshot()
	}
}

// undo goes back to what is remembered if err is because of the context, and forgets it. It returns err.
func (h *heeded) undo(w *World, err error) error {
	if h.begin != nil && h.err() != nil {
		err = errors.Join(err, w.Restore(h.begin))
	}
	h.begin = nil
	return err
}
