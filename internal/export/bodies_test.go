package export_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// bodiesRun is a run of a rigid triangle that goes up and turns, and of a soft one that deforms.
func bodiesRun(t *testing.T) (f *runfolder.Folder, pose func(n int) r3.Pose) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w, err := runfolder.Begin(
		dir,
		runfolder.Manifest{
			Time: runfolder.Timing{FPS: 25, Frames: 3, Substeps: 1, Step: 0.04}, Scene: json.RawMessage(`{}`),
		},
		false,
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	pose = func(n int) r3.Pose {
		return r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), float64(n)*math.Pi/2), T: r3.V(0, 0, float64(n))}
	}
	for n := range 3 {
		brick := runfolder.BodyOf(runfolder.KindRigid, triangleAt("brick", 0))
		brick.Pose = pose(n)
		foam := runfolder.BodyOf(runfolder.KindSolid, triangleAt("foam", 0.5*float64(n)))
		if err := w.WriteFrame(
			&runfolder.Frame{Number: n, Hash: "00", Bodies: []runfolder.Body{brick, foam}},
		); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, dir), pose
}

// A rigid body leaves as a node that moves, a soft one as a mesh that deforms.
func TestBodiesInFilms(t *testing.T) {
	f, _ := bodiesRun(t)
	path := filepath.Join(t.TempDir(), "a.glb")
	write(t, f, path, export.DefaultOptions())
	doc, err := gltf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	moving := map[string]bool{}
	for _, c := range doc.Animations[0].Channels {
		moving[doc.Nodes[*c.Target.Node].Name+" "+c.Target.Path.String()] = true
	}
	for i, want := range []int{0, 2} {
		if n := len(doc.Meshes[i].Primitives[0].Targets); n != want {
			t.Errorf("%s has %d targets, want %d", doc.Nodes[i].Name, n, want)
		}
	}
	if len(doc.Nodes) < 2 || len(moving) < 3 {
		t.Errorf("what moves is %v", moving)
	}
}

// Formats without poses have rigid bodies where they are.
func TestBodiesInSeries(t *testing.T) {
	f, pose := bodiesRun(t)
	dir := t.TempDir()
	opt := export.DefaultOptions()
	opt.Bodies = []string{"brick"}
	write(t, f, filepath.Join(dir, "brick.obj"), opt)
	write(t, f, filepath.Join(dir, "brick.pc2"), opt)
	points, err := meshio.OpenPointCache(filepath.Join(dir, "brick.pc2"), meshio.DefaultReadOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = points.Close() }()
	for n := range 3 {
		file, err := meshio.NumberedFile(filepath.Join(dir, "brick_####.obj"), n)
		if err != nil {
			t.Fatal(err)
		}
		m, err := meshio.ReadFile(file, meshio.DefaultReadOptions())
		if err != nil {
			t.Fatal(err)
		}
		cached := make([]r3.Vec, 3)
		if err := points.Frame(n, cached); err != nil {
			t.Fatal(err)
		}
		for v, x := range triangleAt("brick", 0).Positions {
			// Single precision of numbers about 1.
			want := pose(n).Apply(x)
			if m.Positions[v].Sub(want).Norm() > 1e-6 || cached[v].Sub(want).Norm() > 1e-6 {
				t.Errorf("frame %d, vertex %d: %v and %v, want %v", n, v, m.Positions[v], cached[v], want)
			}
		}
	}
}
