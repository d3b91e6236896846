package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/sweep"
	"github.com/toile-sim/toile/internal/words"
)

// writeTemplates writes the jobs of a sweep for farms.
func writeTemplates(t *cli.Term, s *sweep.Sweep, f *sweepFlags) error {
	path := f.openjd
	write := func(w io.Writer) error {
		at, err := filepath.Abs(filepath.Dir(path))
		if err != nil {
			return err
		}
		return s.WriteOpenJD(w, at)
	}
	if f.slurm != "" {
		path = f.slurm
		write = func(w io.Writer) error { return s.WriteSlurm(w, "toile", f.dir) }
	}
	if _, err := s.Runs(); err != nil { // better here than on a thousand machines
		return sweepFault(err)
	}
	if err := disk.WriteFile(path, write); err != nil {
		return err
	}
	t.Wrote(path)
	t.Say("Wrote %s: %s.", path, words.Count(s.Count(), "run"))
	return nil
}

// trialRuns is how many runs are tried out to tell what all would take.
const trialRuns = 5

// trialTime is about how long each may take.
const trialTime = 3 * time.Second

// planEvent is what a sweep would take.
type planEvent struct {
	Event     string   `json:"event"`
	Runs      int      `json:"runs"`
	Distinct  int      `json:"distinct"` // with different keys
	Done      int      `json:"done"`     // of them
	CoreHours cli.Real `json:"core_hours"`
	Time      cli.Real `json:"time"` // on the wall, with the runs at a time that were asked for [s]
	Bytes     int64    `json:"bytes"`
}

// drySweep says what a sweep would take: from a few steps of a few runs, and the sizes of all.
func drySweep(ctx context.Context, t *cli.Term, s *sweep.Sweep, runs []sweep.Run, f *sweepFlags) error {
	// runs to play: not complete yet, equal ones once
	var todo []sweep.Run
	plan := planEvent{Event: "plan", Runs: len(runs)}
	for i := range runs {
		if runs[i].Same != runs[i].Index {
			continue
		}
		plan.Distinct++
		if _, err := s.Outcome(runs[i], sweep.FolderOf(f.dir, &runs[i])); err == nil {
			plan.Done++
			continue
		}
		todo = append(todo, runs[i])
	}
	// what they would take
	rate, err := stepRate(ctx, s, todo)
	if err != nil {
		return err
	}
	seconds := 0.0
	for i := range todo {
		seconds += rate * size(&todo[i]) * float64(todo[i].Cost.Steps)
		plan.Bytes += folderBytes(&todo[i], s.Keep())
	}
	plan.CoreHours = cli.Real(seconds / 3600)
	plan.Time = cli.Real(seconds / float64(max(1, min(f.jobs, len(todo)))))
	// the plan, for programs and for people
	t.Emit(plan)
	t.Say("%s: %s", t.Paint(cli.Bold, s.Name()), runsWords(runs))
	t.Say("  to play  %s (%s complete in %s)", words.Count(len(todo), "run"), words.Thousands(plan.Done), f.dir)
	t.Say("  time     about %.3g core-hours, %s with %d at a time, as long as little touches; "+
		"folds may take ten times longer",
		float64(plan.CoreHours), words.Seconds(float64(plan.Time)), f.jobs)
	t.Say("  disk     about %s, with --keep %s", words.Bytes(float64(plan.Bytes)), s.Keep())
	return nil
}

// size is what the time of a step is about proportional to.
func size(r *sweep.Run) float64 {
	return float64(max(1, r.Cost.Vertices+r.Cost.Points+r.Cost.Rigids))
}

// stepRate returns the time of a step for each vertex [s], by trying some of the runs out.
func stepRate(ctx context.Context, s *sweep.Sweep, runs []sweep.Run) (float64, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	// some runs, evenly spaced
	n := min(trialRuns, len(runs))
	took, vertices := 0.0, 0.0
	for k := range n {
		r := &runs[k*(len(runs)-1)/max(1, n-1)]
		// a rehearsal by toile check
		args := []string{"check", s.ScenePath(), "--json", "--workers", "1", "--rehearse", trialTime.String()}
		for _, set := range r.Set {
			args = append(args, "--set", set)
		}
		out, err := exec.CommandContext(ctx, program, args...).Output()
		if err != nil {
			return 0, fmt.Errorf("toile check of run %d: %w", r.Index, err)
		}
		// its time of a step
		var cost struct {
			StepTime float64 `json:"step_time"`
		}
		for line := range bytes.Lines(out) {
			if err := json.Unmarshal(line, &cost); err != nil {
				return 0, fmt.Errorf("toile check of run %d: %w", r.Index, err)
			}
		}
		took, vertices = took+cost.StepTime, vertices+size(r)
	}
	// time by vertex
	if vertices == 0 {
		return 0, nil
	}
	return took / vertices, nil
}

// Guesses of what is in a run folder beside frames [byte].
const (
	bytesPerStep = 500 // a row of statistics
	// bytesPerVertex is that of a checkpoint: position and velocity in double precision, and a contact.
	bytesPerVertex = 320
	bytesAtLeast   = 12_000 // run.json, obstacles.glb
)

// folderBytes guesses how large a run folder is when the run is complete.
func folderBytes(r *sweep.Run, keep runfolder.Keep) int64 {
	c := &r.Cost
	frames := 0
	for i := range c.Frames {
		if keep.Keeps(i, i == c.Frames-1) {
			frames++
		}
	}
	checkpoint := int64(size(r)) * bytesPerVertex
	if keep == runfolder.KeepAll {
		checkpoint *= 2
	}
	return bytesAtLeast + int64(c.Steps)*bytesPerStep + checkpoint + c.Disk/int64(max(1, c.Frames))*int64(frames)
}
