package player

import (
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/runfolder"
)

// adaptiveScene has meshes that change in nearly every step, beside one that does not, a pin, a map and a press, whose
// blocks move about when they do.
const adaptiveScene = `toile: 1
name: a sheet on an edge
time: {end: 0.15 s, fps: 20, step: 5 ms}
contact: {thickness: 2 mm}
cloths:
  - name: sheet
    shape: {grid: {size: [0.4, 0.4], cells: [3, 3], pattern: crossed}}
    place: {translate: [-0.2, -0.2, 0.02]}
    material: cotton-interlock
    remesh: {size: [4 cm, 20 cm]}
    pins: [{select: {near: [-0.2, -0.2, 0.02]}, strength: {force: 1, stiffness: 50}, until: 0.1 s}]
  - name: patch
    shape: {grid: {size: [0.1, 0.1], cells: [3, 3]}}
    place: {translate: [-0.05, -0.05, 0.04]}
  - name: second
    shape: {grid: {size: [0.2, 0.2], cells: [2, 2], pattern: crossed}}
    place: {translate: [-0.1, -0.1, 0.05]}
    remesh: {size: [5 cm, 20 cm], angle: 0.3 rad}
obstacles:
  - {name: box, shape: {box: {size: [0.1, 0.1, 0.1]}}, place: {translate: [0, 0, -0.05], rotate: {axis: [1, 0, 0], angle: 45 deg}}}
  - {name: plate, shape: {box: {size: [0.1, 0.1, 0.01]}}, place: {translate: [0, 0, 0.1]}, press: {axis: [0, 0, -1], force: 0.05 N, mass: 0.1 kg}}
`

func adaptiveJob(t testing.TB, workers int) Job {
	t.Helper()
	return jobOf(t, adaptiveScene, workers)
}

// A run with meshes that change comes out the same with any number of workers, after interrupts and, in the long form,
// after kills. Its frames have the meshes as they are, and beside them the ones of the scene.
func TestAdaptiveComesOutTheSame(t *testing.T) {
	dir := comesOutTheSame(t, "adaptive", adaptiveJob)
	folder, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	first, err := folder.Frame(0)
	if err != nil {
		t.Fatal(err)
	}
	last, err := folder.Frame(3)
	if err != nil {
		t.Fatal(err)
	}
	if n, m := len(first.Bodies[0].Mesh.Positions), len(last.Bodies[0].Mesh.Positions); n != 25 || m <= n {
		t.Errorf("the sheet has %d vertices at first and %d at last", n, m)
	}
	if n := len(last.Bodies[1].Mesh.Positions); n != 16 || last.Bodies[1].Input != nil {
		t.Errorf("the patch has %d vertices", n)
	}
	if n := len(last.Bodies[0].Input.Positions); n != 25 || len(last.Bodies[0].Input.Triangles) != len(first.Bodies[0].Mesh.Triangles) {
		t.Errorf("beside the sheet are %d vertices", n)
	}
	last.ShowInputs()
	for i, x := range last.Bodies[0].Mesh.Positions {
		if d := x.Sub(first.Bodies[0].Mesh.Positions[i]).Norm(); d > 0.4 {
			t.Errorf("vertex %d of the input is %g m from where it was", i, d)
		}
	}
}

// adaptiveBodyScene has a mesh that changes on bodies of every kind, which move.
const adaptiveBodyScene = `toile: 1
name: a sheet on bodies
time: {end: 0.15 s, fps: 20, step: 5 ms}
friction: 0.3
cloths:
  - name: sheet
    shape: {grid: {size: [0.3, 0.3], cells: [4, 4]}}
    place: {translate: [-0.15, -0.15, 0.063]}
    material: {preset: cotton, damping: 5 ms}
    remesh: {size: [3 cm, 20 cm]}
rigids:
  - {name: box, shape: {box: {size: [6 cm, 6 cm, 6 cm]}}, place: {translate: [-0.08, 0, 0.031]}, density: 300, spin: [0, 0, 1]}
  - {name: ball, shape: {sphere: {radius: 2 cm}}, place: {translate: [0, 0.1, 0.021]}, density: 200, velocity: [0, 0, 0.5]}
  - {name: rod, shape: {capsule: {radius: 1.5 cm, length: 6 cm, axis: [1, 0, 0]}}, place: {translate: [0, -0.1, 0.09]}, density: 200}
solids:
  - name: block
    shape: {block: {size: [6 cm, 6 cm, 6 cm], cells: [2, 2, 2]}}
    place: {translate: [0.08, 0, 0.031]}
    material: {young: 20 kPa, density: 300, damping: 5 ms}
obstacles:
  - {name: floor, shape: {plane: {}}}
`

// A run with a mesh that changes on rigid and soft bodies comes out the same, too, and nothing crosses.
func TestAdaptiveOnBodiesComesOutTheSame(t *testing.T) {
	dir := comesOutTheSame(t, "adaptive bodies", func(t testing.TB, workers int) Job { return jobOf(t, adaptiveBodyScene, workers) })
	folder, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := folder.Stats()
	if err != nil {
		t.Fatal(err)
	}
	for step, n := range stats.Column("crossings") {
		if n != 0 {
			t.Errorf("step %d: %g crossings", step+1, n)
		}
	}
	splits, touching := 0.0, slices.Max(stats.Column("contacts"))
	for _, n := range stats.Column("splits") {
		splits += n
	}
	if splits < 20 || touching < 20 {
		t.Errorf("%g splits and %g contacts: this test shows little", splits, touching)
	}
}
