package runfolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// testManifest is a run of 3 frames of 2 steps.
func testManifest() Manifest {
	return Manifest{
		Name:   "test",
		Time:   Timing{FPS: 10, Frames: 3, Substeps: 2, Step: 0.05},
		Start:  "00ff",
		Build:  ThisBuild(),
		Inputs: []Input{{Path: "shirt.obj", SHA256: "ab"}},
		Scene:  json.RawMessage(`{"gravity": [0, 0, -9.81], "cloths": [{"name": "digest", "digest": "x"}]}`),
	}
}

// testFrame has a cloth whose UVs are cut along a diagonal and one without UVs.
func testFrame(number int) *Frame {
	square := []r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 0.25), r3.V(1, 1, 0), r3.V(0, 1, float64(number))}
	tri := [][3]int32{{0, 1, 2}, {0, 2, 3}}
	up := []r3.Vec{r3.V(0, 0, 1), r3.V(0, 0, 1), r3.V(0, 1, 0), r3.V(1, 0, 0)}
	return &Frame{
		Number: number, Time: 0.1 * float64(number), Step: 2 * number, Hash: fmt.Sprintf("%032x", number),
		Bodies: []Body{
			BodyOf(KindCloth, &meshio.Mesh{
				Name:      `the "digest" cloth`,
				Positions: square,
				Triangles: tri,
				Normals:   up,
				UV: []r3.Vec2{
					{X: 0, Y: 0},
					{X: 1, Y: 0},
					{X: 1, Y: 1},
					{X: 2, Y: 2},
					{X: 3, Y: 3},
					{X: 2, Y: 3},
				},
				CornerUV: [][3]int32{{0, 1, 2}, {3, 4, 5}},
				Attributes: []meshio.Attribute{
					{Name: AttrSize, Width: 1, Data: []float32{1, 2, 3, 4}},
					{Name: AttrSpeed, Width: 1, Data: []float32{5, 6, 7, 8}},
				},
			}),
			BodyOf(KindCloth, &meshio.Mesh{Name: "plain", Positions: square, Triangles: tri}),
			{
				Name: "plate",
				Kind: KindPlane,
				Mesh: &meshio.Mesh{Name: "plate", Positions: square, Triangles: tri, Normals: up},
				Pose: r3.Pose{R: r3.Rotation(r3.V(1, 2, 3), 0.4), T: r3.V(0.1, 0.2, -0.3)},
			},
			{Name: "blob", Kind: KindField, Pose: r3.Translation(r3.V(0, 1, 0))},
		},
	}
}

// begin makes a folder with frame 0 and a checkpoint.
func begin(t *testing.T, dir string) *Writer {
	t.Helper()
	w, err := Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if c, err := w.Resume(nil); err != nil || c != nil {
		t.Fatal(c, err)
	}
	if err := w.WriteFrame(testFrame(0)); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteCheckpoint(testCheckpoint(0, 0)); err != nil {
		t.Fatal(err)
	}
	return w
}

func testCheckpoint(frame, step int) *Checkpoint {
	return &Checkpoint{
		Frame: frame,
		Step:  step,
		Hash:  [16]byte{1, 2, byte(step)},
		State: []byte(strings.Repeat("state of the world ", 20)),
	}
}

