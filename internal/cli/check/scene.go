package check

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
)

// costEvent is what running a scene would take.
type costEvent struct {
	Event string `json:"event"`
	File  string `json:"file"`
	Key   string `json:"key"` // of the run, see run.json
	scenefile.Cost
	Cloths   []clothReport    `json:"cloths"`
	Bodies   []bodyReport     `json:"bodies"`
	Sizes    []obstacleReport `json:"obstacle_sizes"`
	Warnings []string         `json:"warnings,omitempty"` // about bodies and obstacles
	StepTime cli.Real         `json:"step_time"`          // mean of all steps [s]
	Before   cli.Real         `json:"before"`             // until the first frame [s]
	RunTime  cli.Real         `json:"run_time"`           // all of it [s]
	CPUTime  cli.Real         `json:"cpu_time"`           // of all cores together [s]
	Whole    bool             `json:"whole"`              // all of the run was rehearsed
}

func checkScene(t *cli.Term, path string, f *checkFlags) error {
	s, err := cli.LoadScene(path, f.sets)
	if err != nil {
		return err
	}
	if s.HasYarns() {
		return checkYarns(t, path, s, f)
	}
	// files, and the world that they make
	if err := checkSceneMeshes(t, path, s); err != nil {
		return err
	}
	warnings, err := obstacleWarnings(path, s)
	if err != nil {
		return err
	}
	if err := build.ReadSequences(s); err != nil {
		return cli.BadInput(err)
	}
	job, err := player.FromScene(s, f.work)
	if err != nil {
		return cli.BadInput(err)
	}
	cloths, bodies := clothReports(s, job.World), bodyReports(job.World)
	if err := checkCrossings(t, path, job.World, s.Contact.Repair); err != nil {
		return err
	}
	warnings = append(warnings, bodyWarnings(job.World)...)
	obstacles, doubts := obstacleReports(s, worldObstacles(job.World))
	warnings = append(warnings, doubts...)
	// what it costs
	cost := s.Cost()
	runtime.GC()
	tried, err := rehearse(planOf(path, f, s, &job), f.rehearse)
	if err != nil {
		return err
	}
	cost.Memory = tried.memory(0)
	total, step := tried.total(), tried.steps.times(1/float64(cost.Steps))
	key, err := player.SceneKey(s, runfolder.KeepAll, nil, nil)
	if err != nil {
		return err
	}
	// for programs, and for people
	t.Emit(costEvent{
		"cost", path, key, cost, cloths, bodies, obstacles, warnings, cli.Real(step.wall),
		cli.Real(tried.before.wall), cli.Real(total.wall), cli.Real(total.cpu), tried.whole,
	})
	warned := len(warnings) > 0 || slices.ContainsFunc(cloths, func(c clothReport) bool { return len(c.Warnings) > 0 })
	t.Say("%s: %s", t.Paint(cli.Bold, path), sceneVerdict(t, warned))
	for _, w := range warnings {
		t.Warn("%s", w)
	}
	for _, c := range cloths {
		t.Say("  cloth %s: %s, %s, %s", c.Name, words.Count(c.Vertices, "vertex"), words.Count(c.Pins, "pin"), c.Extent)
		for _, w := range c.Warnings {
			t.Warn("%s", w)
		}
	}
	for _, b := range bodies {
		t.Say("  %s", b.words())
	}
	for _, o := range obstacles {
		t.Say("  %s", o.words())
	}
	t.Say("A run would take:")
	t.Say(
		"  steps   %s, to %s at t = %.4g s",
		words.Thousands(cost.Steps),
		words.Count(cost.Frames, "frame"),
		s.Time.End,
	)
	if cost.Dressing > 0 {
		t.Say("  before  some %s steps of sewing and going to the first pose", words.Thousands(cost.Dressing))
	}
	t.Say("  time    %s", tried.words(step, cli.WorkersUsed(f.work)))
	t.Say("  memory  about %s", words.Bytes(float64(cost.Memory)))
	t.Say("  disk    about %s", words.Bytes(float64(cost.Disk)))
	return nil
}

// checkSceneMeshes looks into the mesh files that a scene names, each once. Whether the scene can do with
// what is found there is for the scene to say.
func checkSceneMeshes(t *cli.Term, path string, s *scenefile.Scene) error {
	seen := map[string]bool{}
	for i := range s.Cloths {
		shape := &s.Cloths[i].Shape
		if shape.File == "" || seen[shape.File] {
			continue
		}
		seen[shape.File] = true
		flags := cli.MeshFlags{Unit: fmt.Sprint(shape.Unit), Up: shape.Up, Weld: shape.Weld}
		file := filepath.Join(filepath.Dir(path), filepath.FromSlash(shape.File))
		m, err := flags.Read(file)
		if err != nil {
			return err
		}
		report := inspect(file, m)
		t.Emit(report)
		sayMesh(t, report)
		if !report.Usable {
			t.Say("Look at the mesh alone, or repair it: toile check %s --fix -o FIXED", words.ShellWord(file))
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

func clothReports(s *scenefile.Scene, w *engine.World) []clothReport {
	out := make([]clothReport, len(s.Cloths))
	for i := range s.Cloths {
		c := &s.Cloths[i]
		x := w.Positions(engine.ClothID(i))
		box := r3.BoxOf(x)
		size := box.Size()
		r := clothReport{
			Name: c.Name, Vertices: len(x), Pins: len(c.Pins),
			Extent: fmt.Sprintf("%s x %s x %s", words.Length(size.X), words.Length(size.Y), words.Length(size.Z)),
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

func bodyReports(w *engine.World) []bodyReport {
	var out []bodyReport
	for i := range w.Bodies() {
		id := engine.BodyID(i)
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
func bodyWarnings(w *engine.World) []string {
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
			words.Count(count, "place"), player.Describe(w, first),
		))
	}
	before := w.Snapshot()
	const moment = 1e-6 // [s], in which nothing moves far
	stats, err := w.Step(moment)
	if thickness := w.Options().Contact.Thickness; err == nil && count <= 0 && stats.WorstGap < -thickness {
		out = append(out, fmt.Sprintf(
			"bodies start up to %s inside others; they will be pushed apart, at up to %.2g m/s",
			words.Length(-stats.WorstGap), w.Options().Contact.PushSpeed,
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
