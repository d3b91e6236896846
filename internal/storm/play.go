package storm

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// Outcome is what came of a seed.
type Outcome struct {
	Seed        int       `json:"seed"`
	Family      string    `json:"family"`
	Frames      int       `json:"frames"`
	Steps       int       `json:"steps"`
	Unconverged int       `json:"unconverged"` // steps without a proof that contacts contradict each other
	Contacts    int       `json:"contacts"`    // of a step, at most
	Slowest     float64   `json:"slowest"`     // step [s]
	Usual       float64   `json:"usual"`       // the median of steps [s]
	Findings    []Finding `json:"findings,omitempty"`
	Frozen      []string  `json:"frozen,omitempty"` // what did not move as theory says
	NaN         int       `json:"nan"`              // frames with something that is not a number
	Differ      int       `json:"differ"`           // frames of the folder that are not what was judged
	Panic       string    `json:"panic,omitempty"`
	Ended       string    `json:"ended,omitempty"` // the error that ended the run
	Cut         bool      `json:"cut,omitempty"`   // it took longer than it may
	CPU         float64   `json:"cpu"`             // of the run [s]
	Referee     float64   `json:"referee"`         // and of the referee [s]
}

// Unreported returns what the referee saw and the run does not report.
func (o *Outcome) Unreported() (all []Finding) {
	for _, f := range o.Findings {
		if !f.Told {
			all = append(all, f)
		}
	}
	return all
}

// Pass reports whether nothing is wrong that the run does not report.
func (o *Outcome) Pass() bool {
	return len(o.Unreported()) == 0 && o.Panic == "" && o.NaN == 0 && o.Differ == 0 && len(o.Frozen) == 0
}

// String is the outcome in a line or more.
func (o *Outcome) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d (%s): %d frames, %d steps, up to %d contacts", o.Seed, o.Family, o.Frames, o.Steps, o.Contacts)
	say := func(n int, what string) {
		if n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, what)
		}
	}
	say(o.Unconverged, "not converged")
	say(len(o.Findings), "crossings")
	say(len(o.Unreported()), "of them unreported")
	say(o.NaN, "frames with NaN")
	say(o.Differ, "frames that differ from those judged")
	fmt.Fprintf(&b, ", %.2f CPU s, slowest step %.2g s", o.CPU, o.Slowest)
	if o.Cut {
		b.WriteString(", cut short")
	}
	for _, f := range o.Frozen {
		b.WriteString("\n  " + f)
	}
	// The first and the deepest of what is not reported.
	if left := o.Unreported(); len(left) > 0 {
		deepest := left[0]
		for _, f := range left {
			if f.Depth > deepest.Depth {
				deepest = f
			}
		}
		b.WriteString("\n  " + left[0].String())
		if deepest != left[0] {
			b.WriteString("\n  " + deepest.String())
		}
	}
	if o.Ended != "" {
		b.WriteString("\n  ended early: " + o.Ended)
	}
	if o.Panic != "" {
		b.WriteString("\n  panic: " + firstLines(o.Panic))
	}
	return b.String()
}

// firstLines returns the beginning of a text of many lines on one line.
func firstLines(text string) string {
	lines := strings.Fields(text)
	return strings.Join(lines[:min(len(lines), 24)], " ")
}

// Play plays the scene of a seed on one core, in a folder of its own that it removes, and has its frames judged. A run
// that takes longer than limit, on its core, is cut short; 0 means that none is. Only what keeps it from being played
// at all is an error.
func Play(ctx context.Context, seed int, limit time.Duration) (*Outcome, error) {
	dir, err := os.MkdirTemp("", "storm-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	made := Make(seed)
	path, err := made.Write(dir)
	if err != nil {
		return nil, err
	}
	s, err := scenefile.Load(path, nil)
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	// The clock of a thread counts this run alone.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w := &watch{
		scene:   s,
		limit:   limit,
		outcome: Outcome{Seed: seed, Family: made.Family},
	}
	began := threadTime()
	if err := w.play(ctx, dir+"/run"); err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	o := &w.outcome
	o.CPU = (threadTime() - began - w.judging).Seconds()
	o.Referee = w.judging.Seconds()
	if o.Panic == "" && o.Ended == "" && !o.Cut {
		w.moved(made.Moves)
	}
	return o, nil
}

