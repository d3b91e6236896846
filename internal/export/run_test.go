package export_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
)

// The scene has a cloth without a file; a sheet of quads with a seam in its UVs, its vertices in no order and its rest
// shape the surface, so that the run does not keep the UVs; and two squares that are welded to one strip, Y-up and in
// centimetres. The ball moves and turns.
const sceneText = `toile: 1
name: cloths of three kinds
time: {end: 0.3 s, fps: 30, step: 10 ms}
cloths:
  - name: square
    shape: {grid: {size: [1, 1], cells: [8, 8]}}
    place: {translate: [-0.5, -0.5, 0.31]}
    material: cotton
  - name: sheet
    shape: {file: meshes/sheet.obj}
    place: {translate: [-1, 0, 1], rotate: {axis: [1, 0, 0], angle: 30 deg}}
    material: cotton
    pins: [{select: {ids: [0, 3]}}]
  - name: strip
    shape: {file: strip.obj, up: y, unit: 1 cm, weld: true}
    place: {translate: [0, 0, 0.8]}
    material: cotton
obstacles:
  - {name: ball, shape: {sphere: {radius: 0.3}}, motion: roll}
  - {name: floor, shape: {plane: {point: [0, 0, -0.5], normal: [0, 0, 1]}}}
motions:
  roll: [{at: 0 s}, {at: 0.3 s, translate: [0.1, 0, 0], rotate: {axis: [0, 1, 0], angle: 90 deg}}]
`

const (
	// The corner in the middle, vertex 1, has two UVs.
	sheetOBJ = `v 0.5 0.5 0
v 0 0.5 0
v 0 0 0
v 1 0.5 0
v 1 0 0
v 0.5 0 0
vt 0 0
vt 0.45 0
vt 0.45 1
vt 0 1
vt 0.55 0
vt 1 0
vt 1 1
vt 0.55 1
f 3/1 6/2 1/3 2/4
f 6/5 5/6 4/7 1/8
`
	stripOBJ = `v 0 0 0
v 10 0 0
v 10 0 -10
v 0 0 -10
v 10 0 0
v 20 0 0
v 20 0 -10
v 10 0 -10
vt 0 0
vt 0.5 0
vt 0.5 0.5
vt 0 0.5
vt 0.6 0
vt 0.9 0
f 1/1 2/2 3/3 4/4
f 5/5 6/6 7/3 8/3
`
	frameCount = 10
	fps        = 30
)

// writeScene writes the scene and its meshes into a folder and returns the path of the scene.
func writeScene(t testing.TB, dir string) string {
	t.Helper()
	for name, text := range map[string]string{"scene.yaml": sceneText, "meshes/sheet.obj": sheetOBJ, "strip.obj": stripOBJ} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "scene.yaml")
}

// play runs the scene into scene.run beside it.
func play(t testing.TB, path string) *runfolder.Folder {
	t.Helper()
	s, err := scenefile.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	job, err := player.FromScene(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = job.Close() }()
	dir := filepath.Join(filepath.Dir(path), "scene.run")
	if _, err := player.Play(context.Background(), job, player.DefaultOptions(dir)); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

func open(t testing.TB, dir string) *runfolder.Folder {
	t.Helper()
	f, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shared is the folder of a scene and its run, which tests share and must not change; TestMain removes it.
var shared string

func TestMain(m *testing.M) {
	code := m.Run()
	if shared != "" {
		_ = os.RemoveAll(shared)
	}
	os.Exit(code)
}

// sharedRun returns a run that must not be changed.
func sharedRun(t testing.TB) *runfolder.Folder {
	t.Helper()
	if shared == "" {
		dir, err := os.MkdirTemp("", "toile-export-")
		if err != nil {
			t.Fatal(err)
		}
		shared = dir
		play(t, writeScene(t, dir))
	}
	return open(t, filepath.Join(shared, "scene.run"))
}

// ownRun returns a copy of the shared scene and run, to change.
func ownRun(t testing.TB) *runfolder.Folder {
	t.Helper()
	sharedRun(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(shared)); err != nil {
		t.Fatal(err)
	}
	return open(t, filepath.Join(dir, "scene.run"))
}

func frameOf(t testing.TB, f *runfolder.Folder, n int) *runfolder.Frame {
	t.Helper()
	frame, err := f.Frame(n)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}
