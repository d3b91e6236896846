package player

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// testScene has what must survive a resume: moving pins, air, a force, two cloths.
const testScene = `toile: 1
name: two squares
time: {end: 0.5 s, fps: 20, step: 10 ms}
air: {density: 1.2, wind: [1, 0, 0]}
cloths:
  - name: square
    shape: {grid: {size: [1, 1], cells: [8, 8]}}
    material: {density: 0.2, stretch: {warp: 100, weft: 100, shear: 30, poisson: 0.3}, bend: {warp: 1e-5, weft: 1e-5, bias: 1e-5, poisson: 0.3}, damping: 1 ms}
    pins: [{select: corners, motion: lift}]
  - name: flag
    shape: {grid: {size: [1, 0.5], cells: [6, 3]}}
    place: {translate: [2, 0, 0]}
    material: {density: 0.1, stretch: {warp: 300, weft: 300, shear: 30, poisson: 0.3}, bend: {warp: 1e-6, weft: 1e-6, bias: 1e-6, poisson: 0.3}, damping: 1 ms}
    pins: [{select: {near: [2, 0, 0]}}]
    forces: [{select: {near: [3, 0.5, 0]}, force: [0, 0, 0.1]}]
motions:
  lift: [{at: 0 s, translate: [0, 0, 0]}, {at: 0.4 s, translate: [0, 0, 0.2]}]
`

// testFrames and testSubsteps are how testScene is cut.
const (
	testFrames   = 11
	testSubsteps = 5
)

func testJob(t testing.TB, workers int, sets ...string) Job {
	t.Helper()
	return jobOf(t, testScene, workers, sets...)
}

// jobOf returns the job of a scene's text.
func jobOf(t testing.TB, text string, workers int, sets ...string) Job {
	t.Helper()
	s, err := scenefile.Parse("test.yaml", []byte(text), nil, sets)
	if err != nil {
		t.Fatal(err)
	}
	job, err := FromScene(s, workers)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// reference plays testScene without any trouble.
func reference(t testing.TB, sets ...string) (dir string, sum Summary) {
	t.Helper()
	dir = t.TempDir()
	sum, err := Play(context.Background(), testJob(t, 1, sets...), DefaultOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	return dir, sum
}

// sameFolder fails unless two complete runs are the same to the bit, clocks apart.
func sameFolder(t testing.TB, want, got string) {
	t.Helper()
	files := []string{runfolder.ManifestName}
	frames, err := filepath.Glob(filepath.Join(want, runfolder.FramesName, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		files = append(files, filepath.Join(runfolder.FramesName, filepath.Base(f)))
	}
	for _, f := range files {
		a, errA := os.ReadFile(filepath.Join(want, f))
		b, errB := os.ReadFile(filepath.Join(got, f))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Fatalf("%s differs: %v, %v", f, errA, errB)
		}
	}
	others, _ := filepath.Glob(filepath.Join(got, runfolder.FramesName, "*"))
	hidden, _ := filepath.Glob(filepath.Join(got, "*", ".*"))
	if len(others) != len(frames) || len(hidden) > 0 {
		t.Fatalf("%d frames and %v, want %d frames", len(others), hidden, len(frames))
	}
	a, b := withoutClocks(t, want), withoutClocks(t, got)
	if a != b {
		t.Fatal("statistics differ")
	}
	if a, b := finalState(t, want), finalState(t, got); a.Hash != b.Hash || !bytes.Equal(a.State, b.State) {
		t.Fatal("final states differ")
	}
}

// withoutClocks returns stats.csv as text, without the columns of clocks.
func withoutClocks(t testing.TB, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, runfolder.StatsName))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	header := strings.Split(lines[0], ",")
	for i, line := range lines {
		var kept []string
		for c, field := range strings.Split(line, ",") {
			if c >= len(header) || !runfolder.IsClock(header[c]) {
				kept = append(kept, field)
			}
		}
		lines[i] = strings.Join(kept, ",")
	}
	return strings.Join(lines, "\n")
}

