package check

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
)

// yarnReport is what check has to say about a piece of yarn.
type yarnReport struct {
	Name     string   `json:"name"`
	Loops    int      `json:"loops"` // 0 if it is from a file
	Yarns    int      `json:"yarns"`
	Points   int      `json:"points"`
	Pinned   int      `json:"pinned"`
	Extent   string   `json:"extent"`
	Warnings []string `json:"warnings,omitempty"`
}

// yarnCostEvent is what running a scene of yarns would take.
type yarnCostEvent struct {
	Event string `json:"event"`
	File  string `json:"file"`
	Key   string `json:"key"` // of the run, see run.json
	scenefile.Cost
	MostSteps int              `json:"most_steps"` // if none is longer than those that are always tried
	Pieces    []yarnReport     `json:"pieces"`
	Sizes     []obstacleReport `json:"obstacle_sizes"`
	Warnings  []string         `json:"warnings,omitempty"` // about obstacles
	StepTime  cli.Real         `json:"step_time"`          // mean of all steps [s]
	RunTime   cli.Real         `json:"run_time"`           // estimate [s]
	CPUTime   cli.Real         `json:"cpu_time"`           // of all cores together [s]
	Whole     bool             `json:"whole"`              // all of the run was rehearsed
}

// yarnsTooClose is how close yarns may start, in diameters, without a word.
const yarnsTooClose = 0.5

// checkYarns is checkScene for scenes of yarns.
func checkYarns(t *cli.Term, path string, s *scenefile.Scene, f *checkFlags) error {
	built, err := build.Yarns(s, f.work)
	if err != nil {
		return cli.BadInput(err)
	}
	defer func() { _ = built.Close() }() // read only
	pieces := yarnReports(s, built)
	cost := s.Cost()
	runtime.GC()
	end := s.Time.FrameTime(s.Time.Frames())
	tried, steps, err := rehearseYarns(built, end, f.rehearse, pieces)
	if err != nil {
		return fmt.Errorf("its first steps fail: %w", err)
	}
	cost.Memory = tried.memory(cost.Points)
	most := int(end / built.Pace.Base)
	step, total := tried.steps.times(1/float64(steps)), tried.total()
	key, err := player.SceneKey(s, runfolder.KeepAll, nil, nil)
	if err != nil {
		return err
	}
	boxes, err := yarnObstacles(built)
	if err != nil {
		return err
	}
	obstacles, warnings := obstacleReports(s, boxes)
	t.Emit(yarnCostEvent{
		"cost", path, key, cost, most, pieces, obstacles, warnings, cli.Real(step.wall), cli.Real(total.wall),
		cli.Real(total.cpu),
		tried.whole,
	})
	warned := len(warnings) > 0 || slices.ContainsFunc(pieces, func(r yarnReport) bool { return len(r.Warnings) > 0 })
	t.Say("%s: %s", t.Paint(cli.Bold, path), sceneVerdict(t, warned))
	for _, w := range warnings {
		t.Warn("%s", w)
	}
	for _, p := range pieces {
		t.Say("  %s", p.words())
		for _, w := range p.Warnings {
			t.Warn("%s", w)
		}
	}
	for _, b := range built.Balls {
		t.Say("  ball %s: %.4g kg", b.Name, b.Mass)
	}
	for _, o := range obstacles {
		t.Say("  %s", o.words())
	}
	t.Say("  all: %s, %s, %s", words.Count(cost.Loops, "loop"), words.Count(cost.Segments, "segment"),
		words.Count(cost.Points, "control point"))
	t.Say("A run would take:")
	t.Say("  steps   %s to %s, to %s at t = %.4g s; more while yarns are drawn hard against each other",
		words.Thousands(cost.Steps), words.Thousands(most), words.Count(cost.Frames, "frame"), s.Time.End)
	t.Say("  time    %s", tried.words(step, cli.WorkersUsed(f.work)))
	t.Say("  memory  about %s", words.Bytes(float64(cost.Memory)))
	t.Say("  disk    about %s", words.Bytes(float64(cost.Disk)))
	return nil
}

func yarnReports(s *scenefile.Scene, built *build.BuiltYarns) []yarnReport {
	out := make([]yarnReport, len(built.Pieces))
	for i, p := range built.Pieces {
		box := r3.BoxOf(built.World.Positions()[p.First:p.End])
		size := box.Size()
		r := yarnReport{
			Name: p.Name, Yarns: p.Yarns[1] - p.Yarns[0], Points: p.End - p.First, Pinned: p.Pinned(),
			Extent: fmt.Sprintf("%s x %s x %s", words.Length(size.X), words.Length(size.Y), words.Length(size.Z)),
		}
		if p.Fabric != nil {
			r.Loops = p.Fabric.Wales * p.Fabric.Courses
		}
		if odd, _ := oddSize(box); odd != "" {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s: %s", p.Name, odd))
		}
		if p.Pinned()+len(s.Obstacles) == 0 && !s.Gravity.IsZero() {
			r.Warnings = append(r.Warnings,
				fmt.Sprintf("%s has no pins, and there are no obstacles: nothing keeps it from falling", p.Name))
		}
		r.Warnings = append(r.Warnings, insideWarnings(built, p)...)
		out[i] = r
	}
	return out
}

// insideWarnings tells in which obstacles and balls the axis of yarns of a piece begins, so that they are in by more
// than their radius.
func insideWarnings(built *build.BuiltYarns, p build.Piece) []string {
	var names, out []string
	for _, o := range built.Obstacles {
		names = append(names, o.Name)
	}
	for _, b := range built.Balls {
		names = append(names, b.Name)
	}
	for k, name := range names {
		inside, deepest := 0, 0.0
		for _, x := range built.World.Positions()[p.First:p.End] {
			if d := built.World.ObstacleDistance(k, x); d < 0 {
				inside, deepest = inside+1, max(deepest, -d)
			}
		}
		if inside > 0 {
			out = append(out, fmt.Sprintf("%s starts inside %s: %s of %s, up to %s deep; move one of them",
				p.Name, name, words.Thousands(inside), words.Count(p.End-p.First, "control point"),
				words.Length(deepest)))
		}
	}
	return out
}

// words tells of a piece in a line.
func (r *yarnReport) words() string {
	text := fmt.Sprintf("piece %s: ", r.Name)
	if r.Loops > 0 {
		text += words.Count(r.Loops, "loop") + ", "
	}
	text += fmt.Sprintf("%s, %s", words.Count(r.Yarns, "yarn"), words.Count(r.Points, "control point"))
	if r.Pinned > 0 {
		text += fmt.Sprintf(" (%s pinned)", words.Thousands(r.Pinned))
	}
	return text + ", " + r.Extent
}
