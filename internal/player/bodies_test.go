package player

import (
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/runfolder"
)

// bodyScene has a body of every kind, which all touch: a held rigid hand and a free box, ball and capsule, a soft
// block, a cloth and the ground.
const bodyScene = `toile: 1
name: bodies of every kind
time: {end: 0.2 s, fps: 20, step: 5 ms}
friction: 0.3
cloths:
  - name: sheet
    shape: {grid: {size: [0.3, 0.3], cells: [5, 5]}}
    place: {translate: [-0.15, -0.15, 0.063]}
    material: {preset: cotton, damping: 5 ms}
rigids:
  - {name: box, shape: {box: {size: [6 cm, 6 cm, 6 cm]}}, place: {translate: [-0.08, 0, 0.031]}, density: 300, spin: [0, 0, 1]}
  - {name: ball, shape: {sphere: {radius: 2 cm}}, place: {translate: [0.02, 0.01, 0.088]}, density: 200, velocity: [0.3, 0, -0.3]}
  - {name: rod, shape: {capsule: {radius: 1.5 cm, length: 6 cm, axis: [1, 0, 0]}}, place: {translate: [-0.1, 0, 0.085]}, density: 200}
  - {name: hand, shape: {box: {size: [4 cm, 4 cm, 2 cm]}}, place: {translate: [0.08, 0, 0.078]}, motion: press}
solids:
  - name: block
    shape: {block: {size: [6 cm, 6 cm, 6 cm], cells: [2, 2, 2]}}
    place: {translate: [0.08, 0, 0.031]}
    material: {young: 20 kPa, density: 300, damping: 5 ms}
obstacles:
  - {name: floor, shape: {plane: {}}}
motions:
  press: [{at: 0 s}, {at: 0.2 s, translate: [0, 0, -1 cm]}]
`

func bodyJob(t testing.TB, workers int) Job {
	t.Helper()
	return jobOf(t, bodyScene, workers)
}

// A run with bodies of every kind comes out the same with any number of workers, after interrupts and, in the long
// form, after kills. Its frames say which is which, and something touches each of them.
func TestBodiesComeOutTheSame(t *testing.T) {
	f, err := runfolder.Open(comesOutTheSame(t, "bodies", bodyJob))
	if err != nil {
		t.Fatal(err)
	}
	last, err := f.Frame(f.Manifest.Time.Frames - 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name string
		kind runfolder.Kind
	}{
		{"sheet", runfolder.KindCloth},
		{"box", runfolder.KindRigid},
		{"ball", runfolder.KindRigid},
		{"rod", runfolder.KindRigid},
		{"hand", runfolder.KindRigid},
		{"block", runfolder.KindSolid},
		{"floor", runfolder.KindPlane},
	}
	if len(last.Bodies) != len(want) {
		t.Errorf("%d bodies in a frame, want %d", len(last.Bodies), len(want))
	}
	for _, w := range want {
		i := slices.IndexFunc(last.Bodies, func(b runfolder.Body) bool { return b.Name == w.name })
		if i < 0 || last.Bodies[i].Kind != w.kind {
			t.Errorf("no %s %q in the last frame", w.kind, w.name)
		}
	}
}

// Every body of the scene is touched in some step.
func TestEveryBodyTouches(t *testing.T) {
	found := pairs(t, bodyJob)
	for _, want := range []string{"box floor", "ball sheet", "rod sheet", "box sheet", "hand sheet", "block sheet", "block floor"} {
		if !found[want] {
			t.Errorf("%s do not touch; found %v", want, found)
		}
	}
}
