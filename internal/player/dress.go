package player

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/runfolder"
)

// dress has the world dressed, or as an earlier session left it dressed. It goes on from where that was interrupted, or
// from what another run has sewn.
func (p *worldSim) dress(ctx context.Context, folder *runfolder.Writer, opt *Options) error {
	if p.job.Dress == nil {
		return nil
	}
	// what an earlier session has dressed
	dressed, err := folder.Dressed()
	if err != nil {
		return err
	}
	how := dress.Options{Tell: opt.Dressing}
	var writing error
	// else go on from where it was interrupted, and save now and then
	if dressed == nil {
		saved := time.Now()
		how.Save = func(state func() ([]byte, error)) {
			if time.Since(saved) < opt.Every && ctx.Err() == nil {
				return
			}
			data, err := state()
			if err == nil {
				err = folder.WriteDressing(data)
			}
			writing, saved = errors.Join(writing, err), time.Now()
		}
		if how.Saved, err = folder.Dressing(); err != nil {
			return err
		}
		p.job.ShareSewn(opt.Sewn, &how)
	}
	// dress; sew again if what was saved does not fit
	world, open, state, err := p.job.Dress(ctx, dressed, how)
	if errors.Is(err, dress.ErrFitting) {
		folder.Notes = append(folder.Notes, "what was sewn before cannot be gone on with; sewing again")
		how.Saved = nil
		world, open, state, err = p.job.Dress(ctx, dressed, how)
	}
	// what kept it from ending
	switch {
	case writing != nil:
		return writing
	case ctx.Err() != nil:
		return fmt.Errorf("%w while dressing; run the same command again to go on", ErrInterrupted)
	case err != nil:
		return fmt.Errorf("dressing before the first frame: %w", err)
	}
	// the dressed world, kept for later sessions
	p.job.World, p.open = world, open
	if dressed != nil {
		return nil
	}
	return folder.WriteDressed(state)
}

// ShareSewn has dressing begin with what is sewn already, unless more is done, and keep what it sews. Neither is worth
// failing for. Without garments to share, sewn is nil.
func (j *Job) ShareSewn(sewn *runfolder.Sewn, how *dress.Options) {
	if sewn == nil || j.SewingKey == "" {
		return
	}
	if how.Saved == nil {
		how.Saved = sewn.Get(j.SewingKey)
	}
	if how.Saved == nil {
		how.Sewn = func(state []byte) { _ = sewn.Put(j.SewingKey, j.Name, state) }
	}
}