// watch has the frames of a run judged while it is played.
type watch struct {
	scene   *scenefile.Scene
	limit   time.Duration
	outcome Outcome

	world    *engine.World
	recorder *runfolder.Recorder
	scenery  *scenery
	seen     int                    // frames judged
	rounded  map[int][][][3]float32 // by frame and body: where its vertices are
	at       map[string][2]r3.Vec   // by body: its middle in the first frame and in the last
	judging  time.Duration
	err      error
}

// play plays the run into a folder, and reads there what it reports.
func (w *watch) play(parent context.Context, dir string) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	if w.limit > 0 { // on the wall for what is stuck in a step, which others may slow down
		defer time.AfterFunc(3*w.limit, cancel).Stop()
	}
	job, err := player.FromScene(w.scene, 1)
	if err != nil {
		return err
	}
	defer func() { _ = job.Close() }()
	w.world = job.World
	if wear := job.Dress; wear != nil { // the world that is played is the one with the garments on
		job.Dress = func(
			ctx context.Context, dressed []byte, opt dress.Options,
		) (*engine.World, io.Closer, []byte, error) {
			world, closer, state, err := wear(ctx, dressed, opt)
			w.world = world
			return world, closer, state, err
		}
	}
	opt := player.DefaultOptions(dir)
	began := threadTime()
	opt.Progress = func(p player.Progress) {
		if w.limit > 0 && threadTime()-began-w.judging > w.limit {
			cancel()
		}
		if p.Frame == w.seen {
			start := threadTime()
			w.look(p.Frame)
			w.judging += threadTime() - start
		}
	}
	err = w.guarded(ctx, job, opt)
	switch {
	case w.err != nil:
		return w.err
	case parent.Err() != nil:
		return parent.Err()
	case ctx.Err() != nil && err != nil:
		w.outcome.Cut = true
	case err != nil:
		w.outcome.Ended = err.Error()
	}
	return w.reported(dir)
}

// guarded plays the job, and catches its panic.
func (w *watch) guarded(ctx context.Context, job player.Job, opt player.Options) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.outcome.Panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	_, err = player.Play(ctx, job, opt)
	return err
}

// look judges the frame that the world is at.
func (w *watch) look(number int) {
	if w.err != nil {
		return
	}
	if w.recorder == nil {
		w.recorder = runfolder.NewRecorder(w.world)
		w.rounded, w.at = map[int][][][3]float32{}, map[string][2]r3.Vec{}
	}
	frame := w.recorder.Frame(number)
	if w.scenery == nil {
		w.scenery, w.err = newScenery(w.scene, frame)
		if w.err != nil {
			return
		}
	}
	w.seen++
	w.outcome.Frames = w.seen
	w.remember(frame)
	if !finite(frame) {
		w.outcome.NaN++
		return
	}
	if w.err = w.scenery.see(frame); w.err == nil {
		w.outcome.Findings = append(w.outcome.Findings, w.scenery.judge(number)...)
	}
}

// remember keeps what the file of the frame must hold, and where bodies are.
func (w *watch) remember(frame *runfolder.Frame) {
	var all [][][3]float32
	for i := range frame.Bodies {
		b := &frame.Bodies[i]
		all = append(all, rounded(b))
		middle := r3.Vec{}
		for _, p := range b.Mesh.Positions {
			middle = middle.AddScaled(1/float64(len(b.Mesh.Positions)), b.Pose.Apply(p))
		}
		at := w.at[b.Name]
		if frame.Number == 0 {
			at[0] = middle
		}
		at[1] = middle
		w.at[b.Name] = at
	}
	w.rounded[frame.Number] = all
}

