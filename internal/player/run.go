// Package player plays a scene into a run folder: the one loop that does so, resumable and cancellable.
//
// Whenever the process ends, in whatever way, playing the same job into the same folder goes on from
// the newest checkpoint, and the folder comes out the same, bit for bit, as if nothing had happened,
// but for the clock columns of the statistics. Clocks decide when a checkpoint is written and never
// what is in it.
package player

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/toile-sim/toile/internal/runfolder"
)

// Play plays the job into opt.Dir, from the newest checkpoint there if it holds an unfinished run of the
// same job. When ctx is cancelled it finishes the step under way, writes a checkpoint and returns an
// error that wraps ErrInterrupted. Other errors leave the newest checkpoint as it was. The summary is
// valid with every error that comes after the folder was opened.
func Play(ctx context.Context, job Job, opt Options) (Summary, error) {
	began := time.Now()
	// what cannot be played is refused before the folder is opened
	if opt.Dir == "" {
		return Summary{}, errors.New("no run folder is given")
	}
	timing, err := job.timing()
	if err != nil {
		return Summary{}, err
	}
	sim := job.simulation()
	if _, ok := sim.(*worldSim); !ok && len(opt.Dump) > 0 {
		return Summary{}, errors.New("this scene has no contact problems to write: only cloths and bodies do")
	}
	manifest, err := job.manifest(timing, sim)
	if err != nil {
		return Summary{}, err
	}
	if err := job.check(&manifest, sim); err != nil {
		return Summary{}, err
	}
	// run folder, new or of the same job
	w, err := runfolder.Begin(opt.Dir, manifest, opt.Force)
	if err != nil {
		return Summary{}, err
	}
	// player, before the first frame
	p := &player{
		job:    &job,
		opt:    &opt,
		timing: timing,
		folder: w,
		sim:    sim,
		frame:  -1,
		began:  began,
		left:   -1,
	}
	// from the newest checkpoint on, as far as it goes
	err = p.resume(ctx)
	if err == nil && !p.summary.Already {
		err = p.play(ctx)
	}
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return p.finish(), err
}

// check finds what cannot be told or waited for, before the folder is touched.
func (j *Job) check(m *runfolder.Manifest, sim Simulation) error {
	if err := m.CheckStop(sim.Columns()); err != nil {
		return err
	}
	for _, p := range j.Probes {
		if err := j.checkProbe(sim, p); err != nil {
			return err
		}
	}
	return nil
}

// checkProbe reports why there is nothing to probe. Of what is dressed first, only the names of bodies are known.
func (j *Job) checkProbe(sim Simulation, p runfolder.Probe) error {
	if j.Dress == nil {
		_, err := newProbes(sim, []runfolder.Probe{p})
		return err
	}
	if err := probedNames(j.World, j.later, p); err != nil {
		return fmt.Errorf("probe %q: %w", p, err)
	}
	return nil
}

// CheckColumn reports why the statistics of the job will not have a column, of their own or of a probe.
func (j *Job) CheckColumn(column string) error {
	sim := j.simulation()
	if p, ok := runfolder.ProbeOf(column); ok {
		return j.checkProbe(sim, p)
	}
	return (&runfolder.Manifest{}).CheckColumn(sim.Columns(), column)
}
