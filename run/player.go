package run

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/words"
)

// player is one session of Play. The run is a schedule of Frames-1 intervals of Substeps steps each;
// (frame, substep) says how much of it is done, and nothing else decides what comes next.
type player struct {
	job    *Job
	opt    *Options
	timing cache.Timing
	folder *cache.Writer

	recorder       *cache.Recorder
	frame, substep int // the last frame written, and steps done since
	summary        Summary
	stats          toile.Stats
	notes          []string // for the next report
	crossed        bool     // a person has been told of crossings
	safe, forced   bool     // and of what the fail-safe did, and could not do
	dump           dump
	dressed        io.Closer // what the dressed world reads from

	began   time.Time
	saved   time.Time // when the last checkpoint was written
	started time.Time // when the first step of this session began
	first   int       // steps of the schedule done by then
	start   float64   // and the world's time [s]
	left    time.Duration
}

// resume brings world and folder to the newest checkpoint, or to frame 0.
func (p *player) resume(ctx context.Context) error {
	if err := p.dress(ctx); err != nil {
		return err
	}
	p.recorder = cache.NewRecorder(p.job.World) // at the start of the run, as it must
	c, err := p.folder.Resume(p.restore)
	p.summary.Notes = p.folder.Notes
	if err != nil {
		return err
	}
	if err := p.folder.WriteShapes(p.recorder.Bodies()); err != nil {
		return err
	}
	if c != nil {
		p.frame, p.substep = c.Frame, c.Substep
		p.summary.Resumed, p.summary.From = true, c.Frame
		p.summary.Already = p.timing.Last(c)
		p.saved = time.Now()
		return nil
	}
	if err := p.separate(); err != nil {
		return err
	}
	p.repair()
	if p.job.Settle != nil {
		stats, err := p.job.World.Settle(*p.job.Settle)
		if err != nil {
			return fmt.Errorf("settling before the first frame: %w", err)
		}
		if !stats.Converged {
			p.summary.Notes = append(
				p.summary.Notes,
				fmt.Sprintf("settling stopped before it reached its tolerance, after %d iterations", stats.Iterations),
			)
		}
	}
	if err := p.folder.WriteFrame(p.recorder.Frame(0)); err != nil {
		return err
	}
	p.frame = 0
	return p.save()
}

// dress makes the world the one that dressing leads to.
func (p *player) dress(ctx context.Context) error {
	if p.job.Dress == nil {
		return nil
	}
	saved, err := p.folder.Dressed()
	if err != nil {
		return err
	}
	world, open, state, err := p.job.Dress(ctx, saved, p.opt.Dressing)
	if ctx.Err() != nil {
		return fmt.Errorf("%w while dressing, which will begin again", ErrInterrupted)
	}
	if err != nil {
		return fmt.Errorf("dressing before the first frame: %w", err)
	}
	p.job.World = world
	p.dressed = open
	if saved != nil {
		return nil
	}
	return p.folder.WriteDressed(state)
}

// restore sets the world to a checkpoint, or says why it cannot be.
func (p *player) restore(c *cache.Checkpoint) error {
	var s toile.Snapshot
	if err := s.UnmarshalBinary(c.State); err != nil {
		return err
	}
	if s.Hash() != toile.Hash(c.Hash) || s.Steps() != c.Step {
		return fmt.Errorf("its state is not the one it was made of")
	}
	return p.job.World.Restore(&s)
}

// play runs the rest of the schedule.
func (p *player) play(ctx context.Context) error {
	p.started, p.first, p.start = time.Now(), p.done(), p.job.World.Time()
	p.report()
	for p.frame < p.timing.Frames-1 {
		if ctx.Err() != nil {
			return p.interrupt()
		}
		if err := p.step(); err != nil {
			return err
		}
		if err := p.saveIfDue(); err != nil {
			return err
		}
	}
	return nil
}

// step takes one step of the schedule and, at the end of an interval, writes the frame.
func (p *player) step() error {
	w, h := p.job.World, p.timing.Step
	p.dump.begin(w)
	if err := w.Advance(h, h, p.count); err != nil {
		return fmt.Errorf("on the way to frame %d, at t = %.6g s: %w", p.frame+1, w.Time(), err)
	}
	if err := p.dump.end(w, p.folder); err != nil {
		return err
	}
	if p.substep++; p.substep == p.timing.Substeps {
		if err := p.folder.WriteFrame(p.recorder.Frame(p.frame + 1)); err != nil {
			return err
		}
		p.frame, p.substep = p.frame+1, 0
		p.estimate()
		p.report()
	}
	return nil
}