func finalState(t testing.TB, dir string) *runfolder.Checkpoint {
	t.Helper()
	f, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, skipped, err := f.Newest(nil)
	if err != nil || c == nil || len(skipped) > 0 || !f.Manifest.Time.Last(c) {
		t.Fatal("the run did not end", c, skipped, err)
	}
	return c
}

func TestPlay(t *testing.T) {
	job := testJob(t, 0)
	dir := t.TempDir()
	opt := DefaultOptions(dir)
	var frames []int
	opt.Progress = func(p Progress) {
		if len(frames) == 0 || p.Frame != frames[len(frames)-1] {
			frames = append(frames, p.Frame)
		}
		if p.Frames != testFrames || p.End != 0.5 {
			t.Errorf("progress %+v", p)
		}
	}
	sum, err := Play(context.Background(), job, opt)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Frames != testFrames || sum.Steps != (testFrames-1)*testSubsteps || !sum.Complete || sum.Already ||
		sum.Resumed {
		t.Errorf("summary %+v", sum)
	}
	if len(frames) != testFrames || frames[0] != 0 || frames[len(frames)-1] != testFrames-1 {
		t.Errorf("progress told of frames %v", frames)
	}
	f, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	last, err := f.Frame(testFrames - 1)
	if err != nil {
		t.Fatal(err)
	}
	if last.Hash != sum.Hash.String() || last.Step != sum.Steps || last.Time != job.World.Time() {
		t.Errorf("last frame %+v", last)
	}
	for id := range job.World.Cloths() {
		checkCloth(t, job.World, engine.ClothID(id), last)
	}
	stats, err := f.Stats()
	if err != nil || stats.Rows() != sum.Steps {
		t.Fatal(stats.Rows(), err)
	}
	if h := stats.Column("frame"); h[0] != 1 || h[len(h)-1] != testFrames-1 {
		t.Errorf("frames of steps %v", h)
	}
}

// checkCloth compares what a frame shows of a cloth with the world, in single precision.
func checkCloth(t *testing.T, w *engine.World, id engine.ClothID, f *runfolder.Frame) {
	m, spec := f.Bodies[id].Mesh, cloths.Spec(w, id)
	if m.Name != spec.Name || !slices.Equal(m.Triangles, spec.Mesh.Tri) {
		t.Errorf("cloth %d: name %q or triangles differ", id, m.Name)
	}
	attribute := map[string][]float32{}
	for _, a := range m.Attributes {
		attribute[a.Name] = a.Data
	}
	stretch := w.Stretch(id, nil)
	for v, x := range w.Positions(id) {
		if y := m.Positions[v]; float32(x.X) != float32(y.X) || float32(x.Y) != float32(y.Y) ||
			float32(x.Z) != float32(y.Z) {
			t.Fatalf("cloth %d vertex %d: %v in the frame, %v in the world", id, v, y, x)
		}
		if s := float32(w.Velocities(id)[v].Norm()); attribute[runfolder.AttrSpeed][v] != s {
			t.Fatalf("cloth %d vertex %d: speed %v, want %v", id, v, attribute[runfolder.AttrSpeed][v], s)
		}
		if attribute[runfolder.AttrStretch][v] != float32(stretch[v]) {
			t.Fatalf("cloth %d vertex %d: stretch %v, want %v", id, v, attribute[runfolder.AttrStretch][v], stretch[v])
		}
	}
	// Cells of 1/8 m; corners have two sides of a cell and perhaps its diagonal.
	if s := attribute[runfolder.AttrSize][0]; id == 0 && (s < 0.125 || s > 0.125*1.42) {
		t.Errorf("size at a corner is %v", s)
	}
}

