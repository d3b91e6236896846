package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/run"
	"github.com/toile-sim/toile/scene"
)

// costEvent is what running a scene would take.
type costEvent struct {
	Event string `json:"event"`
	File  string `json:"file"`
	Key   string `json:"key"` // of the run, see run.json
	scene.Cost
	Cloths   []clothReport `json:"cloths"`
	Bodies   []bodyReport  `json:"bodies"`
	Warnings []string      `json:"warnings,omitempty"` // about bodies and obstacles
	StepTime real          `json:"step_time"`          // median of a few timed steps [s]
	RunTime  real          `json:"run_time"`           // estimate [s]
}

// trialSteps is how many steps are timed, trialTime for how long at most.
const (
	trialSteps = 5
	trialTime  = 3 * time.Second
)

func checkScene(t *term, path string, f *checkFlags) error {
	s, err := loadScene(path, f.sets)
	if err != nil {
		return err
	}
	if s.HasYarns() {
		return checkYarns(t, path, s, f)
	}
	if err := checkSceneMeshes(t, path, s); err != nil {
		return err
	}
	warnings, err := obstacleWarnings(path, s)
	if err != nil {
		return err
	}
	if err := s.ReadSequences(); err != nil {
		return badInput(err)
	}
	job, err := run.FromScene(s, f.work)
	if err != nil {
		return badInput(err)
	}
	cloths, bodies := clothReports(s, job.World), bodyReports(job.World)
	if err := checkCrossings(t, path, job.World, s.Contact.Repair); err != nil {
		return err
	}
	warnings = append(warnings, bodyWarnings(job.World)...)
	cost := s.Cost()
	runtime.GC()
	step, err := timeSteps(job.World, 1/(s.Time.FPS*float64(s.Time.StepsPerFrame())))
	if err != nil {
		return fmt.Errorf("the first step fails: %w", err)
	}
	var used runtime.MemStats
	runtime.ReadMemStats(&used)
	cost.Memory = int64(used.HeapAlloc)
	total := time.Duration(float64(step) * float64(cost.Steps))
	key, err := run.SceneKey(s)
	if err != nil {
		return err
	}
	t.emit(costEvent{"cost", path, key, cost, cloths, bodies, warnings, real(step.Seconds()), real(total.Seconds())})
	verdict := t.paint(green, "nothing wrong")
	if len(warnings) > 0 || slices.ContainsFunc(cloths, func(c clothReport) bool { return len(c.Warnings) > 0 }) {
		verdict = t.paint(yellow, "it can be run, but not as it is meant")
	}
	t.say("%s: %s", t.paint(bold, path), verdict)
	for _, w := range warnings {
		t.say("%s %s", t.paint(yellow, "warning:"), w)
	}
	for _, c := range cloths {
		t.say("  cloth %s: %s, %s, %s", c.Name, words.Count(c.Vertices, "vertex"), words.Count(c.Pins, "pin"), c.Extent)
		for _, w := range c.Warnings {
			t.say("%s %s", t.paint(yellow, "warning:"), w)
		}
	}
	for _, b := range bodies {
		t.say("  %s", b.words())
	}
	t.say("A run would take:")
	t.say(
		"  steps   %s, to %s at t = %.4g s",
		words.Thousands(cost.Steps),
		words.Count(cost.Frames, "frame"),
		s.Time.End,
	)
	before := ""
	if cost.Contacts > 0 {
		before = ", as long as little touches; folds may take ten times longer"
	}
	if slices.ContainsFunc(s.Cloths, func(c scene.Cloth) bool { return c.Remesh != nil }) {
		before += "; with the mesh that it starts with, which will change"
	}
	if cost.Dressing > 0 {
		t.say("  before  some %s steps of sewing and going to the first pose, each up to ten times as long as below",
			words.Thousands(cost.Dressing))
	}
	t.say(
		"  time    about %s (%s a step on %s%s)",
		duration(total),
		duration(step),
		words.Count(workersUsed(f.work), "core"),
		before,
	)
	t.say("  memory  about %s", bytesize(float64(cost.Memory)))
	t.say("  disk    about %s", bytesize(float64(cost.Disk)))
	return nil
}

// checkSceneMeshes looks into the mesh files that a scene names, each once. Whether the scene can do with
// what is found there is for the scene to say.
func checkSceneMeshes(t *term, path string, s *scene.Scene) error {
	seen := map[string]bool{}
	for i := range s.Cloths {
		shape := &s.Cloths[i].Shape
		if shape.File == "" || seen[shape.File] {
			continue
		}
		seen[shape.File] = true
		flags := meshFlags{unit: fmt.Sprint(shape.Unit), up: shape.Up, weld: shape.Weld}
		file := filepath.Join(filepath.Dir(path), filepath.FromSlash(shape.File))
		m, err := flags.read(file)
		if err != nil {
			return err
		}
		report := inspect(file, m)
		t.emit(report)
		sayMesh(t, report)
		if !report.Usable {
			t.say("Look at the mesh alone, or repair it: toile check %s --fix -o FIXED", quote(file))
		}
	}
	return nil
}

