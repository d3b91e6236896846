package scenefile

import (
	"context"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mannequin"
)

const fleshScene = `toile: 1
time: {end: 1 s, step: 20 ms}
solids:
  - name: body
    shape: {flesh: {mannequin: {motion: walk, lead: 0.1 s, hold: 0.02 s, vertices: 2000}, size: 5 cm, bones: 3 cm}}
    place: {scale: 0.5, translate: [1, 0, 0], rotate: {axis: [0, 0, 1], angle: 90 deg}}
    material: {preset: muscle, damping: 20 ms}
`

// Bones take their vertices from the dressing pose to the motion, and the flesh comes along.
func TestFleshFollowsItsBones(t *testing.T) {
	b := builtScene(t, fleshScene)
	s := b.Scene
	f := s.Solids[0].Shape.Flesh
	id := b.Bodies[0].ID
	start := slices.Clone(b.World.BodyPositions(id))
	place := s.Solids[0].Place.pose()
	for v, x := range f.made.Tets.X {
		if d := place.Apply(x.Scale(0.5)).Sub(start[v]).Norm(); d > 1e-12 {
			t.Fatalf("vertex %d starts %g m from the dressing pose", v, d)
		}
	}
	for range 8 {
		stats, err := b.World.Step(s.Time.Step)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Crossings > 0 || !stats.Converged {
			t.Errorf("%d crossings, residual %g m/s", stats.Crossings, stats.Residual)
		}
	}
	film := f.Mannequin.made
	moved := 0.0
	for j, vertices := range f.made.Held {
		bone := film.Bone(mannequin.Joint(j), b.World.Time()-film.Lead-film.Hold)
		for _, v := range vertices {
			x := place.Apply(bone.Apply(f.made.Tets.X[v]).Scale(0.5))
			if d := x.Sub(b.World.BodyPositions(id)[v]).Norm(); d > 1e-12 {
				t.Fatalf("vertex %d of the %v is off by %g m", v, mannequin.Joint(j), d)
			}
			moved = max(moved, x.Sub(start[v]).Norm())
		}
	}
	if moved < 0.1 {
		t.Errorf("no bone has moved further than %g m", moved)
	}
}

// Garments are for bodies of flesh too, whose skin they are sewn around before it moves.
func TestGarmentOnFlesh(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const worn = fleshScene + `cloths:
  - {name: top, shape: {garment: {kind: tank-top, on: body, size: 60 mm}}}
`
	s, err := Parse("scene.yaml", []byte(worn), badFiles, []string{"solids.body.place={}"})
	if err != nil {
		t.Fatal(err)
	}
	dressed, err := s.Dress(context.Background(), DressOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.BuildDressed(dressed)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Obstacles) > 0 || len(b.Bodies) != 1 {
		t.Errorf("%d obstacles and %d bodies", len(b.Obstacles), len(b.Bodies))
	}
	contacts := 0
	for range 4 {
		if err := b.World.Advance(s.Time.Step, s.Time.Step, func(k engine.Stats) {
			contacts += k.Contacts
			if k.Crossings > 0 {
				t.Errorf("at %g s: %d crossings", k.Time, k.Crossings)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if contacts == 0 {
		t.Error("the top does not touch the body")
	}
}