func TestFinishedRunIsLeftAlone(t *testing.T) {
	dir, want := reference(t)
	sum, err := Play(context.Background(), testJob(t, 1), DefaultOptions(dir))
	if err != nil || !sum.Already || !sum.Complete || sum.Hash != want.Hash || sum.Frames != want.Frames {
		t.Errorf("%+v, %v", sum, err)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	want, _ := reference(t)
	dir := t.TempDir()
	if _, err := Play(context.Background(), testJob(t, 3), DefaultOptions(dir)); err != nil {
		t.Fatal(err)
	}
	sameFolder(t, want, dir)
}

// interruptAfter plays on and cancels after the given number of steps.
func interruptAfter(t *testing.T, dir string, steps int, sets ...string) (Summary, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := DefaultOptions(dir)
	opt.Progress = func(p Progress) {
		if p.Step != nil {
			if steps--; steps <= 0 {
				cancel()
			}
		}
	}
	return Play(ctx, testJob(t, 1, sets...), opt)
}

// Interrupted after every number of steps that lets it get anywhere, and resumed until done, a run
// comes out the same.
func TestInterruptedRunComesOutTheSame(t *testing.T) {
	want, _ := reference(t)
	most := 20
	if testing.Short() {
		most = 5
	}
	for steps := 1; steps < most; steps += 3 {
		dir := t.TempDir()
		sessions := 0
		for {
			sum, err := interruptAfter(t, dir, steps)
			sessions++
			if err == nil {
				break
			}
			if !errors.Is(err, ErrInterrupted) || sum.Complete {
				t.Fatal(sum, err)
			}
			if sessions > 1 && !sum.Resumed {
				t.Fatal("started over")
			}
		}
		if sessions < (testFrames-1)*testSubsteps/(steps+1) {
			t.Errorf("steps %d: only %d sessions", steps, sessions)
		}
		sameFolder(t, want, dir)
	}
}

// newest returns the newest checkpoint in dir and fails if any is damaged.
func newest(t *testing.T, dir string) *runfolder.Checkpoint {
	t.Helper()
	f, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, skipped, err := f.Newest(nil)
	if err != nil || c == nil || len(skipped) > 0 {
		t.Fatal(c, skipped, err)
	}
	return c
}

// A run goes on from the older of two checkpoints if the newer is damaged, and from the start if both
// are.
func TestDamagedCheckpointsAreSurvived(t *testing.T) {
	want, _ := reference(t)
	for damage := 1; damage <= 2; damage++ {
		dir := t.TempDir()
		for range 2 {
			if _, err := interruptAfter(t, dir, 12); !errors.Is(err, ErrInterrupted) {
				t.Fatal(err)
			}
		}
		paths, _ := filepath.Glob(filepath.Join(dir, runfolder.CheckpointName, "*.ckpt"))
		slices.Sort(paths)
		for _, p := range paths[len(paths)-damage:] {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p, data[:len(data)-7], 0o600); err != nil {
				t.Fatal(err)
			}
		}
		sum, err := Play(context.Background(), testJob(t, 1), DefaultOptions(dir))
		if err != nil || len(sum.Notes) != damage || sum.Resumed != (damage == 1) {
			t.Fatalf("%+v, %v", sum, err)
		}
		sameFolder(t, want, dir)
	}
}

// A step that cannot be taken ends the run with an error that says where, and leaves the last
// checkpoint as it was.
func TestFailedStep(t *testing.T) {
	dir := t.TempDir()
	if _, err := interruptAfter(t, dir, 12, "integrator.halvings=0"); !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	before := newest(t, dir)
	job := testJob(t, 1, "integrator.halvings=0")
	opt := DefaultOptions(dir)
	opt.Progress = func(Progress) {
		for v := range cloths.Spec(job.World, 0).Mesh.Verts {
			job.World.SetForce(0, v, r3.V(0, 0, math.MaxFloat64))
		}
	}
	sum, err := Play(context.Background(), job, opt)
	if !errors.Is(err, engine.ErrNotFinite) || !strings.Contains(err.Error(), "on the way to frame 3") || sum.Complete {
		t.Fatal(sum, err)
	}
	if after := newest(t, dir); after.Step != before.Step || after.Hash != before.Hash {
		t.Error("the checkpoint has changed")
	}
}

