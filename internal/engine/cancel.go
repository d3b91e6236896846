package engine

import (
	"context"
	"errors"
	"sync/atomic"
)

// SetContext has whatever takes long, such as Step, Advance and Settle, end soon after ctx is done, with an error that
// wraps its cause. The world is then as it was: Step and Settle leave it where they began, and Advance after the last
// of its steps that it did not have to halve. What is computed does not depend on it. The next call of SetContext takes
// its place.
func (w *World) SetContext(ctx context.Context) {
	if w.canceler.forget != nil {
		w.canceler.forget()
	}
	stop := new(atomic.Bool)
	stop.Store(ctx.Err() != nil)
	w.canceler = canceler{ctx: ctx, stop: stop, forget: context.AfterFunc(ctx, func() { stop.Store(true) })}
	w.team.Heed(w.canceler.stop)
}

// remember keeps the state in which something begins that takes several steps. Meshes are those of the last good step.
func (h *canceler) remember(w *World) {
	if h.ctx != nil && h.ctx.Done() != nil && h.begin == nil {
		w.revert()
		h.begin = w.Snapshot()
	}
}

// undo goes back to what is remembered if err is because of the context, and forgets it. It returns err.
func (h *canceler) undo(w *World, err error) error {
	if h.begin != nil && h.err() != nil {
		err = errors.Join(err, w.Restore(h.begin))
	}
	h.begin = nil
	return err
}
