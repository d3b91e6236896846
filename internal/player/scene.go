package player

import (
	"context"
	"fmt"
	"io"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
)

// FromScene returns the job of playing a scene, with its world built for the given number of workers;
// 0 means all cores. Close it after use.
func FromScene(s *scenefile.Scene, workers int) (Job, error) {
	if workers < 0 {
		return Job{}, fmt.Errorf("%d workers: must not be negative", workers)
	}
	job := Job{Name: s.Title(), Scene: s.Resolved(), FPS: s.Time.FPS, Step: s.Time.Step, End: s.Time.End}
	// The scene file comes first, then the files it names.
	for i, in := range s.Inputs() {
		input := runfolder.Input{Path: in.Path, SHA256: in.SHA256}
		if i == 0 {
			job.Source = &input
		} else {
			job.Inputs = append(job.Inputs, input)
		}
	}
	if s.HasYarns() {
		err := yarnJob(s, workers, &job)
		return job, err
	}
	built, err := build.World(s)
	if err != nil {
		return Job{}, err
	}
	built.World.SetWorkers(workers)
	job.World, job.open, job.Repair = built.World, built, s.Contact.Repair
	if s.Dresses() {
		job.Dress, job.SewingKey = dressScene(s, workers), s.SewingKey()
		for i := range s.Rigids {
			job.later = append(job.later, s.Rigids[i].Name)
		}
		for i := range s.Solids {
			job.later = append(job.later, s.Solids[i].Name)
		}
	}
	if t := s.Time.Settle; t != nil {
		job.Settle = &engine.SettleOptions{
			Tolerance:     t.Tolerance,
			MaxIterations: t.Iterations,
			LoadSteps:     t.Loads,
			Step:          t.Step,
		}
	}
	return job, nil
}

// SceneKey returns the run key of a scene that this program plays, see runfolder.Manifest.RunKey. It need not be built.
func SceneKey(
	s *scenefile.Scene, keep runfolder.Keep, stop []runfolder.Condition, probes []runfolder.Probe,
) (string, error) {
	program, err := runfolder.Program()
	if err != nil {
		return "", err
	}
	m := runfolder.Manifest{
		Build: runfolder.ThisBuild(), Program: program, Scene: s.Resolved(), Keep: keep, Stop: stop, Probes: probes,
	}
	for _, in := range s.Inputs()[1:] { // the first is the scene itself
		m.Inputs = append(m.Inputs, runfolder.Input{Path: in.Path, SHA256: in.SHA256})
	}
	return m.RunKey()
}

// dressScene returns the Dress of a scene's job.
func dressScene(
	s *scenefile.Scene,
	workers int,
) func(context.Context, []byte, dress.Options) (*engine.World, io.Closer, []byte, error) {
	return func(
		ctx context.Context, saved []byte, opt dress.Options,
	) (*engine.World, io.Closer, []byte, error) {
		dressed := &dress.Dressed{}
		var err error
		if saved != nil {
			err = dressed.UnmarshalBinary(saved)
		} else {
			opt.Workers = workers
			dressed, err = dress.Scene(ctx, s, opt)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		built, err := dress.World(s, dressed)
		if err != nil {
			return nil, nil, nil, err
		}
		built.World.SetWorkers(workers)
		state, err := dressed.MarshalBinary()
		return built.World, built, state, err
	}
}
