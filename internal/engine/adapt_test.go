package engine_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// adaptiveSheet returns a sheet that is remeshed and falls on a ball, held at two corners, beside one whose mesh stays,
// with the sizes of the first.
func adaptiveSheet(t *testing.T, workers int) (*engine.World, *engine.Remesh) {
	t.Helper()
	opt := engine.DefaultOptions()
	opt.Workers = workers
	w := must(engine.New(opt))
	must(
		w.AddObstacle(
			engine.Obstacle{Name: "ball", Place: r3.Translation(r3.V(0, 0, -0.11)), Shape: shape.Sphere{Radius: 0.1}},
		),
	)
	size := engine.DefaultRemesh()
	size.Min, size.Max = 0.01, 0.1
	m, x := shape.Grid(0.4, 0.4, 4, 4)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.2, -0.2, 0))
	}
	c := engine.DefaultCloth("sheet", m, x, cotton(t))
	c.Remesh = &size
	c.Maps.Friction = make([]float64, m.Verts)
	for v := range c.Maps.Friction {
		c.Maps.Friction[v] = 0.2 + x[v].X
	}
	id := must(w.AddCloth(c))
	must(w.AddHandle(engine.Handle{Name: "corners", Cloth: id, Vertices: []int32{0, 24}}))
	small, y := shape.Grid(0.1, 0.1, 3, 3)
	for i := range y {
		y[i] = y[i].Add(r3.V(-0.05, -0.05, 0.01))
	}
	must(w.AddCloth(engine.DefaultCloth("patch", small, y, cotton(t))))
	must(w.AddObstacle(engine.Obstacle{
		Name: "plate", Place: r3.Translation(r3.V(0, 0, 0.2)), Shape: shape.Box{Half: r3.V(0.1, 0.1, 0.01)},
		Press: &engine.Press{Axis: r3.V(0, 0, -1), Force: 0.01, Mass: 0.1, Stop: math.Inf(1)},
	}))
	return w, &size
}

// finer takes steps that each ask for smaller triangles than the one before.
func finer(t *testing.T, w *engine.World, size *engine.Remesh, count int) {
	t.Helper()
	for range count {
		size.Max *= 0.97
		if _, err := w.Step(4e-3); err != nil {
			t.Fatal(err)
		}
	}
}

// A world with a mesh that changes has the same bits for any number of workers, and when it is brought back, also as
// bytes and in another world.
func TestAdaptiveIsDeterministic(t *testing.T) {
	const half = 10
	w, size := adaptiveSheet(t, 1)
	finer(t, w, size, half)
	between, at := w.Snapshot(), *size
	finer(t, w, size, half)
	if n := w.Cloth(0).Mesh.Verts; n < 40 || n == w.Input(0).Mesh.Verts {
		t.Fatalf("the mesh has %d vertices: it did not change enough for this test", n)
	}
	want := w.Snapshot().Hash()
	for _, workers := range []int{2, 8} {
		w, size := adaptiveSheet(t, workers)
		finer(t, w, size, 2*half)
		if w.Snapshot().Hash() != want {
			t.Errorf("other bits with %d workers", workers)
		}
	}
	data, err := between.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var read engine.Snapshot
	if err := read.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	fresh, again := adaptiveSheet(t, 2)
	for name, w := range map[string]*engine.World{"itself": w, "another": fresh} {
		s := size
		if name == "another" {
			s = again
		}
		*s = at
		if err := w.Restore(&read); err != nil {
			t.Fatal(err)
		}
		if w.Snapshot().Hash() != between.Hash() {
			t.Errorf("%s: the state is another after restoring", name)
		}
		finer(t, w, s, half)
		if w.Snapshot().Hash() != want {
			t.Errorf("%s: goes on differently after restoring", name)
		}
	}
}

