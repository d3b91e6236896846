// Package run plays scenes into run folders, and reads what they left.
//
// Whenever the process ends, in whatever way, playing the same scene into the same folder goes on from the newest
// checkpoint, and the folder comes out the same, bit for bit, as if nothing had happened, but for the clock columns of
// the statistics. docs/run-folder.md says what is in a folder.
package run

import (
	"context"
	"time"

	"github.com/toile-sim/toile/internal/bridge"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/scene"
)

// ErrInterrupted is what Play returns when it was cancelled and can be resumed.
var ErrInterrupted = player.ErrInterrupted

// Options say how a scene is played.
type Options struct {
	// Workers is the number of cores used; 0: all. The results are the same.
	Workers int
	// Force replaces what the folder holds instead of resuming it.
	Force bool
	// Every is the longest time between checkpoints [wall clock]; 0 or less: as often as a step.
	Every time.Duration
	// EveryFrames writes a checkpoint also whenever so many frames are done; 0: only by the clock.
	EveryFrames int
	// Keep says which frames stay in the folder: all, last or stats (none); empty: all.
	Keep string
	// Stop are conditions on columns of the statistics, such as "max speed < 1e-4 for 0.2 s". Any of them ends the
	// run early, at the next frame.
	Stop []string
	// Probes are what the statistics have beside their own columns: vertex BODY NUMBER, centroid BODY, force BODY BODY
	// or pin BODY NUMBER.
	Probes []string
	// EachStep, if not nil, is called after every step.
	EachStep func(Step)
	// EachFrame, if not nil, is called after every frame.
	EachFrame func(Progress)
}

// DefaultOptions writes a checkpoint every 30 seconds, so that a kill costs at most that and writing costs about
// nothing.
func DefaultOptions() Options { return Options{Every: player.DefaultOptions("").Every} }

// Step is a step that was taken.
type Step struct {
	Number int      // from 1
	Time   float64  // at its end [s]
	Notes  []string // what a person should know, such as a step halved many times
}

// Progress is how far a run is.
type Progress struct {
	Frame, Frames int           // the last frame written, numbered from 0, and how many there will be
	Time, End     float64       // reached, and of the last frame [s]
	Left          time.Duration // estimate; negative while unknown
}

// Summary is what came of a run.
type Summary struct {
	Frames, Steps int           // written and taken so far, with those of earlier sessions
	Time          float64       // reached [s]
	Hash          string        // of the state reached
	Resumed       bool          // from a checkpoint
	Complete      bool          // the last frame is written
	Stopped       string        // the condition that made it the last; empty if none did
	Already       bool          // it was complete before, and nothing was computed
	Notes         []string      // what was found and put right
	Torn          string        // the joint or attachment that does not hold; empty if all do
	Elapsed       time.Duration // wall clock of this session
}

// Play plays a scene into the folder dir, from the newest checkpoint there if it holds an unfinished run of the same
// scene. When ctx is cancelled it finishes the step, writes a checkpoint and returns an error that wraps
// ErrInterrupted. Other errors leave the newest checkpoint as it was.
func Play(ctx context.Context, s *scene.Scene, dir string, opt Options) (sum Summary, err error) {
	job, err := player.FromScene(bridge.File(s), opt.Workers)
	if err != nil {
		return Summary{}, err
	}
	defer func() {
		if closing := job.Close(); err == nil {
			err = closing
		}
	}()
	if err := opt.apply(&job); err != nil {
		return Summary{}, err
	}
	how := player.Options{
		Dir: dir, Force: opt.Force, Every: opt.Every, EveryFrames: opt.EveryFrames, Progress: opt.report(),
	}
	if opt.EachStep != nil {
		how.EachStep = func(s *player.Step, _ int) { opt.EachStep(Step{s.Number, s.Time, s.Notes}) }
	}
	done, err := player.Play(ctx, job, how)
	return Summary{
		Frames: done.Frames, Steps: done.Steps, Time: done.Time, Hash: done.Hash.String(), Resumed: done.Resumed,
		Complete: done.Complete, Stopped: done.Stopped, Already: done.Already, Notes: done.Notes, Torn: done.Torn,
		Elapsed: done.Elapsed,
	}, err
}

// apply sets what bears on the contents of the folder.
func (o *Options) apply(job *player.Job) (err error) {
	if o.Keep != "" {
		if job.Keep, err = runfolder.ParseKeep(o.Keep); err != nil {
			return err
		}
	}
	for _, text := range o.Stop {
		c, err := runfolder.ParseCondition(text)
		if err != nil {
			return err
		}
		job.Stop = append(job.Stop, c)
	}
	for _, text := range o.Probes {
		p, err := runfolder.ParseProbe(text)
		if err != nil {
			return err
		}
		job.Probes = append(job.Probes, p)
	}
	return nil
}

// report returns what the player calls after every step and frame: EachFrame, once for each frame.
func (o *Options) report() func(player.Progress) {
	if o.EachFrame == nil {
		return nil
	}
	last := -2
	return func(p player.Progress) {
		if p.Frame != last {
			last = p.Frame
			o.EachFrame(Progress{Frame: p.Frame, Frames: p.Frames, Time: p.Time, End: p.End, Left: p.Left})
		}
	}
}
