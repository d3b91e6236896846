package player

import (
	"context"
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// prepare makes the world the one that dressing leads to, if the job dresses, and begins to record it. From then on the
// world heeds ctx.
func (p *worldSim) prepare(ctx context.Context, folder *runfolder.Writer, opt *Options) error {
	p.dump = dump{want: opt.Dump, folder: folder}
	if err := p.dress(ctx, folder, opt); err != nil {
		return err
	}
	p.job.World.SetContext(ctx)
	p.recorder = runfolder.NewRecorder(p.job.World) // at the start of the run, as it must
	return nil
}

// Begin separates layers, undoes crossings and finds the equilibrium, as far as the job asks for it.
func (p *worldSim) Begin(ctx context.Context) (notes []string, err error) {
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
func (p *worldSim) Advance(_ context.Context, h float64, tell func(*Step)) error {
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
func (p *worldSim) notes(s *engine.Stats) (notes []string) {
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