// manyHalvings is how often a step is halved before a person is told.
const manyHalvings = 4

// count records one step of the world.
func (p *player) count(s toile.Stats) {
	p.folder.AddStats(p.frame+1, &s)
	p.stats = s
	if s.Halvings >= manyHalvings {
		p.tell("step %d at t = %.6g s has halved its time step %d times", s.Step, s.Time, s.Halvings)
	}
	if f := s.Failsafe; f.Rounds > 0 && !p.safe {
		p.safe = true
		p.tell(
			"step %d at t = %.6g s would have crossed; the motion of %s was changed so that it does not (column failsafe of stats.csv tells of all such steps)",
			s.Step,
			s.Time,
			words.Count(f.Blocks, "vertex"),
		)
	}
	if f := s.Failsafe; f.Left > 0 && !p.forced {
		p.forced = true
		p.tell("step %d at t = %.6g s: obstacles or pins leave no room, and cloth crosses", s.Step, s.Time)
	}
	if s.Crossings > 0 && !p.crossed {
		p.crossed = true
		p.tell(
			"from step %d at t = %.6g s on there are crossings: %s",
			s.Step,
			s.Time,
			Describe(p.job.World, s.Crossed),
		)
	}
	if p.opt.EachStep != nil {
		p.opt.EachStep(p.job.World, &s, p.frame+1)
	}
	p.estimate()
	p.report()
}

// tell has a person told something with the next report.
func (p *player) tell(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// Describe says in words what crosses.
func Describe(w *toile.World, c toile.Crossing) string {
	a, b := w.SurfaceName(toile.SurfaceID(c.SurfaceA)), w.SurfaceName(toile.SurfaceID(c.SurfaceB))
	switch {
	case c.Vertex >= 0:
		return fmt.Sprintf("vertex %d of %s is inside %s", c.Vertex, a, b)
	case c.TriangleB < 0:
		return fmt.Sprintf("triangle %d of %s is inside %s, or a part of it", c.TriangleA, a, b)
	case a == b:
		return fmt.Sprintf("triangles %d and %d of %s cross", c.TriangleA, c.TriangleB, a)
	}
	return fmt.Sprintf("triangle %d of %s crosses triangle %d of %s", c.TriangleA, a, c.TriangleB, b)
}

// saveIfDue writes a checkpoint if the clock, the number of frames or the end of the run asks for it.
func (p *player) saveIfDue() error {
	atFrame := p.substep == 0
	last := atFrame && p.frame == p.timing.Frames-1
	counted := atFrame && p.opt.EveryFrames > 0 && p.frame%p.opt.EveryFrames == 0
	if last || counted || time.Since(p.saved) >= p.opt.Every {
		return p.save()
	}
	return nil
}

// save writes a checkpoint of the state as it is.
func (p *player) save() error {
	s := p.job.World.Snapshot()
	state, err := s.MarshalBinary()
	if err != nil {
		return err
	}
	err = p.folder.WriteCheckpoint(&cache.Checkpoint{
		Frame: p.frame, Substep: p.substep, Step: s.Steps(), Hash: s.Hash(), State: state,
	})
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
	t := p.job.World.Time()
	speed := 0.0
	if s := time.Since(p.started).Seconds(); s > 0 {
		speed = (t - p.start) / s
	}
	p.opt.Progress(Progress{
		Frame: p.frame, Frames: p.timing.Frames,
		Time: t, End: float64(p.timing.Frames-1) / p.timing.FPS,
		Stats: p.stats, Left: p.left, Speed: speed, Note: strings.Join(p.notes, "; "),
	})
	p.notes = nil
}

func (p *player) finish() Summary {
	s := &p.summary
	w := p.job.World
	s.Notes = append(s.Notes, p.dump.notes()...)
	s.Frames, s.Steps, s.Time = p.frame+1, w.Steps(), w.Time()
	s.Hash = w.Snapshot().Hash()
	s.Complete = p.frame == p.timing.Frames-1
	s.Elapsed = time.Since(p.began)
	return *s
}