// clothReport is what check has to say about one cloth of a scene.
type clothReport struct {
	Name     string   `json:"name"`
	Vertices int      `json:"vertices"`
	Pins     int      `json:"pins"`
	Extent   string   `json:"extent"`
	Warnings []string `json:"warnings,omitempty"`
}

func clothReports(s *scene.Scene, w *toile.World) []clothReport {
	out := make([]clothReport, len(s.Cloths))
	for i := range s.Cloths {
		c := &s.Cloths[i]
		x := w.Positions(toile.ClothID(i))
		box := r3.BoxOf(x)
		size := box.Size()
		r := clothReport{
			Name: c.Name, Vertices: len(x), Pins: len(c.Pins),
			Extent: fmt.Sprintf("%s x %s x %s", length(size.X), length(size.Y), length(size.Z)),
		}
		if odd, _ := oddSize(box); odd != "" {
			r.Warnings = append(r.Warnings, fmt.Sprintf("cloth %s: %s", c.Name, odd))
		}
		if len(c.Pins)+len(c.Attach)+len(s.Obstacles)+len(s.Rigids)+len(s.Solids) == 0 && !s.Gravity.IsZero() {
			r.Warnings = append(
				r.Warnings,
				fmt.Sprintf("cloth %s has no pins, and there are no obstacles: nothing keeps it from falling", c.Name),
			)
		}
		out[i] = r
	}
	return out
}

// bodyReport is what check has to say about a rigid or soft body of a scene.
type bodyReport struct {
	Name     string  `json:"name"`
	Kind     string  `json:"kind"`
	Mass     float64 `json:"mass"` // [kg]
	Vertices int     `json:"vertices,omitempty"`
	Tets     int     `json:"tets,omitempty"`
}

func bodyReports(w *toile.World) []bodyReport {
	var out []bodyReport
	for i := range w.Bodies() {
		id := toile.BodyID(i)
		r := bodyReport{Name: w.SurfaceName(w.BodySurface(id))}
		switch b := w.Body(id).(type) {
		case *body.Rigid:
			r.Kind, r.Mass = "rigid", b.Spec().Mass
		case *body.Solid:
			r.Kind, r.Vertices, r.Tets = "solid", b.Blocks(), b.Tets.Len()
			for _, m := range b.Mass {
				r.Mass += m
			}
		default:
			continue // a press
		}
		out = append(out, r)
	}
	return out
}

// bodyWarnings says which rigid and soft bodies start where something else is.
func bodyWarnings(w *toile.World) []string {
	if w.Bodies() == 0 {
		return nil
	}
	var out []string
	count, first := w.Crossings()
	for _, p := range w.CrossingPairs() { // those of cloth are told of already
		count -= p.Count
	}
	if count > 0 {
		out = append(out, fmt.Sprintf(
			"bodies start crossed, in %s: %s; move them apart, nothing will do that for them",
			words.Count(count, "place"), run.Describe(w, first),
		))
	}
	before := w.Snapshot()
	const moment = 1e-6 // [s], in which nothing moves far
	stats, err := w.Step(moment)
	if thickness := w.Options().Contact.Thickness; err == nil && count <= 0 && stats.WorstGap < -thickness {
		out = append(out, fmt.Sprintf(
			"bodies start up to %s inside others; they will be pushed apart, at up to %.2g m/s",
			length(-stats.WorstGap), w.Options().Contact.PushSpeed,
		))
	}
	if err := w.Restore(before); err != nil {
		out = append(out, err.Error()) // it was of this world
	}
	return out
}

// words tells of a body in a line.
func (b *bodyReport) words() string {
	if b.Kind == "rigid" {
		return fmt.Sprintf("rigid body %s: %.4g kg", b.Name, b.Mass)
	}
	return fmt.Sprintf("soft body %s: %s, %s, %.4g kg",
		b.Name, words.Count(b.Vertices, "vertex"), words.Count(b.Tets, "tetrahedron"), b.Mass)
}

// workersUsed returns how many cores a number of workers stands for.
func workersUsed(n int) int {
	if n == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// timeSteps advances the world by a few steps and returns the median time of one. The first, which
// also allocates, counts only if it took so long that there is no time for others.
func timeSteps(w *toile.World, h float64) (time.Duration, error) {
	var took []time.Duration
	began := time.Now()
	for len(took) <= trialSteps && (len(took) == 0 || time.Since(began) < trialTime) {
		start := time.Now()
		if err := w.Advance(h, h, nil); err != nil {
			return 0, err
		}
		took = append(took, time.Since(start))
	}
	if len(took) > 1 {
		took = took[1:]
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}