// play writes the rest of the run of testManifest.
func play(t *testing.T, w *Writer) {
	t.Helper()
	for frame := 1; frame <= 2; frame++ {
		for k := range 2 {
			w.AddStats(frame, &engine.Stats{Step: 2*frame - 1 + k, Time: 0.05 * float64(2*frame-1+k)})
		}
		if err := w.WriteFrame(testFrame(frame)); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteCheckpoint(testCheckpoint(frame, 2*frame)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFolderKeepsARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "run")
	w := begin(t, dir)
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if done, err := f.Complete(); done || err != nil {
		t.Error("a run at frame 0 of 3 is complete", err)
	}
	play(t, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if frames, err := f.Frames(); err != nil || !slices.Equal(frames, []int{0, 1, 2}) {
		t.Errorf("frames %v, %v", frames, err)
	}
	if done, err := f.Complete(); !done || err != nil {
		t.Error("a run at its last frame is not complete", err)
	}
	if frame, err := f.Frame(1); err != nil || frame.Hash != fmt.Sprintf("%032x", 1) {
		t.Error(frame, err)
	}
	if d := f.Manifest.Differences(&w.Manifest, "there", "here"); d != nil {
		t.Error(d)
	}
	checkpoints, err := numbered(filepath.Join(dir, CheckpointName), checkpointExt, 9)
	if err != nil || !slices.Equal(checkpoints, []int{2, 4}) {
		t.Errorf("checkpoints %v are not the newest two", checkpoints)
	}
	table, err := f.Stats()
	if err != nil || !slices.Equal(table.Column("step"), []float64{1, 2, 3, 4}) {
		t.Error(table, err)
	}
}

func TestOpenSaysThereIsNoRun(t *testing.T) {
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrNoRun) {
		t.Error(err)
	}
}

// A kill between a checkpoint and the next leaves rows, frames and half-written files after it.
func TestResumeCutsBack(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir)
	want, err := os.ReadFile(w.StatsPath())
	if err != nil {
		t.Fatal(err)
	}
	w.AddStats(1, &engine.Stats{Step: 1})
	if err := w.WriteFrame(testFrame(1)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"frames/.000002.glb.123.tmp", "checkpoints/.000000004.ckpt.123.tmp", ".run.json.9.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err = Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c, err := w.Resume(nil)
	if err != nil || c == nil || c.Frame != 0 {
		t.Fatal(c, err)
	}
	if len(w.Notes) != 3 {
		t.Errorf("notes %q do not name the three half-written files", w.Notes)
	}
	if frames, _ := w.Frames(); !slices.Equal(frames, []int{0}) {
		t.Errorf("frames %v stayed", frames)
	}
	if got, _ := os.ReadFile(w.StatsPath()); string(got) != string(want) {
		t.Errorf("statistics were not cut back:\n%s", got)
	}
	temps, _ := filepath.Glob(filepath.Join(dir, "*", ".*.tmp"))
	if len(temps) > 0 {
		t.Errorf("%v stayed", temps)
	}
}

func TestAnotherRunIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := begin(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	cases := map[string]func(*Manifest){
		"scene.gravity[2]: -9.81 there, -1.62 here": func(m *Manifest) {
			m.Scene = json.RawMessage(`{"gravity": [0, 0, -1.62], "cloths": [{"name": "digest", "digest": "x"}]}`)
		},
		"scene.cloths: 1 entries there, 0 here": func(m *Manifest) {
			m.Scene = json.RawMessage(`{"gravity": [0, 0, -9.81], "cloths": []}`)
		},
		"scene.wind: nothing there, a list of 3 here": func(m *Manifest) {
			m.Scene = json.RawMessage(
				`{"gravity": [0, 0, -9.81], "cloths": [{"name": "digest", "digest": "x"}], "wind": [0, 0, 1]}`,
			)
		},
		"inputs: shirt.obj has other contents here than there": func(m *Manifest) { m.Inputs = []Input{{"shirt.obj", "cd"}} },
		"inputs: shirt.obj is read there but not here":         func(m *Manifest) { m.Inputs = nil },
		"time.fps: 10 there, 25 here":                          func(m *Manifest) { m.Time.FPS, m.Time.Step = 25, 0.02 },
		`build.go: "` + ThisBuild().Go + `" there, "go0" here`: func(m *Manifest) { m.Build.Go = "go0" },
		"start: the state at the beginning":                    func(m *Manifest) { m.Start = "11" },
		"options: nothing there, an object of 1 members here":  func(m *Manifest) { m.Options = json.RawMessage(`{"Theta":1}`) },
	}
	for want, change := range cases {
		m := testManifest()
		change(&m)
		w, err := Begin(dir, m, false)
		if err == nil {
			_ = w.Close()
		}
		if !errors.Is(err, ErrOtherRun) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "--force") {
			t.Errorf("%s: %v", want, err)
		}
	}
	m := testManifest()
	m.Scene = json.RawMessage(` {"cloths":[{"digest":"x","name":"digest"}],"gravity":[0,0,-9.81]}`)
	m.Source = &Input{Path: "scene.yaml", SHA256: "ef"}
	w, err := Begin(dir, m, false)
	if err != nil {
		t.Fatal("the same scene written otherwise is refused:", err)
	}
	_ = w.Close()
}

func TestForceRemovesOnlyTheRun(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir)
	play(t, w)
	_ = w.Close()
	mine := filepath.Join(dir, FramesName, "mine.txt")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := testManifest()
	m.Start = "a0"
	w, err := Begin(dir, m, true)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if c, err := w.Resume(nil); err != nil || c != nil {
		t.Error("something was left to resume", c, err)
	}
	if frames, _ := w.Frames(); len(frames) > 0 {
		t.Errorf("frames %v were left", frames)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error("a file that is not the run's was removed:", err)
	}
}

func TestStrayFramesAreNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, FramesName), 0o750); err != nil {
		t.Fatal(err)
	}
	if w, err := Begin(dir, testManifest(), false); err == nil {
		_ = w.Close()
		t.Error("a folder with frames of something else was taken")
	}
	w, err := Begin(dir, testManifest(), true)
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
}

func TestChangedStatisticsAreNoticed(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)-1] },
		"altered": func(b []byte) []byte { b[3] ^= 1; return b },
	} {
		dir := t.TempDir()
		w := begin(t, dir)
		play(t, w)
		_ = w.Close()
		data, _ := os.ReadFile(w.StatsPath())
		if err := os.WriteFile(w.StatsPath(), change(data), 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := Begin(dir, testManifest(), false)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Resume(nil)
		var d *Damage
		if !errors.As(err, &d) || !strings.Contains(err.Error(), "stats.csv") {
			t.Errorf("%s: %v", name, err)
		}
		_ = w.Close()
	}
}

func TestMissingFrameIsNoticed(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir)
	play(t, w)
	_ = w.Close()
	if err := os.Remove(w.FramePath(1)); err != nil {
		t.Fatal(err)
	}
	w, err := Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Resume(nil); err == nil || !strings.Contains(err.Error(), "000001.glb") {
		t.Error(err)
	}
}
