package run

import (
	"context"
	"fmt"
	"io"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/scene"
)

// FromScene returns the job of playing a scene, with its world built for the given number of workers;
// 0 means all cores. Close it after use.
func FromScene(s *scene.Scene, workers int) (Job, error) {
	if workers < 0 {
		return Job{}, fmt.Errorf("%d workers: must not be negative", workers)
	}
	job := Job{Name: s.Title(), Scene: s.Resolved(), FPS: s.Time.FPS, Step: s.Time.Step, End: s.Time.End}
	// The scene file comes first, then the files it names.
	for i, in := range s.Inputs() {
		input := cache.Input{Path: in.Path, SHA256: in.SHA256}
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
	built, err := s.Build()
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

// SceneKey returns the run key of a scene that this program plays, see cache.Manifest.RunKey. It need not be built.
func SceneKey(s *scene.Scene, keep cache.Keep, stop []cache.Condition, probes []cache.Probe) (string, error) {
	program, err := cache.Program()
	if err != nil {
		return "", err
	}
	m := cache.Manifest{
		Build: cache.ThisBuild(), Program: program, Scene: s.Resolved(), Keep: keep, Stop: stop, Probes: probes,
	}
	for _, in := range s.Inputs()[1:] { // the first is the scene itself
		m.Inputs = append(m.Inputs, cache.Input{Path: in.Path, SHA256: in.SHA256})
	}
	return m.RunKey()
}

// dressScene returns the Dress of a scene's job.
func dressScene(
	s *scene.Scene,
	workers int,
) func(context.Context, []byte, scene.DressOptions) (*engine.World, io.Closer, []byte, error) {
	return func(ctx context.Context, saved []byte, opt scene.DressOptions) (*engine.World, io.Closer, []byte, error) {
		dressed := &scene.Dressed{}
		var err error
		if saved != nil {
			err = dressed.UnmarshalBinary(saved)
		} else {
			opt.Workers = workers
			dressed, err = s.Dress(ctx, opt)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		built, err := s.BuildDressed(dressed)
		if err != nil {
			return nil, nil, nil, err
		}
		built.World.SetWorkers(workers)
		state, err := dressed.MarshalBinary()
		return built.World, built, state, err
	}
}
