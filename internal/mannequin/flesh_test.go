package mannequin

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

func TestFlesh(t *testing.T) {
	measures, err := MeasuresOf("M")
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewMannequin(measures, MinVertices)
	if err != nil {
		t.Fatal(err)
	}
	f, err := b.Flesh(0.04, 0.025)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Tets.Validate(); err != nil {
		t.Error(err)
	}
	if again, _, _ := f.Tets.SkinFirst(); again.X[len(again.X)-1] != f.Tets.X[len(again.X)-1] {
		t.Error("sorting by skin once more changes the numbers of vertices")
	}
	whole, err := mesh.SolidOf(b.rest, b.Tri, 1)
	if err != nil {
		t.Fatal(err)
	}
	if share := f.Tets.Volume() / whole.Mass; math.Abs(share-1) > 0.05 {
		t.Errorf("the flesh has %g of the volume of the body", share)
	}
	if n := len(f.Tets.Tet); f.Tets.KeepLargest() > 0 {
		t.Errorf("of %d tets some are apart", n)
	}
	holder := map[int32]int{}
	for j, vertices := range f.Held {
		switch Joint(j) {
		case LeftWrist, RightWrist:
			continue // hands come off at this size
		}
		if len(vertices) == 0 {
			t.Errorf("nothing moves with the %v", Joint(j))
		}
		for _, v := range vertices {
			if other, ok := holder[v]; ok {
				t.Errorf("vertex %d moves with the %v and the %v", v, Joint(j), Joint(other))
			}
			holder[v] = j
		}
	}
	if free := len(f.Tets.X) - len(holder); free < len(f.Tets.X)/2 {
		t.Errorf("of %d vertices only %d are free", len(f.Tets.X), free)
	}
	if _, err := b.Flesh(0.1, 1e-6); err == nil {
		t.Error("a body without a vertex in its bones is nothing to move")
	}
}

// Bones move as the skin that has no other does: the head is taken along to where its skin goes.
func TestBonesOfAFilm(t *testing.T) {
	measures, _ := MeasuresOf("S")
	b, err := NewMannequin(measures, MinVertices)
	if err != nil {
		t.Fatal(err)
	}
	motion, err := MotionOf("walk", DefaultMotionOptions())
	if err != nil {
		t.Fatal(err)
	}
	film := &Film{Body: b, Motion: motion, Lead: 1}
	at := make([]r3.Vec, b.Vertices())
	looked := 0
	for _, time := range []float64{-1, -0.4, 0.7} {
		if err := film.At(time, at); err != nil {
			t.Fatal(err)
		}
		for v := range at {
			if b.grip[v].weight[0] < 1-1e-12 {
				continue
			}
			looked++
			if d := film.Bone(b.Bone(int32(v)), time).Apply(b.rest[v]).Sub(at[v]).Norm(); d > 1e-12 {
				t.Fatalf("at %g s vertex %d is off by %g m", time, v, d)
			}
		}
	}
	if looked == 0 {
		t.Error("no vertex follows one bone alone")
	}
}