// rounded returns where a body is, as a file has it: the vertices of what deforms, the pose of what does not.
func rounded(b *runfolder.Body) (x [][3]float32) {
	if b.Kind.Rigid() {
		x = append(x, round(b.Pose.T))
		for _, axis := range []r3.Vec{{X: 0.1}, {Y: 0.1}, {Z: 0.1}} {
			x = append(x, round(b.Pose.R.Rotate(axis)))
		}
		return x
	}
	for _, p := range b.Mesh.Positions {
		x = append(x, round(p))
	}
	return x
}

func round(p r3.Vec) [3]float32 { return [3]float32{float32(p.X), float32(p.Y), float32(p.Z)} }

// finite reports whether all of a frame is numbers.
func finite(frame *runfolder.Frame) bool {
	for i := range frame.Bodies {
		b := &frame.Bodies[i]
		if !b.Pose.T.Finite() || math.IsNaN(b.Pose.R.Dot(b.Pose.R)) {
			return false
		}
		for _, p := range b.Mesh.Positions {
			if !p.Finite() {
				return false
			}
		}
	}
	return true
}

// reported reads from the folder what the run says of itself, and compares its frames with those that were judged.
func (w *watch) reported(dir string) error {
	folder, err := runfolder.Open(dir)
	if err != nil {
		if w.outcome.Ended != "" || w.outcome.Panic != "" {
			return nil // before there was a folder
		}
		return err
	}
	o := &w.outcome
	table, err := folder.Stats()
	if err != nil && o.Panic == "" && !o.Cut {
		return err
	}
	// A frame is reported if the step that leads to it ends with crossings, and the first if the step after it begins
	// so.
	told := map[int]bool{}
	if table != nil {
		o.Steps = table.Rows()
		frame, contacts := table.Column("frame"), table.Column("contacts")
		converged, contradicted := table.Column("converged"), table.Column("contradicted")
		for row := range o.Steps {
			number := int(frame[row])
			told[number] = false
			for _, name := range []string{"crossings", "inside [m]", "unavoidable"} {
				if column := table.Column(name); column != nil && column[row] > 0 {
					told[number] = true
				}
			}
			if before := table.Column("crossings before"); row == 0 && before != nil && before[0] > 0 {
				told[0] = true
			}
			if converged[row] == 0 && contradicted[row] == 0 {
				o.Unconverged++
			}
			o.Contacts = max(o.Contacts, int(contacts[row]))
		}
		if took := slices.Sorted(slices.Values(table.Took())); len(took) > 0 {
			o.Slowest, o.Usual = took[len(took)-1], took[len(took)/2]
		}
	}
	for i := range o.Findings {
		o.Findings[i].Told = told[o.Findings[i].Frame]
	}
	for number := range w.seen {
		same, err := w.same(folder, number)
		if err != nil && o.Panic == "" && !o.Cut && o.Ended == "" {
			return err
		}
		if err == nil && !same {
			o.Differ++
		}
	}
	return nil
}

// same reports whether a frame of the folder is the one that was judged, rounded as files are.
func (w *watch) same(folder *runfolder.Folder, number int) (bool, error) {
	frame, err := folder.Frame(number)
	if err != nil {
		return false, err
	}
	for i := range frame.Bodies {
		if b := &frame.Bodies[i]; !slices.Equal(rounded(b), w.rounded[number][i]) {
			return false, nil
		}
	}
	return true, nil
}

// moved looks whether bodies moved as theory says.
func (w *watch) moved(moves []Move) {
	for _, m := range moves {
		at := w.at[m.Body]
		got := at[1].Sub(at[0])
		if off := got.Sub(m.By).Norm(); !(off <= m.Allow) {
			w.outcome.Frozen = append(w.outcome.Frozen, fmt.Sprintf(
				"%s moved by %s, and theory says %s: %.3g m off, allowed %.3g", m.Body, words(got), words(m.By), off, m.Allow))
		}
	}
}

// words writes a vector.
func words(v r3.Vec) string { return fmt.Sprintf("(%.4g, %.4g, %.4g) m", v.X, v.Y, v.Z) }