// A step that fails after remeshing leaves the mesh as it was, and one that is halved gets on.
func TestAdaptiveStepFailsUntouched(t *testing.T) {
	w, size := adaptiveSheet(t, 1)
	finer(t, w, size, 5)
	snap := w.Snapshot()
	vertices := w.Cloth(0).Mesh.Verts
	w.SetForce(0, 1, r3.V(math.NaN(), 0, 0))
	size.Max *= 0.7
	if _, err := w.Step(4e-3); err == nil {
		t.Fatal("a force that is not a number was accepted")
	}
	if err := w.Advance(4e-3, 4e-3, nil); err == nil {
		t.Fatal("a force that is not a number was accepted")
	}
	w.SetForce(0, 1, r3.Vec{})
	if w.Snapshot().Hash() != snap.Hash() || w.Cloth(0).Mesh.Verts != vertices {
		t.Error("a failed step has changed the state")
	}
	finer(t, w, size, 1)
	if w.Cloth(0).Mesh.Verts == vertices {
		t.Error("the mesh did not change: this test shows nothing")
	}
}

// Handles keep their vertices, painted friction is that of the place, and the vertices of the input are found where
// they are.
func TestAdaptiveKeepsWhatBelongsToPlaces(t *testing.T) {
	w, size := adaptiveSheet(t, 1)
	finer(t, w, size, 12)
	c, x := w.Cloth(0), w.Positions(0)
	if len(c.Maps.Friction) != c.Mesh.Verts || len(x) != c.Mesh.Verts || len(w.VertexIDs(0)) != c.Mesh.Verts {
		t.Fatal("lengths do not fit the mesh")
	}
	for tri, corner := range c.Mesh.Corner {
		for k, p := range corner {
			want := 0.2 + c.Mesh.Material[p].X - 0.2
			if got := c.Maps.Friction[c.Mesh.Tri[tri][k]]; math.Abs(got-want) > 1e-12 {
				t.Fatalf("friction %g at material point %v, want %g", got, c.Mesh.Material[p], want)
			}
		}
	}
	input := w.InputPositions(0, nil)
	if len(input) != 25 {
		t.Fatalf("%d positions of the input", len(input))
	}
	for _, v := range []int{0, 24} {
		if d := input[v].Sub(w.Input(0).Positions[v]).Norm(); d > 1e-12 {
			t.Errorf("held vertex %d is %g m away", v, d)
		}
	}
	// The vertices of the input are still there: only splits were done.
	for v, id := range w.VertexIDs(0) {
		if id < 25 && x[v].Sub(input[id]).Norm() > 1e-12 {
			t.Errorf("vertex %d of the input is looked up at %v, and is at %v", id, input[id], x[v])
		}
	}
	total := 0.0
	for _, m := range w.Masses(0) {
		total += m
	}
	if want := 0.16 * c.Fabric.Density; math.Abs(total-want) > 1e-12*want {
		t.Errorf("mass %g kg, want %g", total, want)
	}
}

// A damaged state of a mesh is refused or fits, and never breaks the world that it is put into.
func TestAdaptiveStateDamaged(t *testing.T) {
	w, size := adaptiveSheet(t, 1)
	finer(t, w, size, 3)
	whole := w.Snapshot()
	data, err := whole.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 11))
	refused := 0
	for range 400 {
		bad := slices.Clone(data)
		// Mostly in the meshes, which come last.
		at := len(bad) - 1 - random.IntN(len(bad)*2/3)
		bad[at] ^= 1 << random.IntN(8)
		var s engine.Snapshot
		if s.UnmarshalBinary(bad) != nil || w.Restore(&s) != nil {
			refused++
		}
		if err := w.Restore(whole); err != nil {
			t.Fatal(err)
		}
	}
	if w.Snapshot().Hash() != whole.Hash() {
		t.Error("the world is not what it was")
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	if err := new(engine.Snapshot).UnmarshalBinary(data[:len(data)-8]); err == nil {
		t.Error("a state that is cut short was read")
	}
	plain, _, _ := clampedSheet(t, 1, nil)
	if err := plain.Restore(whole); err == nil {
		t.Error("a world without meshes that change took a state with some")
	}
}