func TestAnotherSceneIsRefused(t *testing.T) {
	dir, _ := reference(t)
	_, err := Play(context.Background(), testJob(t, 1, "gravity=[0, 0, -1.62]"), DefaultOptions(dir))
	if !errors.Is(err, runfolder.ErrOtherRun) || !strings.Contains(err.Error(), "gravity") {
		t.Fatal(err)
	}
	opt := DefaultOptions(dir)
	opt.Force = true
	sum, err := Play(context.Background(), testJob(t, 1, "gravity=[0, 0, -1.62]"), opt)
	if err != nil || !sum.Complete || sum.Resumed {
		t.Fatal(sum, err)
	}
}

func TestSettledRunResumes(t *testing.T) {
	want, _ := reference(t, settling...)
	dir := t.TempDir()
	for _, settled := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		opt := DefaultOptions(dir)
		opt.Progress = func(Progress) { cancel() } // which is not called while it settles
		if !settled {
			cancel()
		}
		sum, err := Play(ctx, testJob(t, 1, settling...), opt)
		if !errors.Is(err, ErrInterrupted) || sum.Resumed || sum.Frames > 0 != settled {
			t.Fatal(sum, err)
		}
	}
	sum, err := Play(context.Background(), testJob(t, 1, settling...), DefaultOptions(dir))
	if err != nil || !sum.Resumed {
		t.Fatal(sum, err)
	}
	sameFolder(t, want, dir)
}

func TestTiming(t *testing.T) {
	cases := []struct {
		fps, step, end   float64
		frames, substeps int
	}{
		{30, 2e-3, 4, 121, 17},
		{25, 0.01, 1, 26, 4},
		{24, 1.0 / 240, 10, 241, 10},
		{30, 1, 0.1, 4, 1},
		{10, 0.1, 0, 1, 1},
		{3, 0.01, 1, 4, 34},
	}
	w, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		job := Job{World: w, Scene: []byte("{}"), FPS: c.fps, Step: c.step, End: c.end}
		got, err := job.timing()
		if err != nil || got.Frames != c.frames || got.Substeps != c.substeps {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
	bad := Job{World: w, Scene: []byte("{"), FPS: -1, Step: 0, End: -2}
	_, err = bad.timing()
	for _, phrase := range []string{"frames a second", "step of 0 s", "end at -2 s", "not JSON"} {
		if err == nil || !strings.Contains(err.Error(), phrase) {
			t.Errorf("%q is not in %v", phrase, err)
		}
	}
	endless := Job{World: w, Scene: []byte("{}"), FPS: 1e6, Step: 1e-20, End: 1e6}
	if _, err := endless.timing(); err == nil {
		t.Error("1e12 frames were accepted")
	}
}

// A checkpoint is due by the clock, by frames and at the end.
func TestCheckpointsAreWrittenWhenDue(t *testing.T) {
	for name, c := range map[string]struct {
		every  time.Duration
		frames int
		want   []string
	}{
		"at the end":    {time.Hour, 0, []string{"000000000.ckpt", "000000050.ckpt"}},
		"by frames":     {time.Hour, 4, []string{"000000040.ckpt", "000000050.ckpt"}},
		"by every step": {0, 0, []string{"000000049.ckpt", "000000050.ckpt"}},
	} {
		dir := t.TempDir()
		opt := Options{Dir: dir, Every: c.every, EveryFrames: c.frames}
		if _, err := Play(context.Background(), testJob(t, 1), opt); err != nil {
			t.Fatal(err)
		}
		paths, _ := filepath.Glob(filepath.Join(dir, runfolder.CheckpointName, "*"))
		for i := range paths {
			paths[i] = filepath.Base(paths[i])
		}
		if !slices.Equal(paths, c.want) {
			t.Errorf("%s: %v, want %v", name, paths, c.want)
		}
	}
}
