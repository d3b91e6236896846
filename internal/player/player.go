package player

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/runfolder"
)

// player is one session of Play. The run is a schedule of Frames-1 intervals of Substeps steps each;
// (frame, substep) says how much of it is done, and nothing else decides what comes next.
type player struct {
	job    *Job
	opt    *Options
	timing runfolder.Timing
	folder *runfolder.Writer

	sim            Simulation
	probes         *probes
	frame, substep int // the last frame reached, and steps done since
	summary        Summary
	last           *Step    // that was told of
	taken          []taken  // since the last step of the schedule
	notes          []string // for the next report

	began   time.Time
	saved   time.Time // when the last checkpoint was written
	started time.Time // when the first step of this session began
	first   int       // steps of the schedule done by then
	start   float64   // and the time reached then [s]
	left    time.Duration
}

// resume brings simulation and folder to the newest checkpoint, or to frame 0.
func (p *player) resume(ctx context.Context) error {
	// a world is dressed first
	if world, ok := p.sim.(*worldSim); ok {
		if err := world.prepare(ctx, p.folder, p.opt); err != nil {
			return err
		}
	}
	// probes and columns
	var err error
	if p.probes, err = newProbes(p.sim, p.job.Probes); err != nil {
		return err
	}
	p.folder.Columns = p.sim.Columns()
	if from, ok := p.sim.(lossy); ok {
		p.folder.More = from.lossColumns()
	}
	// newest checkpoint, and the shapes that are kept apart from frames
	c, err := p.folder.Resume(p.sim.Restore)
	p.summary.Notes = p.folder.Notes
	if err != nil {
		return err
	}
	if err := p.folder.WriteShapes(p.sim.Bodies()); err != nil {
		return err
	}
	// go on from the checkpoint
	if c != nil {
		if world, ok := p.sim.(*worldSim); ok {
			stats, err := p.folder.Stats()
			if err != nil {
				return err
			}
			world.recallTorn(stats)
		}
		p.frame, p.substep = c.Frame, c.Substep
		p.summary.Resumed, p.summary.From = true, c.Frame
		p.summary.Already = p.ended()
		p.saved = time.Now()
		if p.summary.Already {
			return p.tidy()
		}
		return nil
	}
	// begin, with frame 0
	notes, err := p.sim.Begin(ctx)
	p.summary.Notes = append(p.summary.Notes, notes...)
	if err != nil {
		return err
	}
	p.frame = 0
	if err := p.writeFrame(); err != nil {
		return err
	}
	return p.save()
}

// play runs the rest of the schedule.
func (p *player) play(ctx context.Context) error {
	p.started, p.first, p.start = time.Now(), p.done(), p.sim.Time()
	p.report()
	for !p.ended() {
		if ctx.Err() != nil {
			return p.interrupt()
		}
		if err := p.step(ctx); err != nil {
			if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
				return p.interrupt()
			}
			return err
		}
		if err := p.saveIfDue(); err != nil {
			return err
		}
	}
	return p.tidy()
}

// tidy removes what a complete run does not need, if it is to be small.
func (p *player) tidy() error {
	if p.job.Keep == runfolder.KeepAll {
		return nil
	}
	return p.folder.KeepNewest()
}

// ended reports whether the last frame is reached, by the schedule or because a condition is met.
func (p *player) ended() bool {
	return p.substep == 0 && (p.frame == p.timing.Frames-1 || p.folder.Met() != nil)
}

// writeFrame writes the frame that is reached, if it is kept.
func (p *player) writeFrame() error {
	if !p.job.Keep.Keeps(p.frame, p.ended()) {
		return p.folder.Flush()
	}
	return p.folder.WriteFrame(p.sim.Frame(p.frame))
}

