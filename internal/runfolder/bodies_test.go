package runfolder

import (
	"reflect"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// bodiesWorld has a brick, a ball, a rod and a soft block on nothing.
func bodiesWorld(t *testing.T) *engine.World {
	t.Helper()
	w, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	turn := r3.Rotation(r3.V(1, 2, 3), 0.5)
	for i, spec := range []body.RigidSpec{
		body.Brick(r3.V(0.1, 0.2, 0.3), 1000), body.Ball(0.2, 1000), body.Capsule(0.1, 0.2, 1000),
	} {
		rigid, err := body.NewRigid(spec, turn, r3.V(0, 0, 1))
		if err != nil {
			t.Fatal(err)
		}
		name := []string{"brick", "ball", "rod"}[i]
		at := []r3.Vec{r3.V(float64(i), 0, 0), {}}
		if _, err := w.AddBody(name, rigid, at, []r3.Vec{r3.V(1, 0, 0), {}}); err != nil {
			t.Fatal(err)
		}
	}
	tets, _, _ := shape.Block(r3.V(0.1, 0.1, 0.1), 2, 2, 2).SkinFirst()
	for i := range tets.X {
		tets.X[i] = tets.X[i].Add(r3.V(0, 5, 0))
	}
	solid, err := body.NewSolid(body.SolidSpec{
		Mesh: tets, Material: material.Isotropic{Young: 1e5, Poisson: 0.3}, Density: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	stretched := slices.Clone(tets.X)
	for i := range stretched {
		stretched[i].X *= 1.25
	}
	if _, err := w.AddBody("block", solid, stretched, make([]r3.Vec, len(stretched))); err != nil {
		t.Fatal(err)
	}
	return w
}

// Bodies of every kind come back from a file as they were, and are where the world has them.
func TestFramesHoldBodiesOfEveryKind(t *testing.T) {
	w := bodiesWorld(t)
	r := NewRecorder(w)
	for range 3 {
		if _, err := w.Step(0.01); err != nil {
			t.Fatal(err)
		}
	}
	frame := r.Frame(3)
	got := throughFolder(t, r, frame)
	kinds := []Kind{KindRigid, KindRigid, KindRigid, KindSolid}
	if len(got.Bodies) != len(kinds) {
		t.Fatalf("%d bodies", len(got.Bodies))
	}
	for i, b := range got.Bodies {
		want := frame.Bodies[i]
		if b.Kind != kinds[i] || b.Name != want.Name || b.Pose != want.Pose || b.Kind.Obstacle() {
			t.Errorf("body %d is %s %q at %v, want %s %q at %v", i, b.Kind, b.Name, b.Pose, kinds[i], want.Name, want.Pose)
		}
		if !reflect.DeepEqual(b.Mesh.Triangles, want.Mesh.Triangles) || len(b.Mesh.Normals) != len(b.Mesh.Positions) {
			t.Errorf("%s came back with other triangles", b.Name)
		}
	}
	if x := got.Bodies[0].Pose.T; x.Sub(w.BodyPositions(0)[0]).Norm() > 1e-12 || x.X < 0.02 {
		t.Errorf("the brick is shown at %v", x)
	}
	// The surface of the ball and of the rod, whatever their points are.
	for i, size := range map[int]r3.Vec{1: r3.V(0.4, 0.4, 0.4), 2: r3.V(0.2, 0.2, 0.6)} {
		if box := r3.BoxOf(got.Bodies[i].Mesh.Positions); box.Size().Sub(size).Norm() > 0.02 {
			t.Errorf("%s has a size of %v", got.Bodies[i].Name, box.Size())
		}
	}
	at := func(m *meshio.Mesh, name string) []float32 { return dataOf(m, name) }
	// Stretched by a quarter, it has not had the time to come back.
	for v, s := range at(got.Bodies[3].Mesh, AttrStretch) {
		if s < 1 || s > 1.26 {
			t.Errorf("stretch of vertex %d is %g", v, s)
		}
	}
	stress, energy, volume := at(got.Bodies[3].Mesh, AttrStress), at(got.Bodies[3].Mesh, AttrEnergy), at(got.Bodies[3].Mesh, AttrVolume)
	for v := range got.Bodies[3].Mesh.Positions {
		if !(stress[v] > 0 && energy[v] > 0 && volume[v] > 0.9 && volume[v] < 1.3) {
			t.Errorf("vertex %d: stress %g, energy %g, volume %g", v, stress[v], energy[v], volume[v])
		}
	}
	if len(at(got.Bodies[3].Mesh, AttrSpeed)) != len(got.Bodies[3].Mesh.Positions) {
		t.Error("the speed of the block is not in the frame")
	}
}
