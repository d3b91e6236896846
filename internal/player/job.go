package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
)

// ErrInterrupted says that the run was cancelled and can be continued.
var ErrInterrupted = errors.New("interrupted")

// Job is something to play.
type Job struct {
	// World is where the run starts. Play advances it.
	World *engine.World
	// Simulation is what is played if it is no World, which is nil then, as are Dress, Repair and Settle.
	Simulation Simulation
	// Name is what the scene calls itself.
	Name string
	// Scene describes the whole scene as JSON, in a form that is the same for the same scene. A
	// folder is only continued by a job with an equal Scene.
	Scene json.RawMessage
	// Source is the scene file, for the record; may be nil.
	Source *runfolder.Input
	// Inputs are the other files that went into World.
	Inputs []runfolder.Input
	// FPS is the number of frames a second [1/s], positive.
	FPS float64
	// Step is the largest time step [s], positive. A frame is cut into equal steps.
	Step float64
	// End is the time of the last frame [s], not negative; rounded up to a whole number of frames. Frames are numbered
	// from 0, which shows the start.
	End float64
	// Dress, if not nil, sews garments and puts them on before frame 0. It returns the world that takes the place of
	// World, what that reads from, and a state from which it can be had again: given that state as dressed, Dress
	// builds the world and does nothing else.
	Dress func(
		ctx context.Context, dressed []byte, opt dress.Options,
	) (*engine.World, io.Closer, []byte, error)
	// SewingKey names the state in which all is sewn, for those who share it; empty: nobody may.
	SewingKey string
	// Repair makes cloths that start crossed come apart before frame 0.
	Repair bool
	// Settle, if not nil, finds the equilibrium before frame 0.
	Settle *engine.SettleOptions
	// Keep says which frames stay in the folder.
	Keep runfolder.Keep
	// Stop are conditions of which any ends the run early, at the next frame.
	Stop []runfolder.Condition
	// Probes are what the statistics tell of beside their own columns.
	Probes []runfolder.Probe

	open  io.Closer // what World reads from while it advances
	later []string  // bodies that World has only once it is dressed
}

// Close closes the files that World reads from while it advances. The job cannot be played afterwards.
func (j *Job) Close() error {
	if j.open == nil {
		return nil
	}
	return j.open.Close()
}

// timing cuts the job into frames and steps. A quotient that rounding put just beside a whole number
// is that number.
func (j *Job) timing() (runfolder.Timing, error) {
	var faults []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
	check((j.World != nil) != (j.Simulation != nil), "the job must have either a world or another simulation")
	check(positive(j.FPS), "%g frames a second: must be positive", j.FPS)
	check(positive(j.Step), "a step of %g s: must be positive", j.Step)
	check(j.End == 0 || positive(j.End), "an end at %g s: must not be negative", j.End)
	check(json.Valid(j.Scene), "the scene is not JSON")
	if len(faults) > 0 {
		return runfolder.Timing{}, errors.Join(faults...)
	}
	// A whole number of frames stays whole in spite of rounding; a part of a frame is simulated to its end.
	last := math.Ceil(j.End * j.FPS * (1 - 1e-12))
	substeps := max(1, math.Ceil(1/(j.FPS*j.Step)*(1-1e-12)))
	check(last < runfolder.MaxFrames, "%g frames: at most %d are allowed", last, runfolder.MaxFrames)
	check(
		substeps <= runfolder.MaxSubsteps, "%g steps a frame: at most %d are allowed", substeps, runfolder.MaxSubsteps,
	)
	if len(faults) > 0 {
		return runfolder.Timing{}, errors.Join(faults...)
	}
	return runfolder.Timing{
		FPS: j.FPS, Frames: int(last) + 1,
		Substeps: int(substeps), Step: 1 / (j.FPS * substeps),
	}, nil
}

func (j *Job) manifest(t runfolder.Timing, sim Simulation) (runfolder.Manifest, error) {
	options, err := sim.Settings()
	if err != nil {
		return runfolder.Manifest{}, err
	}
	program, err := runfolder.Program()
	if err != nil {
		return runfolder.Manifest{}, err
	}
	return runfolder.Manifest{
		Name: j.Name, Time: t, Start: sim.Hash().String(), Build: runfolder.ThisBuild(), Program: program,
		Source: j.Source, Inputs: j.Inputs, Options: options, Scene: j.Scene,
		Keep: j.Keep, Stop: j.Stop, Probes: j.Probes,
	}, nil
}

// Options say where and how a job is played. None of them bears on what is computed.
type Options struct {
	// Dir is the run folder, made if need be.
	Dir string
	// Force replaces what Dir holds instead of continuing it.
	Force bool
	// Every is the longest time between checkpoints [wall clock]; 0 or less: as often as a step.
	Every time.Duration
	// EveryFrames writes a checkpoint also whenever so many frames are done; 0: only by the clock.
	EveryFrames int
	// Progress, if not nil, is called before the first step, after every step and after every frame.
	Progress func(Progress)
	// Dressing, if not nil, is called after every step before frame 0, while garments are sewn and put on.
	Dressing func(dress.Dressing)
	// Sewn, if not nil, is where garments that were sewn are kept for other runs, and looked for.
	Sewn *runfolder.Sewn
	// EachStep, if not nil, is called after every step, before Progress, with the frame that the step leads to, from 1.
	EachStep func(s *Step, frame int)
	// Dump are the numbers of steps of a World, from 1, whose contact problems are written to the folder. Those that
	// could not be are named in Summary.Notes.
	Dump []int
}

// DefaultOptions returns the options for a run into dir: a checkpoint every 30 seconds, so that a kill
// costs at most that and writing them costs about nothing.
func DefaultOptions(dir string) Options { return Options{Dir: dir, Every: 30 * time.Second} }

// Progress is how far a run is.
type Progress struct {
	Frame, Frames int           // the last frame written, numbered from 0, and how many there will be
	Time, End     float64       // reached, and of the last frame [s]
	Step          *Step         // the last; nil before the first
	Left          time.Duration // estimate; negative while unknown
	Speed         float64       // simulated seconds a second since this run was started or resumed
	Note          string        // something a person should know, such as a step halved many times
}

// Summary is what came of a run.
type Summary struct {
	Frames   int           // written so far, with those of earlier sessions
	Steps    int           // taken, with those of earlier sessions
	Time     float64       // reached [s]
	Hash     engine.Hash   // of the state reached
	Resumed  bool          // went on from a checkpoint
	From     int           // the last frame that was there then
	Complete bool          // the last frame is written
	Stopped  string        // the condition that made it the last; empty if none did
	Already  bool          // and was before; nothing was computed
	Notes    []string      // what was found and put right
	Torn     string        // the joint or attachment that does not hold; empty if all do
	Elapsed  time.Duration // wall clock of this session
}