// step takes one step of the schedule and, at the end of an interval, writes the frame.
func (p *player) step(ctx context.Context) error {
	p.taken = p.taken[:0]
	if err := p.sim.Advance(ctx, p.timing.Step, p.tell); err != nil {
		return fmt.Errorf("on the way to frame %d, at t = %.6g s: %w", p.frame+1, p.sim.Time(), err)
	}
	for _, s := range p.taken {
		p.count(s)
	}
	if p.substep++; p.substep == p.timing.Substeps {
		p.frame, p.substep = p.frame+1, 0
		if err := p.writeFrame(); err != nil {
			return err
		}
		p.estimate()
		p.report()
	}
	return nil
}

// taken is a step that was taken, and what was probed and lost after it.
type taken struct {
	*Step
	probed []float64
}

// count records one step of the schedule, or a part of it.
func (p *player) count(s taken) {
	if s.Stats != nil {
		p.folder.AddStats(p.frame+1, s.Stats, s.probed...)
	} else {
		p.folder.AddRow(p.frame+1, s.Number, s.Time, s.Values, s.probed...)
	}
}

// tell tells of a step. It counts only when all parts of its step of the schedule are taken.
func (p *player) tell(s *Step) {
	more := slices.Clone(p.probes.read())
	if from, ok := p.sim.(lossy); ok {
		more = from.appendLosses(more)
	}
	p.taken = append(p.taken, taken{s, more})
	p.last, p.notes = s, append(p.notes, s.Notes...)
	if p.opt.EachStep != nil {
		p.opt.EachStep(s, p.frame+1)
	}
	p.estimate()
	p.report()
}

// saveIfDue writes a checkpoint if the clock, the number of frames or the end of the run asks for it.
func (p *player) saveIfDue() error {
	atFrame := p.substep == 0
	counted := atFrame && p.opt.EveryFrames > 0 && p.frame%p.opt.EveryFrames == 0
	if p.ended() || counted || time.Since(p.saved) >= p.opt.Every {
		return p.save()
	}
	return nil
}

// save writes a checkpoint of the state as it is.
func (p *player) save() error {
	c, err := p.sim.Checkpoint()
	if err != nil {
		return err
	}
	c.Frame, c.Substep = p.frame, p.substep
	err = p.folder.WriteCheckpoint(c)
	p.saved = time.Now()
	return err
}

func (p *player) interrupt() error {
	if err := p.save(); err != nil {
		return fmt.Errorf("%w, and the checkpoint could not be written: %w", ErrInterrupted, err)
	}
	return fmt.Errorf(
		"%w after frame %d of %d; run the same command again to go on",
		ErrInterrupted,
		p.frame,
		p.timing.Frames-1,
	)
}

// done returns the number of steps of the schedule that are done.
func (p *player) done() int { return p.frame*p.timing.Substeps + p.substep }

// estimate foretells the time left from the pace of this session.
func (p *player) estimate() {
	done := p.done() - p.first
	if done <= 0 {
		return
	}
	pace := time.Since(p.started).Seconds() / float64(done)
	rest := (p.timing.Frames-1)*p.timing.Substeps - p.done()
	p.left = time.Duration(pace * float64(rest) * float64(time.Second))
}

func (p *player) report() {
	if p.opt.Progress == nil {
		return
	}
	t := p.sim.Time()
	speed := 0.0
	if s := time.Since(p.started).Seconds(); s > 0 {
		speed = (t - p.start) / s
	}
	p.opt.Progress(Progress{
		Frame: p.frame, Frames: p.timing.Frames,
		Time: t, End: float64(p.timing.Frames-1) / p.timing.FPS,
		Step: p.last, Left: p.left, Speed: speed, Note: strings.Join(p.notes, "; "),
	})
	p.notes = nil
}

func (p *player) finish() Summary {
	s := &p.summary
	if world, ok := p.sim.(*worldSim); ok {
		s.Notes, s.Torn = append(s.Notes, world.dump.notes()...), world.whatTore()
		world.close()
	}
	s.Frames, s.Steps, s.Time = p.frame+1, p.sim.Steps(), p.sim.Time()
	s.Hash = p.sim.Hash()
	s.Complete = p.ended()
	if met := p.folder.Met(); met != nil && s.Complete {
		s.Stopped = met.String()
	}
	s.Elapsed = time.Since(p.began)
	return *s
}
