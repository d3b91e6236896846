package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// worldPlay plays the world of a job.
type worldPlay struct {
	job      *Job
	recorder *runfolder.Recorder // once the world is the one that is played
	open     io.Closer           // what the dressed world reads from
	dump     dump

	crossed      bool // a person has been told of crossings
	safe, forced bool // and of what the fail-safe did, and could not do
	torn         int  // steps of the run in which something joined did not hold
	lost         []engine.BodyLoss
}

// simulation returns what a job plays.
func (j *Job) simulation() Simulation {
	if j.World != nil {
		return &worldPlay{job: j}
	}
	return j.Simulation
}

// recordedOptions is what run.json says about settings.
type recordedOptions struct {
	World  worldOptions          `json:"world"`
	Settle *engine.SettleOptions `json:"settle,omitempty"`
}

// worldOptions hides the number of workers, which does not change results.
type worldOptions struct {
	engine.Options
	Workers *struct{} `json:",omitempty"`
}

func (p *worldPlay) Settings() (json.RawMessage, error) {
	return json.Marshal(
		recordedOptions{World: worldOptions{Options: p.job.World.Options()}, Settle: p.job.Settle},
	)
}

func (p *worldPlay) Columns() []string { return nil }

// prepare makes the world the one that dressing leads to, if the job dresses, and begins to record it. From then on the
// world heeds ctx.
func (p *worldPlay) prepare(ctx context.Context, folder *runfolder.Writer, opt *Options) error {
	p.dump = dump{want: opt.Dump, folder: folder}
	if err := p.dress(ctx, folder, opt); err != nil {
		return err
	}
	p.job.World.Heed(ctx)
	p.recorder = runfolder.NewRecorder(p.job.World) // at the start of the run, as it must
	return nil
}

// close lets the world go, and closes what it reads from if it was dressed.
func (p *worldPlay) close() {
	p.job.World.Heed(context.Background())
	if p.open != nil {
		_ = p.open.Close() // read only
	}
}

// Begin separates layers, undoes crossings and finds the equilibrium, as far as the job asks for it.
func (p *worldPlay) Begin(ctx context.Context) (notes []string, err error) {
	defer func() {
		if ctx.Err() != nil {
			err = fmt.Errorf("%w before the first frame, which will begin again", ErrInterrupted)
		}
	}()
	apart, err := p.separate()
	if err != nil {
		return nil, err
	}
	notes = append(apart, p.repair()...)
	if p.job.Settle == nil {
		return notes, nil
	}
	stats, err := p.job.World.Settle(*p.job.Settle)
	if err != nil {
		return notes, fmt.Errorf("settling before the first frame: %w", err)
	}
	if !stats.Converged {
		notes = append(
			notes,
			fmt.Sprintf("settling stopped before it reached its tolerance, after %d iterations", stats.Iterations),
		)
	}
	return notes, nil
}

// Advance heeds the context that prepare was given.
func (p *worldPlay) Advance(_ context.Context, h float64, tell func(*Step)) error {
	w := p.job.World
	p.dump.begin(w)
	err := w.Advance(h, h, func(s engine.Stats) {
		tell(&Step{Number: s.Step, Time: s.Time, Notes: p.notes(&s), World: w, Stats: &s})
	})
	if err != nil {
		return err
	}
	return p.dump.end(w)
}

// manyHalvings is how often a step is halved before a person is told.
const manyHalvings = 4

// notes says what a person should know of a step, of most things once.
func (p *worldPlay) notes(s *engine.Stats) (notes []string) {
	tell := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if s.Halvings >= manyHalvings {
		tell("step %d at t = %.6g s has halved its time step %d times", s.Step, s.Time, s.Halvings)
	}
	if f := s.Failsafe; f.Rounds > 0 && !p.safe {
		p.safe = true
		tell(
			"step %d at t = %.6g s would have crossed; the motion of %s was changed so that it does not (column failsafe of stats.csv tells of all such steps)",
			s.Step,
			s.Time,
			words.Count(f.Blocks, "vertex"),
		)
	}
	if f := s.Failsafe; f.Left > 0 && !p.forced {
		p.forced = true
		tell("step %d at t = %.6g s: obstacles or pins leave no room, and cloth crosses", s.Step, s.Time)
	}
	if s.Crossings > 0 && !p.crossed {
		p.crossed = true
		tell("from step %d at t = %.6g s on there are crossings: %s", s.Step, s.Time, Describe(p.job.World, s.Crossed))
	}
	if note := p.tornBy(s); note != "" {
		tell("%s", note)
	}
	return notes
}

// Describe says in words what crosses.
func Describe(w *engine.World, c engine.Crossing) string {
	a, b := w.SurfaceName(engine.SurfaceID(c.SurfaceA)), w.SurfaceName(engine.SurfaceID(c.SurfaceB))
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

func (p *worldPlay) Time() float64 { return p.job.World.Time() }

func (p *worldPlay) Steps() int { return p.job.World.Steps() }

func (p *worldPlay) Hash() engine.Hash { return p.job.World.Snapshot().Hash() }

func (p *worldPlay) Checkpoint() (*runfolder.Checkpoint, error) {
	s := p.job.World.Snapshot()
	state, err := s.MarshalBinary()
	return &runfolder.Checkpoint{Step: s.Steps(), Hash: s.Hash(), State: state}, err
}

func (p *worldPlay) Restore(c *runfolder.Checkpoint) error {
	var s engine.Snapshot
	if err := s.UnmarshalBinary(c.State); err != nil {
		return err
	}
	if s.Hash() != engine.Hash(c.Hash) || s.Steps() != c.Step {
		return errors.New("its state is not the one it was made of")
	}
	return p.job.World.Restore(&s)
}

func (p *worldPlay) Bodies() []runfolder.Body { return p.recorder.Bodies() }

func (p *worldPlay) Frame(number int) *runfolder.Frame { return p.recorder.Frame(number) }
